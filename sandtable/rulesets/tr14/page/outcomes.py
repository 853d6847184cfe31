"""How an attack went, in a few words: so that many trials of it can be counted."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.engine.cards import PreviewLine, Reason
from sandtable.engine.events import Event
from sandtable.field import outcomes
from sandtable.rulesets.tr14.core.board import Battle
from sandtable.rulesets.tr14.core.names import unit_token

PREVIEWS = ("fire", "reaction-fire", "suppressive-fire", "strike")
"""The questions whose answers are worth trying out."""

ATTACKS = ("shooting", "strike")


def suffered(since: list[Event]) -> str:
    """What the enemy of whoever attacks first has suffered: Teams destroyed and suppressed."""
    seat = since[0].seat
    destroyed, lost = outcomes.losses(since, "destroyed", seat)
    suppressed, _ = outcomes.losses(since, "suppressed", seat)
    hit = any(event.kind == "shooting" and event.seat == seat and event.data.get("hits") for event in since)
    return outcomes.in_words(
        (destroyed, "destroyed"),
        (suppressed, "suppressed"),
        (lost, "of your own lost"),
        otherwise="all saved" if hit else "no hits",
    )


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
