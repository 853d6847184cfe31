"""Compiled primitives on body rows: separation, distance, arcs."""

from __future__ import annotations

import math

import numpy as np

from sandtable.table.compiled import Floats1, Floats2, Ints1, helper, kernel
from sandtable.table.hairs import EXACT
from sandtable.table.shapes import Floats, Ints, Mask

# Positions are stored on a 0.01 grid: stepping back this much and rounding (at most half the diagonal of a
# cell, 0.00708) never ends in the target and never leaves a gap above 0.0143.
STEP_BACK = 0.0072

FAR = 1e4


@helper
def square(x: float) -> float:
    """Not `x ** 2`: that is a power in Python and a product when compiled, and the last bit may differ."""
    return x * x


@helper
def copy_row(row: Floats1, to: Floats1) -> None:
    """Number by number, as in `picked`: assigning whole arrays takes the compiler seconds."""
    for k in range(row.shape[0]):
        to[k] = row[k]


@helper
def picked(rows: Floats2, numbers: Ints1) -> Floats:
    """The rows of these numbers."""
    out = np.empty((numbers.shape[0], rows.shape[1]))
    for i in range(numbers.shape[0]):
        copy_row(rows[numbers[i]], out[i])
    return out


@helper
def norm(x: float, y: float) -> float:
    """How long a vector is. Not `math.hypot`: Python's own differs from the system's in the last bit."""
    return math.sqrt(x * x + y * y)


@helper
def box_distance(row: Floats1, px: float, py: float) -> float:
    """Distance of a point from a rectangle row (0 inside)."""
    dx = px - row[1]
    dy = py - row[2]
    u = abs(dx * row[4] - dy * row[3]) - row[5]
    v = abs(dx * row[3] + dy * row[4]) - row[6]
    if u <= 0.0:
        return v if v > 0.0 else 0.0
    if v <= 0.0:
        return float(u)
    return math.sqrt(u * u + v * v)


@helper
def point_distance(row: Floats1, px: float, py: float) -> float:
    """Distance of a point from a base (0 inside)."""
    if row[0] == 0.0:
        return box_distance(row, px, py)
    d = norm(px - row[1], py - row[2]) - row[5]
    return d if d > 0.0 else 0.0


@helper
def clamped(row: Floats1, px: float, py: float) -> tuple[float, float]:
    """The point of the base nearest to a point."""
    dx = px - row[1]
    dy = py - row[2]
    if row[0] == 0.0:
        u = min(max(dx * row[4] - dy * row[3], -row[5]), row[5])
        v = min(max(dx * row[3] + dy * row[4], -row[6]), row[6])
        return row[1] + u * row[4] + v * row[3], row[2] - u * row[3] + v * row[4]
    d = math.sqrt(dx * dx + dy * dy)
    if d <= row[5]:
        return px, py
    return row[1] + dx / d * row[5], row[2] + dy / d * row[5]


@helper
def reach(row: Floats1) -> float:
    """Radius of the circle round a base."""
    if row[0] == 0.0:
        return math.sqrt(row[5] * row[5] + row[6] * row[6])
    return float(row[5])


@helper
def corner(row: Floats1, k: int) -> tuple[float, float]:
    """The k-th corner of a rectangle row."""
    u = row[5] if k < 2 else -row[5]
    v = row[6] if k == 0 or k == 3 else -row[6]
    return row[1] + u * row[4] + v * row[3], row[2] - u * row[3] + v * row[4]


@kernel
def separation(a: Floats1, b: Floats1) -> tuple[float, float, float]:
    """(s, nx, ny): negative s is how deep the bases interpenetrate and n the way to push `a` out of `b`.

    Positive s is a lower bound of their distance (the distance itself when a circle is involved).
    """
    dx = a[1] - b[1]
    dy = a[2] - b[2]
    if a[0] == 0.0 and b[0] == 0.0:
        best = -math.inf
        nx = 0.0
        ny = 0.0
        cross = abs(a[3] * b[4] - a[4] * b[3])
        dot = abs(a[3] * b[3] + a[4] * b[4])
        for k in range(4):
            if k == 0:
                ax, ay = a[4], -a[3]
                r = a[5] + b[5] * dot + b[6] * cross
            elif k == 1:
                ax, ay = a[3], a[4]
                r = a[6] + b[6] * dot + b[5] * cross
            elif k == 2:
                ax, ay = b[4], -b[3]
                r = b[5] + a[5] * dot + a[6] * cross
            else:
                ax, ay = b[3], b[4]
                r = b[6] + a[6] * dot + a[5] * cross
            along = dx * ax + dy * ay
            s = abs(along) - r
            if s > best:
                best = s
                sign = 1.0 if along >= 0.0 else -1.0
                nx, ny = ax * sign, ay * sign
        return best, nx, ny
    if a[0] == 1.0 and b[0] == 1.0:
        d = math.sqrt(dx * dx + dy * dy)
        if d == 0.0:
            return -(a[5] + b[5]), 1.0, 0.0
        return d - a[5] - b[5], dx / d, dy / d
    if a[0] == 1.0:
        box, radius, sign = b, a[5], 1.0
    else:
        box, radius, sign = a, b[5], -1.0
        dx, dy = -dx, -dy
    # (dx, dy) is now the circle's centre seen from the box.
    u = dx * box[4] - dy * box[3]
    v = dx * box[3] + dy * box[4]
    over_u = abs(u) - box[5]
    over_v = abs(v) - box[6]
    su = 1.0 if u >= 0.0 else -1.0
    sv = 1.0 if v >= 0.0 else -1.0
    if over_u > 0.0 and over_v > 0.0:
        d = math.sqrt(over_u * over_u + over_v * over_v)
        nu, nv = su * over_u / d, sv * over_v / d
    elif over_u > over_v:
        d = over_u
        nu, nv = su, 0.0
    else:
        d = over_v
        nu, nv = 0.0, sv
    return d - radius, sign * (nu * box[4] + nv * box[3]), sign * (-nu * box[3] + nv * box[4])


