"""What lies on the table and what is known of it: plain data, nothing hidden, nothing derived.

A set-up holds Units in the same form as the state does, so any moment of a game can be written down as a set-up.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from sandtable.engine.numbers import Whole
from sandtable.engine.ruleset import Result
from sandtable.field.set_ups import copied, in_common, name_all
from sandtable.field.troops import SIDES as SIDES
from sandtable.field.troops import Fielded, Ranks
from sandtable.field.troops import Point as Point
from sandtable.field.troops import Side as Side
from sandtable.field.troops import Table as Table
from sandtable.field.troops import other as other
from sandtable.rulesets.tr14.core.arsenal import Profile, profile
from sandtable.table.terrain import Feature

Training = Literal["green", "veteran", "elite"]
BY_AN_OBJECTIVE = 3.0
"""tr14.battle.objectives: a Team this near to an objective is by it, unless the scenario gives a radius of its own."""

MOST_MARKERS = 2
"""tr14.suppression.double"""


class Team(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True, eq=False, gc=False):
    """One stand or vehicle. `moved` and `fired` say what it did in and since its Unit's last activation.

    `shot` is the number of the Initiative in which it last fired; `turret` is a compass facing of its own.
    """

    profile: str
    id: str = ""
    role: Literal["", "pl", "cc", "fo"] = ""
    at: tuple[float, float] | None = None
    facing: float = 0.0
    turret: float | None = None
    markers: Whole = 0
    moved: bool = False
    fired: bool = False
    dug_in: bool = False
    shot: Whole = 0

    @property
    def kind(self) -> Profile:
        """What kind of Team it is. Not kept on the Team: a copy of the state would cost a third more."""
        return profile(self.profile)


class Unit(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True, eq=False, gc=False):
    """A platoon, or one Team that stands apart: a Company Commander, or a Forward Observer with its battery.

    `starting` is its first number of Teams, `casualties` those of this round, `ran` lasts until its next activation.
    `held`: it went to ground this round and may neither move nor fire for the rest of it, even if up again.
    """

    side: Side
    training: Training
    teams: dict[str, Team]
    id: str = ""
    name: str = ""
    apart: Literal["", "cc", "fo"] = ""
    battery: str = ""
    starting: Whole = 0
    casualties: Whole = 0
    activated: bool = False
    overwatch: bool = False
    to_ground: bool = False
    held: bool = False
    ran: bool = False

    @property
    def is_battery(self) -> bool:
        """Whether it has nothing to fight with but guns that fire barrages, its leader and trucks left aside."""
        kinds = [team.kind for team in self.teams.values() if team.role != "pl" and not team.kind.soft_skinned]
        return bool(kinds) and all(kind.barrage is not None for kind in kinds)

    @property
    def leader(self) -> Team | None:
        for team in self.teams.values():
            if team.role == "pl":
                return team
        return None


Member = tuple[Unit, Team]
"""A Team and the Unit it belongs to: in an attack a commander or observer may stand among another Unit's Teams."""


class Company(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """One side: how many Units it began with, and when its leaders last used their commands, by Initiative."""

    name: str = ""
    starting: Whole = 0
    commands: dict[str, Whole] = {}
    appointed: Whole = 0


class Smoke(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    id: str
    at: tuple[float, float]
    facing: float = 0.0


class Objective(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    at: tuple[float, float]
    name: str = ""
    radius: float = BY_AN_OBJECTIVE
    worth: Whole = 1
    holder: str = ""


class Setup(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """How a battle begins, or any moment of one."""

    table: Table
    units: dict[str, Unit]
    name: str = ""
    title: str = ""
    terrain: list[Feature] = []
    zones: dict[str, list[tuple[float, float]]] = {}
    objectives: dict[str, Objective] = {}
    companies: dict[str, Company] = {}
    smoke: list[Smoke] = []
    rounds: Whole = 8
    phase: Literal["deploy", "round", "activate"] = "deploy"
    round: Whole = 1
    initiative: Side = "red"


class State(msgspec.Struct, omit_defaults=True):
    """A battle at some moment. `initiative_number` counts Initiatives from the first of the battle."""

    units: dict[str, Unit]
    companies: dict[str, Company]
    phase: Literal["deploy", "round", "activate", "over"] = "deploy"
    round: Whole = 1
    initiative: Side = "red"
    initiative_number: Whole = 1
    objectives: dict[str, Objective] = {}
    smoke: list[Smoke] = []
    result: Result | None = None


RANKS = Ranks[Unit, Team]()
units_of, all_teams, find_team = RANKS.units_of, RANKS.all_teams, RANKS.find_team


def platoons(state: Fielded[Unit], side: str | None = None) -> list[Unit]:
    """The Units that count as Units: Teams that stand apart do not."""
    return [unit for unit in state.units.values() if not unit.apart and (side is None or unit.side == side)]


def commander(state: State, side: str) -> Member | None:
    """The Company Commander of a side, if he is on the table."""
    for unit in state.units.values():
        if unit.side == side and unit.apart == "cc":
            return unit, next(iter(unit.teams.values()))
    return None


def observers_of(state: State, unit: Unit) -> list[Unit]:
    """The Forward Observers of a Unit's guns, each a Unit by himself."""
    return [each for each in state.units.values() if each.apart == "fo" and each.battery == unit.id]


def members_of(unit: Unit) -> list[Member]:
    return [(unit, team) for team in unit.teams.values()]


def is_led(unit: Unit) -> bool:
    """Whether a Unit may move towards visible enemies (tr14.leaders.leaderless): it has a leader, or needs none."""
    return unit.leader is not None or bool(unit.apart)


def begin(setup: Setup) -> State:
    """The first state of a battle: a copy of the set-up's Units, numbered and named."""
    state = copied(State(**in_common(setup, State)))
    name_all(state.units)
    for unit in state.units.values():
        unit.starting = unit.starting or len(unit.teams)
        unit.held = unit.held or unit.to_ground
        for team in unit.teams.values():
            if team.kind.turret and team.turret is None:
                team.turret = team.facing
    for side in SIDES:
        company = state.companies.setdefault(side, Company())
        company.starting = company.starting or len(platoons(state, side))
    return state
