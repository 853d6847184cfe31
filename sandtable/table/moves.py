"""Paths: how long, through what, and into whom. A path is a (k, 2) array of points from where one stands."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sandtable.table import move_kernels as kernels
from sandtable.table import path_kernels
from sandtable.table.distance import overlaps
from sandtable.table.hairs import GRID
from sandtable.table.shapes import (
    COLUMNS,
    HALF_DEPTH,
    HALF_WIDTH,
    Floats,
    Ints,
    Mask,
    as_rows,
    facing_of,
    heading,
    turn,
    turned,
)
from sandtable.table.terrain import Terrain

TURN_STEP = 10.0  # degrees between the samples of a turning base


class Span(NamedTuple):
    """A stretch of a path over one feature; one stood in it at the start of the path, and stands in it at the end."""

    feature: int
    enter: float
    leave: float
    started: bool
    ended: bool


class Paths(NamedTuple):
    """Several paths together: number i are the points starts[i] up to starts[i + 1]."""

    points: Floats
    starts: Ints


def together(paths: Sequence[Sequence[tuple[float, float]]]) -> Paths:
    points: list[tuple[float, float]] = []
    starts = [0]
    for path in paths:
        points += path
        starts.append(len(points))
    return Paths(np.array(points, dtype=np.float64), np.array(starts))


def _path(path: Floats) -> Floats:
    return np.ascontiguousarray(path, dtype=np.float64).reshape(-1, 2)


def spans(terrain: Terrain, points: Sequence[Sequence[float]], wanted: Ints | None = None) -> list[Span]:
    """The stretches of a path over features, in order of their beginnings; with `wanted` only those so numbered.

    The border of an area is outside: going along it, or touching it with a corner, is nothing, and whoever starts on it
    and goes in has entered. On the border stands also who is inside by no more than a hundredth of an inch, the grid
    on which places are stored. A line obstacle is crossed by whoever comes from one side of it to the other, and by
    whoever stops on it; who starts on it may leave it to either side. Going along it, or touching it, is nothing.
    """
    numbers = np.arange(len(terrain.features)) if wanted is None else wanted
    found = path_kernels.spans(terrain.edges, terrain.table, numbers, np.array(points, dtype=np.float64))
    result = [
        Span(int(number), enter, leave, started == 1.0, ended == 1.0)
        for number, enter, leave, started, ended in found.tolist()
    ]
    return sorted(result, key=lambda span: (span.enter, span.feature))


def sweep(row: Floats, path: Floats, obstacles: Floats, slack: float = GRID) -> float:
    """Inches along the path at which the base, not turning, first overlaps an obstacle; inf if it never does.

    Exact. Obstacles that it overlaps from the start are left out: it may always walk out of them.
    """
    return float(kernels.swept(row, _path(path), as_rows(obstacles), float(slack)))


def turn_in_place(row: Floats, to_facing: float, obstacles: Floats, slack: float = GRID) -> bool:
    """Does the base, turning the shorter way on its spot, sweep into an obstacle?

    Sampled every 10 degrees and at the end; obstacles that it overlaps from the start are left out.
    """
    obstacles = as_rows(obstacles)
    start = facing_of(row)
    angle = turn(start, to_facing)
    steps = max(1, math.ceil(abs(angle) / TURN_STEP))
    poses = [row, *(turned(row, start + angle * k / steps) for k in range(1, steps)), turned(row, to_facing)]
    hits = overlaps(np.array(poses).reshape(-1, COLUMNS), obstacles, slack)
    return bool((hits & ~hits[0]).any())


def on_table(rows: Floats, width: float, depth: float) -> Mask:
    """Is the whole base on the table (up to the 0.01 of rounding)? (n,)"""
    result: Mask = kernels.all_on_table(as_rows(rows), float(width), float(depth))
    return result


def way_on_table(row: Floats, path: Sequence[Sequence[float]], width: float, depth: float) -> bool:
    """Is there room on the table for the base at each corner of its path, if it only faces as it must there?"""
    half = float(min(row[HALF_WIDTH], row[HALF_DEPTH])) - GRID
    return all(half <= x <= width - half and half <= y <= depth - half for x, y in path[1:-1])


class Marchers(NamedTuple):
    """Those of a unit who are shifted, as numbers of rows of a table; which of them turn to where they go.

    `bound` are those who must go there step by step and keep within their limit of the leader, or of one that is:
    the others may be set down anywhere. `unit` are all its rows, `limits` theirs, and `leader` is one of them, or -1.
    """

    numbers: Ints
    turning: Mask
    bound: Mask
    unit: Ints
    leader: int
    limits: Floats

    def alone(self, which: int) -> Marchers:
        """The same for one of them, while the others stay."""
        one = slice(which, which + 1)
        return Marchers(self.numbers[one], self.turning[one], self.bound[one], self.unit, self.leader, self.limits)


class Slide(NamedTuple):
    """How far each base of a unit came (a fraction each, (n,)), and the rows of all at their ends (n, 8)."""

    fractions: Floats
    ends: Floats


def slide(
    rows: Floats, dx: float, dy: float, obstacles: Floats, width: float, depth: float, slack: float = GRID
) -> Slide:
    """How far each base of a unit follows a move by (dx, dy): a fraction 1, 0.9, 0.8 ... 0 each, and the ends.

    The end of each, rounded to 0.01, is on the table and overlaps no obstacle and no base of the unit. The
    foremost goes first; those still to go count where they stand. Only ends are looked at: `sweep` looks at
    the way.
    """
    fractions, ends = kernels.slide_all(
        as_rows(rows), float(dx), float(dy), as_rows(obstacles), float(width), float(depth), float(slack)
    )
    return Slide(fractions, ends)


WELL, WRONG, UNCLEAR, CROSSING = 0, 1, 2, 3
"""What `march` and `shift` say of shifted bases."""


def march(
    rows: Floats,
    marchers: Marchers,
    facing: float,
    dx: float,
    dy: float,
    enemies: Ints,
    width: float,
    depth: float,
    slack: float = GRID,
) -> tuple[list[list[float]], int]:
    """Shift a unit, as `slide` does, among all rows of a table: its ends, and whether that is well.

    A base that cannot move does not turn either. It is WRONG if another then ends on it, or if a base that is bound to
    march passes over one of the enemies or breaks cohesion; and UNCLEAR if one that was out of cohesion has moved.
    """
    ends, verdict = kernels.march(
        rows,
        marchers.numbers,
        marchers.turning,
        marchers.bound,
        *heading(facing),
        float(dx),
        float(dy),
        float(width),
        float(depth),
        slack,
        enemies,
        marchers.unit,
        marchers.leader,
        marchers.limits,
    )
    return ends.tolist(), verdict


def shift(
    rows: Floats,
    numbers: Ints,
    turning: Mask,
    facing: tuple[float, float],
    by: tuple[float, float],
    enemies: Ints,
    contact: float,
    terrain: Terrain,
    barring: Ints,
    slack: float = GRID,
) -> tuple[list[list[float]], int]:
    """Shift some bases, as `slide` does, among all rows of a table: their ends, and whether that is well.

    `turning` says of each row whether it first turns to the heading `facing` (sin, cos). It is WRONG if one passes over
    an enemy; UNCLEAR if one ends in contact with an enemy (nearer than `contact`), or if one did not move at all that
    was to turn; and CROSSING if all is well but that one crosses a barring feature.
    """
    ends, verdict = kernels.shift(
        rows, numbers, turning, *facing, *by, terrain.width, terrain.depth, slack, enemies, contact,
        terrain.edges, terrain.table, barring,
    )  # fmt: skip
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
        kernels.arrive_freely(rows, numbers, ends, *paths, lengths, enemies, float(width), float(depth), slack, contact)
    )


def stands_free(rows: Floats, number: int, width: float, depth: float, slack: float = GRID) -> bool:
    """Is the base of this number on the table and on no other base?"""
    return bool(kernels.stands_free(rows, number, float(width), float(depth), slack))


def all_settle(rows: Floats, numbers: Ints, ends: Floats, width: float, depth: float, slack: float = GRID) -> bool:
    """Would the bases of these numbers all stand free at these ends, rows of (x, y, sin, cos) of their facing?"""
    return bool(kernels.all_settle(rows, numbers, ends, float(width), float(depth), slack))


def room_for(rows: Floats, standing: Floats, zone: Terrain, slack: float = GRID) -> bool:
    """Is there room for all these bases on the table, with their centres in the zone (a terrain of one area)?"""
    return bool(
        kernels.room_for(
            as_rows(rows), as_rows(standing), zone.edges, zone.table, float(zone.width), float(zone.depth), float(slack)
        )
    )


def any_within(rows: Floats, a: Ints, b: Ints, far: float) -> bool:
    """Is any of the rows numbered a within this distance of any of those numbered b?"""
    return bool(kernels.any_within(rows, a, b, far))


def pairs_within(rows: Floats, a: Ints, b: Ints, far: float) -> list[list[int]]:
    """The pairs [i, j] of those of the rows numbered a[i] that are within this distance of the row numbered b[j]."""
    result: list[list[int]] = kernels.pairs_within(rows, a, b, far).tolist()
    return result


def which_within(rows: Floats, a: Ints, b: Ints, far: float) -> list[bool]:
    """Which of the rows numbered a are within this distance of any of those numbered b?"""
    result: list[bool] = kernels.which_within(rows, a, b, far).tolist()
    return result


def stages(rows: Floats, numbers: Ints, ways: Floats, parts: Floats) -> Floats:
    """The rows of these numbers at each of some parts of their straight ways; those beyond the ways stay put.

    A way is (x0, y0, x1, y1, sin, cos): from where to where, and the heading on it, wherever the row is now.
    """
    result: Floats = kernels.stages(rows, numbers, ways, parts)
    return result


def first_swept(rows: Floats, ends: Floats, obstacles: Floats, slack: float = GRID) -> int | None:
    """The number of the first base that overlaps an obstacle on its straight way from its row to its end."""
    found = int(kernels.any_swept(as_rows(rows), as_rows(ends), as_rows(obstacles), float(slack)))
    return None if found < 0 else found


# Along a path, past terrain.


def any_crossed(terrain: Terrain, numbers: Ints, lines: Floats) -> list[bool]:
    """Which of some lines (x0, y0, x1, y1) cross one of the features of these numbers, or lie in it, as in `spans`."""
    result: list[bool] = path_kernels.any_crossed(terrain.edges, terrain.table, numbers, lines).tolist()
    return result


def ways_crossed(terrain: Terrain, numbers: Ints, paths: Paths) -> list[bool]:
    """Which paths cross one of the features of these numbers, or lie in it, as in `spans`; never wrongly no."""
    found = path_kernels.ways_crossed(terrain.edges, terrain.table, numbers, *paths)
    result: list[bool] = found.tolist()
    return result


def first_off(
    terrain: Terrain, numbers: Ints, far: Floats, path: Floats, low: float = 0.0, high: float = math.inf
) -> float | None:
    """The first place of a path, from low to high, that is in none of these features, nor as near as `far`. Exact.

    Inches along the path; None if there is no such place.
    """
    at = float(path_kernels.first_off(terrain.edges, terrain.table, numbers, far, path, low, high))
    return None if at < 0.0 else at


def gaps_along(terrain: Terrain, feature: int, row: Floats, path: Floats, distances: list[float]) -> list[float]:
    """How far a base, not turning, is from a feature at each of some distances along its path."""
    found = path_kernels.gaps_along(terrain.edges, terrain.table, feature, row, path, np.array(distances))
    result: list[float] = found.tolist()
    return result


def touch_between(
    terrain: Terrain, feature: int, row: Floats, path: Floats, low: float, high: float, far: float, steps: int = 6
) -> float:
    """Between two distances along a path, the last at which a base is still farther than `far` from a feature.

    Found by halving so many times.
    """
    found = path_kernels.touch_between(terrain.edges, terrain.table, feature, row, path, low, high, far, steps)
    return float(found)
