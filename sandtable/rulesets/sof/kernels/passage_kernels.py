"""Compiled: whether a whole unit comes well to where it goes."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from sandtable.table.base_kernels import base_distance, copy_row, norm, overlapping, reach
from sandtable.table.compiled import Floats1, Floats2, Floats3, Ints1, Mask1, helper, kernel
from sandtable.table.ground_kernels import GroundArrays, scratch_for
from sandtable.table.hairs import GRID, SLACK
from sandtable.table.move_kernels import off_table, stored, sweep
from sandtable.table.path_kernels import Paths, way_crosses

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
def spots_of(
    rows: Floats2, numbers: Ints1, going: Mask1, spots: Floats2, ends: Floats2, points: Floats2, starts: Ints1
) -> bool:
    """Fill in the ways and the ends of those bases that go straight to their spots; does anybody go anywhere?"""
    count, goes = 0, False
    starts[0] = 0
    for i in range(numbers.shape[0]):
        row = rows[numbers[i]]
        copy_row(row, ends[i])
        points[count, 0], points[count, 1] = row[1], row[2]
        count += 1
        if going[i]:
            ends[i, 1], ends[i, 2] = spots[i, 0], spots[i, 1]
            points[count, 0], points[count, 1] = spots[i, 0], spots[i, 1]
            count += 1
            goes = goes or norm(spots[i, 0] - row[1], spots[i, 1] - row[2]) > GRID
        starts[i + 1] = count
    return goes


@helper
def first_of_spots(
    rows: Floats2,
    numbers: Ints1,
    going: Mask1,
    spots: Floats3,
    begin: int,
    units: Ints1,
    kinds: Ints1,
    least: Floats1,
    limits: Floats1,
    chain: float,
    width: float,
    depth: float,
    own: Mask1,
    ends: Floats2,
    points: Floats2,
    starts: Ints1,
    known: Mask1,
    waiting: Ints1,
    foes: Floats2,
    grown: Floats2,
    here: Floats1,
) -> int:
    for k in range(begin, spots.shape[0]):
        if not spots_of(rows, numbers, going, spots[k], ends, points, starts) or (
            stays_on_table(ends, points, starts, width, depth)
            and ends_well(rows, ends, own, units, kinds, least, limits)
            and one_chain(ends, chain, known, waiting)
            and passes_well(rows, numbers, points, starts, foes, grown, here)
        ):
            return k
    return -1


@kernel
def first_well(
    rows: Floats2,
    numbers: Ints1,
    going: Mask1,
    spots: Floats3,
    begin: int,
    others: Others,
    apart: float,
    chain: float,
    width: float,
    depth: float,
) -> int:
    """The first spots, from number `begin` on, to which a unit comes straight and well; -1 if to none of them."""
    units, kinds, least, limits = others
    count, size = rows.shape[0], numbers.shape[0]
    own = np.empty(count, dtype=np.bool_)
    foes = np.empty((count, 8))
    grown = np.empty((count, 8))
    found = enemies_of(rows, units, kinds, apart, foes, grown, own, numbers)
    ends = np.empty((size, 8))
    points = np.empty((2 * size, 2))
    starts = np.empty(size + 1, dtype=np.int64)
    known = np.empty(size, dtype=np.bool_)
    waiting = np.empty(size, dtype=np.int64)
    here = np.empty(8)
    return first_of_spots(
        rows,
        numbers,
        going,
        spots,
        begin,
        units,
        kinds,
        least,
        limits,
        chain,
        width,
        depth,
        own,
        ends,
        points,
        starts,
        known,
        waiting,
        foes[:found],
        grown[:found],
        here,
    )


@helper
def one_passes_over(
    rows: Floats2,
    numbers: Ints1,
    points: Floats2,
    starts: Ints1,
    obstacles: Floats2,
    slack: float,
    here: Floats1,
) -> bool:
    for i in range(numbers.shape[0]):
        if starts[i + 1] - starts[i] < 2:
            continue
        if sweep(rows[numbers[i]], here, points[starts[i] : starts[i + 1]], obstacles, slack) < math.inf:
            return True
    return False


@kernel
def passes_over(rows: Floats2, numbers: Ints1, paths: Paths, obstacles: Floats2, slack: float) -> bool:
    """Does one of the bases under these numbers come over an obstacle on its way?"""
    points, starts = paths
    return one_passes_over(rows, numbers, points, starts, obstacles, slack, np.empty(8))


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


@helper
def edge_gap(rows: Floats2, numbers: Ints1, sin: float, cos: float, width: float, depth: float) -> float:
    """How far bases may be shifted in a direction before one comes to the table's edge; see `fall_back.to_edge`."""
    found = math.inf
    for number in numbers:
        x, y, half_width, half_depth = rows[number, 1], rows[number, 2], rows[number, 5], rows[number, 6]
        if sin > GRID:
            found = min(found, (width - half_width - x) / sin)
        elif sin < -GRID:
            found = min(found, (x - half_width) / -sin)
        if cos > GRID:
            found = min(found, (depth - half_depth - y) / cos)
        elif cos < -GRID:
            found = min(found, (y - half_depth) / -cos)
    return max(0.0, math.floor(100.0 * found) / 100.0)


