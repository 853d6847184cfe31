"""Battles on tables laid at random, fair by construction: one half of the table is the other turned about the middle.

So both halves have the same cover, the same roads and the same lines of sight. A table on which wheels cannot get from
both edges to every objective is laid again. All chance comes from the seed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np
import shapely
from numpy.typing import NDArray

from sandtable.engine import data
from sandtable.engine.dice import SeededDice
from sandtable.field.library import UnknownName
from sandtable.field.scenarios import checked
from sandtable.field.set_ups import Faults, unknown_name
from sandtable.rulesets.hof.battle import FROM_CENTRE, FROM_EDGE, OBJECTIVES
from sandtable.rulesets.hof.core.ground import ROAD_HALF
from sandtable.rulesets.hof.core.set_ups import problems
from sandtable.rulesets.hof.core.state import NEAR_OBJECTIVE, SIDES, Objective, Options, Point, Setup, Table, other
from sandtable.rulesets.hof.core.terrain import kinds
from sandtable.rulesets.hof.forces import parity
from sandtable.rulesets.hof.forces.forces import EXAMPLES, FORCES, RANDOM, fielded, muster
from sandtable.rulesets.hof.forces.random_terrain import APART, Chart, random_table
from sandtable.table.shapes import Footprint, Place, bodies, snap
from sandtable.table.terrain import Feature, Terrain

Roll = Callable[[int], int]
Mask = NDArray[np.bool_]

USUAL_TABLE = Table(72.0, 48.0)
LEAST_WIDTH, LEAST_DEPTH = 36.0, 32.0
ROUNDS = 12

LEAST_ZONE = 7.0
"""How deep the Attacker's zone is on a table too small for the rules' own."""

VERGE = 0.3
"""Inches between the edge of a road and what lies beside it."""

WHEELS_HALF = 0.6
"""Half the width of a wheeled Vehicle: how far its middle keeps from ground that it may not enter."""

TRIES = 40


class CountryChart(Chart, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A chart of one kind of country, and how many roads lead through the middle of the table."""

    title: str
    roads: Literal[1, 2] = 1


class Charts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: Literal["sandtable.hof.random-table"]
    charts: dict[str, CountryChart]

    def mistakes(self) -> Faults:
        if not self.charts:
            yield ("charts",), "there is no chart"
        for name, chart in self.charts.items():
            for number, row in enumerate(chart.rows):
                steps = ("charts", name, "rows", number)
                yield from unknown_name((*steps, "kind"), row.kind, kinds(), "terrain")
                if row.kind in kinds() and kinds()[row.kind].going == "impassable":
                    yield (*steps, "kind"), "ground that nobody can cross has no place on a random table"
                if row.shape == "road":
                    yield (*steps, "shape"), "roads lead through the middle; say how many under `roads`"
                if any(not 1 <= face <= chart.die for face in row.roll):
                    yield (*steps, "roll"), f"a d{chart.die} has the faces 1 to {chart.die}"


@cache
def charts() -> dict[str, CountryChart]:
    return data.read(Path(__file__).parents[1] / "data" / "random-table.toml", Charts).charts


# Making a battle.


def by_name(
    name: str, *, red: str | Path | None = None, blue: str | Path | None = None, options: Options | None = None
) -> Setup:
    """The battle that a scenario's name of the form `random:7` stands for."""
    number = name.removeprefix(RANDOM)
    if not (number.isascii() and number.isdecimal()) or len(number) > 18:
        raise UnknownName(f"{name!r}: a random battle is named by a whole number, as in random:7")
    return make(int(number), forces=(red, blue), options=options)


