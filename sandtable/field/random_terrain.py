"""Random tables from a terrain chart. All chance comes through `roll`: the same rolls lay the same table."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

import msgspec
import shapely

from sandtable.table.shapes import heading, snap
from sandtable.table.terrain import Feature

Roll = Callable[[int], int]
Points = list[tuple[float, float]]

TRIES = 20  # spots tried for one piece before it is left out
APART = 0.5  # inches between pieces
BLOB_CORNERS = 10
ROAD_WIDTH = 2.0


class ChartRow(msgspec.Struct, frozen=True):
    """One line of the chart: on these faces, a piece of this kind, `size` inches (from, to) across."""

    roll: list[int]
    kind: str
    size: tuple[float, float]
    shape: Literal["blob", "box", "line", "road"] = "blob"
    height: float = 0.0


class Chart(msgspec.Struct, frozen=True):
    """Roll `die` for each of `pieces` (from, to) pieces; faces that no row names give open ground."""

    die: int
    pieces: tuple[int, int]
    rows: list[ChartRow]


def random_table(chart: Chart, width: float, depth: float, roll: Roll) -> list[Feature]:
    """Pieces spread in turn over the four quarters of the table, none overlapping another.

    A piece that finds no room in TRIES tries is left out. A road crosses the whole table.
    """
    count = _between(chart.pieces[0], chart.pieces[1], roll)
    quarter = roll(4) - 1
    laid: list[shapely.Geometry] = []
    features: list[Feature] = []
    for _ in range(count):
        face = roll(chart.die)
        row = next((row for row in chart.rows if face in row.roll), None)
        if row is None:
            continue
        for _ in range(TRIES):
            points = _piece(row, quarter, width, depth, roll)
            shape = _geometry(points, row.shape != "line")
            if shape.is_valid and not any(shape.distance(other) < APART for other in laid):
                laid.append(shape)
                closed = row.shape != "line"
                features.append(Feature(f"{row.kind}-{len(features) + 1}", row.kind, points, closed, row.height))
                # Opposite quarters first: two pieces are then never crowded on one side.
                quarter = (quarter + (2 if len(features) % 2 else 1)) % 4
                break
    return features


def _geometry(points: Points, closed: bool) -> shapely.Geometry:
    return shapely.Polygon(points) if closed else shapely.LineString(points)


def _piece(row: ChartRow, quarter: int, width: float, depth: float, roll: Roll) -> Points:
    if row.shape == "road":
        return _road(row, width, depth, roll)
    size = _size(row, roll)
    reach = min(size / 2, width / 4, depth / 4)
    # Quarters run south-west, south-east, north-east, north-west.
    west = 0.0 if quarter in (0, 3) else width / 2
    south = 0.0 if quarter in (0, 1) else depth / 2
    x = west + reach + _fraction(roll) * (width / 2 - 2 * reach)
    y = south + reach + _fraction(roll) * (depth / 2 - 2 * reach)
    if row.shape == "blob":
        return _blob(x, y, reach, roll)
    facing = 15.0 * (roll(12) - 1)
    sin, cos = heading(facing)
    if row.shape == "line":
        return _snapped([(x - reach * sin, y - reach * cos), (x + reach * sin, y + reach * cos)])
    # A box within the circle of its reach: between a square and twice as long as wide.
    ratio = (4 + roll(6)) / 10
    along = reach / math.hypot(1.0, ratio)
    across = along * ratio
    corners = [(across, along), (across, -along), (-across, -along), (-across, along)]
    return _snapped([(x + u * cos + v * sin, y - u * sin + v * cos) for u, v in corners])


def _blob(x: float, y: float, reach: float, roll: Roll) -> Points:
    points = []
    for corner in range(BLOB_CORNERS):
        sin, cos = heading(360.0 * corner / BLOB_CORNERS)
        radius = reach * (7 + (roll(4) - 1)) / 10
        points.append((x + radius * sin, y + radius * cos))
    return _snapped(points)


def _road(row: ChartRow, width: float, depth: float, roll: Roll) -> Points:
    """A strip from one long edge to the other, or from one short edge to the other; `size` is its width."""
    half = _size(row, roll) / 2 if row.size[1] > 0 else ROAD_WIDTH / 2
    north = roll(2) == 1
    edge = width if north else depth
    start = half + _fraction(roll) * (edge - 2 * half)
    end = half + _fraction(roll) * (edge - 2 * half)
    far = depth if north else width
    strip = [(start - half, 0.0), (start + half, 0.0), (end + half, far), (end - half, far)]
    return _snapped(strip if north else [(y, x) for x, y in strip])


def _size(row: ChartRow, roll: Roll) -> float:
    low, high = row.size
    return low + (high - low) * (roll(6) - 1) / 5


def _between(low: int, high: int, roll: Roll) -> int:
    return low if high <= low else low + roll(high - low + 1) - 1


def _fraction(roll: Roll) -> float:
    return (roll(100) - 0.5) / 100


def _snapped(points: Points) -> Points:
    return [(snap(x), snap(y)) for x, y in points]
