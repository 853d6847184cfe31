"""Fire: who of some bases can fire at which of others, and what each of them aims at."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sandtable.rulesets.hof.kernels import fire_kernels
from sandtable.rulesets.hof.kernels.fire_kernels import FREE, OVER, THROUGH, Friends, Targets
from sandtable.rulesets.hof.kernels.ground_sight import Lens, Places
from sandtable.table.shapes import Floats, Ints, Mask

__all__ = [
    "FREE", "OVER", "THROUGH",
    "Fire", "Friends", "Targets",
    "fire_about", "fire_gain", "fire_over", "fire_table",
]  # fmt: skip

_NO_MASK: Mask = np.empty(0, dtype=np.bool_)


class Fire(NamedTuple):
    """Of each who fires and each target, (n, m).

    `gap`: their distance, infinite if it is surely out of reach. `aim`: the number of the target to which a base really
    fires, itself or one close to it, or -1. `marks` (6, n, m): `near` if it is in reach; `sees`, `arc`, and `line`, a
    line of fire: asked only where it matters, and False elsewhere; `can`: it can be fired at; and one that is free.
    `gain` is what `fire_gain` says of all who can. `some`: somebody can be fired at.
    """

    gap: Floats
    aim: Ints
    marks: Mask
    gain: Mask
    some: bool


def fire_table(
    lens: Lens,
    places: Places,
    ours: Friends,
    firing: Floats,
    targets: Targets,
    houses: Mask | None,
    width: float,
    spill: float,
) -> Fire:
    """Who can fire at whom on a table where everybody stands.

    places: sight and fire go to where a row counts as being; distances and arcs go to itself.
    ours: the side that fires. One of them stops his fire who is between; but one on foot only if both others are, and
        nobody who stands lower, or counts as being where another is.
    firing: for each who fires his row, his facing (nan: all round), his reach, 0 if he is on foot, and his punch (for
        `fire_gain`).
    houses: the areas from inside which one fires only at their edges, if there are any.
    spill: who does not see a target fires at the nearest that he can fire at and that is this close to it.
    """
    marked = _NO_MASK if houses is None else houses
    return Fire(*fire_kernels.all_fire(lens, places, ours, firing, targets, marked, width, spill))


def fire_gain(can: Mask, rows: Floats, firing: Floats, targets: Ints, proof: Floats, spill: float) -> Mask:
    """Where fire does something: his punch is enough for the proof of the target, or of one this close to it.

    (n + 1, m + 1): the last row says to which targets somebody does something, the last column who may join in there.
    """
    gain: Mask = np.zeros((can.shape[0] + 1, can.shape[1] + 1), dtype=np.bool_)
    fire_kernels.find_gain(can, rows, firing, targets, proof, spill, gain)
    return gain


def fire_about(
    rows: Floats, targets: Ints, first: int, spill: float, gap: Floats, aim: Ints, marks: Mask
) -> tuple[Ints, Floats, Ints, Mask]:
    """One target, and after it those this close to it: their numbers, and what a table of fire says of them alone.

    What is aimed at in place of another than the first is left open.
    """
    picked, part_gap, part_aim, part_marks = fire_kernels.pick_about(rows, targets, first, spill, gap, aim, marks)
    return picked, part_gap, part_aim, part_marks


def fire_over(lens: Lens, places: Places, ours: Friends, firing: Floats, stand: int, wanted: Mask) -> list[int]:
    """Over whom those who are wanted fire at a target to which they have a line of fire, (n,); `stand` is the row where
    it counts as being.

    FREE: no friend is in the way. OVER: only some who stand lower. THROUGH: others, whatever they are.
    """
    found: list[int] = fire_kernels.all_over(lens, places, ours, firing, stand, np.ascontiguousarray(wanted)).tolist()
    return found