def make(
    seed: int,
    table: Table | None = None,
    forces: tuple[str | Path | None, str | Path | None] | None = None,
    options: Options | None = None,
) -> Setup:
    """A battle from a seed. Forces of red and blue that are not given are rolled for; parity sets the handicap."""
    size = table or USUAL_TABLE
    if size.width < LEAST_WIDTH or size.depth < LEAST_DEPTH:
        raise UnknownName(f"a random battle needs a table of {LEAST_WIDTH:g} by {LEAST_DEPTH:g} inches at least")
    dice = SeededDice(seed)

    def roll(sides: int) -> int:
        return dice.draw(1, sides)[0]

    switches = options or Options()
    rolled = roll_forces(roll)
    red, blue = (
        fielded(FORCES.load(own or by_die), switches) for own, by_die in zip(forces or rolled, rolled, strict=True)
    )
    setup = muster(size, red, blue, switches)
    chart = list(charts().values())[roll(len(charts())) - 1]
    lay(setup, chart, roll)
    setup.name = f"{RANDOM}{seed}"
    setup.title = f"{chart.title} {seed}"
    setup.rounds = ROUNDS
    if size.depth / 2 - FROM_CENTRE < LEAST_ZONE:
        setup.zones = small_zones(setup)
    setup = parity.apply(setup, parity.compare(red, blue, setup.attacker))
    return checked(setup.name, setup, problems(setup))


def roll_forces(roll: Roll) -> tuple[str, str]:
    """A German force and one of another nation from the example forces; a die says which is red's."""
    names = [rule.rpartition(".")[2] for rule in EXAMPLES]
    germans = [name for name in names if name.startswith("german-")]
    others = [name for name in names if name not in germans]
    first, second = germans[roll(len(germans)) - 1], others[roll(len(others)) - 1]
    return (first, second) if roll(2) == 1 else (second, first)


def small_zones(setup: Setup) -> dict[str, list[Point]]:
    """Zones for a table on which the Attacker's of the rules would be too shallow: the Defender's half, and a strip."""
    zones: dict[str, list[Point]] = {}
    width, depth = setup.table.width, setup.table.depth
    for side in SIDES:
        deep = LEAST_ZONE if side == setup.attacker else depth / 2
        south, north = (0.0, deep) if setup.edges[side] == "south" else (depth - deep, depth)
        zones[side] = [(0.0, south), (width, south), (width, north), (0.0, north)]
    return zones


# Laying the table.


def lay(setup: Setup, chart: CountryChart, roll: Roll) -> None:
    """Terrain and objectives, laid again until wheels can get everywhere they must."""
    for _ in range(TRIES):
        setup.terrain = roll_terrain(chart, setup.table, roll)
        setup.objectives = roll_objectives(setup, roll)
        if not unreached(setup):
            return
    # The roads alone always serve.
    setup.terrain = [feature for feature in setup.terrain if feature.kind == "road"]


def roll_terrain(chart: CountryChart, table: Table, roll: Roll) -> list[Feature]:
    """Roads through the middle, pieces for the southern half, and the same turned for the northern.

    A piece that would lie on a road, or too near to a turned one across the centre line, is left out with its twin.
    """
    width, depth = table.width, table.depth
    roads = [roll_road(f"road-{number}", table, number == 1, roll) for number in range(1, chart.roads + 1)]
    strip = shapely.union_all([shapely.LineString(road.points) for road in roads]).buffer(ROAD_HALF + VERGE)
    features = list(roads)
    turned_shapes: list[shapely.Geometry] = []
    for piece in random_table(chart, width, depth / 2, roll):
        twin = msgspec.structs.replace(piece, id=f"{piece.id}-north", points=turned(piece.points, table))
        shape, twin_shape = shape_of(piece), shape_of(twin)
        crowded = any(shape.distance(each) < APART for each in [*turned_shapes, twin_shape])
        if crowded or (piece.kind != "hill" and shape.intersects(strip)):
            continue
        turned_shapes.append(twin_shape)
        features += [msgspec.structs.replace(piece, id=f"{piece.id}-south"), twin]
    return features


