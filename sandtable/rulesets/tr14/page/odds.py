"""The exact odds of an attack as a page shows them: each throw, how it may end in words, and what is assumed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sandtable.engine.cards import Odds
from sandtable.engine.questions import Answer
from sandtable.field import outcomes
from sandtable.rulesets.tr14.core.board import Battle
from sandtable.rulesets.tr14.core.names import label
from sandtable.rulesets.tr14.firing import aimed_at, fire_odds, read_order
from sandtable.rulesets.tr14.page.outcomes import HITS, in_words

WITHIN_FIRE = ("go-to-ground", "direct-fire", "allocate-at", "allocate", "suppress", "cc-reroll")
"""What may be asked between an order to fire and its end."""

DIRECTS = "A leader who may direct fire has the Team with most misses roll them again."
PLAINEST = "Where its player may choose who is hit or suppressed, it is plain Teams, leaders last."


def odds(game: Battle, seat: str, answer: Answer) -> Odds | None:
    """The odds of an answer to the question now asked; None where there is no closed form."""
    assert game.ask is not None
    question = game.ask.question
    found = BY_TOPIC.get(question.topic)
    return None if found is None else found(game, answer, question.facts)


def of_fire(game: Battle, answer: Any, facts: Mapping[str, Any]) -> Odds | None:
    orders = {team: read_order(choice) for team, choice in answer.items()}
    unit = game.state.units[facts["unit"]]
    manner = facts["manner"]
    # Suppressive fire is all for those who are assaulted: whoever has joined them is the one who was named.
    at = aimed_at(game, game.state.units[facts["at"][-1]]) if manner == "assault" else None
    moving = manner in ("reaction", "overwatch")
    fire = fire_odds(game, unit, orders, manner, moved=facts["moved"], moving_target=moving, at=at)
    if fire is None or not orders:
        return None
    assumes = [f"{label(each)} does not go to ground." for each in fire.to_ground]
    assumes += [DIRECTS] if fire.directs and manner != "aimed" else []
    return Odds(
        tuple(outcomes.grouped(fire.lines)),
        outcomes.ranked(fire.harm, in_words),
        (outcomes.spread(HITS, fire.hits, int),),
        (*assumes, PLAINEST),
        WITHIN_FIRE,
    )


BY_TOPIC: dict[str, Callable[[Battle, Any, Mapping[str, Any]], Odds | None]] = {
    "fire": of_fire,
    "reaction-fire": of_fire,
    "suppressive-fire": of_fire,
}
