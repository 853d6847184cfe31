"""Compiled kernels of what veils bases from one another, and of looking out of a closed feature."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from sandtable.table.base_kernels import norm, picked, reach
from sandtable.table.compiled import Floats1, Floats2, Floats3, Ints1, Ints2, Mask1, Mask2, Shorts1, helper, kernel
from sandtable.table.ground_kernels import (
    GroundArrays,
    at_outline,
    edge_gap,
    outline_cuts,
    point_inside,
    scratch_for,
    segment_distance,
)
from sandtable.table.hairs import EXACT
from sandtable.table.line_kernels import misses, runs
from sandtable.table.shapes import Ints, Mask
from sandtable.table.sight_kernels import samples

Shorts = NDArray[np.int16]

NONE, AREA, LINE, THING = 0, 1, 2, 3  # how a feature veils
BETWEEN, OCCUPIED, SHELTER, NARROWED = 1, 2, 4, 8  # flags of the answer

AWAY, AT, IN = 0, 1, 2  # how a base stands to a feature: clear of it, touching it, some part of it inside


@helper
def stand_by(ground: GroundArrays, kinds: Ints1, rows: Floats2, touch: float, hair: float, out: Ints2) -> None:
    """Fill in how each base stands to each feature that veils, (n, F). Nobody is inside a line."""
    for i in range(rows.shape[0]):
        row = rows[i]
        for f in range(kinds.shape[0]):
            out[i, f] = AWAY
            if kinds[f] == NONE:
                continue
            if kinds[f] != LINE and (point_inside(ground, f, row[1], row[2]) or outline_cuts(ground, f, row, hair)):
                out[i, f] = IN
            elif at_outline(ground, f, row, touch):
                out[i, f] = AT


@helper
def crossings(ground: GroundArrays, f: int, x0: float, y0: float, x1: float, y1: float, scratch: Floats2) -> int:
    """How many runs the line has in feature f; scratch[0] holds them, measured from its south-western end."""
    edges, table = ground
    if x1 < x0 or (x1 == x0 and y1 < y0):
        x0, y0, x1, y1 = x1, y1, x0, y0
    dx = x1 - x0
    dy = y1 - y0
    length = math.sqrt(dx * dx + dy * dy)
    if length <= EXACT:
        return 0
    ux = dx / length
    uy = dy / length
    if misses(table, f, x0, y0, ux, uy, x0, min(y0, y1), x1, max(y0, y1)):
        return 0
    return int(runs(edges, table, f, x0, y0, ux, uy, length, scratch))


@helper
def slants(
    ground: GroundArrays, f: int, x0: float, y0: float, x1: float, y1: float, count: int, scratch: Floats2
) -> bool:
    """Is one of the crossings that scratch[0] holds more than 45 degrees off the perpendicular of its edge?

    At a bend the line crosses both edges, and the straighter one counts.
    """
    edges, table = ground
    if x1 < x0 or (x1 == x0 and y1 < y0):
        x0, y0, x1, y1 = x1, y1, x0, y0
    length = norm(x1 - x0, y1 - y0)
    ux = (x1 - x0) / length
    uy = (y1 - y0) / length
    for k in range(count):
        x = x0 + scratch[0, 2 * k] * ux
        y = y0 + scratch[0, 2 * k] * uy
        straight = False
        for e in range(int(table[f, 7]), int(table[f, 8])):
            ax, ay, bx, by = edges[e, 0], edges[e, 1], edges[e, 2], edges[e, 3]
            if segment_distance(x, y, ax, ay, bx, by) > 2 * EXACT:
                continue
            dx, dy = bx - ax, by - ay
            along = abs(ux * dx + uy * dy)
            across = abs(ux * dy - uy * dx)
            if along <= across + EXACT * math.sqrt(dx * dx + dy * dy):
                straight = True
                break
        if not straight:
            return True
    return False


@helper
def some_line_crosses(
    ground: GroundArrays,
    f: int,
    points_a: Floats2,
    count_a: int,
    points_b: Floats2,
    count_b: int,
    scratch: Floats2,
) -> bool:
    """Does a line from some sample point of the one base to some of the other cross the feature?"""
    for p in range(count_a):
        for q in range(count_b):
            x, y = points_b[q, 0], points_b[q, 1]
            if crossings(ground, f, points_a[p, 0], points_a[p, 1], x, y, scratch):
                return True
    return False


@helper
def frame(points_a: Floats2, count_a: int, points_b: Floats2, count_b: int, out: Floats1) -> None:
    """The box round all sample points that lies along the line from centre to centre.

    `out` is the origin, the unit vector along the line, then the least and greatest distance along and across it.
    """
    x, y = points_a[0, 0], points_a[0, 1]
    dx = points_b[0, 0] - x
    dy = points_b[0, 1] - y
    length = math.sqrt(dx * dx + dy * dy)
    ux, uy = 1.0, 0.0
    if length > EXACT:
        ux, uy = dx / length, dy / length
    low, high, right, left = math.inf, -math.inf, math.inf, -math.inf
    for k in range(count_a + count_b):
        if k < count_a:
            px, py = points_a[k, 0] - x, points_a[k, 1] - y
        else:
            px, py = points_b[k - count_a, 0] - x, points_b[k - count_a, 1] - y
        along = ux * px + uy * py
        across = ux * py - uy * px
        low = min(low, along)
        high = max(high, along)
        right = min(right, across)
        left = max(left, across)
    out[0], out[1], out[2], out[3] = x, y, ux, uy
    out[4], out[5], out[6], out[7] = low, high, right, left


@helper
def beside(ground: GroundArrays, f: int, box: Floats1) -> bool:
    """Does each edge of the feature lie wholly beyond one side of the frame?"""
    edges, table = ground
    x, y, ux, uy = box[0], box[1], box[2], box[3]
    low, high, right, left = box[4], box[5], box[6], box[7]
    for e in range(int(table[f, 7]), int(table[f, 8])):
        px, py = edges[e, 0] - x, edges[e, 1] - y
        qx, qy = edges[e, 2] - x, edges[e, 3] - y
        p, q = ux * px + uy * py, ux * qx + uy * qy
        if max(p, q) < low or min(p, q) > high:
            continue
        p, q = ux * py - uy * px, ux * qy - uy * qx
        if max(p, q) < right or min(p, q) > left:
            continue
        return False
    return True


@helper
def crossing_flag(kind: int, watcher: int, target: int) -> int:
    """What a feature does to the target when some line crosses it."""
    if kind == LINE:
        if target == AT:
            return OCCUPIED
        return 0 if watcher == AT else BETWEEN
    return 0 if watcher == IN or target == IN else BETWEEN


@helper
def pair_veil(
    ground: GroundArrays,
    kinds: Ints1,
    narrow: Mask1,
    a: Floats1,
    points_a: Floats2,
    count_a: int,
    stands_a: Ints1,
    exempt_a: Mask1,
    b: Floats1,
    points_b: Floats2,
    count_b: int,
    stands_b: Ints1,
    exempt_b: Mask1,
    picks: Ints1,
    box: Floats1,
    scratch: Floats2,
) -> int:
    """The flags of one pair. Lines from edge to edge are drawn only where the one between the centres is free."""
    table = ground.table
    ra = reach(a)
    rb = reach(b)
    west = min(a[1] - ra, b[1] - rb)
    east = max(a[1] + ra, b[1] + rb)
    south = min(a[2] - ra, b[2] - rb)
    north = max(a[2] + ra, b[2] + rb)
    flags = 0
    count = 0
    for f in range(table.shape[0]):
        kind = kinds[f]
        if kind == NONE or (kind == LINE) == (table[f, 6] == 1.0):
            continue
        watcher, target = stands_a[f], stands_b[f]
        if kind == AREA and (target == IN or (target == AT and watcher != IN)):
            flags |= OCCUPIED
            continue
        over = (exempt_a.shape[0] > 0 and exempt_a[f]) or (exempt_b.shape[0] > 0 and exempt_b[f])
        sheltering = kind == LINE and target == AT
        if over and not sheltering:
            continue
        flag = crossing_flag(kind, watcher, target)
        narrowing = kind == LINE and narrow[f] and not over and (watcher == AT or target == AT)
        if flag | flags == flags and not sheltering and not narrowing:
            continue
        if west > table[f, 2] or east < table[f, 0] or south > table[f, 3] or north < table[f, 1]:
            continue
        found = crossings(ground, f, a[1], a[2], b[1], b[2], scratch)
        if found > 0:
            flags |= flag
            if sheltering:
                flags |= SHELTER
            if narrowing and slants(ground, f, a[1], a[2], b[1], b[2], found, scratch):
                flags |= NARROWED
        else:
            picks[count] = f
            count += 1
    framed = False
    for k in range(count):
        f = picks[k]
        flag = crossing_flag(kinds[f], stands_a[f], stands_b[f])
        if flag | flags == flags:
            continue
        if not framed:
            frame(points_a, count_a, points_b, count_b, box)
            framed = True
        if not beside(ground, f, box) and some_line_crosses(ground, f, points_a, count_a, points_b, count_b, scratch):
            flags |= flag
    return flags


@helper
def veil_pairs(
    ground: GroundArrays,
    kinds: Ints1,
    narrow: Mask1,
    a: Floats2,
    b: Floats2,
    exempt_a: Mask2,
    exempt_b: Mask2,
    wanted: Mask2,
    stands_a: Ints2,
    stands_b: Ints2,
    points: Floats3,
    counts: Ints1,
    picks: Ints1,
    box: Floats1,
    scratch: Floats2,
    out: Ints2,
) -> None:
    """Fill in the flags of each pair; `points` is room for the sample points of all b and of one of a."""
    m = b.shape[0]
    nobody = narrow[:0]
    for j in range(m):
        counts[j] = samples(b[j], points[j])
    for i in range(a.shape[0]):
        count_a = samples(a[i], points[m])
        for j in range(m):
            if wanted.shape[0] > 0 and not wanted[i, j]:
                continue
            out[i, j] = pair_veil(
                ground,
                kinds,
                narrow,
                a[i],
                points[m],
                count_a,
                stands_a[i],
                exempt_a[i] if exempt_a.shape[0] > 0 else nobody,
                b[j],
                points[j],
                counts[j],
                stands_b[j],
                exempt_b[j] if exempt_b.shape[0] > 0 else nobody,
                picks,
                box,
                scratch,
            )


@kernel
def all_veil(
    ground: GroundArrays,
    kinds: Ints1,
    narrow: Mask1,
    a: Floats2,
    b: Floats2,
    exempt_a: Mask2,
    exempt_b: Mask2,
    wanted: Mask2,
    touch: float,
    hair: float,
) -> Ints:
    """The flags of each pair, (n, m). Optional arrays are empty when they say nothing."""
    n, m, features = a.shape[0], b.shape[0], ground.table.shape[0]
    out = np.zeros((n, m), dtype=np.int64)
    stands_a, stands_b = np.empty((n, features), dtype=np.int64), np.empty((m, features), dtype=np.int64)
    stand_by(ground, kinds, a, touch, hair, stands_a)
    stand_by(ground, kinds, b, touch, hair, stands_b)
    counts, picks = np.empty(m, dtype=np.int64), np.empty(features, dtype=np.int64)
    points, box = np.empty((m + 1, 9, 2)), np.empty(8)
    veil_pairs(
        ground, kinds, narrow, a, b, exempt_a, exempt_b, wanted, stands_a, stands_b,
        points, counts, picks, box, scratch_for(ground), out,
    )  # fmt: skip
    return out


@helper
def looked_over(table: Floats2, rows: Floats2) -> Mask:
    """Which features each base looks over: those lower than the ground that it stands on, (n, F)."""
    out = np.zeros((rows.shape[0], table.shape[0]), dtype=np.bool_)
    for i in range(rows.shape[0]):
        if rows[i, 7] > 0.0:
            for f in range(table.shape[0]):
                out[i, f] = table[f, 5] < rows[i, 7]
    return out


@kernel
def all_known_veils(
    ground: GroundArrays,
    kinds: Ints1,
    narrow: Mask1,
    rows: Floats2,
    known: Shorts1,
    a: Ints1,
    b: Ints1,
    touch: float,
    hair: float,
) -> Ints:
    """The flags of each pair of the rows numbered a and b, (n, m); `known` (N * N), -1 for nothing, is filled in."""
    table = ground.table
    n, m, many = a.shape[0], b.shape[0], rows.shape[0]
    out = np.empty((n, m), dtype=np.int64)
    unknown = np.zeros((n, m), dtype=np.bool_)
    some = False
    for i in range(n):
        for j in range(m):
            out[i, j] = known[a[i] * many + b[j]]
            unknown[i, j] = out[i, j] < 0
            some = some or unknown[i, j]
    if not some:
        return out
    first, second = picked(rows, a), picked(rows, b)
    found = all_veil(
        ground, kinds, narrow, first, second, looked_over(table, first), looked_over(table, second), unknown,
        touch, hair,
    )  # fmt: skip
    for i in range(n):
        for j in range(m):
            if unknown[i, j]:
                out[i, j] = known[a[i] * many + b[j]] = found[i, j]
    return out


@kernel
def all_veiling(
    ground: GroundArrays,
    choices: Ints2,
    narrow: Mask1,
    a: Floats2,
    b: Floats2,
    flags: int,
    touch: float,
    hair: float,
) -> Mask:
    """Which choices of features, (K, F), give some pair one of the flags, (K,)."""
    table = ground.table
    out = np.zeros(choices.shape[0], dtype=np.bool_)
    over_a, over_b = looked_over(table, a), looked_over(table, b)
    everybody = np.ones((a.shape[0], b.shape[0]), dtype=np.bool_)
    for k in range(choices.shape[0]):
        found = all_veil(ground, choices[k], narrow, a, b, over_a, over_b, everybody, touch, hair)
        for i in range(a.shape[0]):
            for j in range(b.shape[0]):
                out[k] = out[k] or found[i, j] & flags != 0
    return out


@helper
def winding(ground: GroundArrays, f: int) -> float:
    """Twice the area of a closed feature, positive when its outline runs counter-clockwise."""
    edges, table = ground
    x, y = table[f, 0], table[f, 1]
    total = 0.0
    for e in range(int(table[f, 7]), int(table[f, 8])):
        total += (edges[e, 0] - x) * (edges[e, 3] - y) - (edges[e, 2] - x) * (edges[e, 1] - y)
    return total


@helper
def shields(
    ground: GroundArrays, f: int, row: Floats1, targets: Floats2, touch: float, hair: float, shut: Mask1
) -> bool:
    """Is a base inside a feature? Then mark the targets beyond none of the edges that it is at."""
    edges, table = ground
    if not point_inside(ground, f, row[1], row[2]):
        return False
    for j in range(targets.shape[0]):
        shut[j] = not (
            point_inside(ground, f, targets[j, 1], targets[j, 2]) or outline_cuts(ground, f, targets[j], hair)
        )
    turns = 1.0 if winding(ground, f) > 0.0 else -1.0
    for e in range(int(table[f, 7]), int(table[f, 8])):
        ax, ay, bx, by = edges[e, 0], edges[e, 1], edges[e, 2], edges[e, 3]
        if edge_gap(row, ax, ay, bx, by) > touch:
            continue
        dx, dy = bx - ax, by - ay
        margin = EXACT * math.sqrt(dx * dx + dy * dy)
        for j in range(targets.shape[0]):
            # How far the target's centre lies to the outer hand of the edge, times the edge's length.
            outer = turns * (dy * (targets[j, 1] - ax) - dx * (targets[j, 2] - ay))
            if outer > margin:
                shut[j] = False
    return True


@kernel
def all_shielded(
    ground: GroundArrays, marked: Mask1, rows: Floats2, targets: Floats2, touch: float, hair: float
) -> Mask:
    """Which bases inside a marked feature are at none of its edges that the target lies beyond, (n, m)."""
    n, m = rows.shape[0], targets.shape[0]
    out = np.zeros((n, m), dtype=np.bool_)
    shut = np.empty(m, dtype=np.bool_)
    for i in range(n):
        for f in range(marked.shape[0]):
            if marked[f] and shields(ground, f, rows[i], targets, touch, hair, shut):
                for j in range(m):
                    out[i, j] |= shut[j]
    return out