@helper
def overlapping(a: Floats1, b: Floats1, slack: float) -> bool:
    """Do the bases interpenetrate by more than the slack?"""
    r = reach(a) + reach(b)
    if square(a[1] - b[1]) + square(a[2] - b[2]) >= r * r:
        return False
    return separation(a, b)[0] < -slack


@kernel
def base_distance(a: Floats1, b: Floats1) -> float:
    s = separation(a, b)[0]
    if s <= 0.0:
        return 0.0
    if a[0] == 1.0 or b[0] == 1.0:
        return s
    best = math.inf
    for k in range(4):
        x, y = corner(a, k)
        best = min(best, box_distance(b, x, y))
        x, y = corner(b, k)
        best = min(best, box_distance(a, x, y))
    return best


@helper
def chord(row: Floats1, hair: float, ax: float, ay: float, bx: float, by: float) -> tuple[float, float]:
    """(t0, t1): where along the segment it runs inside the base shrunk by a hair; t0 > t1 when nowhere."""
    dx, dy = bx - ax, by - ay
    if row[0] == 1.0:
        radius = row[5] - hair
        px, py = ax - row[1], ay - row[2]
        a = dx * dx + dy * dy
        b = px * dx + py * dy
        c = px * px + py * py - radius * radius
        if radius < 0.0 or (a == 0.0 and c > 0.0):
            return 1.0, 0.0
        if a == 0.0:
            return 0.0, 1.0
        root = b * b - a * c
        if root < 0.0:
            return 1.0, 0.0
        root = math.sqrt(root)
        return max(0.0, (-b - root) / a), min(1.0, (-b + root) / a)
    low = 0.0
    high = 1.0
    for k in range(2):
        if k == 0:
            origin = (ax - row[1]) * row[4] - (ay - row[2]) * row[3]
            step = dx * row[4] - dy * row[3]
            half = row[5] - hair
        else:
            origin = (ax - row[1]) * row[3] + (ay - row[2]) * row[4]
            step = dx * row[3] + dy * row[4]
            half = row[6] - hair
        if abs(step) < 1e-12:
            if abs(origin) > half:
                return 1.0, 0.0
            continue
        t0 = (-half - origin) / step
        t1 = (half - origin) / step
        if t0 > t1:
            t0, t1 = t1, t0
        if half < 0.0:
            return 1.0, 0.0
        low = max(low, t0)
        high = min(high, t1)
    return low, high


@helper
def shared(a: Floats1, b: Floats1) -> tuple[float, float]:
    """A point of both bases, which must overlap."""
    if b[0] == 1.0:
        return clamped(a, b[1], b[2])
    if a[0] == 1.0:
        return clamped(b, a[1], a[2])
    for k in range(4):
        ax, ay = corner(a, k)
        bx, by = corner(a, (k + 1) % 4)
        low, high = chord(b, 0.0, ax, ay, bx, by)
        if low <= high:
            part = (low + high) / 2
            return ax + part * (bx - ax), ay + part * (by - ay)
    # No edge of `a` meets `b`: one contains the other, or they touch within the last bit.
    return clamped(a, b[1], b[2])


@helper
def nearest(a: Floats1, b: Floats1) -> tuple[float, float, float, float]:
    """(ax, ay, bx, by): the nearest points of two bases; one and the same point when they overlap."""
    if separation(a, b)[0] <= 0.0:
        x, y = shared(a, b)
        return x, y, x, y
    if a[0] == 1.0:
        bx, by = clamped(b, a[1], a[2])
        ax, ay = clamped(a, bx, by)
        return ax, ay, bx, by
    if b[0] == 1.0:
        ax, ay = clamped(a, b[1], b[2])
        bx, by = clamped(b, ax, ay)
        return ax, ay, bx, by
    best = math.inf
    pax, pay, pbx, pby = 0.0, 0.0, 0.0, 0.0
    for k in range(4):
        x, y = corner(a, k)
        d = box_distance(b, x, y)
        if d < best:
            best = d
            pax, pay = x, y
            pbx, pby = clamped(b, x, y)
        x, y = corner(b, k)
        d = box_distance(a, x, y)
        if d < best:
            best = d
            pbx, pby = x, y
            pax, pay = clamped(a, x, y)
    return pax, pay, pbx, pby


