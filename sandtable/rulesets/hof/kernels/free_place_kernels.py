"""Compiled: where bases have room."""

from __future__ import annotations

import numpy as np

from sandtable.rulesets.hof.kernels.ground_sight_kernels import Lens, Looking, bases_look, looking, nearest_first, notes
from sandtable.rulesets.hof.kernels.neighbour_kernels import far_from_all
from sandtable.table.base_kernels import base_distance, copy_row, picked
from sandtable.table.compiled import Floats1, Floats2, Ints1, Mask1, helper, kernel
from sandtable.table.ground_kernels import GroundArrays, at_any, over_any
from sandtable.table.hairs import EXACT, GRID
from sandtable.table.move_kernels import stored
from sandtable.table.room_kernels import fits, radii_of
from sandtable.table.shapes import Floats, Ints, Mask

UNSEEN, NEWLY_SEEN, COVERED, COVERED_SEEN, EXPOSED, UNWANTED = range(6)  # how hidden a place is


@helper
def move_to(about: Floats2, x: float, y: float, rows: Floats2) -> None:
    """Bases moved to a point, as they would be stored."""
    for i in range(about.shape[0]):
        copy_row(about[i], rows[i])
        rows[i, 1] = stored(x + about[i, 1])
        rows[i, 2] = stored(y + about[i, 2])


@helper
def far_from(row: Floats1, others: Floats2, eyes: Ints1, apart: float) -> bool:
    far = True
    for e in eyes:
        far = far and base_distance(row, others[e]) >= apart
    return far


@kernel
def lines(
    ground: GroundArrays,
    barring: Ints1,
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
    radii = radii_of(others)
    count = 0
    for x in xs:
        move_to(about, x, 0.0, out[count])
        fine = True
        for i in range(about.shape[0]):
            row = out[count, i]
            fine = (
                fine
                and fits(row, others, radii, width, depth, slack)
                and not over_any(ground, barring, row, GRID)
                and far_from(row, others, eyes, apart)
            )
        if fine:
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


@helper
def judge_lairs(
    lens: Lens,
    places: Floats2,
    wanted: Mask1,
    areas: Ints1,
    lines: Ints1,
    rows: Floats2,
    eyes: Ints1,
    apart: Floats1,
    enemies: Floats2,
    now: Floats2,
    before: Floats2,
    room: Looking,
    then: Looking,
    far: Floats1,
    order: Ints1,
    out: Ints1,
) -> None:
    """Fill in how hidden each wanted place is; `far` and `order` are room for a number of each of the eyes."""
    last = -1
    for j in range(places.shape[0]):
        if not wanted[j]:
            continue
        place = places[j]
        covered = (
            over_any(lens.ground, areas, place, GRID) or at_any(lens.ground, lines, place, lens.touch + EXACT)
        ) and far_from_all(place, enemies, apart)
        out[j] = COVERED if covered else UNSEEN
        if covered and before.shape[0] == 0:
            # It is as good whether somebody sees it or not.
            continue
        seer = -1
        nearest_first(rows, eyes, place, last, far, order)
        for turn in range(order.shape[0]):
            e = int(order[turn])
            if bases_look(lens, now[e], e, place, j, room):
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
            seen = bases_look(lens, before[e], e, place, j, then)
        out[j] = EXPOSED if seen else NEWLY_SEEN


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
    n, m = places.shape[0], eyes.shape[0]
    out = np.full(n, UNWANTED, dtype=np.int64)
    enemies, now = picked(rows, eyes), np.empty((m, 8))
    for e in range(m):
        copy_row(rows[stands[eyes[e]]], now[e])
    room = looking(lens, m, n, 0)
    then = Looking(notes(before.shape[0], lens), room.theirs, room.picks, room.scratch)
    far, order = np.empty(m), np.empty(m, dtype=np.int64)
    judge_lairs(
        lens, places, wanted, areas, lines, rows, eyes, apart, enemies, now, before, room, then, far, order, out
    )
    return out


@helper
def shelters_one(
    lens: Lens,
    place: Floats1,
    j: int,
    rows: Floats2,
    barring: Ints1,
    mates: Ints1,
    near: float,
    stands: Ints1,
    eyes: Ints1,
    far: float,
    room: Looking,
) -> bool:
    """Is place number j on no barring feature, near a mate, and out of sight of all eyes that are not far?"""
    if over_any(lens.ground, barring, place, GRID):
        return False
    beside = False
    for k in mates:
        if base_distance(rows[k], place) <= near:
            beside = True
            break
    if not beside:
        return False
    for e in range(eyes.shape[0]):
        if base_distance(rows[eyes[e]], place) <= far and bases_look(lens, rows[stands[eyes[e]]], e, place, j, room):
            return False
    return True


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
    n = places.shape[0]
    out = np.empty(n, dtype=np.bool_)
    radii, looks = radii_of(rows), looking(lens, eyes.shape[0], n, 0)
    for j in range(n):
        out[j] = fits(places[j], rows, radii, width, depth, slack) and shelters_one(
            lens, places[j], j, rows, barring, mates, near, stands, eyes, far, looks
        )
    return out
