"""Compiled kernels of looking: sight between bases with all that smoke, hills and thick hedges do to it."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from sandtable.rulesets.hof.kernels.concealing_kernels import crossings, slants
from sandtable.rulesets.hof.kernels.passage_kernels import arrive_freely
from sandtable.table.base_kernels import base_distance, norm, overlapping, square
from sandtable.table.compiled import Flags1, Floats1, Floats2, Floats3, Ints1, Mask2, Shorts1, helper, kernel
from sandtable.table.ground_kernels import GroundArrays, at_outline, outline_cuts, point_inside, scratch_for
from sandtable.table.hairs import EXACT, GRID
from sandtable.table.path_kernels import point_on
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


class Notes(NamedTuple):
    """What `note` finds out about some bases: their sample points, what each looks over, its smoke and its hedges."""

    counts: Ints1
    points: Floats3
    over: Mask2
    fog: Mask2
    at: Mask2


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
def bases_look(
    lens: Lens, a: Floats1, i: int, kept_a: Notes, b: Floats1, j: int, kept_b: Notes, picks: Ints1, scratch: Floats2
) -> bool:
    """Does any part of the one base see any part of the other? i and j are their numbers among what is noted."""
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
    nobody = np.empty((0, 8))
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


@kernel
def all_known(
    lens: Lens,
    rows: Floats2,
    known: Flags1,
    a: Ints1,
    b: Ints1,
) -> Mask:
    """Who of the rows numbered a sees which of those numbered b, (n, m); `known` (N * N) is filled in."""
    n, m, many = a.shape[0], b.shape[0], rows.shape[0]
    out = np.empty((n, m), dtype=np.bool_)
    unknown = False
    for i in range(n):
        for j in range(m):
            found = known[a[i] * many + b[j]]
            out[i, j] = found == SEEN
            unknown = unknown or found == UNKNOWN
    if not unknown:
        return out
    kept_a = notes(n, lens)
    kept_b = notes(m, lens)
    picks = np.empty(lens.ground.table.shape[0], dtype=np.int64)
    scratch = scratch_for(lens.ground)
    for i in range(n):
        for j in range(m):
            p, q = a[i], b[j]
            if known[p * many + q] == UNKNOWN:
                seen = bases_look(
                    lens, rows[p], i, kept_a, rows[q], j, kept_b,
                    picks, scratch,
                )  # fmt: skip
                known[p * many + q] = known[q * many + p] = SEEN if seen else UNSEEN
            out[i, j] = known[p * many + q] == SEEN
    return out


@kernel
def all_look(
    lens: Lens,
    a: Floats2,
    b: Floats2,
    wanted: Mask2,
) -> Mask:
    """Who of a sees whom of b, (n, m); if `wanted` is not empty, of the pairs that it marks."""
    n, m = a.shape[0], b.shape[0]
    out = np.zeros((n, m), dtype=np.bool_)
    kept_a = notes(n, lens)
    kept_b = notes(m, lens)
    picks = np.empty(lens.ground.table.shape[0], dtype=np.int64)
    scratch = scratch_for(lens.ground)
    for i in range(n):
        for j in range(m):
            if wanted.shape[0] == 0 or wanted[i, j]:
                out[i, j] = bases_look(lens, a[i], i, kept_a, b[j], j, kept_b, picks, scratch)
    return out


@kernel
def all_watched(
    lens: Lens,
    eyes: Floats2,
    rows: Floats2,
) -> bool:
    """Is each row seen by some of the eyes?"""
    kept = notes(eyes.shape[0], lens)
    there = notes(rows.shape[0], lens)
    picks = np.empty(lens.ground.table.shape[0], dtype=np.int64)
    scratch = scratch_for(lens.ground)
    last = 0
    for j in range(rows.shape[0]):
        seen = False
        for turn in range(eyes.shape[0]):
            # Whoever saw something last is asked first.
            e = last if turn == 0 else (turn - 1 if turn <= last else turn)
            if bases_look(lens, eyes[e], e, kept, rows[j], j, there, picks, scratch):
                seen = True
                last = e
                break
        if not seen:
            return False
    return True


@helper
def ground_height(lens: Lens, x: float, y: float) -> float:
    """The top of the highest of some hills on which a point lies, or 0."""
    top = 0.0
    for f in lens.hills:
        if lens.ground.table[f, 5] > top and point_inside(lens.ground, f, x, y):
            top = lens.ground.table[f, 5]
    return top


@kernel
def put(
    lens: Lens,
    rows: Floats2,
    known: Flags1,
    veils: Shorts1,
    number: int,
    x: float,
    y: float,
    sin: float,
    cos: float,
    above: float,
) -> None:
    """Set a base down elsewhere, and forget what was known of its sight; see `ground_sight.put`."""
    many = rows.shape[0]
    rows[number, 1], rows[number, 2], rows[number, 3], rows[number, 4] = x, y, sin, cos
    if lens.hills.shape[0] > 0 or above > 0.0:
        rows[number, 7] = ground_height(lens, x, y) + above
    for k in range(many):
        known[number * many + k] = known[k * many + number] = UNKNOWN
        veils[number * many + k] = veils[k * many + number] = -1


@helper
def nearest_first(rows: Floats2, eyes: Ints1, row: Floats1, last: int, order: Ints1) -> None:
    """The order in which eyes are asked: whoever saw something last, if anybody did, and then the nearest first."""
    far = np.empty(eyes.shape[0])
    for e in range(eyes.shape[0]):
        far[e] = square(rows[eyes[e], 1] - row[1]) + square(rows[eyes[e], 2] - row[2]) if e != last else -1.0
        k = e
        while k > 0 and far[order[k - 1]] > far[e]:
            order[k] = order[k - 1]
            k -= 1
        order[k] = e


@helper
def swept(row: Floats1, sin: float, cos: float, path: Floats2, low: float, high: float) -> Floats:
    """A long base that covers a base, as it faces and with another heading, between two places of a straight path."""
    x0, y0 = point_on(path, low)
    x1, y1 = point_on(path, high)
    dx, dy = path[1, 0] - path[0, 0], path[1, 1] - path[0, 1]
    length = math.sqrt(dx * dx + dy * dy)
    ux, uy = (dx / length, dy / length) if length > 0.0 else (1.0, 0.0)
    out = row.copy()
    along, across = extents(out, ux, uy)
    out[3], out[4] = sin, cos
    more_along, more_across = extents(out, ux, uy)
    out[0], out[1], out[2], out[3], out[4] = 0.0, (x0 + x1) / 2, (y0 + y1) / 2, ux, uy
    out[5] = max(across, more_across)
    out[6] = max(along, more_along) + norm(x1 - x0, y1 - y0) / 2
    return out


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
def shut_out(lens: Lens, eye: Floats1, swath: Floats1, picks: Ints1) -> bool:
    """Does an eye surely see nobody in a swath, whatever smoke they share? Both are on the ground."""
    none = np.empty(0, dtype=np.bool_)
    return bool(
        eye[7] == 0.0
        and ground_between(lens.ground, lens.dry, eye, -math.inf, none, swath, -math.inf, none, lens.touch, picks) < 0
    )


@kernel
def all_ways(
    lens: Lens,
    rows: Floats2,
    known: Flags1,
    stands: Ints1,
    eyes: Ints1,
    movers: Ints1,
    poses: Floats2,
    points: Floats2,
    starts: Ints1,
    step: float,
) -> Mask:
    """Which bases are seen by some eyes where they start or somewhere on their way; see `ground_sight.ways_seen`.

    Whoever cannot see a long stretch of a straight way, taken as one base, sees nobody on it: first the whole way, of
    all but the nearest eyes, then a few steps at a time.
    """
    n, m, many = movers.shape[0], eyes.shape[0], rows.shape[0]
    out = np.zeros(n, dtype=np.bool_)
    unseen = 0
    for i in range(n):
        for e in range(m):
            if known[stands[eyes[e]] * many + stands[movers[i]]] == SEEN:
                out[i] = True
                break
        unseen += not out[i]
    if unseen == 0:
        return out
    # The second half is for those who count as standing elsewhere.
    kept = notes(2 * m, lens)
    there = notes(1, lens)
    shut = np.empty(m, dtype=np.int64)  # the step from which on an eye is shut out
    order = np.empty(m, dtype=np.int64)
    picks = np.empty(lens.ground.table.shape[0], dtype=np.int64)
    scratch = scratch_for(lens.ground)
    last = -1
    for i in range(n):
        if out[i]:
            continue
        own = movers[i]
        q = stands[own]
        row = rows[own].copy()
        upto = poses[i, 2]
        path = points[starts[i] : starts[i + 1]]
        count = max(1, math.ceil(upto / step))
        swath = row
        straight = path.shape[0] == 2
        if straight:
            swath = swept(row, poses[i, 0], poses[i, 1], path, 0.0, upto)
            straight = on_flat_ground(lens.ground.table, lens.hills, swath)
        row[3], row[4] = poses[i, 0], poses[i, 1]
        nearest_first(rows, eyes, row, last, order)
        shut[:] = UNTRIED
        there.counts[0] = 0
        there.over[0, :] = False
        for turn in range(m):
            e = order[turn]
            p = stands[eyes[e]]
            if known[p * many + q] != UNKNOWN:
                continue
            if straight and turn >= PLAINLY:
                shut[e] = 0 if shut_out(lens, rows[eyes[e]], swath, picks) else count + 1
            seen = (shut[e] != 0 or p != eyes[e] or q != own) and bases_look(
                lens, rows[p], e if p == eyes[e] else m + e, kept,
                rows[q], 0, there, picks, scratch,
            )  # fmt: skip
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
                stretch = swept(row, row[3], row[4], path, upto * (test + 1) / count, upto * k / count)
                for e in range(m):
                    eye = rows[eyes[e]]
                    if shut[e] == UNTRIED:
                        shut[e] = 0 if shut_out(lens, eye, swath, picks) else count + 1
                    if shut[e] > k and shut_out(lens, eye, stretch, picks):
                        shut[e] = test + 1
            row[1], row[2] = point_on(path, upto * k / count)
            if lens.hills.shape[0] > 0:
                row[7] = ground_height(lens, row[1], row[2])
            there.counts[0] = 0
            there.over[0, :] = False
            for turn in range(m):
                e = order[turn]
                eye = rows[eyes[e]]
                if straight and shut[e] == UNTRIED and turn >= PLAINLY:
                    shut[e] = 0 if shut_out(lens, eye, swath, picks) else count + 1
                if UNTRIED < shut[e] <= k:
                    continue
                if bases_look(lens, eye, e, kept, row, 0, there, picks, scratch):
                    out[i] = True
                    last = e
                    break
            if out[i]:
                break
    return out


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
    n, m = eyes.shape[0], stops.shape[0]
    out = np.zeros((n, m), dtype=np.bool_)
    kept = notes(n, lens)
    there = notes(1, lens)
    picks = np.empty(lens.ground.table.shape[0], dtype=np.int64)
    scratch = scratch_for(lens.ground)
    row = rows[mover].copy()
    row[3], row[4] = sin, cos
    for j in range(m):
        row[1], row[2] = point_on(path, stops[j])
        if lens.hills.shape[0] > 0:
            row[7] = ground_height(lens, row[1], row[2])
        free = True
        for k in range(rows.shape[0]):
            free = free and (k == mover or not overlapping(row, rows[k], slack))
        if not free:
            continue
        there.counts[0] = 0
        there.over[0, :] = False
        for i in range(n):
            if base_distance(rows[eyes[i]], row) > reaches[i]:
                continue
            out[i, j] = bases_look(
                lens, rows[eyes[i]], i, kept, row, 0, there,
                picks, scratch,
            )  # fmt: skip
            if once and out[i, j]:
                return out
    return out


@kernel
def arrive(
    lens: Lens,
    rows: Floats2,
    known: Flags1,
    veils: Shorts1,
    numbers: Ints1,
    ends: Floats2,
    points: Floats2,
    starts: Ints1,
    enemies: Ints1,
    width: float,
    depth: float,
    slack: float,
    contact: float,
) -> bool:
    """Set bases down at their ends (x, y, sin, cos, above, inches) if they come there freely."""
    lengths = ends[:, 5].copy()
    if not arrive_freely(rows, numbers, ends, points, starts, lengths, enemies, width, depth, slack, contact):
        return False
    for i in range(numbers.shape[0]):
        x, y, sin, cos, above, _ = ends[i]
        put(lens, rows, known, veils, numbers[i], x, y, sin, cos, above)
    return True
