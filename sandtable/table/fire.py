"""Fire: who of some bases can fire at which of others, and what each of them aims at."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sandtable.table import fire_kernels
from sandtable.table.fire_kernels import FREE, OVER, THROUGH
from sandtable.table.look import Lens
from sandtable.table.shapes import Floats, Ints, Mask

__all__ = ["FREE", "OVER", "THROUGH", "Fire", "Gain", "fire_gain", "fire_over", "fire_table"]

_NO_MASK: Mask = np.empty(0, dtype=np.bool_)


class Gain(NamedTuple):
    """Where fire does something, (n, m); which targets somebody does something to, (m,); who may join in, (n,)."""

    some: Mask
    worthy: Mask
    able: Mask


class Fire(NamedTuple):
    """Of each who fires and each target, (n, m).

    `gap`: their distance, infinite if it is surely out of reach. `aim`: the number of the target to which a base really
    fires, itself or one close to it, or -1. `marks` (6, n, m): `near` if it is in reach; `sees`, `arc`, and `line`, a
    line of fire: asked only where it matters, and False elsewhere; `can`: it can be fired at; and one that is free.
    `some`: somebody can be fired at. `gain`: to whose gain.
    """

    gap: Floats
    aim: Ints
    marks: Mask
    some: bool
    gain: Gain


def fire_table(
    lens: Lens,
    rows: Floats,
    known: NDArray[np.int8],
    stands: Ints,
    ours: Ints,
    classes: Ints,
    firing: Floats,
    targets: Ints,
    high: Ints,
    proof: Floats,
    houses: Mask | None,
    width: float,
    spill: float,
) -> Fire:
    """Who can fire at whom on a table where everybody stands.

    rows, known: where everybody stands, and what is known of the sight between them, as in `look.seen_known`.
    stands: for each row the one where it counts as being seen.
    ours, classes: the rows of the side that fires, and 0 for those of them who are on foot.
    firing: for each who fires his row, his facing (nan: all round), his reach, 0 if he is on foot, his punch (as for
        `fire_gain`), and his number among ours. One of ours stops his fire who is between; but one
        on foot only if both others are, and nobody who stands lower.
    targets, high, proof: their rows, 0 for those who are on foot, and what `fire_gain` asks of them.
    houses: the areas from inside which one fires only at their edges, if there are any.
    spill: who does not see a target fires at the nearest that he can fire at and that is this close to it.
    """
    marked = _NO_MASK if houses is None else houses
    gap, aim, marks, some, *gain = fire_kernels.all_fire(
        *lens.ground, marked, rows, known, stands, ours, classes, firing, targets, high, proof, width, spill,
    )  # fmt: skip
    return Fire(gap, aim, marks, some, Gain(*gain))


def fire_gain(can: Mask, rows: Floats, firing: Floats, targets: Ints, proof: Floats, spill: float) -> Gain:
    """Where fire does something: his punch is enough for the proof of the target, or of one this close to it."""
    return Gain(*fire_kernels.all_gain(can, rows, firing, targets, proof, spill))


def fire_over(lens: Lens, rows: Floats, ours: Ints, firing: Floats, target: int, stand: int, wanted: Mask) -> list[int]:
    """Over whom those who are wanted fire at a target to which they have a line of fire, (n,).

    FREE: no friend is in the way. OVER: only some who stand lower. THROUGH: others, whatever they are.
    """
    edges, table, opacity, _, smoky, narrow, touch = lens.ground
    found: list[int] = fire_kernels.all_over(
        edges, table, opacity, smoky, narrow, touch, rows, ours, firing, target, stand, wanted
    ).tolist()
    return found
