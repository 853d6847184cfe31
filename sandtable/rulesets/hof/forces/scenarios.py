"""Scenarios: a table, two forces and what they fight for; and the set-up that comes of one."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path
from typing import Literal

import msgspec

from sandtable.engine.toml_lines import write_path
from sandtable.field.library import Shelf
from sandtable.field.set_ups import Faults, point_amiss, table_amiss, terrain_amiss, zones_amiss
from sandtable.rulesets.hof.core.state import (
    FIELDWORKS,
    LENGTH,
    SIDES,
    Fieldwork,
    Objective,
    Options,
    Point,
    Setup,
    Side,
    Table,
    home_edges,
)
from sandtable.rulesets.hof.core.terrain import kinds
from sandtable.rulesets.hof.forces import random_battle
from sandtable.rulesets.hof.forces.forces import FORCES, HERE, RANDOM, Notes, checked, muster, sets_amiss
from sandtable.table.hairs import beyond
from sandtable.table.terrain import Feature

ABOUT = 0.1
"""How far the length of a trench or an obstacle in a file may be from that of the rules, in inches."""


class Scenario(msgspec.Struct, forbid_unknown_fields=True):
    """A battle to be fought.

    Without an attacker it is the side with more Vehicles (hof.battle.roles); without objectives the players declare
    them; without zones they are those of the rules. `handicap` lowers a Break Limit and holds for its own forces.
    """

    format: Literal["sandtable.hof.scenario"]
    title: str
    about: str
    authored: str
    rounds: int
    table: Table
    forces: dict[Side, str]
    attacker: Side | None = None
    options: Options = Options()
    terrain: list[Feature] = []
    edges: dict[str, Literal["south", "north"]] = msgspec.field(default_factory=home_edges)
    zones: dict[str, list[Point]] = {}
    objectives: dict[str, Objective] = {}
    handicap: dict[Side, int] = {}
    fieldworks: dict[Side, dict[Fieldwork, int]] = {}
    """Sets of trenches and obstacles that a side lays at set-up, besides those of its force."""

    def mistakes(self) -> Notes:
        if self.rounds < 1:
            yield "rounds", "a battle has at least one round"
        for side in SIDES:
            if side not in self.forces:
                yield "forces", f"{side} has no force"
        for side, force in self.forces.items():
            missing = FORCES.missing(force)
            if missing is not None:
                yield f"forces.{side}", missing
        if set(self.edges) != set(SIDES) or len(set(self.edges.values())) != len(SIDES):
            yield "edges", "one side has the southern edge, the other the northern"
        for steps, words in self._table_amiss():
            yield write_path(steps), words
        for kind, work in FIELDWORKS.items():
            yield from self._sets_amiss(kind, work.switch, work.lengths, work.rule)
        for side, sets in self.fieldworks.items():
            yield from sets_amiss(f"fieldworks.{side}", sets)
            for kind in sets:
                if not getattr(self.options, FIELDWORKS[kind].switch):
                    needed = f"{kind} needs the optional rule `{FIELDWORKS[kind].switch}` under `options`"
                    yield f"fieldworks.{side}.{kind}", needed

    def _table_amiss(self) -> Faults:
        yield from table_amiss(self.table)
        yield from terrain_amiss(self.terrain, {name: kind.shape for name, kind in kinds().items()}, self.table)
        yield from zones_amiss(self.zones, SIDES, self.table)
        for name, objective in self.objectives.items():
            yield from point_amiss(("objectives", name, "at"), objective.at, self.table)

    def _sets_amiss(self, name: str, switch: str, of: int, rule: str) -> Notes:
        """Trenches and obstacles come in sets of pieces eight inches long, and only with their optional rule."""
        found = [(index, feature) for index, feature in enumerate(self.terrain) if feature.kind == name]
        if not found:
            return
        if not getattr(self.options, switch):
            yield f"terrain[{found[0][0]}].kind", f"{name} needs the optional rule `{switch}` under `options`"
        if len(found) % of:
            yield f"terrain[{found[-1][0]}]", f"{name}: sets of {of}, here are {len(found)} ({rule})"
        for index, feature in found:
            if len(feature.points) >= 2 and beyond(abs(piece_length(feature) - LENGTH[0]), ABOUT):
                yield f"terrain[{index}].points", f"a length of {name} is {LENGTH[0]:g} inches long ({rule})"


def piece_length(feature: Feature) -> float:
    """The length of a line, or the longest side of an area."""
    sides = [math.dist(a, b) for a, b in pairwise(feature.points)]
    return max([*sides, math.dist(feature.points[-1], feature.points[0])]) if feature.closed else sum(sides)


SCENARIOS = Shelf(HERE / "scenarios", Scenario, "scenario")


def set_up(
    name: str,
    *,
    red: str | Path | None = None,
    blue: str | Path | None = None,
    options: Options | None = None,
) -> Setup:
    """The set-up of a scenario by name, with its own forces and optional rules or others; `random:7` lays a table."""
    if name.startswith(RANDOM):
        return random_battle.by_name(name, red=red, blue=blue, options=options)
    scenario = SCENARIOS.load(name)
    forces = [FORCES.load(own or scenario.forces[side]) for side, own in zip(SIDES, (red, blue), strict=True)]
    setup = muster(scenario.table, forces[0], forces[1], options or scenario.options)
    setup.name = name
    setup.title = scenario.title
    setup.terrain = scenario.terrain
    setup.attacker = scenario.attacker or setup.attacker
    setup.active = setup.attacker
    setup.edges = dict(scenario.edges)
    setup.zones = dict(scenario.zones)
    setup.objectives = dict(scenario.objectives)
    setup.rounds = scenario.rounds
    for side, more in scenario.fieldworks.items():
        own = setup.companies[side].fieldworks
        setup.companies[side].fieldworks = {kind: own.get(kind, 0) + more.get(kind, 0) for kind in {**own, **more}}
    if red is None and blue is None:
        for side, amount in scenario.handicap.items():
            setup.companies[side].handicap = amount
    return checked(setup)
