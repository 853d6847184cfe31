"""Courses: the way of each Team in one Move, the rolls for rough ground on it, and where it ends."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sandtable.engine.game import Flow
from sandtable.field import courses as ends
from sandtable.field.courses import Path
from sandtable.rulesets.tr14.core.board import Battle, board
from sandtable.rulesets.tr14.core.checks import Check, training_check
from sandtable.rulesets.tr14.core.names import label, team_label
from sandtable.rulesets.tr14.core.state import Point, Team, Unit
from sandtable.rulesets.tr14.suppression import suppress_team
from sandtable.table import moves
from sandtable.table.shapes import snap

TANK_CROSSES = 2
"""tr14.moving.tank-difficult"""


@dataclass(slots=True)
class Course(ends.Course[Unit, Team]):
    """The way of one Team in one Move. `before` is how it faced until then, `free` whether it is placed at will."""

    turret: float | None = None
    free: bool = False
    before: float = 0.0

    def __post_init__(self) -> None:
        self.before = self.team.facing

    def part(self, fraction: float) -> Point:
        """Where the Team is when it has gone this part of its way."""
        return self.at(self.length * fraction)

    def shorten(self, inches: float) -> bool:
        """End the course earlier; False if the Team stands and faces as it did before the Move already."""
        if self.length <= 0 and self.facing == self.before:
            return False
        if self.length <= 0:
            self.facing = self.before
        self.length = max(0.0, self.length - inches)
        return True


def rolls_due(game: Battle, team: Team, path: Path) -> list[moves.Span]:
    """The rough ground on its way for which a Tank rolls: once for each piece of it that it drives into."""
    ground = board(game).ground
    if team.kind.type != "tank" or not len(ground.table.rough):
        return []
    entered: dict[int, moves.Span] = {}
    for span in moves.spans(ground.terrain, path, ground.table.rough):
        if not span.started:
            entered.setdefault(span.feature, span)
    return list(entered.values())


def roll_for_terrain(game: Battle, course: Course) -> Flow[None]:
    """Tanks roll once for each piece of rough ground that they reach; a failure stops them there, suppressed."""
    team, unit = course.team, course.unit
    ground = board(game).ground
    for span in rolls_due(game, team, course.path):
        going = ground.table.kinds[span.feature].going
        feature = ground.terrain.features[span.feature]
        wide = "wide-tracks" in team.kind.notes
        rules = ["tr14.moving.tank-difficult"] if going == "difficult" else ["tr14.moving.tank-very-difficult"]
        who = team_label(unit, team)
        if going == "difficult":
            check = Check((yield from game.throw(unit.side, 1, f"{who} to cross {feature.kind}")), TANK_CROSSES)
        else:
            why = f"{who}'s Check to cross {feature.kind}"
            check = yield from training_check(game, unit, "terrain", why, teams=[team.id])
        if not check.passed and wide and not check.vouched:
            yield from game.reroll(check.throw, [0])
            rules.append("tr14.arsenal.wide-tracks")
        text = f"{who} needs {check.needed}+ to cross {feature.kind}, rolls {check.throw.value}."
        check.tell(game, "terrain-roll", text, *rules, team=team.id, terrain=feature.id)
        if not check.passed:
            course.length = max(0.0, span.enter - team.kind.base.depth / 2)
            course.cut = True
            suppress_team(game, (unit, team), "tr14.moving.tank-fails")
            return


def set_out(game: Battle, courses: list[Course]) -> Flow[None]:
    """Teams are under way: tanks roll for the ground, and whoever it stops ends on nobody's base."""
    for course in courses:
        yield from roll_for_terrain(game, course)
        mark_moved(course)
    if any(course.cut for course in courses):
        untangle(game, courses)


def take_courses(game: Battle, courses: list[Course], fraction: float = 1.0) -> None:
    """Bring Teams to a point of their courses; at the end of it they face as was ordered."""
    here = board(game)
    for course in courses:
        team = course.team
        if team.id not in course.unit.teams:
            continue
        x, y = course.part(fraction)
        team.at = (snap(x), snap(y))
        team.facing = course.faces()
        if course.turret is not None:
            team.turret = course.turret
        here.put(team)


def mark_moved(course: Course) -> None:
    course.team.moved = True
    course.team.dug_in = False


def get_up(game: Battle, units: Iterable[Unit], why: str, rule: str) -> None:
    """Units that went to ground are up again: one that stirs loses what it had of it."""
    for unit in {unit.id: unit for unit in units}.values():
        if unit.to_ground and unit.id in game.state.units:
            unit.to_ground = False
            text = f"{label(unit)} has {why} and is no longer gone to ground."
            game.tell("up-again", text, rule, seat=unit.side, unit=unit.id)


def untangle(game: Battle, courses: list[Course], back: float = ends.BACK) -> None:
    """Whoever would end on a base that was not there when the Move was ordered stops before it."""
    here = board(game)
    for course in courses:
        if course.cut and course.length <= 0:
            course.facing = course.before
    ends.untangle(here, here.ground, courses, back)
