"""Paths: how long, through what, and into whom. A path is a (k, 2) array of points from where one stands."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from sandtable.table import move_kernels as kernels
from sandtable.table import path_kernels
from sandtable.table.hairs import GRID
from sandtable.table.path_kernels import Paths as Paths
from sandtable.table.shapes import (
    HALF_DEPTH,
    HALF_WIDTH,
    Floats,
    Ints,
    Mask,
    as_rows,
)
from sandtable.table.terrain import Terrain


class Span(NamedTuple):
    """A stretch of a path over one feature; one stood in it at the start of the path, and stands in it at the end."""

    feature: int
    enter: float
    leave: float
    started: bool
    ended: bool


def together(paths: Sequence[Sequence[tuple[float, float]]]) -> Paths:
    count, starts = 0, [0]
    for path in paths:
        count += len(path)
        starts.append(count)
    numbers = chain.from_iterable(chain.from_iterable(paths))
    return Paths(np.fromiter(numbers, np.float64, 2 * count).reshape(count, 2), np.array(starts))


def straight(starts: Floats, ends: Floats, going: Mask | None = None) -> Paths:
    """The straight paths of those who are going, (n, 2) each, or of all; whoever is not has a path of one point."""
    points = np.empty((len(starts), 2, 2))
    points[:, 0] = starts
    points[:, 1] = ends
    if going is None or going.all():
        return Paths(points.reshape(-1, 2), np.arange(0, 2 * len(starts) + 1, 2))
    counted = np.stack((np.ones_like(going), going), axis=1).reshape(-1)
    return Paths(points.reshape(-1, 2)[counted], np.concatenate(([0], np.cumsum(1 + going))))


def _path(path: Floats) -> Floats:
    return np.ascontiguousarray(path, dtype=np.float64).reshape(-1, 2)


def spans(terrain: Terrain, points: Sequence[Sequence[float]], wanted: Ints | None = None) -> list[Span]:
    """The stretches of a path over features, in order of their beginnings; with `wanted` only those so numbered.

    The border of an area is outside: going along it, or touching it with a corner, is nothing, and whoever starts on it
    and goes in has entered. On the border stands also who is inside by no more than a hundredth of an inch, the grid
    on which places are stored. A line obstacle is crossed by whoever comes from one side of it to the other, and by
    whoever stops on it; who starts on it may leave it to either side. Going along it, or touching it, is nothing.
    """
    numbers = np.arange(len(terrain.features)) if wanted is None else wanted
    found = path_kernels.spans(terrain.arrays, numbers, np.array(points, dtype=np.float64))
    result = [
        Span(int(number), enter, leave, started == 1.0, ended == 1.0)
        for number, enter, leave, started, ended in found.tolist()
    ]
    return sorted(result, key=lambda span: (span.enter, span.feature))


def sweep(row: Floats, path: Floats, obstacles: Floats, slack: float = GRID) -> float:
    """Inches along the path at which the base, not turning, first overlaps an obstacle; inf if it never does.

    Exact. Obstacles that it overlaps from the start are left out: it may always walk out of them.
    """
    return float(kernels.swept(row, _path(path), as_rows(obstacles), float(slack)))


def on_table(rows: Floats, width: float, depth: float) -> Mask:
    """Is the whole base on the table (up to the 0.01 of rounding)? (n,)"""
    result: Mask = kernels.all_on_table(as_rows(rows), float(width), float(depth))
    return result


def way_on_table(row: Floats, path: Sequence[Sequence[float]], width: float, depth: float) -> bool:
    """Is there room on the table for the base at each corner of its path, if it only faces as it must there?"""
    half = float(min(row[HALF_WIDTH], row[HALF_DEPTH])) - GRID
    return all(half <= x <= width - half and half <= y <= depth - half for x, y in path[1:-1])


class Slide(NamedTuple):
    """How far each base of a unit came (a fraction each, (n,)), and the rows of all at their ends (n, 8)."""

    fractions: Floats
    ends: Floats


def slide(
    rows: Floats, dx: float, dy: float, obstacles: Floats, width: float, depth: float, slack: float = GRID
) -> Slide:
    """How far each base of a unit follows a move by (dx, dy): a fraction 1, 0.9, 0.8 ... 0 each, and the ends.

    The end of each, rounded to 0.01, is on the table and overlaps no obstacle and no base of the unit. The
    foremost goes first; those still to go count where they stand. Only ends are looked at: `sweep` looks at
    the way.
    """
    fractions, ends = kernels.slide_all(
        as_rows(rows), float(dx), float(dy), as_rows(obstacles), float(width), float(depth), float(slack)
    )
    return Slide(fractions, ends)


def stands_free(rows: Floats, number: int, width: float, depth: float, slack: float = GRID) -> bool:
    """Is the base of this number on the table and on no other base?"""
    return bool(kernels.stands_free(rows, number, float(width), float(depth), slack))


def any_within(rows: Floats, a: Ints, b: Ints, far: float) -> bool:
    """Is any of the rows numbered a within this distance of any of those numbered b?"""
    return bool(kernels.any_within(rows, a, b, far))


def pairs_within(rows: Floats, a: Ints, b: Ints, far: float) -> list[list[int]]:
    """The pairs [i, j] of those of the rows numbered a[i] that are within this distance of the row numbered b[j]."""
    result: list[list[int]] = kernels.pairs_within(rows, a, b, far).tolist()
    return result


# Along a path, past terrain.


def ways_crossed(terrain: Terrain, numbers: Ints, paths: Paths) -> list[bool]:
    """Which paths cross one of the features of these numbers, or lie in it, as in `spans`; never wrongly no."""
    found = path_kernels.ways_crossed(terrain.arrays, numbers, paths)
    result: list[bool] = found.tolist()
    return result


class Met(NamedTuple):
    """Where the first of some paths comes to a feature: after how many inches, which feature, on which path.

    `into` and `out`: where the first comes in from outside, and where the first goes out; infinite if none does.
    """

    inches: float
    feature: int
    path: int
    into: float
    out: float


def met(terrain: Terrain, numbers: Ints, paths: Paths) -> list[Met]:
    """What some paths come to of the features of these numbers, as in `spans`, in order of the inches."""
    found = path_kernels.first_met(terrain.arrays, numbers, paths).tolist()
    return sorted([Met(at, int(f), int(path), into, out) for f, at, path, into, out in found])