@kernel
def contact(a: Floats1, b: Floats1) -> tuple[float, float]:
    """Where `a`, translated the shortest way, just touches `b`."""
    s, nx, ny = separation(a, b)
    if s > 0.0:
        ax, ay, bx, by = nearest(a, b)
        s = norm(ax - bx, ay - by)
        if s > EXACT:
            nx, ny = (ax - bx) / s, (ay - by) / s
    shift = s - STEP_BACK
    x = a[1] - nx * shift
    y = a[2] - ny * shift
    return math.floor(x * 100.0 + 0.5) / 100.0, math.floor(y * 100.0 + 0.5) / 100.0


@helper
def ray_meets(row: Floats1, x: float, y: float, dx: float, dy: float) -> bool:
    """Does the ray from (x, y) along the unit vector meet the base? It is long enough for any table."""
    low, high = chord(row, -EXACT, x, y, x + FAR * dx, y + FAR * dy)
    return low <= high


@kernel
def arc_meets(x: float, y: float, facing: float, width: float, row: Floats1) -> bool:
    """Does any part of the base lie in the arc?

    A base is in one piece: it meets the arc when one of the two bounding rays meets it, or its centre is in.
    """
    if width >= 360.0 or point_distance(row, x, y) == 0.0:
        return True
    angle = math.degrees(math.atan2(row[1] - x, row[2] - y)) - facing
    if abs((angle + 180.0) % 360.0 - 180.0) <= width / 2 + EXACT:
        return True
    left = math.radians(facing - width / 2)
    right = math.radians(facing + width / 2)
    return ray_meets(row, x, y, math.sin(left), math.cos(left)) or ray_meets(
        row, x, y, math.sin(right), math.cos(right)
    )


@kernel
def all_distances(a: Floats2, b: Floats2) -> Floats:
    out = np.empty((a.shape[0], b.shape[0]))
    for i in range(a.shape[0]):
        for j in range(b.shape[0]):
            out[i, j] = base_distance(a[i], b[j])
    return out


@kernel
def all_nearest(a: Floats2, b: Floats2) -> Floats:
    out = np.full(a.shape[0], math.inf)
    for i in range(a.shape[0]):
        for j in range(b.shape[0]):
            # Only a base that may be nearer is worth measuring exactly.
            gap = norm(a[i, 1] - b[j, 1], a[i, 2] - b[j, 2]) - reach(a[i]) - reach(b[j])
            if gap < out[i]:
                out[i] = min(out[i], base_distance(a[i], b[j]))
    return out


@kernel
def group_gaps(a: Floats2, b: Floats2, groups: Ints1, count: int) -> Floats:
    """How far the nearest base of each group of `b`, by their numbers, is from the nearest of `a`, (count,)."""
    out = np.full(count, math.inf)
    for j in range(b.shape[0]):
        g = groups[j]
        for i in range(a.shape[0]):
            gap = norm(a[i, 1] - b[j, 1], a[i, 2] - b[j, 2]) - reach(a[i]) - reach(b[j])
            if gap < out[g]:
                out[g] = min(out[g], base_distance(a[i], b[j]))
    return out


@kernel
def chains(rows: Floats2, far: float) -> Ints:
    """To which chain each base belongs, numbered by their first members: no gap in a chain is wider than `far`."""
    count = rows.shape[0]
    out = np.full(count, -1, dtype=np.int64)
    waiting = np.empty(count, dtype=np.int64)
    number = 0
    for first in range(count):
        if out[first] >= 0:
            continue
        out[first] = number
        waiting[0] = first
        left = 1
        while left > 0:
            left -= 1
            i = waiting[left]
            for j in range(count):
                if out[j] < 0 and base_distance(rows[i], rows[j]) <= far:
                    out[j] = number
                    waiting[left] = j
                    left += 1
        number += 1
    return out


@kernel
def all_overlaps(a: Floats2, b: Floats2, slack: float) -> Mask:
    out = np.empty((a.shape[0], b.shape[0]), dtype=np.bool_)
    for i in range(a.shape[0]):
        for j in range(b.shape[0]):
            out[i, j] = overlapping(a[i], b[j], slack)
    return out


@kernel
def all_arcs(a: Floats2, facings: Floats1, width: float, b: Floats2) -> Mask:
    """Bases a looking along facings; a facing of nan looks all round."""
    out = np.empty((a.shape[0], b.shape[0]), dtype=np.bool_)
    for i in range(a.shape[0]):
        for j in range(b.shape[0]):
            out[i, j] = math.isnan(facings[i]) or arc_meets(a[i, 1], a[i, 2], facings[i], width, b[j])
    return out


@kernel
def all_point_distances(rows: Floats2, points: Floats2) -> Floats:
    out = np.empty((rows.shape[0], points.shape[0]))
    for i in range(rows.shape[0]):
        for j in range(points.shape[0]):
            out[i, j] = point_distance(rows[i], points[j, 0], points[j, 1])
    return out
