"""Compiled: where a whole unit could be set down."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sandtable.table.base_kernels import base_distance, copy_row, overlapping, reach
from sandtable.table.compiled import Floats2, Ints1, Mask1, helper, kernel
from sandtable.table.ground_kernels import GroundArrays, outline_cuts, over_any, point_inside
from sandtable.table.hairs import EXACT, GRID, SLACK
from sandtable.table.move_kernels import off_table, stored


class Company(NamedTuple):
    """Everybody who stands on a table: their rows, and from whom whoever is set down must keep his distance."""

    rows: Floats2
    counts: Mask1
    apart: float
    width: float
    depth: float


@helper
def stands(
    rows: Floats2,
    others: Floats2,
    counts: Mask1,
    apart: float,
    width: float,
    depth: float,
    zone: GroundArrays,
    ground: GroundArrays,
    barring: Ints1,
) -> bool:
    """Are all bases on the table, wholly in the zone, on ground where they can stand, and clear of everybody?"""
    for i in range(rows.shape[0]):
        row = rows[i]
        if off_table(row, row[1], row[2], width, depth):
            return False
        if not point_inside(zone, 0, row[1], row[2]) or outline_cuts(zone, 0, row, GRID):
            return False
    for i in range(rows.shape[0]):
        row = rows[i]
        radius = reach(row)
        for j in range(others.shape[0]):
            near = radius + reach(others[j]) + apart + GRID
            if abs(row[1] - others[j, 1]) < near and abs(row[2] - others[j, 2]) < near:
                if overlapping(row, others[j], SLACK):
                    return False
                if counts[j] and base_distance(row, others[j]) <= apart + EXACT:
                    return False
        if over_any(ground, barring, row, GRID):
            return False
    return True


@helper
def ranks_at(about: Floats2, x: float, y: float, rows: Floats2) -> None:
    for i in range(about.shape[0]):
        rows[i, 1] = stored(about[i, 1] + x)
        rows[i, 2] = stored(about[i, 2] + y)


@helper
def first_of_ranks(
    about: Floats2,
    rows: Floats2,
    points: Floats2,
    begin: int,
    others: Floats2,
    counts: Mask1,
    apart: float,
    width: float,
    depth: float,
    zone: GroundArrays,
    ground: GroundArrays,
    barring: Ints1,
) -> int:
    for i in range(about.shape[0]):
        copy_row(about[i], rows[i])
    for k in range(begin, points.shape[0]):
        ranks_at(about, points[k, 0], points[k, 1], rows)
        if stands(rows, others, counts, apart, width, depth, zone, ground, barring):
            return k
    return -1


@kernel
def first_ranks(
    about: Floats2,
    points: Floats2,
    begin: int,
    company: Company,
    zone: GroundArrays,
    ground: GroundArrays,
    barring: Ints1,
) -> int:
    """The first point from `begin` on about which ranks stand well; -1 if there is none."""
    others, counts, apart, width, depth = company
    rows = np.empty(about.shape)
    return first_of_ranks(about, rows, points, begin, others, counts, apart, width, depth, zone, ground, barring)


@helper
def body_at(slots: Floats2, sin: float, cos: float, x: float, y: float, rows: Floats2) -> None:
    for i in range(slots.shape[0]):
        right, back = slots[i, 0], slots[i, 1]
        rows[i, 1] = stored(x + right * cos - back * sin)
        rows[i, 2] = stored(y - right * sin - back * cos)


@helper
def first_of_bodies(
    about: Floats2,
    slots: Floats2,
    sin: float,
    cos: float,
    rows: Floats2,
    points: Floats2,
    begin: int,
    others: Floats2,
    counts: Mask1,
    apart: float,
    width: float,
    depth: float,
    zone: GroundArrays,
    ground: GroundArrays,
    barring: Ints1,
) -> int:
    for i in range(about.shape[0]):
        copy_row(about[i], rows[i])
    for k in range(begin, points.shape[0]):
        body_at(slots, sin, cos, points[k, 0], points[k, 1], rows)
        if stands(rows, others, counts, apart, width, depth, zone, ground, barring):
            return k
    return -1


@kernel
def first_body(
    about: Floats2,
    slots: Floats2,
    sin: float,
    cos: float,
    points: Floats2,
    begin: int,
    company: Company,
    zone: GroundArrays,
    ground: GroundArrays,
    barring: Ints1,
) -> int:
    """The first point from `begin` on where a body with its front there stands well; -1 if there is none.

    A slot is how far to the right and how far back of the middle of the front rank somebody stands.
    """
    others, counts, apart, width, depth = company
    rows = np.empty(about.shape)
    return first_of_bodies(
        about, slots, sin, cos, rows, points, begin, others, counts, apart, width, depth, zone, ground, barring
    )