@helper
def any_crosses(ground: GroundArrays, marked: Ints1, points: Floats2, starts: Ints1, scratch: Floats2) -> bool:
    """Does one of some ways cross a marked feature, or lie in it?"""
    for i in range(starts.shape[0] - 1):
        if way_crosses(ground, marked, points[starts[i] : starts[i + 1]], scratch):
            return True
    return False


@helper
def nearest_pairs(
    rows: Floats2, numbers: Ints1, own: Mask1, units: Ints1, kinds: Ints1, near: Floats1, mine: Ints1, theirs: Ints1
) -> None:
    """Fill in of each other unit which base is nearest to which of the bases, and how far."""
    for u in range(near.shape[0]):
        near[u] = math.inf
    for number in numbers:
        row = rows[number]
        for j in range(rows.shape[0]):
            u = units[j]
            if own[j] or kinds[u] == 0:
                continue
            if norm(row[1] - rows[j, 1], row[2] - rows[j, 2]) - reach(row) - reach(rows[j]) < near[u]:
                apart = base_distance(row, rows[j])
                if apart < near[u]:
                    near[u], mine[u], theirs[u] = apart, number, j


@helper
def surely_nearer(
    rows: Floats2,
    kinds: Ints1,
    limits: Floats1,
    near: Floats1,
    mine: Ints1,
    theirs: Ints1,
    dx: float,
    dy: float,
    row: Floats1,
) -> bool:
    """Does a shift lead no farther from some enemy than it must, however little of it is gone?

    The distance of two bases, one of which is shifted, has no peak on the way: what holds at both ends holds between.
    """
    for u in range(near.shape[0]):
        if kinds[u] == ENEMY and near[u] < math.inf:
            copy_row(rows[mine[u]], row)
            row[1] += dx
            row[2] += dy
            if base_distance(row, rows[theirs[u]]) <= limits[u]:
                return True
    return False


@helper
def shift_all(
    rows: Floats2,
    numbers: Ints1,
    dx: float,
    dy: float,
    exactly: bool,
    ends: Floats2,
    points: Floats2,
    starts: Ints1,
) -> None:
    """Fill in the ways and the ends of bases that are shifted: exactly, or as places are stored."""
    for i in range(numbers.shape[0]):
        row = rows[numbers[i]]
        copy_row(row, ends[i])
        x, y = row[1] + dx, row[2] + dy
        if not exactly:
            x, y = stored(x), stored(y)
        ends[i, 1], ends[i, 2] = x, y
        points[2 * i, 0], points[2 * i, 1], points[2 * i + 1, 0], points[2 * i + 1, 1] = row[1], row[2], x, y
        starts[i], starts[i + 1] = 2 * i, 2 * i + 2


