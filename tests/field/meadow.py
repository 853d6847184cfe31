"""A meadow and stands on it, for tests of what any game does with pieces on a table."""

from __future__ import annotations

import msgspec

from sandtable.engine.questions import Refusal, Step
from sandtable.field.board import Board
from sandtable.field.troops import Point
from sandtable.table.shapes import Footprint
from sandtable.table.terrain import Terrain


class Meadow:
    terrain = Terrain([], 48.0, 36.0)
    width = 48.0
    depth = 36.0


class Kind(msgspec.Struct, frozen=True):
    base: Footprint = Footprint(1.0, 1.0)


class Stand(msgspec.Struct, eq=False):
    id: str
    at: Point | None = None
    facing: float = 0.0
    kind: Kind = Kind()


def board_of(*stands: Stand) -> Board:
    return Board.with_pieces(stands)


def anywhere(steps: dict[str, Step]) -> Refusal | None:
    return None
