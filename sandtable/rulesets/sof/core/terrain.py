"""Terrain: what each kind of ground is, how high, and what it does to sight and to whoever moves in it."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from sandtable.field.set_ups import Faults
from sandtable.field.terrain_kinds import Drawn, TerrainKinds
from sandtable.table.levels import compiled_levels
from sandtable.table.shapes import Floats
from sandtable.table.terrain import Feature, Terrain

Type = Literal["infantry", "mounted", "weapon", "gun", "vehicle"]
HEIGHTS = (-2.0, -1.0, 0.0, 0.5, 1.0, 2.0, 3.0)
"""sof.terrain.height-table, sof.terrain.has-height"""

HEIGHT_RULES = ("sof.terrain.height-table", "sof.terrain.has-height")
GROUND_LEVEL = 1.0
"""sof.terrain.firing-unit-height: whoever stands on no elevating terrain is at height 1."""

TALL = 1.0
"""sof.terrain.visibility-below-one, sof.terrain.visibility-one-and-higher"""

THICK: dict[str, float] = {"woods": 6.0, "undergrowth": 2.0}
"""sof.terrain-woods.visibility, sof.terrain-undergrowth.visibility: the most inches of each that one sees through."""

LEAST_MOVE = 1.0
"""What slows a move never takes the last inch of it."""


class GroundKind(Drawn, frozen=True, forbid_unknown_fields=True):
    shape: Literal["area", "line", "ground"]
    height: float
    elevating: bool = False
    impassable: bool = False
    loses: float = 0.0
    loses_for: tuple[Type, ...] = ("infantry", "mounted", "weapon", "gun", "vehicle")
    enter_loses: float = 0.0
    halves: bool = False
    agility: tuple[Type, ...] = ()
    no_stop: bool = False
    conceals: Literal["never", "crossed", "within", "always"] = "never"
    protects: tuple[Type, ...] = ()
    protects_crossed: bool = False
    thickness: Literal["", "woods", "undergrowth"] = ""
    tight: bool = False
    road: float = 0.0

    @property
    def slows(self) -> bool:
        return bool(self.loses or self.enter_loses or self.halves)


class Kinds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: Literal["sandtable.sof.terrain"]
    kinds: dict[str, GroundKind]

    def mistakes(self) -> Faults:
        for name, kind in self.kinds.items():
            if kind.height not in HEIGHTS:
                known = ", ".join(f"{height:g}" for height in HEIGHTS)
                yield ("kinds", name, "height"), f"{kind.height:g} is no height: {known} ({HEIGHT_RULES[0]})"


TERRAIN: TerrainKinds[GroundKind] = TerrainKinds(Path(__file__).parents[1] / "data" / "terrain.toml", Kinds)
kinds, shapes, looks = TERRAIN.kinds, TERRAIN.shapes, TERRAIN.looks


def height_of(feature: Feature) -> float:
    """sof.terrain.define-before-game: a feature's own height, or that of its kind."""
    return feature.height or kinds()[feature.kind].height


class Ground:
    """A table's terrain, compiled: shared by all copies of a game, and never changed."""

    def __init__(self, features: list[Feature], width: float, depth: float) -> None:
        lines = [feature.as_line() if kinds()[feature.kind].shape == "line" else feature for feature in features]
        self.terrain = Terrain(lines, width, depth)
        self.width = width
        self.depth = depth
        self.kinds = [kinds()[feature.kind] for feature in features]
        self.heights: Floats = np.array([height_of(feature) for feature in features])
        self.elevating: NDArray[np.bool_] = np.array([kind.elevating for kind in self.kinds], dtype=np.bool_)
        groups = list(THICK)
        self.levels = compiled_levels(
            self.heights.tolist(),
            [height >= TALL and not kind.thickness for kind, height in zip(self.kinds, self.heights, strict=True)],
            [groups.index(kind.thickness) if kind.thickness else -1 for kind in self.kinds],
            list(THICK.values()),
        )

    def _numbers(self, wanted: list[bool]) -> NDArray[np.int64]:
        return np.flatnonzero(np.array(wanted, dtype=np.bool_))

    @cached_property
    def slowing(self) -> NDArray[np.int64]:
        """The numbers of what slows, or asks for Agility."""
        return self._numbers([kind.slows or bool(kind.agility) for kind in self.kinds])

    @cached_property
    def impassable(self) -> NDArray[np.int64]:
        return self._numbers([kind.impassable for kind in self.kinds])

    @cached_property
    def deep(self) -> NDArray[np.int64]:
        """The depressions out of which one does not look."""
        return self._numbers([height <= HEIGHTS[0] for height in self.heights.tolist()])

    @cached_property
    def not_to_stop_on(self) -> NDArray[np.int64]:
        return self._numbers([kind.no_stop for kind in self.kinds])

    def levels_of(self, rows: Floats) -> Floats:
        """At what height each base stands: that of the highest elevating terrain its middle is in, or height 1."""
        if not self.elevating.any() or not len(rows):
            return np.full(len(rows), GROUND_LEVEL)
        inside = self.terrain.inside(rows) & self.elevating
        highest: Floats = np.where(inside, self.heights, GROUND_LEVEL).max(axis=1)
        return highest
