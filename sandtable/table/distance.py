"""Distances, contact and arcs between bases, measured edge to edge."""

from __future__ import annotations

import numpy as np

from sandtable.table import base_kernels as kernels
from sandtable.table.hairs import A_HAIR, GRID, SLACK
from sandtable.table.hairs import beyond as beyond
from sandtable.table.hairs import nearer as nearer
from sandtable.table.hairs import negligible as negligible
from sandtable.table.hairs import within as within
from sandtable.table.shapes import Floats, Ints, Mask, X, Y, as_rows


def distance(a: Floats, b: Floats) -> float:
    """Base to base, 0 when they touch or overlap."""
    return float(kernels.base_distance(a, b))


def distances(a: Floats, b: Floats) -> Floats:
    """Every base of `a` to every base of `b`, (n, m)."""
    result: Floats = kernels.all_distances(as_rows(a), as_rows(b))
    return result


def comes_nearer(starts: Floats, ends: Floats, rows: Floats) -> Mask:
    """Which bases that go from `starts` to `ends` come nearer to which others; what may be rounding does not count."""
    result: Mask = distances(ends, rows) < distances(starts, rows) - A_HAIR
    return result


def nearest(a: Floats, b: Floats) -> Floats:
    """How far each base of `a` is from the nearest of `b`, (n,); inf if there is none."""
    result: Floats = kernels.all_nearest(as_rows(a), as_rows(b))
    return result


def group_gaps(a: Floats, b: Floats, groups: Ints, count: int) -> Floats:
    """How far each of some groups is from `a`, (count,): `groups` says to which each base of `b` belongs.

    inf for a group that has nobody.
    """
    result: Floats = kernels.group_gaps(as_rows(a), as_rows(b), groups, count)
    return result


def chains(rows: Floats, far: float) -> list[int]:
    """To which chain each base belongs: those no farther apart than `far` hang together, however long the chain.

    Chains are numbered in the order of their first members.
    """
    found: list[int] = kernels.chains(as_rows(rows), float(far)).tolist()
    return found


def to_points(rows: Floats, points: Floats) -> Floats:
    """From every base to every point (k, 2), (n, k)."""
    grid = np.ascontiguousarray(points, dtype=np.float64).reshape(-1, 2)
    result: Floats = kernels.all_point_distances(as_rows(rows), grid)
    return result


def overlaps(a: Floats, b: Floats, slack: float = GRID) -> Mask:
    """Which pairs of bases interpenetrate by more than the slack, (n, m)."""
    result: Mask = kernels.all_overlaps(as_rows(a), as_rows(b), float(slack))
    return result


def in_arc(x: float, y: float, facing: float, width: float, target: Floats) -> bool:
    """Does any part of the target base lie in the arc of `width` degrees centred on `facing`, apex (x, y)?"""
    return bool(kernels.arc_meets(float(x), float(y), float(facing), float(width), target))


def arcs(watchers: Floats, facings: Floats, width: float, targets: Floats) -> Mask:
    """`in_arc` from the centre of each watching base along its facing (nan: all round) to every target, (n, m)."""
    result: Mask = kernels.all_arcs(as_rows(watchers), facings, float(width), as_rows(targets))
    return result


def contact_move(row: Floats, target: Floats) -> tuple[float, float]:
    """Where the base, translated the shortest way, just touches the target, on the 0.01 grid.

    The gap left is below 0.015. A base that already stands that close stays; one that overlaps is pushed out.
    """
    depth = float(kernels.separation(row, target)[0])
    if depth >= 0.0 and distance(row, target) <= SLACK:
        x, y = float(row[X]), float(row[Y])
        if x == round(x, 2) and y == round(y, 2):
            return x, y
    x, y = kernels.contact(row, target)
    return float(x), float(y)
