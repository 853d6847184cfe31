"""Compiled kernels of lines against terrain.

A line is always walked from its south-western end (x first, then y): seen both ways it is then the same
arithmetic, and whoever sees is seen. Along an outline a line is not inside: corners within a billionth of an
inch of the line are counted once on either side of it, and only what is inside both times is inside.
"""

from __future__ import annotations

import math

import numpy as np

from sandtable.table.compiled import Floats2, Mask2, helper, inlined, kernel
from sandtable.table.ground_kernels import GroundArrays, edge_gap, scratch_for
from sandtable.table.hairs import EXACT
from sandtable.table.shapes import Floats, Mask


@helper
def cuts(
    edges: Floats2,
    first: int,
    last: int,
    x0: float,
    y0: float,
    ux: float,
    uy: float,
    side: int,
    scratch: Floats2,
) -> tuple[int, bool]:
    """(count, grazed): where edges cross the endless line, as distances, sorted into scratch[1 + side].

    `grazed` says that some corner lies on the line; `side` then says on which side such corners are counted.
    """
    level = -EXACT if side == 1 else EXACT
    out = 1 + side  # rows are never sliced in here: a slice costs more than the arithmetic
    count = 0
    grazed = False
    px = edges[first, 0] - x0
    py = edges[first, 1] - y0
    s = ux * py - uy * px
    if abs(s) <= EXACT:
        grazed = True
    for e in range(first, last):
        qx = edges[e, 2] - x0
        qy = edges[e, 3] - y0
        r = ux * qy - uy * qx
        if abs(r) <= EXACT:
            grazed = True
        if (s > level) != (r > level):
            part = min(1.0, max(0.0, s / (s - r)))
            at = ux * px + uy * py
            at += part * (ux * qx + uy * qy - at)
            k = count
            while k > 0 and scratch[out, k - 1] > at:
                scratch[out, k] = scratch[out, k - 1]
                k -= 1
            scratch[out, k] = at
            count += 1
        px, py, s = qx, qy, r
    return count, grazed


@helper
def runs(
    edges: Floats2,
    table: Floats2,
    f: int,
    x0: float,
    y0: float,
    ux: float,
    uy: float,
    length: float,
    scratch: Floats2,
) -> int:
    """How many runs the line has inside feature f; scratch[0] holds enter, leave, enter, leave, ...

    A line obstacle gives a run of no length at each crossing; touching it with an end is no crossing.
    """
    first = int(table[f, 7])
    last = int(table[f, 8])
    found = 1
    count, grazed = cuts(edges, first, last, x0, y0, ux, uy, 0, scratch)
    other = 0
    if grazed:
        other, _ = cuts(edges, first, last, x0, y0, ux, uy, 1, scratch)
    n = 0
    if table[f, 6] == 0.0:
        if grazed and other < count:
            count = other
            found = 2
        for k in range(count):
            at = scratch[found, k]
            if EXACT < at < length - EXACT:
                scratch[0, 2 * n] = at
                scratch[0, 2 * n + 1] = at
                n += 1
        return n
    i = 0
    j = 0
    while i + 1 < count:
        low = max(0.0, scratch[1, i])
        high = min(length, scratch[1, i + 1])
        if grazed:
            if j + 1 >= other:
                break
            low = max(low, scratch[2, j])
            high = min(high, scratch[2, j + 1])
            if scratch[1, i + 1] < scratch[2, j + 1]:
                i += 2
            else:
                j += 2
        else:
            i += 2
        if high - low > EXACT:
            if n > 0 and low - scratch[0, 2 * n - 1] <= EXACT:
                scratch[0, 2 * n - 1] = high
            else:
                scratch[0, 2 * n] = low
                scratch[0, 2 * n + 1] = high
                n += 1
    return n


@inlined
def misses(
    table: Floats2,
    f: int,
    x0: float,
    y0: float,
    ux: float,
    uy: float,
    west: float,
    south: float,
    east: float,
    north: float,
) -> bool:
    """Does the line, between these bounds, surely miss the bounds of the feature?"""
    if west > table[f, 2] or east < table[f, 0] or south > table[f, 3] or north < table[f, 1]:
        return True
    cx = (table[f, 0] + table[f, 2]) * 0.5
    cy = (table[f, 1] + table[f, 3]) * 0.5
    off = ux * (cy - y0) - uy * (cx - x0)
    return bool(abs(off) > abs(uy) * (table[f, 2] - cx) + abs(ux) * (table[f, 3] - cy))


@inlined
def plain_runs(
    edges: Floats2,
    table: Floats2,
    f: int,
    x0: float,
    y0: float,
    ux: float,
    uy: float,
    length: float,
    scratch: Floats2,
) -> int:
    """The same in the common case, without lists; -1 if a corner lies on the line, or if it cuts many edges."""
    low = high = 0.0
    first = int(table[f, 7])
    px = edges[first, 0] - x0
    py = edges[first, 1] - y0
    s = ux * py - uy * px
    plain = abs(s) > EXACT
    count = 0
    for e in range(first, int(table[f, 8])):
        qx = edges[e, 2] - x0
        qy = edges[e, 3] - y0
        r = ux * qy - uy * qx
        if abs(r) <= EXACT:
            plain = False
        if not plain:
            break
        if (s > 0.0) != (r > 0.0):
            part = min(1.0, max(0.0, s / (s - r)))
            at = ux * px + uy * py
            at += part * (ux * qx + uy * qy - at)
            plain = count < 2
            low, high = (at, at) if count == 0 else (min(low, at), max(low, at))
            count += 1
        px, py, s = qx, qy, r
    if table[f, 6] == 0.0:
        plain = plain and count < 2
        crossed = count == 1 and EXACT < low < length - EXACT
    else:
        low, high = max(0.0, low), min(length, high)
        crossed = count == 2 and high - low > EXACT
    scratch[0, 0], scratch[0, 1] = low, high
    return (1 if crossed else 0) if plain else -1


