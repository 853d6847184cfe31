"""What events tell: how an attack went, in a few words so that many can be counted, and the story of a battle."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import takewhile

from sandtable.engine.cards import PreviewLine, Reason
from sandtable.engine.events import Event
from sandtable.engine.story import Blow, Rolled, Story, of_throw, rolled
from sandtable.field import outcomes
from sandtable.field.outcomes import Harm, HarmWords
from sandtable.rulesets.tr14.core.board import Battle
from sandtable.rulesets.tr14.core.checks import BEST_DIE, LEAST_TO_HIT
from sandtable.rulesets.tr14.core.names import unit_token
from sandtable.rulesets.tr14.core.state import other

ATTACKS = ("shooting", "range-in", "assault", "strike")

HITS = "Hits"

WORDS = HarmWords("suppressed", "suppressed", "Unit lost", "Units lost", "all saved")
NO_HITS, NO_EFFECT = "no hits", "no effect"
NOT_RANGED_IN = "not ranged in: the enemy may shift the template"

AFTER = {
    "morale",
    "initiative",
    "initiative-roll",
    "extra-charge",
    "charge",
    "defensive-fire",
    "no-contact",
    "strike",
    "counter-check",
    "break-off",
}
AFTER_RULES = {
    "tr14.suppression.lone-team",
    "tr14.leaders.company-last-unit",
    "tr14.battle.end",
    "tr14.assaults.casualty-suppression",
}
"""What tells that an attack is over: events of some kinds, and losses by rules that are for later."""


def suffered(since: list[Event]) -> str:
    """What the enemy of whoever attacks first has suffered: Teams destroyed and suppressed."""
    if since[0].kind == "range-in" and not since[0].data["success"]:
        return NOT_RANGED_IN
    nothing = NO_EFFECT if since[0].kind in ("assault", "strike") else NO_HITS
    return WORDS.say(harm(until_over(since)), nothing)


def until_over(since: list[Event]) -> list[Event]:
    """The events of an attack alone: much may follow before anything is asked, even the next round."""
    clash = ("charge", "strike") if since[0].kind == "assault" else ()
    return [since[0], *takewhile(lambda event: event.kind in clash or not comes_after(event), since[1:])]


def comes_after(event: Event) -> bool:
    # A company without any Unit is beaten at once, and by the same rule with its last Unit when a round ends.
    later = AFTER_RULES - {"tr14.leaders.company-last-unit"} if event.kind == "battle-over" else AFTER_RULES
    return event.kind in AFTER or not later.isdisjoint(event.rules)


def harm(since: list[Event]) -> Harm:
    seat = since[0].seat
    destroyed, own = outcomes.losses(since, "destroyed", seat)
    suppressed, _ = outcomes.losses(since, "suppressed", seat)
    units, _ = outcomes.losses(since, "unit-lost", seat)
    over = next((other(event.data["winner"]) for event in since if event.kind == "battle-over"), "")
    return Harm(hits(since) > 0, destroyed, suppressed, units, own, over)


def hits(since: list[Event]) -> int:
    return sum(int(event.data["hits"]) for event in since if event.kind in ("shooting", "barrage-hits"))


def tally(events: list[Event]) -> dict[str, int]:
    """The numbers of an attack, by the names that its odds have for them."""
    return {HITS: hits(events)}


def lines(game: Battle, events: list[Event]) -> list[PreviewLine]:
    """Each weapon's dice, what they need, and why."""
    return outcomes.grouped(line for event in events if event.kind == "shooting" for line in shots(game, event))


def shots(game: Battle, event: Event) -> Iterator[PreviewLine]:
    words = {(each.amount, each.rule): each.words for each in event.modifiers}
    deed = f"{called(game, event.data['unit'])} fires at {called(game, event.data['target'])}"
    for shot in event.data["shots"]:
        reasons = tuple(Reason(amount, rule, words.get((amount, rule), "")) for amount, rule in shot["modifiers"])
        yield PreviewLine(f"{deed}: {shot['weapon']}", shot["dice"], shot["needed"], reasons)


def called(game: Battle, unit_id: str) -> str:
    """A Unit in a text, also one that is lost by now: all began in the set-up."""
    unit = game.setup.units[unit_id]
    return unit_token(unit.side, unit_id, unit.name or unit_id)


# How battles are told when they are over.


def blows(event: Event) -> Iterable[Blow]:
    """Volleys at a Unit, hits as they were allocated where it matters whose they are, shells, and strikes."""
    data = event.data
    if event.kind == "shooting":
        yield Blow(data["unit"], "", data["target"])
    elif event.kind == "allocated":
        for by, weapon, victim, _ in data["by"]:
            yield Blow(by, weapon, victim)
    elif event.kind == "barrage-hits" and data["hits"]:
        yield Blow(data["unit"], "barrage", data["team"])
    elif event.kind == "strike" and data["passes"]:
        yield Blow(data["team"], "in assault", data["victim"])


def rolls(event: Event) -> Iterable[Rolled]:
    """Each weapon of a volley needs a number of its own, and a leader may have it throw again.

    A Check that the Company Commander has rolled again is told once more by its own event, with both dice.
    """
    if event.kind == "cc-reroll":
        return []
    if event.kind != "shooting":
        return rolled(event)
    thrown = [shot for shot in event.data["shots"] if shot["needed"] <= BEST_DIE]
    needs = [max(shot["needed"], LEAST_TO_HIT) for shot in thrown]
    return [of_throw(throw, needed) for throw, needed in zip(event.dice, needs, strict=True)]


TURNS = ("unit-lost", "objective", "company")

STORY = Story(
    figures=("Units", "Objectives"),
    losses=("destroyed",),
    turns=TURNS,
    prizes=("Objectives",),
    blows=blows,
    rolls=rolls,
)
