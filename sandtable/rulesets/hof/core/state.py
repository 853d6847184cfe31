"""What lies on the table and what is kept off it: plain data, nothing derived. What is secret is told in `page.views`.

A set-up holds Units in the same form as the state does, so any moment of a battle can be written down as a set-up.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Annotated, Literal, NamedTuple

import msgspec

from sandtable.engine.numbers import Whole
from sandtable.engine.ruleset import Result
from sandtable.field.set_ups import in_common, name_all
from sandtable.field.troops import SIDES as SIDES
from sandtable.field.troops import Point as Point
from sandtable.field.troops import Ranks
from sandtable.field.troops import Side as Side
from sandtable.field.troops import Table as Table
from sandtable.field.troops import other as other
from sandtable.field.zones import Edge, home_edges
from sandtable.rulesets.hof.core.arsenal import Profile, profile, sized
from sandtable.table.terrain import Feature

Nation = Literal["us", "german", "british", "soviet"]
Quality = Literal["average", "elite", "poor"]
Inches = Annotated[float, msgspec.Meta(gt=0, le=12)]
Size = tuple[Inches, Inches]
"""The width and depth of a base."""

Where = Literal["", "hidden", "reserve", "edge", "aboard", "rear", "off-board"]
"""Where a Team is that does not stand on the table: Hidden somewhere in its zone, in reserve, waiting beyond the
Attacker's edge, in or behind a Transport, called to the rear, or (artillery) far behind the table. Empty: not
deployed yet, or on the table if it has a place."""

Fieldwork = Literal["trench", "at-obstacle", "minefield", "wire"]
"""What players lay on the table at set-up, by the optional rules of fortifications and obstacles."""

Trait = Literal["panzerfaust", "engineer", "recon", "jeep-50cal"]

FIRE_MISSIONS = 5
"""hof.artillery.fire-missions"""

BARRAGE_RADIUS = 4.0
"""hof.artillery.radius"""

HERO_DIE = 6
"""The most Hero Points that a roll gives (hof.orders.hero-start-roll)."""

NEAR_OBJECTIVE = 4.0
"""hof.battle.objective-control"""

LIMIT_BASE, LIMIT_PER_UNIT = 5, 2
"""hof.battle.break-limit"""

LENGTH = (8.0, 2.0)
"""How long and how broad a length of a fieldwork is: hof.optional.trench-set, hof.optional.obstacle-set."""


class FieldworkSet(NamedTuple):
    """A kind of fieldwork: how many lengths a set has, the optional rule that it needs, and the rule for laying it."""

    lengths: int
    switch: str
    rule: str


OBSTACLES = FieldworkSet(3, "obstacles", "hof.optional.obstacle-set")
FIELDWORKS: dict[Fieldwork, FieldworkSet] = {
    "trench": FieldworkSet(4, "fortifications", "hof.optional.trench-set"),
    "at-obstacle": OBSTACLES,
    "minefield": OBSTACLES,
    "wire": OBSTACLES,
}

SHELLS, AIRCRAFT = "*shells", "*aircraft"
"""What `Team.hit_by` notes besides Units: it limits nobody's fire, but a Team has been fired on."""


class Team(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True, eq=False):
    """One base or vehicle."""

    profile: str
    id: str = ""
    role: Literal["", "pl", "fo", "cc", "sniper", "rider", "bunker"] = ""
    traits: tuple[Trait, ...] = ()
    base: Size | None = None
    """The size of its base, if it is not the usual one of its kind (hof.orders.base-sizes)."""
    at: Point | None = None
    facing: float = 0.0
    level: Whole = 0
    where: Where = ""
    """Where it is if it does not stand on the table."""
    carrier: str = ""
    """The Transport that it rides in or is towed by."""
    towed: bool = False
    """A Gun behind its Transport, not inside it."""
    rfps: Whole = 0
    """Received Fire Points that wait to be resolved."""
    exposed: bool = False
    """One of them did not come across the obstacle that it shelters behind."""
    suppressed: bool = False
    dug_in: bool = False
    """In its foxhole: Hard Cover until it moves."""
    foxhole: Point | None = None
    """Where it dug in."""
    activated: bool = False
    """By Order Point in its owner's turn."""
    locked: bool = False
    """By Hero Point in the current turn, whoever's it is."""
    acted: Whole = 0
    """The number of its owner's turn in which it last activated."""
    hit_by: list[str] = []
    """The enemy Units whose activations hit it this turn, and what else fell on it: *shells, *aircraft."""
    watching: bool = False
    """It observes and may not give orders."""
    immobilised: bool = False
    bogged: bool = False
    spent: bool = False
    """Its flame-thrower is empty."""
    sniped: bool = False
    """It has a Sniper Fire marker."""
    spotted: bool = False
    """It has a Spotted marker."""
    fights: bool = False
    """A Transport by its profile, but its Unit has nobody to carry (hof.transports.not-counted)."""
    emptied: bool = False
    """A Transport that has set down all it carried when it could not be Called to the Rear."""
    charge: str = ""
    """The structure on which it has placed a demolition charge."""

    @property
    def kind(self) -> Profile:
        """What kind of Team it is. Not kept on the Team: copies of the state would cost more."""
        return profile(self.profile) if self.base is None else sized(self.profile, *self.base)