@inlined
def feature_blocks(
    edges: Floats2,
    table: Floats2,
    opacity: Floats2,
    f: int,
    x0: float,
    y0: float,
    ux: float,
    uy: float,
    length: float,
    z0: float,
    slope: float,
    scratch: Floats2,
) -> bool:
    """Does feature f block the line? See `sight.Opacity` for the modes; `slope` is climb per inch."""
    n = plain_runs(edges, table, f, x0, y0, ux, uy, length, scratch)
    if n < 0:
        n = runs(edges, table, f, x0, y0, ux, uy, length, scratch)
    mode = opacity[f, 0]
    top = table[f, 5]
    total = 0.0
    for k in range(n):
        low = scratch[0, 2 * k]
        high = scratch[0, 2 * k + 1]
        if min(z0 + slope * low, z0 + slope * high) >= top:
            continue
        starts = low <= EXACT
        ends = high >= length - EXACT
        if mode == 1.0 and not (starts and ends):
            return True
        if mode == 2.0 and not starts and not ends:
            return True
        if slope > 0.0:
            high = min(high, (top - z0) / slope)
        elif slope < 0.0:
            low = max(low, (top - z0) / slope)
        total += high - low
    return bool(mode >= 2.0 and total > opacity[f, 1] + EXACT)


@kernel
def all_clear(ground: GroundArrays, opacity: Floats2, lines: Floats2) -> Mask:
    edges, table = ground
    out = np.empty(lines.shape[0], dtype=np.bool_)
    scratch = scratch_for(ground)
    for i in range(lines.shape[0]):
        x0, y0, x1, y1 = lines[i, 0], lines[i, 1], lines[i, 2], lines[i, 3]
        if x1 < x0 or (x1 == x0 and y1 < y0):
            x0, y0, x1, y1 = x1, y1, x0, y0
        dx = x1 - x0
        dy = y1 - y0
        length = math.sqrt(dx * dx + dy * dy)
        out[i] = True
        if length <= EXACT:
            continue
        ux = dx / length
        uy = dy / length
        south = min(y0, y1)
        north = max(y0, y1)
        for f in range(table.shape[0]):
            if misses(table, f, x0, y0, ux, uy, x0, south, x1, north) or opacity[f, 0] == 0.0:
                continue
            if feature_blocks(edges, table, opacity, f, x0, y0, ux, uy, length, -math.inf, 0.0, scratch):
                out[i] = False
                break
    return out


@kernel
def all_crossed(ground: GroundArrays, lines: Floats2) -> Mask:
    """Which features each line crosses, (L, F)."""
    table = ground.table
    crossed = np.zeros((lines.shape[0], table.shape[0]), dtype=np.bool_)
    scratch = scratch_for(ground)
    for i in range(lines.shape[0]):
        found = line_runs(ground, lines[i, 0], lines[i, 1], lines[i, 2], lines[i, 3], scratch)
        for k in range(found.shape[0]):
            crossed[i, int(found[k, 0])] = True
    return crossed


@kernel
def line_runs(ground: GroundArrays, x0: float, y0: float, x1: float, y1: float, scratch: Floats2) -> Floats:
    """Rows of (feature, enter, leave): every run of one line, feature by feature."""
    edges, table = ground
    swapped = x1 < x0 or (x1 == x0 and y1 < y0)
    if swapped:
        x0, y0, x1, y1 = x1, y1, x0, y0
    dx = x1 - x0
    dy = y1 - y0
    length = math.sqrt(dx * dx + dy * dy)
    out = np.empty((edges.shape[0] + 1, 3))
    n = 0
    if length > EXACT:
        ux = dx / length
        uy = dy / length
        for f in range(table.shape[0]):
            if misses(table, f, x0, y0, ux, uy, x0, min(y0, y1), x1, max(y0, y1)):
                continue
            count = runs(edges, table, f, x0, y0, ux, uy, length, scratch)
            for k in range(count):
                low = scratch[0, 2 * k]
                high = scratch[0, 2 * k + 1]
                if swapped:
                    low, high = length - high, length - low
                out[n, 0] = f
                out[n, 1] = low
                out[n, 2] = high
                n += 1
    return out[:n]


@kernel
def all_past(a: Floats2, b: Floats2, others: Floats2, counts: Mask2, far: float) -> Mask:
    """Which line from the middle of base a[i] to that of base b[j] keeps farther than `far` from other bases, (n, m).

    `counts` says which of the others do for whom, (n, K).
    """
    out = np.ones((a.shape[0], b.shape[0]), dtype=np.bool_)
    for i in range(a.shape[0]):
        for j in range(b.shape[0]):
            for k in range(others.shape[0]):
                if counts[i, k] and edge_gap(others[k], a[i, 1], a[i, 2], b[j, 1], b[j, 2]) <= far:
                    out[i, j] = False
                    break
    return out
