"""Compiled queries of points, bases and lines against terrain.

`edges` is `Terrain.edges` (x0, y0, x1, y1), `table` is `Terrain.table`; both are read by column number here:
0-3 bounds, 4 floor, 5 top, 6 closed, 7 first edge, 8 end of the edges.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from sandtable.table.base_kernels import chord, corner, norm, point_distance, reach
from sandtable.table.compiled import Floats1, Floats2, Ints1, helper, kernel
from sandtable.table.hairs import EXACT
from sandtable.table.shapes import Floats, Mask


class GroundArrays(NamedTuple):
    """The features of a terrain: their edges (x0, y0, x1, y1), and a row for each feature, see `terrain.MIN_X`."""

    edges: Floats2
    table: Floats2


@helper
def scratch_for(ground: GroundArrays) -> Floats:
    """Room for the runs of a line in any feature, see `line_kernels.runs`."""
    return np.empty((3, 2 * ground.edges.shape[0] + 2))


@helper
def point_inside(ground: GroundArrays, f: int, x: float, y: float) -> bool:
    """Even-odd rule; a point on the outline is inside."""
    edges, table = ground
    if (
        table[f, 6] == 0.0
        or x < table[f, 0] - EXACT
        or y < table[f, 1] - EXACT
        or x > table[f, 2] + EXACT
        or y > table[f, 3] + EXACT
    ):
        return False
    odd = False
    for e in range(int(table[f, 7]), int(table[f, 8])):
        ax, ay, bx, by = edges[e, 0], edges[e, 1], edges[e, 2], edges[e, 3]
        dx, dy = bx - ax, by - ay
        cross = dx * (y - ay) - dy * (x - ax)
        square = dx * dx + dy * dy
        if cross * cross <= EXACT * EXACT * square:
            along = dx * (x - ax) + dy * (y - ay)
            if -EXACT <= along <= square + EXACT:
                return True
        if (ay > y) != (by > y) and (cross > 0.0) == (dy > 0.0):
            odd = not odd
    return odd


@helper
def segment_distance(px: float, py: float, ax: float, ay: float, bx: float, by: float) -> float:
    """Distance of a point from a segment."""
    dx, dy = bx - ax, by - ay
    square = dx * dx + dy * dy
    t = 0.0
    if square > 0.0:
        t = min(1.0, max(0.0, ((px - ax) * dx + (py - ay) * dy) / square))
    return norm(px - ax - t * dx, py - ay - t * dy)


@helper
def edge_gap(row: Floats1, ax: float, ay: float, bx: float, by: float) -> float:
    """Distance between a base and a segment, 0 when they meet."""
    if row[0] == 1.0:
        return float(max(0.0, segment_distance(row[1], row[2], ax, ay, bx, by) - row[5]))
    low, high = chord(row, 0.0, ax, ay, bx, by)
    if low <= high:
        return 0.0
    best = min(point_distance(row, ax, ay), point_distance(row, bx, by))
    for k in range(4):
        x, y = corner(row, k)
        best = min(best, segment_distance(x, y, ax, ay, bx, by))
    return best


@helper
def outline_cuts(ground: GroundArrays, f: int, row: Floats1, hair: float) -> bool:
    """Does the outline of the feature run through the base shrunk by a hair?"""
    edges, table = ground
    r = reach(row)
    if row[1] + r < table[f, 0] or row[1] - r > table[f, 2] or row[2] + r < table[f, 1] or row[2] - r > table[f, 3]:
        return False
    for e in range(int(table[f, 7]), int(table[f, 8])):
        low, high = chord(row, hair, edges[e, 0], edges[e, 1], edges[e, 2], edges[e, 3])
        if low <= high:
            return True
    return False


@kernel
def point_inside_all(ground: GroundArrays, x: float, y: float) -> Mask:
    table = ground.table
    out = np.empty(table.shape[0], dtype=np.bool_)
    for f in range(table.shape[0]):
        out[f] = point_inside(ground, f, x, y)
    return out


@kernel
def centres_inside(ground: GroundArrays, rows: Floats2) -> Mask:
    table = ground.table
    out = np.empty((rows.shape[0], table.shape[0]), dtype=np.bool_)
    for i in range(rows.shape[0]):
        for f in range(table.shape[0]):
            out[i, f] = point_inside(ground, f, rows[i, 1], rows[i, 2])
    return out


@kernel
def bases_within(ground: GroundArrays, rows: Floats2, hair: float) -> Mask:
    table = ground.table
    out = np.empty((rows.shape[0], table.shape[0]), dtype=np.bool_)
    for i in range(rows.shape[0]):
        for f in range(table.shape[0]):
            out[i, f] = point_inside(ground, f, rows[i, 1], rows[i, 2]) and not outline_cuts(ground, f, rows[i], hair)
    return out


@kernel
def bases_over(ground: GroundArrays, rows: Floats2, hair: float) -> Mask:
    table = ground.table
    out = np.empty((rows.shape[0], table.shape[0]), dtype=np.bool_)
    for i in range(rows.shape[0]):
        for f in range(table.shape[0]):
            out[i, f] = point_inside(ground, f, rows[i, 1], rows[i, 2]) or outline_cuts(ground, f, rows[i], hair)
    return out


@helper
def over_any(ground: GroundArrays, features: Ints1, row: Floats1, hair: float) -> bool:
    """Is any part of a base, shrunk by a hair, in one of these features?"""
    for k in range(features.shape[0]):
        f = features[k]
        if point_inside(ground, f, row[1], row[2]) or outline_cuts(ground, f, row, hair):
            return True
    return False


@kernel
def bases_over_any(ground: GroundArrays, features: Ints1, rows: Floats2, hair: float) -> Mask:
    out = np.empty(rows.shape[0], dtype=np.bool_)
    for i in range(rows.shape[0]):
        out[i] = over_any(ground, features, rows[i], hair)
    return out


@helper
def at_any(ground: GroundArrays, features: Ints1, row: Floats1, tolerance: float) -> bool:
    """Does a base touch the outline of one of these features, or lie across it?"""
    found = False
    for k in range(features.shape[0]):
        found = found or at_outline(ground, features[k], row, tolerance)
    return found


@kernel
def bases_at_any(ground: GroundArrays, features: Ints1, rows: Floats2, tolerance: float) -> Mask:
    out = np.empty(rows.shape[0], dtype=np.bool_)
    for i in range(rows.shape[0]):
        out[i] = at_any(ground, features, rows[i], tolerance)
    return out


@kernel
def all_gaps(ground: GroundArrays, rows: Floats2) -> Floats:
    """Distance of bases from features; a base whose centre is in the area is at distance 0."""
    edges, table = ground
    out = np.empty((rows.shape[0], table.shape[0]))
    for i in range(rows.shape[0]):
        row = rows[i]
        x, y = row[1], row[2]
        r = reach(row)
        for f in range(table.shape[0]):
            best = 0.0 if point_inside(ground, f, x, y) else math.inf
            for e in range(int(table[f, 7]), int(table[f, 8])):
                ax, ay, bx, by = edges[e, 0], edges[e, 1], edges[e, 2], edges[e, 3]
                if segment_distance(x, y, ax, ay, bx, by) - r < best:
                    best = min(best, edge_gap(row, ax, ay, bx, by))
            out[i, f] = best
    return out


@helper
def at_outline(ground: GroundArrays, f: int, row: Floats1, tolerance: float) -> bool:
    """Does the base touch the outline of a feature, or lie across it?"""
    edges, table = ground
    x, y = row[1], row[2]
    r = reach(row) + tolerance
    if x + r < table[f, 0] or x - r > table[f, 2] or y + r < table[f, 1] or y - r > table[f, 3]:
        return False
    for e in range(int(table[f, 7]), int(table[f, 8])):
        if edge_gap(row, edges[e, 0], edges[e, 1], edges[e, 2], edges[e, 3]) <= tolerance:
            return True
    return False


@kernel
def bases_at_outline(ground: GroundArrays, rows: Floats2, tolerance: float) -> Mask:
    table = ground.table
    out = np.empty((rows.shape[0], table.shape[0]), dtype=np.bool_)
    for i in range(rows.shape[0]):
        for f in range(table.shape[0]):
            out[i, f] = at_outline(ground, f, rows[i], tolerance)
    return out
