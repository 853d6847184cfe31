"""Fire: who of a side could fire at which group of bases, and all that a volley rests on."""

from __future__ import annotations

import math

import numpy as np

from sandtable.rulesets.tr14.kernels import fire_kernels
from sandtable.rulesets.tr14.kernels.fire_kernels import UNSEEN, Groups, Lens, Places, Troops
from sandtable.table.shapes import COLUMNS, Floats, Ints, Mask, as_rows
from sandtable.table.sight import Opacity
from sandtable.table.terrain import Terrain

__all__ = [
    "UNSEEN", "Groups", "Lens", "Places", "Troops",
    "aim", "fields", "groups_of", "lens_on", "places_of", "watch",
]  # fmt: skip

_NO_INTS: Ints = np.empty(0, dtype=np.int64)


def lens_on(terrain: Terrain, opacity: Opacity, touch: float) -> Lens:
    return Lens(terrain.arrays, opacity.table, float(touch))


def places_of(rows: Floats, facings: Floats) -> Places:
    """Where everybody stands, with a memory that holds nothing yet; it belongs to these rows and to one terrain."""
    count = len(rows)
    return Places(rows, facings, np.full((count, COLUMNS), math.nan), np.zeros((count, count), dtype=np.int8))


def groups_of(bases: Floats, starts: Ints, moving: Ints, numbers: Ints = _NO_INTS) -> Groups:
    return Groups(bases, starts, moving, numbers)


def watch(lens: Lens, places: Places, ours: Troops, firing: Ints, limits: Floats, groups: Groups, width: float) -> Mask:
    """Which of ours could fire at which group of targets, (n, groups): say, a unit at each moment of its move.

    ours: they stop each other's fire as blockers do, see `sight`; reaches and facings as in `fields`.
    firing, limits: the numbers among ours of those asked about, and their limits. A watcher minds a group only if one
        of its bases that count is within his limit.
    """
    result: Mask = fire_kernels.all_watch(lens, places, ours, firing, limits, groups, float(width))
    return result


def aim(
    lens: Lens,
    values: Ints,
    places: Places,
    ours: Troops,
    firing: Ints,
    helping: Ints,
    targets: Ints,
    width: float,
) -> tuple[Floats, Ints, Ints]:
    """All that a volley of some of our bases at some others rests on.

    firing: the numbers among ours of those who fire.
    helping: the numbers of those who only look on. targets: rows. values: as in `shelter`.

    Returns the distances (n, m); for each who fires k + 1 lists (n, k + 1, m): what he can fire at in each of his
    fields, and the shelter that everything has from him, or UNSEEN; and of each target (2, m) whether anybody who
    fires or looks on sees it, and whether its centre is in an AREA.
    """
    distance, marks, stands = fire_kernels.all_aim(lens, values, places, ours, firing, helping, targets, float(width))
    return distance, marks, stands


def fields(rows: Floats, facings: Floats, reaches: Floats, width: float, targets: Floats) -> tuple[Floats, Mask, Mask]:
    """Fields of fire: each base has k of them, a facing (nan: all round) and a reach each, all equally wide.

    Returns the distances (n, m), which targets lie with any part in which field (k, n, m), and in any field (n, m).
    """
    distance, inside, some = fire_kernels.all_fields(as_rows(rows), facings, reaches, float(width), as_rows(targets))
    return distance, inside, some
