"""The ground of a battle: its terrain, smoke and wrecks, and how high one stands on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sandtable.rulesets.hof.core.arsenal import profile
from sandtable.rulesets.hof.core.state import (
    Point,
    Setup,
    Smoke,
    Wreck,
)
from sandtable.rulesets.hof.core.terrain import TOUCH, ground_table, kinds
from sandtable.table import sight, veil
from sandtable.table.hairs import NOTHING
from sandtable.table.look import Lens
from sandtable.table.shapes import Place, Z, body, corners, heading
from sandtable.table.terrain import Feature, Terrain

Rows = NDArray[np.float64]
Mask = NDArray[np.bool_]
Ints = NDArray[np.int64]
SMOKE_RADIUS = 1.5

LEVEL = 1.0
"""How much higher a floor of a building is than the one below, in inches."""

ROAD_HALF = 1.0
"""A road or ford drawn as a line reaches this far to either side."""

MOST_VARIANTS = 16


class Ways:
    """Roads, bridges and fords: their numbers among the features, and how far from its outline each reaches."""

    def __init__(self, terrain: Terrain, which: Mask) -> None:
        self.numbers: Ints = np.flatnonzero(which)
        self.wide: Rows = np.where(terrain.closed[which], 0.0, ROAD_HALF) + NOTHING


class Ground:
    """A table's terrain, compiled: shared by all copies of a game, and made anew when smoke or wrecks come or go."""

    def __init__(self, terrain: Terrain) -> None:
        self.terrain = terrain
        self.table = ground_table(tuple(feature.kind for feature in terrain.features))
        self.opacity = sight.Opacity(self.table.modes)
        self.hills = self.terrain.of_kind(("hill",))
        hedges = self.table.thick & (self.table.veils == veil.LINE)
        self.lens = Lens(self.terrain, self.opacity, self.table.smoke, hedges, self.table.hill, TOUCH)
        self.roads = Ways(self.terrain, self.table.road)
        self.ways = Ways(self.terrain, self.table.way)
        self.width = terrain.width
        self.depth = terrain.depth
        self.zones: dict[object, Terrain] = {}
        self.spots: dict[object, tuple[Rows, Rows]] = {}
        self.variants: dict[object, Ground] = {}
        self.crossed: dict[object, Any] = {}
        self.indoors: dict[Point, bool] = {}
        self.dim: object = ((), ())
        """The smoke on it, and the obstacles cleared from it: nothing else changes what is seen."""
        self.last: object = None
        """The board that was made last on this ground, in whatever copy of the game."""
        self.hiding: tuple[Ints, list[tuple[str, ...]]] | None = None
        """What may conceal somebody, and of each the rules that say so; `concealment` fills it in."""

    def changed(self, smoke: Sequence[Smoke], wrecks: Sequence[Wreck], cleared: Sequence[str]) -> Ground:
        """This ground with smoke and wrecks on it, and without the obstacles that have been cleared."""
        if not smoke and not wrecks and not cleared:
            return self
        spots = tuple((w.profile, w.at, w.facing) for w in wrecks)
        key = (tuple(each.at for each in smoke), spots, tuple(cleared))
        if key not in self.variants:
            terrain = self.terrain
            if cleared:
                left = [feature for feature in terrain.features if feature.id not in cleared]
                terrain = Terrain(left, self.width, self.depth)
            more = [wreck_feature(wreck, f"wreck-{number}") for number, wreck in enumerate(wrecks)]
            more += [smoke_feature(each, f"smoke-{number}") for number, each in enumerate(smoke)]
            self.keep(key, Ground(terrain.with_features(more)))
            self.variants[key].dim = (key[0], key[2])
        return self.variants[key]

    def with_laid(self, laid: Sequence[Feature]) -> Ground:
        """This ground with the trenches and obstacles on it that the players have laid."""
        if not laid:
            return self
        key = tuple((feature.id, tuple(feature.points)) for feature in laid)
        if key not in self.variants:
            self.keep(key, Ground(self.terrain.with_features(laid)))
        return self.variants[key]

    def keep(self, key: object, variant: Ground) -> None:
        """Remember a variant of this ground, but never many of them."""
        if len(self.variants) >= MOST_VARIANTS:
            self.variants.clear()
        self.variants[key] = variant

    def raised(self, rows: Rows) -> Rows:
        """Rows of bases that do not stand on the table yet, each as high as the hill under it."""
        if not self.table.any_hill or not len(rows):
            return rows
        found: Rows = rows.copy()
        found[:, Z] = np.where(self.terrain.inside(rows) & self.hills, self.terrain.top, 0.0).max(axis=1)
        return found

    def height(self, x: float, y: float, level: int = 0) -> float:
        """How high a Team stands: the hill under it, and its floor."""
        under = self.terrain.inside_point(x, y) & self.hills if self.table.any_hill else self.hills
        hill = float(self.terrain.top[under].max()) if under.any() else 0.0
        return hill + LEVEL * level


def smoke_feature(smoke: Smoke, name: str) -> Feature:
    """Smoke as a piece of terrain: a round marker as a sixteen-sided one."""
    x, y = smoke.at
    rim = [heading(22.5 * step) for step in range(16)]
    return Feature(name, "smoke", [(x + SMOKE_RADIUS * sin, y + SMOKE_RADIUS * cos) for sin, cos in rim], height=9.0)


def wreck_feature(wreck: Wreck, name: str) -> Feature:
    hull = corners(body(profile(wreck.profile).base, Place(*wreck.at, wreck.facing)))
    return Feature(name, "wreck", [(float(x), float(y)) for x, y in hull], height=1.0)


def prepare(setup: Setup) -> Ground:
    """The ground of a battle: trenches and obstacles are on it only if their optional rule is in force."""
    idle = set()
    if not setup.options.fortifications:
        idle |= {name for name, kind in kinds().items() if kind.trench}
    if not setup.options.obstacles:
        idle |= {name for name, kind in kinds().items() if kind.obstacle}
    features = [
        feature.as_line() if kinds()[feature.kind].shape == "line" else feature
        for feature in setup.terrain
        if feature.kind not in idle
    ]
    return Ground(Terrain(features, setup.table.width, setup.table.depth))
