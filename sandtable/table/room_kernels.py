"""Compiled: where bases have room."""

from __future__ import annotations

import numpy as np

from sandtable.table.base_kernels import overlapping, reach
from sandtable.table.compiled import Floats1, Floats2, helper, kernel
from sandtable.table.move_kernels import off_table
from sandtable.table.shapes import Floats, Mask


@helper
def fits(row: Floats1, others: Floats2, radii: Floats1, width: float, depth: float, slack: float) -> bool:
    """Does a base lie on the table and on none of the others, whose radii are given?"""
    x, y, radius = row[1], row[2], reach(row)
    if off_table(row, x, y, width, depth):
        return False
    for j in range(others.shape[0]):
        near = radius + radii[j]
        if abs(x - others[j, 1]) < near and abs(y - others[j, 2]) < near and overlapping(row, others[j], slack):
            return False
    return True


@helper
def radii_of(rows: Floats2) -> Floats:
    out = np.empty(rows.shape[0])
    for j in range(rows.shape[0]):
        out[j] = reach(rows[j])
    return out


@kernel
def room(rows: Floats2, others: Floats2, width: float, depth: float, slack: float, together: bool) -> Mask:
    """Which bases lie on the table and on none of the others; `together`, nor on one another."""
    n = rows.shape[0]
    out = np.empty(n, dtype=np.bool_)
    radii = radii_of(others)
    for i in range(n):
        free = fits(rows[i], others, radii, width, depth, slack)
        if together:
            for k in range(n):
                if free and k != i:
                    free = not overlapping(rows[i], rows[k], slack)
        out[i] = free
    return out
