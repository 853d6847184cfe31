"""Compiled kernels of bases in motion."""

from __future__ import annotations

import math

import numpy as np

from sandtable.table.base_kernels import (
    all_linked,
    base_distance,
    copy_row,
    norm,
    overlapping,
    picked,
    reach,
    separation,
    square,
)
from sandtable.table.compiled import Floats1, Floats2, Ints1, Mask1, helper, kernel
from sandtable.table.ground_kernels import point_inside
from sandtable.table.hairs import EXACT, GRID
from sandtable.table.path_kernels import any_crossed
from sandtable.table.shapes import Floats, Ints, Mask


@helper
def stored(inches: float) -> float:
    """A place as it is stored: to a hundredth of an inch, half up; the same as `shapes.snap`."""
    return math.floor(inches * 100.0 + 0.5) / 100.0


@helper
def slab(origin: float, step: float, half: float, low: float, high: float) -> tuple[float, float]:
    """Cut the span (low, high) down to where |origin + t * step| < half."""
    if abs(step) < 1e-12:
        if abs(origin) >= half:
            return 1.0, 0.0
        return low, high
    t0 = (-half - origin) / step
    t1 = (half - origin) / step
    if t0 > t1:
        t0, t1 = t1, t0
    return max(low, t0), min(high, t1)


@helper
def disc_entry(px: float, py: float, vx: float, vy: float, radius: float) -> float:
    """First t in [0, 1] at which the point p + t v lies within the radius of the origin; inf if never."""
    a = vx * vx + vy * vy
    b = px * vx + py * vy
    root = b * b - a * (px * px + py * py - radius * radius)
    if radius <= 0.0 or a == 0.0 or root <= 0.0:
        return math.inf
    root = math.sqrt(root)
    if -b + root <= 0.0 or -b - root >= a:
        return math.inf
    return max(0.0, (-b - root) / a)


@helper
def first_overlap(a: Floats1, x: float, y: float, vx: float, vy: float, b: Floats1, slack: float) -> float:
    """First t in [0, 1] at which base a, moved from (x, y) by t v, is in b by more than the slack, or inf.

    Exact. Rectangles: the depth is the least overlap along four axes, and each axis gives a span of t. A
    circle against a rectangle is a point against the rectangle grown by the radius: two boxes and four discs.
    """
    px = x - b[1]
    py = y - b[2]
    if a[0] == 1.0 and b[0] == 1.0:
        return disc_entry(px, py, vx, vy, a[5] + b[5] - slack)
    if a[0] == 0.0 and b[0] == 0.0:
        cross = abs(a[3] * b[4] - a[4] * b[3])
        dot = abs(a[3] * b[3] + a[4] * b[4])
        low, high = 0.0, 1.0
        for k in range(4):
            if k == 0:
                ax, ay = a[4], -a[3]
                half = a[5] + b[5] * dot + b[6] * cross
            elif k == 1:
                ax, ay = a[3], a[4]
                half = a[6] + b[6] * dot + b[5] * cross
            elif k == 2:
                ax, ay = b[4], -b[3]
                half = b[5] + a[5] * dot + a[6] * cross
            else:
                ax, ay = b[3], b[4]
                half = b[6] + a[6] * dot + a[5] * cross
            low, high = slab(px * ax + py * ay, vx * ax + vy * ay, half - slack, low, high)
            if low >= high:
                return math.inf
        return low
    box, radius = (a, b[5]) if a[0] == 0.0 else (b, a[5])
    # In the box's own axes; moving the box past the circle is moving the circle the other way.
    sign = -1.0 if a[0] == 0.0 else 1.0
    u = sign * (px * box[4] - py * box[3])
    v = sign * (px * box[3] + py * box[4])
    su = sign * (vx * box[4] - vy * box[3])
    sv = sign * (vx * box[3] + vy * box[4])
    grown = radius - slack
    hw, hd = box[5], box[6]
    best = math.inf
    low, high = slab(u, su, hw + grown, 0.0, 1.0)
    low, high = slab(v, sv, hd + min(grown, 0.0), low, high) if low < high else (1.0, 0.0)
    if low < high:
        best = low
    low, high = slab(u, su, hw + min(grown, 0.0), 0.0, 1.0)
    low, high = slab(v, sv, hd + grown, low, high) if low < high else (1.0, 0.0)
    if low < high:
        best = min(best, low)
    for k in range(4):
        cu = hw if k < 2 else -hw
        cv = hd if k % 2 == 0 else -hd
        best = min(best, disc_entry(u - cu, v - cv, su, sv, grown))
    return best


