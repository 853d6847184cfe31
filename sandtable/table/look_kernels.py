"""Compiled kernels of looking: sight between bases with all that smoke, hills and thick hedges do to it."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from sandtable.table.ground_kernels import NEAR, at_outline, outline_cuts, point_inside
from sandtable.table.shapes import Floats, Ints, Mask
from sandtable.table.sight_kernels import ground_between, samples, some_line
from sandtable.table.veil_kernels import crossings, slants

UNKNOWN, UNSEEN, SEEN = 0, 1, 2  # what is known of the sight between two bases
HAIR = 0.01
NO_BASES = np.empty((0, 8))


@njit(cache=True)
def looks_over(table: Floats, row: Floats) -> Mask:
    """The features that are lower than the ground on which a base stands; empty if it stands on the level."""
    if row[7] <= 0.0:
        return np.empty(0, dtype=np.bool_)
    out: Mask = table[:, 5] < row[7]
    return out


@njit(cache=True)
def in_smoke(edges: Floats, table: Floats, f: int, row: Floats, touch: float) -> bool:
    """Does a base touch a smoke marker, or lie in it?"""
    return bool(
        at_outline(edges, table, f, row, touch + NEAR)
        or point_inside(edges, table, f, row[1], row[2])
        or outline_cuts(edges, table, f, row, HAIR)
    )


@njit(cache=True)
def narrowed(
    edges: Floats, table: Floats, narrow: Ints, a: Floats, over_a: Mask, b: Floats, over_b: Mask, touch: float,
    scratch: Floats,
) -> bool:  # fmt: skip
    """Does one of two bases look at too much of a slant through a hedge that it is at?"""
    for f in narrow:
        if (over_a.shape[0] > 0 and over_a[f]) or (over_b.shape[0] > 0 and over_b[f]):
            continue
        if not at_outline(edges, table, f, a, touch + NEAR) and not at_outline(edges, table, f, b, touch + NEAR):
            continue
        found = crossings(edges, table, f, a[1], a[2], b[1], b[2], scratch)
        if found > 0 and slants(edges, table, f, a[1], a[2], b[1], b[2], found, scratch):
            return True
    return False


@njit(cache=True)
def bases_look(
    edges: Floats,
    table: Floats,
    opacity: Floats,
    dry: Floats,
    smoky: Ints,
    narrow: Ints,
    a: Floats,
    b: Floats,
    touch: float,
    points_a: Floats,
    points_b: Floats,
    picks: Ints,
    scratch: Floats,
) -> bool:
    """Does any part of the one base see any part of the other?"""
    either = shared = False
    if smoky.shape[0] > 0:
        for f in smoky:
            in_a = in_smoke(edges, table, f, a, touch)
            in_b = in_smoke(edges, table, f, b, touch)
            either = either or in_a or in_b
            shared = shared or (in_a and in_b)
        if either and not shared:
            return False
    clear = dry if shared else opacity
    over_a = looks_over(table, a)
    over_b = looks_over(table, b)
    count = ground_between(edges, table, clear, a, -math.inf, over_a, b, -math.inf, over_b, touch, picks)
    if count < 0:
        return False
    if count > 0 and not some_line(
        edges, table, clear, points_a, samples(a, points_a), -math.inf, points_b, samples(b, points_b), -math.inf,
        NO_BASES, picks, count, scratch,
    ):  # fmt: skip
        return False
    return narrow.shape[0] == 0 or not narrowed(edges, table, narrow, a, over_a, b, over_b, touch, scratch)


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
    known: Ints,
    a: Ints,
    b: Ints,
) -> Mask:
    """Who of the rows numbered a sees which of those numbered b, (n, m). `known` (N * N) is filled where it is empty."""
    out = np.zeros((a.shape[0], b.shape[0]), dtype=np.bool_)
    points_a = np.empty((9, 2))
    points_b = np.empty((9, 2))
    picks = np.empty(table.shape[0], dtype=np.int64)
    scratch = np.empty((3, 2 * edges.shape[0] + 2))
    many = rows.shape[0]
    for i in range(a.shape[0]):
        for j in range(b.shape[0]):
            p, q = a[i], b[j]
            if known[p * many + q] == UNKNOWN:
                seen = bases_look(
                    edges, table, opacity, dry, smoky, narrow, rows[p], rows[q], touch,
                    points_a, points_b, picks, scratch,
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
    out = np.zeros((a.shape[0], b.shape[0]), dtype=np.bool_)
    points_a = np.empty((9, 2))
    points_b = np.empty((9, 2))
    picks = np.empty(table.shape[0], dtype=np.int64)
    scratch = np.empty((3, 2 * edges.shape[0] + 2))
    for i in range(a.shape[0]):
        for j in range(b.shape[0]):
            if wanted.shape[0] == 0 or wanted[i, j]:
                out[i, j] = bases_look(
                    edges, table, opacity, dry, smoky, narrow, a[i], b[j], touch, points_a, points_b, picks, scratch
                )
    return out


@njit(cache=True)
def ground_height(edges: Floats, table: Floats, hills: Ints, x: float, y: float) -> float:
    """The top of the highest of some hills on which a point lies, or 0."""
    top = 0.0
    for f in hills:
        if table[f, 5] > top and point_inside(edges, table, f, x, y):
            top = table[f, 5]
    return top


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
    eyes: Floats,
    bases: Floats,
    points: Floats,
    starts: Ints,
    uptos: Floats,
    step: float,
) -> Mask:
    """Which bases are seen by some eyes somewhere on their way; see `look.ways_seen`."""
    n = bases.shape[0]
    out = np.zeros(n, dtype=np.bool_)
    points_a = np.empty((9, 2))
    points_b = np.empty((9, 2))
    picks = np.empty(table.shape[0], dtype=np.int64)
    scratch = np.empty((3, 2 * edges.shape[0] + 2))
    last = 0
    for i in range(n):
        row = bases[i].copy()
        count = max(1, math.ceil(uptos[i] / step))
        # From the end backwards: who is out of sight where he starts is mostly seen where he ends.
        for k in range(count, 0, -1):
            left = uptos[i] * k / count
            for p in range(starts[i], starts[i + 1] - 1):
                dx, dy = points[p + 1, 0] - points[p, 0], points[p + 1, 1] - points[p, 1]
                leg = math.sqrt(dx * dx + dy * dy)
                if left <= leg and leg > 0.0:
                    row[1], row[2] = points[p, 0] + dx * left / leg, points[p, 1] + dy * left / leg
                    left = -1.0
                    break
                left -= leg
            if left >= 0.0:
                row[1], row[2] = points[starts[i + 1] - 1, 0], points[starts[i + 1] - 1, 1]
            if hills.shape[0] > 0:
                row[7] = ground_height(edges, table, hills, row[1], row[2])
            for turn in range(eyes.shape[0]):
                # Whoever saw something last is asked first.
                e = last if turn == 0 else (turn - 1 if turn <= last else turn)
                if bases_look(
                    edges, table, opacity, dry, smoky, narrow, eyes[e], row, touch, points_a, points_b, picks, scratch
                ):
                    out[i] = True
                    last = e
                    break
            if out[i]:
                break
    return out
