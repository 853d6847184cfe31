"""Bases and where they stand.

A `Footprint` is what a base covers, a `Place` is where it stands. For the batch queries both are packed into
one row of eight numbers, a *body row*; a unit is then an (n, 8) array, and a query is one call over arrays.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]
Flags = NDArray[np.int8]

RECTANGLE = 0.0
CIRCLE = 1.0

# Columns of a body row. The forward vector of a base is (SIN, COS), its right hand (COS, -SIN).
SHAPE, X, Y, SIN, COS, HALF_WIDTH, HALF_DEPTH, Z = range(8)
COLUMNS = 8


class Footprint(msgspec.Struct, frozen=True):
    """A base: width across the front, depth along the facing; a circle's width is its diameter."""

    width: float
    depth: float
    shape: Literal["rectangle", "circle"] = "rectangle"

    @property
    def size(self) -> tuple[float, float]:
        return self.width, self.depth

    @property
    def round(self) -> bool:
        return self.shape == "circle"


class Place(msgspec.Struct, frozen=True):
    """Where a base's centre stands and which way it looks; `turret` is the compass facing of its turret."""

    x: float
    y: float
    facing: float = 0.0
    level: int = 0
    turret: float | None = None


def snap(value: float) -> float:
    """Round to 0.01, halves upwards: the kernels round the very same way, so that a checked end holds."""
    return math.floor(value * 100.0 + 0.5) / 100.0


def rounded(place: Place) -> Place:
    """The place as it is stored: every number on the 0.01 grid, facings in [0, 360)."""
    turret = None if place.turret is None else snap(place.turret) % 360.0
    return Place(snap(place.x), snap(place.y), snap(place.facing) % 360.0, place.level, turret)


@lru_cache(maxsize=4096)
def heading(facing: float) -> tuple[float, float]:
    """The forward vector (east, north) of a compass facing.

    Cut to twelve decimals: quarter turns come out exact, and the last bits do not depend on the C library.
    """
    angle = math.radians(facing)
    return (
        math.floor(math.sin(angle) * 1e12 + 0.5) / 1e12,
        math.floor(math.cos(angle) * 1e12 + 0.5) / 1e12,
    )


def _numbers(footprint: Footprint, place: Place, z: float) -> tuple[float, ...]:
    sin, cos = heading(place.facing)
    half = footprint.width / 2
    if footprint.shape == "circle":
        return (CIRCLE, place.x, place.y, sin, cos, half, half, z)
    return (RECTANGLE, place.x, place.y, sin, cos, half, footprint.depth / 2, z)


def body(footprint: Footprint, place: Place, z: float = 0.0) -> Floats:
    """The body row of one base; `z` is the height of the ground it stands on."""
    return np.array(_numbers(footprint, place, z))


def bodies(pairs: Iterable[tuple[Footprint, Place]], z: float = 0.0) -> Floats:
    """One body row per base, (n, 8)."""
    rows = [_numbers(footprint, place, z) for footprint, place in pairs]
    return np.array(rows, dtype=np.float64).reshape(len(rows), COLUMNS)


def point_body(x: float, y: float, z: float = 0.0) -> Floats:
    """A base without extent, for asking about a bare point."""
    return np.array((CIRCLE, x, y, 0.0, 1.0, 0.0, 0.0, z))


def as_rows(rows: Floats) -> Floats:
    """The rows as the kernels want them (contiguous, two dimensions); no copy when they already are."""
    rows = np.ascontiguousarray(rows, dtype=np.float64)
    return rows if rows.ndim == 2 else rows.reshape(-1, COLUMNS)


def moved(rows: Floats, dx: float, dy: float) -> Floats:
    """A copy of the rows, translated."""
    copy = np.array(rows, dtype=np.float64)
    copy[..., X] += dx
    copy[..., Y] += dy
    return copy


def face(row: Floats, facing: float) -> None:
    """Turn the row itself on its spot."""
    row[SIN], row[COS] = heading(facing)


def turned(row: Floats, facing: float) -> Floats:
    """A copy of the row, facing elsewhere on the same spot."""
    copy = np.array(row, dtype=np.float64)
    face(copy, facing)
    return copy


def facing_of(row: Floats) -> float:
    """The compass facing of a body row."""
    return math.degrees(math.atan2(row[SIN], row[COS])) % 360.0


def corners(row: Floats) -> Floats:
    """Front right, back right, back left, front left (for a circle: of its bounding square), (4, 2)."""
    x, y, sin, cos, hw, hd = (float(v) for v in row[X:Z])
    return np.array(
        [
            (x + hw * cos + hd * sin, y - hw * sin + hd * cos),
            (x + hw * cos - hd * sin, y - hw * sin - hd * cos),
            (x - hw * cos - hd * sin, y + hw * sin - hd * cos),
            (x - hw * cos + hd * sin, y + hw * sin + hd * cos),
        ]
    )


def outline(row: Floats, count: int = 32) -> Floats:
    """At least `count` points round the rim, clockwise, evenly spaced on each side of a rectangle, (k, 2)."""
    if row[SHAPE] == CIRCLE:
        angles = np.linspace(0.0, 2 * math.pi, count, endpoint=False)
        return np.column_stack((row[X] + row[HALF_WIDTH] * np.sin(angles), row[Y] + row[HALF_WIDTH] * np.cos(angles)))
    ring = corners(row)
    a_side = max(1, math.ceil(count / 4))
    steps = np.arange(a_side) / a_side
    sides = [ring[i] + steps[:, None] * (ring[(i + 1) % 4] - ring[i]) for i in range(4)]
    return np.concatenate(sides)


def hull(points: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    """The corners of the smallest convex area that holds some points, counter-clockwise from the westernmost."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered
    return [*_lower(ordered), *_lower(ordered[::-1])]


def _lower(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The corners below some points that go from one side to the other, but for the last."""
    found: list[tuple[float, float]] = []
    for x, y in points:
        while len(found) > 1:
            (ax, ay), (bx, by) = found[-2:]
            if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0:
                break
            found.pop()
        found.append((x, y))
    return found[:-1]


def bearing(x0: float, y0: float, x1: float, y1: float) -> float:
    """The compass direction from one point to another, in [0, 360); 0 when they coincide."""
    angle = math.degrees(math.atan2(x1 - x0, y1 - y0)) % 360.0
    return 0.0 if angle == 360.0 else angle


@lru_cache(maxsize=4096)
def stored_facing(facing: float) -> float:
    """A direction as a ruleset keeps it: to a tenth of a degree, in [0, 360)."""
    return round(facing % 360.0, 1) % 360.0


def turn(a: float, b: float) -> float:
    """The smallest turn from facing a to facing b, in (-180, 180]; clockwise is positive."""
    return 180.0 - (180.0 - (b - a)) % 360.0


def forward_offset(x: float, y: float, facing: float, px: float, py: float) -> float:
    """How far the point lies ahead of (x, y) along the facing; negative behind."""
    sin, cos = heading(facing)
    return (px - x) * sin + (py - y) * cos


def sideways_offset(x: float, y: float, facing: float, px: float, py: float) -> float:
    """How far the point lies to the right hand of (x, y) looking along the facing; negative to the left."""
    sin, cos = heading(facing)
    return (px - x) * cos - (py - y) * sin
