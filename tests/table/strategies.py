"""Bases, terrain and lines for the property tests, and the same shapes in Shapely."""

from __future__ import annotations

import math
from typing import Literal

import shapely
from hypothesis import settings
from hypothesis import strategies as st

from sandtable.table.shapes import CIRCLE, Floats, Footprint, Place, body, corners
from sandtable.table.terrain import Feature, Terrain

WIDTH, DEPTH = 48.0, 36.0

# No deadline: the first call of a kernel compiles it.
law = settings(max_examples=150)

coordinates = st.floats(0.0, 36.0)
facings = st.floats(0.0, 360.0)
sizes = st.floats(0.25, 6.0)


@st.composite
def bases(draw: st.DrawFn) -> Floats:
    shape: Literal["rectangle", "circle"] = draw(st.sampled_from(["rectangle", "rectangle", "circle"]))
    footprint = Footprint(draw(sizes), draw(sizes), shape)
    return body(footprint, Place(draw(coordinates), draw(coordinates), draw(facings)))


@st.composite
def stars(draw: st.DrawFn, id: str = "star", kind: str = "wood") -> Feature:
    """A simple polygon, mostly concave: corners at rising angles and any radius."""
    x, y = draw(st.floats(6.0, 30.0)), draw(st.floats(6.0, 30.0))
    radii = draw(st.lists(st.floats(1.0, 8.0), min_size=3, max_size=9))
    steps = len(radii)
    points = [
        (x + r * math.sin(2 * math.pi * k / steps), y + r * math.cos(2 * math.pi * k / steps))
        for k, r in enumerate(radii)
    ]
    return Feature(id, kind, points, height=draw(st.floats(0.0, 4.0)))


@st.composite
def hedges(draw: st.DrawFn, id: str = "hedge") -> Feature:
    points = draw(st.lists(st.tuples(coordinates, coordinates), min_size=2, max_size=4, unique=True))
    return Feature(id, "hedge", points, closed=False, height=1.0)


# On a coarse grid, where ways meet borders, corners and ends exactly.

Path = list[tuple[float, float]]

ROUND = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]

grid_paths: st.SearchStrategy[Path] = st.lists(
    st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=2, max_size=5
).map(lambda path: [(float(x), float(y)) for x, y in path])


@st.composite
def grid_stars(draw: st.DrawFn) -> Feature:
    """A simple polygon about the middle of the grid, mostly concave, its corners to all sides."""
    radii = draw(st.lists(st.integers(1, 5), min_size=8, max_size=8))
    points = [(6.0 + r * dx, 6.0 + r * dy) for r, (dx, dy) in zip(radii, ROUND, strict=True)]
    return Feature("wood", "wood", points)


@st.composite
def grid_hedges(draw: st.DrawFn) -> Feature:
    """A line obstacle from west to east, up and down."""
    columns = sorted(draw(st.sets(st.integers(0, 12), min_size=2, max_size=5)))
    points = [(float(x), float(draw(st.integers(0, 12)))) for x in columns]
    return Feature("hedge", "hedge", points, closed=False)


@st.composite
def terrains(draw: st.DrawFn) -> Terrain:
    count = draw(st.integers(1, 4))
    areas = [draw(stars(f"star-{k}", draw(st.sampled_from(["wood", "house", "smoke"])))) for k in range(count)]
    lines = [draw(hedges(f"hedge-{k}")) for k in range(draw(st.integers(0, 2)))]
    return Terrain([*areas, *lines], WIDTH, DEPTH)


lines = st.tuples(coordinates, coordinates, coordinates, coordinates)


def as_shapely(row: Floats) -> shapely.Geometry:
    """A circle becomes a many-sided polygon; compare with a tolerance."""
    if row[0] == CIRCLE:
        return shapely.Point(row[1], row[2]).buffer(row[5], quad_segs=512)
    return shapely.Polygon(corners(row))


def feature_shape(feature: Feature) -> shapely.Geometry:
    return shapely.Polygon(feature.points) if feature.closed else shapely.LineString(feature.points)


def spun(row: Floats, degrees: float, dx: float, dy: float) -> Floats:
    """The base with the whole table turned about the origin and shifted."""
    angle = math.radians(degrees)
    sin, cos = math.sin(angle), math.cos(angle)
    copy = row.copy()
    copy[1] = row[1] * cos + row[2] * sin + dx
    copy[2] = -row[1] * sin + row[2] * cos + dy
    copy[3] = row[3] * cos + row[4] * sin
    copy[4] = -row[3] * sin + row[4] * cos
    return copy
