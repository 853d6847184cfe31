"""Before the dice of a Move order: what is rolled, and how likely its Teams come where they are sent.

The twin of `move_orders.set_lengths` that throws nothing. Who is told of it knows as much: whoever watches stands on
the table.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from sandtable.engine.cards import Preview, PreviewLine, Reason
from sandtable.engine.chance import Chances, added, shown, sure
from sandtable.engine.events import inches, several
from sandtable.engine.questions import Step
from sandtable.field.gambles import arriving, checks, foretold
from sandtable.rulesets.hof.core.acts import Activation
from sandtable.rulesets.hof.core.board import Battle, board
from sandtable.rulesets.hof.core.checks import NEEDED
from sandtable.rulesets.hof.core.odds import passes
from sandtable.rulesets.hof.core.state import Member
from sandtable.rulesets.hof.moving.courses import (
    HAZARDS,
    INTERRUPTIONS,
    Course,
    ahead,
    course_of,
    over_rough_ground,
    paths_of,
    rolled_again,
    terrain_check,
    terrain_checks_due,
)
from sandtable.rulesets.hof.moving.distance import inches_of, road_bonus, watched_ways
from sandtable.rulesets.hof.moving.legality import DICE, FAST, type_of_kind
from sandtable.rulesets.hof.terrain import terrain_crossing
from sandtable.table import distance as measure
from sandtable.table import moves
from sandtable.table.hairs import NOTHING

THERE = 0.05
"""Whoever stops so few inches short is where he was sent."""

KEEPS_GOING = 5 / 6
"""hof.special-rules.unreliable: the die that follows a 1 must not show another."""


def gamble(game: Battle, act: Activation, members: Iterable[Member], steps: dict[str, Step]) -> Preview | None:
    """What the Teams of an order risk by these steps; None if none of them goes anywhere."""
    courses = [course_of(unit, team, steps[team.id]) for unit, team in members if team.id in steps]
    courses = [course for course in courses if not measure.negligible(course.whole)]
    if not courses:
        return None
    ground = board(game).ground
    paths = paths_of(courses)
    rough = moves.ways_crossed(ground.terrain, ground.table.numbers(ground.table.rough), paths)
    most = [inches_of(game, course, None, hard)[0] for course, hard in zip(courses, rough, strict=True)]
    watched = watched_ways(game, act.side, courses, paths, most)
    rolling: dict[str, list[tuple[Course, bool]]] = defaultdict(list)
    come: list[Chances[int]] = []
    unseen: list[float] = []
    due: dict[int, list[Course]] = defaultdict(list)
    for course, hard, far, seen in zip(courses, rough, most, watched, strict=True):
        for number in checks_due(game, course, hard):
            due[number].append(course)
        if seen:
            rolling[type_of_kind(course.team.kind)].append((course, hard))
        else:
            unseen.append(0.0 if short(far, course) else passing(game, course, hard))
    lines: list[PreviewLine] = []
    for kind, group in rolling.items():
        lines.append(roll_line(game, act, kind, [course for course, _ in group]))
        come.append(by_roll(game, act, kind, group))
    if unseen:
        come.append(arriving(unseen))
        far = max(reach for reach, seen in zip(most, watched, strict=True) if not seen)
        words = f"{several(len(unseen), 'Team')} out of the enemy's sight: up to {inches(far)}, no roll."
        lines.append(PreviewLine(words, rule="hof.moving.unseen-maximum"))
    lines += [check_line(game, number, group) for number, group in due.items()]
    return foretold(lines, added(come), len(courses), assumed(game, act, courses, bool(rolling)))


def short(far: float, course: Course) -> bool:
    """Whether so many inches do not bring a Team where it is sent; by a hair's breadth it is there."""
    return far < course.whole - THERE


def by_roll(game: Battle, act: Activation, kind: str, group: list[tuple[Course, bool]]) -> Chances[int]:
    """How many Teams of one type arrive by the one roll that they share (hof.moving.roll-once-per-type)."""
    thrown = act.rolls.get(kind)
    values = shown(DICE[kind]) if thrown is None else sure(tuple(thrown.values))

    def chance(course: Course, hard: bool, dice: tuple[int, ...]) -> float:
        if short(inches_of(game, course, dice, hard)[0], course):
            return 0.0
        keeps = KEEPS_GOING ** dice.count(1) if "unreliable" in course.team.kind.keywords else 1.0
        return keeps * passing(game, course, hard)

    return values.then(lambda dice: arriving(chance(course, hard, dice) for course, hard in group))


