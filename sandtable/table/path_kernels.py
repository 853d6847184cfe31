"""Compiled kernels of paths over terrain."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from sandtable.table.base_kernels import norm
from sandtable.table.compiled import Floats1, Floats2, Ints1, helper, kernel
from sandtable.table.ground_kernels import GroundArrays, scratch_for, segment_distance
from sandtable.table.hairs import EXACT, GRID, NOTHING
from sandtable.table.line_kernels import misses, runs
from sandtable.table.shapes import Floats, Mask

BESIDE = 1e-5  # inches before and after a line obstacle where one looks on which side of it a path is


class Paths(NamedTuple):
    """Several paths together: number i are the points starts[i] up to starts[i + 1]."""

    points: Floats2
    starts: Ints1


@helper
def point_on(path: Floats2, inches: float) -> tuple[float, float]:
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


# What lies on the way. A path is judged by its points; how is told in `moves.spans`.


@helper
def near_stretch(
    ax: float, ay: float, bx: float, by: float, far: float, x0: float, y0: float, ux: float, uy: float
) -> tuple[float, float]:
    """From where to where an endless line is no farther than `far` from a segment; (inf, -inf) if nowhere."""
    low, high = math.inf, -math.inf
    for k in range(2):
        px, py = (ax - x0, ay - y0) if k == 0 else (bx - x0, by - y0)
        off = ux * py - uy * px
        if abs(off) <= far:
            along, half = ux * px + uy * py, math.sqrt(far * far - off * off)
            low, high = min(low, along - half), max(high, along + half)
    dx, dy = bx - ax, by - ay
    length = math.sqrt(dx * dx + dy * dy)
    if length > 0.0:
        dx, dy = dx / length, dy / length
        # Beside the segment: in its own axes, between its ends and no farther off than that.
        begin, end = within(dx * (x0 - ax) + dy * (y0 - ay), dx * ux + dy * uy, 0.0, length, -math.inf, math.inf)
        begin, end = within(dx * (y0 - ay) - dy * (x0 - ax), dx * uy - dy * ux, -far, far, begin, end)
        if begin <= end:
            low, high = min(low, begin), max(high, end)
    return low, high


@helper
def within(origin: float, step: float, least: float, most: float, low: float, high: float) -> tuple[float, float]:
    """Cut the span (low, high) down to where origin + t * step is from least to most."""
    if step == 0.0:
        return (low, high) if least <= origin <= most else (math.inf, -math.inf)
    a, b = (least - origin) / step, (most - origin) / step
    return max(low, min(a, b)), min(high, max(a, b))


@helper
def first_bare(
    ground: GroundArrays,
    numbers: Ints1,
    far: Floats1,
    insides: bool,
    x0: float,
    y0: float,
    ux: float,
    uy: float,
    low: float,
    high: float,
    scratch: Floats2,
) -> float:
    """From low to high along a line, the first place farther than its limit from each of these features; or -1.

    With `insides` the inside of an area is near as well, else only its outline. Exact: from one stretch to the next.
    """
    edges, table = ground
    at = low
    while at < high - EXACT:
        reached = at
        for k in range(numbers.shape[0]):
            f = numbers[k]
            first, last = int(table[f, 7]), int(table[f, 8])
            if insides and table[f, 6] == 1.0:
                for i in range(runs(edges, table, f, x0, y0, ux, uy, high, scratch)):
                    if scratch[0, 2 * i] <= at + EXACT:
                        reached = max(reached, scratch[0, 2 * i + 1])
            for e in range(first, last):
                begin, end = near_stretch(edges[e, 0], edges[e, 1], edges[e, 2], edges[e, 3], far[k], x0, y0, ux, uy)
                if begin <= at + EXACT:
                    reached = max(reached, end)
        if reached <= at + EXACT:
            return at
        at = reached
    return -1.0


@helper
def outline_gap(ground: GroundArrays, f: int, x: float, y: float) -> float:
    """How far a point is from the outline of a feature."""
    edges, table = ground
    best = math.inf
    for e in range(int(table[f, 7]), int(table[f, 8])):
        best = min(best, segment_distance(x, y, edges[e, 0], edges[e, 1], edges[e, 2], edges[e, 3]))
    return best


@helper
def leg_runs(ground: GroundArrays, f: int, x0: float, y0: float, x1: float, y1: float, scratch: Floats2) -> int:
    """How many runs a leg has inside an area; scratch[0] holds enter, leave, enter, leave, ... as one walks."""
    edges, table = ground
    swapped = x1 < x0 or (x1 == x0 and y1 < y0)
    if swapped:
        x0, y0, x1, y1 = x1, y1, x0, y0
    dx, dy = x1 - x0, y1 - y0
    length = math.sqrt(dx * dx + dy * dy)
    if length <= EXACT:
        return 0
    ux, uy = dx / length, dy / length
    if misses(table, f, x0, y0, ux, uy, x0, min(y0, y1), x1, max(y0, y1)):
        return 0
    n = runs(edges, table, f, x0, y0, ux, uy, length, scratch)
    if swapped:
        for k in range(n):
            scratch[0, k], scratch[0, 2 * n - 1 - k] = length - scratch[0, 2 * n - 1 - k], length - scratch[0, k]
    return n


@helper
def goes_in(ground: GroundArrays, f: int, points: Floats2, upto: float, scratch: Floats2) -> bool:
    """Does a path that begins on the border of an area come off that border, within so many inches?"""
    only, far = np.empty(1, dtype=np.int64), np.empty(1)
    only[0], far[0] = f, GRID
    gone = 0.0
    for p in range(points.shape[0] - 1):
        dx, dy = points[p + 1, 0] - points[p, 0], points[p + 1, 1] - points[p, 1]
        leg = math.sqrt(dx * dx + dy * dy)
        end = min(leg, upto - gone)
        if end > EXACT and (
            first_bare(ground, only, far, False, points[p, 0], points[p, 1], dx / leg, dy / leg, 0.0, end, scratch)
            >= 0.0
        ):
            return True
        gone += leg
    return False


@helper
def area_spans(ground: GroundArrays, f: int, points: Floats2, scratch: Floats2, out: Floats2) -> int:
    """The stretches of a path inside an area, rows of `out` as in `spans`; their number."""
    n = 0
    gone = 0.0
    for p in range(points.shape[0] - 1):
        x0, y0, x1, y1 = points[p, 0], points[p, 1], points[p + 1, 0], points[p + 1, 1]
        for k in range(leg_runs(ground, f, x0, y0, x1, y1, scratch)):
            enter, leave = gone + scratch[0, 2 * k], gone + scratch[0, 2 * k + 1]
            if n > 0 and enter - out[n - 1, 2] <= NOTHING:
                out[n - 1, 2] = leave
            else:
                out[n, 1], out[n, 2] = enter, leave
                n += 1
        gone += norm(x1 - x0, y1 - y0)
    kept = 0
    for k in range(n):
        enter, leave = out[k, 1], out[k, 2]
        if leave - enter <= NOTHING:
            continue
        started = ended = 0.0
        if enter <= NOTHING:
            enter = 0.0
            if outline_gap(ground, f, points[0, 0], points[0, 1]) > GRID:
                started = 1.0
            elif not goes_in(ground, f, points, leave, scratch):
                continue
        if leave >= gone - NOTHING and outline_gap(ground, f, points[-1, 0], points[-1, 1]) > GRID:
            ended = 1.0
        out[kept, 0], out[kept, 1], out[kept, 2], out[kept, 3], out[kept, 4] = f, enter, leave, started, ended
        kept += 1
    return kept


@helper
def side_of(ground: GroundArrays, f: int, x: float, y: float) -> int:
    """On which side of a line obstacle a point beside it lies: 1 on its left, -1 on its right, 0 beyond an end."""
    edges, table = ground
    first, last = int(table[f, 7]), int(table[f, 8])
    best, nearest, place = math.inf, first, 0
    for e in range(first, last):
        ax, ay = edges[e, 0], edges[e, 1]
        dx, dy = edges[e, 2] - ax, edges[e, 3] - ay
        along = (dx * (x - ax) + dy * (y - ay)) / (dx * dx + dy * dy)
        gap = segment_distance(x, y, ax, ay, edges[e, 2], edges[e, 3])
        if gap < best:
            best, nearest, place = gap, e, (-1 if along <= 0.0 else (1 if along >= 1.0 else 0))
    before = after = nearest
    if place != 0:
        ring = edges[first, 0] == edges[last - 1, 2] and edges[first, 1] == edges[last - 1, 3]
        before, after = (nearest - 1, nearest) if place < 0 else (nearest, nearest + 1)
        if before < first or after >= last:
            if not ring:
                return 0
            before, after = last - 1, first
    ax, ay = edges[before, 2] - edges[before, 0], edges[before, 3] - edges[before, 1]
    bx, by = edges[after, 2] - edges[after, 0], edges[after, 3] - edges[after, 1]
    left_of_one = ax * (y - edges[before, 1]) - ay * (x - edges[before, 0]) > 0.0
    left_of_other = bx * (y - edges[after, 1]) - by * (x - edges[after, 0]) > 0.0
    left = left_of_one and left_of_other if ax * by - ay * bx > 0.0 else left_of_one or left_of_other
    return 1 if left else -1


@helper
def contacts(ground: GroundArrays, f: int, points: Floats2) -> Floats:
    """The stretches, mostly of no length, over which a path is on a line obstacle, in order, (n, 2)."""
    edges, table = ground
    first, last = int(table[f, 7]), int(table[f, 8])
    found = np.empty(((points.shape[0] - 1) * (last - first), 2))
    n = 0
    gone = 0.0
    for p in range(points.shape[0] - 1):
        x0, y0, x1, y1 = points[p, 0], points[p, 1], points[p + 1, 0], points[p + 1, 1]
        leg = norm(x1 - x0, y1 - y0)
        if leg > 0.0:
            ux, uy = (x1 - x0) / leg, (y1 - y0) / leg
            for e in range(first, last):
                begin, end = on_edge(edges[e, 0], edges[e, 1], edges[e, 2], edges[e, 3], x0, y0, ux, uy, leg)
                if begin <= end:
                    k = n
                    while k > 0 and found[k - 1, 0] > gone + begin:
                        found[k, 0], found[k, 1] = found[k - 1, 0], found[k - 1, 1]
                        k -= 1
                    found[k, 0], found[k, 1] = gone + begin, gone + end
                    n += 1
        gone += leg
    merged = 0
    for k in range(1, n):
        if found[k, 0] - found[merged, 1] <= NOTHING:
            found[merged, 1] = max(found[merged, 1], found[k, 1])
        else:
            merged += 1
            found[merged, 0], found[merged, 1] = found[k, 0], found[k, 1]
    return found[: min(n, merged + 1)]


@helper
def passes_by(table: Floats2, f: int, points: Floats2) -> bool:
    """Does a path surely not come to a feature, as all of it is to one side of its bounds?"""
    west = south = math.inf
    east = north = -math.inf
    for p in range(points.shape[0]):
        west, east = min(west, points[p, 0]), max(east, points[p, 0])
        south, north = min(south, points[p, 1]), max(north, points[p, 1])
    return bool(
        west > table[f, 2] + EXACT
        or east < table[f, 0] - EXACT
        or south > table[f, 3] + EXACT
        or north < table[f, 1] - EXACT
    )


@helper
def on_edge(
    ax: float, ay: float, bx: float, by: float, x0: float, y0: float, ux: float, uy: float, leg: float
) -> tuple[float, float]:
    """From where to where a leg is on an edge; (inf, -inf) if nowhere. Both ends of the leg are looked at for sure."""
    begin, end = math.inf, -math.inf
    if segment_distance(x0, y0, ax, ay, bx, by) <= EXACT:
        begin, end = 0.0, 0.0
    if segment_distance(x0 + leg * ux, y0 + leg * uy, ax, ay, bx, by) <= EXACT:
        begin, end = min(begin, leg), leg
    s = ux * (ay - y0) - uy * (ax - x0)
    r = ux * (by - y0) - uy * (bx - x0)
    s_at, r_at = ux * (ax - x0) + uy * (ay - y0), ux * (bx - x0) + uy * (by - y0)
    low, high = math.inf, -math.inf
    if abs(s) <= EXACT or abs(r) <= EXACT:
        if abs(s) <= EXACT:
            low, high = s_at, s_at
        if abs(r) <= EXACT:
            low, high = min(low, r_at), max(high, r_at)
    elif (s > 0.0) != (r > 0.0):
        low = high = s_at + (r_at - s_at) * s / (s - r)
    low, high = max(low, 0.0), min(high, leg)
    return (min(begin, low), max(end, high)) if low <= high else (begin, end)


@helper
def rounds_end(ground: GroundArrays, f: int, points: Floats2, begin: float, end: float) -> bool:
    """Does a path come to one of the two ends of a line obstacle, from begin to end along it?"""
    edges, table = ground
    first, last = int(table[f, 7]), int(table[f, 8]) - 1
    if edges[first, 0] == edges[last, 2] and edges[first, 1] == edges[last, 3]:
        return False
    gone = 0.0
    for p in range(points.shape[0] - 1):
        leg = norm(points[p + 1, 0] - points[p, 0], points[p + 1, 1] - points[p, 1])
        if begin <= gone + leg and end >= gone:
            ax, ay = point_on(points, max(begin, gone))
            bx, by = point_on(points, min(end, gone + leg))
            near = min(
                segment_distance(edges[first, 0], edges[first, 1], ax, ay, bx, by),
                segment_distance(edges[last, 2], edges[last, 3], ax, ay, bx, by),
            )
            if near <= NOTHING:
                return True
        gone += leg
    return False


@helper
def line_crossings(ground: GroundArrays, f: int, points: Floats2) -> Floats:
    """Where a path crosses a line obstacle, or comes to its end on it, in inches along it, (n,)."""
    table = ground.table
    nowhere = np.empty(0)
    if passes_by(table, f, points):
        return nowhere
    met = contacts(ground, f, points)
    if met.shape[0] == 0:
        return nowhere
    total = 0.0
    for p in range(points.shape[0] - 1):
        total += norm(points[p + 1, 0] - points[p, 0], points[p + 1, 1] - points[p, 1])
    found = np.empty(met.shape[0])
    n = 0
    for k in range(met.shape[0]):
        begin, end = met[k, 0], met[k, 1]
        if begin <= 0.0:
            continue
        crossed = end >= total
        if not crossed and not rounds_end(ground, f, points, begin, end):
            before = begin if k == 0 else begin - met[k - 1, 1]
            after = (total if k + 1 == met.shape[0] else met[k + 1, 0]) - end
            x0, y0 = point_on(points, begin - min(BESIDE, before / 2))
            x1, y1 = point_on(points, end + min(BESIDE, after / 2))
            crossed = side_of(ground, f, x0, y0) * side_of(ground, f, x1, y1) < 0
        if crossed:
            found[n] = begin
            n += 1
    return found[:n]


@helper
def feature_spans(ground: GroundArrays, f: int, points: Floats2, scratch: Floats2, out: Floats2) -> int:
    """The stretches of a path over one feature, rows of `out` as in `spans`; their number."""
    if ground.table[f, 6] == 1.0:
        return area_spans(ground, f, points, scratch, out)
    n = 0
    for at in line_crossings(ground, f, points):
        out[n, 0], out[n, 1], out[n, 2], out[n, 3], out[n, 4] = f, at, at, 0.0, 0.0
        n += 1
    return n


@kernel
def spans(ground: GroundArrays, numbers: Ints1, points: Floats2) -> Floats:
    """Rows of (feature, enter, leave, started, ended): the stretches of a path over features; see `moves.spans`."""
    scratch = scratch_for(ground)
    out = np.empty(((points.shape[0] - 1) * ground.edges.shape[0], 5))
    n = 0
    for f in numbers:
        n += feature_spans(ground, f, points, scratch, out[n:])
    return out[:n]


@kernel
def first_met(ground: GroundArrays, numbers: Ints1, paths: Paths) -> Floats:
    """Rows of (feature, inches, path, into, out): where the first of some paths comes to each; see `moves.met`."""
    points, starts = paths
    scratch = scratch_for(ground)
    spans = np.empty((points.shape[0] * ground.edges.shape[0], 5))
    out = np.empty((numbers.shape[0], 5))
    n = 0
    for f in numbers:
        first, path, into, leave = math.inf, -1, math.inf, math.inf
        for i in range(starts.shape[0] - 1):
            for k in range(feature_spans(ground, f, points[starts[i] : starts[i + 1]], scratch, spans)):
                if path < 0 or spans[k, 1] < first - NOTHING:
                    first, path = spans[k, 1], i
                if spans[k, 3] == 0.0:
                    into = min(into, spans[k, 1])
                if spans[k, 4] == 0.0:
                    leave = min(leave, spans[k, 2])
        if path >= 0:
            out[n, 0], out[n, 1], out[n, 2], out[n, 3], out[n, 4] = f, first, path, into, leave
            n += 1
    return out[:n]


@helper
def way_crosses(ground: GroundArrays, numbers: Ints1, points: Floats2, scratch: Floats2) -> bool:
    """Does a path cross one of these features, or lie in it?"""
    table = ground.table
    for f in numbers:
        if table[f, 6] == 0.0:
            if line_crossings(ground, f, points).shape[0] > 0:
                return True
            continue
        for p in range(points.shape[0] - 1):
            x0, y0, x1, y1 = points[p, 0], points[p, 1], points[p + 1, 0], points[p + 1, 1]
            if leg_runs(ground, f, x0, y0, x1, y1, scratch) > 0:
                return True
    return False


@kernel
def ways_crossed(ground: GroundArrays, numbers: Ints1, paths: Paths) -> Mask:
    """Which of some paths cross one of these features, or lie in it, (n,)."""
    points, starts = paths
    n = starts.shape[0] - 1
    out = np.zeros(n, dtype=np.bool_)
    scratch = scratch_for(ground)
    for i in range(n):
        out[i] = way_crosses(ground, numbers, points[starts[i] : starts[i + 1]], scratch)
    return out
