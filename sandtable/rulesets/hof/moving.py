"""Moving: destinations before dice, how far each Team comes, and what happens on the way."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from sandtable.engine.dice import Throw
from sandtable.engine.events import several
from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import Refusal, Step
from sandtable.rulesets.hof import going
from sandtable.rulesets.hof.acts import Activation, Losses, Order, alive
from sandtable.rulesets.hof.board import Board, board, place
from sandtable.rulesets.hof.checks import check
from sandtable.rulesets.hof.courses import (
    Course,
    arrive_freely,
    course_of,
    leave_place,
    passed,
    paths_of,
    settle,
    stop_at_enemies,
    stop_short,
    untangle,
)
from sandtable.rulesets.hof.going import Path, length_of, point_at
from sandtable.rulesets.hof.movelaw import DICE, FAST, MoveLaw, end_facing, immovable, path_of, reach, type_of_kind
from sandtable.rulesets.hof.optional import interruption, obstacles, terrain_expansion
from sandtable.rulesets.hof.proposals import ask_move
from sandtable.rulesets.hof.state import Member, Point, State, Team, Unit, full_label, label, other, team_label
from sandtable.table import distance as measure
from sandtable.table import look, moves
from sandtable.table.hairs import A_HAIR, CONTACT, NOTHING, SLACK
from sandtable.table.shapes import X, Y, face, heading

__all__ = [
    "Course",
    "MoveLaw",
    "allowance",
    "carry_out",
    "course_of",
    "cross_ground",
    "declare",
    "declare_later",
    "declare_leader",
    "distance_roll",
    "end_facing",
    "free_move",
    "leave_place",
    "mark_moved",
    "move_leader",
    "path_of",
    "reach",
    "shorten",
    "untangle",
]

LEADER = 12.0
"""hof.leaders.move-12"""

ROAD_TRACKED, ROAD_WHEELED = 6.0, 12.0

LOOK = 1.0
"""How finely a way is searched for enemy eyes, in inches."""


# Declaring.


def declare(game: Game[State], act: Activation, order: Order) -> Flow[None]:
    """hof.moving.declare-destination: where each Team of a Move order goes, and with the first order the Leader."""
    members = [member for member in order.members if member[1].at is not None]
    leader = act.leader
    limits = {}
    if leader is not None and leader.at is not None and order is next(o for o in act.orders if o.kind == "move"):
        members.append((act.unit, leader))
        limits[leader.id] = (LEADER, "hof.leaders.move-12")
    if not members:
        return
    law = MoveLaw(game, act, act.side, members, limits)
    steps = yield from ask_ways(game, act, order, law)
    if leader is not None and leader.id in limits:
        act.leader_step = steps.pop(leader.id, None)
    order.steps = steps


def declare_later(game: Game[State], act: Activation, order: Order, members: list[Member]) -> Flow[None]:
    """Teams of a Move order that had no place when it was declared go in the same direction as the others."""
    ways = [
        (team.at, order.steps[team.id].to)
        for unit, team in order.members
        if team.id in order.steps and team.at is not None and alive(unit, team)
    ]
    law = MoveLaw(game, act, act.side, members, ways=ways)
    order.steps.update((yield from ask_ways(game, act, order, law)))


def ask_ways(game: Game[State], act: Activation, order: Order, law: MoveLaw) -> Flow[dict[str, Step]]:
    rules = ("hof.moving.declare-destination", "hof.activation.split-combinations")
    facts = {"unit": act.unit.id, "order": order.name}
    words = f"Where does {label(act.unit)} move{' (second order)' if order.name != 'move' else ''}?"
    return (yield from ask_move(game, law, "move", words, rules, facts))


def declare_leader(game: Game[State], act: Activation) -> Flow[None]:
    """hof.leaders.move-12: the Leader may move whatever his Unit does."""
    leader = act.leader
    if leader is None or leader.at is None:
        return
    law = MoveLaw(game, act, act.side, [(act.unit, leader)], {leader.id: (LEADER, "hof.leaders.move-12")})
    words = f"Where does the {full_label(act.unit, leader)} move?"
    facts = {"unit": act.unit.id}
    steps = yield from ask_move(game, law, "leader-move", words, ("hof.leaders.move-12",), facts)
    act.leader_step = steps.get(leader.id)


# How far.


def rolled(team: Team, values: Sequence[int], *, drop: int = 0) -> float:
    """What a roll gives a Team: Slow drops the lowest die, Fast adds two inches."""
    keywords = team.kind.keywords
    drop += "slow" in keywords
    kept = sorted(values)[drop:] if drop else values
    return sum(kept) + (FAST if "fast" in keywords else 0.0)


def road_bonus(here: Board, course: Course) -> tuple[float, str]:
    """What a Vehicle gains whose whole move is on roads, and by which rule."""
    if course.bonus is None:
        mobility = course.team.kind.mobility
        if mobility not in ("tracked", "half-tracked", "wheeled") or not going.follows_road(here.ground, course.path):
            course.bonus = 0.0, ""
        elif mobility == "wheeled":
            course.bonus = ROAD_WHEELED, "hof.moving.road-bonus-wheeled"
        else:
            course.bonus = ROAD_TRACKED, "hof.moving.road-bonus-tracked"
    return course.bonus


def inches_of(
    game: Game[State], course: Course, values: Sequence[int] | None = None, rough: bool = True
) -> tuple[float, str]:
    """How far a roll, or else the best there could be, takes a Team; and the rule if rough ground costs it a die.

    `rough` says whether its path might lead over rough ground.
    """
    team = course.team
    bonus = road_bonus(board(game), course)[0]
    inches = (reach(team) if values is None else rolled(team, values)) + bonus
    if rough and team.kind.vehicle and game.setup.options.terrain:
        drop, rule = terrain_expansion.dropped_dice(game, course, inches)
        if drop:
            return (reach(team, drop=drop) if values is None else rolled(team, values, drop=drop)) + bonus, rule
    return inches, ""


def distance_roll(game: Game[State], act: Activation, kind: str) -> Flow[Throw]:
    """hof.moving.roll-once-per-type: the movement dice of a type of Team, rolled once in a Unit's activation."""
    throw = act.rolls.get(kind)
    if throw is None:
        throw = act.rolls[kind] = yield from game.throw(act.side, DICE[kind], f"how far {kind} Teams move")
    return throw


