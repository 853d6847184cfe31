"""Fire: who of some bases can fire at which of others, and what each of them aims at."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sandtable.table import fire_kernels
from sandtable.table.look import Lens
from sandtable.table.shapes import Floats, Ints, Mask

_NO_MASK: Mask = np.empty(0, dtype=np.bool_)


class Fire(NamedTuple):
    """Of each who fires and each target, (n, m).

    `gap`: their distance, and `near` if that is in reach. `sees`, `arc`, and `line`, a line of fire: asked only where
    it matters, and False elsewhere. `aim`: the number of the target to which a base really fires, itself or one close
    to it, or -1. `can`: it can be fired at.
    """

    gap: Floats
    near: Mask
    sees: Mask
    arc: Mask
    line: Mask
    can: Mask
    aim: Ints


def fire_table(
    lens: Lens,
    rows: Floats,
    known: NDArray[np.int8],
    ours: Ints,
    classes: Ints,
    firing: Floats,
    targets: Ints,
    stands: Ints,
    high: Ints,
    *,
    houses: Mask | None,
    width: float,
    spill: float,
) -> Fire:
    """Who can fire at whom on a table where everybody stands.

    rows, known: where everybody stands, and what is known of the sight between them, as in `look.seen_known`.
    ours, classes: the rows of the side that fires, and 0 for those of them who are on foot.
    firing: for each who fires his row, his facing (nan: all round), his reach, 0 if he is on foot, and his number among
        ours. One of ours stops his fire who is between; but one on foot only if both others are, and nobody who
        stands lower.
    targets, stands, high: their rows, the rows where they count as being seen, and 0 for those who are on foot.
    houses: the areas from inside which one fires only at their edges, if there are any.
    spill: who does not see a target fires at the nearest that he can fire at and that is this close to it.
    """
    marked = _NO_MASK if houses is None else houses
    return Fire(
        *fire_kernels.all_fire(
            *lens.ground, marked, rows, known, ours, classes, firing, targets, stands, high, width, spill,
        )
    )  # fmt: skip
