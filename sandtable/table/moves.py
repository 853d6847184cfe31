"""Paths: how long, through what, and into whom. A path is a (k, 2) array of points from where one stands."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from sandtable.table import move_kernels as kernels
from sandtable.table import path_kernels
from sandtable.table.distance import SLACK, overlaps
from sandtable.table.shapes import COLUMNS, Floats, Ints, Mask, as_rows, facing_of, turn, turned
from sandtable.table.sight import line_runs
from sandtable.table.terrain import CLOSED, Terrain

TURN_STEP = 10.0  # degrees between the samples of a turning base
HAIRBREADTH = 1e-6  # inches: runs shorter than this, and gaps between them, are arithmetic and not ground


class Entry(NamedTuple):
    """Where a path enters a feature (or leaves it); for a line obstacle, where it crosses."""

    feature: int
    distance: float
    x: float
    y: float
    leaving: bool


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
    return Paths(np.array(points), np.array(starts))


def _path(path: Floats) -> Floats:
    return np.ascontiguousarray(path, dtype=np.float64).reshape(-1, 2)


def point_along(path: Floats, distance: float) -> tuple[float, float]:
    """The point this many inches along the path; its ends, when that is before or beyond them."""
    points = _path(path).tolist()
    left = max(0.0, distance)
    for (x0, y0), (x1, y1) in pairwise(points):
        length = math.hypot(x1 - x0, y1 - y0)
        if left <= length and length > 0:
            return x0 + (x1 - x0) * left / length, y0 + (y1 - y0) * left / length
        left -= length
    return points[-1][0], points[-1][1]


def entries(terrain: Terrain, path: Floats, wanted: Mask | None = None) -> list[Entry]:
    """Every entering, leaving and crossing along the path, in order; with `wanted` only of those features.

    Starting inside is no entry, stopping inside no leaving. A path with a corner exactly on a line obstacle
    crosses it there when it goes on to the other side.
    """
    found = borders(terrain, _path(path).tolist(), wanted)
    return [Entry(number, at, *point_along(path, at), leaving) for at, number, leaving in found]


def borders(
    terrain: Terrain, points: Sequence[Sequence[float]], wanted: Mask | None = None
) -> list[tuple[float, int, bool]]:
    """The same, as (inches along the path, number of the feature, whether one leaves it)."""
    spans: dict[int, list[list[float]]] = {}
    crossings: dict[int, list[float]] = {}
    gone = 0.0
    for (x0, y0), (x1, y1) in pairwise(points):
        for number, enter, leave in line_runs(terrain, x0, y0, x1, y1).tolist():
            if wanted is not None and not wanted[int(number)]:
                continue
            if terrain.table[int(number), CLOSED] == 0.0:
                crossings.setdefault(int(number), []).append(gone + enter)
                continue
            runs = spans.setdefault(int(number), [])
            if runs and gone + enter - runs[-1][1] <= HAIRBREADTH:
                runs[-1][1] = gone + leave
            else:
                runs.append([gone + enter, gone + leave])
        gone += math.hypot(x1 - x0, y1 - y0)
    if len(points) > 2:
        for number, at in _corner_crossings(terrain, points):
            if wanted is not None and not wanted[number]:
                continue
            crossings.setdefault(number, []).append(at)
    found = [(at, number, False) for number, places in crossings.items() for at in places]
    for number, runs in spans.items():
        for enter, leave in runs:
            if leave - enter <= HAIRBREADTH:
                continue
            if enter > HAIRBREADTH:
                found.append((enter, number, False))
            if leave < gone - HAIRBREADTH:
                found.append((leave, number, True))
    # At one and the same spot one leaves before one enters.
    found.sort(key=lambda event: (event[0], not event[2], event[1]))
    return found


def _corner_crossings(terrain: Terrain, points: Sequence[Sequence[float]]) -> list[tuple[int, float]]:
    found = []
    gone = 0.0
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        gone += math.hypot(corner[0] - before[0], corner[1] - before[1])
        for ax, ay, bx, by, owner in _open_edges(terrain):
            dx, dy = bx - ax, by - ay
            length = math.hypot(dx, dy)
            along = ((corner[0] - ax) * dx + (corner[1] - ay) * dy) / length
            sides = [(dx * (y - ay) - dy * (x - ax)) / length for x, y in (before, corner, after)]
            if abs(sides[1]) <= 1e-9 and 0.0 <= along < length and sides[0] * sides[2] < -1e-12:
                found.append((owner, gone))
    return found


def _open_edges(terrain: Terrain) -> list[tuple[float, float, float, float, int]]:
    lines = terrain.table[terrain.owner, CLOSED] == 0.0
    return [
        (ax, ay, bx, by, int(owner))
        for (ax, ay, bx, by), owner in zip(terrain.edges[lines].tolist(), terrain.owner[lines], strict=True)
    ]


def sweep(row: Floats, path: Floats, obstacles: Floats, slack: float = SLACK) -> float:
    """Inches along the path at which the base, not turning, first overlaps an obstacle; inf if it never does.

    Exact. Obstacles that it overlaps from the start are left out: it may always walk out of them.
    """
    return float(kernels.swept(row, _path(path), as_rows(obstacles), float(slack)))


def turn_in_place(row: Floats, to_facing: float, obstacles: Floats, slack: float = SLACK) -> bool:
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
    rows: Floats, dx: float, dy: float, obstacles: Floats, width: float, depth: float, slack: float = SLACK
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
    slack: float = SLACK,
) -> tuple[list[list[float]], int]:
    """Shift a unit, as `slide` does, among all rows of a table: its ends, and whether that is well.

    A base that cannot move does not turn either. It is WRONG if another then ends on it, or if a base that is bound to
    march passes over one of the enemies or breaks cohesion; and UNCLEAR if one that was out of cohesion has moved.
    """
    angle = math.radians(facing)
    ends, verdict = kernels.march(
        rows,
        marchers.numbers,
        marchers.turning,
        marchers.bound,
        math.sin(angle),
        math.cos(angle),
        dx,
        dy,
        width,
        depth,
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
    slack: float = SLACK,
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
    slack: float = SLACK,
) -> bool:
    """Do some bases, of these numbers among the rows, all come to their ends (x, y, sin, cos) and stand free there?

    Each goes so many inches of its path. No: if one passes over an enemy, ends nearer to one than `contact`, on another
    base, or off the table.
    """
    return bool(kernels.arrive_freely(rows, numbers, ends, *paths, lengths, enemies, *size, slack, contact))


def stands_free(rows: Floats, number: int, width: float, depth: float, slack: float = SLACK) -> bool:
    """Is the base of this number on the table and on no other base?"""
    return bool(kernels.stands_free(rows, number, width, depth, slack))


def all_settle(rows: Floats, numbers: Ints, ends: Floats, width: float, depth: float, slack: float = SLACK) -> bool:
    """Would the bases of these numbers all stand free at these ends, rows of (x, y, sin, cos) of their facing?"""
    return bool(kernels.all_settle(rows, numbers, ends, width, depth, slack))


def room_for(rows: Floats, standing: Floats, zone: Terrain, slack: float = SLACK) -> bool:
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


def stages(rows: Floats, numbers: Ints, ends: Floats, parts: Floats) -> Floats:
    """The rows of these numbers at each of some parts of their straight way; those beyond the ends stay put."""
    result: Floats = kernels.stages(rows, numbers, ends, parts)
    return result


def first_swept(rows: Floats, ends: Floats, obstacles: Floats, slack: float = SLACK) -> int | None:
    """The number of the first base that overlaps an obstacle on its straight way from its row to its end."""
    found = int(kernels.any_swept(as_rows(rows), as_rows(ends), as_rows(obstacles), float(slack)))
    return None if found < 0 else found


# Along a path, past terrain.


def any_crossed(terrain: Terrain, numbers: Ints, lines: Floats) -> list[bool]:
    """Which of some lines (x0, y0, x1, y1) cross one of the features of these numbers, or lie in it."""
    result: list[bool] = path_kernels.any_crossed(terrain.edges, terrain.table, numbers, lines).tolist()
    return result


def ways_crossed(terrain: Terrain, numbers: Ints, paths: Paths) -> list[bool]:
    """Which paths might cross one of the features of these numbers: never wrongly no, and exact for straight ones."""
    found = path_kernels.ways_crossed(terrain.edges, terrain.table, numbers, *paths)
    result: list[bool] = found.tolist()
    return result


def first_off(
    terrain: Terrain, numbers: Ints, far: Floats, path: Floats, upto: float, count: int, low: float, high: float
) -> float | None:
    """The first of count + 1 evenly spaced points of a path that is in none of these features, nor as near as `far`.

    Inches along the path; only points from `low` to `high` are looked at. None if there is no such point.
    """
    at = float(path_kernels.first_off(terrain.edges, terrain.table, numbers, far, path, upto, count, low, high))
    return None if at < 0.0 else at


def stays_near(terrain: Terrain, numbers: Ints, far: Floats, path: Floats, upto: float, count: int) -> bool:
    """Are all these points near one of these features?"""
    return bool(path_kernels.stays_near(terrain.edges, terrain.table, numbers, far, path, upto, count))


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
