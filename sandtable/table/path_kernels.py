"""Compiled kernels of paths over terrain."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from sandtable.table.base_kernels import reach
from sandtable.table.ground_kernels import NEAR, edge_gap, point_inside, segment_distance
from sandtable.table.line_kernels import misses, runs
from sandtable.table.shapes import Floats, Ints, Mask


@njit(cache=True)
def point_on(path: Floats, inches: float) -> tuple[float, float]:
    """The point so many inches along a path; its end, when that is beyond."""
    if path.shape[0] == 2:
        dx, dy = path[1, 0] - path[0, 0], path[1, 1] - path[0, 1]
        length = math.sqrt(dx * dx + dy * dy)
        part = min(inches / length, 1.0) if length > 0.0 else 1.0
        return path[0, 0] + part * dx, path[0, 1] + part * dy
    left = inches
    for p in range(path.shape[0] - 1):
        dx, dy = path[p + 1, 0] - path[p, 0], path[p + 1, 1] - path[p, 1]
        leg = math.sqrt(dx * dx + dy * dy)
        if left <= leg and leg > 0.0:
            return path[p, 0] + dx * left / leg, path[p, 1] + dy * left / leg
        left -= leg
    return path[-1, 0], path[-1, 1]


@njit(cache=True)
def point_near(edges: Floats, table: Floats, numbers: Ints, far: Floats, x: float, y: float) -> bool:
    """Is a point in one of these features, or no farther from it than its limit?"""
    for k in range(numbers.shape[0]):
        f = numbers[k]
        r = far[k]
        if x + r < table[f, 0] or x - r > table[f, 2] or y + r < table[f, 1] or y - r > table[f, 3]:
            continue
        if point_inside(edges, table, f, x, y):
            return True
        for e in range(int(table[f, 7]), int(table[f, 8])):
            if segment_distance(x, y, edges[e, 0], edges[e, 1], edges[e, 2], edges[e, 3]) <= r:
                return True
    return False


@njit(cache=True)
def first_off(
    edges: Floats,
    table: Floats,
    numbers: Ints,
    far: Floats,
    path: Floats,
    upto: float,
    count: int,
    low: float,
    high: float,
) -> float:
    """The first of the count + 1 evenly spaced points of a path, from low to high, that is near none; or -1."""
    for k in range(count + 1):
        at = upto * k / count
        if low <= at <= high:
            x, y = point_on(path, at)
            if not point_near(edges, table, numbers, far, x, y):
                return at
    return -1.0


@njit(cache=True)
def stays_near(edges: Floats, table: Floats, numbers: Ints, far: Floats, path: Floats, upto: float, count: int) -> bool:
    """Are all of the count + 1 evenly spaced points of a path near one of these features?"""
    for turn in range(count + 1):
        k = count if turn == 0 else turn - 1
        x, y = point_on(path, upto * k / count)
        if not point_near(edges, table, numbers, far, x, y):
            return False
    return True


@njit(cache=True)
def line_crosses(
    edges: Floats, table: Floats, numbers: Ints, x0: float, y0: float, x1: float, y1: float, scratch: Floats
) -> bool:
    """Does a line cross one of these features, or lie in it?"""
    if x1 < x0 or (x1 == x0 and y1 < y0):
        x0, y0, x1, y1 = x1, y1, x0, y0
    dx, dy = x1 - x0, y1 - y0
    length = math.sqrt(dx * dx + dy * dy)
    if length <= NEAR:
        return False
    ux, uy = dx / length, dy / length
    for f in numbers:
        if misses(table, f, x0, y0, ux, uy, x0, min(y0, y1), x1, max(y0, y1)):
            continue
        if runs(edges, table, f, x0, y0, ux, uy, length, scratch) > 0:
            return True
    return False


@njit(cache=True)
def any_crossed(edges: Floats, table: Floats, numbers: Ints, lines: Floats) -> Mask:
    """Which of some lines cross one of these features, or lie in it, (L,)."""
    out = np.zeros(lines.shape[0], dtype=np.bool_)
    scratch = np.empty((3, 2 * edges.shape[0] + 2))
    for i in range(lines.shape[0]):
        out[i] = line_crosses(edges, table, numbers, lines[i, 0], lines[i, 1], lines[i, 2], lines[i, 3], scratch)
    return out


@njit(cache=True)
def ways_crossed(edges: Floats, table: Floats, numbers: Ints, points: Floats, starts: Ints) -> Mask:
    """Which of some paths might cross one of these features, (n,); see `moves.ways_crossed`."""
    n = starts.shape[0] - 1
    out = np.full(n, numbers.shape[0] > 0)
    scratch = np.empty((3, 2 * edges.shape[0] + 2))
    for i in range(n):
        k = starts[i]
        if starts[i + 1] == k + 2:
            out[i] = line_crosses(
                edges, table, numbers, points[k, 0], points[k, 1], points[k + 1, 0], points[k + 1, 1], scratch
            )
    return out


@njit(cache=True)
def base_gap(edges: Floats, table: Floats, f: int, row: Floats) -> float:
    """The distance of a base from a feature, 0 when any part of it is in."""
    x, y = row[1], row[2]
    best = 0.0 if point_inside(edges, table, f, x, y) else math.inf
    r = reach(row)
    for e in range(int(table[f, 7]), int(table[f, 8])):
        ax, ay, bx, by = edges[e, 0], edges[e, 1], edges[e, 2], edges[e, 3]
        if segment_distance(x, y, ax, ay, bx, by) - r < best:
            best = min(best, edge_gap(row, ax, ay, bx, by))
    return best


@njit(cache=True)
def gaps_along(edges: Floats, table: Floats, f: int, row: Floats, path: Floats, distances: Floats) -> Floats:
    """How far a base is from a feature at each of some distances along its path, (n,)."""
    out = np.empty(distances.shape[0])
    base = row.copy()
    for k in range(distances.shape[0]):
        base[1], base[2] = point_on(path, distances[k])
        out[k] = base_gap(edges, table, f, base)
    return out


@njit(cache=True)
def touch_between(
    edges: Floats, table: Floats, f: int, row: Floats, path: Floats, low: float, high: float, far: float, steps: int
) -> float:
    """Between two distances along a path, the last at which a base is still farther than `far` from a feature."""
    base = row.copy()
    for _ in range(steps):
        middle = (low + high) / 2
        base[1], base[2] = point_on(path, middle)
        if base_gap(edges, table, f, base) > far:
            low = middle
        else:
            high = middle
    return low