def tell_roll(game: Game[State], act: Activation, course: Course, kind: str, inches: float) -> None:
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
        text = f"Of the same roll {team_label(course.team)} has {so_far}."
    dice = [throw] if len(told) == 1 else []
    game.tell("move-roll", text, *rules, seat=act.side, dice=dice, unit=act.unit.id, type=kind, inches=inches)


def goes_nearer(game: Game[State], side: str, team: Team, end: Point) -> bool:
    """hof.rfp-rally.suppressed-effects: whether a move ends nearer to an enemy that the mover sees."""
    here = board(game)
    enemies = here.side(other(side))
    if not enemies.teams:
        return False
    seen = here.sees([team], enemies.teams)[0]
    if not seen.any():
        return False
    theirs = here.rows.take(enemies.rows, axis=0)
    row = here.of([team])
    before = measure.distances(row, theirs)[0]
    row[0, X : Y + 1] = end
    return bool(((measure.distances(row, theirs)[0] < before - A_HAIR) & seen).any())


def held_back(game: Game[State], unit: Unit, team: Team, step: Step) -> bool:
    """A Team still Suppressed after the Rally and RFP steps does not move towards visible enemy."""
    if not team.suppressed or not goes_nearer(game, unit.side, team, step.to):
        return False
    text = f"{team_label(team)} is Suppressed and does not move towards the enemy."
    rules = ("hof.rfp-rally.suppressed-effects", "hof.activation.suppressed-may-be-ordered")
    game.tell("held", text, *rules, seat=unit.side, team=team.id)
    return True


