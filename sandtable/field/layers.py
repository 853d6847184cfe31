"""Ground that changes in layers: what lies on it for a while (smoke, wrecks, breaches) makes another ground of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from typing import Generic, TypeVar

from sandtable.field.board import Ground
from sandtable.table.terrain import Feature, Terrain

G = TypeVar("G", bound=Ground)

Shape = tuple[str, str, tuple[tuple[float, float], ...]]
"""What tells one feature of a layer from another: its id, its kind and its outline."""

MOST_KEPT = 128
"""Grounds of a ruleset that are kept at the most, of all games under way."""


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
