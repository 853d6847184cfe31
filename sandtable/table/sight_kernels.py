"""Compiled kernels of sight between bases."""

from __future__ import annotations

import math

import numpy as np

from sandtable.table.base_kernels import chord, norm
from sandtable.table.compiled import Floats1, Floats2, Ints1, Ints2, Mask1, Mask2, helper, inlined, kernel
from sandtable.table.ground_kernels import GroundArrays, at_outline, point_inside, scratch_for
from sandtable.table.hairs import EXACT, GRID, NOTHING
from sandtable.table.line_kernels import feature_blocks, misses, runs
from sandtable.table.shapes import Ints, Mask

# Bases in the way are this much smaller: enough to spare neighbours in contact, less than the grid by which the
# sample points lie inside their edges, so that of three equal bases in file the middle one hides the last.
SHAVED = 0.005

UNSEEN = 99  # more than any shelter

UNKNOWN, SHUT, OPEN = 0, 1, 2  # what a memory holds of two bases: whether the ground leaves a line between them


@helper
def samples(row: Floats1, out: Floats2) -> int:
    """Sample points of a base: centre, then corners and edge midpoints, or eight on the rim. Their number."""
    out[0, 0] = row[1]
    out[0, 1] = row[2]
    if row[5] == 0.0 and row[6] == 0.0:
        return 1
    hw = row[5] - min(GRID, row[5] * 0.5)
    hd = row[6] - min(GRID, row[6] * 0.5)
    for k in range(8):
        if row[0] == 1.0:
            u = hw * math.sin(k * math.pi / 4)
            v = hw * math.cos(k * math.pi / 4)
        else:
            # Corners first, then the midpoints of front, right, back and left.
            u = hw if k < 2 or k == 5 else (-hw if k < 4 or k == 7 else 0.0)
            v = hd if k == 0 or k == 3 or k == 4 else (-hd if k < 4 or k == 6 else 0.0)
        out[k + 1, 0] = row[1] + u * row[4] + v * row[3]
        out[k + 1, 1] = row[2] - u * row[3] + v * row[4]
    return 9


@inlined
def line_stopped(
    edges: Floats2,
    table: Floats2,
    opacity: Floats2,
    blockers: Floats2,
    picks: Ints1,
    count: int,
    x0: float,
    y0: float,
    z0: float,
    x1: float,
    y1: float,
    z1: float,
    scratch: Floats2,
) -> bool:
    """Does one of the picked features (number f) or bases (number -1 - k) stop the line?

    Whatever stopped it comes first next time: neighbouring lines mostly fail at the same thing.
    """
    if x1 < x0 or (x1 == x0 and y1 < y0):
        x0, y0, z0, x1, y1, z1 = x1, y1, z1, x0, y0, z0
    dx = x1 - x0
    dy = y1 - y0
    length = math.sqrt(dx * dx + dy * dy)
    if length <= EXACT:
        return False
    ux = dx / length
    uy = dy / length
    slope = 0.0 if z0 == z1 else (z1 - z0) / length
    for k in range(count):
        f = picks[k]
        if f < 0:
            low, high = chord(blockers[-1 - f], SHAVED, x0, y0, x1, y1)
            stopped = high - low > EXACT
        elif misses(table, f, x0, y0, ux, uy, x0, min(y0, y1), x1, max(y0, y1)):
            stopped = False
        else:
            stopped = feature_blocks(edges, table, opacity, f, x0, y0, ux, uy, length, z0, slope, scratch)
        if stopped:
            picks[k], picks[0] = picks[0], f
            return True
    return False


@helper
def extents(row: Floats1, dx: float, dy: float) -> tuple[float, float]:
    """How far a base reaches from its centre along a direction (a unit vector), and across it."""
    if row[0] == 1.0:
        return row[5], row[5]
    cos = abs(row[3] * dx + row[4] * dy)
    sin = abs(row[4] * dx - row[3] * dy)
    return row[6] * cos + row[5] * sin, row[5] * cos + row[6] * sin


