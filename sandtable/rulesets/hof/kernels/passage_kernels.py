"""Compiled kernels of the ways of bases, in one call for a whole unit."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from sandtable.table.base_kernels import base_distance, copy_row, norm, picked, reach
from sandtable.table.compiled import Floats1, Floats2, Ints1, Mask1, helper, kernel
from sandtable.table.ground_kernels import GroundArrays, edge_gap, point_inside, scratch_for, segment_distance
from sandtable.table.hairs import EXACT
from sandtable.table.move_kernels import slide_rows, stands_free, sweep
from sandtable.table.path_kernels import Paths, first_bare, outline_gap, point_on, way_crosses
from sandtable.table.shapes import Floats


class Movers(NamedTuple):
    """Bases that go somewhere, as numbers of rows of a table; and which rows turn to where they go, and are enemies."""

    numbers: Ints1
    turning: Mask1
    enemies: Ints1


@helper
def touches_any(row: Floats1, foes: Floats2, contact: float) -> bool:
    """Is a base no farther than `contact` from one of some others?"""
    for k in range(foes.shape[0]):
        gap = norm(row[1] - foes[k, 1], row[2] - foes[k, 2]) - reach(row) - reach(foes[k])
        if gap <= contact and base_distance(row, foes[k]) <= contact:
            return True
    return False


@helper
def come_freely(
    everyone: Floats2,
    foes: Floats2,
    here: Floats1,
    numbers: Ints1,
    paths: Paths,
    lengths: Floats1,
    width: float,
    depth: float,
    slack: float,
    contact: float,
) -> bool:
    """As `arrive_freely`, with everyone where the bases have come to; `here` is room for a base."""
    for i in range(numbers.shape[0]):
        row = everyone[numbers[i]]
        if not stands_free(everyone, numbers[i], width, depth, slack) or touches_any(row, foes, contact):
            return False
        path = paths.points[paths.starts[i] : paths.starts[i + 1]]
        if sweep(row, here, path, foes, slack) < lengths[i]:
            return False
    return True


@kernel
def arrive_freely(
    rows: Floats2,
    numbers: Ints1,
    ends: Floats2,
    paths: Paths,
    lengths: Floats1,
    enemies: Ints1,
    width: float,
    depth: float,
    slack: float,
    contact: float,
) -> bool:
    """Do bases come to their ends (x, y, sin, cos) without meeting anybody? See `passage.arrive_freely`."""
    everyone = rows.copy()
    for i in range(numbers.shape[0]):
        copy_row(ends[i, :4], everyone[numbers[i], 1:5])
    foes, here = picked(rows, enemies), np.empty(rows.shape[1])
    return come_freely(everyone, foes, here, numbers, paths, lengths, width, depth, slack, contact)


@helper
def meets(rows: Floats2, everyone: Floats2, numbers: Ints1, foes: Floats2, contact: float, slack: float) -> int:
    """Whom bases meet that have gone straight from their rows to where they are among everyone.

    0 nobody, 1 an enemy on the way, 2 an enemy where they end.
    """
    near = False
    path = np.empty((2, 2))
    here = np.empty(rows.shape[1])
    for i in range(numbers.shape[0]):
        k = numbers[i]
        row = everyone[k]
        if row[1] == rows[k, 1] and row[2] == rows[k, 2]:
            continue
        path[0, 0], path[0, 1], path[1, 0], path[1, 1] = rows[k, 1], rows[k, 2], row[1], row[2]
        if sweep(row, here, path, foes, slack) < math.inf:
            return 1
        near = near or touches_any(row, foes, contact)
    return 2 if near else 0


@kernel
def shift(
    ground: GroundArrays,
    barring: Ints1,
    rows: Floats2,
    movers: Movers,
    sin: float,
    cos: float,
    dx: float,
    dy: float,
    width: float,
    depth: float,
    slack: float,
    contact: float,
) -> tuple[Floats, int]:
    """Bases shifted on a table where everybody stands: their ends (n, 2), and a verdict; see `passage.shift`."""
    numbers, turning, enemies = movers
    n = numbers.shape[0]
    everyone = rows.copy()
    for i in range(n):
        if turning[numbers[i]]:
            everyone[numbers[i], 3], everyone[numbers[i], 4] = sin, cos
    slide_rows(everyone, numbers, dx, dy, width, depth, slack)
    ends = np.empty((n, 2))
    lines = np.empty((n, 4))
    gone = 0
    turned = False
    for i in range(n):
        k = numbers[i]
        ends[i, 0], ends[i, 1] = everyone[k, 1], everyone[k, 2]
        turned = turned or turning[k]
        if ends[i, 0] != rows[k, 1] or ends[i, 1] != rows[k, 2]:
            lines[gone, 0], lines[gone, 1] = rows[k, 1], rows[k, 2]
            lines[gone, 2], lines[gone, 3] = ends[i, 0], ends[i, 1]
            gone += 1
    met = meets(rows, everyone, numbers, picked(rows, enemies), contact, slack)
    if met > 0 or (turned and gone < n):
        return ends, 1 if met == 1 else 2
    scratch = scratch_for(ground)
    for i in range(gone):
        if way_crosses(ground, barring, lines[i].reshape(2, 2), scratch):
            return ends, 3
    return ends, 0


@helper
def point_near(ground: GroundArrays, numbers: Ints1, far: Floats1, x: float, y: float) -> bool:
    """Is a point in one of these features, or no farther from it than its limit?"""
    table = ground.table
    for k in range(numbers.shape[0]):
        f = numbers[k]
        r = far[k]
        if x + r < table[f, 0] or x - r > table[f, 2] or y + r < table[f, 1] or y - r > table[f, 3]:
            continue
        if point_inside(ground, f, x, y) or outline_gap(ground, f, x, y) <= r:
            return True
    return False


@kernel
def first_off(ground: GroundArrays, numbers: Ints1, far: Floats1, path: Floats2, low: float, high: float) -> float:
    """From low to high along a path, the first place in none of these features nor as near as its limit; or -1."""
    scratch = scratch_for(ground)
    if high - low <= EXACT:
        x, y = point_on(path, low)
        return -1.0 if point_near(ground, numbers, far, x, y) else low
    gone = 0.0
    for p in range(path.shape[0] - 1):
        dx, dy = path[p + 1, 0] - path[p, 0], path[p + 1, 1] - path[p, 1]
        leg = math.sqrt(dx * dx + dy * dy)
        begin, end = max(0.0, low - gone), min(leg, high - gone)
        if end - begin > EXACT:
            at = first_bare(ground, numbers, far, True, path[p, 0], path[p, 1], dx / leg, dy / leg, begin, end, scratch)
            if at >= 0.0:
                return gone + at
        gone += leg
    return -1.0


@helper
def base_gap(ground: GroundArrays, f: int, row: Floats1) -> float:
    """The distance of a base from a feature, 0 when any part of it is in."""
    edges, table = ground
    x, y = row[1], row[2]
    best = 0.0 if point_inside(ground, f, x, y) else math.inf
    r = reach(row)
    for e in range(int(table[f, 7]), int(table[f, 8])):
        ax, ay, bx, by = edges[e, 0], edges[e, 1], edges[e, 2], edges[e, 3]
        if segment_distance(x, y, ax, ay, bx, by) - r < best:
            best = min(best, edge_gap(row, ax, ay, bx, by))
    return best


@kernel
def gaps_along(ground: GroundArrays, f: int, row: Floats1, path: Floats2, distances: Floats1) -> Floats:
    """How far a base is from a feature at each of some distances along its path, (n,)."""
    out = np.empty(distances.shape[0])
    base = row.copy()
    for k in range(distances.shape[0]):
        base[1], base[2] = point_on(path, distances[k])
        out[k] = base_gap(ground, f, base)
    return out


@kernel
def touch_between(
    ground: GroundArrays, f: int, row: Floats1, path: Floats2, low: float, high: float, far: float, steps: int
) -> float:
    """Between two distances along a path, the last at which a base is still farther than `far` from a feature."""
    base = row.copy()
    for _ in range(steps):
        middle = (low + high) / 2
        base[1], base[2] = point_on(path, middle)
        if base_gap(ground, f, base) > far:
            low = middle
        else:
            high = middle
    return low