class Unit(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True, eq=False):
    """A platoon."""

    side: Side
    teams: dict[str, Team]
    id: str = ""
    name: str = ""
    nation: Nation = "us"
    quality: Quality = "average"
    kind: Literal["", "cc", "sniper", "bunker", "riders"] = ""
    """What it is, if it is no platoon."""
    vehicles: bool = False
    """A Vehicle Unit, which has no Platoon Leader; found out by itself."""
    led: bool = False
    """It began with a Platoon Leader: write it for a Unit that has lost him."""
    recon: bool = False
    off_board: bool = False
    """Its guns stand far behind the table; only its Forward Observer takes the field."""
    starting: Whole = 0
    """Its first Teams without Small Teams and Transports; counted if it is left out."""
    shaken: bool = False
    """It has fallen below half strength, and its Break Points for that have been rolled."""
    fired: Whole = 0
    """Fires for effect so far."""
    promotion: bool = False
    """A new Platoon Leader appears without a roll."""
    reacted: bool = False
    """Its recon Teams have had their extra activation this turn, or its sniper has fired."""
    tanks: str = ""
    """For Tank Riders: the Unit whose tanks carry them."""

    @property
    def leader(self) -> Team | None:
        """Its Platoon Leader, or the Company Commander who leads it."""
        for team in self.teams.values():
            if team.role in ("pl", "cc"):
                return team
        return None


Member = tuple[Unit, Team]


