"""The courses of Teams on the move: what befalls them on the way, where they end, and who stands in whose way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from sandtable.engine.events import LAPSED
from sandtable.engine.game import Flow
from sandtable.engine.questions import Step
from sandtable.field import courses as ends
from sandtable.field.moments import Moment
from sandtable.rulesets.hof.core.acts import Activation, Losses, alive
from sandtable.rulesets.hof.core.board import Battle, Board, Side, arrive, board, place
from sandtable.rulesets.hof.core.checks import check
from sandtable.rulesets.hof.core.ground import Rows
from sandtable.rulesets.hof.core.labels import team_label, team_list
from sandtable.rulesets.hof.core.state import Member, Point, Team, Unit
from sandtable.rulesets.hof.core.terrain import Kind
from sandtable.rulesets.hof.moving.legality import PIVOTS, refuse_contact
from sandtable.rulesets.hof.terrain import terrain_crossing
from sandtable.table import distance as measure
from sandtable.table import moves
from sandtable.table.hairs import A_HAIR, CONTACT, NOTHING
from sandtable.table.shapes import bearing, face, snap

TURNED = 1e-4
"""So little beyond a corner of its path a Team is on the next leg."""

SHORT_OF_CONTACT = 0.5
"""How far from the enemy a Team stops that may not touch him."""


@dataclass(slots=True)
class Course(ends.Course[Unit, Team]):
    """The way of one Team. `whole` is how long its path is, of which its dice may allow it a part."""

    whole: float = 0.0
    rolled: bool = False
    bonus: tuple[float, str] | None = None
    """What the road adds, and by which rule, once somebody has asked."""
    met: tuple[str, ...] = ()
    """The terrain and obstacles that the Team has come to, where its move is carried out in parts."""
    rules: list[str] = field(default_factory=list)

    def faces(self, at: float | None = None) -> float:
        """How a Team faces where its course ends, or after so many inches of it.

        A Vehicle that is stopped on its way faces as it drives there; others as was declared.
        """
        team = self.team
        length = self.length if at is None else at
        if measure.negligible(self.whole) or not team.kind.vehicle:
            return team.facing if self.facing is None else self.facing
        if measure.negligible(length):
            return team.facing
        if self.facing is not None and len(self.path) == 2:
            return self.facing
        leg = ends.leg_at(self.path, length)
        if self.facing is not None and (
            measure.within(self.whole, PIVOTS, A_HAIR) or leg == ends.leg_at(self.path, self.whole)
        ):
            return self.facing
        return round(bearing(*leg[0], *leg[1]), 1) % 360.0

    def halt(self, here: Board, crossing: moves.Span) -> float:
        """How far the Team comes that stops in contact with ground which its centre would cross.

        A Vehicle that only touches it when it has turned at a corner stops there, turned.
        """
        row = here.rows[here.index[self.team.id]].copy()
        face(row, self.faces(crossing.enter))
        at = terrain_crossing.halt_before(here.ground, row, self.path, crossing)
        corner = ends.leg_begins(self.path, crossing.enter)
        if at > corner or not corner or not self.team.kind.vehicle:
            return at
        return min(corner + TURNED, crossing.enter)

    def stand_at(self, spot: Point) -> None:
        """A base stood even where it came from: it ends on the nearest free spot, and faces as it did."""
        self.path, self.facing = [spot, spot], None


def course_of(unit: Unit, team: Team, step: Step) -> Course:
    path = ends.way_of(team, step)
    return Course(unit, team, path, 0.0, step.facing, whole=ends.length_of(path))


def passed(course: Course) -> list[list[float]]:
    """The corners of its path that a Team has passed."""
    return [list(corner) for corner in ends.corners_passed(course.path, course.length)]


def leave_place(team: Team) -> None:
    """hof.battle.dug-in, hof.optional.recon-spotted-effect: what a Team loses by moving, as soon as it is under way."""
    team.dug_in = False
    team.spotted = False


# Where they end.


def settle(game: Battle, act: Activation, courses: list[Course], paths: moves.Paths) -> list[Member]:
    """Bring Teams to the ends of their courses, without standing on anybody. Those who end in contact with an enemy."""
    if not courses or arrive_freely(game, act.side, courses, paths):
        return []
    here = board(game)
    enemies = here.enemies(act.side)
    theirs = here.rows.take(enemies.rows, axis=0)
    if enemies.teams:
        ends.stop_at_enemies(here, courses, theirs)
    untangle(here, courses)
    attackers: list[Course] = []
    if enemies.teams:
        attackers = bar_attackers(game, act, courses, ends.ending_in_contact(here, courses, theirs), theirs)
        attackers = bar_blind(game, act, courses, attackers, enemies)
    for course in courses:
        place(game, course.team, *course.end, course.faces())
    return [(course.unit, course.team) for course in attackers]


def paths_of(courses: list[Course]) -> moves.Paths:
    return moves.together([course.path for course in courses])


def arrive_freely(game: Battle, side: str, courses: list[Course], paths: moves.Paths) -> bool:
    """Bring Teams to the ends of their courses if nothing at all is in their way. False if they must be looked at."""
    poses = []
    for course in courses:
        length = course.length
        x, y = course.path[-1] if length == course.whole else course.end
        poses.append((course.team, x, y, course.faces(), length))
    return arrive(game, side, poses, paths)


def bar_attackers(
    game: Battle, act: Activation, courses: list[Course], attackers: list[Course], theirs: Rows
) -> list[Course]:
    """Whoever may not be in contact with the enemy after all stops short of it."""
    here = board(game)
    kept: list[Course] = []
    for course in attackers:
        trial = [*kept, course]
        reached = np.array([each.row(here) for each in trial])
        refusal = refuse_contact(here, act.side, [each.team for each in trial], reached, act.leader)
        if refusal is None:
            kept = trial
            continue
        text = f"{team_label(course.unit, course.team)} stops short of contact: {refusal.message}"
        rule = refusal.rule or "hof.assaults.initiate"
        game.tell("no-assault", text, rule, seat=act.side, team=course.team.id, **LAPSED)
        stop_short(here, courses, [course], theirs)
    return kept


def bar_blind(
    game: Battle, act: Activation, courses: list[Course], attackers: list[Course], enemies: Side
) -> list[Course]:
    """hof.assaults.one-with-los: whoever goes for an enemy that no unsuppressed attacker sees stops short of it.

    One that stops is no attacker, and his eyes serve nobody any more.
    """
    here = board(game)
    theirs = here.rows.take(enemies.rows, axis=0)
    while attackers:
        reached = np.array([course.row(here) for course in attackers])
        touching = measure.within(measure.distances(reached, theirs), CONTACT)
        eyes = [course.team for course in attackers if not course.team.suppressed]
        seen = here.sees(eyes, enemies.teams).any(axis=0) if eyes else np.zeros(len(theirs), dtype=np.bool_)
        lost: list[bool] = np.any(touching & ~seen, axis=1).tolist()
        blind = [course for course, stops in zip(attackers, lost, strict=True) if stops]
        if not blind:
            break
        names = team_list([(course.unit, course.team) for course in blind])
        text = f"{names}: no unsuppressed Team of the assault sees the enemy. They stop short of contact."
        teams = [course.team.id for course in blind]
        rule = "hof.assaults.one-with-los"
        game.tell("no-assault", text, rule, seat=act.side, unit=act.unit.id, teams=teams, **LAPSED)
        stop_short(here, courses, blind, theirs)
        attackers = [course for course, stops in zip(attackers, lost, strict=True) if not stops]
    return attackers


def stop_short(here: Board, courses: list[Course], stopped: list[Course], theirs: Rows) -> None:
    """Teams that were to end in contact with an enemy stop before it."""
    ends.stop_short(here, stopped, theirs, SHORT_OF_CONTACT)
    untangle(here, courses)


def untangle(here: Board, courses: list[Course]) -> None:
    """Whoever would end on another base stops before it: those who come least far have the first right."""
    ends.untangle(here, here.ground, courses)


def mark_moved(act: Activation, team: Team, inches: float) -> None:
    """A Team has moved by its order; there is no way back to its foxhole."""
    act.moved.add(team.id)
    act.inches[team.id] = act.inches.get(team.id, 0.0) + snap(inches)
    team.foxhole = None
    leave_place(team)


# What befalls them on the way.


class Hazard(NamedTuple):
    """Something on a Team's way: after how many inches, what it is, and the number of its feature."""

    at: float
    what: str
    number: int
    meet: Callable[[Battle, Course, str, float, Losses], Flow[bool]]
    """What happens to the Team when it comes to the feature, by its name; true if it stops there."""
    at_end: bool = False
    """Whether it is met by a Team, too, whose move ends there."""


