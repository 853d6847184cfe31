"""Ground that changes in layers: what lies on it for a while (smoke, wrecks, breaches) makes another ground of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Generic, TypeVar

from sandtable.field.board import Ground
from sandtable.field.set_ups import Sized
from sandtable.field.troops import Point
from sandtable.table.shapes import Footprint, Place, body, corners, heading
from sandtable.table.terrain import Feature, Terrain

G = TypeVar("G", bound=Ground)

Shape = tuple[str, str, tuple[tuple[float, float], ...]]
"""What tells one feature of a layer from another: its id, its kind and its outline."""

MOST_KEPT = 128
"""Grounds of a ruleset that are kept at the most, of all games under way."""


def base_feature(name: str, kind: str, base: Footprint, at: Point, facing: float, height: float) -> Feature:
    """Something that lies where a base of its size would: a wreck, or a square of smoke."""
    outline = corners(body(base, Place(*at, facing)))
    return Feature(name, kind, [(float(x), float(y)) for x, y in outline], height=height)


def round_feature(name: str, kind: str, at: Point, radius: float, height: float) -> Feature:
    """A round marker, as a sixteen-sided one."""
    rim = [heading(22.5 * step) for step in range(16)]
    return Feature(name, kind, [(at[0] + radius * sin, at[1] + radius * cos) for sin, cos in rim], height=height)


def terrain_of(
    features: Iterable[Feature], table: Sized, shapes: Mapping[str, str], idle: Collection[str] = ()
) -> Terrain:
    """The terrain of a table, by the shape of each kind; features of kinds that are `idle` are not on it."""
    there = [feature for feature in features if feature.kind not in idle]
    drawn = [feature.as_line() if shapes[feature.kind] == "line" else feature for feature in there]
    return Terrain(drawn, table.width, table.depth)


class Layers(Generic[G]):
    """The grounds of a ruleset with something on them or taken off them, each compiled once; the last used are kept.

    `compiled` makes a ground of some terrain. A ground itself is never changed.
    """

    def __init__(self, compiled: Callable[[Terrain], G]) -> None:
        self._compiled = compiled
        self._kept = lru_cache(maxsize=MOST_KEPT)(self._laid)

    def over(self, ground: G, features: Sequence[Feature], without: Collection[str] = ()) -> G:
        """A ground with some features on it, and without those of its own that are gone."""
        if not features and not without:
            return ground
        shapes = [(feature.id, feature.kind, tuple(feature.points)) for feature in features]
        return self._kept(ground, Top(features, tuple(shapes)), frozenset(without))

    def _laid(self, ground: G, top: Top, without: frozenset[str]) -> G:
        terrain = ground.terrain
        if without:
            left = [feature for feature in terrain.features if feature.id not in without]
            terrain = Terrain(left, terrain.width, terrain.depth)
        return self._compiled(terrain.with_features(top.features))


class Top:
    """Some features that lie on a ground, equal to others of the same shapes."""

    __slots__ = ("features", "shapes")

    def __init__(self, features: Sequence[Feature], shapes: tuple[Shape, ...]) -> None:
        self.features = features
        self.shapes = shapes

    def __hash__(self) -> int:
        return hash(self.shapes)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Top) and self.shapes == other.shapes
