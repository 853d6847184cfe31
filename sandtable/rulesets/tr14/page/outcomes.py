"""How an attack went, in a few words: so that many trials of it can be counted."""

from __future__ import annotations

from sandtable.engine.cards import PreviewLine, Reason
from sandtable.engine.events import Event
from sandtable.engine.game import Game
from sandtable.rulesets.tr14.core.names import unit_token
from sandtable.rulesets.tr14.core.state import State

PREVIEWS = ("fire", "reaction-fire", "suppressive-fire", "strike")
"""The questions whose answers are worth trying out."""

ATTACKS = ("shooting", "strike")


def outcome(events: list[Event]) -> str:
    """What the enemy of whoever attacks first has suffered: Teams destroyed and suppressed."""
    first = next((event for event in events if event.kind in ATTACKS), None)
    if first is None:
        return "does not fire"
    since = events[events.index(first) :]
    parts = []
    for kind in ("destroyed", "suppressed"):
        count = sum(event.kind == kind and event.seat != first.seat for event in since)
        if count:
            parts.append(f"{count} {kind}")
    lost = sum(event.kind == "destroyed" and event.seat == first.seat for event in since)
    if lost:
        parts.append(f"{lost} of your own lost")
    if parts:
        return ", ".join(parts)
    hits = sum(
        int(event.data.get("hits", 0)) for event in events if event.kind == "shooting" and event.seat == first.seat
    )
    return "all saved" if hits else "no hits"


def lines(game: Game[State], events: list[Event]) -> list[PreviewLine]:
    """Each weapon's dice, what they need, and why. Weapons that need the same for the same reasons share a line."""
    found: dict[tuple[str, str, str, int, tuple[Reason, ...]], int] = {}
    for event in events:
        if event.kind != "shooting":
            continue
        words = {(each.amount, each.rule): each.words for each in event.modifiers}
        for shot in event.data["shots"]:
            reasons = tuple(Reason(amount, rule, words.get((amount, rule), "")) for amount, rule in shot["modifiers"])
            key = (event.data["unit"], event.data["target"], shot["weapon"], shot["needed"], reasons)
            found[key] = found.get(key, 0) + shot["dice"]
    return [
        PreviewLine(f"{called(game, unit)} fires at {called(game, target)}: {weapon}", dice, needed, reasons)
        for (unit, target, weapon, needed, reasons), dice in found.items()
    ]


def called(game: Game[State], unit_id: str) -> str:
    """A Unit in a text, also one that is lost by now: all began in the set-up."""
    unit = game.setup.units[unit_id]
    return unit_token(unit.side, unit_id, unit.name or unit_id)