HAZARDS: Moment[Callable[[Battle, Course], list[Hazard]]] = Moment()
"""What else than rough ground lies on a Team's way."""


class Interruption(NamedTuple):
    """A rule by which an enemy fires at a Vehicle in the midst of its move."""

    offer: Callable[[Battle, Course, Sequence[Member]], Flow[tuple[Member, float] | None]]
    """Who fires, and after how many inches; None if nobody does. Enemies who are busy do not."""
    lapse: Callable[[Battle, Course, Member], None]
    """The Vehicle has not come to that point."""
    fire: Callable[[Battle, Course, Member, Losses], Flow[bool]]
    """The shot; true if the Vehicle stays there."""


INTERRUPTIONS: Moment[Interruption] = Moment()

CHECK_FAILED: Moment[Callable[[Battle, Unit, Team, Kind], None]] = Moment()
"""A Vehicle has failed a Terrain Check: what that means besides its stopping there."""


def drive(
    game: Battle, course: Course, losses: Losses, rough: bool | None = None, busy: Sequence[Member] = ()
) -> Flow[None]:
    """What befalls a Team on its way; a Vehicle that is interrupted has come no farther than the point of the shot.

    `rough` says whether its path might lead over rough ground, if somebody has looked already. `busy` are enemies in
    the midst of an activation of their own: they do not interrupt.
    """
    shot = None
    for interruption in INTERRUPTIONS if course.rolled and course.team.kind.vehicle else ():
        shot = yield from interruption.offer(game, course, busy)
        if shot is not None:
            break
    if shot is None:
        yield from cross_ground(game, course, losses, rough)
        return
    member, at = shot
    whole, course.length = course.length, at
    stopped = yield from cross_ground(game, course, losses, rough)
    if not alive(course.unit, course.team) or measure.nearer(course.length, at, NOTHING):
        interruption.lapse(game, course, member)
    elif not (yield from interruption.fire(game, course, member, losses)) and not stopped:
        course.length = whole
        yield from cross_ground(game, course, losses)