class Company(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """One side. `hero_points` are what is left of its secret die, `hero_spent` those spent, which all may know.

    `turns` counts those that it has begun.
    """

    name: str = ""
    nation: Nation = "us"
    role: Literal["attacker", "defender"] = "attacker"
    units: Whole = 0
    """How many Units it began with."""
    hero_points: Whole = 0
    hero_spent: Whole = 0
    commander_point: bool = False
    """The Hero Point that its Company Commander gives is unspent."""
    order_points: Whole = 0
    turns: Whole = 0
    called_off: bool = False
    """An Order Point has gone to something else than artillery this turn: no mission may be called any more."""
    break_points: Whole = 0
    break_rolls: Whole = 0
    """How many rolls made its Break Points."""
    break_limit: Whole = 0
    handicap: Whole = 0
    reserves_arrived: Whole = 0
    reserves_checked: bool = False
    """It has made its Reserves Check this turn."""
    fieldworks: dict[Fieldwork, Whole] = {}
    """Sets of trenches and obstacles that it has still to lay."""

    @property
    def heroes(self) -> int:
        """Its Hero Points, with the one that its Company Commander gives."""
        return self.hero_points + self.commander_point


class Mission(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A fire mission: called this turn, waiting with its Range In marker, or a barrage that lies on the table."""

    unit: str
    side: Side
    observer: str
    """The Team that observes; nobody does for a registered target."""
    guns: list[str]
    phase: Literal["called", "ranging", "barrage"] = "called"
    smoke: bool = False
    point: Point | None = None
    """Where the Range In marker was placed."""
    at: Point | None = None
    """Where a barrage lies."""
    radius: float = BARRAGE_RADIUS
    rfps: Whole = 1
    registered: bool = False
    """It fires at a marker of the preliminary bombardment."""


class Smoke(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A round smoke marker, 3 inches across; it goes when its side's next turn begins."""

    at: Point
    side: Side


class Wreck(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    profile: str
    at: Point
    facing: float = 0.0


class Objective(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A place to hold. `by`: who declared it; `holder`: who controls it now."""

    at: Point
    name: str = ""
    by: str = ""
    holder: str = ""


class Bombardment(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A marker of a preliminary bombardment; it stays for the whole game."""

    side: Side
    unit: str
    at: Point
    radius: float
    rfps: Whole


class Moved(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """Where a Team stood before the activation that has just ended, and how far it moved in it."""

    start: Point
    facing: float
    inches: float


class Options(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The optional rules, each a switch, and what the players must agree on."""

    air: bool = False
    commander: bool = False
    smoke: bool = False
    engineers: bool = False
    recon: bool = False
    flame: bool = False
    form_on_me: bool = False
    interruption: bool = False
    fortifications: bool = False
    obstacles: bool = False
    national: bool = False
    follow_the_leader: bool = True
    """With `national`: Soviet Units may not split orders. The source lets 1944-45 forces waive it."""
    bombardment: bool = False
    snipers: bool = False
    riders: bool = False
    terrain: bool = False
    hidden_break_points: bool = False
    gun_or_mgs: bool = True
    """hof.firing.main-gun-or-mgs"""


Phase = Literal[
    "objectives", "fieldworks", "reserves", "bombard", "deploy", "start", "orders", "gap", "reinforce", "over"
]


class Position(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """What is written of a battle at some moment, in a set-up as in the state."""

    units: dict[str, Unit]
    companies: dict[str, Company] = {}
    attacker: Side = "red"
    edges: dict[str, Edge] = msgspec.field(default_factory=home_edges)
    """Along which edge each side's home lies."""
    phase: Phase = "objectives"
    active: Side = "red"
    """Whose turn it is; in a `gap` the other side may act."""
    round: Whole = 1
    objectives: dict[str, Objective] = {}
    missions: list[Mission] = []
    smoke: list[Smoke] = []
    wrecks: list[Wreck] = []
    bombardments: list[Bombardment] = []
    laid: list[Feature] = []
    """Trenches and obstacles that the players have laid."""
    cleared: list[str] = []
    """Obstacles that have been removed."""
    clearing: dict[str, Whole] = {}
    """Clearing Points on each obstacle."""
    moved: dict[str, Moved] = {}
    """The moves of the activation that has just ended."""


class Setup(Position, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """How a battle begins, or any moment of one."""

    table: Table
    name: str = ""
    title: str = ""
    options: Options = Options()
    terrain: list[Feature] = []
    zones: dict[str, list[Point]] = {}
    """Where each side deploys; made from the edges if it is left out."""
    rounds: Whole = 12


class State(Position, omit_defaults=True, forbid_unknown_fields=False, kw_only=True):
    """A battle at some moment, and what is kept between two questions."""

    balked: list[Side] = []
    """Who has just chosen to reveal Teams and set nobody down: not asked again until something happens."""
    chooser: Side | None = None
    """Who says which reserve Unit arrives."""
    result: Result | None = None


RANKS = Ranks[Unit, Team]()
units_of, all_teams, teams_of, find_team = RANKS.units_of, RANKS.all_teams, RANKS.teams_of, RANKS.find_team


def anybody_is(state: State, side: str, where: Where) -> bool:
    """Whether a Team of a side is in such a place."""
    for unit in state.units.values():
        if unit.side == side and where in [team.where for team in unit.teams.values()]:
            return True
    return False


def counts_for_strength(team: Team) -> bool:
    """hof.morale.who-counts: Small Teams and Transports do not count."""
    kind = team.kind
    return not kind.small and (team.fights or not kind.transport)


def is_transport(team: Team) -> bool:
    """Whether a Team is a Transport and not, like the jeeps of a recon Unit, a Vehicle that fights."""
    return team.kind.transport and not team.fights


def strength(unit: Unit) -> int:
    return strength_of(unit.teams.values())


def strength_of(teams: Iterable[Team]) -> int:
    return sum(counts_for_strength(team) for team in teams)


def is_vehicle_unit(teams: dict[str, Team]) -> bool:
    """A Unit whose fighting Teams are Vehicles; Transports of an Infantry or Gun Unit do not make it one."""
    fighting = [team.kind for team in teams.values() if not team.kind.small and not is_transport(team)]
    return bool(fighting) and all(kind.category == "vehicle" for kind in fighting)


ENCODER = msgspec.msgpack.Encoder()
SETUPS = msgspec.msgpack.Decoder(Setup)
STATES = msgspec.msgpack.Decoder(State)


def begin(setup: Setup) -> State:
    """The first state of a battle: a copy of the set-up's Units, numbered and named."""
    return STATES.decode(begun(ENCODER.encode(setup)))


@lru_cache(maxsize=64)
def begun(encoded: bytes) -> bytes:
    """How a battle with an encoded set-up begins: many are fought from the same one."""
    setup = SETUPS.decode(encoded)
    state = State(**in_common(setup, State))
    name_all(state.units)
    for unit in state.units.values():
        jeeps = bool(unit.teams) and all(team.kind.transport for team in unit.teams.values())
        for team in unit.teams.values():
            team.fights = team.fights or jeeps
            if unit.recon and "recon" not in team.traits:
                team.traits = (*team.traits, "recon")
            if unit.off_board and team.role != "fo" and not team.where:
                team.where = "off-board"
            if team.dug_in and team.foxhole is None:
                team.foxhole = team.at
        unit.vehicles = unit.vehicles or (not unit.kind and is_vehicle_unit(unit.teams))
        unit.led = unit.led or unit.leader is not None
        unit.starting = unit.starting or strength(unit)
    for side in SIDES:
        company = state.companies.setdefault(side, Company())
        mine = units_of(state, side)
        company.units = company.units or len(mine)
        company.role = "attacker" if side == setup.attacker else "defender"
        # hof.battle.break-limit, hof.optional.sniper-unit, hof.forces-parity.handicap
        counted = sum(unit.kind not in ("sniper", "riders") for unit in mine)
        company.break_limit = company.break_limit or LIMIT_BASE + LIMIT_PER_UNIT * counted - company.handicap
    return ENCODER.encode(state)
