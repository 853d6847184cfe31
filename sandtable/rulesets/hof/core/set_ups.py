"""What may be wrong with a set-up: each fault with its path, and what would be right."""

from __future__ import annotations

from sandtable.engine.questions import names
from sandtable.engine.toml_lines import Steps
from sandtable.field.set_ups import (
    Faults,
    below,
    engagement_amiss,
    has_floor,
    laid_amiss,
    point_amiss,
    terrain_amiss,
    unknown_name,
    unknown_names,
)
from sandtable.field.zones import edges_amiss
from sandtable.rulesets.hof.core.arsenal import profiles
from sandtable.rulesets.hof.core.riding import rides_inside
from sandtable.rulesets.hof.core.state import (
    FIELDWORKS,
    HERO_DIE,
    SIDES,
    Mission,
    Setup,
    Team,
    Unit,
    strength,
    units_of,
)
from sandtable.rulesets.hof.core.terrain import shapes

STRAY = 22.0
"""Shells deviate by up to 10 inches (hof.artillery.deviation), and smoke lies about where they fall: both may end up
off the table, but not farther off than this."""

UNDER_WAY = ("start", "orders", "gap", "reinforce")
UNSET = ("objectives", "fieldworks", "reserves", "bombard")
"""Phases in which the battle is fought, and those before anybody is deployed."""

ROLES = {"leader": "pl", "observer": "fo", "commander": "cc", "sniper": "sniper"}
"""Profiles that are one role and nothing else."""


def faults(setup: Setup) -> Faults:
    now = {side: len(units_of(setup, side)) for side in SIDES}
    yield from engagement_amiss(setup, shapes(), profiles(), "units", now)
    yield from edges_amiss(setup.edges)
    laid: dict[str, str] = {kind: shapes()[kind] for kind in FIELDWORKS}
    yield from terrain_amiss(setup.laid, laid, setup.table, "laid", setup.terrain)
    for unit_id, unit in setup.units.items():
        yield from unit_amiss(setup, ("units", unit_id), unit)
    yield from phase_amiss(setup)
    yield from points_amiss(setup)
    for index, mission in enumerate(setup.missions):
        yield from mission_amiss(setup, ("missions", index), mission)
    yield from things_amiss(setup)


# Units and Teams.


def unit_amiss(setup: Setup, steps: Steps, unit: Unit) -> Faults:
    known = all(team.profile in profiles() for team in unit.teams.values())
    for team_id, team in unit.teams.items():
        yield from team_amiss(setup, (*steps, "teams", team_id), unit, team)
    yield from below(steps, unit, ("starting", "fired"))
    if known:
        now = strength(unit)
        if 0 < unit.starting < now:
            words = f"it began with no fewer than it has now, {now} without Small Teams and Transports"
            yield (*steps, "starting"), f"{words}: give more, or leave it out"
        yield from loads_amiss(steps, unit)
    if sum(team.role in ("pl", "cc") for team in unit.teams.values()) > 1:
        yield (*steps, "teams"), "a Unit has one Leader"
    if unit.tanks:
        own = [key for key, each in setup.units.items() if each.side == unit.side and each is not unit]
        yield from unknown_name((*steps, "tanks"), unit.tanks, own, "Unit of its side")


def team_amiss(setup: Setup, steps: Steps, unit: Unit, team: Team) -> Faults:
    yield from below(steps, team, ("rfps", "acted", "level"))
    if team.exposed and not team.rfps:
        yield (*steps, "exposed"), "only Received Fire Points are exposed: give `rfps`, or leave it out"
    role = ROLES.get(team.profile)
    if role is not None and team.role != role:
        yield (*steps, "role"), f'a Team of the profile {team.profile!r} has role = "{role}"'
    if team.at is not None and team.where:
        yield (*steps, "where"), f"a Team that is {team.where} has no place on the table: leave out `at` or `where`"
    if team.at is not None and unit.off_board and team.role != "fo":
        yield (*steps, "at"), "its Unit fights from off the table (off_board): only a Forward Observer has a place"
    if team.level and team.at is not None and not has_floor(setup.terrain, team.at, team.level):
        yield (*steps, "level"), f"there is no building with {team.level + 1} `levels` here"
    if team.charge:
        bunkers = [
            name for each in setup.units.values() for name, other in each.teams.items() if other.role == "bunker"
        ]
        structures = [*(each.id for each in (*setup.terrain, *setup.laid)), *bunkers]
        yield from unknown_name((*steps, "charge"), team.charge, structures, "structure")
    yield from point_amiss((*steps, "foxhole"), team.foxhole, setup.table)
    if team.profile in profiles():
        yield from carrier_amiss(setup, steps, unit, team)


def carrier_amiss(setup: Setup, steps: Steps, unit: Unit, team: Team) -> Faults:
    """Whoever is aboard names a Transport of his own Unit; Riders name a tank that carries them."""
    if team.where == "aboard" and not team.carrier:
        yield (*steps, "carrier"), "say aboard which Transport of its Unit it is"
    if not team.carrier:
        return
    if team.role == "rider":
        tanks = setup.units[unit.tanks].teams if unit.tanks in setup.units else {}
        yield from unknown_name((*steps, "carrier"), team.carrier, tanks, "tank that carries its Unit")
        return
    carrier = unit.teams.get(team.carrier)
    rides = [name for name, each in unit.teams.items() if each.profile in profiles() and each.kind.transport]
    if carrier is None:
        yield from unknown_name((*steps, "carrier"), team.carrier, rides, "Transport in its Unit")
    elif team.carrier not in rides:
        yield (*steps, "carrier"), f"{team.carrier} carries nobody: name a Transport of its Unit"
    elif team.kind.vehicle:
        yield (*steps, "carrier"), "a Vehicle is not carried (hof.transports.capacity)"
    if team.at is not None:
        yield (*steps, "carrier"), "it stands on the table: leave out `at` or `carrier`"


