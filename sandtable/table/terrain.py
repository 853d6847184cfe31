"""Terrain: polygons and lines with a kind and a height, compiled once a table into arrays.

What a kind means (does a wood hide, does a wall shelter) is the ruleset's business; here are only shapes.
A base "overlaps" or lies "within" a feature up to a hair of 0.01, the grid on which positions are stored.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Annotated

import msgspec
import numpy as np

from sandtable.table import ground_kernels
from sandtable.table.ground_kernels import GroundArrays
from sandtable.table.hairs import EXACT, GRID
from sandtable.table.shapes import Floats, Ints, Mask, as_rows

if TYPE_CHECKING:
    pass

# Columns of `Terrain.table`, the one array besides the edges that the kernels read.
MIN_X, MIN_Y, MAX_X, MAX_Y, FLOOR, TOP, CLOSED, START, END = range(9)


Levels = Annotated[int, msgspec.Meta(ge=-100, le=100)]


class Feature(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A piece of terrain: an area (closed polygon, concave if it likes) or a line obstacle (not closed)."""

    id: str
    kind: str
    points: list[tuple[float, float]]
    closed: bool = True
    height: float = 0.0
    floor: float = 0.0
    levels: Levels = 1
    name: str = ""

    @property
    def spoken(self) -> str:
        """Its name, or what it is."""
        return self.name or self.kind.replace("-", " ").capitalize()

    def as_line(self) -> Feature:
        """An obstacle given as an outline, such as the wall round a yard, is a line that comes back to its start."""
        if not self.closed:
            return self
        return msgspec.structs.replace(self, points=[*self.points, self.points[0]], closed=False)


class Terrain:
    """All features of a table, compiled. Never changed: `with_features` gives a new one."""

    __slots__ = ("arrays", "depth", "edges", "features", "index", "owner", "table", "width")

    def __init__(self, features: Sequence[Feature], width: float, depth: float, begun: Terrain | None = None) -> None:
        """`begun` is a terrain that holds the first of the features, and nothing else."""
        self.features: tuple[Feature, ...] = tuple(features)
        self.width = float(width)
        self.depth = float(depth)
        self.index: dict[str, int] = {feature.id: number for number, feature in enumerate(self.features)}
        if len(self.index) != len(self.features):
            twice = next(f.id for n, f in enumerate(self.features) if self.index[f.id] != n)
            raise ValueError(f"two terrain features are called {twice!r}; ids must differ")
        edges: list[tuple[float, float, float, float]] = []
        rows: list[tuple[float, ...]] = []
        first = 0 if begun is None else len(begun.edges)
        for feature in self.features if begun is None else self.features[len(begun.features) :]:
            start = first + len(edges)
            edges += _edges(feature)
            xs = [point[0] for point in feature.points]
            ys = [point[1] for point in feature.points]
            top = feature.floor + feature.height
            end = first + len(edges)
            rows.append((min(xs), min(ys), max(xs), max(ys), feature.floor, top, feature.closed, start, end))
        self.edges: Floats = np.array(edges, dtype=np.float64).reshape(-1, 4)
        self.table: Floats = np.array(rows, dtype=np.float64).reshape(-1, 9)
        if begun is not None:
            self.edges = np.concatenate((begun.edges, self.edges))
            self.table = np.concatenate((begun.table, self.table))
        self.arrays = GroundArrays(self.edges, self.table)
        self.owner: Ints = np.repeat(np.arange(len(self.features), dtype=np.int64), np.diff(self.offsets))

    def with_features(self, extra: Iterable[Feature]) -> Terrain:
        """This table with more on it (smoke, wrecks); the numbers of the present features stay."""
        return Terrain((*self.features, *extra), self.width, self.depth, begun=self)

    @property
    def offsets(self) -> Ints:
        """Feature f owns the edges offsets[f] to offsets[f + 1]."""
        return np.append(self.table[:, START], len(self.edges)).astype(np.int64)

    @property
    def bounds(self) -> Floats:
        """West, south, east and north end of each feature, (F, 4)."""
        return self.table[:, :4]

    @property
    def closed(self) -> Mask:
        result: Mask = self.table[:, CLOSED] == 1.0
        return result

    @property
    def floor(self) -> Floats:
        return self.table[:, FLOOR]

    @property
    def top(self) -> Floats:
        """Floor plus height."""
        return self.table[:, TOP]

    def of_kind(self, kinds: Collection[str]) -> Mask:
        """Which features are of one of these kinds, (F,)."""
        return np.array([feature.kind in kinds for feature in self.features], dtype=np.bool_)

    def inside(self, rows: Floats) -> Mask:
        """Is the base's centre in the area? The outline belongs to the area. (n, F)"""
        result: Mask = ground_kernels.centres_inside(self.arrays, as_rows(rows))
        return result

    def inside_point(self, x: float, y: float) -> Mask:
        """Which areas contain the point, (F,)."""
        result: Mask = ground_kernels.point_inside_all(self.arrays, float(x), float(y))
        return result

    def within(self, rows: Floats) -> Mask:
        """Is the whole base in the area? (n, F)"""
        result: Mask = ground_kernels.bases_within(self.arrays, as_rows(rows), GRID)
        return result

    def overlapping(self, rows: Floats) -> Mask:
        """Is any part of the base in the area, or on the line obstacle? Touching from outside: no. (n, F)"""
        result: Mask = ground_kernels.bases_over(self.arrays, as_rows(rows), GRID)
        return result

    def touching(self, rows: Floats, tolerance: float = 0.1) -> Mask:
        """Is the base at the feature's outline (within the tolerance, or across it)? (n, F)"""
        result: Mask = ground_kernels.bases_at_outline(self.arrays, as_rows(rows), tolerance + EXACT)
        return result

    def over_any(self, rows: Floats, features: Ints) -> Mask:
        """Which bases are `overlapping` any of the features of these numbers, (n,)."""
        result: Mask = ground_kernels.bases_over_any(self.arrays, features, as_rows(rows), GRID)
        return result

    def touching_any(self, rows: Floats, features: Ints, tolerance: float = 0.1) -> Mask:
        """Which bases are `touching` any of the features of these numbers, (n,)."""
        result: Mask = ground_kernels.bases_at_any(self.arrays, features, as_rows(rows), tolerance + EXACT)
        return result

    def gaps(self, rows: Floats) -> Floats:
        """Distance from the base to the area or line, 0 when any part of it is in. (n, F)"""
        result: Floats = ground_kernels.all_gaps(self.arrays, as_rows(rows))
        return result


def _edges(feature: Feature) -> list[tuple[float, float, float, float]]:
    points = list(feature.points)
    least = 3 if feature.closed else 2
    if len(points) < least:
        shape = "an area" if feature.closed else "a line"
        raise ValueError(f"terrain {feature.id!r} is {shape} and needs at least {least} points")
    ends = [*points[1:], points[0]] if feature.closed else points[1:]
    starts = points if feature.closed else points[:-1]
    return [(*a, *b) for a, b in zip(starts, ends, strict=True) if a != b]
