"""What half hides a base from another: areas and lines in between, and those it stands in or at.

Where `sight` asks whether some line from base to base is clear, `veil` asks whether some line is not. The lines are
the same: from every sample point of the one base to every sample point of the other.
"""

from __future__ import annotations

import numpy as np

from sandtable.rulesets.hof.kernels import concealing_kernels
from sandtable.rulesets.hof.kernels.concealing_kernels import (
    AREA,
    BETWEEN,
    LINE,
    NARROWED,
    NONE,
    OCCUPIED,
    SHELTER,
    THING,
    Shorts,
)
from sandtable.table.hairs import EXACT, GRID
from sandtable.table.shapes import Floats, Ints, Mask, as_rows
from sandtable.table.terrain import Terrain

__all__ = [
    "AREA", "BETWEEN", "LINE", "NARROWED", "NONE", "OCCUPIED", "SHELTER", "THING",
    "known_veils", "shielded", "veil", "veiling",
]  # fmt: skip

_NO_MASK: Mask = np.empty((0, 0), dtype=np.bool_)


def veil(
    terrain: Terrain,
    kinds: Ints,
    narrow: Mask,
    a: Floats,
    b: Floats,
    touch: float,
    *,
    exempt_a: Mask | None = None,
    exempt_b: Mask | None = None,
    wanted: Mask | None = None,
) -> Ints:
    """What veils each target b[j] from each watcher a[i], as a sum of flags, (n, m); 0 for nothing.

    kinds: (F,), how each feature veils. A closed feature is an AREA or a THING, an open one a LINE; one of the wrong
        shape veils nothing.
        AREA: OCCUPIED if any part of the target is in it; or if the target touches it and no part of the watcher is
            in it. BETWEEN if neither is in it nor the target at it, and some line runs through it.
        LINE: if some line crosses it, OCCUPIED for a target that touches it; for another BETWEEN, unless the watcher
            touches it. SHELTER as well if the target touches it and the line from centre to centre crosses it.
        THING: BETWEEN if some line runs through it and neither base overlaps it.
    narrow: (F,), a LINE that is looked through only straight: NARROWED if either base touches it and the line from
        centre to centre crosses it at more than 45 degrees to the perpendicular.
    touch: a base this near to an outline touches it.
    exempt_a, exempt_b: (n, F) and (m, F), features over which that base looks, or is seen: they are never BETWEEN and
        never narrow; what a target is in or at still veils it.
    wanted: (n, m), the pairs that matter; the others are answered with 0, at no cost.
    """
    result: Ints = concealing_kernels.all_veil(
        terrain.arrays,
        np.ascontiguousarray(kinds, dtype=np.int64),
        np.ascontiguousarray(narrow, dtype=np.bool_),
        as_rows(a),
        as_rows(b),
        _NO_MASK if exempt_a is None else np.ascontiguousarray(exempt_a, dtype=np.bool_),
        _NO_MASK if exempt_b is None else np.ascontiguousarray(exempt_b, dtype=np.bool_),
        _NO_MASK if wanted is None else np.ascontiguousarray(wanted, dtype=np.bool_),
        touch + EXACT,
        GRID,
    )
    return result


def known_veils(
    terrain: Terrain, kinds: Ints, narrow: Mask, rows: Floats, known: Shorts, a: Ints, b: Ints, touch: float
) -> Ints:
    """What veils each of the rows numbered b from each of those numbered a, as flags, (n, m).

    Bases look over what is lower than the ground (Z) they stand on. `known` (N * N,) holds what has been found out
    before, row by row, or -1; it is added to.
    """
    result: Ints = concealing_kernels.all_known_veils(
        terrain.arrays, kinds, narrow, rows, known, a, b, touch + EXACT, GRID
    )
    return result


def veiling(
    terrain: Terrain, choices: Ints, narrow: Mask, a: Floats, b: Floats, flags: int, touch: float
) -> list[bool]:
    """Which choices of kinds, (K, F), give one of the flags to some pair; looking over things as in `known_veils`."""
    found: list[bool] = concealing_kernels.all_veiling(
        terrain.arrays, choices, narrow, a, b, flags, touch + EXACT, GRID
    ).tolist()
    return found


def shielded(terrain: Terrain, closed_features: Mask, rows: Floats, targets: Floats, touch: float) -> Mask:
    """Which targets a base inside a closed feature cannot fire at, since it is not at the right edge, (n, m).

    It counts for bases whose centre is in one of the marked features, and for targets that do not overlap the same
    one. Such a base reaches a target if it is within `touch` of an edge and the target's centre lies beyond the line
    of that edge. A base in several marked features must be so placed in each.
    """
    result: Mask = concealing_kernels.all_shielded(
        terrain.arrays,
        np.ascontiguousarray(closed_features, dtype=np.bool_),
        as_rows(rows),
        as_rows(targets),
        touch + EXACT,
        GRID,
    )
    return result
