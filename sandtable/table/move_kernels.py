"""Compiled kernels of bases in motion."""

from __future__ import annotations

import math

import numpy as np

from sandtable.table.base_kernels import (
    base_distance,
    copy_row,
    norm,
    overlapping,
    reach,
    separation,
    square,
)
from sandtable.table.compiled import Floats1, Floats2, Ints1, helper, kernel
from sandtable.table.hairs import EXACT, GRID
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


@helper
def sweep(row: Floats1, here: Floats1, path: Floats2, obstacles: Floats2, slack: float) -> float:
    """Distance along the path at which the base first overlaps an obstacle that it did not overlap before.

    `here` is room for the base where the path begins.
    """
    ra = reach(row)
    copy_row(row, here)
    here[1], here[2] = path[0, 0], path[0, 1]
    gone = 0.0
    for i in range(path.shape[0] - 1):
        x, y = path[i, 0], path[i, 1]
        vx, vy = path[i + 1, 0] - x, path[i + 1, 1] - y
        length = math.sqrt(vx * vx + vy * vy)
        if length == 0.0:
            continue
        best = math.inf
        for k in range(obstacles.shape[0]):
            b = obstacles[k]
            # Too far off the line to matter?
            along = ((b[1] - x) * vx + (b[2] - y) * vy) / length
            across = ((b[1] - x) * vy - (b[2] - y) * vx) / length
            r = ra + reach(b)
            if abs(across) >= r or along <= -r or along >= length + r or overlapping(here, b, slack):
                continue
            best = min(best, first_overlap(row, x, y, vx, vy, b, slack))
        if best < math.inf:
            return gone + best * length
        gone += length
    return math.inf


@kernel
def swept(row: Floats1, path: Floats2, obstacles: Floats2, slack: float) -> float:
    return sweep(row, np.empty(row.shape[0]), path, obstacles, slack)


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
def slide_each(
    everyone: Floats2,
    numbers: Ints1,
    radii: Floats1,
    lead: Floats1,
    order: Ints1,
    dx: float,
    dy: float,
    width: float,
    depth: float,
    slack: float,
    out: Floats1,
) -> None:
    """As `slide_rows`; `radii`, `lead` and `order` are room for a number of everyone, and of those who are shifted."""
    n = numbers.shape[0]
    for k in range(everyone.shape[0]):
        radii[k] = reach(everyone[k])
    # The foremost first; among equals in the unit's order.
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


@helper
def slide_rows(
    everyone: Floats2, numbers: Ints1, dx: float, dy: float, width: float, depth: float, slack: float
) -> Floats:
    """Shift the rows of these numbers as far as each has room among everyone; the fraction that each came, (n,)."""
    n = numbers.shape[0]
    out = np.zeros(n)
    radii, lead, order = np.empty(everyone.shape[0]), np.empty(n), np.empty(n, dtype=np.int64)
    slide_each(everyone, numbers, radii, lead, order, dx, dy, width, depth, slack, out)
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
def stands_free(rows: Floats2, number: int, width: float, depth: float, slack: float) -> bool:
    """Is the row of this number on the table and on no other?"""
    row = rows[number]
    free = not off_table(row, row[1], row[2], width, depth)
    for k in range(rows.shape[0]):
        if free and k != number:
            free = not overlapping(row, rows[k], slack)
    return free


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
