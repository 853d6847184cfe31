"""Compiled kernels of sight by levels, see `levels.py`: whose end nothing hides from whoever looks along a line."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from sandtable.table.compiled import Floats1, Floats2, Ints1, Mask1, helper, kernel
from sandtable.table.ground_kernels import GroundArrays, scratch_for
from sandtable.table.hairs import EXACT, NOTHING
from sandtable.table.line_kernels import misses, runs
from sandtable.table.shapes import Mask


class Levels(NamedTuple):
    """What each feature of a terrain does to a line of sight.

    One that `blocks` hides what lies beyond it from whoever is on no higher `level`; one sees into it and out of it.
    Its `thickness` is the number of the kind of thick ground that it is, or -1; `limits` are the most inches of each
    such kind that a line may run through.
    """

    level: Floats1
    blocks: Mask1
    thickness: Ints1
    limits: Floats1


@kernel
def all_clear_by_levels(ground: GroundArrays, levels: Levels, a: Floats2, b: Floats2, watchers: Floats1) -> Mask:
    """Which line from the middle of base a[i], on this level, to that of base b[j] nothing hides the end of, (n, m)."""
    # Columns 1 and 2 of a base are its middle.
    edges, table = ground
    level, blocks, thickness, limits = levels
    out = np.empty((a.shape[0], b.shape[0]), dtype=np.bool_)
    scratch = scratch_for(ground)
    thick = scratch_for(ground)
    for i in range(a.shape[0]):
        for j in range(b.shape[0]):
            out[i, j] = clear_by_levels(
                edges,
                table,
                level,
                blocks,
                thickness,
                limits,
                a[i, 1],
                a[i, 2],
                b[j, 1],
                b[j, 2],
                watchers[i],
                scratch,
                thick,
            )
    return out


@helper
def clear_by_levels(
    edges: Floats2,
    table: Floats2,
    level: Floats1,
    blocks: Mask1,
    thickness: Ints1,
    limits: Floats1,
    x0: float,
    y0: float,
    x1: float,
    y1: float,
    watcher: float,
    scratch: Floats2,
    thick: Floats2,
) -> bool:
    """Whether nothing hides one end of a line from a watcher of this level at the other."""
    if x1 < x0 or (x1 == x0 and y1 < y0):
        x0, y0, x1, y1 = x1, y1, x0, y0
    dx = x1 - x0
    dy = y1 - y0
    length = math.sqrt(dx * dx + dy * dy)
    if length <= EXACT:
        return True
    ux = dx / length
    uy = dy / length
    south = min(y0, y1)
    north = max(y0, y1)
    for f in range(table.shape[0]):
        if not blocks[f] or watcher > level[f] + EXACT or misses(table, f, x0, y0, ux, uy, x0, south, x1, north):
            continue
        count = runs(edges, table, f, x0, y0, ux, uy, length, scratch)
        area = table[f, 6] == 1.0
        for k in range(count):
            if not (area and (scratch[0, 2 * k] <= EXACT or scratch[0, 2 * k + 1] >= length - EXACT)):
                return False
    for kind in range(limits.shape[0]):
        count = 0
        for f in range(table.shape[0]):
            if thickness[f] != kind or misses(table, f, x0, y0, ux, uy, x0, south, x1, north):
                continue
            for k in range(runs(edges, table, f, x0, y0, ux, uy, length, scratch)):
                insert(thick, count, scratch[0, 2 * k], scratch[0, 2 * k + 1])
                count += 1
        total = 0.0
        reached = 0.0
        for k in range(count):
            total += max(0.0, thick[1, k] - max(thick[0, k], reached))
            reached = max(reached, thick[1, k])
        if total > limits[kind] + NOTHING:
            return False
    return True


@helper
def insert(runs: Floats2, count: int, low: float, high: float) -> None:
    """Put a run among those found so far, which are sorted by where they begin: row 0, and where they end: row 1."""
    k = count
    while k > 0 and (runs[0, k - 1] > low or (runs[0, k - 1] == low and runs[1, k - 1] > high)):
        runs[0, k] = runs[0, k - 1]
        runs[1, k] = runs[1, k - 1]
        k -= 1
    runs[0, k] = low
    runs[1, k] = high
