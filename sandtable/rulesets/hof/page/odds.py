"""The exact odds of an attack before its dice, for each question that leads to one.

Everything is asked of the chapters' own odds, in a copy of the game where what the seat may not know is imagined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from sandtable.engine.cards import Odds, PreviewLine
from sandtable.engine.chance import Chances, sure
from sandtable.engine.questions import Answer
from sandtable.field import outcomes
from sandtable.field.outcomes import NO_ATTACK
from sandtable.rulesets.hof.activation import odds as activation
from sandtable.rulesets.hof.core.board import Battle
from sandtable.rulesets.hof.core.labels import full_label, team_list
from sandtable.rulesets.hof.core.state import Member
from sandtable.rulesets.hof.firing import CANNOT
from sandtable.rulesets.hof.firing import odds as firing
from sandtable.rulesets.hof.morale import odds as morale
from sandtable.rulesets.hof.page.outcomes import DESTROYED, HITS, RFPS, Done

AFTERWARDS = ("bail-out", "new-leader", "command-presence")
"""What may be asked when Teams are lost."""

TAKEN = {
    "leader-move": "The Leader goes where he is first proposed to go.",
    "leader-rally": "The Leader rallies nobody.",
    "one-acts": "If the Leader is lost, the first of his Teams acts.",
    "direct-fire": "The Leader directs the fire of the first Team that he touches.",
    "weapons": "Each Team fires the weapon that promises most at full Rate of Fire.",
    "which-hit": "The target takes the hit that harms it least.",
    "split-at-hits": "Anti-tank hits are divided as is first proposed.",
    "vulnerable-first": "The less protected Teams are hit first.",
    "allocate": "The enemy deals hits to those who bear them best.",
    "bail-out": "Whoever bails out finds a place.",
    "command-presence": "A Company Commander stands by a Unit that is breaking.",
}
"""What is assumed where somebody must still choose, by the topic of his question."""


def odds(game: Battle, seat: str, answer: Answer) -> Odds | None:
    """The odds of an answer; None where there is no closed form."""
    assert game.ask is not None
    question = game.ask.question
    find = ODDS.get(question.topic)
    if find is None or question.about is None:
        return None
    try:
        return find(game, question.about, answer)
    except firing.NoClosedForm:
        return None


def assumed(topics: Iterable[str]) -> tuple[str, ...]:
    return tuple(words for topic, words in TAKEN.items() if topic in topics)


# Fire.


def at_target(game: Battle, about: Any, answer: Answer) -> Odds:
    act, order = about
    answers = firing.Answers()
    return fire_odds(game, activation.fire_order(game, act, order, answer, answers), answers)


def with_weapons(game: Battle, about: Any, answer: Answer) -> Odds:
    act, table, ways, marks = about(answer)
    answers = firing.Answers()
    return fire_odds(
        game, activation.ordered([(firing.fire_with(game, act, table, ways, marks, answers), 1.0)]), answers
    )


def fire_odds(game: Battle, found: activation.Ordered, answers: firing.Answers) -> Odds:
    """The odds of a Fire order in words and numbers."""
    struck: dict[str, Member] = {}
    for fire, _ in found.fires:
        struck.update(fire.struck)
    ends = found.ends.then(lambda end: with_morale(game, struck, end))
    topics = {*answers.topics, *(AFTERWARDS if struck else ())}
    return Odds(
        tuple(throws(found.fires[0][0])) if found.fires else (),
        outcomes.ranked(ends, lambda end: NO_ATTACK if end is None else end.words("no hits")),
        (
            outcomes.spread(HITS, found.hits, int),
            outcomes.spread(RFPS, ends, lambda end: 0 if end is None else end.rfps),
            outcomes.spread(DESTROYED, ends, lambda end: 0 if end is None else end.lost),
        ),
        assumed(topics),
        tuple(sorted(topics)),
    )


def with_morale(game: Battle, struck: Mapping[str, Member], end: firing.Fired | None) -> Chances[Done | None]:
    """What the loss of Teams means for their Units."""
    if end is None:
        return sure(None)
    lost = [struck[name] for name in end.lost]
    standing = morale.standing_after(game, lost)
    return standing.mapped(lambda after: Done(end.hit, len(lost), end.rfps, after.units))


def throws(fire: firing.Fire) -> Sequence[PreviewLine]:
    """Each weapon's dice, what they need, and why."""
    lines = []
    for volley in fire.volleys:
        members = [fire.members[row] for row, _ in volley.shots]
        words = f"{team_list(members)}: {volley.weapon.name} at {full_label(*fire.target)}"
        dice = sum(dice for _, dice in volley.shots)
        if volley.needed >= CANNOT:
            words, dice = f"{words}: no die can succeed", 0
        lines.append(PreviewLine(words, dice, volley.needed, outcomes.reasons(volley.modifiers)))
    return outcomes.grouped(lines)


ODDS: dict[str, Callable[[Battle, Any, Answer], Odds | None]] = {"target": at_target, "weapons": with_weapons}
"""By the topic of the question that an attack answers."""