def cross_ground(game: Battle, course: Course, losses: Losses, rough: bool | None = None) -> Flow[bool]:
    """Rough ground and obstacles, in the order in which the Team comes to them. True if one stops it.

    `rough` says whether its path might lead over rough ground, if somebody has looked already.
    """
    team = course.team
    if rough is None:
        rough = over_rough_ground(game, course)
    if rough and not team.kind.vehicle:
        course.rules.append(terrain_crossing.terrain_rule(team.kind))
    for name, hazard in ahead(game, course, rough):
        if not alive(course.unit, team):
            break
        course.met += (name,)
        if (yield from hazard.meet(game, course, name, hazard.at, losses)):
            course.length = min(course.length, hazard.at)
            course.cut = True
            return True
    return False


def over_rough_ground(game: Battle, course: Course) -> bool:
    """Whether a path might lead over rough ground."""
    ground = board(game).ground
    return terrain_crossing.crosses_any(ground, course.path, ground.table.numbers(ground.table.rough))


def ahead(game: Battle, course: Course, rough: bool) -> list[tuple[str, Hazard]]:
    """What a Team meets on its way that it has not met yet, in order, each with the name of what it is."""
    ground = board(game).ground
    hazards: list[Hazard] = []
    if rough and course.team.kind.vehicle:
        hazards += terrain_checks_due(game, course, terrain_crossing.crossings(ground, course.path, "rough"))
    for others in HAZARDS:
        hazards += others(game, course)
    found = []
    for hazard in sorted(hazards, key=lambda each: each[:3]):
        if not measure.nearer(hazard.at, course.length, NOTHING) and not (
            hazard.at_end and not measure.beyond(hazard.at, course.length, NOTHING)
        ):
            break
        name = ground.terrain.features[hazard.number].id
        if name not in course.met:
            found.append((name, hazard))
    return found


