"""A whole unit on its way: whether it comes well to where it goes, and how far it must go to be clear of friends."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sandtable.rulesets.sof.kernels import passage_kernels
from sandtable.rulesets.sof.kernels.passage_kernels import ENEMY as ENEMY
from sandtable.rulesets.sof.kernels.passage_kernels import FRIEND as FRIEND
from sandtable.rulesets.sof.kernels.passage_kernels import Others as Others
from sandtable.table.moves import Paths
from sandtable.table.shapes import Floats, Ints

OTHER = 0
"""The unit itself, and whoever counts for nothing."""


def less_than(limit: float) -> float:
    """What a distance is at most that is less than a limit."""
    return float(np.nextafter(limit, -np.inf))


def goes_well(
    rows: Floats,
    ends: Floats,
    numbers: Ints,
    paths: Paths,
    others: Others,
    apart: float,
    chain: float,
    width: float,
    depth: float,
) -> bool:
    """Whether a unit comes to its ends as it should, asked of all its bases at once.

    Whoever moves stays on the table, comes nowhere within `apart` of an enemy, and passes over none; nobody ends on
    another base, as near to another unit as its `least` or as near to an enemy as its `limits`; and at the end all
    bases are one chain. Who does not move has a way of one point.
    """
    return bool(passage_kernels.goes_well(rows, ends, numbers, paths, others, apart, chain, width, depth))


def clear_of_friends(
    rows: Floats,
    numbers: Ints,
    others: Others,
    way: Sequence[float],
    far: float,
    edge: float,
    gap: float,
    step: float,
    most: float,
) -> float | None:
    """How far a unit goes in a direction, `far` or longer step by step, to be no nearer to a friend than `gap`.

    None if that takes more than `most`, if it is then as near to an enemy as its limit, or if what is added leads
    beyond the table's `edge`.
    """
    found = passage_kernels.clear_of_friends(rows, numbers, others, way[0], way[1], far, edge, gap, step, most)
    return None if found < 0.0 else float(found)