@helper
def first_way_back(
    rows: Floats2,
    numbers: Ints1,
    units: Ints1,
    kinds: Ints1,
    least: Floats1,
    limits: Floats1,
    ground: GroundArrays,
    marked: Ints1,
    ways: Floats2,
    parts: Floats1,
    judged: Mask1,
    rate: float,
    halts: bool,
    gap: float,
    step: float,
    most: float,
    beyond: float,
    width: float,
    depth: float,
    own: Mask1,
    ends: Floats2,
    points: Floats2,
    starts: Ints1,
    scratch: Floats2,
    foes: Floats2,
    grown: Floats2,
    here: Floats1,
    near: Floats1,
    mine: Ints1,
    theirs: Ints1,
) -> bool:
    nearest_pairs(rows, numbers, own, units, kinds, near, mine, theirs)
    longest = rate
    for u in range(near.shape[0]):
        if kinds[u] == FRIEND and near[u] < rate + gap:
            longest = rate + most
    for k in range(ways.shape[0]):
        sin, cos = ways[k, 0], ways[k, 1]
        judged[k] = surely_nearer(rows, kinds, limits, near, mine, theirs, longest * sin, longest * cos, here)
        edge = edge_gap(rows, numbers, sin, cos, width, depth)
        if judged[k] or edge <= 3.0 * GRID:
            continue
        judged[k] = True
        for part in parts:
            wanted = min(part * rate, math.floor(100.0 * rate) / 100.0)
            if halts or part < 1.0:
                wanted = min(wanted, edge)
            if wanted <= GRID or wanted > edge + beyond:
                continue
            total = lengthened(rows, numbers, own, ends, units, kinds, limits, sin, cos, wanted, edge, gap, step, most)
            if total < 0.0:
                continue
            far = max(total, part * rate)
            shift_all(rows, numbers, far * sin, far * cos, True, ends, points, starts)
            if any_crosses(ground, marked, points, starts, scratch):
                judged[k] = False
                continue
            shift_all(rows, numbers, total * sin, total * cos, False, ends, points, starts)
            if any_crosses(ground, marked, points, starts, scratch):
                judged[k] = False
            elif (
                stays_on_table(ends, points, starts, width, depth)
                and ends_well(rows, ends, own, units, kinds, least, limits)
                and passes_well(rows, numbers, points, starts, foes, grown, here)
            ):
                return True
    return False


@kernel
def finds_way_back(
    rows: Floats2,
    numbers: Ints1,
    others: Others,
    ground: GroundArrays,
    marked: Ints1,
    ways: Floats2,
    parts: Floats1,
    judged: Mask1,
    rate: float,
    halts: bool,
    apart: float,
    gap: float,
    step: float,
    most: float,
    beyond: float,
    width: float,
    depth: float,
) -> bool:
    """Does some way lead back over open ground? Fills in of which directions all is said; see `passage`."""
    units, kinds, least, limits = others
    count, size = rows.shape[0], numbers.shape[0]
    own = np.empty(count, dtype=np.bool_)
    foes = np.empty((count, 8))
    grown = np.empty((count, 8))
    found = enemies_of(rows, units, kinds, apart, foes, grown, own, numbers)
    ends = np.empty((size, 8))
    points = np.empty((2 * size, 2))
    starts = np.empty(size + 1, dtype=np.int64)
    here = np.empty(8)
    near = np.empty(kinds.shape[0])
    mine = np.empty(kinds.shape[0], dtype=np.int64)
    theirs = np.empty(kinds.shape[0], dtype=np.int64)
    return first_way_back(
        rows,
        numbers,
        units,
        kinds,
        least,
        limits,
        ground,
        marked,
        ways,
        parts,
        judged,
        rate,
        halts,
        gap,
        step,
        most,
        beyond,
        width,
        depth,
        own,
        ends,
        points,
        starts,
        scratch_for(ground),
        foes[:found],
        grown[:found],
        here,
        near,
        mine,
        theirs,
    )