def terrain_checks_due(game: Battle, course: Course, crossings: list[moves.Span]) -> list[Hazard]:
    """One Check for each feature that the Vehicle drives into; none for leaving the one it started in."""
    here = board(game)
    due = []
    done: set[int] = set()
    for crossing in crossings:
        kind = here.ground.table.kinds[crossing.feature]
        if crossing.started or crossing.feature in done or not terrain_crossing.checks_for(course.team.kind, kind):
            continue
        done.add(crossing.feature)
        due.append(Hazard(course.halt(here, crossing), "terrain", crossing.feature, terrain_check))
    return due


def rolled_again(team: Team) -> tuple[str, str]:
    """The rules by which a Vehicle rolls a Terrain Check again that it has failed, and one that it has passed."""
    keywords = team.kind.keywords
    failed = "hof.special-rules.wide-tracks" if "wide-tracks" in keywords else ""
    return failed, "hof.special-rules.overloaded" if "overloaded" in keywords else ""


def terrain_check(game: Battle, course: Course, name: str, at: float, losses: Losses) -> Flow[bool]:
    """hof.moving.terrain-check-failed: a Vehicle that fails stops in contact with the terrain."""
    team, unit = course.team, course.unit
    ground = board(game).ground
    number = ground.terrain.index[name]
    feature, kind = ground.terrain.features[number], ground.table.kinds[number]
    why = f"{team_label(unit, team)}'s Terrain Check"
    if_failed, if_passed = rolled_again(team)
    result = yield from check(game, unit, why, again_if_failed=if_failed, again_if_passed=if_passed)
    very = kind.going == "very-difficult"
    rules = [terrain_crossing.terrain_rule(team.kind), *result.rules]
    if feature.kind == "wreck":
        rules.append("hof.vehicles.wreck-difficult")
    else:
        rules.append("hof.terrain.hard-terrain" if very else "hof.terrain.soft-terrain")
    if not result.passed:
        rules.append("hof.moving.terrain-check-failed")
    outcome = "goes on" if result.passed else "stops there"
    rolled = f"rolls {result.throw.value} and {outcome}"
    text = f"{team_label(unit, team)} needs {result.needed}+ to cross {feature.kind}, {rolled}."
    result.tell(game, "terrain-check", text, *rules, team=team.id, terrain=feature.id, at=snap(at))
    for failed in CHECK_FAILED if not result.passed else ():
        failed(game, unit, team, kind)
    return not result.passed


def past_obstacles(game: Battle, unit: Unit, team: Team, step: Step, losses: Losses) -> Flow[Step | None]:
    """hof.optional.mines-trigger, hof.optional.wire-cross: how far a Team comes that moves without a Terrain Check.

    The same step if nothing stops it, None if it is lost or does not get away at all.
    """
    if not game.setup.options.obstacles or not board(game).ground.table.any_obstacle:
        return step
    course = course_of(unit, team, step)
    course.length = course.whole
    yield from cross_ground(game, course, losses, rough=False)
    if not alive(unit, team):
        return None
    if not course.cut:
        return step
    untangle(board(game), [course])
    if measure.negligible(course.length):
        return None
    x, y = course.end
    return Step((snap(x), snap(y)), course.faces(), via=[(x, y) for x, y in passed(course)])
