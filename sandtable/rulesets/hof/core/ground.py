"""The ground of a battle: its terrain, smoke and wrecks, and how high one stands on it."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sandtable.field.layers import Layers, base_feature, round_feature, terrain_of
from sandtable.rulesets.hof.core.arsenal import profile
from sandtable.rulesets.hof.core.state import Point, Setup, Smoke, Wreck
from sandtable.rulesets.hof.core.terrain import TOUCH, ground_table, kinds, shapes
from sandtable.rulesets.hof.kernels import concealing, ground_sight
from sandtable.table import sight
from sandtable.table.hairs import NOTHING
from sandtable.table.terrain import Feature, Terrain

Rows = NDArray[np.float64]
Mask = NDArray[np.bool_]
Ints = NDArray[np.int64]
SMOKE_RADIUS = 1.5

LEVEL = 1.0
"""How much higher a floor of a building is than the one below, in inches."""

ROAD_HALF = 1.0
"""A road or ford drawn as a line reaches this far to either side."""


class Ways:
    """Roads, bridges and fords: their numbers among the features, and how far from its outline each reaches."""

    def __init__(self, terrain: Terrain, which: Mask) -> None:
        self.numbers: Ints = np.flatnonzero(which)
        self.wide: Rows = np.where(terrain.closed[which], 0.0, ROAD_HALF) + NOTHING


class Ground:
    """A table's terrain, compiled: shared by all copies of a game, and never changed (see `LAYERS`)."""

    def __init__(self, terrain: Terrain) -> None:
        self.terrain = terrain
        self.table = ground_table(tuple(feature.kind for feature in terrain.features))
        self.opacity = sight.Opacity(self.table.modes)
        self.hills = self.terrain.of_kind(("hill",))
        hedges = self.table.thick & (self.table.veils == concealing.LINE)
        self.lens = ground_sight.lens_on(self.terrain, self.opacity, self.table.smoke, hedges, self.table.hill, TOUCH)
        self.roads = Ways(self.terrain, self.table.road)
        self.ways = Ways(self.terrain, self.table.way)
        self.width = terrain.width
        self.depth = terrain.depth

    def raised(self, rows: Rows) -> Rows:
        """Rows of bases that do not stand on the table yet, each as high as the hill under it."""
        return ground_sight.raised(self.lens, rows) if self.table.any_hill else rows

    def height(self, x: float, y: float, level: int = 0) -> float:
        """How high a Team stands: the hill under it, and its floor."""
        under = self.terrain.inside_point(x, y) & self.hills if self.table.any_hill else self.hills
        hill = float(self.terrain.top[under].max()) if under.any() else 0.0
        return hill + LEVEL * level


LAYERS = Layers(Ground)
"""Grounds with smoke, wrecks and fieldworks on them, and without the obstacles that have been cleared."""


def smoke_feature(smoke: Smoke, name: str) -> Feature:
    return round_feature(name, "smoke", smoke.at, SMOKE_RADIUS, 9.0)


def wreck_feature(wreck: Wreck, name: str) -> Feature:
    return hull_feature(wreck.profile, wreck.at, wreck.facing, name)


@lru_cache(maxsize=256)
def hull_feature(key: str, at: Point, facing: float, name: str) -> Feature:
    return base_feature(name, "wreck", profile(key).base, at, facing, 1.0)


def prepare(setup: Setup) -> Ground:
    """The ground of a battle: trenches and obstacles are on it only if their optional rule is in force."""
    idle = set()
    if not setup.options.fortifications:
        idle |= {name for name, kind in kinds().items() if kind.trench}
    if not setup.options.obstacles:
        idle |= {name for name, kind in kinds().items() if kind.obstacle}
    return Ground(terrain_of(setup.terrain, setup.table, shapes(), idle))
