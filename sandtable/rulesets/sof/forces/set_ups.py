"""What may be wrong with a set-up: each fault with its path, and what would be right."""

from __future__ import annotations

from sandtable.engine.toml_lines import Steps
from sandtable.field.formations import places
from sandtable.field.set_ups import (
    Base,
    Faults,
    bases_amiss,
    began_amiss,
    below,
    cited,
    facing_amiss,
    names_amiss,
    point_amiss,
    table_amiss,
    terrain_amiss,
    unknown_name,
)
from sandtable.rulesets.sof.core.arsenal import Special, weapons
from sandtable.rulesets.sof.core.board import pitch_of
from sandtable.rulesets.sof.core.state import BEFORE, SIDES, Figure, Setup, Unit
from sandtable.rulesets.sof.core.terrain import HEIGHTS, shapes
from sandtable.rulesets.sof.forces.entries import entries_amiss
from sandtable.rulesets.sof.formations import files_of
from sandtable.rulesets.sof.missions import missions
from sandtable.rulesets.sof.movement import RATES
from sandtable.rulesets.sof.turn import FORCE, SIX
from sandtable.table.shapes import Place, snap

RATINGS = "sof.units.ratings"
ONE_WEAPON = ("sof.units.type-weapon", "sof.units.models-in-units")

NOT_HERE_YET: tuple[Special, ...] = ("added-crew",)
"""Weapons with these are in the charts, and what these do is not written yet: no set-up may have them."""


LINEAR = "sof.formations.linear-must-have-alignment"
PATROL_TABLE = (48.0, 48.0)
PATROL_POINTS = 800
"""sof.patrol-mode.table, sof.patrol-mode.points"""


def faults(setup: Setup) -> Faults:
    yield from table_amiss(setup.table)
    yield from terrain_amiss(setup.terrain, shapes(), setup.table)
    for number, feature in enumerate(setup.terrain):
        if feature.height not in HEIGHTS:
            known = ", ".join(f"{height:g}" for height in HEIGHTS if height > 0)
            yield ("terrain", number, "height"), f"{feature.height:g} is no height: {known}, or leave it out"
    yield from names_amiss(setup.units)
    for unit_id, unit in setup.units.items():
        yield from unit_amiss(setup, ("units", unit_id), unit)
    yield from bases_amiss(list(standing(setup)), setup.table)
    for name, objective in setup.objectives.items():
        yield from point_amiss(("objectives", name, "at"), objective.at, setup.table)
    for name, group in setup.battlegroups.items():
        yield from below(("battlegroups", name), group, ("base", "lost", "recon"))
        for index, die in enumerate(group.dice):
            if not 0 <= die <= 6:
                yield ("battlegroups", name, "dice", index), f"{die} is on no die: 0 to 6"
    for side, force in setup.force_dice.items():
        if any(not 0 <= die <= SIX for die in (*force.dice, *force.spent)):
            yield ("force_dice", side), "a die shows 0 to 6"
    if FORCE in setup.battlegroups:
        yield ("battlegroups", FORCE), f"{FORCE!r} are the dice of a force as a whole: give it another name"
    yield from entries_amiss(setup)
    yield from battlegroups_amiss(setup)
    yield from phase_amiss(setup)
    yield from mission_amiss(setup)
    yield from ambushes_amiss(setup)


