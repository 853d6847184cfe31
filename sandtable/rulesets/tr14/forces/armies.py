"""Forces and scenarios as data that a player can write: files in, a set-up out; and how a force is begun and shown."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Literal

import msgspec

from sandtable.engine.data import read_text
from sandtable.engine.events import several
from sandtable.engine.ruleset import ForceSheet, ForceTools, Muster
from sandtable.field import forces, scenarios
from sandtable.field.forces import none_amiss, team_ids
from sandtable.field.library import Shelf
from sandtable.field.scenarios import ScenarioFile, forces_of, scenario_amiss, usual_forces
from sandtable.field.set_ups import Faults, unknown_name
from sandtable.rulesets.tr14.battle import ACROSS
from sandtable.rulesets.tr14.core.arsenal import profile, profiles
from sandtable.rulesets.tr14.core.names import ROLES
from sandtable.rulesets.tr14.core.state import Company, Objective, Point, Setup, Side, Team, Training, Unit
from sandtable.rulesets.tr14.core.terrain import shapes
from sandtable.rulesets.tr14.forces.set_ups import faults

HERE = Path(__file__).parents[1]
LEADERS = "tr14.leaders.who"


class ForceUnit(msgspec.Struct, forbid_unknown_fields=True):
    """A Unit of a force: its Platoon Leader's Team, and how many others of each profile."""

    name: str
    training: Training
    leader: str = ""
    teams: dict[str, int] = {}
    apart: Literal["", "cc", "fo"] = ""
    battery: str = ""


class Force(msgspec.Struct, forbid_unknown_fields=True):
    """A company, with a leader in every Unit and one Company Commander."""

    format: Literal["sandtable.tr14.force"]
    title: str
    nation: Literal["us", "german"]
    units: dict[str, ForceUnit]
    about: str = ""

    def mistakes(self) -> Faults:
        if sum(unit.apart == "cc" for unit in self.units.values()) != 1:
            yield ("units",), f"a company has exactly one Company Commander ({LEADERS})"
        for key, unit in self.units.items():
            steps = ("units", key)
            if unit.leader:
                yield from unknown_name((*steps, "leader"), unit.leader, profiles(), "profile")
            else:
                yield steps, f"every Unit has a leader's Team ({LEADERS})"
            for name in unit.teams:
                yield from unknown_name((*steps, "teams", name), name, profiles(), "profile")
            if unit.apart and unit.teams:
                yield steps, "a Company Commander or Forward Observer stands alone"
            if unit.apart == "fo" and unit.battery not in self.units:
                yield steps, "a Forward Observer names the Unit he observes for"
            yield from none_amiss((*steps, "teams"), unit.teams, "Teams")


class Scenario(ScenarioFile, forbid_unknown_fields=True, kw_only=True):
    format: Literal["sandtable.tr14.scenario"]
    zones: dict[Side, list[Point]]
    objectives: dict[str, Objective] = msgspec.field(default_factory=dict)

    def mistakes(self) -> Faults:
        return scenario_amiss(self, shapes(), FORCES)


FORCES = Shelf(HERE / "forces", Force, "force")
SCENARIOS = Shelf(HERE / "scenarios", Scenario, "scenario")


def raise_unit(side: Side, key: str, unit: ForceUnit) -> Unit:
    """A Unit of a force as it takes the field for a side."""
    unit_id = f"{side}-{key}"
    facing = ACROSS[side]
    role: Literal["cc", "fo", "pl"] = unit.apart or "pl"
    teams = {f"{unit_id}-{role}": Team(unit.leader, role=role, facing=facing)}
    for kind, count in unit.teams.items():
        teams |= {name: Team(kind, facing=facing) for name in team_ids(unit_id, kind, count)}
    battery = f"{side}-{unit.battery}" if unit.battery else ""
    return Unit(side, unit.training, teams, name=unit.name, apart=unit.apart, battery=battery)


def set_up(name: str, own: Mapping[str, str] | None = None) -> Setup:
    """The set-up of a scenario with its forces, or others for some sides."""
    scenario = SCENARIOS.load(name)
    forces = forces_of(scenario, FORCES, own or {})
    units: dict[str, Unit] = {}
    for side, force in forces.items():
        units |= {f"{side}-{key}": raise_unit(side, key, unit) for key, unit in force.units.items()}
    setup = Setup(
        table=scenario.table,
        units=units,
        name=name,
        title=scenario.title,
        terrain=scenario.terrain,
        zones={str(side): zone for side, zone in scenario.zones.items()},
        objectives=scenario.objectives,
        companies={str(side): Company(name=force.title) for side, force in forces.items()},
        rounds=scenario.rounds,
    )
    return scenarios.checked(name, setup, faults(setup))


MUSTER = Muster(
    lambda: scenarios.armies(FORCES),
    lambda scenario: usual_forces(SCENARIOS, scenario),
    lambda scenario, own, _: set_up(scenario, own),
)


NATIONS = ("us", "german")


def annotated(text: str, nation: str) -> str:
    """The profiles are the same for every nation."""
    keys = read_text(HERE / "data" / "force-keys.txt")
    return forces.annotated(keys, text, {"": {key: kind.name for key, kind in profiles().items()}})


def sheet(name: str, force: Force) -> ForceSheet:
    platoons = sum(not unit.apart for unit in force.units.values())
    teams = sum(1 + sum(unit.teams.values()) for unit in force.units.values())
    return ForceSheet(
        force.title,
        ("Unit", "Teams", "Training", ""),
        tuple(row_of(force, unit) for unit in force.units.values()),
        force.about,
        (f"{several(platoons, 'Unit')} and those who stand apart, {several(teams, 'Team')} in all.",),
        (LEADERS,),
        {"name": name, **msgspec.to_builtins(force), "unit_count": platoons, "rules": [LEADERS]},
    )


def row_of(force: Force, unit: ForceUnit) -> tuple[str, ...]:
    leader = f"{ROLES[unit.apart or 'pl']} ({profile(unit.leader).name})"
    teams = [leader, *forces.counted(unit.teams, lambda key: profile(key).name)]
    remark = f"observes for {force.units[unit.battery].name}" if unit.battery else ""
    return (unit.name, "\n".join(teams), unit.training, remark)


TOOLS = ForceTools(FORCES.names, FORCES.load, FORCES.path, NATIONS, partial(forces.first_of, HERE), annotated, sheet)
