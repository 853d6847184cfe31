"""Compiled kernels of looking: sight between bases with all that smoke, hills and thick hedges do to it."""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from sandtable.table.base_kernels import base_distance, overlapping
from sandtable.table.ground_kernels import at_outline, outline_cuts, point_inside
from sandtable.table.hairs import EXACT, GRID
from sandtable.table.move_kernels import arrive_freely
from sandtable.table.path_kernels import point_on
from sandtable.table.shapes import Floats, Ints, Mask
from sandtable.table.sight_kernels import extents, ground_between, samples, some_line
from sandtable.table.veil_kernels import Shorts, crossings, slants

Bytes = NDArray[np.int8]

UNKNOWN, UNSEEN, SEEN = 0, 1, 2  # what is known of the sight between two bases
CHUNK = 6  # so many steps of a way are judged together
PLAINLY = 2  # so many of the nearest eyes look at once, without judging the whole way first
UNTRIED = -1
NO_MASK = np.empty(0, dtype=np.bool_)
NO_BASES = np.empty((0, 8))


@njit(cache=True)
def in_smoke(edges: Floats, table: Floats, f: int, row: Floats, touch: float) -> bool:
    """Does a base touch a smoke marker, or lie in it?"""
    return bool(
        at_outline(edges, table, f, row, touch + EXACT)
        or point_inside(edges, table, f, row[1], row[2])
        or outline_cuts(edges, table, f, row, GRID)
    )


@njit(cache=True)
def notes(count: int, features: int, smoky: int, narrow: int) -> tuple[Ints, Floats, Mask, Mask, Mask]:
    """Room for what `note` finds out about some bases."""
    return (
        np.zeros(count, dtype=np.int64),
        np.empty((count, 9, 2)),
        np.zeros((count, features), dtype=np.bool_),
        np.zeros((count, smoky), dtype=np.bool_),
        np.zeros((count, narrow), dtype=np.bool_),
    )


@njit(cache=True)
def note(
    edges: Floats,
    table: Floats,
    smoky: Ints,
    narrow: Ints,
    touch: float,
    row: Floats,
    i: int,
    counts: Ints,
    points: Floats,
    over: Mask,
    fog: Mask,
    at: Mask,
) -> None:
    """Note down, once, of base i: its sample points, what it looks over, the smoke it is in and the hedges it is at."""
    if counts[i] > 0:
        return
    counts[i] = samples(row, points[i])
    if row[7] > 0.0:
        for f in range(table.shape[0]):
            over[i, f] = table[f, 5] < row[7]
    for k in range(smoky.shape[0]):
        fog[i, k] = in_smoke(edges, table, smoky[k], row, touch)
    for k in range(narrow.shape[0]):
        at[i, k] = at_outline(edges, table, narrow[k], row, touch + EXACT)


@njit(cache=True)
def bases_look(
    edges: Floats,
    table: Floats,
    opacity: Floats,
    dry: Floats,
    smoky: Ints,
    narrow: Ints,
    touch: float,
    a: Floats,
    i: int,
    counts_a: Ints,
    points_a: Floats,
    over_a: Mask,
    fog_a: Mask,
    at_a: Mask,
    b: Floats,
    j: int,
    counts_b: Ints,
    points_b: Floats,
    over_b: Mask,
    fog_b: Mask,
    at_b: Mask,
    picks: Ints,
    scratch: Floats,
) -> bool:
    """Does any part of the one base see any part of the other? i and j are their numbers among what is noted."""
    note(edges, table, smoky, narrow, touch, a, i, counts_a, points_a, over_a, fog_a, at_a)
    note(edges, table, smoky, narrow, touch, b, j, counts_b, points_b, over_b, fog_b, at_b)
    either = shared = False
    for k in range(smoky.shape[0]):
        either = either or fog_a[i, k] or fog_b[j, k]
        shared = shared or (fog_a[i, k] and fog_b[j, k])
    if either and not shared:
        return False
    clear = dry if shared else opacity
    count = ground_between(edges, table, clear, a, -math.inf, over_a[i], b, -math.inf, over_b[j], touch, picks)
    if count < 0:
        return False
    if count > 0 and not some_line(
        edges, table, clear, points_a[i], counts_a[i], -math.inf, points_b[j], counts_b[j], -math.inf,
        NO_BASES, picks, count, scratch,
    ):  # fmt: skip
        return False
    for k in range(narrow.shape[0]):
        f = narrow[k]
        if not (at_a[i, k] or at_b[j, k]) or over_a[i, f] or over_b[j, f]:
            continue
        found = crossings(edges, table, f, a[1], a[2], b[1], b[2], scratch)
        if found > 0 and slants(edges, table, f, a[1], a[2], b[1], b[2], found, scratch):
            return False
    return True


