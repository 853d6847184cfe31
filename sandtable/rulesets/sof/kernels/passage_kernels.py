"""Compiled: whether a whole unit comes well to where it goes."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from sandtable.table.base_kernels import base_distance, copy_row, norm, overlapping, reach
from sandtable.table.compiled import Floats1, Floats2, Ints1, Mask1, helper, kernel
from sandtable.table.hairs import GRID, SLACK
from sandtable.table.move_kernels import off_table, sweep
from sandtable.table.path_kernels import Paths

FRIEND, ENEMY = 1, 2


class Others(NamedTuple):
    """What the rows of a table are to a unit that moves: whose they are, and what each unit is.

    By the number of its unit: 0 it is the unit itself or counts for nothing, 1 a friend, 2 an enemy; how near one may
    come to it at the end of the move (`least`), and how near to an enemy before that is nearer than it may (`limits`).
    """

    units: Ints1
    kinds: Ints1
    least: Floats1
    limits: Floats1


@helper
def ends_well(
    rows: Floats2,
    ends: Floats2,
    own: Mask1,
    units: Ints1,
    kinds: Ints1,
    least: Floats1,
    limits: Floats1,
) -> bool:
    """Do the bases end on nobody, far enough from other units, and no nearer to an enemy than they may?"""
    for i in range(ends.shape[0]):
        row = ends[i]
        radius = reach(row)
        for j in range(rows.shape[0]):
            if own[j]:
                continue
            u = units[j]
            most = max(least[u], limits[u])
            if norm(row[1] - rows[j, 1], row[2] - rows[j, 2]) - radius - reach(rows[j]) > most + GRID:
                continue
            if overlapping(row, rows[j], SLACK):
                return False
            if kinds[u] != 0:
                gap = base_distance(row, rows[j])
                if gap <= least[u] or gap <= limits[u]:
                    return False
        for k in range(i):
            if overlapping(row, ends[k], SLACK):
                return False
    return True


@helper
def one_chain(rows: Floats2, far: float, known: Mask1, waiting: Ints1) -> bool:
    """Do all bases hang together, no gap of the chain being wider than `far`?"""
    count = rows.shape[0]
    if count == 0:
        return True
    for i in range(count):
        known[i] = i == 0
    waiting[0] = 0
    left, reached = 1, 1
    while left > 0:
        left -= 1
        i = waiting[left]
        for j in range(count):
            if not known[j] and base_distance(rows[i], rows[j]) <= far:
                known[j] = True
                waiting[left] = j
                left += 1
                reached += 1
    return bool(reached == count)


@helper
def stays_on_table(ends: Floats2, points: Floats2, starts: Ints1, width: float, depth: float) -> bool:
    """Do all who move end on the table, with room on it at each corner of their ways?"""
    for i in range(ends.shape[0]):
        row = ends[i]
        if starts[i + 1] - starts[i] < 2:
            continue
        if off_table(row, row[1], row[2], width, depth):
            return False
        half = min(row[5], row[6]) - GRID
        for p in range(starts[i] + 1, starts[i + 1] - 1):
            x, y = points[p, 0], points[p, 1]
            if not (half <= x <= width - half and half <= y <= depth - half):
                return False
    return True


@helper
def passes_well(
    rows: Floats2, numbers: Ints1, points: Floats2, starts: Ints1, foes: Floats2, grown: Floats2, here: Floats1
) -> bool:
    """Does nobody come too near to an enemy on his way, or over one?"""
    for i in range(numbers.shape[0]):
        row = rows[numbers[i]]
        way = points[starts[i] : starts[i + 1]]
        if sweep(row, here, way, grown, 0.0) < math.inf or sweep(row, here, way, foes, SLACK) < math.inf:
            return False
    return True


@helper
def enemies_of(
    rows: Floats2, units: Ints1, kinds: Ints1, apart: float, foes: Floats2, grown: Floats2, own: Mask1, numbers: Ints1
) -> int:
    """Fill in the rows of all enemies, as they are and grown by `apart`, and who is of the unit; how many enemies."""
    for j in range(rows.shape[0]):
        own[j] = False
    for i in range(numbers.shape[0]):
        own[numbers[i]] = True
    count = 0
    for j in range(rows.shape[0]):
        if kinds[units[j]] == ENEMY and not own[j]:
            copy_row(rows[j], foes[count])
            copy_row(rows[j], grown[count])
            grown[count, 5] += apart
            grown[count, 6] += apart
            count += 1
    return count


@kernel
def goes_well(
    rows: Floats2,
    ends: Floats2,
    numbers: Ints1,
    paths: Paths,
    others: Others,
    apart: float,
    chain: float,
    width: float,
    depth: float,
) -> bool:
    """Does a whole unit, its bases under these numbers, come to its ends by these ways as it should? See `passage`."""
    points, starts = paths
    units, kinds, least, limits = others
    count = rows.shape[0]
    own = np.empty(count, dtype=np.bool_)
    foes = np.empty((count, 8))
    grown = np.empty((count, 8))
    here = np.empty(8)
    known = np.empty(ends.shape[0], dtype=np.bool_)
    waiting = np.empty(ends.shape[0], dtype=np.int64)
    found = enemies_of(rows, units, kinds, apart, foes, grown, own, numbers)
    return (
        stays_on_table(ends, points, starts, width, depth)
        and ends_well(rows, ends, own, units, kinds, least, limits)
        and one_chain(ends, chain, known, waiting)
        and passes_well(rows, numbers, points, starts, foes[:found], grown[:found], here)
    )


@helper
def gaps_allow(
    rows: Floats2, moved: Floats2, own: Mask1, units: Ints1, kinds: Ints1, limits: Floats1, gap: float
) -> int:
    """0 if the bases are clear of friends and far enough from enemies; 1 too near to a friend, 2 to an enemy only."""
    enemy = False
    for i in range(moved.shape[0]):
        row = moved[i]
        radius = reach(row)
        for j in range(rows.shape[0]):
            u = units[j]
            if own[j] or kinds[u] == 0:
                continue
            most = gap if kinds[u] == FRIEND else limits[u]
            if norm(row[1] - rows[j, 1], row[2] - rows[j, 2]) - radius - reach(rows[j]) > most + GRID:
                continue
            apart = base_distance(row, rows[j])
            if kinds[u] == FRIEND and apart < gap:
                return 1
            enemy = enemy or (kinds[u] == ENEMY and apart <= limits[u])
    return 2 if enemy else 0


@helper
def lengthened(
    rows: Floats2,
    numbers: Ints1,
    own: Mask1,
    moved: Floats2,
    units: Ints1,
    kinds: Ints1,
    limits: Floats1,
    sin: float,
    cos: float,
    far: float,
    edge: float,
    gap: float,
    step: float,
    most: float,
) -> float:
    for j in range(rows.shape[0]):
        own[j] = False
    for i in range(numbers.shape[0]):
        own[numbers[i]] = True
        copy_row(rows[numbers[i]], moved[i])
    longer = 0.0
    while longer <= most:
        total = far + longer
        for i in range(numbers.shape[0]):
            moved[i, 1] = rows[numbers[i], 1] + total * sin
            moved[i, 2] = rows[numbers[i], 2] + total * cos
        met = gaps_allow(rows, moved, own, units, kinds, limits, gap)
        if met == 2 or (met == 0 and longer > 0.0 and total > edge):
            return -1.0
        if met == 0:
            return total
        longer += step
    return -1.0


@kernel
def clear_of_friends(
    rows: Floats2,
    numbers: Ints1,
    others: Others,
    sin: float,
    cos: float,
    far: float,
    edge: float,
    gap: float,
    step: float,
    most: float,
) -> float:
    """How far some bases go to be clear of friends, longer step by step; -1 if an enemy or the edge forbids it."""
    units, kinds, _, limits = others
    own = np.empty(rows.shape[0], dtype=np.bool_)
    moved = np.empty((numbers.shape[0], rows.shape[1]))
    return lengthened(rows, numbers, own, moved, units, kinds, limits, sin, cos, far, edge, gap, step, most)