def watched_ways(
    game: Game[State], side: str, courses: list[Course], paths: moves.Paths, inches: list[float]
) -> list[bool]:
    """hof.moving.unseen-maximum: which Teams are in sight of a watching enemy within so many inches of their way."""
    here = board(game)
    enemies = here.side(other(side))
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
    return look.ways_seen(
        here.ground.lens,
        here.rows,
        here.known,
        here.standing(),
        enemies.outlook if len(eyes) == len(enemies.lookouts) else np.array(eyes),
        np.array(movers),
        np.array(poses),
        *paths,
        LOOK,
    )


def allowance(game: Game[State], act: Activation, course: Course, seen: bool, rough: bool = True) -> Flow[float]:
    """How many inches a Team may cover: rolled in sight of the enemy, the most its dice could give otherwise.

    `rough` says whether its path might lead over rough ground.
    """
    team = course.team
    kind = team.kind
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


def breaks_down(game: Game[State], course: Course, values: list[int]) -> Flow[bool]:
    """hof.special-rules.unreliable: each movement die that shows 1 is followed by another; a 1 there, and it stops."""
    ones = values.count(1)
    if not ones:
        return False
    team = course.team
    throw = yield from game.throw(course.unit.side, ones, f"whether {team_label(team)} breaks down")
    team.immobilised = 1 in throw.values
    fate = "breaks down for good" if team.immobilised else "keeps going"
    data: dict[str, Any] = {"team": team.id, "immobilised": team.immobilised}
    text = f"{team_label(team)} is Unreliable: it {fate}."
    game.tell("breakdown", text, "hof.special-rules.unreliable", seat=course.unit.side, dice=[throw], **data)
    return team.immobilised


def shorten(here: Board, team: Team, path: Path, inches: float) -> Point:
    """hof.moving.short-roll: where a Team ends that can go only so far on its path."""
    return point_at(path, min(inches, length_of(path)))


# Carrying out.


def carry_out(game: Game[State], act: Activation, order: Order, losses: Losses, *rules: str) -> Flow[None]:
    """A Move order: how far each Team comes, what happens on the way, and the assault if somebody ends in contact."""
    act.acted.update([team.id for _, team in order.members])
    if not order.steps:
        return
    turning: list[Course] = []
    going_on: list[Course] = []
    for unit, team in order.members:
        step = order.steps.get(team.id)
        if step is None or team.at is None or not alive(unit, team) or immovable_now(team, step):
            continue
        if not (team.suppressed and held_back(game, unit, team, step)):
            course = course_of(unit, team, step)
            (turning if course.whole < NOTHING else going_on).append(course)
    for course in turning:
        turn_in_place(game, act, course)
    if going_on:
        paths = paths_of(going_on)
        yield from set_lengths(game, act, going_on, paths, losses)
        left = [course for course in going_on if alive(course.unit, course.team)]
        if len(left) < len(going_on):
            going_on, paths = left, paths_of(left)
        attackers = settle(game, act, going_on, paths)
        finish_moves(game, act, going_on, rules)
        for course in going_on:
            if course.team is act.rallied:
                from sandtable.rulesets.hof import leaders

                yield from leaders.move_along(game, act, course.unit, course.team, losses)
        if attackers:
            from sandtable.rulesets.hof import assaults

            yield from assaults.assault(game, act, attackers, losses)


def immovable_now(team: Team, step: Step) -> bool:
    """What has come to hold a Team since it was ordered; turning on the spot is open to Immobile guns."""
    why = immovable(team)
    return why is not None and (why[0] != "hof.special-rules.immobile" or team.at != step.to)


def turn_in_place(game: Game[State], act: Activation, course: Course) -> None:
    """hof.moving.rotate: a Team turns on the spot, if there is room."""
    team = course.team
    if course.facing is None or team.at is None:
        return
    here = board(game)
    row = here.of([team])
    face(row[0], course.facing)
    others = here.all_but([team])
    if len(others) and measure.overlaps(row, others, SLACK).any():
        return
    place(game, team, *team.at, course.facing)
    mark_moved(act, team, 0.0)
    rules = ["hof.moving.rotate"]
    if "immobile" in team.kind.keywords:
        rules.append("hof.special-rules.immobile")
    text = f"{team_label(team)} turns to {team.facing:g} degrees."
    game.tell("turn-in-place", text, *rules, seat=course.unit.side, team=team.id, facing=team.facing)