@kernel
def swept(row: Floats1, path: Floats2, obstacles: Floats2, slack: float) -> float:
    """Distance along the path at which the base first overlaps an obstacle that it did not overlap before."""
    ra = reach(row)
    here = row.copy()
    here[1], here[2] = path[0, 0], path[0, 1]
    ignored = np.empty(obstacles.shape[0], dtype=np.bool_)
    for k in range(obstacles.shape[0]):
        ignored[k] = overlapping(here, obstacles[k], slack)
    gone = 0.0
    for i in range(path.shape[0] - 1):
        x, y = path[i, 0], path[i, 1]
        vx, vy = path[i + 1, 0] - x, path[i + 1, 1] - y
        length = math.sqrt(vx * vx + vy * vy)
        if length == 0.0:
            continue
        best = math.inf
        for k in range(obstacles.shape[0]):
            if ignored[k]:
                continue
            b = obstacles[k]
            # Too far off the line to matter?
            along = ((b[1] - x) * vx + (b[2] - y) * vy) / length
            across = ((b[1] - x) * vy - (b[2] - y) * vx) / length
            r = ra + reach(b)
            if abs(across) >= r or along <= -r or along >= length + r:
                continue
            best = min(best, first_overlap(row, x, y, vx, vy, b, slack))
        if best < math.inf:
            return gone + best * length
        gone += length
    return math.inf


@helper
def off_table(row: Floats1, x: float, y: float, width: float, depth: float) -> bool:
    sin = abs(row[3])
    cos = abs(row[4])
    if row[0] == 1.0:
        ex = ey = row[5]
    else:
        ex = row[5] * cos + row[6] * sin
        ey = row[5] * sin + row[6] * cos
    return bool(x - ex < -GRID or y - ey < -GRID or x + ex > width + GRID or y + ey > depth + GRID)


@kernel
def all_on_table(rows: Floats2, width: float, depth: float) -> Mask:
    out = np.empty(rows.shape[0], dtype=np.bool_)
    for i in range(rows.shape[0]):
        out[i] = not off_table(rows[i], rows[i, 1], rows[i, 2], width, depth)
    return out


@helper
def slide_rows(
    everyone: Floats2, numbers: Ints1, dx: float, dy: float, width: float, depth: float, slack: float
) -> Floats:
    """Shift the rows of these numbers as far as each has room among everyone; the fraction that each came, (n,)."""
    n = numbers.shape[0]
    out = np.zeros(n)
    radii = np.empty(everyone.shape[0])
    for k in range(everyone.shape[0]):
        radii[k] = reach(everyone[k])
    # The foremost first; among equals in the unit's order.
    order = np.empty(n, dtype=np.int64)
    lead = np.empty(n)
    for i in range(n):
        lead[i] = everyone[numbers[i], 1] * dx + everyone[numbers[i], 2] * dy
        k = i
        while k > 0 and lead[order[k - 1]] < lead[i]:
            order[k] = order[k - 1]
            k -= 1
        order[k] = i
    for turn in range(n):
        i = int(order[turn])
        own = int(numbers[i])
        row = everyone[own]
        x0, y0 = row[1], row[2]
        for tenth in range(10, -1, -1):
            if tenth == 0:
                row[1], row[2] = x0, y0
                break
            x = stored(x0 + dx * tenth / 10.0)
            y = stored(y0 + dy * tenth / 10.0)
            row[1], row[2] = x, y
            free = not off_table(row, x, y, width, depth)
            for k in range(everyone.shape[0]):
                if not free:
                    break
                r = radii[k] + radii[own]
                if k != own and square(x - everyone[k, 1]) + square(y - everyone[k, 2]) < r * r:
                    free = separation(row, everyone[k])[0] >= -slack
            if free:
                out[i] = tenth / 10.0
                break
    return out


@kernel
def slide_all(
    rows: Floats2, dx: float, dy: float, obstacles: Floats2, width: float, depth: float, slack: float
) -> tuple[Floats, Floats]:
    n = rows.shape[0]
    everyone = np.empty((n + obstacles.shape[0], 8))
    for i in range(n):
        copy_row(rows[i], everyone[i])
    for i in range(obstacles.shape[0]):
        copy_row(obstacles[i], everyone[n + i])
    fractions = slide_rows(everyone, np.arange(n), dx, dy, width, depth, slack)
    return fractions, everyone[:n]