def unit_amiss(setup: Setup, steps: Steps, unit: Unit) -> Faults:
    for figure_id, figure in unit.teams.items():
        yield from figure_amiss((*steps, "teams", figure_id), unit, figure)
    yield from below(steps, unit, ("suppression", "starting", "points", "recon"))
    for rating in ("rally", "aggression", "tenacity"):
        if not 2 <= getattr(unit, rating) <= 6:
            yield (*steps, rating), f"a rating is a number from 2 to 6 ({RATINGS})"
    yield from began_amiss((*steps, "starting"), unit.starting, len(unit.teams), "figures")
    if unit.type not in RATES:
        yield (*steps, "type"), f"{unit.type} units are not here yet (sof.units.five-types)"
    heavy = [name for name, figure in unit.teams.items() if is_heavy(figure.profile)]
    if unit.type == "weapon" and len(heavy) != 1:
        words = f"a weapon unit is one heavy weapon with its crew, here are {len(heavy)}"
        yield (*steps, "teams"), f"{words} ({', '.join(ONE_WEAPON)})"
    if unit.type != "weapon" and heavy:
        rule = "sof.units.type-infantry" if unit.type == "infantry" else "sof.units.type-mounted"
        yield (*steps, "teams", heavy[0], "profile"), f"a heavy weapon is a unit of its own, of type weapon ({rule})"
    if unit.formation not in unit.formations:
        yield (*steps, "formation"), f"it may adopt {', '.join(unit.formations)}: give one of these, or allow another"
    if unit.type == "weapon" and unit.formation != "loose":
        yield (*steps, "formation"), "a weapon unit is always in loose order"
    if unit.formation == "linear":
        if not (unit.reserve or setup.phase in BEFORE):
            yield from ranks_amiss(steps, unit)
    elif unit.pose is not None or unit.alignment:
        yield (*steps, "pose"), "only a unit in linear order has a pose and an alignment"
    if unit.belongs == "support":
        if unit.battlegroup:
            yield (*steps, "battlegroup"), "a support unit belongs to no battlegroup: leave it out"
    else:
        yield from unknown_name((*steps, "battlegroup"), unit.battlegroup, setup.battlegroups, "battlegroup")
        group = setup.battlegroups.get(unit.battlegroup)
        if group is not None and group.side != unit.side:
            yield (*steps, "battlegroup"), f"{unit.battlegroup} is {group.side}'s"


def is_heavy(profile: str) -> bool:
    """Whether a weapon is of the chart of a nation, which lists those that need a crew, and no infantry weapon."""
    return "." in profile and profile in weapons()


def ranks_amiss(steps: Steps, unit: Unit) -> Faults:
    if not unit.alignment:
        words = "a unit in linear order has one: line, column or march-column"
        yield (*steps, "alignment"), f"{words} ({LINEAR})"
        return
    if unit.pose is None:
        yield (*steps, "pose"), "a unit in linear order has one: { at = [x, y], facing = 0, files = 5 }"
        return
    yield from facing_amiss((*steps, "pose", "facing"), unit.pose.facing)
    allowed = files_of(unit, unit.alignment, len(unit.teams))
    if unit.pose.files not in allowed:
        wanted = f"{', '.join(map(str, allowed))} abreast" if allowed else "ten figures at least"
        yield (*steps, "pose", "files"), f"a {unit.alignment} of {len(unit.teams)} figures needs {wanted}"
    if len({figure.kind.base for figure in unit.teams.values() if figure.profile in weapons()}) > 1:
        yield (*steps, "teams"), "figures in ranks stand on bases of one size"
    spots = places(unit.pose, len(unit.teams), pitch_of(unit))
    for (figure_id, figure), (x, y) in zip(unit.teams.items(), spots, strict=True):
        if figure.at is not None and figure.at != (snap(x), snap(y)):
            words = "its place follows from the pose of its unit: leave `at` out"
            yield (*steps, "teams", figure_id, "at"), words


def figure_amiss(steps: Steps, unit: Unit, figure: Figure) -> Faults:
    yield from unknown_name((*steps, "profile"), figure.profile, weapons(), "profile")
    for index, name in enumerate(figure.arms):
        yield from unknown_name((*steps, "arms", index), name, weapons(), "weapon")
    for name in (figure.profile, *figure.arms):
        weapon = weapons().get(name)
        missing = [] if weapon is None else [each for each in weapon.main.special if each in NOT_HERE_YET]
        if missing:
            yield (*steps, "profile"), f"{name} cannot be used yet: {', '.join(missing)}"
    yield from facing_amiss((*steps, "facing"), figure.facing)
    yield from below(steps, figure, ("wounds", "permanent"))
    if figure.profile in weapons() and figure.worth < 1:
        yield (*steps, "permanent"), "so many permanent wounds put it out of action: leave it out"
    if figure.men > 1 and (figure.character or figure.mounted or unit.formation == "linear"):
        yield (*steps, "men"), "leaders, riders and men in ranks have bases of their own: leave it out"
    if figure.mounted != (unit.type == "mounted"):
        yield (*steps, "mounted"), "the figures of a mounted unit are mounted, and no others (sof.units.type-mounted)"


