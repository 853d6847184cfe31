"""Scenarios: a table, two forces and what they fight for; and the set-up that comes of one, as players agree on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from sandtable.engine.ruleset import Muster
from sandtable.engine.toml_lines import Steps
from sandtable.field import scenarios
from sandtable.field.fieldworks import lengths_amiss
from sandtable.field.forces import none_amiss
from sandtable.field.library import Shelf
from sandtable.field.random_tables import seed_of
from sandtable.field.scenarios import Own, ScenarioFile, forces_of, scenario_amiss
from sandtable.field.set_ups import Faults
from sandtable.field.zones import Edge, edges_amiss, home_edges
from sandtable.rulesets.hof.core.labels import PAGE
from sandtable.rulesets.hof.core.set_ups import faults
from sandtable.rulesets.hof.core.state import FIELDWORKS, LENGTH, Fieldwork, Objective, Options, Point, Setup, Side
from sandtable.rulesets.hof.core.terrain import shapes
from sandtable.rulesets.hof.forces import random_battle
from sandtable.rulesets.hof.forces.forces import FIELDWORK_RULES, FORCES, HERE, RANDOM, muster


class Scenario(ScenarioFile, forbid_unknown_fields=True, kw_only=True):
    """A battle to be fought.

    Without an attacker it is the side with more Vehicles (hof.battle.roles); without objectives the players declare
    them; without zones they are those of the rules. `handicap` lowers a Break Limit and holds for its own forces.
    """

    format: Literal["sandtable.hof.scenario"]
    attacker: Side | None = None
    options: Options = Options()
    edges: dict[str, Edge] = msgspec.field(default_factory=home_edges)
    zones: dict[str, list[Point]] = msgspec.field(default_factory=dict)
    objectives: dict[str, Objective] = msgspec.field(default_factory=dict)
    handicap: dict[Side, int] = msgspec.field(default_factory=dict)
    fieldworks: dict[Side, dict[Fieldwork, int]] = msgspec.field(default_factory=dict)
    """Sets of trenches and obstacles that a side lays at set-up, besides those of its force."""

    def mistakes(self) -> Faults:
        yield from scenario_amiss(self, shapes(), FORCES)
        yield from edges_amiss(self.edges)
        for kind, work in FIELDWORKS.items():
            first = next((index for index, feature in enumerate(self.terrain) if feature.kind == kind), None)
            if first is not None:
                yield from self._switch_amiss(("terrain", first, "kind"), kind)
            yield from lengths_amiss(self.terrain, kind, LENGTH[0], work.lengths, work.rule)
        for side, sets in self.fieldworks.items():
            yield from none_amiss(("fieldworks", side), sets, "sets", FIELDWORK_RULES)
            for kind in sets:
                yield from self._switch_amiss(("fieldworks", side, kind), kind)

    def _switch_amiss(self, steps: Steps, kind: Fieldwork) -> Faults:
        switch = FIELDWORKS[kind].switch
        if not getattr(self.options, switch):
            yield steps, f"{kind} needs the optional rule `{switch}` under `options`"


SCENARIOS = Shelf(HERE / "scenarios", Scenario, "scenario")


def set_up(name: str, own: Own | None = None, options: Options | None = None) -> Setup:
    """The set-up of a scenario by name, with its own forces and optional rules or others; `random:7` lays a table."""
    own = own or {}
    if name.startswith(RANDOM):
        return random_battle.make(seed_of(name, RANDOM), own=own, options=options)
    scenario = SCENARIOS.load(name)
    forces = forces_of(scenario, FORCES, own)
    setup = muster(scenario.table, forces["red"], forces["blue"], options or scenario.options)
    setup.name, setup.title, setup.terrain = name, scenario.title, scenario.terrain
    setup.active = setup.attacker = scenario.attacker or setup.attacker
    setup.edges = dict(scenario.edges)
    setup.zones = dict(scenario.zones)
    setup.objectives = dict(scenario.objectives)
    setup.rounds = scenario.rounds
    for side, more in scenario.fieldworks.items():
        brought = setup.companies[side].fieldworks
        both = {**brought, **more}
        setup.companies[side].fieldworks = {kind: brought.get(kind, 0) + more.get(kind, 0) for kind in both}
    if not any(own.values()):
        for side, amount in scenario.handicap.items():
            setup.companies[side].handicap = amount
    return scenarios.checked(name, setup, faults(setup))


def mustered(name: str, own: Mapping[str, str], chosen: frozenset[str] | None) -> Setup:
    """The set-up of a scenario with other forces for some sides, and with just these optional rules."""
    options = None if chosen is None else Options(**{switch.id: switch.id in chosen for switch in PAGE.switches})
    # Whoever names the scenario's own force means the scenario as it is, with its handicap.
    usual = usual_forces(name)
    return set_up(name, {side: force for side, force in own.items() if force != usual.get(side)}, options)


def usual_forces(scenario: str) -> dict[str, str]:
    """A table laid by chance chooses its forces itself."""
    return {} if scenario.startswith(RANDOM) else scenarios.usual_forces(SCENARIOS, scenario)


MUSTER = Muster(lambda: scenarios.armies(FORCES), usual_forces, mustered)
