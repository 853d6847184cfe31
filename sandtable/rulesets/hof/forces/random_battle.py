"""Battles on fair tables laid at random (`field.random_tables`), with forces that are rolled for.

A table on which wheels cannot get from both edges to every objective is laid again. All chance comes from the seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np

from sandtable.engine import data
from sandtable.field.library import UnknownName
from sandtable.field.random_tables import CountryChart, chart_amiss, fair_table, reached_from, rolls_of, side_by_side
from sandtable.field.random_terrain import Roll
from sandtable.field.scenarios import Own, checked
from sandtable.field.set_ups import Faults
from sandtable.field.zones import EDGES, Edge, half_of, strip
from sandtable.rulesets.hof.battle import FROM_CENTRE, FROM_EDGE, OBJECTIVES
from sandtable.rulesets.hof.core.ground import ROAD_HALF
from sandtable.rulesets.hof.core.set_ups import faults
from sandtable.rulesets.hof.core.state import NEAR_OBJECTIVE, SIDES, Objective, Options, Setup, Table, other
from sandtable.rulesets.hof.core.terrain import kinds
from sandtable.rulesets.hof.forces import parity
from sandtable.rulesets.hof.forces.forces import EXAMPLES, FORCES, RANDOM, fielded, muster
from sandtable.table.shapes import Floats
from sandtable.table.terrain import Feature

USUAL_TABLE = Table(72.0, 48.0)
LEAST_WIDTH, LEAST_DEPTH = 36.0, 32.0
ROUNDS = 12

LEAST_ZONE = 7.0
"""How deep the Attacker's zone is on a table too small for the rules' own."""

WHEELS_HALF = 0.6
"""Half the width of a wheeled Vehicle: how far its middle keeps from ground that it may not enter."""

TRIES = 40


class Charts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: Literal["sandtable.hof.random-table"]
    charts: dict[str, CountryChart]

    def mistakes(self) -> Faults:
        if not self.charts:
            yield ("charts",), "there is no chart"
        impassable = [name for name, kind in kinds().items() if kind.going == "impassable"]
        for name, chart in self.charts.items():
            yield from chart_amiss(("charts", name), chart, kinds(), impassable)


@cache
def charts() -> dict[str, CountryChart]:
    return data.read(Path(__file__).parents[1] / "data" / "random-table.toml", Charts).charts


def make(seed: int, table: Table = USUAL_TABLE, own: Own | None = None, options: Options | None = None) -> Setup:
    """A battle from a seed. Forces that players do not give are rolled for; parity sets the handicap."""
    if table.width < LEAST_WIDTH or table.depth < LEAST_DEPTH:
        raise UnknownName(f"a random battle needs a table of {LEAST_WIDTH:g} by {LEAST_DEPTH:g} inches at least")
    roll = rolls_of(seed)
    switches, given = options or Options(), own or {}
    red, blue = (
        fielded(FORCES.load(given.get(side) or by_die), switches)
        for side, by_die in zip(SIDES, roll_forces(roll), strict=True)
    )
    setup = muster(table, red, blue, switches)
    chart = list(charts().values())[roll(len(charts())) - 1]
    lay(setup, chart, roll)
    setup.name = f"{RANDOM}{seed}"
    setup.title = f"{chart.title} {seed}"
    setup.rounds = ROUNDS
    if table.depth / 2 - FROM_CENTRE < LEAST_ZONE:
        # The Attacker's zone of the rules would be too shallow: the Defender has his half, the Attacker a strip.
        deep = {setup.attacker: LEAST_ZONE, other(setup.attacker): table.depth / 2}
        setup.zones = {side: strip(table, setup.edges[side], deep[side]) for side in SIDES}
    setup = parity.handicapped(setup, parity.compare(red, blue, setup.attacker))
    return checked(setup.name, setup, faults(setup))


def roll_forces(roll: Roll) -> tuple[str, str]:
    """A German force and one of another nation from the example forces; a die says which is red's."""
    germans = [name for name in EXAMPLES if name.startswith("german-")]
    others = [name for name in EXAMPLES if name not in germans]
    first, second = germans[roll(len(germans)) - 1], others[roll(len(others)) - 1]
    return (first, second) if roll(2) == 1 else (second, first)


def lay(setup: Setup, chart: CountryChart, roll: Roll) -> None:
    """Terrain and objectives, laid again until wheels can get everywhere they must."""
    for _ in range(TRIES):
        setup.terrain = fair_table(chart, setup.table, roll, ROAD_HALF, under_roads=("hill",))
        setup.objectives = roll_objectives(setup, roll)
        if not unreached(setup):
            return
    # The roads alone always serve.
    setup.terrain = [feature for feature in setup.terrain if feature.kind == "road"]


def roll_objectives(setup: Setup, roll: Roll) -> dict[str, Objective]:
    """One in each third of the Defender's half, as far from edges and centre line as players must keep them."""
    south, north = half_of(setup.edges, setup.table.depth, other(setup.attacker))
    apart = FROM_EDGE + 0.5
    room, height = setup.table.width - 2 * FROM_EDGE - 1.0, north - south - 2 * FROM_EDGE - 1.0
    spots = side_by_side(OBJECTIVES, apart, south + apart, room, height, roll)
    return {f"objective-{number}": Objective(spot, f"Objective {number}") for number, spot in enumerate(spots, 1)}


def unreached(setup: Setup) -> list[tuple[Edge, str]]:
    """The edges and objectives between which there is no way for wheels."""
    found = []
    for edge in EDGES:
        spots = wheels_from(setup.terrain, setup.table, edge)
        for name, objective in setup.objectives.items():
            if not len(spots) or np.hypot(*(spots - objective.at).T).min() > NEAR_OBJECTIVE:
                found.append((edge, name))
    return found


def wheels_from(terrain: Sequence[Feature], table: Table, edge: Edge) -> Floats:
    """The points of an inch-grid that wheels can reach from an edge.

    Wheels keep off ground that hof.moving.halftrack-wheeled-terrain bars to them, unless a road, a bridge or a ford
    leads over it; a failed Terrain Check only delays them.
    """
    ways = [name for name, kind in kinds().items() if kind.road or kind.ford]
    barred = [name for name, kind in kinds().items() if kind.going in ("very-difficult", "impassable")]
    return reached_from(edge, terrain, table, ways, barred, WHEELS_HALF, ROAD_HALF)
