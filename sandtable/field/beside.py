"""Places beside bases: in contact with them all round, or about them, for one piece or for several together."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Generic, TypeVar

import numpy as np

from sandtable.engine.questions import Answer, Step, steps_to_plain
from sandtable.field.troops import Named, Point, Standing
from sandtable.table import distance as measure
from sandtable.table.shapes import Floats, Footprint, X, Y, heading, snap

P = TypeVar("P", bound=Named)

OFFSETS = (0.0, 0.5, -0.5, 0.95, -0.95)
"""Where along a side of a base another one may stand, from its middle to its corners."""

PROBE = 6.0
"""From how far round a base places in contact with it are looked for, in inches."""


def places_touching(base: Footprint, others: Iterable[Standing]) -> Iterator[Step]:
    """Places where a base touches one of some others and faces as that does, behind it first."""
    half = base.width / 2
    for piece in others:
        assert piece.at is not None
        wide, deep = piece.kind.base.width / 2, piece.kind.base.depth / 2
        sin, cos = heading(piece.facing)
        for offset in OFFSETS:
            for right, ahead in (
                (offset * wide, -deep - half),
                (wide + half, offset * deep),
                (-wide - half, offset * deep),
                (offset * wide, deep + half),
            ):
                x, y = piece.at[0] + right * cos + ahead * sin, piece.at[1] - right * sin + ahead * cos
                yield Step((snap(x), snap(y)), piece.facing)


def points_touching(row: Floats, goal: Floats) -> list[Point]:
    """Where all round a base another would touch it without turning, the nearest to where that stands first."""
    away = math.degrees(math.atan2(row[X] - goal[X], row[Y] - goal[Y]))
    found = [measure.contact_move(row, goal)]
    probe = row.copy()
    for turn in range(15, 360, 15):
        sin, cos = heading(away + turn)
        probe[X], probe[Y] = goal[X] + PROBE * sin, goal[Y] + PROBE * cos
        found.append(measure.contact_move(probe, goal))
    return sorted(found, key=lambda at: math.hypot(at[0] - row[X], at[1] - row[Y]))


def steps_to(rows: Floats, facing: float) -> list[Step]:
    return [Step((x, y), facing) for x, y in rows[:, X : Y + 1].tolist()]


class Together(Generic[P]):
    """Ways to set several pieces down, none on another: each way begins with another spot for the first of them.

    `spots` are for each piece the rows where it may stand, and the steps there.
    """

    def __init__(self, pieces: Sequence[P], spots: Sequence[tuple[Floats, list[Step]]], tries: int) -> None:
        self.pieces = pieces
        self.spots = spots
        self.tries = tries

    def way(self, start: int) -> Answer:
        """Each on the first of its spots that is free, from the one of this number on; None if one finds none."""
        taken: list[Floats] = []
        steps: dict[str, Step] = {}
        for piece, (rows, places) in zip(self.pieces, self.spots, strict=True):
            for number in range(len(places)):
                pick = (number + start) % len(places)
                row = rows[pick : pick + 1]
                if not taken or not measure.overlaps(row, np.vstack(taken)).any():
                    taken.append(row)
                    steps[piece.id] = places[pick]
                    break
        return steps_to_plain(steps) if len(steps) == len(self.pieces) else None

    def ways(self, first: int = 0) -> Iterator[Answer]:
        """Every way, from the one of a number on."""
        tries = (self.way((first + number) % self.tries) for number in range(self.tries))
        return (way for way in tries if way is not None)

    def first_of(self, most: int) -> list[Answer]:
        """The first few ways, each but once."""
        found: list[Answer] = []
        for way in self.ways():
            if way not in found and len(found) < most:
                found.append(way)
        return found

    def by_chance(self, random: Random) -> Answer:
        return next(self.ways(int(random.random() * self.tries)))
