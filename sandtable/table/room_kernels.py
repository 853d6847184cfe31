"""Compiled: where bases have room."""

from __future__ import annotations

import numpy as np

from sandtable.table.base_kernels import base_distance, copy_row, far_from_all, overlapping, picked, reach
from sandtable.table.compiled import Floats1, Floats2, Ints1, Mask1, helper, kernel
from sandtable.table.ground_kernels import bases_at_any, bases_over_any, outline_cuts, point_inside
from sandtable.table.hairs import EXACT, GRID
from sandtable.table.look_kernels import bases_look, nearest_first, notes
from sandtable.table.move_kernels import off_table, stored
from sandtable.table.shapes import Floats, Ints, Mask

UNSEEN, NEWLY_SEEN, COVERED, COVERED_SEEN, EXPOSED, UNWANTED = range(6)  # how hidden a place is; see `placement.lairs`


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


@kernel
def stand(
    edges: Floats2,
    table: Floats2,
    barring: Ints1,
    zone_edges: Floats2,
    zone: Floats2,
    about: Floats2,
    x: float,
    y: float,
    others: Floats2,
    width: float,
    depth: float,
    slack: float,
) -> tuple[Floats, Mask]:
    """The rows of bases moved to a point, and which of them may stand there; see `placement.stand`."""
    rows = about.copy()
    for i in range(rows.shape[0]):
        rows[i, 1] = stored(x + rows[i, 1])
        rows[i, 2] = stored(y + rows[i, 2])
    out = room(rows, others, width, depth, slack, False)
    for i in range(rows.shape[0]):
        for f in range(zone.shape[0]):
            out[i] = (
                out[i]
                and point_inside(zone_edges, zone, f, rows[i, 1], rows[i, 2])
                and not outline_cuts(zone_edges, zone, f, rows[i], GRID)
            )
    if barring.shape[0] > 0:
        over = bases_over_any(edges, table, barring, rows, GRID)
        for i in range(rows.shape[0]):
            out[i] = out[i] and not over[i]
    return rows, out


@kernel
def lines(
    edges: Floats2,
    table: Floats2,
    barring: Ints1,
    zone_edges: Floats2,
    zone: Floats2,
    about: Floats2,
    xs: Floats1,
    others: Floats2,
    width: float,
    depth: float,
    slack: float,
    eyes: Ints1,
    apart: float,
) -> Floats:
    """Where bases may all stand, moved to some x, and far from all eyes; see `placement.lines`."""
    out = np.empty((xs.shape[0], about.shape[0], about.shape[1]))
    count = 0
    for x in xs:
        rows, good = stand(edges, table, barring, zone_edges, zone, about, x, 0.0, others, width, depth, slack)
        fine = True
        for i in range(rows.shape[0]):
            fine = fine and good[i]
            for e in eyes:
                fine = fine and base_distance(rows[i], others[e]) >= apart
        if fine:
            for i in range(rows.shape[0]):
                copy_row(rows[i], out[count, i])
            count += 1
    return out[:count]


@kernel
def ring(row: Floats1, offsets: Floats2, reach: float) -> Floats:
    out = np.empty((offsets.shape[0], row.shape[0]))
    for i in range(offsets.shape[0]):
        copy_row(row, out[i])
        out[i, 1] = stored(row[1] + reach * offsets[i, 0])
        out[i, 2] = stored(row[2] + reach * offsets[i, 1])
    return out


@helper
def stands_as(a: Floats1, b: Floats1) -> bool:
    """Are two rows the same?"""
    same = True
    for k in range(a.shape[0]):
        same = same and a[k] == b[k]
    return bool(same)


@kernel
def lairs(
    edges: Floats2,
    table: Floats2,
    opacity: Floats2,
    dry: Floats2,
    smoky: Ints1,
    narrow: Ints1,
    touch: float,
    places: Floats2,
    wanted: Mask1,
    areas: Ints1,
    lines: Ints1,
    rows: Floats2,
    stands: Ints1,
    eyes: Ints1,
    apart: Floats1,
    before: Floats2,
) -> Ints:
    """How hidden each wanted place is; see `placement.lairs`."""
    out = np.full(places.shape[0], UNWANTED, dtype=np.int64)
    enemies = picked(rows, eyes)
    now = np.empty((eyes.shape[0], 8))
    for e in range(eyes.shape[0]):
        copy_row(rows[stands[eyes[e]]], now[e])
    order = np.empty(eyes.shape[0], dtype=np.int64)
    kept = notes(eyes.shape[0], table.shape[0], smoky.shape[0], narrow.shape[0])
    then = notes(before.shape[0], table.shape[0], smoky.shape[0], narrow.shape[0])
    there = notes(places.shape[0], table.shape[0], smoky.shape[0], narrow.shape[0])
    picks = np.empty(table.shape[0], dtype=np.int64)
    scratch = np.empty((3, 2 * edges.shape[0] + 2))
    last = -1
    for j in range(places.shape[0]):
        if not wanted[j]:
            continue
        place = places[j]
        covered = (
            bases_over_any(edges, table, areas, places[j : j + 1], GRID)[0]
            or bases_at_any(edges, table, lines, places[j : j + 1], touch + EXACT)[0]
        ) and far_from_all(place, enemies, apart)
        out[j] = COVERED if covered else UNSEEN
        if covered and before.shape[0] == 0:
            # It is as good whether somebody sees it or not.
            continue
        seer = -1
        nearest_first(rows, eyes, place, last, order)
        for turn in range(order.shape[0]):
            e = int(order[turn])
            if bases_look(
                edges, table, opacity, dry, smoky, narrow, touch, now[e], e, *kept, place, j, *there, picks, scratch
            ):
                seer = last = e
                break
        if seer < 0:
            continue
        if covered:
            out[j] = COVERED_SEEN
            continue
        # Who has not moved and sees it now saw it before.
        seen = before.shape[0] == 0 or stands_as(before[seer], now[seer])
        for e in range(before.shape[0]):
            if seen:
                break
            seen = bases_look(
                edges, table, opacity, dry, smoky, narrow, touch, before[e], e, *then, place, j, *there, picks, scratch
            )
        out[j] = EXPOSED if seen else NEWLY_SEEN
    return out


@kernel
def shelters(
    edges: Floats2,
    table: Floats2,
    opacity: Floats2,
    dry: Floats2,
    smoky: Ints1,
    narrow: Ints1,
    touch: float,
    places: Floats2,
    rows: Floats2,
    width: float,
    depth: float,
    slack: float,
    barring: Ints1,
    mates: Ints1,
    near: float,
    stands: Ints1,
    eyes: Ints1,
    far: float,
) -> Mask:
    """Which places have room, are near a mate, and out of sight of all eyes that are not far; see `placement`."""
    out = room(places, rows, width, depth, slack, False)
    kept = notes(eyes.shape[0], table.shape[0], smoky.shape[0], narrow.shape[0])
    there = notes(places.shape[0], table.shape[0], smoky.shape[0], narrow.shape[0])
    picks = np.empty(table.shape[0], dtype=np.int64)
    scratch = np.empty((3, 2 * edges.shape[0] + 2))
    for j in range(places.shape[0]):
        if not out[j] or bases_over_any(edges, table, barring, places[j : j + 1], GRID)[0]:
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
            eye = rows[stands[eyes[e]]]
            out[j] = base_distance(rows[eyes[e]], places[j]) > far or not bases_look(
                edges, table, opacity, dry, smoky, narrow, touch, eye, e, *kept, places[j], j, *there, picks, scratch
            )
    return out