@njit(cache=True)
def all_known(
    edges: Floats,
    table: Floats,
    opacity: Floats,
    dry: Floats,
    smoky: Ints,
    narrow: Ints,
    touch: float,
    rows: Floats,
    known: Bytes,
    a: Ints,
    b: Ints,
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
    kept_a = notes(n, table.shape[0], smoky.shape[0], narrow.shape[0])
    kept_b = notes(m, table.shape[0], smoky.shape[0], narrow.shape[0])
    picks = np.empty(table.shape[0], dtype=np.int64)
    scratch = np.empty((3, 2 * edges.shape[0] + 2))
    for i in range(n):
        for j in range(m):
            p, q = a[i], b[j]
            if known[p * many + q] == UNKNOWN:
                seen = bases_look(
                    edges, table, opacity, dry, smoky, narrow, touch, rows[p], i, *kept_a, rows[q], j, *kept_b,
                    picks, scratch,
                )  # fmt: skip
                known[p * many + q] = known[q * many + p] = SEEN if seen else UNSEEN
            out[i, j] = known[p * many + q] == SEEN
    return out


@njit(cache=True)
def all_look(
    edges: Floats,
    table: Floats,
    opacity: Floats,
    dry: Floats,
    smoky: Ints,
    narrow: Ints,
    touch: float,
    a: Floats,
    b: Floats,
    wanted: Mask,
) -> Mask:
    """Who of a sees whom of b, (n, m); if `wanted` is not empty, of the pairs that it marks."""
    n, m = a.shape[0], b.shape[0]
    out = np.zeros((n, m), dtype=np.bool_)
    kept_a = notes(n, table.shape[0], smoky.shape[0], narrow.shape[0])
    kept_b = notes(m, table.shape[0], smoky.shape[0], narrow.shape[0])
    picks = np.empty(table.shape[0], dtype=np.int64)
    scratch = np.empty((3, 2 * edges.shape[0] + 2))
    for i in range(n):
        for j in range(m):
            if wanted.shape[0] == 0 or wanted[i, j]:
                out[i, j] = bases_look(
                    edges, table, opacity, dry, smoky, narrow, touch, a[i], i, *kept_a, b[j], j, *kept_b, picks, scratch
                )
    return out


@njit(cache=True)
def all_watched(
    edges: Floats,
    table: Floats,
    opacity: Floats,
    dry: Floats,
    smoky: Ints,
    narrow: Ints,
    touch: float,
    eyes: Floats,
    rows: Floats,
) -> bool:
    """Is each row seen by some of the eyes?"""
    kept = notes(eyes.shape[0], table.shape[0], smoky.shape[0], narrow.shape[0])
    there = notes(rows.shape[0], table.shape[0], smoky.shape[0], narrow.shape[0])
    picks = np.empty(table.shape[0], dtype=np.int64)
    scratch = np.empty((3, 2 * edges.shape[0] + 2))
    last = 0
    for j in range(rows.shape[0]):
        seen = False
        for turn in range(eyes.shape[0]):
            # Whoever saw something last is asked first.
            e = last if turn == 0 else (turn - 1 if turn <= last else turn)
            if bases_look(
                edges, table, opacity, dry, smoky, narrow, touch, eyes[e], e, *kept, rows[j], j, *there, picks, scratch
            ):
                seen = True
                last = e
                break
        if not seen:
            return False
    return True


@njit(cache=True)
def ground_height(edges: Floats, table: Floats, hills: Ints, x: float, y: float) -> float:
    """The top of the highest of some hills on which a point lies, or 0."""
    top = 0.0
    for f in hills:
        if table[f, 5] > top and point_inside(edges, table, f, x, y):
            top = table[f, 5]
    return top


@njit(cache=True)
def put(
    edges: Floats,
    table: Floats,
    hills: Ints,
    rows: Floats,
    known: Bytes,
    veils: Shorts,
    number: int,
    x: float,
    y: float,
    sin: float,
    cos: float,
    above: float,
) -> None:
    """Set a base down elsewhere, and forget what was known of its sight; see `look.put`."""
    many = rows.shape[0]
    rows[number, 1], rows[number, 2], rows[number, 3], rows[number, 4] = x, y, sin, cos
    if hills.shape[0] > 0 or above > 0.0:
        rows[number, 7] = ground_height(edges, table, hills, x, y) + above
    for k in range(many):
        known[number * many + k] = known[k * many + number] = UNKNOWN
        veils[number * many + k] = veils[k * many + number] = -1


@njit(cache=True)
def nearest_first(rows: Floats, eyes: Ints, row: Floats, last: int, order: Ints) -> None:
    """The order in which eyes are asked: whoever saw something last, if anybody did, and then the nearest first."""
    far = np.empty(eyes.shape[0])
    for e in range(eyes.shape[0]):
        far[e] = (rows[eyes[e], 1] - row[1]) ** 2 + (rows[eyes[e], 2] - row[2]) ** 2 if e != last else -1.0
        k = e
        while k > 0 and far[order[k - 1]] > far[e]:
            order[k] = order[k - 1]
            k -= 1
        order[k] = e


@njit(cache=True)
def swept(row: Floats, sin: float, cos: float, path: Floats, low: float, high: float) -> Floats:
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
    out[6] = max(along, more_along) + math.sqrt((x1 - x0) ** 2 + (y1 - y0) ** 2) / 2
    return out


@njit(cache=True)
def on_flat_ground(table: Floats, hills: Ints, row: Floats) -> bool:
    """Is a base on the ground, and surely no part of it on a hill?"""
    r = math.sqrt(row[5] ** 2 + row[6] ** 2)
    for f in hills:
        if (
            row[1] + r >= table[f, 0]
            and row[1] - r <= table[f, 2]
            and row[2] + r >= table[f, 1]
            and row[2] - r <= table[f, 3]
        ):
            return False
    return bool(row[7] == 0.0)


@njit(cache=True)
def shut_out(edges: Floats, table: Floats, dry: Floats, touch: float, eye: Floats, swath: Floats, picks: Ints) -> bool:
    """Does an eye surely see nobody in a swath, whatever smoke they share? Both are on the ground."""
    return bool(
        eye[7] == 0.0
        and ground_between(edges, table, dry, eye, -math.inf, NO_MASK, swath, -math.inf, NO_MASK, touch, picks) < 0
    )


@njit(cache=True)
def all_ways(
    edges: Floats,
    table: Floats,
    opacity: Floats,
    dry: Floats,
    smoky: Ints,
    narrow: Ints,
    touch: float,
    hills: Ints,
    rows: Floats,
    known: Bytes,
    stands: Ints,
    eyes: Ints,
    movers: Ints,
    poses: Floats,
    points: Floats,
    starts: Ints,
    step: float,
) -> Mask:
    """Which bases are seen by some eyes where they start or somewhere on their way; see `look.ways_seen`.

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
    kept = notes(2 * m, table.shape[0], smoky.shape[0], narrow.shape[0])
    there = notes(1, table.shape[0], smoky.shape[0], narrow.shape[0])
    shut = np.empty(m, dtype=np.int64)  # the step from which on an eye is shut out
    order = np.empty(m, dtype=np.int64)
    picks = np.empty(table.shape[0], dtype=np.int64)
    scratch = np.empty((3, 2 * edges.shape[0] + 2))
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
            straight = on_flat_ground(table, hills, swath)
        row[3], row[4] = poses[i, 0], poses[i, 1]
        nearest_first(rows, eyes, row, last, order)
        shut[:] = UNTRIED
        there[0][0] = 0
        there[2][0, :] = False
        for turn in range(m):
            e = order[turn]
            p = stands[eyes[e]]
            if known[p * many + q] != UNKNOWN:
                continue
            if straight and turn >= PLAINLY:
                shut[e] = 0 if shut_out(edges, table, dry, touch, rows[eyes[e]], swath, picks) else count + 1
            seen = (shut[e] != 0 or p != eyes[e] or q != own) and bases_look(
                edges, table, opacity, dry, smoky, narrow, touch, rows[p], e if p == eyes[e] else m + e, *kept,
                rows[q], 0, *there, picks, scratch,
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
                        shut[e] = 0 if shut_out(edges, table, dry, touch, eye, swath, picks) else count + 1
                    if shut[e] > k and shut_out(edges, table, dry, touch, eye, stretch, picks):
                        shut[e] = test + 1
            row[1], row[2] = point_on(path, upto * k / count)
            if hills.shape[0] > 0:
                row[7] = ground_height(edges, table, hills, row[1], row[2])
            there[0][0] = 0
            there[2][0, :] = False
            for turn in range(m):
                e = order[turn]
                eye = rows[eyes[e]]
                if straight and shut[e] == UNTRIED and turn >= PLAINLY:
                    shut[e] = 0 if shut_out(edges, table, dry, touch, eye, swath, picks) else count + 1
                if UNTRIED < shut[e] <= k:
                    continue
                if bases_look(
                    edges, table, opacity, dry, smoky, narrow, touch, eye, e, *kept, row, 0, *there, picks, scratch
                ):
                    out[i] = True
                    last = e
                    break
            if out[i]:
                break
    return out


@njit(cache=True)
def all_stops(
    edges: Floats,
    table: Floats,
    opacity: Floats,
    dry: Floats,
    smoky: Ints,
    narrow: Ints,
    touch: float,
    hills: Ints,
    rows: Floats,
    mover: int,
    sin: float,
    cos: float,
    path: Floats,
    stops: Floats,
    slack: float,
    eyes: Ints,
    reaches: Floats,
    once: bool,
) -> Mask:
    """Which eyes see a base within their reach at which stops of its way, (n, m); see `look.stops_seen`."""
    n, m = eyes.shape[0], stops.shape[0]
    out = np.zeros((n, m), dtype=np.bool_)
    kept = notes(n, table.shape[0], smoky.shape[0], narrow.shape[0])
    there = notes(1, table.shape[0], smoky.shape[0], narrow.shape[0])
    picks = np.empty(table.shape[0], dtype=np.int64)
    scratch = np.empty((3, 2 * edges.shape[0] + 2))
    row = rows[mover].copy()
    row[3], row[4] = sin, cos
    for j in range(m):
        row[1], row[2] = point_on(path, stops[j])
        if hills.shape[0] > 0:
            row[7] = ground_height(edges, table, hills, row[1], row[2])
        free = True
        for k in range(rows.shape[0]):
            free = free and (k == mover or not overlapping(row, rows[k], slack))
        if not free:
            continue
        there[0][0] = 0
        there[2][0, :] = False
        for i in range(n):
            if base_distance(rows[eyes[i]], row) > reaches[i]:
                continue
            out[i, j] = bases_look(
                edges, table, opacity, dry, smoky, narrow, touch, rows[eyes[i]], i, *kept, row, 0, *there,
                picks, scratch,
            )  # fmt: skip
            if once and out[i, j]:
                return out
    return out


@njit(cache=True)
def arrive(
    edges: Floats,
    table: Floats,
    hills: Ints,
    rows: Floats,
    known: Bytes,
    veils: Shorts,
    numbers: Ints,
    ends: Floats,
    points: Floats,
    starts: Ints,
    enemies: Ints,
    width: float,
    depth: float,
    slack: float,
    contact: float,
) -> bool:
    """Set bases down at their ends (x, y, sin, cos, above, inches) if they come there freely; see `look.arrive`."""
    lengths = ends[:, 5].copy()
    if not arrive_freely(rows, numbers, ends, points, starts, lengths, enemies, width, depth, slack, contact):
        return False
    for i in range(numbers.shape[0]):
        x, y, sin, cos, above, _ = ends[i]
        put(edges, table, hills, rows, known, veils, numbers[i], x, y, sin, cos, above)
    return True
