"""How far: movement dice, roads, and the most that they could give out of sight."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from sandtable.engine.dice import Throw
from sandtable.engine.events import several
from sandtable.engine.game import Flow
from sandtable.field.moments import Moment
from sandtable.rulesets.hof.core.acts import Activation
from sandtable.rulesets.hof.core.board import Battle, Board, board
from sandtable.rulesets.hof.core.labels import label, team_label
from sandtable.rulesets.hof.core.state import Team
from sandtable.rulesets.hof.kernels import ground_sight
from sandtable.rulesets.hof.moving.courses import Course
from sandtable.rulesets.hof.moving.legality import DICE, FAST, end_facing, reach, type_of_kind
from sandtable.rulesets.hof.terrain import terrain_crossing
from sandtable.table import moves
from sandtable.table.shapes import heading

ROAD = {
    "tracked": (6.0, "hof.moving.road-bonus-tracked"),
    "half-tracked": (6.0, "hof.moving.road-bonus-tracked"),
    "wheeled": (12.0, "hof.moving.road-bonus-wheeled"),
}
"""What a whole move on roads adds, and by which rule."""

LOOK = 1.0
"""How finely a way is searched for enemy eyes, in inches."""

DROPPED_DICE: Moment[Callable[[Battle, Course, float], tuple[int, str]]] = Moment()
"""How many movement dice a Vehicle loses on its way, within so many inches, and by which rule."""


def rolled(team: Team, values: Sequence[int], *, drop: int = 0) -> float:
    """What a roll gives a Team: Slow drops the lowest die, Fast adds two inches."""
    keywords = team.kind.keywords
    drop += "slow" in keywords
    kept = sorted(values)[drop:] if drop else values
    return sum(kept) + (FAST if "fast" in keywords else 0.0)


def road_bonus(here: Board, course: Course) -> tuple[float, str]:
    """What a Vehicle gains whose whole move is on roads, and by which rule."""
    if course.bonus is None:
        bonus = ROAD.get(course.team.kind.mobility)
        course.bonus = bonus if bonus and terrain_crossing.follows_road(here.ground, course.path) else (0.0, "")
    return course.bonus


def inches_of(
    game: Battle, course: Course, values: Sequence[int] | None = None, rough: bool = True
) -> tuple[float, str]:
    """How far a roll, or else the best there could be, takes a Team; and the rule if rough ground costs it a die.

    `rough` says whether its path might lead over rough ground.
    """
    team = course.team
    bonus = road_bonus(board(game), course)[0]
    inches = (reach(team) if values is None else rolled(team, values)) + bonus
    for dropped in DROPPED_DICE if rough and team.kind.vehicle else ():
        drop, rule = dropped(game, course, inches)
        if drop:
            return (reach(team, drop=drop) if values is None else rolled(team, values, drop=drop)) + bonus, rule
    return inches, ""


def distance_roll(game: Battle, act: Activation, kind: str) -> Flow[Throw]:
    """hof.moving.roll-once-per-type: the movement dice of a type of Team, rolled once in a Unit's activation."""
    throw = act.rolls.get(kind)
    if throw is None:
        throw = act.rolls[kind] = yield from game.throw(act.side, DICE[kind], f"how far {kind} Teams move")
    return throw


def tell_roll(game: Battle, act: Activation, course: Course, kind: str, inches: float) -> None:
    """What a Team has of its type's roll: told with the dice, and again where another has more or less of them."""
    told = act.told.setdefault(kind, [])
    if inches in told:
        return
    told.append(inches)
    throw = act.rolls[kind]
    rules = ["hof.moving.rolled-distance", "hof.moving.roll-once-per-type"]
    if kind == "man-portable":
        rules.append("hof.special-rules.man-portable-move")
    so_far = several(round(inches), "inch", "inches")
    text = f"{label(act.unit)} rolls {DICE[kind]}d6 for its {kind} Teams: {so_far}."
    if len(told) > 1:
        text = f"Of the same roll {team_label(course.unit, course.team)} has {so_far}."
    dice = [throw] if len(told) == 1 else []
    data: dict[str, Any] = {"unit": act.unit.id, "team": course.team.id, "type": kind, "inches": inches}
    game.tell("move-roll", text, *rules, seat=act.side, dice=dice, **data)


def watched_ways(game: Battle, side: str, courses: list[Course], paths: moves.Paths, inches: list[float]) -> list[bool]:
    """hof.moving.unseen-maximum: which Teams are in sight of a watching enemy within so many inches of their way."""
    here = board(game)
    enemies = here.enemies(side)
    eyes = [number for team, number in enemies.lookouts if not team.suppressed]
    if not eyes:
        return [False] * len(courses)
    index = here.index
    movers: list[int] = []
    poses: list[tuple[float, float, float]] = []
    for course, upto in zip(courses, inches, strict=True):
        team = course.team
        movers.append(index[team.id])
        poses.append((*heading(end_facing(team, course.path, course.facing)), min(course.whole, upto)))
    return ground_sight.ways_seen(
        here.ground.lens,
        here.places(),
        enemies.outlook if len(eyes) == len(enemies.lookouts) else np.array(eyes),
        np.array(movers),
        np.array(poses),
        paths,
        LOOK,
    )


def allowance(game: Battle, act: Activation, course: Course, seen: bool, rough: bool = True) -> Flow[float]:
    """How many inches a Team may cover: rolled in sight of the enemy, the most its dice could give otherwise.

    `rough` says whether its path might lead over rough ground.
    """
    kind = course.team.kind
    keywords = kind.keywords
    course.rolled = seen
    values: list[int] = []
    if seen:
        throw = yield from distance_roll(game, act, type_of_kind(kind))
        values = throw.values
        course.rules += ("hof.moving.rolled-distance", "hof.moving.roll-once-per-type")
    else:
        course.rules += ("hof.moving.unseen-maximum", "hof.moving.who-counts-as-watching")
    inches, slowed = inches_of(game, course, values if seen else None, rough)
    if seen:
        tell_roll(game, act, course, type_of_kind(kind), inches)
    if slowed:
        course.rules.append(slowed)
    if "fast" in keywords:
        course.rules.append("hof.special-rules.fast")
    if "slow" in keywords:
        course.rules.append("hof.special-rules.slow")
    if road := road_bonus(board(game), course)[1]:
        course.rules.append(road)
    if kind.mobility == "man-portable":
        course.rules.append("hof.special-rules.man-portable-move")
    if "unreliable" in keywords and (yield from breaks_down(game, course, values)):
        return 0.0
    return inches


def breaks_down(game: Battle, course: Course, values: list[int]) -> Flow[bool]:
    """hof.special-rules.unreliable: each movement die that shows 1 is followed by another; a 1 there, and it stops."""
    ones = values.count(1)
    if not ones:
        return False
    team = course.team
    throw = yield from game.throw(course.unit.side, ones, f"whether {team_label(course.unit, team)} breaks down")
    team.immobilised = 1 in throw.values
    fate = "breaks down for good" if team.immobilised else "keeps going"
    data: dict[str, Any] = {"team": team.id, "immobilised": team.immobilised}
    text = f"{team_label(course.unit, team)} is Unreliable: it {fate}."
    game.tell("breakdown", text, "hof.special-rules.unreliable", seat=course.unit.side, dice=[throw], **data)
    return team.immobilised
