"""Compiled kernels of looking: sight between bases with all that smoke, hills and thick hedges do to it."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from sandtable.rulesets.hof.kernels.concealing_kernels import crossings, slants
from sandtable.rulesets.hof.kernels.passage_kernels import arrive_freely
from sandtable.table.base_kernels import base_distance, copy_row, norm, overlapping, square
from sandtable.table.compiled import (
    Flags1,
    Floats1,
    Floats2,
    Floats3,
    Ints1,
    Ints2,
    Mask1,
    Mask2,
    Shorts1,
    helper,
    kernel,
)
from sandtable.table.ground_kernels import GroundArrays, at_outline, outline_cuts, point_inside, scratch_for
from sandtable.table.hairs import EXACT, GRID
from sandtable.table.path_kernels import Paths, point_on
from sandtable.table.shapes import Floats, Mask
from sandtable.table.sight_kernels import extents, ground_between, samples, some_line

UNKNOWN, UNSEEN, SEEN = 0, 1, 2  # what is known of the sight between two bases
CHUNK = 6  # so many steps of a way are judged together
PLAINLY = 2  # so many of the nearest eyes look at once, without judging the whole way first
UNTRIED = -1


class Lens(NamedTuple):
    """What a terrain does to sight: see `ground_sight.lens_on`."""

    ground: GroundArrays
    opacity: Floats2
    dry: Floats2
    smoky: Ints1
    narrow: Ints1
    hills: Ints1
    touch: float


class Places(NamedTuple):
    """Where everybody stands, as rows, and what is known of it.

    `known` and `veils` hold for each two, (N * N,) row by row, what has been found out of the sight between them (0
    nothing, 1 no, 2 yes) and of what veils them (-1 for nothing); `stands` for each the row where it counts as being.
    """

    rows: Floats2
    known: Flags1
    veils: Shorts1
    stands: Ints1


class Notes(NamedTuple):
    """What `note` finds out about some bases: their sample points, what each looks over, its smoke and its hedges."""

    counts: Ints1
    points: Floats3
    over: Mask2
    fog: Mask2
    at: Mask2


class Looking(NamedTuple):
    """Room for looking from some bases to others: what is noted of the ones and of the others, and to draw lines."""

    ours: Notes
    theirs: Notes
    picks: Ints1
    scratch: Floats2


@helper
def in_smoke(ground: GroundArrays, f: int, row: Floats1, touch: float) -> bool:
    """Does a base touch a smoke marker, or lie in it?"""
    return bool(
        at_outline(ground, f, row, touch + EXACT)
        or point_inside(ground, f, row[1], row[2])
        or outline_cuts(ground, f, row, GRID)
    )


@helper
def notes(count: int, lens: Lens) -> Notes:
    """Room for what `note` finds out about some bases."""
    return Notes(
        np.zeros(count, dtype=np.int64),
        np.empty((count, 9, 2)),
        np.zeros((count, lens.ground.table.shape[0]), dtype=np.bool_),
        np.zeros((count, lens.smoky.shape[0]), dtype=np.bool_),
        np.zeros((count, lens.narrow.shape[0]), dtype=np.bool_),
    )


@helper
def note(lens: Lens, row: Floats1, i: int, kept: Notes) -> None:
    """Note down, once, of base i: its sample points, what it looks over, the smoke it is in and the hedges it is at."""
    if kept.counts[i] > 0:
        return
    ground, touch = lens.ground, lens.touch
    kept.counts[i] = samples(row, kept.points[i])
    if row[7] > 0.0:
        for f in range(ground.table.shape[0]):
            kept.over[i, f] = ground.table[f, 5] < row[7]
    for k in range(lens.smoky.shape[0]):
        kept.fog[i, k] = in_smoke(ground, lens.smoky[k], row, touch)
    for k in range(lens.narrow.shape[0]):
        kept.at[i, k] = at_outline(ground, lens.narrow[k], row, touch + EXACT)


@helper
def looking(lens: Lens, ours: int, theirs: int, friends: int) -> Looking:
    """Room for looking from so many bases to so many others, past so many friends."""
    picks = np.empty(lens.ground.table.shape[0] + friends, dtype=np.int64)
    return Looking(notes(ours, lens), notes(theirs, lens), picks, scratch_for(lens.ground))


@helper
def look_afresh(kept: Notes) -> None:
    """The first of some bases stands elsewhere now: nothing is noted of it."""
    kept.counts[0] = 0
    for f in range(kept.over.shape[1]):
        kept.over[0, f] = False


@helper
def bases_look(lens: Lens, a: Floats1, i: int, b: Floats1, j: int, room: Looking) -> bool:
    """Does any part of the one base see any part of the other? i and j are their numbers among what is noted."""
    kept_a, kept_b, picks, scratch = room
    note(lens, a, i, kept_a)
    note(lens, b, j, kept_b)
    ground, over_a, over_b = lens.ground, kept_a.over[i], kept_b.over[j]
    either = shared = False
    for k in range(lens.smoky.shape[0]):
        either = either or kept_a.fog[i, k] or kept_b.fog[j, k]
        shared = shared or (kept_a.fog[i, k] and kept_b.fog[j, k])
    if either and not shared:
        return False
    clear = lens.dry if shared else lens.opacity
    count = ground_between(ground, clear, a, -math.inf, over_a, b, -math.inf, over_b, lens.touch, picks)
    if count < 0:
        return False
    nobody = scratch[:0]
    if count > 0 and not some_line(
        ground, clear, kept_a.points[i], kept_a.counts[i], -math.inf, kept_b.points[j], kept_b.counts[j], -math.inf,
        nobody, picks, count, scratch,
    ):  # fmt: skip
        return False
    for k in range(lens.narrow.shape[0]):
        f = lens.narrow[k]
        if not (kept_a.at[i, k] or kept_b.at[j, k]) or over_a[f] or over_b[f]:
            continue
        found = crossings(ground, f, a[1], a[2], b[1], b[2], scratch)
        if found > 0 and slants(ground, f, a[1], a[2], b[1], b[2], found, scratch):
            return False
    return True


@helper
def row_sees(lens: Lens, places: Places, p: int, i: int, q: int, j: int, room: Looking) -> bool:
    """Does the base of row p see that of row q, as far as is known or else by looking? i and j as in `bases_look`."""
    rows, known = places.rows, places.known
    many = rows.shape[0]
    if known[p * many + q] == UNKNOWN:
        seen = bases_look(lens, rows[p], i, rows[q], j, room)
        known[p * many + q] = known[q * many + p] = SEEN if seen else UNSEEN
    return bool(known[p * many + q] == SEEN)


@helper
def recall(places: Places, a: Ints1, b: Ints1, out: Mask2) -> bool:
    """Fill in who sees whom, as far as it is known. Is all of it known?"""
    many = places.rows.shape[0]
    unknown = False
    for i in range(a.shape[0]):
        for j in range(b.shape[0]):
            found = places.known[a[i] * many + b[j]]
            out[i, j] = found == SEEN
            unknown = unknown or found == UNKNOWN
    return not unknown


@helper
def look_up(lens: Lens, places: Places, a: Ints1, b: Ints1, room: Looking, out: Mask2) -> None:
    """Fill in who sees whom."""
    for i in range(a.shape[0]):
        for j in range(b.shape[0]):
            out[i, j] = row_sees(lens, places, a[i], i, b[j], j, room)


@kernel
def all_known(lens: Lens, places: Places, a: Ints1, b: Ints1) -> Mask:
    """Who of the rows numbered a sees which of those numbered b, (n, m); what is known of it is filled in."""
    n, m = a.shape[0], b.shape[0]
    out = np.empty((n, m), dtype=np.bool_)
    if not recall(places, a, b, out):
        look_up(lens, places, a, b, looking(lens, n, m, 0), out)
    return out


@helper
def look_all(lens: Lens, a: Floats2, b: Floats2, wanted: Mask2, room: Looking, out: Mask2) -> None:
    """Fill in who of a sees whom of b, of the pairs that are wanted."""
    for i in range(a.shape[0]):
        for j in range(b.shape[0]):
            if wanted.shape[0] == 0 or wanted[i, j]:
                out[i, j] = bases_look(lens, a[i], i, b[j], j, room)


@kernel
def all_look(lens: Lens, a: Floats2, b: Floats2, wanted: Mask2) -> Mask:
    """Who of a sees whom of b, (n, m); if `wanted` is not empty, of the pairs that it marks."""
    n, m = a.shape[0], b.shape[0]
    out = np.zeros((n, m), dtype=np.bool_)
    look_all(lens, a, b, wanted, looking(lens, n, m, 0), out)
    return out


@helper
def each_watched(lens: Lens, eyes: Floats2, rows: Floats2, room: Looking) -> bool:
    """Is each row seen by some of the eyes?"""
    last = 0
    for j in range(rows.shape[0]):
        seen = False
        for turn in range(eyes.shape[0]):
            # Whoever saw something last is asked first.
            e = last if turn == 0 else (turn - 1 if turn <= last else turn)
            if bases_look(lens, eyes[e], e, rows[j], j, room):
                seen = True
                last = e
                break
        if not seen:
            return False
    return True


@kernel
def all_watched(lens: Lens, eyes: Floats2, rows: Floats2) -> bool:
    """Is each row seen by some of the eyes?"""
    return each_watched(lens, eyes, rows, looking(lens, eyes.shape[0], rows.shape[0], 0))


@helper
def ground_height(lens: Lens, x: float, y: float) -> float:
    """The top of the highest of some hills on which a point lies, or 0."""
    top = 0.0
    for f in lens.hills:
        if lens.ground.table[f, 5] > top and point_inside(lens.ground, f, x, y):
            top = lens.ground.table[f, 5]
    return top


@helper
def raise_rows(lens: Lens, rows: Floats2) -> None:
    """Put bases as high as the hill under each."""
    for i in range(rows.shape[0]):
        rows[i, 7] = ground_height(lens, rows[i, 1], rows[i, 2])


@kernel
def raised(lens: Lens, rows: Floats2) -> Floats:
    """The same bases, each as high as the hill under it."""
    out = rows.copy()
    raise_rows(lens, out)
    return out


@kernel
def put(lens: Lens, places: Places, number: int, x: float, y: float, sin: float, cos: float, above: float) -> None:
    """Set a base down elsewhere, and forget what was known of its sight; see `ground_sight.put`."""
    rows, known, veils, _ = places
    many = rows.shape[0]
    rows[number, 1], rows[number, 2], rows[number, 3], rows[number, 4] = x, y, sin, cos
    if lens.hills.shape[0] > 0 or above > 0.0:
        rows[number, 7] = ground_height(lens, x, y) + above
    for k in range(many):
        known[number * many + k] = known[k * many + number] = UNKNOWN
        veils[number * many + k] = veils[k * many + number] = -1


@helper
def nearest_first(rows: Floats2, eyes: Ints1, row: Floats1, last: int, far: Floats1, order: Ints1) -> None:
    """The order in which eyes are asked: whoever saw something last, if anybody did, and then the nearest first.

    `far` is room for a number of each.
    """
    for e in range(eyes.shape[0]):
        far[e] = square(rows[eyes[e], 1] - row[1]) + square(rows[eyes[e], 2] - row[2]) if e != last else -1.0
        k = e
        while k > 0 and far[order[k - 1]] > far[e]:
            order[k] = order[k - 1]
            k -= 1
        order[k] = e


@helper
def sweep_over(row: Floats1, sin: float, cos: float, path: Floats2, low: float, high: float, out: Floats1) -> None:
    """A long base that covers a base, as it faces and with another heading, between two places of a straight path."""
    x0, y0 = point_on(path, low)
    x1, y1 = point_on(path, high)
    dx, dy = path[1, 0] - path[0, 0], path[1, 1] - path[0, 1]
    length = math.sqrt(dx * dx + dy * dy)
    ux, uy = (dx / length, dy / length) if length > 0.0 else (1.0, 0.0)
    copy_row(row, out)
    along, across = extents(out, ux, uy)
    out[3], out[4] = sin, cos
    more_along, more_across = extents(out, ux, uy)
    out[0], out[1], out[2], out[3], out[4] = 0.0, (x0 + x1) / 2, (y0 + y1) / 2, ux, uy
    out[5] = max(across, more_across)
    out[6] = max(along, more_along) + norm(x1 - x0, y1 - y0) / 2


@helper
def on_flat_ground(table: Floats2, hills: Ints1, row: Floats1) -> bool:
    """Is a base on the ground, and surely no part of it on a hill?"""
    r = norm(row[5], row[6])
    for f in hills:
        if (
            row[1] + r >= table[f, 0]
            and row[1] - r <= table[f, 2]
            and row[2] + r >= table[f, 1]
            and row[2] - r <= table[f, 3]
        ):
            return False
    return bool(row[7] == 0.0)


@helper
def shut_out(lens: Lens, eye: Floats1, swath: Floats1, room: Looking) -> bool:
    """Does an eye surely see nobody in a swath, whatever smoke they share? Both are on the ground."""
    if eye[7] != 0.0:
        return False
    none = room.theirs.over[0, :0]
    count = ground_between(lens.ground, lens.dry, eye, -math.inf, none, swath, -math.inf, none, lens.touch, room.picks)
    return bool(count < 0)


@helper
def seen_before(places: Places, eyes: Ints1, movers: Ints1, out: Mask1) -> bool:
    """Mark the movers that are known to be seen where they start. Are all of them?"""
    known, stands, many = places.known, places.stands, places.rows.shape[0]
    everybody = True
    for i in range(movers.shape[0]):
        for e in range(eyes.shape[0]):
            if known[stands[eyes[e]] * many + stands[movers[i]]] == SEEN:
                out[i] = True
                break
        everybody = everybody and out[i]
    return bool(everybody)


@helper
def watch_ways(
    lens: Lens,
    places: Places,
    eyes: Ints1,
    movers: Ints1,
    poses: Floats2,
    paths: Paths,
    step: float,
    room: Looking,
    bases: Floats2,
    far: Floats1,
    turns: Ints2,
    out: Mask1,
) -> None:
    """Mark the movers that are seen; `bases`, `far` and `turns` are room for three bases, and for each of the eyes."""
    rows, known, _, stands = places
    there = room.theirs
    m, many = eyes.shape[0], rows.shape[0]
    row, swath, stretch = bases[0], bases[1], bases[2]
    order, shut = turns[0], turns[1]  # `shut`: the step from which on an eye is shut out
    last = -1
    for i in range(movers.shape[0]):
        if out[i]:
            continue
        own = movers[i]
        q = stands[own]
        copy_row(rows[own], row)
        upto = poses[i, 2]
        path = paths.points[paths.starts[i] : paths.starts[i + 1]]
        count = max(1, math.ceil(upto / step))
        straight = path.shape[0] == 2
        if straight:
            sweep_over(row, poses[i, 0], poses[i, 1], path, 0.0, upto, swath)
            straight = on_flat_ground(lens.ground.table, lens.hills, swath)
        row[3], row[4] = poses[i, 0], poses[i, 1]
        nearest_first(rows, eyes, row, last, far, order)
        for e in range(m):
            shut[e] = UNTRIED
        look_afresh(there)
        for turn in range(m):
            e = order[turn]
            p = stands[eyes[e]]
            if known[p * many + q] != UNKNOWN:
                continue
            if straight and turn >= PLAINLY:
                shut[e] = 0 if shut_out(lens, rows[eyes[e]], swath, room) else count + 1
            # Those who count as standing elsewhere are noted in the second half.
            seen = (shut[e] != 0 or p != eyes[e] or q != own) and bases_look(
                lens, rows[p], e if p == eyes[e] else m + e, rows[q], 0, room
            )
            known[p * many + q] = known[q * many + p] = SEEN if seen else UNSEEN
            if seen:
                out[i] = True
                last = e
                break
        if out[i]:
            continue
        test = count - 1
        # From the end backwards: who is out of sight where he starts is mostly seen where he ends.
        for k in range(count, 0, -1):
            if straight and k == test:
                test = max(0, k - CHUNK)
                sweep_over(row, row[3], row[4], path, upto * (test + 1) / count, upto * k / count, stretch)
                for e in range(m):
                    eye = rows[eyes[e]]
                    if shut[e] == UNTRIED:
                        shut[e] = 0 if shut_out(lens, eye, swath, room) else count + 1
                    if shut[e] > k and shut_out(lens, eye, stretch, room):
                        shut[e] = test + 1
            row[1], row[2] = point_on(path, upto * k / count)
            if lens.hills.shape[0] > 0:
                row[7] = ground_height(lens, row[1], row[2])
            look_afresh(there)
            for turn in range(m):
                e = order[turn]
                eye = rows[eyes[e]]
                if straight and shut[e] == UNTRIED and turn >= PLAINLY:
                    shut[e] = 0 if shut_out(lens, eye, swath, room) else count + 1
                if UNTRIED < shut[e] <= k:
                    continue
                if bases_look(lens, eye, e, row, 0, room):
                    out[i] = True
                    last = e
                    break
            if out[i]:
                break


@kernel
def all_ways(lens: Lens, places: Places, eyes: Ints1, movers: Ints1, poses: Floats2, paths: Paths, step: float) -> Mask:
    """Which bases are seen by some eyes where they start or somewhere on their way; see `ground_sight.ways_seen`.

    Whoever cannot see a long stretch of a straight way, taken as one base, sees nobody on it: first the whole way, of
    all but the nearest eyes, then a few steps at a time.
    """
    out = np.zeros(movers.shape[0], dtype=np.bool_)
    if not seen_before(places, eyes, movers, out):
        m = eyes.shape[0]
        room, bases, far, turns = looking(lens, 2 * m, 1, 0), np.empty((3, 8)), np.empty(m), np.empty((2, m), np.int64)
        watch_ways(lens, places, eyes, movers, poses, paths, step, room, bases, far, turns, out)
    return out


@helper
def watch_stops(
    lens: Lens,
    rows: Floats2,
    mover: int,
    row: Floats1,
    path: Floats2,
    stops: Floats1,
    slack: float,
    eyes: Ints1,
    reaches: Floats1,
    once: bool,
    room: Looking,
    out: Mask2,
) -> None:
    """Mark which eyes see a base at which stops; `row` is the base as it faces there."""
    for j in range(stops.shape[0]):
        row[1], row[2] = point_on(path, stops[j])
        if lens.hills.shape[0] > 0:
            row[7] = ground_height(lens, row[1], row[2])
        free = True
        for k in range(rows.shape[0]):
            free = free and (k == mover or not overlapping(row, rows[k], slack))
        if not free:
            continue
        look_afresh(room.theirs)
        for i in range(eyes.shape[0]):
            if base_distance(rows[eyes[i]], row) > reaches[i]:
                continue
            out[i, j] = bases_look(lens, rows[eyes[i]], i, row, 0, room)
            if once and out[i, j]:
                return


@kernel
def all_stops(
    lens: Lens,
    rows: Floats2,
    mover: int,
    sin: float,
    cos: float,
    path: Floats2,
    stops: Floats1,
    slack: float,
    eyes: Ints1,
    reaches: Floats1,
    once: bool,
) -> Mask:
    """Which eyes see a base within their reach at which stops of its way, (n, m); see `ground_sight.stops_seen`."""
    n = eyes.shape[0]
    out = np.zeros((n, stops.shape[0]), dtype=np.bool_)
    row = rows[mover].copy()
    row[3], row[4] = sin, cos
    watch_stops(lens, rows, mover, row, path, stops, slack, eyes, reaches, once, looking(lens, n, 1, 0), out)
    return out


@kernel
def arrive(
    lens: Lens,
    places: Places,
    numbers: Ints1,
    ends: Floats2,
    paths: Paths,
    enemies: Ints1,
    width: float,
    depth: float,
    slack: float,
    contact: float,
) -> bool:
    """Set bases down at their ends (x, y, sin, cos, above, inches) if they come there freely."""
    lengths = ends[:, 5].copy()
    if not arrive_freely(places.rows, numbers, ends, paths, lengths, enemies, width, depth, slack, contact):
        return False
    for i in range(numbers.shape[0]):
        x, y, sin, cos, above, _ = ends[i]
        put(lens, places, numbers[i], x, y, sin, cos, above)
    return True
