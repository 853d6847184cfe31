"""Sight by levels: every feature has a level of height, and whoever stands higher than it looks over it.

Only the watcher's level counts, so that one may see whom one is not seen by. Of thick ground (woods) a line may run
through so many inches in all, however many pieces of it there are. Lines run from the middle of one base to the middle
of another.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sandtable.rulesets.sof.kernels import level_kernels
from sandtable.rulesets.sof.kernels.level_kernels import Levels as Levels
from sandtable.table.hairs import EXACT, NOTHING
from sandtable.table.shapes import Floats, Mask, X, Y, as_rows
from sandtable.table.sight import Crossing
from sandtable.table.terrain import Terrain


def compiled_levels(
    level: Sequence[float], blocks: Sequence[bool], thickness: Sequence[int], limits: Sequence[float]
) -> Levels:
    """The levels of some features, one of each a feature; `limits` one a kind of thick ground."""
    return Levels(
        np.array(level, dtype=np.float64),
        np.array(blocks, dtype=np.bool_),
        np.array(thickness, dtype=np.int64),
        np.array(limits, dtype=np.float64),
    )


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


def sight_by_levels(terrain: Terrain, levels: Levels, a: Floats, b: Floats, watchers: Floats) -> Mask:
    """Which base a[i], on this level, sees which base b[j], (n, m): on whose line `hides` finds nothing."""
    found: Mask = level_kernels.all_clear_by_levels(terrain.arrays, levels, as_rows(a), as_rows(b), watchers)
    return found
