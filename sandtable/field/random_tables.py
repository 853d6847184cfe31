"""Tables laid at random, fair by construction: one half of the table is the other turned about the middle.

So both halves have the same cover, the same roads and the same lines of sight. All chance comes through `roll`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Sequence
from typing import Literal

import numpy as np
import shapely
from msgspec.structs import replace

from sandtable.engine.dice import SeededDice
from sandtable.engine.toml_lines import Steps
from sandtable.field.library import UnknownName
from sandtable.field.random_terrain import APART, Chart, Roll, random_table
from sandtable.field.set_ups import Faults, Sized, unknown_name
from sandtable.field.troops import Point
from sandtable.field.zones import Edge
from sandtable.table.shapes import Floats, Footprint, Mask, Place, bodies, snap
from sandtable.table.terrain import Feature, Terrain

VERGE = 0.3
"""Inches between the edge of a road and what lies beside it."""


class CountryChart(Chart, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A chart of one kind of country, and how many roads lead through the middle of the table."""

    title: str
    roads: Literal[1, 2] = 1


def chart_amiss(steps: Steps, chart: CountryChart, kinds: Collection[str], barred: Collection[str]) -> Faults:
    """What is wrong with a chart. Kinds that are `barred`, because nobody can cross them, have no place on it."""
    for number, row in enumerate(chart.rows):
        where = (*steps, "rows", number)
        yield from unknown_name((*where, "kind"), row.kind, kinds, "terrain")
        if row.kind in barred:
            yield (*where, "kind"), "ground that nobody can cross has no place on a random table"
        if row.shape == "road":
            yield (*where, "shape"), "roads lead through the middle; say how many under `roads`"
        if any(not 1 <= face <= chart.die for face in row.roll):
            yield (*where, "roll"), f"a d{chart.die} has the faces 1 to {chart.die}"


# Chance.


def seed_of(name: str, prefix: str) -> int:
    """The seed of a battle that is named by a number, as in `random:7`."""
    number = name.removeprefix(prefix)
    if not (number.isascii() and number.isdecimal()) or len(number) > 18:
        raise UnknownName(f"{name!r}: a random battle is named by a whole number, as in {prefix}7")
    return int(number)


def rolls_of(seed: int) -> Roll:
    """Dice of any number of sides, one after the other, all from one seed."""
    dice = SeededDice(seed)
    return lambda sides: dice.draw(1, sides)[0]


# Terrain.


def fair_table(
    chart: CountryChart, table: Sized, roll: Roll, road_half: float, under_roads: Collection[str] = ()
) -> list[Feature]:
    """Roads through the middle, pieces for the southern half, and the same turned for the northern.

    A piece that would lie on a road, unless its kind may lie `under_roads`, or too near to a turned one across the
    centre line, is left out with its twin. A road reaches `road_half` to either side of its line.
    """
    roads = [fair_road(f"road-{number}", table, number == 1, roll) for number in range(1, chart.roads + 1)]
    strip = shapely.union_all([shapely.LineString(road.points) for road in roads]).buffer(road_half + VERGE)
    features = list(roads)
    turned_shapes: list[shapely.Geometry] = []
    for piece in random_table(chart, table.width, table.depth / 2, roll):
        twin = replace(piece, id=f"{piece.id}-north", points=turned(piece.points, table))
        shape, twin_shape = shape_of(piece), shape_of(twin)
        crowded = any(shape.distance(each) < APART for each in [*turned_shapes, twin_shape])
        if crowded or (piece.kind not in under_roads and shape.intersects(strip)):
            continue
        turned_shapes.append(twin_shape)
        features += [replace(piece, id=f"{piece.id}-south"), twin]
    return features


def fair_road(name: str, table: Sized, north: bool, roll: Roll) -> Feature:
    """A road that bends on its way to the middle, and leaves it as it came: south to north, or west to east."""
    long, wide = (table.depth, table.width) if north else (table.width, table.depth)
    start = wide * (0.2 + 0.06 * (roll(11) - 1))
    bend = start + (wide / 2 - start) * (roll(6) - 1) / 5
    steps = [(start, 0.0), (bend, long / 4)]
    half = [(snap(x), snap(y)) for x, y in (steps if north else [(y, x) for x, y in steps])]
    middle = (table.width / 2, table.depth / 2)
    return Feature(name, "road", [*half, middle, *reversed(turned(half, table))], closed=False)


def turned(points: Sequence[Point], table: Sized) -> list[Point]:
    """Points turned by half a circle about the middle of the table."""
    return [(snap(table.width - x), snap(table.depth - y)) for x, y in points]


def shape_of(feature: Feature) -> shapely.Geometry:
    return shapely.Polygon(feature.points) if feature.closed else shapely.LineString(feature.points)


def side_by_side(count: int, west: float, south: float, width: float, depth: float, roll: Roll) -> Iterator[Point]:
    """Points in a box, one in each of so many equal parts of its width, anywhere in its depth."""
    for number in range(count):
        x = west + width * (number + (roll(100) - 0.5) / 100) / count
        y = south + depth * (roll(100) - 0.5) / 100
        yield snap(x), snap(y)


# Where one can go.


def reached_from(
    edge: Edge,
    terrain: Sequence[Feature],
    table: Sized,
    ways: Collection[str],
    barred: Collection[str],
    clear: float,
    road_half: float,
) -> Floats:
    """The points of an inch-grid that one can reach from an edge.

    From ground of the kinds that are `barred` one keeps so `clear`, unless one of the `ways` leads over it.
    """
    xs, ys = np.arange(0.5, table.width, 1.0), np.arange(0.5, table.depth, 1.0)
    free = open_points(terrain, table, xs, ys, ways, barred, clear, road_half)
    row = 0 if edge == "south" else len(ys) - 1
    waiting = deque((row, column) for column in np.flatnonzero(free[row]).tolist())
    seen = set(waiting)
    while waiting:
        y, x = waiting.popleft()
        for spot in ((y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)):
            if 0 <= spot[0] < len(ys) and 0 <= spot[1] < len(xs) and spot not in seen and free[spot]:
                seen.add(spot)
                waiting.append(spot)
    return np.array([(xs[x], ys[y]) for y, x in seen]).reshape(-1, 2)


def open_points(
    terrain: Sequence[Feature],
    table: Sized,
    xs: Floats,
    ys: Floats,
    ways: Collection[str],
    barred: Collection[str],
    clear: float,
    road_half: float,
) -> Mask:
    """Which points of a grid (rows, columns) one may pass."""
    free: Mask = np.ones((len(ys), len(xs)), dtype=np.bool_)
    if not terrain:
        return free
    rows = bodies((Footprint(0.01, 0.01), Place(float(x), float(y))) for y in ys for x in xs)
    gaps = Terrain(terrain, table.width, table.depth).gaps(rows).reshape(len(ys), len(xs), len(terrain))
    on_way = np.zeros_like(free)
    for number, feature in enumerate(terrain):
        if feature.kind in ways:
            on_way |= gaps[:, :, number] <= (0.0 if feature.closed else road_half)
        elif feature.kind in barred:
            free &= gaps[:, :, number] > clear
    result: Mask = free | on_way
    return result
