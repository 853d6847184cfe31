"""Ways over the ground: which pieces the middle of a base crosses on its way, and where.

A way is a list of points. A stretch over a piece is measured in inches from the way's start.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

import shapely
from shapely.ops import split

from sandtable.testing.umpire.hof.table import Piece, Point

ROAD_HALF = 1.0
"""A road or ford that is drawn as a line reaches this far to either side (our reading)."""

EDGE = 0.011
"""So near to a border nobody can tell on which side a place is that was rounded to hundredths."""


@dataclass(frozen=True)
class Stretch:
    """Part of a way over a piece of ground; `started`: it began there. `sure`: not merely along the border."""

    piece: Piece
    enter: float
    leave: float
    started: bool
    sure: bool


def legs(way: list[Point]) -> list[tuple[Point, Point]]:
    return [(a, b) for a, b in pairwise(way) if a != b]


def length(way: list[Point]) -> float:
    return sum(math.dist(a, b) for a, b in pairwise(way))


def bearing(a: Point, b: Point) -> float:
    """The compass direction from one point to another."""
    return math.degrees(math.atan2(b[0] - a[0], b[1] - a[1])) % 360.0


def along(way: list[Point], inches: float) -> Point:
    """The point so many inches along a way."""
    left = inches
    for a, b in legs(way):
        leg = math.dist(a, b)
        if left <= leg:
            return a[0] + (b[0] - a[0]) * left / leg, a[1] + (b[1] - a[1]) * left / leg
        left -= leg
    return way[-1]


def part_of(way: list[Point], start: float, end: float) -> list[Point]:
    """The way from so many to so many inches."""
    found = [along(way, start)]
    gone = 0.0
    for a, b in legs(way):
        gone += math.dist(a, b)
        if start < gone < end:
            found.append(b)
    return [*found, along(way, end)]


@lru_cache(maxsize=4096)
def inner(shape: Any) -> Any:
    return shape.buffer(-EDGE, join_style="mitre")


@lru_cache(maxsize=4096)
def outer(shape: Any) -> Any:
    return shape.buffer(EDGE, join_style="mitre")


@lru_cache(maxsize=4096)
def border(shape: Any) -> Any:
    """Along it one goes freely."""
    return shape.boundary.buffer(1e-7)


def stretches(way: list[Point], piece: Piece) -> list[Stretch]:
    """Where a way leads over a piece of ground."""
    if length(way) < 1e-6:
        return []
    if not shapely.LineString(way).dwithin(piece.shape, EDGE):
        return []
    return over_area(way, piece) if piece.area else over_line(way, piece)


def over_area(way: list[Point], piece: Piece) -> list[Stretch]:
    spans: list[list[float]] = []
    gone = 0.0
    for a, b in legs(way):
        leg = shapely.LineString([a, b])
        for part in shapely.get_parts(leg.intersection(piece.shape).difference(border(piece.shape))):
            if part.length < 1e-9:
                continue
            ends = sorted(gone + leg.project(shapely.Point(end)) for end in (part.coords[0], part.coords[-1]))
            if spans and ends[0] - spans[-1][1] < 1e-5:
                spans[-1][1] = max(spans[-1][1], ends[1])
            else:
                spans.append(ends)
        gone += math.dist(a, b)
    spans.sort()
    merged: list[list[float]] = []
    for span in spans:
        if merged and span[0] - merged[-1][1] < 1e-5:
            merged[-1][1] = max(merged[-1][1], span[1])
        else:
            merged.append(list(span))
    # On the border one is outside (our reading of hof.moving.infantry-terrain).
    begins_in = inner(piece.shape).intersects(shapely.Point(way[0]))
    found = []
    for enter, leave in merged:
        inside = shapely.LineString(part_of(way, enter, leave)).intersects(inner(piece.shape))
        found.append(Stretch(piece, enter, leave, bool(begins_in and enter < 1e-5), bool(inside)))
    return found


def over_line(way: list[Point], piece: Piece) -> list[Stretch]:
    """Where a way crosses an obstacle: sure if it goes from one side of it to the other."""
    found: list[Stretch] = []
    gone = 0.0
    for a, b in legs(way):
        leg = shapely.LineString([a, b])
        met = [part for part in shapely.get_parts(leg.intersection(piece.shape)) if not part.is_empty]
        spots = [part if part.geom_type == "Point" else part.interpolate(0.5, normalized=True) for part in met]
        for point in sorted(spots, key=leg.project):
            at = gone + leg.project(point)
            if found and at - found[-1].enter < 1e-6:
                continue
            found.append(Stretch(piece, at, at, at < 1e-6, crosses_over(way, at, point, piece.shape)))
        gone += math.dist(a, b)
    return found


NEAR = 0.04


def crosses_over(way: list[Point], at: float, point: Any, line: Any) -> bool:
    """Whether a way is on the other side of a line after a point where they meet."""
    if at < NEAR or at > length(way) - NEAR:
        return False
    disc = point.buffer(NEAR / 2)
    before, after = (shapely.Point(along(way, at + part * NEAR / 4)) for part in (-1, 1))
    if min(before.distance(line), after.distance(line)) < NEAR / 40:
        return False
    parts = list(split(disc, line).geoms) if line.geom_type == "LineString" else [disc]
    sides = [[number for number, each in enumerate(parts) if each.intersects(spot)] for spot in (before, after)]
    return bool(sides[0] and sides[1] and not set(sides[0]) & set(sides[1]))


def roads(pieces: list[Piece], *, fords: bool) -> list[Any]:
    """The roads and bridges, and the fords, as areas."""
    found = []
    for piece in pieces:
        if piece.kind.road or (fords and piece.kind.name == "ford"):
            found.append(piece.shape if piece.area else wide_road(piece.shape))
    return found


@lru_cache(maxsize=1024)
def wide_road(line: Any) -> Any:
    return line.buffer(ROAD_HALF, quad_segs=32)


def off_roads(way: list[Point], pieces: list[Piece], *, fords: bool, hair: float) -> float:
    """How many inches of a way are on no road."""
    line = shapely.LineString(way) if length(way) > 1e-9 else shapely.Point(way[0])
    for road in roads(pieces, fords=fords):
        line = line.difference(road.buffer(hair))
        if line.is_empty:
            return 0.0
    return float(line.length) if line.geom_type != "Point" else 1.0


def first_off(way: list[Point], pieces: list[Piece]) -> float:
    """After how many inches a way is first on no road, bridge or ford."""
    line = shapely.LineString(way)
    left = line
    for road in roads(pieces, fords=True):
        left = left.difference(road)
    if left.is_empty:
        return length(way)
    return float(min(line.project(shapely.Point(point)) for point in shapely.get_coordinates(left)))
