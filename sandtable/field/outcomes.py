"""How an attack goes, in a few words: its throws before the dice fall, and the ways in which it may end."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable
from typing import NamedTuple, TypeVar

from msgspec.structs import replace

from sandtable.engine.cards import Chance, PreviewLine, Reason, Spread
from sandtable.engine.chance import Chances, either, sure
from sandtable.engine.events import Event, Modifier

T = TypeVar("T", bound=Hashable)

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


class Harm(NamedTuple):
    """What an attack does, as it is told: pieces of the enemy destroyed, markers put on others, units lost with them.

    `hit`: something hits, whatever it does. `own` are pieces that the attacker loses himself, and `over` is the side
    whose force gives up.
    """

    hit: bool = False
    destroyed: int = 0
    marked: int = 0
    units: int = 0
    own: int = 0
    over: str = ""

    def with_more(self, more: Harm) -> Harm:
        """Of two attacks together, one after the other."""
        return Harm(
            self.hit or more.hit,
            self.destroyed + more.destroyed,
            self.marked + more.marked,
            self.units + more.units,
            self.own + more.own,
            self.over or more.over,
        )


class HarmWords(NamedTuple):
    """How a game says what an attack does: of one marker and of several, of units lost, and of hits that do nothing."""

    marker: str
    markers: str
    unit: str
    units: str
    unhurt: str

    def say(self, harm: Harm, nothing: str) -> str:
        """`nothing` is said where nothing hits."""
        words = in_words(
            (harm.destroyed, "destroyed"),
            (harm.marked, self.marker if harm.marked == 1 else self.markers),
            (harm.units, self.unit if harm.units == 1 else self.units),
            (harm.own, "of your own lost"),
            otherwise=self.unhurt if harm.hit else nothing,
        )
        return f"{words}, and {harm.over.capitalize()} retreats" if harm.over else words


def reasons(modifiers: Iterable[Modifier]) -> tuple[Reason, ...]:
    return tuple(Reason(each.amount, each.rule, each.words) for each in modifiers)


def grouped(lines: Iterable[PreviewLine]) -> list[PreviewLine]:
    """Throws that need the same for the same reasons share a line, with all their dice."""
    found: dict[PreviewLine, int] = {}
    for line in lines:
        key = replace(line, dice=0)
        found[key] = found.get(key, 0) + line.dice
    return [replace(line, dice=dice) for line, dice in found.items()]


def ranked(ends: Chances[T], words: Callable[[T], str]) -> tuple[Chance, ...]:
    """All the ways in which an attack may end, in words, the likeliest first; those with the same words are one."""
    said = ends.mapped(words)
    return tuple(Chance(words, share) for words, share in sorted(said, key=lambda end: (-end[1], end[0])))


def two_ways(share: float, yes: str, no: str) -> tuple[Chance, ...]:
    """The ways in which an attack may end that has two, in words; what cannot happen is left out."""
    return ranked(either(share, sure(yes), sure(no)), str)


def spread(name: str, ends: Chances[T], number: Callable[[T], int]) -> Spread:
    """How a number that is part of each outcome may come out, from the least on."""
    numbers = ends.mapped(number)
    return Spread(name, numbers.mean(float), tuple(sorted(numbers)))
