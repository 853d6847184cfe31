"""Forces and scenarios as data that a player can write: files in, a set-up out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import msgspec

from sandtable.engine.data_words import did_you_mean
from sandtable.engine.ruleset import Army, Muster
from sandtable.engine.toml_lines import write_path
from sandtable.field.library import Shelf, UnknownName
from sandtable.field.set_ups import Faults, point_amiss, table_amiss, terrain_amiss, zones_amiss
from sandtable.rulesets.tr14.battle import ACROSS
from sandtable.rulesets.tr14.core.arsenal import profiles
from sandtable.rulesets.tr14.core.state import SIDES, Company, Objective, Setup, Side, Table, Team, Training, Unit
from sandtable.rulesets.tr14.core.terrain import kinds
from sandtable.rulesets.tr14.forces.set_ups import problems
from sandtable.table.terrain import Feature

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

    def mistakes(self) -> list[tuple[str, str]]:
        found = []
        if sum(unit.apart == "cc" for unit in self.units.values()) != 1:
            found.append(("units", f"a company has exactly one Company Commander ({LEADERS})"))
        for key, unit in self.units.items():
            where = f"units.{key}"
            if not unit.leader:
                found.append((where, f"every Unit has a leader's Team ({LEADERS})"))
            named = {"leader": unit.leader} | {f"teams.{name}": name for name in unit.teams}
            for place, name in named.items():
                if name and name not in profiles():
                    near = did_you_mean(name, profiles())
                    found.append(
                        (f"{where}.{place}", f"unknown profile {name!r}; {near}known: {', '.join(profiles())}")
                    )
            if unit.apart and unit.teams:
                found.append((where, "a Company Commander or Forward Observer stands alone"))
            if unit.apart == "fo" and unit.battery not in self.units:
                found.append((where, "a Forward Observer names the Unit he observes for"))
            for name, count in unit.teams.items():
                if count < 1:
                    found.append((f"{where}.teams.{name}", "give a number of Teams from 1 on"))
        return found


class Scenario(msgspec.Struct, forbid_unknown_fields=True):
    format: Literal["sandtable.tr14.scenario"]
    title: str
    about: str
    authored: str
    rounds: int
    table: Table
    forces: dict[Side, str]
    zones: dict[Side, list[tuple[float, float]]]
    terrain: list[Feature] = []
    objectives: dict[str, Objective] = {}

    def mistakes(self) -> list[tuple[str, str]]:
        found = [(write_path(steps), words) for steps, words in self._table_amiss()]
        if self.rounds < 1:
            found.append(("rounds", "a battle has at least one round"))
        for side, force in self.forces.items():
            missing = FORCES.missing(force)
            if missing is not None:
                found.append((f"forces.{side}", missing))
        return found

    def _table_amiss(self) -> Faults:
        yield from table_amiss(self.table)
        yield from terrain_amiss(self.terrain, {name: kind.shape for name, kind in kinds().items()}, self.table)
        yield from zones_amiss({str(side): zone for side, zone in self.zones.items()}, SIDES, self.table)
        for name, objective in self.objectives.items():
            yield from point_amiss(("objectives", name, "at"), objective.at, self.table)


FORCES = Shelf(HERE / "forces", Force, "force")
SCENARIOS = Shelf(HERE / "scenarios", Scenario, "scenario")


def raise_unit(side: Side, key: str, unit: ForceUnit) -> Unit:
    """A Unit of a force as it takes the field for a side."""
    unit_id = f"{side}-{key}"
    facing = ACROSS[side]
    role: Literal["cc", "fo", "pl"] = unit.apart or "pl"
    teams = {f"{unit_id}-{role}": Team(unit.leader, role=role, facing=facing)}
    for profile, count in unit.teams.items():
        for number in range(1, count + 1):
            teams[f"{unit_id}-{profile}-{number}"] = Team(profile, facing=facing)
    battery = f"{side}-{unit.battery}" if unit.battery else ""
    return Unit(side, unit.training, teams, name=unit.name, apart=unit.apart, battery=battery)


def set_up(name: str, own: Mapping[str, str] | None = None) -> Setup:
    """The set-up of a scenario with its forces, or others for some sides."""
    scenario = SCENARIOS.load(name)
    chosen: dict[str, str] = {**{str(side): force for side, force in scenario.forces.items()}, **(own or {})}
    units: dict[str, Unit] = {}
    companies = {}
    for side in SIDES:
        force = FORCES.load(chosen[side])
        companies[str(side)] = Company(name=force.title)
        for key, unit in force.units.items():
            units[f"{side}-{key}"] = raise_unit(side, key, unit)
    setup = Setup(
        table=scenario.table,
        units=units,
        name=name,
        title=scenario.title,
        terrain=scenario.terrain,
        zones={str(side): zone for side, zone in scenario.zones.items()},
        objectives=scenario.objectives,
        companies=companies,
        rounds=scenario.rounds,
    )
    wrong = problems(setup)
    if wrong:
        raise UnknownName(f"scenario {name}: {wrong[0]}")
    return setup


def armies() -> list[Army]:
    return [Army(name, FORCES.load(name).title) for name in FORCES.names()]


def usual_forces(scenario: str) -> dict[str, str]:
    return {str(side): name for side, name in SCENARIOS.load(scenario).forces.items()}


MUSTER = Muster(armies, usual_forces, lambda scenario, own, _: set_up(scenario, own))
