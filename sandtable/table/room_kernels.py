"""Compiled: where bases have room."""

from __future__ import annotations

import numpy as np
from numba import njit

from sandtable.table.base_kernels import base_distance, far_from_all, overlapping, reach
from sandtable.table.ground_kernels import bases_at_any, bases_over_any, outline_cuts, point_inside
from sandtable.table.hairs import EXACT, GRID
from sandtable.table.look_kernels import bases_look, nearest_first, notes
from sandtable.table.move_kernels import off_table, stored
from sandtable.table.shapes import Floats, Ints, Mask

UNSEEN, NEWLY_SEEN, COVERED, COVERED_SEEN, EXPOSED, UNWANTED = range(6)  # how hidden a place is; see `placement.lairs`


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
def stand(
    edges: Floats,
    table: Floats,
    barring: Ints,
    zone_edges: Floats,
    zone: Floats,
    about: Floats,
    x: float,
    y: float,
    others: Floats,
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
        out &= ~bases_over_any(edges, table, barring, rows, GRID)
    return rows, out


@njit(cache=True)
def lines(
    edges: Floats,
    table: Floats,
    barring: Ints,
    zone_edges: Floats,
    zone: Floats,
    about: Floats,
    xs: Floats,
    others: Floats,
    width: float,
    depth: float,
    slack: float,
    eyes: Ints,
    apart: float,
) -> Floats:
    """Where bases may all stand, moved to some x, and far from all eyes; see `placement.lines`."""
    out = np.empty((xs.shape[0], about.shape[0], about.shape[1]))
    count = 0
    for x in xs:
        rows, good = stand(edges, table, barring, zone_edges, zone, about, x, 0.0, others, width, depth, slack)
        fine = bool(good.all())
        for i in range(rows.shape[0]):
            for e in eyes:
                fine = fine and base_distance(rows[i], others[e]) >= apart
        if fine:
            out[count] = rows
            count += 1
    return out[:count]


@njit(cache=True)
def ring(row: Floats, offsets: Floats, reach: float) -> Floats:
    out = np.empty((offsets.shape[0], row.shape[0]))
    for i in range(offsets.shape[0]):
        out[i] = row
        out[i, 1] = stored(row[1] + reach * offsets[i, 0])
        out[i, 2] = stored(row[2] + reach * offsets[i, 1])
    return out


@njit(cache=True)
def lairs(
    edges: Floats,
    table: Floats,
    opacity: Floats,
    dry: Floats,
    smoky: Ints,
    narrow: Ints,
    touch: float,
    places: Floats,
    wanted: Mask,
    areas: Ints,
    lines: Ints,
    rows: Floats,
    stands: Ints,
    eyes: Ints,
    apart: Floats,
    before: Floats,
) -> Ints:
    """How hidden each wanted place is; see `placement.lairs`."""
    out = np.full(places.shape[0], UNWANTED, dtype=np.int64)
    enemies, now = rows[eyes], rows[stands[eyes]]
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
        seen = before.shape[0] == 0 or (before[seer] == now[seer]).all()
        for e in range(before.shape[0]):
            if seen:
                break
            seen = bases_look(
                edges, table, opacity, dry, smoky, narrow, touch, before[e], e, *then, place, j, *there, picks, scratch
            )
        out[j] = EXPOSED if seen else NEWLY_SEEN
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
    stands: Ints,
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
