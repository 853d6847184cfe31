"""Compiled: where bases have room."""

from __future__ import annotations

import numpy as np
from numba import njit

from sandtable.table.base_kernels import base_distance, overlapping, reach
from sandtable.table.ground_kernels import bases_over_any
from sandtable.table.look_kernels import HAIR, bases_look, notes
from sandtable.table.move_kernels import off_table
from sandtable.table.shapes import Floats, Ints, Mask


@njit(cache=True)
def room(rows: Floats, others: Floats, width: float, depth: float, slack: float, together: bool) -> Mask:
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


@njit(cache=True)
def shelters(
    edges: Floats,
    table: Floats,
    opacity: Floats,
    dry: Floats,
    smoky: Ints,
    narrow: Ints,
    touch: float,
    places: Floats,
    rows: Floats,
    width: float,
    depth: float,
    slack: float,
    barring: Ints,
    mates: Ints,
    near: float,
    eyes: Ints,
    far: float,
) -> Mask:
    """Which places have room, are near a mate, and out of sight of all eyes that are not far; see `placement`."""
    out = room(places, rows, width, depth, slack, False)
    kept = notes(eyes.shape[0], table.shape[0], smoky.shape[0], narrow.shape[0])
    there = notes(places.shape[0], table.shape[0], smoky.shape[0], narrow.shape[0])
    picks = np.empty(table.shape[0], dtype=np.int64)
    scratch = np.empty((3, 2 * edges.shape[0] + 2))
    for j in range(places.shape[0]):
        if not out[j] or bases_over_any(edges, table, barring, places[j : j + 1], HAIR)[0]:
            out[j] = False
            continue
        out[j] = False
        for k in mates:
            if base_distance(rows[k], places[j]) <= near:
                out[j] = True
                break
        for e in range(eyes.shape[0]):
            if not out[j]:
                break
            eye = rows[eyes[e]]
            out[j] = base_distance(eye, places[j]) > far or not bases_look(
                edges, table, opacity, dry, smoky, narrow, touch, eye, e, *kept, places[j], j, *there, picks, scratch
            )
    return out
