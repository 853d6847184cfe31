"""Sight by levels: every feature has a level of height, and whoever stands higher than it looks over it.

Only the watcher's level counts, so that one may see whom one is not seen by. Of thick ground (woods) a line may run
through so many inches in all, however many pieces of it there are. Lines run from the middle of one base to the middle
of another.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sandtable.table import sight
from sandtable.table.hairs import EXACT, NOTHING
from sandtable.table.shapes import Floats, Ints, Mask, X, Y
from sandtable.table.sight import Crossing
from sandtable.table.terrain import Terrain


class Levels(NamedTuple):
    """What each feature of a terrain does to a line of sight.

    One that `blocks` hides what lies beyond it from whoever is on no higher `level`; one sees into it and out of it.
    Its `thickness` is the number of the kind of thick ground that it is, or -1; `limits` are the most inches of each
    such kind that a line may run through.
    """

    level: Floats
    blocks: Mask
    thickness: Ints
    limits: Floats

    @classmethod
    def of(
        cls, level: Sequence[float], blocks: Sequence[bool], thickness: Sequence[int], limits: Sequence[float]
    ) -> Levels:
        return cls(
            np.array(level, dtype=np.float64),
            np.array(blocks, dtype=np.bool_),
            np.array(thickness, dtype=np.int64),
            np.array(limits, dtype=np.float64),
        )

    @property
    def matters(self) -> Mask:
        """Which features can hinder a line at all."""
        result: Mask = self.blocks | (self.thickness >= 0)
        return result


def between(a: Floats, b: Floats) -> Floats:
    """The lines from the middle of each base a[i] to that of each b[j], row by row, (n * m, 4)."""
    starts = np.repeat(a[:, X : Y + 1], len(b), axis=0)
    ends = np.tile(b[:, X : Y + 1], (len(a), 1))
    return np.ascontiguousarray(np.concatenate((starts, ends), axis=1))


def inches_through(crossings: Sequence[Crossing], levels: Levels, thickness: int) -> float:
    """How many inches of a line run through one kind of thick ground; where two pieces overlap, they count once."""
    runs = sorted((each.enter, each.leave) for each in crossings if levels.thickness[each.feature] == thickness)
    total, reached = 0.0, 0.0
    for enter, leave in runs:
        total += max(0.0, leave - max(enter, reached))
        reached = max(reached, leave)
    return total


def hides(crossings: Sequence[Crossing], levels: Levels, watcher: float) -> Crossing | None:
    """The first thing on a line that hides its end from a watcher of this level: a feature, or thick ground."""
    for each in crossings:
        through = not each.from_inside and not each.ends_inside
        if through and levels.blocks[each.feature] and watcher <= levels.level[each.feature] + EXACT:
            return each
    for number, limit in enumerate(levels.limits.tolist()):
        if inches_through(crossings, levels, number) > limit + NOTHING:
            return next(each for each in crossings if levels.thickness[each.feature] == number)
    return None


def clear(terrain: Terrain, levels: Levels, lines: Floats, watchers: Floats) -> Mask:
    """Which lines nothing hides the end of; `watchers` is the level of whoever looks along each, (L,)."""
    found: Mask = np.ones(len(lines), dtype=np.bool_)
    if not len(lines) or not levels.matters.any():
        return found
    touched = sight.crossed(terrain, lines) & levels.matters
    for number in np.flatnonzero(touched.any(axis=1)).tolist():
        crossings = sight.crossings(terrain, *lines[number].tolist())
        found[number] = hides(crossings, levels, float(watchers[number])) is None
    return found


def sight_by_levels(terrain: Terrain, levels: Levels, a: Floats, b: Floats, watchers: Floats) -> Mask:
    """Which base a[i], on this level, sees which base b[j], (n, m)."""
    seen = clear(terrain, levels, between(a, b), np.repeat(watchers, len(b)))
    return seen.reshape(len(a), len(b))
