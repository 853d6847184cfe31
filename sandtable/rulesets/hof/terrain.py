"""Cover and terrain: what each kind of ground does to sight, cover and movement."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from sandtable.engine import data
from sandtable.table import sight, veil

Going = Literal["open", "difficult", "very-difficult", "impassable"]

TOUCH = 0.1
"""A Team this near to an obstacle, or to the edge of an area, touches it."""


class Kind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """shape: `area` is seen into and not through, `line` is an obstacle, `ground` hides nothing, `hill` raises.

    `dense`: as for smoke, nobody sees into it, out of it or through it.
    """

    shape: Literal["area", "line", "ground", "hill", "thing"]
    going: Going = "open"
    conceals: bool = False
    hard: bool = False
    tall: bool = False
    thick: bool = False
    building: bool = False
    road: bool = False
    water: bool = False
    obstacle: Literal["", "at-obstacle", "minefield", "wire"] = ""
    trench: bool = False


class Kinds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: Literal["sandtable.hof.terrain"]
    kinds: dict[str, Kind]


@cache
def kinds() -> dict[str, Kind]:
    return data.read(Path(__file__).parent / "data" / "terrain.toml", Kinds).kinds


Bools = NDArray[np.bool_]


@cache
def traits(name: str) -> tuple[bool, ...]:
    """What a kind of ground is, in the order in which `GroundTable` keeps it."""
    kind = kinds()[name]
    line = kind.shape == "line"
    rough, obstacle = kind.going != "open", kind.obstacle != ""
    return (
        name == "smoke",
        kind.shape == "area",
        line,
        kind.shape == "hill",
        kind.building,
        kind.hard,
        kind.conceals,
        kind.trench,
        kind.road,
        kind.thick,
        rough,
        kind.going == "very-difficult",
        kind.going == "impassable",
        obstacle,
        kind.road or name == "ford",
        kind.conceals and not line,
        kind.conceals and line,
        kind.obstacle == "at-obstacle",
        rough or obstacle,
    )


class GroundTable:
    """The kinds of a table's features as arrays, in the order of the features."""

    def __init__(self, feature_kinds: list[str]) -> None:
        self.kinds = [kinds()[name] for name in feature_kinds]
        self.bars: dict[tuple[bool, bool], NDArray[np.int64]] = {}
        self.sets: dict[int, NDArray[np.int64]] = {}
        rows = np.array([traits(name) for name in feature_kinds], dtype=np.bool_)
        columns = np.ascontiguousarray(rows.reshape(-1, len(traits("smoke"))).T)
        self.smoke: Bools
        self.area: Bools
        self.line: Bools
        self.hill: Bools
        self.building: Bools
        self.hard: Bools
        self.conceals: Bools
        self.trench: Bools
        self.road: Bools
        self.thick: Bools
        self.rough: Bools
        self.very: Bools
        self.impassable: Bools
        self.obstacle: Bools
        self.way: Bools
        self.shelter: Bools
        self.shelter_line: Bools
        self.at_obstacle: Bools
        self.rough_or_obstacle: Bools
        (
            self.smoke, self.area, self.line, self.hill, self.building, self.hard, self.conceals, self.trench,
            self.road, self.thick, self.rough, self.very, self.impassable, self.obstacle, self.way, self.shelter,
            self.shelter_line, self.at_obstacle, self.rough_or_obstacle,
        ) = columns  # fmt: skip
        some: list[bool] = columns.any(axis=1).tolist()  # type: ignore[assignment]
        (
            self.any_smoke, _, _, self.any_hill, self.any_building, _, _, self.any_trench,
            _, _, self.any_rough, self.any_very, self.any_impassable, self.any_obstacle, self.any_way, self.any_shelter,
            self.any_shelter_line, self.any_at_obstacle, _,
        ) = some  # fmt: skip
        self.modes = [self.mode(name) for name in feature_kinds]
        veils = [self.veil(name) for name in feature_kinds]
        self.veils: NDArray[np.int64] = np.array(veils, dtype=np.int64)

    def numbers(self, mask: Bools) -> NDArray[np.int64]:
        """The numbers of the features that one of these masks marks."""
        key = id(mask)
        if key not in self.sets:
            self.sets[key] = np.flatnonzero(mask)
        return self.sets[key]

    def barring(self, very: bool, obstacles: bool) -> NDArray[np.int64]:
        """The numbers of the features that bar the way: impassable ones, and on demand others."""
        key = (very, obstacles)
        if key not in self.bars:
            mask = self.impassable | (self.very & very) | (self.obstacle & obstacles)
            self.bars[key] = np.flatnonzero(mask)
        return self.bars[key]

    @staticmethod
    @cache
    def mode(name: str) -> int:
        kind = kinds()[name]
        if name == "smoke":
            return sight.BARRIER
        if kind.shape in ("area", "hill"):
            return sight.AREA
        return sight.BARRIER if kind.tall else sight.CLEAR

    @staticmethod
    @cache
    def veil(name: str) -> int:
        kind = kinds()[name]
        if not kind.conceals:
            return veil.NONE
        return {"area": veil.AREA, "line": veil.LINE, "thing": veil.THING}.get(kind.shape, veil.NONE)