def mark_moved(act: Activation, team: Team, inches: float) -> None:
    """A Team has moved by its order; there is no way back to its foxhole."""
    act.moved.add(team.id)
    act.inches[team.id] = act.inches.get(team.id, 0.0) + round(inches, 2)
    team.foxhole = None
    leave_place(team)


def set_lengths(
    game: Game[State], act: Activation, courses: list[Course], paths: moves.Paths, losses: Losses
) -> Flow[None]:
    """How far along its path each Team comes."""
    ground = board(game).ground
    options = game.setup.options
    obstructed = options.obstacles and ground.table.any_obstacle
    rough: list[bool | None] = [*moves.ways_crossed(ground.terrain, ground.table.numbers(ground.table.rough), paths)]
    most = [inches_of(game, course, None, hard is True)[0] for course, hard in zip(courses, rough, strict=True)]
    watched = watched_ways(game, act.side, courses, paths, most)
    for course, seen, hard in zip(courses, watched, rough, strict=True):
        if not alive(course.unit, course.team):
            continue
        if board(game).ground is not ground:
            hard = None
        inches = yield from allowance(game, act, course, seen, hard is not False)
        if course.team.immobilised:
            continue
        if inches < course.whole - NOTHING:
            if act.leader is not None or act.above is not None:
                inches += yield from moved_up(game, act, course, inches)
            if inches < course.whole - NOTHING:
                course.cut = True
                course.rules.append("hof.moving.short-roll")
        course.length = min(course.whole, inches)
        if hard is not False or obstructed or options.interruption:
            yield from drive(game, course, losses, hard)


def moved_up(game: Game[State], act: Activation, course: Course, inches: float) -> Flow[float]:
    """hof.leaders.move-up: what the Leader, or the Commander above him, adds to a move that falls short.

    hof.moving.unseen-maximum: who has not rolled is not brought up into the enemy's sight.
    """
    from sandtable.rulesets.hof import leaders

    more = 0.0
    for each in (act, act.above):
        if each is None or inches + more >= course.whole - NOTHING:
            continue
        end = end_at_leader(game, each, course, inches + more)
        if end is None:
            continue
        if not course.rolled and watched_ways(game, act.side, [course], paths_of([course]), [end])[0]:
            break
        if (yield from leaders.move_up(game, each, course.unit, course.team)):
            course.rules.append("hof.leaders.move-up")
            more = end - inches
    return more


def end_at_leader(game: Game[State], act: Activation, course: Course, inches: float) -> float | None:
    """How far along its path three more inches bring a Team into base contact with its Leader; None if they do not."""
    from sandtable.rulesets.hof import leaders

    leader = act.leader
    if leader is None or leader.at is None or leader is course.team or leader.suppressed or act.ability:
        return None
    here = board(game)
    if leader.id not in here.index:
        return None
    course.length = min(course.whole, inches + leaders.MOVE_UP)
    mine, his = course.team.kind.base, leader.kind.base
    if math.dist(course.at(course.length), leader.at) > CONTACT + mine.width + mine.depth + his.width + his.depth:
        return None
    row, beside = course.row(here), here.rows[[here.index[leader.id]]]
    if measure.beyond(measure.distances(row.reshape(1, 8), beside).min(), CONTACT):
        return None
    if not measure.overlaps(row.reshape(1, 8), beside, SLACK).any():
        return course.length
    # He stands in its way: it ends where their bases meet.
    row[X : Y + 1] = course.path[0]
    at = moves.sweep(row, np.array(course.path), beside, SLACK) - A_HAIR
    return at if inches + NOTHING < at < course.length else None


# What lies on the way.


