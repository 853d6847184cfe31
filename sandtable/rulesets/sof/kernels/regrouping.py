"""A unit whose models are given other bases: where each stands."""

from __future__ import annotations

import numpy as np

from sandtable.rulesets.sof.kernels import regrouping_kernels
from sandtable.table.shapes import Floats


def regrouped(
    rows: Floats, others: Floats, around: Floats, apart: float, chain: float, width: float, depth: float
) -> list[tuple[float, float]] | None:
    """Where each base of a unit stands (n, 8), one after the other; None if one of them finds no spot.

    On the table, farther than `apart` from others, on none of its unit and no farther than `chain` from one of them
    that is placed already. Whoever may stay where he is comes first; else whoever is next in their order looks for the
    first spot that will do, by how far the spots `around` him are to the east and north. At last whoever has stepped
    aside goes back, one after the other, if with all the others in their places he need not have.
    """
    spots: Floats = np.empty((len(rows), 2))
    found = regrouping_kernels.regrouped(rows, others, around, apart, chain, width, depth, spots)
    return [(x, y) for x, y in spots.tolist()] if found else None
