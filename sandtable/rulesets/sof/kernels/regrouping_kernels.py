"""Compiled: where the models of a unit stand that mounts or dismounts."""

from __future__ import annotations

import numpy as np

from sandtable.rulesets.sof.kernels.passage_kernels import one_chain
from sandtable.table.base_kernels import base_distance, copy_row, norm, overlapping, reach
from sandtable.table.compiled import Floats1, Floats2, Ints1, Mask1, helper, kernel
from sandtable.table.hairs import EXACT, GRID, SLACK
from sandtable.table.move_kernels import off_table, stored


@helper
def stands_clear(row: Floats1, others: Floats2, apart: float, width: float, depth: float) -> bool:
    """Is a base on the table and farther than `apart` from others?"""
    if off_table(row, row[1], row[2], width, depth):
        return False
    radius = reach(row)
    for j in range(others.shape[0]):
        other = others[j]
        near = norm(row[1] - other[1], row[2] - other[2]) - radius - reach(other) <= apart + GRID
        if near and base_distance(row, other) <= apart + EXACT:
            return False
    return True


@helper
def joins(row: Floats1, placed: Floats2, count: int, chain: float) -> bool:
    """Has a base room beside the first so many that are placed, and is it linked to one of them?"""
    linked = count == 0
    for k in range(count):
        if overlapping(row, placed[k], SLACK):
            return False
        linked = linked or base_distance(row, placed[k]) <= chain
    return linked


@helper
def next_one(rows: Floats2, waiting: Mask1, clear: Mask1, placed: Floats2, count: int, chain: float) -> int:
    """The first of those who wait that may stay where he is; else the first of them."""
    first = -1
    for i in range(rows.shape[0]):
        if waiting[i]:
            if clear[i] and joins(rows[i], placed, count, chain):
                return i
            if first < 0:
                first = i
    return first


@helper
def place_each(
    rows: Floats2,
    others: Floats2,
    around: Floats2,
    apart: float,
    chain: float,
    width: float,
    depth: float,
    waiting: Mask1,
    clear: Mask1,
    order: Ints1,
    placed: Floats2,
    spots: Floats2,
) -> bool:
    for i in range(rows.shape[0]):
        waiting[i] = True
        clear[i] = stands_clear(rows[i], others, apart, width, depth)
    for count in range(rows.shape[0]):
        number = next_one(rows, waiting, clear, placed, count, chain)
        row, here, found = rows[number], placed[count], False
        copy_row(row, here)
        for k in range(-1, around.shape[0]):
            if k >= 0:
                here[1], here[2] = stored(row[1] + around[k, 0]), stored(row[2] + around[k, 1])
            if joins(here, placed, count, chain) and stands_clear(here, others, apart, width, depth):
                found = True
                break
        if not found:
            return False
        waiting[number], order[count] = False, number
        spots[number, 0], spots[number, 1] = here[1], here[2]
    return True


@helper
def goes_back(
    own: Floats1, placed: Floats2, which: int, chain: float, before: Floats1, known: Mask1, waiting: Ints1
) -> bool:
    """Could one of those who are placed stand where he stood before? Then he does."""
    for k in range(placed.shape[0]):
        if k != which and overlapping(own, placed[k], SLACK):
            return False
    copy_row(placed[which], before)
    copy_row(own, placed[which])
    if one_chain(placed, chain, known, waiting):
        return True
    copy_row(before, placed[which])
    return False


@helper
def first_to_go_back(
    rows: Floats2,
    clear: Mask1,
    order: Ints1,
    placed: Floats2,
    chain: float,
    before: Floats1,
    known: Mask1,
    waiting: Ints1,
) -> int:
    """Who of those that have stepped aside, first come first, need not have, now that all the others are placed."""
    for k in range(order.shape[0]):
        own = rows[order[k]]
        aside = placed[k, 1] != own[1] or placed[k, 2] != own[2]
        if aside and clear[order[k]] and goes_back(own, placed, k, chain, before, known, waiting):
            return int(order[k])
    return -1


@kernel
def regrouped(
    rows: Floats2,
    others: Floats2,
    around: Floats2,
    apart: float,
    chain: float,
    width: float,
    depth: float,
    spots: Floats2,
) -> bool:
    """Does each base of a unit find a spot? Fills in where; see `regrouping`."""
    size = rows.shape[0]
    known, clear = np.empty(size, dtype=np.bool_), np.empty(size, dtype=np.bool_)
    order, waiting = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int64)
    placed, before = np.empty((size, 8)), np.empty(8)
    if not place_each(rows, others, around, apart, chain, width, depth, known, clear, order, placed, spots):
        return False
    number = first_to_go_back(rows, clear, order, placed, chain, before, known, waiting)
    while number >= 0:
        spots[number, 0], spots[number, 1] = rows[number, 1], rows[number, 2]
        number = first_to_go_back(rows, clear, order, placed, chain, before, known, waiting)
    return True