def drive(
    game: Game[State], course: Course, losses: Losses, rough: bool | None = None, busy: Sequence[Member] = ()
) -> Flow[None]:
    """What befalls a Team on its way; a Vehicle that is interrupted has come no farther than the point of the shot.

    `rough` says whether its path might lead over rough ground, if somebody has looked already. `busy` are enemies in
    the midst of an activation of their own: they do not interrupt.
    """
    shot = None
    if game.setup.options.interruption and course.rolled and course.team.kind.vehicle:
        shot = yield from interruption.interrupt(game, course, busy)
    if shot is None:
        yield from cross_ground(game, course, losses, rough)
        return
    member, at = shot
    whole, course.length = course.length, at
    stopped = yield from cross_ground(game, course, losses, rough)
    if not alive(course.unit, course.team) or course.length < at - NOTHING:
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
    hazards: list[tuple[float, str, int]] = []
    if rough is None:
        rough = going.crosses_any(ground, course.path, table.numbers(table.rough))
    if rough:
        if team.kind.vehicle:
            hazards += terrain_checks_due(game, course, going.crossings(ground, course.path, table.rough))
        else:
            course.rules.append(going.terrain_rule(team.kind))
    if table.any_obstacle and game.setup.options.obstacles:
        hazards += obstacles.on_the_way(game, course)
    names = ground.terrain.features
    before = course.met
    for at, what, number in sorted(hazards):
        if not alive(course.unit, team) or at > course.length + NOTHING:
            break
        if at >= course.length - NOTHING and what != "minefield":
            break
        name = names[number].id
        if name in before:
            continue
        course.met += (name,)
        if what == "terrain":
            stopped = yield from terrain_check(game, course, name, at)
        else:
            stopped = yield from obstacles.meet(game, course, name, what, at, losses)
        if stopped:
            course.length = min(course.length, at)
            course.cut = True
            return True
    return False


def terrain_checks_due(game: Game[State], course: Course, crossings: list[moves.Span]) -> list[tuple[float, str, int]]:
    """One Check for each feature that the Vehicle drives into; none for leaving the one it started in."""
    here = board(game)
    due = []
    done: set[int] = set()
    for crossing in crossings:
        kind = here.ground.table.kinds[crossing.feature]
        if crossing.started or crossing.feature in done or not going.checks_for(course.team.kind, kind):
            continue
        done.add(crossing.feature)
        due.append((course.halt(here, crossing), "terrain", crossing.feature))
    return due


def terrain_check(game: Game[State], course: Course, name: str, at: float) -> Flow[bool]:
    """hof.moving.terrain-check-failed: a Vehicle that fails stops in contact with the terrain."""
    team, unit = course.team, course.unit
    ground = board(game).ground
    number = ground.terrain.index[name]
    feature, kind = ground.terrain.features[number], ground.table.kinds[number]
    keywords = team.kind.keywords
    result = yield from check(
        game,
        unit,
        f"{team_label(team)}'s Terrain Check",
        again_if_failed="hof.special-rules.wide-tracks" if "wide-tracks" in keywords else "",
        again_if_passed="hof.special-rules.overloaded" if "overloaded" in keywords else "",
    )
    very = kind.going == "very-difficult"
    rules = [going.terrain_rule(team.kind), *result.rules]
    if feature.kind == "wreck":
        rules.append("hof.vehicles.wreck-difficult")
    else:
        rules.append("hof.terrain.hard-terrain" if very else "hof.terrain.soft-terrain")
    if not result.passed:
        rules.append("hof.moving.terrain-check-failed")
    outcome = "goes on" if result.passed else "stops there"
    text = (
        f"{team_label(team)} needs {result.needed}+ to cross {feature.kind}, rolls {result.throw.value} and {outcome}."
    )
    data: dict[str, Any] = {"team": team.id, "terrain": feature.id, "passed": result.passed, "at": round(at, 2)}
    game.tell("terrain-check", text, *rules, seat=unit.side, dice=[result.throw], **data)
    if not result.passed and very and game.setup.options.terrain:
        terrain_expansion.bog_down(game, unit, team)
    return not result.passed


