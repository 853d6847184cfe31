"""What a ruleset says of its battles, so that they can be told afterwards (`engine.account`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from sandtable.engine.dice import Throw
from sandtable.engine.events import Event


class Blow(NamedTuple):
    """Somebody has hurt somebody: who, with what, and whom; each a piece or a unit, by id, or empty if nobody knows."""

    by: str
    weapon: str
    victim: str


class Rolled(NamedTuple):
    """Dice of one seat that all needed the same, and how many of them showed it."""

    seat: str
    dice: int
    needed: int
    good: int
    sides: int = 6


def no_blows(event: Event) -> Iterable[Blow]:
    return ()


def rolled(event: Event) -> Iterable[Rolled]:
    """The dice of an event that says what they needed; a die that was re-rolled counts twice."""
    needed = event.data.get("needed")
    if not isinstance(needed, int):
        return
    for throw in event.dice:
        yield of_throw(throw, needed)


def of_throw(throw: Throw, needed: int) -> Rolled:
    values = [*throw.values, *throw.before.values()]
    return Rolled(throw.seat, len(values), needed, sum(value >= needed for value in values), throw.sides)


@dataclass(frozen=True)
class Story:
    """How a ruleset's battles are told afterwards.

    `figures` are the facts of its status line, by name, that are worth a chart. `losses` are the kinds of events by
    which pieces are lost (one is their `team`, several are their `teams`), `turns` the kinds of others that may turn a
    battle, and are bad for their seat unless it gains a prize by them, `prizes` the points, by name, that every side is
    glad to gain, `blows` who has hurt whom in an event, and `rolls` the dice of an event as they can be weighed against
    expectation. `by_unit`: the lost are counted by their units, since the kind of one says little.
    """

    figures: tuple[str, ...] = ()
    losses: tuple[str, ...] = ()
    turns: tuple[str, ...] = ()
    prizes: tuple[str, ...] = ()
    blows: Callable[[Event], Iterable[Blow]] = no_blows
    by_unit: bool = False
    rolls: Callable[[Event], Iterable[Rolled]] = rolled
