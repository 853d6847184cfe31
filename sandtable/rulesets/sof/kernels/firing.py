"""The firing distances of a unit."""

from __future__ import annotations

from sandtable.rulesets.sof.kernels import firing_kernels
from sandtable.table.shapes import Floats, Ints


def firing_distances(
    rows: Floats, models: Floats, heights: Floats, others: Floats, wanted: Ints, level: float, shared: float
) -> tuple[list[float], list[bool]]:
    """How far the wanted bases of a unit are from a target that they fire at, and which of them share a distance.

    That of the one nearest to it is the unit's, shared by all within so many inches of him; the others have their own.
    `heights` are those of the unit's bases, `others` those of the target's, and a difference is so many inches a level.
    """
    inches, shares = firing_kernels.firing_distances(rows, models, heights, others, wanted, level, shared).T.tolist()
    return inches, [each == 1.0 for each in shares]