def roll_road(name: str, table: Table, north: bool, roll: Roll) -> Feature:
    """A road that bends on its way to the middle, and leaves it as it came: south to north, or west to east."""
    long, wide = (table.depth, table.width) if north else (table.width, table.depth)
    start = wide * (0.2 + 0.06 * (roll(11) - 1))
    bend = start + (wide / 2 - start) * (roll(6) - 1) / 5
    steps = [(start, 0.0), (bend, long / 4)]
    half = [(snap(x), snap(y)) for x, y in (steps if north else [(y, x) for x, y in steps])]
    middle = (table.width / 2, table.depth / 2)
    return Feature(name, "road", [*half, middle, *reversed(turned(half, table))], closed=False)


def turned(points: Sequence[Point], table: Table) -> list[Point]:
    """Points turned by half a circle about the middle of the table."""
    return [(snap(table.width - x), snap(table.depth - y)) for x, y in points]


def shape_of(feature: Feature) -> shapely.Geometry:
    return shapely.Polygon(feature.points) if feature.closed else shapely.LineString(feature.points)


def roll_objectives(setup: Setup, roll: Roll) -> dict[str, Objective]:
    """One in each third of the Defender's half, as far from edges and centre line as players must keep them."""
    width, depth = setup.table.width, setup.table.depth
    defender = other(setup.attacker)
    south = 0.0 if setup.edges[defender] == "south" else depth / 2
    room, height = width - 2 * FROM_EDGE - 1.0, depth / 2 - 2 * FROM_EDGE - 1.0
    found: dict[str, Objective] = {}
    for number in range(OBJECTIVES):
        x = FROM_EDGE + 0.5 + room * (number + (roll(100) - 0.5) / 100) / OBJECTIVES
        y = south + FROM_EDGE + 0.5 + height * (roll(100) - 0.5) / 100
        found[f"objective-{number + 1}"] = Objective((snap(x), snap(y)), f"Objective {number + 1}")
    return found


# Where wheels can go.


def unreached(setup: Setup) -> list[tuple[str, str]]:
    """The edges and objectives between which there is no way for wheels."""
    reached = {edge: wheels_from(setup.terrain, setup.table, edge) for edge in ("south", "north")}
    found = []
    for edge, spots in reached.items():
        for name, objective in setup.objectives.items():
            if not len(spots) or np.hypot(*(spots - objective.at).T).min() > NEAR_OBJECTIVE:
                found.append((edge, name))
    return found


def wheels_from(terrain: Sequence[Feature], table: Table, edge: str) -> NDArray[np.float64]:
    """The points of an inch-grid that wheels can reach from an edge.

    Wheels keep off ground that hof.moving.halftrack-wheeled-terrain bars to them, unless a road, a bridge or a ford
    leads over it; a failed Terrain Check only delays them.
    """
    xs, ys = np.arange(0.5, table.width, 1.0), np.arange(0.5, table.depth, 1.0)
    free = passable(terrain, table, xs, ys)
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


def passable(terrain: Sequence[Feature], table: Table, xs: NDArray[np.float64], ys: NDArray[np.float64]) -> Mask:
    """Which points of a grid the middle of a wheeled Vehicle may pass, (rows, columns)."""
    free = np.ones((len(ys), len(xs)), dtype=np.bool_)
    if not terrain:
        return free
    rows = bodies((Footprint(0.01, 0.01), Place(float(x), float(y))) for y in ys for x in xs)
    gaps = Terrain(terrain, table.width, table.depth).gaps(rows).reshape(len(ys), len(xs), len(terrain))
    on_way = np.zeros_like(free)
    for number, feature in enumerate(terrain):
        kind = kinds()[feature.kind]
        if kind.road or kind.ford:
            on_way |= gaps[:, :, number] <= (0.0 if feature.closed else ROAD_HALF)
        elif kind.going in ("very-difficult", "impassable"):
            free &= gaps[:, :, number] > WHEELS_HALF
    result: Mask = free | on_way
    return result
