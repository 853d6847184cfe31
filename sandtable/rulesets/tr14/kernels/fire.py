"""Fire: who of a side could fire at which group of bases, and all that a volley rests on."""

from __future__ import annotations

import math

import numpy as np

from sandtable.rulesets.tr14.kernels import fire_kernels
from sandtable.table.shapes import (
    COLUMNS,
    Flags,
    Floats,
    Ints,
    Mask,
    as_rows,
)
from sandtable.table.sight import Opacity
from sandtable.table.terrain import Terrain

UNSEEN = fire_kernels.UNSEEN
_NO_INTS: Ints = np.empty(0, dtype=np.int64)


class Memory:
    """Which bases among some rows the ground lets see one another, as far as it has been asked, heights left aside.

    It belongs to those rows and to one terrain with its opacity. Whoever moves or turns is forgotten by himself: how
    everybody stood is kept with what is known.
    """

    __slots__ = ("kept", "known")

    def __init__(self, count: int) -> None:
        self.kept: Floats = np.full((count, COLUMNS), math.nan)
        self.known: Flags = np.zeros((count, count), dtype=np.int8)


def watch(
    terrain: Terrain,
    opacity: Opacity,
    rows: Floats,
    ours: Ints,
    classes: Ints,
    over: Ints,
    reaches: Floats,
    firing: Ints,
    facings: Floats,
    limits: Floats,
    targets: Floats,
    starts: Ints,
    moving: Ints,
    width: float,
    touch: float,
    memory: Memory,
    numbers: Ints = _NO_INTS,
) -> Mask:
    """Which of ours could fire at which group of targets, (n, groups): say, a unit at each moment of its move.

    rows, ours: where everybody stands, and which of the rows are ours: they stop each other's fire as blockers do.
    classes, over, reaches: of each of ours, as in `sight` and in `distance.fields`.
    firing, limits: the numbers among ours of those asked about, and their limits.
    facings: of all rows, as in `distance.fields`.
    targets, starts: group k is the bases starts[k] up to starts[k + 1]. A watcher minds a group only if one of its
        first moving[k] bases is within his limit.
    memory, numbers: a memory of the rows, and which of them the targets are; without numbers it is not asked.
    """
    result: Mask = fire_kernels.all_watch(
        terrain.arrays,
        opacity.table,
        rows,
        ours,
        classes,
        over,
        reaches,
        firing,
        facings,
        limits,
        targets,
        starts,
        moving,
        float(width),
        float(touch),
        memory.kept,
        memory.known,
        numbers,
    )
    return result


def aim(
    terrain: Terrain,
    opacity: Opacity,
    values: Ints,
    rows: Floats,
    ours: Ints,
    classes: Ints,
    over: Ints,
    reaches: Floats,
    firing: Ints,
    facings: Floats,
    helping: Ints,
    targets: Ints,
    width: float,
    touch: float,
    memory: Memory,
) -> tuple[Floats, Ints, Ints]:
    """All that a volley of some of our bases at some others rests on.

    rows, ours, classes, over, reaches, facings, memory: as in `watch`; there are k facings for each row.
    firing: the numbers among ours of those who fire.
    helping: the numbers of those who only look on. targets: rows. values, touch: as in `shelter` and in `sight`.

    Returns the distances (n, m); for each who fires k + 1 lists (n, k + 1, m): what he can fire at in each of his
    fields, and the shelter that everything has from him, or UNSEEN; and of each target (2, m) whether anybody who
    fires or looks on sees it, and whether its centre is in an AREA.
    """
    distance, marks, stands = fire_kernels.all_aim(
        terrain.arrays,
        opacity.table,
        values,
        rows,
        ours,
        classes,
        over,
        reaches,
        firing,
        facings,
        helping,
        targets,
        float(width),
        float(touch),
        memory.kept,
        memory.known,
    )
    return distance, marks, stands


def fields(rows: Floats, facings: Floats, reaches: Floats, width: float, targets: Floats) -> tuple[Floats, Mask, Mask]:
    """Fields of fire: each base has k of them, a facing (nan: all round) and a reach each, all equally wide.

    Returns the distances (n, m), which targets lie with any part in which field (k, n, m), and in any field (n, m).
    """
    distance, inside, some = fire_kernels.all_fields(as_rows(rows), facings, reaches, float(width), as_rows(targets))
    return distance, inside, some
