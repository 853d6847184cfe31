"""Ways of bases: whom they meet, where they end, and how near to terrain they come."""

from __future__ import annotations

import math

import numpy as np

from sandtable.rulesets.hof.kernels import passage_kernels
from sandtable.rulesets.hof.kernels.passage_kernels import Movers as Movers
from sandtable.table.hairs import GRID
from sandtable.table.moves import Paths
from sandtable.table.shapes import Floats, Ints
from sandtable.table.terrain import Terrain

WELL, WRONG, UNCLEAR, CROSSING = 0, 1, 2, 3
"""What `shift` says of shifted bases."""


def shift(
    terrain: Terrain,
    barring: Ints,
    rows: Floats,
    movers: Movers,
    facing: tuple[float, float],
    by: tuple[float, float],
    contact: float,
    slack: float = GRID,
) -> tuple[list[list[float]], int]:
    """Shift some bases, as `slide` does, among all rows of a table: their ends, and whether that is well.

    Those that turn first turn to the heading `facing` (sin, cos). It is WRONG if one passes over an enemy; UNCLEAR if
    one ends in contact with an enemy (nearer than `contact`), or if one did not move at all that was to turn; and
    CROSSING if all is well but that one crosses a barring feature.
    """
    ends, verdict = passage_kernels.shift(
        terrain.arrays, barring, rows, movers, *facing, *by, terrain.width, terrain.depth, slack, contact
    )
    return ends.tolist(), verdict


def arrive_freely(
    rows: Floats,
    numbers: Ints,
    ends: Floats,
    paths: Paths,
    lengths: Floats,
    enemies: Ints,
    size: tuple[float, float],
    contact: float,
    slack: float = GRID,
) -> bool:
    """Do some bases, of these numbers among the rows, all come to their ends (x, y, sin, cos) and stand free there?

    Each goes so many inches of its path. No: if one passes over an enemy, ends nearer to one than `contact`, on another
    base, or off the table.
    """
    width, depth = size
    return bool(
        passage_kernels.arrive_freely(
            rows, numbers, ends, paths, lengths, enemies, float(width), float(depth), slack, contact
        )
    )


def first_off(
    terrain: Terrain, numbers: Ints, far: Floats, path: Floats, low: float = 0.0, high: float = math.inf
) -> float | None:
    """The first place of a path, from low to high, that is in none of these features, nor as near as `far`. Exact.

    Inches along the path; None if there is no such place.
    """
    at = float(passage_kernels.first_off(terrain.arrays, numbers, far, path, low, high))
    return None if at < 0.0 else at


def gaps_along(terrain: Terrain, feature: int, row: Floats, path: Floats, distances: list[float]) -> list[float]:
    """How far a base, not turning, is from a feature at each of some distances along its path."""
    found = passage_kernels.gaps_along(terrain.arrays, feature, row, path, np.array(distances))
    result: list[float] = found.tolist()
    return result


def touch_between(
    terrain: Terrain, feature: int, row: Floats, path: Floats, low: float, high: float, far: float, steps: int = 6
) -> float:
    """Between two distances along a path, the last at which a base is still farther than `far` from a feature.

    Found by halving so many times.
    """
    found = passage_kernels.touch_between(terrain.arrays, feature, row, path, low, high, far, steps)
    return float(found)
