"""Compiled kernels of units on the march."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from sandtable.table.base_kernels import base_distance, copy_row, overlapping, picked
from sandtable.table.compiled import Floats1, Floats2, Ints1, Mask1, helper, kernel
from sandtable.table.move_kernels import slide_rows, stored, sweep
from sandtable.table.shapes import Floats, Mask


class Marchers(NamedTuple):
    """Those of a unit who are shifted, as numbers of rows of a table; which of them turn to where they go.

    `bound` are those who must go there step by step and keep within their limit of the leader, or of one that is:
    the others may be set down anywhere. `unit` are all its rows, `limits` theirs, and `leader` is one of them, or -1.
    """

    numbers: Ints1
    turning: Mask1
    bound: Mask1
    unit: Ints1
    leader: int
    limits: Floats1

    def alone(self, which: int) -> Marchers:
        """The same for one of them, while the others stay."""
        one = slice(which, which + 1)
        return Marchers(self.numbers[one], self.turning[one], self.bound[one], self.unit, self.leader, self.limits)


@kernel
def all_linked(rows: Floats2, leader: int, limits: Floats1) -> Mask:
    """Bases near the leader, or near one that is."""
    n = rows.shape[0]
    direct = np.empty(n, dtype=np.bool_)
    for i in range(n):
        direct[i] = i == leader or base_distance(rows[i], rows[leader]) <= limits[i]
    out = direct.copy()
    for i in range(n):
        if not out[i]:
            for j in range(n):
                if direct[j] and base_distance(rows[i], rows[j]) <= limits[i]:
                    out[i] = True
                    break
    return out


@kernel
def march(
    rows: Floats2,
    marchers: Marchers,
    enemies: Ints1,
    sin: float,
    cos: float,
    dx: float,
    dy: float,
    width: float,
    depth: float,
    slack: float,
) -> tuple[Floats, int]:
    """A unit shifted on a table where everybody stands: the ends of its bases (n, 2), and 0 if they are well.

    1: one ends on a base that stayed as it was instead of turning, or a bound base passes over an enemy or breaks the
    cohesion of its unit. 2: one was out of cohesion before, and its way must be looked at.
    """
    numbers, turning, bound, unit, leader, limits = marchers
    n = numbers.shape[0]
    everyone = rows.copy()
    for i in range(n):
        if turning[i]:
            everyone[numbers[i], 3], everyone[numbers[i], 4] = sin, cos
    slide_rows(everyone, numbers, dx, dy, width, depth, slack)
    ends = np.empty((n, 2))
    gone = np.zeros(rows.shape[0], dtype=np.bool_)
    for i in range(n):
        k = int(numbers[i])
        ends[i, 0], ends[i, 1] = everyone[k, 1], everyone[k, 2]
        gone[k] = ends[i, 0] != rows[k, 1] or ends[i, 1] != rows[k, 2]
        if not gone[k]:
            copy_row(rows[k], everyone[k])
    path, here = np.empty((2, 2)), np.empty(rows.shape[1])
    foes = picked(rows, enemies)
    for i in range(n):
        k = int(numbers[i])
        if turning[i] and not gone[k]:
            for j in range(n):
                if gone[numbers[j]] and overlapping(everyone[k], everyone[numbers[j]], slack):
                    return ends, 1
        if gone[k] and bound[i]:
            path[0, 0], path[0, 1], path[1, 0], path[1, 1] = rows[k, 1], rows[k, 2], ends[i, 0], ends[i, 1]
            if sweep(rows[k], here, path, foes, slack) < math.inf:
                return ends, 1
    for i in range(n):
        gone[numbers[i]] = gone[numbers[i]] and bound[i]
    if leader >= 0 and unit.shape[0] > 1:
        return ends, cohesion_kept(rows, everyone, unit, gone, leader, limits)
    return ends, 0


@helper
def cohesion_kept(before: Floats2, after: Floats2, unit: Ints1, gone: Mask1, leader: int, limits: Floats1) -> int:
    """0 if whoever has gone keeps cohesion and half of the unit does, 1 if not, 2 if one that had none has gone."""
    had = all_linked(picked(before, unit), leader, limits)
    has = all_linked(picked(after, unit), leader, limits)
    count, former = 0, 0
    verdict = 0
    for i in range(unit.shape[0]):
        count += has[i]
        former += had[i]
        if gone[unit[i]] and had[i] and not has[i]:
            return 1
        if gone[unit[i]] and not had[i]:
            verdict = 2
    return 1 if count * 2 < unit.shape[0] and count < former else verdict


@kernel
def stages(rows: Floats2, numbers: Ints1, ways: Floats2, parts: Floats1) -> Floats:
    """The rows of these numbers at parts of their ways, stage by stage; those beyond the ways stay, (k * n, 8)."""
    n = numbers.shape[0]
    out = np.empty((parts.shape[0] * n, rows.shape[1]))
    for p in range(parts.shape[0]):
        for i in range(n):
            copy_row(rows[numbers[i]], out[p * n + i])
            if i < ways.shape[0]:
                out[p * n + i, 1] = stored(ways[i, 0] + (ways[i, 2] - ways[i, 0]) * parts[p])
                out[p * n + i, 2] = stored(ways[i, 1] + (ways[i, 3] - ways[i, 1]) * parts[p])
                out[p * n + i, 3], out[p * n + i, 4] = ways[i, 4], ways[i, 5]
    return out