def loads_amiss(steps: Steps, unit: Unit) -> Faults:
    """hof.transports.capacity: so many ride inside, and one Gun is towed."""
    for name, transport in unit.teams.items():
        aboard = [team for team in unit.teams.values() if team.carrier == name and team.where == "aboard"]
        inside = [team for team in aboard if not team.kind.vehicle and rides_inside(team)]
        if transport.kind.transport and len(inside) > transport.kind.carries:
            room = f"{transport.kind.name} carries {transport.kind.carries} (hof.transports.capacity)"
            yield (*steps, "teams", name), f"{len(inside)} Teams are in it: {room}"
        if sum(not rides_inside(team) for team in aboard) > 1:
            yield (*steps, "teams", name), "it tows one Gun at most (hof.transports.capacity)"


def phase_amiss(setup: Setup) -> Faults:
    """Before a battle nobody stands on the table; once it is under way, everybody is somewhere."""
    if setup.phase == "over":
        yield ("phase",), 'a battle that is over cannot be set up: give phase = "orders", or "start" before a turn'
    stands = [name for unit in setup.units.values() for name, team in unit.teams.items() if team.at is not None]
    if setup.phase in UNSET and stands:
        words = (
            f'{names(stands, most=3)}: already on the table, but in the phase "{setup.phase}" nobody is deployed yet'
        )
        yield ("phase",), f'{words}: give phase = "orders" in the midst of a turn, or "start" before one'
    for unit_id, unit in setup.units.items():
        for team_id, team in unit.teams.items():
            lost = team.at is None and not team.where and not team.carrier and not unit.off_board
            if setup.phase in UNDER_WAY and lost:
                words = "this Team is neither on the table nor anywhere else: give `at` or `where`"
                yield ("units", unit_id, "teams", team_id, "at"), words


def points_amiss(setup: Setup) -> Faults:
    """Hero Points that no die gives, and sets of fieldworks that are fewer than none."""
    for side, company in setup.companies.items():
        steps: Steps = ("companies", side)
        for field in ("hero_points", "hero_spent"):
            if getattr(company, field) > HERO_DIE:
                yield (*steps, field), f"a Hero Die gives {HERO_DIE} at most (hof.orders.hero-start-roll)"
        for kind, sets in company.fieldworks.items():
            if sets < 0:
                yield (*steps, "fieldworks", kind), "give a number of sets from 0 on"


# What lies on the table.


def mission_amiss(setup: Setup, steps: Steps, mission: Mission) -> Faults:
    """A mission has a Unit with guns, an observer of its side, and once it is placed a point."""
    own = {name: unit for name, unit in setup.units.items() if unit.side == mission.side}
    yield from unknown_name((*steps, "unit"), mission.unit, own, f"Unit of {mission.side}")
    enemies = [team_id for name, unit in setup.units.items() if name not in own for team_id in unit.teams]
    if mission.observer in enemies:
        # One that is nobody's has been lost since the call.
        yield (*steps, "observer"), f"{mission.observer} is an enemy: name a Team of {mission.side}"
    if not mission.guns:
        yield (*steps, "guns"), f"a mission has at least one gun: name those of {mission.unit} that fire"
    if mission.unit in own:
        yield from guns_amiss((*steps, "guns"), mission, own[mission.unit])
    for name, needed, stray in (("point", mission.phase == "ranging", 0.0), ("at", mission.phase == "barrage", STRAY)):
        place = getattr(mission, name)
        yield from point_amiss((*steps, name), place, setup.table, stray)
        if needed and place is None:
            yield (*steps, name), f'a mission in the phase "{mission.phase}" has a place on the table: give `{name}`'
    yield from below(steps, mission, ("rfps", "radius"))


def guns_amiss(steps: Steps, mission: Mission, unit: Unit) -> Faults:
    """Every gun is a Team of the Unit, or one that it has lost: then its `starting` says that there were more."""
    missing = [number for number, gun in enumerate(mission.guns) if gun not in unit.teams]
    known = all(team.profile in profiles() for team in unit.teams.values())
    if known and len(missing) > max(0, unit.starting - strength(unit)):
        guns = [name for name, team in unit.teams.items() if team.kind.artillery or team.kind.mortar]
        yield from unknown_name((*steps, missing[0]), mission.guns[missing[0]], guns, f"gun of {mission.unit}")


def things_amiss(setup: Setup) -> Faults:
    """Objectives, smoke, wrecks, bombardments, and what is noted of Teams and obstacles by name."""
    features = [feature.id for feature in (*setup.terrain, *setup.laid)]
    teams = [team_id for unit in setup.units.values() for team_id in unit.teams]
    for name, objective in setup.objectives.items():
        if objective.by:
            yield from unknown_name(("objectives", name, "by"), objective.by, SIDES, "side")
    yield from laid_amiss("smoke", setup.smoke, setup.table, stray=STRAY)
    yield from laid_amiss("wrecks", setup.wrecks, setup.table)
    for index, wreck in enumerate(setup.wrecks):
        yield from unknown_name(("wrecks", index, "profile"), wreck.profile, profiles(), "profile")
    yield from laid_amiss("bombardments", setup.bombardments, setup.table, ("rfps", "radius"), STRAY)
    yield from unknown_names("cleared", setup.cleared, features, "piece of terrain")
    yield from unknown_names("clearing", setup.clearing, features, "piece of terrain")
    yield from unknown_names("moved", setup.moved, teams, "Team")
