"""Compiled kernels of what is near, or surely far."""

from __future__ import annotations

import math

import numpy as np

from sandtable.table.base_kernels import base_distance, norm, overlapping, point_distance, reach
from sandtable.table.compiled import Floats1, Floats2, Ints1, helper, kernel
from sandtable.table.hairs import EXACT, GRID, NOTHING
from sandtable.table.shapes import Ints


@helper
def far_from_all(row: Floats1, eyes: Floats2, apart: Floats1) -> bool:
    for j in range(eyes.shape[0]):
        # Only a base that may be too near is worth measuring exactly.
        gap = norm(row[1] - eyes[j, 1], row[2] - eyes[j, 2]) - reach(row) - reach(eyes[j])
        if gap < apart[j] and base_distance(row, eyes[j]) < apart[j] - EXACT:
            return False
    return True


@kernel
def some_apart(rows: Floats2, others: Floats2, slack: float, eyes: Floats2, apart: Floats1) -> bool:
    for i in range(rows.shape[0]):
        good = True
        for j in range(others.shape[0]):
            if overlapping(rows[i], others[j], slack):
                good = False
                break
        if good and far_from_all(rows[i], eyes, apart):
            return True
    return False


@kernel
def nearest_to(rows: Floats2, number: int, first: int, last: int, limit: float) -> int:
    """Which of some rows is nearest to the one of this number, and within the limit; see `neighbours.nearest_to`."""
    row = rows[number]
    found, least = number, math.inf
    for k in range(first, last):
        if k == number:
            continue
        gap = norm(rows[k, 1] - row[1], rows[k, 2] - row[2]) - reach(rows[k]) - reach(row)
        if gap > limit + NOTHING:
            continue
        gap = base_distance(row, rows[k])
        if gap < least and gap <= limit:
            found, least = k, gap
    return found


@kernel
def flags_near(rows: Floats2, flags: Ints1, points: Floats2, limit: float) -> Ints:
    out = np.zeros(points.shape[0], dtype=np.int64)
    for i in range(rows.shape[0]):
        far = limit + reach(rows[i]) + GRID
        for j in range(points.shape[0]):
            x, y = points[j, 0], points[j, 1]
            if abs(rows[i, 1] - x) <= far and abs(rows[i, 2] - y) <= far and point_distance(rows[i], x, y) <= limit:
                out[j] |= flags[i]
    return out


@kernel
def any_beyond(rows: Floats2, numbers: Ints1, y: float, below: bool) -> bool:
    for number in numbers:
        row = rows[number]
        half = row[5] * abs(row[3]) + row[6] * abs(row[4])
        if row[2] - half < y if below else row[2] + half > y:
            return True
    return False
