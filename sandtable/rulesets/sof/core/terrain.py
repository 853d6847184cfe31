"""Terrain: what each kind of ground is, how high, and what it does to sight and to whoever moves in it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from sandtable.field.courses import Path as Way
from sandtable.field.courses import length_of
from sandtable.field.set_ups import Faults
from sandtable.field.terrain_kinds import Drawn, TerrainKinds
from sandtable.rulesets.sof.kernels import levels
from sandtable.table import moves
from sandtable.table.hairs import GRID
from sandtable.table.shapes import Floats
from sandtable.table.terrain import Feature, Terrain

Type = Literal["infantry", "mounted", "weapon", "gun", "vehicle"]
About = Literal["height", "movement", "impassable", "agility", "cover", "sight", "tight", "assaulting", "beaten-zone"]
"""What a rule of a kind of terrain is about."""

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

UP_AND_DOWN = 2.0
"""sof.terrain-tall-obstacle.movement-infantry-mounted: inches for each level, an inch up and an inch down."""

HIGHEST: dict[Type, float] = {"mounted": 0.5, "gun": 0.5, "weapon": 1.0, "vehicle": 1.0}
"""sof.terrain-tall-obstacle.limit-mounted-vehicle, sof.terrain-tall-obstacle.limit-weapon-gun: how high they cross."""

LIMITS: dict[Type, str] = {
    "mounted": "sof.terrain-tall-obstacle.limit-mounted-vehicle",
    "gun": "sof.terrain-tall-obstacle.limit-weapon-gun",
    "weapon": "sof.terrain-tall-obstacle.limit-weapon-gun",
    "vehicle": "sof.terrain-tall-obstacle.limit-mounted-vehicle",
}
CLIMBING: dict[Type, str] = {
    "mounted": "sof.terrain-tall-obstacle.agility-mounted-vehicle",
    "gun": "sof.terrain-tall-obstacle.agility-weapon-gun",
    "weapon": "sof.terrain-tall-obstacle.agility-weapon-gun",
    "vehicle": "sof.terrain-tall-obstacle.agility-mounted-vehicle",
}


class GroundKind(Drawn, frozen=True, forbid_unknown_fields=True):
    shape: Literal["area", "line", "ground"]
    height: float
    elevating: bool = False
    impassable_for: tuple[Type, ...] = ()
    loses: float = 0.0
    loses_for: tuple[Type, ...] = ("infantry", "mounted", "weapon", "gun", "vehicle")
    enter_loses: float = 0.0
    halves: bool = False
    agility: tuple[Type, ...] = ()
    no_stop: bool = False
    to_clear: bool = False
    tall: bool = False
    conceals: Literal["never", "crossed", "within", "always"] = "never"
    protects: tuple[Type, ...] = ()
    protects_crossed: bool = False
    thickness: Literal["", "woods", "undergrowth"] = ""
    tight: bool = False
    road: float = 0.0
    rules: dict[About, str] = msgspec.field(default_factory=dict)

    @property
    def slows(self) -> bool:
        return bool(self.loses or self.enter_loses or self.halves)

    def needed_rules(self) -> tuple[tuple[About, bool], ...]:
        """What it does that some rule must say."""
        return (
            ("movement", self.slows or self.no_stop),
            ("impassable", bool(self.impassable_for)),
            ("agility", bool(self.agility) and not self.tall),
            ("cover", self.conceals in ("within", "always") or bool(self.protects)),
            ("sight", bool(self.thickness)),
            ("tight", self.tight),
        )


class Kinds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: Literal["sandtable.sof.terrain"]
    kinds: dict[str, GroundKind]

    def mistakes(self) -> Faults:
        for name, kind in self.kinds.items():
            if kind.height not in HEIGHTS:
                known = ", ".join(f"{height:g}" for height in HEIGHTS)
                yield ("kinds", name, "height"), f"{kind.height:g} is no height: {known} ({HEIGHT_RULES[0]})"
            for about, needed in kind.needed_rules():
                if needed and about not in kind.rules:
                    yield ("kinds", name, "rules"), f"give the rule about its {about}"


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
        self._no_place: dict[Type, NDArray[np.int64]] = {}
        self._marked: dict[Type, NDArray[np.int64]] = {}
        groups = list(THICK)
        self.levels = levels.compiled_levels(
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
    def _barred(self) -> dict[str, NDArray[np.int64]]:
        types: dict[Type, None] = dict.fromkeys(each for kind in self.kinds for each in kind.impassable_for)
        types |= dict.fromkeys(HIGHEST) if len(self.tall) else {}
        return {each: self._numbers([self.bars(number, each) for number in range(len(self.kinds))]) for each in types}

    def bars(self, number: int, type_: Type) -> bool:
        """Whether units of a type may not enter, or cross, a feature."""
        kind, height = self.kinds[number], float(self.heights[number])
        return type_ in kind.impassable_for or (kind.tall and height > HIGHEST.get(type_, height))

    def barring_rule(self, number: int, type_: Type) -> str:
        return LIMITS[type_] if self.kinds[number].tall else self.rule(number, "impassable") or ""

    def agility_rule(self, number: int, type_: Type) -> str:
        return CLIMBING[type_] if self.kinds[number].tall else self.kinds[number].rules["agility"]

    def loses(self, number: int) -> float:
        """How many inches a feature takes from a move."""
        kind = self.kinds[number]
        return UP_AND_DOWN * float(self.heights[number]) if kind.tall else kind.loses

    def bars_any(self, type_: Type) -> bool:
        """Whether there is anything that units of a type may not enter."""
        return type_ in self._barred

    def barred_way(self, type_: Type, ways: Mapping[str, Way]) -> tuple[str, int] | None:
        """The first of some ways that leads over what units of a type may not enter, by its name, and over what."""
        numbers = self._barred.get(type_)
        if numbers is None or not any(moves.ways_crossed(self.terrain, numbers, moves.together([*ways.values()]))):
            return None
        found = ((name, self.barrier(type_, way)) for name, way in ways.items())
        return next(((name, feature) for name, feature in found if feature is not None), None)

    def barrier(self, type_: Type, path: Way) -> int | None:
        """The first feature on a way that units of a type may not enter."""
        numbers = self._barred.get(type_)
        found = moves.spans(self.terrain, path, numbers) if numbers is not None and length_of(path) > GRID else []
        return found[0].feature if found else None

    def no_place_for(self, type_: Type) -> NDArray[np.int64]:
        """The features on which units of a type cannot stand: what they may not enter, and what nobody stops on."""
        found = self._no_place.get(type_)
        if found is None:
            barred = self._barred.get(type_, self.not_to_stop_on)
            found = self._no_place[type_] = np.union1d(barred, self.not_to_stop_on)
        return found

    def telling(self, in_ranks: bool) -> NDArray[np.int64]:
        """The features that say how far a unit goes that comes to them."""
        return self._all if in_ranks else self._slowing_or_road

    @cached_property
    def _all(self) -> NDArray[np.int64]:
        return np.arange(len(self.kinds), dtype=np.int64)

    @cached_property
    def _slowing_or_road(self) -> NDArray[np.int64]:
        return np.union1d(self.slowing, self.roads)

    def marked(self, type_: Type, in_ranks: bool) -> NDArray[np.int64]:
        """The features that are anything to a move of units of a type; to ranks everything is."""
        if in_ranks:
            return self._all
        found = self._marked.get(type_)
        if found is None:
            parts = (self.slowing, self.roads, self.to_clear, self.no_place_for(type_))
            found = self._marked[type_] = np.unique(np.concatenate(parts))
        return found

    @cached_property
    def roads(self) -> NDArray[np.int64]:
        return self._numbers([kind.road > 0 for kind in self.kinds])

    @cached_property
    def road(self) -> float:
        """How much farther one goes along the best road."""
        return max((kind.road for kind in self.kinds), default=0.0)

    @cached_property
    def but_roads(self) -> NDArray[np.int64]:
        return self._numbers([not kind.road for kind in self.kinds])

    @cached_property
    def to_clear(self) -> NDArray[np.int64]:
        """The obstacles that one gets clear of or stops at."""
        return self._numbers([kind.to_clear for kind in self.kinds])

    @cached_property
    def low(self) -> NDArray[np.int64]:
        """Those of them that one gets across in any case who begins beside them."""
        return self._numbers([kind.to_clear and not kind.tall for kind in self.kinds])

    @cached_property
    def tall(self) -> NDArray[np.int64]:
        """The walls and hedges that one climbs over."""
        return self._numbers([kind.tall for kind in self.kinds])

    @cached_property
    def obstacles(self) -> NDArray[np.int64]:
        """The walls and hedges that one fights across."""
        found = [kind.shape == "line" and height > 0 for kind, height in zip(self.kinds, self.heights, strict=True)]
        return self._numbers([bool(each) for each in found])

    @cached_property
    def deep(self) -> NDArray[np.int64]:
        """The depressions out of which one does not look."""
        return self._numbers([height <= HEIGHTS[0] for height in self.heights.tolist()])

    @cached_property
    def not_to_stop_on(self) -> NDArray[np.int64]:
        return self._numbers([kind.no_stop for kind in self.kinds])

    def rule(self, number: int, about: About) -> str | None:
        """The rule about a feature's height, cover and so on, if there is one."""
        return self.kinds[number].rules.get(about)

    def levels_of(self, rows: Floats) -> Floats:
        """At what height each base stands: that of the highest elevating terrain its middle is in, or height 1."""
        if not self.elevating.any() or not len(rows):
            return np.full(len(rows), GROUND_LEVEL)
        inside = self.terrain.inside(rows) & self.elevating
        highest: Floats = np.where(inside, self.heights, GROUND_LEVEL).max(axis=1)
        return highest
