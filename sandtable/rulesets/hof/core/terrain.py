"""Cover and terrain: what each kind of ground does to sight, cover and movement."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np

from sandtable.field.terrain_kinds import Drawn, TerrainKinds
from sandtable.rulesets.hof.kernels import concealing
from sandtable.table import sight
from sandtable.table.shapes import Ints, Mask

Going = Literal["open", "difficult", "very-difficult", "impassable"]

TOUCH = 0.1
"""A Team this near to an obstacle, or to the edge of an area, touches it."""


VEILS = {"area": concealing.AREA, "line": concealing.LINE, "thing": concealing.THING}
"""What hides behind what conceals, by its shape."""


class Kind(Drawn, frozen=True, forbid_unknown_fields=True):
    """shape: `area` is seen into and not through, `line` is an obstacle, `ground` hides nothing, `hill` raises.

    A `thing`, such as a wreck, half hides what is behind it.
    """

    shape: Literal["area", "line", "ground", "hill", "thing"]
    going: Going = "open"
    conceals: bool = False
    hard: bool = False
    tall: bool = False
    thick: bool = False
    building: bool = False
    road: bool = False
    ford: bool = False
    water: bool = False
    obstacle: Literal["", "at-obstacle", "minefield", "wire"] = ""
    trench: bool = False
    smoke: bool = False


class Kinds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: Literal["sandtable.hof.terrain"]
    kinds: dict[str, Kind]


TERRAIN: TerrainKinds[Kind] = TerrainKinds(Path(__file__).parents[1] / "data" / "terrain.toml", Kinds)
kinds, shapes, looks = TERRAIN.kinds, TERRAIN.shapes, TERRAIN.looks


def bools(values: list[bool]) -> Mask:
    return np.array(values, dtype=np.bool_)


@lru_cache(maxsize=64)
def ground_table(feature_kinds: tuple[str, ...]) -> GroundTable:
    """The same for all tables with features of the same kinds: it holds nothing about where they lie."""
    return GroundTable(feature_kinds)


class GroundTable:
    """The kinds of a table's features as arrays, in the order of the features."""

    def __init__(self, feature_kinds: Sequence[str]) -> None:
        known = [kinds()[name] for name in feature_kinds]
        self.kinds = known
        self.bars: dict[tuple[bool, bool], Ints] = {}
        self.smoke: Mask = bools([kind.smoke for kind in known])
        self.area: Mask = bools([kind.shape == "area" for kind in known])
        self.line: Mask = bools([kind.shape == "line" for kind in known])
        self.hill: Mask = bools([kind.shape == "hill" for kind in known])
        self.building: Mask = bools([kind.building for kind in known])
        self.hard: Mask = bools([kind.hard for kind in known])
        self.conceals: Mask = bools([kind.conceals for kind in known])
        self.trench: Mask = bools([kind.trench for kind in known])
        self.road: Mask = bools([kind.road for kind in known])
        self.thick: Mask = bools([kind.thick for kind in known])
        self.rough: Mask = bools([kind.going != "open" for kind in known])
        self.very: Mask = bools([kind.going == "very-difficult" for kind in known])
        self.impassable: Mask = bools([kind.going == "impassable" for kind in known])
        self.obstacle: Mask = bools([kind.obstacle != "" for kind in known])
        self.way: Mask = bools([kind.road or kind.ford for kind in known])
        self.screen: Mask = self.area & self.conceals
        self.any_screen = bool(self.screen.any())
        # hof.vehicles.wreck-conceals: a thing conceals what is behind it, not whoever stands in it.
        self.shelter: Mask = self.conceals & ~self.line & bools([kind.shape != "thing" for kind in known])
        self.shelter_line: Mask = self.conceals & self.line
        self.any_shelter_line = bool(self.shelter_line.any())
        self.any_very = bool(self.very.any())
        self.any_way = bool(self.way.any())
        self.any_obstacle = bool(self.obstacle.any())
        self.at_obstacle: Mask = bools([kind.obstacle == "at-obstacle" for kind in known])
        self.any_at_obstacle = bool(self.at_obstacle.any())
        self.breastwork: Mask = (self.line & self.hard) | self.at_obstacle
        """What shelters whoever touches it from what comes across."""
        self.any_trench = bool(self.trench.any())
        self.any_building = bool(self.building.any())
        self.rough_or_obstacle: Mask = self.rough | self.obstacle
        self.any_rough = bool(self.rough.any())
        self.sets: dict[int, Ints] = {}
        self.any_hill = bool(self.hill.any())
        self.modes = [self.mode(kind) for kind in known]
        self.veils: Ints = np.array([self.veil(kind) for kind in known], dtype=np.int64)

    def numbers(self, mask: Mask) -> Ints:
        """The numbers of the features that one of these masks marks."""
        key = id(mask)
        if key not in self.sets:
            self.sets[key] = np.flatnonzero(mask)
        return self.sets[key]

    def barring(self, very: bool, obstacles: bool) -> Ints:
        """The numbers of the features that bar the way: impassable ones, and on demand others."""
        key = (very, obstacles)
        if key not in self.bars:
            self.bars[key] = np.flatnonzero(self.impassable | (self.very & very) | (self.obstacle & obstacles))
        return self.bars[key]

    @staticmethod
    def mode(kind: Kind) -> int:
        if kind.smoke:
            return sight.BARRIER
        if kind.shape in ("area", "hill"):
            return sight.AREA
        return sight.BARRIER if kind.tall else sight.CLEAR

    @staticmethod
    def veil(kind: Kind) -> int:
        return VEILS.get(kind.shape, concealing.NONE) if kind.conceals else concealing.NONE
