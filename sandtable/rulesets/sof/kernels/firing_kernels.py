"""Compiled: how far from a target the figures of a unit are."""

from __future__ import annotations

import math

import numpy as np

from sandtable.table.base_kernels import base_distance
from sandtable.table.compiled import Floats1, Floats2, Ints1, helper, kernel
from sandtable.table.shapes import Floats


@helper
def gaps_of(rows: Floats2, models: Floats2, heights: Floats1, others: Floats1, level: float, out: Floats1) -> int:
    """Fill in how far each base is from the nearest model, heights included; the first that is nearest."""
    first = 0
    for i in range(rows.shape[0]):
        out[i] = math.inf
        for j in range(models.shape[0]):
            flat, high = base_distance(rows[i], models[j]), level * (heights[i] - others[j])
            out[i] = min(out[i], math.sqrt(flat * flat + high * high))
        if out[i] < out[first]:
            first = i
    return first


@kernel
def firing_distances(
    rows: Floats2, models: Floats2, heights: Floats1, others: Floats1, wanted: Ints1, level: float, shared: float
) -> Floats:
    """Of the wanted bases the firing distance, and 1 if that is the unit's, (n, 2). See `firing`."""
    out = np.empty((wanted.shape[0], 2))
    gaps = np.empty(rows.shape[0])
    first = gaps_of(rows, models, heights, others, level, gaps)
    for k in range(wanted.shape[0]):
        number = wanted[k]
        shares = base_distance(rows[number], rows[first]) <= shared
        out[k, 0] = gaps[first] if shares else gaps[number]
        out[k, 1] = 1.0 if shares else 0.0
    return out