@kernel
def march(
    rows: Floats2,
    numbers: Ints1,
    turning: Mask1,
    bound: Mask1,
    sin: float,
    cos: float,
    dx: float,
    dy: float,
    width: float,
    depth: float,
    slack: float,
    enemies: Ints1,
    unit: Ints1,
    leader: int,
    limits: Floats1,
) -> tuple[Floats, int]:
    """A unit shifted on a table where everybody stands: the ends of its bases (n, 2), and 0 if they are well.

    1: one ends on a base that stayed as it was instead of turning, or a bound base passes over an enemy or breaks the
    cohesion of its unit. 2: one was out of cohesion before, and its way must be looked at.
    """
    n = numbers.shape[0]
    everyone = rows.copy()
    for i in range(n):
        if turning[i]:
            everyone[numbers[i], 3], everyone[numbers[i], 4] = sin, cos
    slide_rows(everyone, numbers, dx, dy, width, depth, slack)
    ends = np.empty((n, 2))
    gone = np.zeros(rows.shape[0], dtype=np.bool_)
    for i in range(n):
        k = int(numbers[i])
        ends[i, 0], ends[i, 1] = everyone[k, 1], everyone[k, 2]
        gone[k] = ends[i, 0] != rows[k, 1] or ends[i, 1] != rows[k, 2]
        if not gone[k]:
            copy_row(rows[k], everyone[k])
    path = np.empty((2, 2))
    foes = picked(rows, enemies)
    for i in range(n):
        k = int(numbers[i])
        if turning[i] and not gone[k]:
            for j in range(n):
                if gone[numbers[j]] and overlapping(everyone[k], everyone[numbers[j]], slack):
                    return ends, 1
        if gone[k] and bound[i]:
            path[0, 0], path[0, 1], path[1, 0], path[1, 1] = rows[k, 1], rows[k, 2], ends[i, 0], ends[i, 1]
            if swept(rows[k], path, foes, slack) < math.inf:
                return ends, 1
    for i in range(n):
        gone[numbers[i]] = gone[numbers[i]] and bound[i]
    if leader >= 0 and unit.shape[0] > 1:
        return ends, cohesion_kept(rows, everyone, unit, gone, leader, limits)
    return ends, 0


@helper
def cohesion_kept(before: Floats2, after: Floats2, unit: Ints1, gone: Mask1, leader: int, limits: Floats1) -> int:
    """0 if whoever has gone keeps cohesion and half of the unit does, 1 if not, 2 if one that had none has gone."""
    had = all_linked(picked(before, unit), leader, limits)
    has = all_linked(picked(after, unit), leader, limits)
    count, former = 0, 0
    verdict = 0
    for i in range(unit.shape[0]):
        count += has[i]
        former += had[i]
        if gone[unit[i]] and had[i] and not has[i]:
            return 1
        if gone[unit[i]] and not had[i]:
            verdict = 2
    return 1 if count * 2 < unit.shape[0] and count < former else verdict


@kernel
def stands_free(rows: Floats2, number: int, width: float, depth: float, slack: float) -> bool:
    """Is the row of this number on the table and on no other?"""
    row = rows[number]
    free = not off_table(row, row[1], row[2], width, depth)
    for k in range(rows.shape[0]):
        if free and k != number:
            free = not overlapping(row, rows[k], slack)
    return free


@kernel
def all_settle(rows: Floats2, numbers: Ints1, ends: Floats2, width: float, depth: float, slack: float) -> bool:
    """Would the rows of these numbers all stand free, if they stood and faced (x, y, sin, cos) at these ends?"""
    everyone = rows.copy()
    for i in range(numbers.shape[0]):
        copy_row(ends[i], everyone[numbers[i], 1:5])
    free = True
    for number in numbers:
        free = free and stands_free(everyone, number, width, depth, slack)
    return free


@kernel
def room_for(
    rows: Floats2, standing: Floats2, edges: Floats2, table: Floats2, width: float, depth: float, slack: float
) -> bool:
    """Are all bases on the table, centred in the first area, and on nobody?"""
    n = rows.shape[0]
    for i in range(n):
        x, y = rows[i, 1], rows[i, 2]
        if off_table(rows[i], x, y, width, depth) or not point_inside(edges, table, 0, x, y):
            return False
        for k in range(i + 1, n):
            if overlapping(rows[i], rows[k], slack):
                return False
        for k in range(standing.shape[0]):
            if overlapping(rows[i], standing[k], slack):
                return False
    return True


@kernel
def any_within(rows: Floats2, a: Ints1, b: Ints1, far: float) -> bool:
    """Is any row of these numbers within a distance of any of those?"""
    for i in a:
        for j in b:
            gap = norm(rows[i, 1] - rows[j, 1], rows[i, 2] - rows[j, 2]) - reach(rows[i]) - reach(rows[j])
            if gap <= far + EXACT and base_distance(rows[i], rows[j]) <= far:
                return True
    return False