def standing(setup: Setup) -> list[Base]:
    """Every figure that has a place, of its own or by its unit's pose."""
    found = []
    for unit_id, unit in setup.units.items():
        known = {key: each for key, each in unit.teams.items() if each.profile in weapons()}
        spots = {key: each.at for key, each in known.items() if each.at is not None}
        ranks = unit.pose is not None and unit.pose.files > 0 and len(known) == len(unit.teams)
        if unit.pose is not None and ranks:
            spots = dict(zip(known, places(unit.pose, len(known), pitch_of(unit)), strict=True))
        for key, at in spots.items():
            where = ("units", unit_id, "pose") if ranks else ("units", unit_id, "teams", key)
            found.append(Base(where, key, known[key].kind.base, Place(*at, known[key].facing)))
    return found


def battlegroups_amiss(setup: Setup) -> Faults:
    for side in SIDES:
        groups = [name for name, group in setup.battlegroups.items() if group.side == side]
        if not groups:
            yield ("battlegroups",), f"{side} has no battlegroup: give it one"
        if sum(setup.battlegroups[name].core for name in groups) > 1:
            yield ("battlegroups",), f"{side} has several core battlegroups: one is enough"
        for name in groups:
            officers = [
                figure
                for unit in setup.units.values()
                if unit.battlegroup == name
                for figure in unit.teams.values()
                if figure.role == "officer"
            ]
            if len(officers) > 1:
                yield ("battlegroups", name), "it has one officer who commands it, not several"


def phase_amiss(setup: Setup) -> Faults:
    yield from below((), setup, ("turn", "turns"), 1)
    if setup.turn > setup.turns + 1:
        yield ("turn",), f"the battle ends in the Start Phase of turn {setup.turns + 1}"
    if not 0 <= setup.number <= 6:
        yield ("number",), "an activation phase is 6 to 0"
    if setup.baselines.red == setup.baselines.blue:
        yield ("baselines",), "both sides have the same baseline: give each its own"
    if setup.phase == "activate" and not setup.initiative:
        yield ("initiative",), 'in the activation phases a side has the initiative: "red" or "blue"'
    for side, name in setup.overrides.items():
        group = setup.battlegroups.get(name)
        if name != FORCE and (group is None or group.side != side):
            yield ("overrides", side), f"{name!r} is no battlegroup of {side}"
    for side in setup.opening:
        if side not in setup.overrides:
            yield ("opening",), f"{side} has set no Command Override aside"
    for unit_id, unit in setup.units.items():
        waits = bool(unit.reserve) or setup.phase in BEFORE
        for figure_id, figure in unit.teams.items():
            steps = ("units", unit_id, "teams", figure_id, "at")
            if figure.at is None and unit.pose is None and not waits:
                yield steps, "this figure has no place: give `at`"
            if unit.reserve and (figure.at is not None or unit.pose is not None):
                yield steps, "its unit is in reserve, off the table: leave its place out"


def mission_amiss(setup: Setup) -> Faults:
    """A battle that follows a mission has its table and its turns; one that follows none begins with its first turn."""
    mission = missions().get(setup.mission)
    if mission is None:
        if setup.phase in BEFORE:
            yield ("phase",), f'{setup.phase} is a step of a mission: name one, or begin with phase = "start"'
        return
    if setup.turns != mission.turns:
        yield ("turns",), f"{mission.title} has {mission.turns} whole turns ({mission.rules['duration']})"
    if setup.counts != "objectives":
        yield ("counts",), f"{mission.title} is decided by objectives ({mission.rules['victory']})"
    if mission.small:
        if (setup.table.width, setup.table.depth) != PATROL_TABLE:
            yield ("table",), cited("Patrol Mode is played on a table of 48 by 48 inches", "sof.patrol-mode.table")
        for side in SIDES:
            points = sum(unit.points for unit in setup.units.values() if unit.side == side)
            if points > PATROL_POINTS:
                words = f"{side} has {points} points: Patrol Mode is played with 600, or 800 if both agree"
                yield ("units",), cited(words, "sof.patrol-mode.points")


def ambushes_amiss(setup: Setup) -> Faults:
    """sof.mission-special.ambush-deploy: whoever lies in ambush lies in a terrain piece."""
    pieces = {feature.id for feature in setup.terrain}
    for unit_id, unit in setup.units.items():
        if unit.ambush:
            yield from unknown_name(("units", unit_id, "ambush"), unit.ambush, pieces, "terrain piece")