def finish_moves(game: Game[State], act: Activation, courses: list[Course], rules: Sequence[str]) -> None:
    """Mark and tell what the Teams of an order have done."""
    cited = [*rules, "hof.moving.declare-destination"]
    ways: dict[str, Any] = {}
    inches: dict[str, float] = {}
    for course in courses:
        team = course.team
        if course.length < NOTHING:
            continue
        if team.dug_in:
            cited.append("hof.battle.dug-in")
        mark_moved(act, team, course.length)
        cited += course.rules
        assert team.at is not None
        ways[team.id] = [list(course.path[0]), *passed(course), list(team.at)]
        inches[team.id] = round(course.length, 2)
    if not ways:
        return
    farthest = max(inches.values())
    text = f"{label(act.unit)} moves {several(len(ways), 'Team')}, up to {farthest:.1f} inches."
    game.tell("move", text, *dict.fromkeys(cited), seat=act.side, unit=act.unit.id, ways=ways, inches=inches)


# The Leader.


def move_leader(game: Game[State], act: Activation) -> Flow[None]:
    """hof.leaders.move-12: he goes where he was to go, without a die, before his Teams carry out their orders."""
    leader, step = act.leader, act.leader_step
    if leader is None or step is None or leader.at is None or not alive(act.unit, leader):
        return
    from sandtable.rulesets.hof import casualties, leaders

    if leaders.goes_along(act) or held_back(game, act.unit, leader, step):
        return
    course = course_of(act.unit, leader, step)
    if course.whole < NOTHING:
        return
    course.length = course.whole
    if course.whole > LEADER + A_HAIR:
        course.length, course.cut = LEADER, True
    yield from cross_ground(game, course, losses := Losses())
    if losses.teams:
        yield from casualties.settle(game, losses)
    if not alive(act.unit, leader):
        yield from leaders.lost_in_activation(game, act)
        return
    if course.length < NOTHING:
        return
    if not arrive_freely(game, act.side, [course], paths_of([course])):
        stop_leader(game, act, course)
        if course.length < NOTHING:
            return
        place(game, leader, *course.at(course.length), course.faces())
    mark_moved(act, leader, course.length)
    assert leader.at is not None
    ways = {leader.id: [list(course.path[0]), *passed(course), list(leader.at)]}
    text = f"{team_label(leader)} moves {course.length:.1f} inches."
    data: dict[str, Any] = {"team": leader.id, "ways": ways, "inches": {leader.id: round(course.length, 2)}}
    game.tell("leader-move", text, "hof.leaders.move-12", *course.rules, seat=act.side, **data)


def stop_leader(game: Game[State], act: Activation, course: Course) -> None:
    """He stops short of the enemy, and of whoever stands where he would."""
    here = board(game)
    enemies = here.side(other(act.side))
    if enemies.teams:
        theirs = here.rows.take(enemies.rows, axis=0)
        stop_at_enemies(here, [course], theirs)
        if measure.within(measure.distances(course.row(here).reshape(1, 8), theirs).min(), CONTACT):
            stop_short(here, [course], [course], theirs)
    untangle(here, [course])


# Moves outside of orders.


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
    if course.length < NOTHING:
        return None
    x, y = course.at(course.length)
    return Step((round(x, 2), round(y, 2)), course.faces(), via=[(x, y) for x, y in passed(course)])


def free_move(
    game: Game[State],
    act: Activation,
    unit: Unit,
    team: Team,
    inches: float,
    topic: str,
    words: str,
    rules: tuple[str, ...],
    losses: Losses,
    legal: Callable[[dict[str, Step]], Refusal | None] | None = None,
) -> Flow[bool]:
    """One Team may move so many inches without a roll or a Terrain Check. False if it stays."""
    if team.at is None or immovable(team) is not None:
        return False
    law = MoveLaw(game, act, unit.side, [(unit, team)], {team.id: (inches, rules[0])}, extra=legal)
    steps = yield from ask_move(game, law, topic, words, rules, {"unit": unit.id, "team": team.id})
    step = steps.get(team.id)
    if step is None:
        return False
    step = yield from past_obstacles(game, unit, team, step, losses)
    if step is None:
        return not alive(unit, team)
    course = course_of(unit, team, step)
    course.length = course.whole
    facing = course.faces()
    place(game, team, *step.to, facing)
    leave_place(team)
    ways = {team.id: [list(point) for point in course.path]}
    text = f"{team_label(team)} moves {course.whole:.1f} inches."
    game.tell("free-move", text, *rules, seat=unit.side, team=team.id, ways=ways)
    return course.whole > NOTHING