@kernel
def pairs_within(rows: Floats2, a: Ints1, b: Ints1, far: float) -> Ints:
    """Which of the rows of these numbers are within a distance of which of those, as pairs (k, 2)."""
    out = np.empty((a.shape[0] * b.shape[0], 2), dtype=np.int64)
    count = 0
    for i in range(a.shape[0]):
        for j in range(b.shape[0]):
            if any_within(rows, a[i : i + 1], b[j : j + 1], far):
                out[count, 0], out[count, 1] = i, j
                count += 1
    return out[:count]


@kernel
def which_within(rows: Floats2, a: Ints1, b: Ints1, far: float) -> Mask:
    """Which rows of these numbers are within a distance of any of those? (n,)"""
    out = np.zeros(a.shape[0], dtype=np.bool_)
    for i in range(a.shape[0]):
        out[i] = any_within(rows, a[i : i + 1], b, far)
    return out


@kernel
def stages(rows: Floats2, numbers: Ints1, ways: Floats2, parts: Floats1) -> Floats:
    """The rows of these numbers at parts of their ways, stage by stage; those beyond the ways stay, (k * n, 8)."""
    n = numbers.shape[0]
    out = np.empty((parts.shape[0] * n, rows.shape[1]))
    for p in range(parts.shape[0]):
        for i in range(n):
            copy_row(rows[numbers[i]], out[p * n + i])
            if i < ways.shape[0]:
                out[p * n + i, 1] = stored(ways[i, 0] + (ways[i, 2] - ways[i, 0]) * parts[p])
                out[p * n + i, 2] = stored(ways[i, 1] + (ways[i, 3] - ways[i, 1]) * parts[p])
                out[p * n + i, 3], out[p * n + i, 4] = ways[i, 4], ways[i, 5]
    return out


@kernel
def any_swept(rows: Floats2, ends: Floats2, obstacles: Floats2, slack: float) -> int:
    """The first base that overlaps an obstacle on its straight way to its end, or -1."""
    path = np.empty((2, 2))
    for i in range(rows.shape[0]):
        path[0, 0], path[0, 1] = rows[i, 1], rows[i, 2]
        path[1, 0], path[1, 1] = ends[i, 1], ends[i, 2]
        if swept(rows[i], path, obstacles, slack) < math.inf:
            return i
    return -1


@kernel
def arrive_freely(
    rows: Floats2,
    numbers: Ints1,
    ends: Floats2,
    points: Floats2,
    starts: Ints1,
    lengths: Floats1,
    enemies: Ints1,
    width: float,
    depth: float,
    slack: float,
    contact: float,
) -> bool:
    """Do bases come to their ends (x, y, sin, cos) without meeting anybody? See `moves.arrive_freely`."""
    everyone = rows.copy()
    for i in range(numbers.shape[0]):
        copy_row(ends[i, :4], everyone[numbers[i], 1:5])
    foes = picked(rows, enemies)
    for i in range(numbers.shape[0]):
        number = numbers[i]
        row = everyone[number]
        if not stands_free(everyone, number, width, depth, slack):
            return False
        for k in range(foes.shape[0]):
            gap = norm(row[1] - foes[k, 1], row[2] - foes[k, 2]) - reach(row) - reach(foes[k])
            if gap <= contact and base_distance(row, foes[k]) <= contact:
                return False
        if swept(row, points[starts[i] : starts[i + 1]], foes, slack) < lengths[i]:
            return False
    return True


@kernel
def shift(
    rows: Floats2,
    numbers: Ints1,
    turning: Mask1,
    sin: float,
    cos: float,
    dx: float,
    dy: float,
    width: float,
    depth: float,
    slack: float,
    enemies: Ints1,
    contact: float,
    edges: Floats2,
    table: Floats2,
    barring: Ints1,
) -> tuple[Floats, int]:
    """Bases shifted on a table where everybody stands: their ends (n, 2), and a verdict; see `moves.shift`."""
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
    foes = picked(rows, enemies)
    path = np.empty((2, 2))
    near = False
    for i in range(n):
        k = numbers[i]
        if ends[i, 0] == rows[k, 1] and ends[i, 1] == rows[k, 2]:
            continue
        row = everyone[k]
        path[0, 0], path[0, 1], path[1, 0], path[1, 1] = rows[k, 1], rows[k, 2], ends[i, 0], ends[i, 1]
        if swept(row, path, foes, slack) < math.inf:
            return ends, 1
        for j in range(foes.shape[0]):
            gap = norm(row[1] - foes[j, 1], row[2] - foes[j, 2]) - reach(row) - reach(foes[j])
            near = near or (gap <= contact and base_distance(row, foes[j]) <= contact)
    if near or (turned and gone < n):
        return ends, 2
    if barring.shape[0] > 0 and any_crossed(edges, table, barring, lines[:gone]).any():
        return ends, 3
    return ends, 0