@helper
def shuts_off(
    ground: GroundArrays,
    f: int,
    a: Floats1,
    b: Floats1,
    dx: float,
    dy: float,
    start: float,
    end: float,
    wide: float,
    wider: float,
) -> bool:
    """Does feature f surely cut every line between two bases? Then no sampling is needed.

    It does when its outline runs right across the lane between them, and, of an area, neither base reaches into it.
    The lane goes from the centre of `a` along the unit vector, where it is `wide` to either side, and grows by `wider`
    an inch; nothing of the bases is in it from start to end.
    """
    edges, table = ground
    if start > end:
        return False
    ax, ay = a[1], a[2]
    first = int(table[f, 7])
    last = int(table[f, 8])
    px, py = edges[first, 0] - ax, edges[first, 1] - ay
    along = px * dx + py * dy
    across = px * dy - py * dx
    brim = wide + wider * along
    side = 1 if across > brim else (-1 if across < -brim else 0)
    came = side  # the side of the lane from which the outline came into it, 0 if it was beside a base since
    for e in range(first, last):
        px, py = edges[e, 2] - ax, edges[e, 3] - ay
        along_to = px * dx + py * dy
        across_to = px * dy - py * dx
        brim_to = wide + wider * along_to
        to = 1 if across_to > brim_to else (-1 if across_to < -brim_to else 0)
        if came != 0 and (side == 0 or to != side):
            enters, leaves = along, along_to
            if side != 0:
                out, out_to = across - side * brim, across_to - side * brim_to
                enters += (along_to - along) * out / (out - out_to)
            if not start <= enters <= end:
                came = 0
            elif to != 0:
                out, out_to = across - to * brim, across_to - to * brim_to
                leaves = along + (along_to - along) * out / (out - out_to)
            if not start <= leaves <= end:
                came = 0
            elif came != 0 and to == -came:
                return table[f, 6] == 0.0 or (clear_of(ground, f, a) and clear_of(ground, f, b))
        if to != 0:
            came = to
        along, across, brim, side = along_to, across_to, brim_to, to
    return False


@helper
def clear_of(ground: GroundArrays, f: int, row: Floats1) -> bool:
    """Does a base lie wholly outside an area?"""
    return not point_inside(ground, f, row[1], row[2]) and not at_outline(ground, f, row, NOTHING)


@helper
def ground_between(
    ground: GroundArrays,
    opacity: Floats2,
    a: Floats1,
    z_a: float,
    exempt_a: Mask1,
    b: Floats1,
    z_b: float,
    exempt_b: Mask1,
    touch: float,
    picks: Ints1,
) -> int:
    """Pick the features that may stop a line between two bases. How many they are; -1 if surely no line passes."""
    table = ground.table
    ra = norm(a[5], a[6])
    rb = norm(b[5], b[6])
    west = min(a[1] - ra, b[1] - rb)
    east = max(a[1] + ra, b[1] + rb)
    south = min(a[2] - ra, b[2] - rb)
    north = max(a[2] + ra, b[2] + rb)
    # All lines run in the lane between the two bases: no farther than `wide` from the line of the centres, and of the
    # smaller base less far.
    dx, dy = b[1] - a[1], b[2] - a[2]
    length = math.sqrt(dx * dx + dy * dy)
    ux, uy = (dx / length, dy / length) if length > 0.0 else (1.0, 0.0)
    along_a, across_a = extents(a, ux, uy)
    along_b, across_b = extents(b, ux, uy)
    start = along_a + NOTHING
    end = length - along_b - NOTHING
    wide = max(across_a, across_b) + NOTHING
    apart = length + (along_a - along_b if across_a < across_b else along_b - along_a)
    wider = (across_b - across_a) / apart if start < end else 0.0
    middle = across_a + NOTHING + wider * (along_a if across_a < across_b else -along_a)
    count = 0
    for f in range(table.shape[0]):
        if (
            opacity[f, 0] == 0.0
            or west > table[f, 2]
            or east < table[f, 0]
            or south > table[f, 3]
            or north < table[f, 1]
            or (exempt_a.shape[0] > 0 and exempt_a[f])
            or (exempt_b.shape[0] > 0 and exempt_b[f])
        ):
            continue
        cx = (table[f, 0] + table[f, 2]) * 0.5
        cy = (table[f, 1] + table[f, 3]) * 0.5
        off = abs(ux * (cy - a[2]) - uy * (cx - a[1]))
        if off > abs(uy) * (table[f, 2] - cx) + abs(ux) * (table[f, 3] - cy) + wide:
            continue
        if (
            opacity[f, 0] == 1.0
            and touch > 0.0
            and (at_outline(ground, f, a, touch) or at_outline(ground, f, b, touch))
        ):
            continue
        low = opacity[f, 0] < 3.0 and max(z_a, z_b) < table[f, 5]
        if low and shuts_off(ground, f, a, b, ux, uy, start, end, middle, wider):
            return -1
        picks[count] = f
        count += 1
    return count


@helper
def bases_between(
    a: Floats1,
    b: Floats1,
    blockers: Floats2,
    classes: Ints1,
    over: int,
    own_a: int,
    own_b: int,
    picks: Ints1,
    count: int,
) -> int:
    """Pick, after the first `count`, the bases that may stop a line between two others. How many are now picked."""
    dx, dy = b[1] - a[1], b[2] - a[2]
    length = math.sqrt(dx * dx + dy * dy)
    ux, uy = (dx / length, dy / length) if length > 0.0 else (1.0, 0.0)
    along_a, across_a = extents(a, ux, uy)
    along_b, across_b = extents(b, ux, uy)
    start = -along_a - NOTHING
    end = length + along_b + NOTHING
    wide = max(across_a, across_b) + NOTHING
    for k in range(blockers.shape[0]):
        if k in (own_a, own_b) or (classes.shape[0] > 0 and classes[k] < over):
            continue
        px, py = blockers[k, 1] - a[1], blockers[k, 2] - a[2]
        r = norm(blockers[k, 5], blockers[k, 6])
        along = px * ux + py * uy
        if abs(px * uy - py * ux) > wide + r or along < start - r or along > end + r:
            continue
        picks[count] = -1 - k
        count += 1
    return count


