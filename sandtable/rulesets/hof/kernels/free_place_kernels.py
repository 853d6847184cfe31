"""Compiled: where bases have room."""

from __future__ import annotations

import numpy as np

from sandtable.rulesets.hof.kernels.ground_sight_kernels import Lens, bases_look, nearest_first, notes
from sandtable.rulesets.hof.kernels.neighbour_kernels import far_from_all
from sandtable.table.base_kernels import base_distance, copy_row, picked
from sandtable.table.compiled import Floats1, Floats2, Ints1, Mask1, helper, kernel
from sandtable.table.ground_kernels import (
    GroundArrays,
    bases_at_any,
    bases_over_any,
    outline_cuts,
    point_inside,
    scratch_for,
)
from sandtable.table.hairs import EXACT, GRID
from sandtable.table.move_kernels import stored
from sandtable.table.room_kernels import room
from sandtable.table.shapes import Floats, Ints, Mask

UNSEEN, NEWLY_SEEN, COVERED, COVERED_SEEN, EXPOSED, UNWANTED = range(6)  # how hidden a place is


@kernel
def stand(
    ground: GroundArrays,
    barring: Ints1,
    zone: GroundArrays,
    about: Floats2,
    x: float,
    y: float,
    others: Floats2,
    width: float,
    depth: float,
    slack: float,
) -> tuple[Floats, Mask]:
    """The rows of bases moved to a point, and which of them may stand there; see `free_places.stand`."""
    rows = about.copy()
    for i in range(rows.shape[0]):
        rows[i, 1] = stored(x + rows[i, 1])
        rows[i, 2] = stored(y + rows[i, 2])
    out = room(rows, others, width, depth, slack, False)
    for i in range(rows.shape[0]):
        for f in range(zone.table.shape[0]):
            out[i] = (
                out[i] and point_inside(zone, f, rows[i, 1], rows[i, 2]) and not outline_cuts(zone, f, rows[i], GRID)
            )
    if barring.shape[0] > 0:
        over = bases_over_any(ground, barring, rows, GRID)
        for i in range(rows.shape[0]):
            out[i] = out[i] and not over[i]
    return rows, out


@kernel
def lines(
    ground: GroundArrays,
    barring: Ints1,
    zone: GroundArrays,
    about: Floats2,
    xs: Floats1,
    others: Floats2,
    width: float,
    depth: float,
    slack: float,
    eyes: Ints1,
    apart: float,
) -> Floats:
    """Where bases may all stand, moved to some x, and far from all eyes; see `free_places.lines`."""
    out = np.empty((xs.shape[0], about.shape[0], about.shape[1]))
    count = 0
    for x in xs:
        rows, good = stand(ground, barring, zone, about, x, 0.0, others, width, depth, slack)
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
    lens: Lens,
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
    """How hidden each wanted place is; see `free_places.lairs`."""
    out = np.full(places.shape[0], UNWANTED, dtype=np.int64)
    enemies = picked(rows, eyes)
    now = np.empty((eyes.shape[0], 8))
    for e in range(eyes.shape[0]):
        copy_row(rows[stands[eyes[e]]], now[e])
    order = np.empty(eyes.shape[0], dtype=np.int64)
    kept = notes(eyes.shape[0], lens)
    then = notes(before.shape[0], lens)
    there = notes(places.shape[0], lens)
    picks = np.empty(lens.ground.table.shape[0], dtype=np.int64)
    scratch = scratch_for(lens.ground)
    last = -1
    for j in range(places.shape[0]):
        if not wanted[j]:
            continue
        place = places[j]
        covered = (
            bases_over_any(lens.ground, areas, places[j : j + 1], GRID)[0]
            or bases_at_any(lens.ground, lines, places[j : j + 1], lens.touch + EXACT)[0]
        ) and far_from_all(place, enemies, apart)
        out[j] = COVERED if covered else UNSEEN
        if covered and before.shape[0] == 0:
            # It is as good whether somebody sees it or not.
            continue
        seer = -1
        nearest_first(rows, eyes, place, last, order)
        for turn in range(order.shape[0]):
            e = int(order[turn])
            if bases_look(lens, now[e], e, kept, place, j, there, picks, scratch):
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
            seen = bases_look(lens, before[e], e, then, place, j, there, picks, scratch)
        out[j] = EXPOSED if seen else NEWLY_SEEN
    return out


@kernel
def shelters(
    lens: Lens,
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
    """Which places have room, are near a mate, and out of sight of all eyes that are not far; see `places`."""
    out = room(places, rows, width, depth, slack, False)
    kept = notes(eyes.shape[0], lens)
    there = notes(places.shape[0], lens)
    picks = np.empty(lens.ground.table.shape[0], dtype=np.int64)
    scratch = scratch_for(lens.ground)
    for j in range(places.shape[0]):
        if not out[j] or bases_over_any(lens.ground, barring, places[j : j + 1], GRID)[0]:
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
                lens, eye, e, kept, places[j], j, there, picks, scratch
            )
    return out