def checks_due(game: Battle, course: Course, hard: bool) -> list[int]:
    """The ground for which a Vehicle checks before it is where it is sent."""
    if not hard or not course.team.kind.vehicle:
        return []
    crossings = terrain_crossing.crossings(board(game).ground, course.path, "rough")
    due = terrain_checks_due(game, course, crossings)
    return [hazard.number for hazard in due if measure.nearer(hazard.at, course.whole, NOTHING)]


def passing(game: Battle, course: Course, hard: bool) -> float:
    """How likely a Team is to pass all Terrain Checks on its way."""
    return check_chance(course) ** len(checks_due(game, course, hard))


def check_chance(course: Course) -> float:
    failed, passed = rolled_again(course.team)
    return passes(course.unit.quality, second_chance=bool(failed), overloaded=bool(passed))


def gets_there(game: Battle, course: Course) -> float | None:
    """How likely a Team is to come to the end of its course: see `courses.cross_ground`.

    None if anything else than rough ground lies on its way.
    """
    hazards = [hazard for _, hazard in ahead(game, course, over_rough_ground(game, course))]
    if any(hazard.meet is not terrain_check for hazard in hazards):
        return None
    return check_chance(course) ** len(hazards)


# In words.


def roll_line(game: Battle, act: Activation, kind: str, courses: list[Course]) -> PreviewLine:
    thrown = act.rolls.get(kind)
    farthest = max(courses, key=lambda course: course.whole)
    who = several(len(courses), f"{kind} Team") if kind != "vehicle" else several(len(courses), "Vehicle")
    roll = f"{DICE[kind]}d6 inches" if thrown is None else f"{DICE[kind]}d6, rolled already: {sum(thrown.values)}"
    once = "one roll for all" if len(courses) > 1 and thrown is None else ""
    words = ", ".join(filter(None, [f"{who} in the enemy's sight: {roll}", once]))
    far = inches(round(farthest.whole, 1))
    goes = f"The farthest goes {far}." if len(courses) > 1 else f"It goes {far}."
    return PreviewLine(f"{words}. {goes}", reasons=tuple(reasons(game, farthest)), rule="hof.moving.rolled-distance")


def reasons(game: Battle, course: Course) -> Iterable[Reason]:
    """What its dice are added to, or lose."""
    keywords = course.team.kind.keywords
    if "fast" in keywords:
        yield Reason(round(FAST), "hof.special-rules.fast", "Fast")
    if "slow" in keywords:
        yield Reason(0, "hof.special-rules.slow", "Slow: the lowest die does not count")
    bonus, rule = road_bonus(board(game), course)
    if rule:
        yield Reason(round(bonus), rule, "on roads all the way")
    dropped = inches_of(game, course)[1]
    if dropped:
        yield Reason(0, dropped, "rough ground: one die less")
    if "unreliable" in keywords:
        yield Reason(0, "hof.special-rules.unreliable", "Unreliable: a 1 may break it down")


def check_line(game: Battle, number: int, courses: list[Course]) -> PreviewLine:
    ground = board(game).ground
    bogs = game.setup.options.terrain and ground.table.kinds[number].going == "very-difficult"
    fails = "is Bogged there" if bogs else "stops there"
    rule = "hof.optional.terrain-x-very-difficult" if bogs else "hof.moving.terrain-check-failed"
    what = f"{several(len(courses), 'Terrain Check')} for {ground.terrain.features[number].spoken}"
    return checks(what, len(courses), check_chance(courses[0]), fails, needs=NEEDED, rule=rule)


def assumed(game: Battle, act: Activation, courses: list[Course], rolls: bool) -> list[str]:
    """What is taken for granted."""
    found = []
    if rolls and act.leader is not None and not act.ability:
        found.append("No Leader brings anybody up.")
    if rolls and game.setup.options.interruption and INTERRUPTIONS and any(each.team.kind.vehicle for each in courses):
        found.append("Nobody fires at a Vehicle on its way.")
    if any(others(game, course) for others in HAZARDS for course in courses):
        found.append("Obstacles on the way are not counted.")
    return found
