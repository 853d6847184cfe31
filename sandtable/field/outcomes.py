"""How an attack went, in a few words, so that many trials of it can be counted; and its throws before the dice fall."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from msgspec.structs import replace

from sandtable.engine.cards import PreviewLine, Reason
from sandtable.engine.events import Event, Modifier

NO_ATTACK = "does not fire"


def outcome(attacks: Collection[str], words: Callable[[list[Event]], str], events: list[Event]) -> str:
    """What `words` say of the events from the first attack on; attacks are events of some kinds."""
    first = next((number for number, event in enumerate(events) if event.kind in attacks), None)
    return NO_ATTACK if first is None else words(events[first:])


def losses(events: Iterable[Event], kind: str, attacker: str) -> tuple[int, int]:
    """How many events of a kind, such as a loss, befall others than the attacker, and how many himself."""
    seats = [event.seat for event in events if event.kind == kind]
    own = seats.count(attacker)
    return len(seats) - own, own


def in_words(*parts: tuple[int, str], otherwise: str) -> str:
    """What came of an attack: "1 destroyed, 2 suppressed"; of what did not happen nothing is said."""
    return ", ".join(f"{count} {words}" for count, words in parts if count) or otherwise


def reasons(modifiers: Iterable[Modifier]) -> tuple[Reason, ...]:
    return tuple(Reason(each.amount, each.rule, each.words) for each in modifiers)


def grouped(lines: Iterable[PreviewLine]) -> list[PreviewLine]:
    """Throws that need the same for the same reasons share a line, with all their dice."""
    found: dict[PreviewLine, int] = {}
    for line in lines:
        key = replace(line, dice=0)
        found[key] = found.get(key, 0) + line.dice
    return [replace(line, dice=dice) for line, dice in found.items()]
