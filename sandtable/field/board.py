"""A table as arrays beside the state: the pieces on it as rows of numbers, found by their ids."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from sandtable.field.troops import Named, Point, Standing
from sandtable.table import distance as measure
from sandtable.table import moves
from sandtable.table.hairs import SLACK
from sandtable.table.shapes import Floats, Place, X, Y, bodies, snap, stored_facing
from sandtable.table.terrain import Terrain

FAR_AWAY = -1e6
"""Where the row of a piece lies that is off the table: nothing reaches it there."""


CHANGES = itertools.count()
"""Numbers the changes of all boards: a board made anew never has the version that an older one had."""


N = TypeVar("N", bound=Named)


class Ground(Protocol):
    """A table's terrain, compiled; it never changes, so others may keep what they found out about it."""

    def __hash__(self) -> int: ...

    @property
    def terrain(self) -> Terrain: ...
    @property
    def width(self) -> float: ...
    @property
    def depth(self) -> float: ...


class Posed(Protocol):
    """Whatever has a place and a facing that can be changed."""

    at: Point | None
    facing: float


def set_pose(piece: Posed, x: float, y: float, facing: float | None = None) -> None:
    """Say in the state where a piece stands and, if it turns, how it faces, as both are stored."""
    piece.at = (snap(x), snap(y))
    if facing is not None:
        piece.facing = stored_facing(facing)


class Board:
    """The rows of pieces, and under which number each piece on the table has its own.

    `version` is another after each change. `lasting` and `passing` are what others keep here (`field.kept`).
    """

    def __init__(self, rows: Floats, index: dict[str, int]) -> None:
        self.rows = rows
        self.index = index
        self.version = next(CHANGES)
        self.lasting: dict[object, Any] = {}
        self.passing: dict[object, Any] = {}

    def change(self) -> None:
        """Something has come, gone or moved: what was found out until then holds no longer."""
        self.version = next(CHANGES)
        if self.passing:
            self.passing.clear()

    @classmethod
    def with_pieces(cls, pieces: Iterable[Standing]) -> Board:
        """A board of those among some pieces that stand on the table."""
        standing = [(piece, piece.at) for piece in pieces if piece.at is not None]
        rows = bodies((piece.kind.base, Place(*at, piece.facing)) for piece, at in standing)
        return Board(rows, {piece.id: number for number, (piece, _) in enumerate(standing)})

    def of(self, pieces: Iterable[Named]) -> Floats:
        """A copy of the rows of some pieces."""
        index = self.index
        return self.rows.take([index[piece.id] for piece in pieces], axis=0)

    def at(self, pieces: Sequence[Standing], ends: Mapping[str, Point]) -> Floats:
        """The rows of some pieces as if some of them stood elsewhere."""
        rows = self.of(pieces)
        for number, piece in enumerate(pieces):
            if piece.id in ends:
                rows[number, X : Y + 1] = ends[piece.id]
        return rows

    def numbers_but(self, pieces: Iterable[Named]) -> list[int]:
        """The rows of everybody else on the table, by their numbers."""
        names = {piece.id for piece in pieces}
        return sorted([number for name, number in self.index.items() if name not in names])

    def all_but(self, pieces: Iterable[Named]) -> Floats:
        """A copy of the rows of everybody else on the table."""
        return self.rows.take(self.numbers_but(pieces), axis=0)

    def gaps(self, a: Sequence[Named], b: Sequence[Named]) -> Floats:
        """The distances from each of some pieces to each of others, base to base."""
        return measure.distances(self.of(a), self.of(b))

    def gap(self, a: Sequence[Named], b: Sequence[Named]) -> float:
        """The distance between two groups of pieces, base to base; infinite if one is empty."""
        return float(self.gaps(a, b).min()) if a and b else math.inf

    def near(self, piece: Named, others: Iterable[N], inches: float) -> list[N]:
        """Those of some others on the table within so many inches of a piece; none if it is off the table itself."""
        there = [each for each in others if each.id in self.index]
        if not there or piece.id not in self.index:
            return []
        found = measure.within(self.gaps([piece], there)[0], inches).tolist()
        return [each for each, close in zip(there, found, strict=True) if close]

    def lift(self, piece: Named) -> int:
        """Take a piece off the table; the number of its row, which lies far away from now on."""
        number = self.index.pop(piece.id)
        self.rows[number, X] = self.rows[number, Y] = FAR_AWAY
        return number

    def has_room(self, row: Floats, ground: Ground, ignoring: Iterable[Named] = ()) -> bool:
        """Whether a base (1, 8) would lie on the table and on no other base."""
        if not moves.on_table(row, ground.width, ground.depth)[0]:
            return False
        others = self.all_but(ignoring)
        return not (len(others) and measure.overlaps(row, others, SLACK).any())