@helper
def some_line(
    ground: GroundArrays,
    opacity: Floats2,
    points_a: Floats2,
    count_a: int,
    z_a: float,
    points_b: Floats2,
    count_b: int,
    z_b: float,
    blockers: Floats2,
    picks: Ints1,
    count: int,
    scratch: Floats2,
) -> bool:
    """Does some sample point of the one base see some sample point of the other, past what is in the way?"""
    edges, table = ground
    for p in range(count_a):
        for q in range(count_b):
            if not line_stopped(
                edges, table, opacity, blockers, picks, count,
                points_a[p, 0], points_a[p, 1], z_a, points_b[q, 0], points_b[q, 1], z_b, scratch,
            ):  # fmt: skip
                return True
    return False


@kernel
def all_sight(
    ground: GroundArrays,
    opacity: Floats2,
    a: Floats2,
    b: Floats2,
    eyes_a: Floats1,
    eyes_b: Floats1,
    exempt_a: Mask2,
    exempt_b: Mask2,
    blockers: Floats2,
    own_a: Ints1,
    own_b: Ints1,
    classes: Ints1,
    over: Ints1,
    wanted: Mask2,
    touch: float,
) -> Mask:
    """Base to base sight, (n, m). Optional arrays are empty when they say nothing."""
    table = ground.table
    n, m = a.shape[0], b.shape[0]
    out = np.zeros((n, m), dtype=np.bool_)
    scratch = scratch_for(ground)
    points_a = np.empty((9, 2))
    points_b = np.empty((m, 9, 2))
    counts = np.empty(m, dtype=np.int64)
    picks = np.empty(table.shape[0] + blockers.shape[0], dtype=np.int64)
    nobody = np.empty(0, dtype=np.bool_)
    flat = eyes_a.shape[0] == 0
    for j in range(m):
        counts[j] = samples(b[j], points_b[j])
    for i in range(n):
        count_a = samples(a[i], points_a)
        for j in range(m):
            if wanted.shape[0] > 0 and not wanted[i, j]:
                continue
            z_a = -math.inf if flat else a[i, 7] + eyes_a[i]
            z_b = -math.inf if flat else b[j, 7] + eyes_b[j]
            count = ground_between(
                ground,
                opacity,
                a[i],
                z_a,
                exempt_a[i] if exempt_a.shape[0] > 0 else nobody,
                b[j],
                z_b,
                exempt_b[j] if exempt_b.shape[0] > 0 else nobody,
                touch,
                picks,
            )
            if count >= 0 and blockers.shape[0] > 0:
                count = bases_between(
                    a[i],
                    b[j],
                    blockers,
                    classes,
                    over[i] if over.shape[0] > 0 else 0,
                    own_a[i] if own_a.shape[0] > 0 else -1,
                    own_b[j] if own_b.shape[0] > 0 else -1,
                    picks,
                    count,
                )
            out[i, j] = count == 0 or (
                count > 0
                and some_line(
                    ground, opacity, points_a, count_a, z_a, points_b[j], counts[j], z_b,
                    blockers, picks, count, scratch,
                )
            )  # fmt: skip
    return out


@helper
def find_shelter(
    ground: GroundArrays, values: Ints1, a: Floats2, b: Floats2, touch: float, scratch: Floats2, out: Ints2
) -> None:
    """Fill in the best value of what shelters b[j] from a[i], (n, m)."""
    edges, table = ground
    for j in range(b.shape[0]):
        x, y = b[j, 1], b[j, 2]
        for i in range(a.shape[0]):
            out[i, j] = 0
        for f in range(table.shape[0]):
            value = values[f]
            if value == 0:
                continue
            if table[f, 6] == 1.0:
                if point_inside(ground, f, x, y):
                    for i in range(a.shape[0]):
                        out[i, j] = max(out[i, j], value)
            elif at_outline(ground, f, b[j], touch):
                for i in range(a.shape[0]):
                    if value > out[i, j]:
                        dx, dy = x - a[i, 1], y - a[i, 2]
                        length = math.sqrt(dx * dx + dy * dy)
                        if length > 0.0 and runs(
                            edges, table, f, a[i, 1], a[i, 2], dx / length, dy / length, length, scratch
                        ):  # fmt: skip
                            out[i, j] = value


@kernel
def all_shelter(ground: GroundArrays, values: Ints1, a: Floats2, b: Floats2, touch: float) -> Ints:
    """The best value of what shelters b[j] from a[i], (n, m): areas it stands in, lines it touches and fire crosses."""
    out = np.empty((a.shape[0], b.shape[0]), dtype=np.int64)
    find_shelter(ground, values, a, b, touch, scratch_for(ground), out)
    return out
