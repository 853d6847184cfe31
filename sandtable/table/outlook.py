"""What is seen of a table from a place, for a picture: a grid of cells, and lines of sight from the side.

Here are only shapes. Who sees what, and what stops a line, is answered by the ruleset that asks.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from sandtable.table.shapes import COLUMNS, COS, SHAPE, Floats, Mask, X, Y, Z
from sandtable.table.sight import crossings
from sandtable.table.terrain import Terrain

CELL = 1.0
"""How wide a cell of the grid is, in inches."""

STEP = 0.5
"""How finely the ground under a line is looked at, in inches."""

Point = tuple[float, float]


@lru_cache(maxsize=16)
def _cells(width: float, depth: float, cell: float) -> tuple[Floats, int]:
    """The middles of all cells, which nobody changes, and how many of them are in a row."""
    xs = np.arange(math.ceil(width / cell)) * cell + cell / 2
    ys = np.arange(math.ceil(depth / cell)) * cell + cell / 2
    # A cell that the table's edge cuts is looked at within the table.
    grid = np.stack(np.meshgrid(np.minimum(xs, width), np.minimum(ys, depth)), axis=-1).reshape(-1, 2)
    rows: Floats = np.zeros((len(grid), COLUMNS))
    rows[:, SHAPE] = rows[:, COS] = 1.0
    rows[:, X : Y + 1] = grid
    return rows, len(xs)


def cells(terrain: Terrain, hills: Mask, cell: float = CELL) -> Floats:
    """The middles of all cells as bare points, from the near left corner on, each standing on the hill under it."""
    rows = _cells(terrain.width, terrain.depth, cell)[0]
    if not hills.any():
        return rows
    raised = rows.copy()
    raised[:, Z] = np.where(terrain.inside(rows) & hills, terrain.top, 0.0).max(axis=1)
    return raised


def as_text(terrain: Terrain, seen: Mask, cell: float = CELL) -> tuple[str, ...]:
    """A row of ones and zeros for each row of cells, nearest first."""
    across = _cells(terrain.width, terrain.depth, cell)[1]
    signs = (seen.astype(np.uint8) + ord("0")).reshape(-1, across)
    return tuple(row.tobytes().decode() for row in signs)


def ground_line(height: Callable[[float, float], float], start: Point, end: Point) -> tuple[Point, ...]:
    """The ground under a line as points (inches along it, height), one more wherever it rises or falls."""
    length = math.dist(start, end)
    count = max(1, math.ceil(length / STEP))
    found: list[Point] = []
    for number in range(count + 1):
        part = number / count
        high = height(start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part)
        at = round(length * part, 2)
        if len(found) >= 2 and found[-1][1] == found[-2][1] == high:
            found.pop()
        found.append((at, high))
    return tuple(found)


def runs(terrain: Terrain, start: Point, end: Point) -> list[tuple[int, float, float]]:
    """The features that a line crosses and from where to where, in order."""
    return [(each.feature, round(each.enter, 2), round(each.leave, 2)) for each in crossings(terrain, *start, *end)]
