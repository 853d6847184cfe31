"""Sight lines: what a line crosses, and who can see whom.

`sight` answers for whole bases by sampling: the centre, the corners and the edge midpoints of a rectangle
(the centre and eight rim points of a circle), all 0.01 inside the edge. If a line between any two is clear,
some part of the one base sees some part of the other. It is the same answer both ways.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from sandtable.table import line_kernels, sight_kernels
from sandtable.table.hairs import EXACT
from sandtable.table.shapes import COLUMNS, Floats, Ints, Mask, as_rows
from sandtable.table.terrain import CLOSED, Terrain

CLEAR = 0  # never blocks
BARRIER = 1  # blocks a line that crosses it; a line wholly inside it is free
AREA = 2  # one sees into it and out of it, but not through
HAZE = 3  # one sees through it, but only `limit` inches of it

UNSEEN = sight_kernels.UNSEEN  # in place of a shelter, for what one does not see

_NO_FLOATS: Floats = np.empty(0)
_NO_INTS: Ints = np.empty(0, dtype=np.int64)
_NO_MASK: Mask = np.empty((0, 0), dtype=np.bool_)
_NO_ROWS: Floats = np.empty((0, COLUMNS))


class Crossing(NamedTuple):
    """One run of a line inside a feature; `enter` and `leave` are inches along the line."""

    feature: int
    enter: float
    leave: float
    length: float
    from_inside: bool  # the line's start lies in this run
    ends_inside: bool  # the line's end lies in this run


class Opacity:
    """How each feature of a terrain treats sight: a `mode` and, for AREA and HAZE, a `limit`.

    The limit is how many inches in all a line may run inside the feature, wherever it starts and ends. Lines
    with heights are hindered only where they run lower than the feature's floor + height.
    """

    __slots__ = ("table",)

    def __init__(self, mode: Ints | list[int], limit: Floats | list[float] | None = None) -> None:
        modes = np.asarray(mode, dtype=np.float64)
        limits = np.full(len(modes), math.inf) if limit is None else np.asarray(limit, dtype=np.float64)
        self.table: Floats = np.ascontiguousarray(np.column_stack((modes, limits)))

    @property
    def mode(self) -> Ints:
        return self.table[:, 0].astype(np.int64)

    @property
    def limit(self) -> Floats:
        return self.table[:, 1]


def line_runs(terrain: Terrain, x0: float, y0: float, x1: float, y1: float) -> Floats:
    """Rows of (feature, enter, leave), feature by feature; no length at a line obstacle."""
    scratch = np.empty((3, 2 * len(terrain.edges) + 2))
    result: Floats = line_kernels.line_runs(terrain.arrays, float(x0), float(y0), float(x1), float(y1), scratch)
    return result


def crossings(terrain: Terrain, x0: float, y0: float, x1: float, y1: float) -> list[Crossing]:
    """Everything the line crosses, in order. A concave area may come up several times.

    Grazing a corner or running along an outline is no crossing, nor is touching a line obstacle with an end.
    """
    length = math.hypot(x1 - x0, y1 - y0)
    found = []
    for number, enter, leave in line_runs(terrain, x0, y0, x1, y1).tolist():
        area = terrain.table[int(number), CLOSED] == 1.0
        found.append(
            Crossing(
                int(number),
                enter,
                leave,
                leave - enter,
                bool(area and enter <= EXACT),
                bool(area and leave >= length - EXACT),
            )
        )
    return sorted(found, key=lambda crossing: (crossing.enter, crossing.leave, crossing.feature))


def _lines(lines: Floats) -> Floats:
    return np.ascontiguousarray(lines, dtype=np.float64).reshape(-1, 4)


def crossed(terrain: Terrain, lines: Floats) -> Mask:
    """Which features each line (x0, y0, x1, y1) crosses or lies in, (L, F)."""
    result: Mask = line_kernels.all_crossed(terrain.arrays, _lines(lines))
    return result


def lines_past(a: Floats, b: Floats, others: Floats, counts: Mask, far: float) -> Mask:
    """Which line from the middle of base a[i] to that of base b[j] keeps farther than `far` from other bases, (n, m).

    `counts` says which of the others do for whom, (n, K).
    """
    result: Mask = line_kernels.all_past(as_rows(a), as_rows(b), as_rows(others), counts, float(far))
    return result


def clear_lines(terrain: Terrain, opacity: Opacity, lines: Floats) -> Mask:
    """Which of the lines (x0, y0, x1, y1) nothing blocks, heights left aside, (L,)."""
    result: Mask = line_kernels.all_clear(terrain.arrays, opacity.table, _lines(lines))
    return result


def sight(
    terrain: Terrain,
    opacity: Opacity,
    a: Floats,
    b: Floats,
    eyes_a: Floats | None = None,
    eyes_b: Floats | None = None,
    exempt_a: Mask | None = None,
    exempt_b: Mask | None = None,
    blockers: Floats | None = None,
    own: Ints | None = None,
    own_b: Ints | None = None,
    classes: Ints | None = None,
    over: Ints | None = None,
    wanted: Mask | None = None,
    touch: float = 0.0,
) -> Mask:
    """Can any part of base a[i] see any part of base b[j]? (n, m)

    eyes_a, eyes_b: heights above the base's own ground (its Z column), one a base. Without either, heights
        are left aside; with only one, the other side looks from the ground.
    exempt_a, exempt_b: (n, F) and (m, F), features that never block for that base.
    blockers: (K, 8), bases that stop any line crossing them, whatever their height.
    own, own_b: number of a[i] (of b[j]) among the blockers, or -1; no base is in its own way.
    classes, over: (K,) and (n,), a blocker of a lower class than a watcher looks over does not block him.
    wanted: (n, m), the pairs that matter; the others are answered with no, at no cost.
    touch: barriers that either base is this near to do not block: one looks over the wall one stands at.
    """
    a, b = as_rows(a), as_rows(b)
    if eyes_a is None and eyes_b is None:
        high_a = high_b = _NO_FLOATS
    else:
        high_a = np.zeros(len(a)) if eyes_a is None else np.ascontiguousarray(eyes_a, dtype=np.float64)
        high_b = np.zeros(len(b)) if eyes_b is None else np.ascontiguousarray(eyes_b, dtype=np.float64)
    result: Mask = sight_kernels.all_sight(
        terrain.arrays,
        opacity.table,
        a,
        b,
        high_a,
        high_b,
        _NO_MASK if exempt_a is None else np.ascontiguousarray(exempt_a, dtype=np.bool_),
        _NO_MASK if exempt_b is None else np.ascontiguousarray(exempt_b, dtype=np.bool_),
        _NO_ROWS if blockers is None else as_rows(blockers),
        _NO_INTS if own is None else np.ascontiguousarray(own, dtype=np.int64),
        _NO_INTS if own_b is None else np.ascontiguousarray(own_b, dtype=np.int64),
        _NO_INTS if classes is None else classes,
        _NO_INTS if over is None else over,
        _NO_MASK if wanted is None else np.ascontiguousarray(wanted, dtype=np.bool_),
        float(touch),
    )
    return result


def shelter(terrain: Terrain, values: Ints, a: Floats, b: Floats, touch: float) -> Ints:
    """What shelters each base b[j] from each base a[i], as the best of the features' values, (n, m); 0 for nothing.

    An area shelters a base whose centre is in it, from everywhere; a line obstacle a base that touches it, from
    whatever lies across it, centre to centre.
    """
    result: Ints = sight_kernels.all_shelter(terrain.arrays, values, as_rows(a), as_rows(b), float(touch))
    return result
