"""Compiled: where bases have room."""

from __future__ import annotations

import numpy as np

from sandtable.table.base_kernels import overlapping, reach
from sandtable.table.compiled import Floats2, kernel
from sandtable.table.move_kernels import off_table
from sandtable.table.shapes import Mask


@kernel
def room(rows: Floats2, others: Floats2, width: float, depth: float, slack: float, together: bool) -> Mask:
    """Which bases lie on the table and on none of the others; `together`, nor on one another."""
    n, many = rows.shape[0], others.shape[0]
    out = np.empty(n, dtype=np.bool_)
    radii = np.empty(many)
    for j in range(many):
        radii[j] = reach(others[j])
    for i in range(n):
        x, y, radius = rows[i, 1], rows[i, 2], reach(rows[i])
        free = not off_table(rows[i], x, y, width, depth)
        for j in range(many):
            if not free:
                break
            near = radius + radii[j]
            if abs(x - others[j, 1]) < near and abs(y - others[j, 2]) < near:
                free = not overlapping(rows[i], others[j], slack)
        if together:
            for k in range(n):
                if free and k != i:
                    free = not overlapping(rows[i], rows[k], slack)
        out[i] = free
    return out
