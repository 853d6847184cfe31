"""Exact chances: what may come out of dice, each outcome with how likely it is.

A rule that throws dice has a twin that throws none, made of these: it gives every outcome with its chance. Chances are
floats; sums of a few thousand of them are right to about twelve places.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import cache
from math import comb
from typing import Generic, TypeVar

SIDES = 6

T = TypeVar("T", bound=Hashable)
U = TypeVar("U", bound=Hashable)
V = TypeVar("V", bound=Hashable)


class Chances(Generic[T]):
    """Outcomes that exclude one another, each with its chance; together they are certain. Never changed once made."""

    __slots__ = ("of",)

    def __init__(self, of: Mapping[T, float]) -> None:
        self.of = of

    def __getitem__(self, outcome: T) -> float:
        return self.of.get(outcome, 0.0)

    def __iter__(self) -> Iterator[tuple[T, float]]:
        return iter(self.of.items())

    def __len__(self) -> int:
        return len(self.of)

    def __repr__(self) -> str:
        return f"Chances({dict(self.of)!r})"

    def mapped(self, change: Callable[[T], U]) -> Chances[U]:
        """Each outcome as something else; those that become the same are one."""
        found: dict[U, float] = {}
        for outcome, chance in self.of.items():
            changed = change(outcome)
            found[changed] = found.get(changed, 0.0) + chance
        return Chances(found)

    def then(self, follow: Callable[[T], Chances[U]]) -> Chances[U]:
        """What comes out in the end, if each outcome leads on to others."""
        found: dict[U, float] = {}
        for outcome, chance in self.of.items():
            for following, share in follow(outcome).of.items():
                found[following] = found.get(following, 0.0) + chance * share
        return Chances(found)

    def chance(self, holds: Callable[[T], bool]) -> float:
        """How likely it is that something holds of the outcome."""
        return sum([chance for outcome, chance in self.of.items() if holds(outcome)])

    def mean(self, number: Callable[[T], float]) -> float:
        return sum([number(outcome) * chance for outcome, chance in self.of.items()])


def sure(outcome: T) -> Chances[T]:
    return Chances({outcome: 1.0})


def either(chance: float, yes: Chances[T], no: Chances[T]) -> Chances[T]:
    """The one with a chance, and else the other."""
    return mixed([(yes, chance), (no, 1.0 - chance)])


def mixed(parts: Iterable[tuple[Chances[T], float]]) -> Chances[T]:
    """One of several, each with its chance; what cannot happen is left out."""
    found: dict[T, float] = {}
    for part, share in parts:
        if share > 0.0:
            for outcome, chance in part.of.items():
                found[outcome] = found.get(outcome, 0.0) + chance * share
    return Chances(found)


def together(first: Chances[T], second: Chances[U], join: Callable[[T, U], V]) -> Chances[V]:
    """Two that know nothing of one another."""
    found: dict[V, float] = {}
    for one, chance in first.of.items():
        for other, share in second.of.items():
            joined = join(one, other)
            found[joined] = found.get(joined, 0.0) + chance * share
    return Chances(found)


@cache
def die(sides: int = SIDES) -> Chances[int]:
    """What one die shows."""
    return Chances(dict.fromkeys(range(1, sides + 1), 1.0 / sides))


@cache
def shown(dice: int, sides: int = SIDES) -> Chances[tuple[int, ...]]:
    """What some dice show, from the lowest to the highest."""
    found: Chances[tuple[int, ...]] = sure(())
    for _ in range(dice):
        found = together(found, die(sides), lambda values, value: tuple(sorted((*values, value))))
    return found


def at_least(needed: int, sides: int = SIDES) -> float:
    """How likely a die is to show a number or more."""
    return min(sides, max(0, sides + 1 - needed)) / sides


@cache
def successes(dice: int, chance: float) -> Chances[int]:
    """How many of some dice succeed, if each does so with this chance."""
    if chance <= 0.0 or not dice:
        return sure(0)
    if chance >= 1.0:
        return sure(dice)
    fails = 1.0 - chance
    return Chances({good: comb(dice, good) * chance**good * fails ** (dice - good) for good in range(dice + 1)})


def throw(dice: int, needed: int, sides: int = SIDES) -> Chances[int]:
    """How many of some dice show a number or more."""
    return successes(dice, at_least(needed, sides))


def added(numbers: Iterable[Chances[int]]) -> Chances[int]:
    """The sum of numbers that know nothing of one another."""
    total = sure(0)
    for number in numbers:
        total = together(total, number, int.__add__)
    return total
