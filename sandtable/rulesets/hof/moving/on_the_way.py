"""What befalls a Team on its way: rough ground, obstacles, and whoever interrupts it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import Step
from sandtable.rulesets.hof.core.acts import Losses, alive
from sandtable.rulesets.hof.core.board import board
from sandtable.rulesets.hof.core.checks import check
from sandtable.rulesets.hof.core.labels import team_label
from sandtable.rulesets.hof.core.moments import Moment
from sandtable.rulesets.hof.core.state import Member, State, Team, Unit
from sandtable.rulesets.hof.core.terrain import Kind
from sandtable.rulesets.hof.moving.courses import (
    Course,
    course_of,
    passed,
    untangle,
)
from sandtable.rulesets.hof.terrain import terrain_crossing
from sandtable.table import distance as measure
from sandtable.table import moves
from sandtable.table.hairs import NOTHING
from sandtable.table.shapes import snap


class Hazard(NamedTuple):
    """Something on a Team's way: after how many inches, what it is, and the number of its feature."""

    at: float
    what: str
    number: int
    meet: Callable[[Game[State], Course, str, float, Losses], Flow[bool]]
    """What happens to the Team when it comes to the feature, by its name; true if it stops there."""
    at_end: bool = False
    """Whether it is met by a Team, too, whose move ends there."""


HAZARDS: Moment[Callable[[Game[State], Course], list[Hazard]]] = Moment()
"""What else than rough ground lies on a Team's way."""


class Interruption(NamedTuple):
    """A rule by which an enemy fires at a Vehicle in the midst of its move."""

    offer: Callable[[Game[State], Course, Sequence[Member]], Flow[tuple[Member, float] | None]]
    """Who fires, and after how many inches; None if nobody does. Enemies who are busy do not."""
    lapse: Callable[[Game[State], Course, Member], None]
    """The Vehicle has not come to that point."""
    fire: Callable[[Game[State], Course, Member, Losses], Flow[bool]]
    """The shot; true if the Vehicle stays there."""


INTERRUPTIONS: Moment[Interruption] = Moment()

CHECK_FAILED: Moment[Callable[[Game[State], Unit, Team, Kind], None]] = Moment()
"""A Vehicle has failed a Terrain Check: what that means besides its stopping there."""


def drive(
    game: Game[State], course: Course, losses: Losses, rough: bool | None = None, busy: Sequence[Member] = ()
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


def cross_ground(game: Game[State], course: Course, losses: Losses, rough: bool | None = None) -> Flow[bool]:
    """Rough ground and obstacles, in the order in which the Team comes to them. True if one stops it.

    `rough` says whether its path might lead over rough ground, if somebody has looked already.
    """
    ground = board(game).ground
    table = ground.table
    team = course.team
    hazards: list[Hazard] = []
    if rough is None:
        rough = terrain_crossing.crosses_any(ground, course.path, table.numbers(table.rough))
    if rough:
        if team.kind.vehicle:
            hazards += terrain_checks_due(game, course, terrain_crossing.crossings(ground, course.path, table.rough))
        else:
            course.rules.append(terrain_crossing.terrain_rule(team.kind))
    for others in HAZARDS:
        hazards += others(game, course)
    names = ground.terrain.features
    before = course.met
    for hazard in sorted(hazards, key=lambda each: each[:3]):
        at = hazard.at
        if not alive(course.unit, team) or measure.beyond(at, course.length, NOTHING):
            break
        if not measure.nearer(at, course.length, NOTHING) and not hazard.at_end:
            break
        name = names[hazard.number].id
        if name in before:
            continue
        course.met += (name,)
        if (yield from hazard.meet(game, course, name, at, losses)):
            course.length = min(course.length, at)
            course.cut = True
            return True
    return False


def terrain_checks_due(game: Game[State], course: Course, crossings: list[moves.Span]) -> list[Hazard]:
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


def terrain_check(game: Game[State], course: Course, name: str, at: float, losses: Losses) -> Flow[bool]:
    """hof.moving.terrain-check-failed: a Vehicle that fails stops in contact with the terrain."""
    team, unit = course.team, course.unit
    ground = board(game).ground
    number = ground.terrain.index[name]
    feature, kind = ground.terrain.features[number], ground.table.kinds[number]
    keywords = team.kind.keywords
    result = yield from check(
        game,
        unit,
        f"{team_label(unit, team)}'s Terrain Check",
        again_if_failed="hof.special-rules.wide-tracks" if "wide-tracks" in keywords else "",
        again_if_passed="hof.special-rules.overloaded" if "overloaded" in keywords else "",
    )
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
    data: dict[str, Any] = {"team": team.id, "terrain": feature.id, "needed": result.needed, "passed": result.passed}
    game.tell("terrain-check", text, *rules, seat=unit.side, dice=[result.throw], **data, at=snap(at))
    for failed in CHECK_FAILED if not result.passed else ():
        failed(game, unit, team, kind)
    return not result.passed


def past_obstacles(game: Game[State], unit: Unit, team: Team, step: Step, losses: Losses) -> Flow[Step | None]:
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
    x, y = course.at(course.length)
    return Step((snap(x), snap(y)), course.faces(), via=[(x, y) for x, y in passed(course)])
