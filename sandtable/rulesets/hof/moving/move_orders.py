"""Moving: destinations before dice, and how far each Team comes; and how a Leader moves.

He moves on his own, along with the Team that he rallied, and as far as he brings a Team up.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from sandtable.engine.events import several
from sandtable.engine.game import Flow
from sandtable.engine.questions import Refusal, Step, illegal
from sandtable.field.courses import stop_at_enemies
from sandtable.rulesets.hof.core.acts import Activation, Losses, Order, alive
from sandtable.rulesets.hof.core.board import Battle, board, place
from sandtable.rulesets.hof.core.labels import full_label, label, team_label
from sandtable.rulesets.hof.core.state import Member, Team, Unit
from sandtable.rulesets.hof.leaders import abilities, ask_place, replacement
from sandtable.rulesets.hof.morale import morale
from sandtable.rulesets.hof.moving.courses import (
    Course,
    arrive_freely,
    course_of,
    cross_ground,
    drive,
    leave_place,
    mark_moved,
    passed,
    past_obstacles,
    paths_of,
    settle,
    stop_short,
    untangle,
)
from sandtable.rulesets.hof.moving.distance import allowance, inches_of, watched_ways
from sandtable.rulesets.hof.moving.gamble import gamble
from sandtable.rulesets.hof.moving.legality import MoveLaw, goes_nearer, held_back, immovable
from sandtable.rulesets.hof.moving.proposals import ask_move
from sandtable.table import distance as measure
from sandtable.table import moves
from sandtable.table.hairs import A_HAIR, CONTACT, NOTHING, SLACK
from sandtable.table.shapes import X, Y, face, snap

LEADER = 12.0
"""hof.leaders.move-12"""

# Declaring.


def declare(game: Battle, act: Activation, order: Order) -> Flow[None]:
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


def declare_later(game: Battle, act: Activation, order: Order, members: list[Member]) -> Flow[None]:
    """Teams of a Move order that had no place when it was declared go in the same direction as the others."""
    ways = [
        (team.at, order.steps[team.id].to)
        for unit, team in order.members
        if team.id in order.steps and team.at is not None and alive(unit, team)
    ]
    law = MoveLaw(game, act, act.side, members, ways=ways)
    order.steps.update((yield from ask_ways(game, act, order, law)))


def ask_ways(game: Battle, act: Activation, order: Order, law: MoveLaw) -> Flow[dict[str, Step]]:
    rules = ("hof.moving.declare-destination", "hof.activation.split-combinations")
    facts = {"unit": act.unit.id, "order": order.name}
    words = f"Where does {label(act.unit)} move{' (second order)' if order.name != 'move' else ''}?"
    ordered = [member for member in law.members if member[1].id not in law.limits]
    return (yield from ask_move(game, law, "move", words, rules, facts, partial(gamble, game, act, ordered)))


# Carrying out.


def carry_out(game: Battle, act: Activation, order: Order, losses: Losses) -> Flow[list[Member]]:
    """A Move order: how far each Team comes, and what happens on the way. Returns those who end in contact."""
    act.acted.update([team.id for _, team in order.members])
    if not order.steps:
        return []
    turning: list[Course] = []
    going_on: list[Course] = []
    for unit, team in order.members:
        step = order.steps.get(team.id)
        if step is None or team.at is None or not alive(unit, team) or immovable_now(team, step):
            continue
        if not (team.suppressed and held_back(game, unit, team, step)):
            course = course_of(unit, team, step)
            (turning if measure.negligible(course.whole) else going_on).append(course)
    for course in turning:
        turn_in_place(game, act, course)
    if going_on:
        paths = paths_of(going_on)
        yield from set_lengths(game, act, going_on, paths, losses)
        left = [course for course in going_on if alive(course.unit, course.team)]
        if len(left) < len(going_on):
            going_on, paths = left, paths_of(left)
        attackers = settle(game, act, going_on, paths)
        finish_moves(game, act, going_on, order.rules)
        for course in going_on:
            if course.team is act.rallied:
                yield from move_along(game, act, course.unit, course.team, losses)
        return attackers
    return []


def immovable_now(team: Team, step: Step) -> bool:
    """What has come to hold a Team since it was ordered; turning on the spot is open to Immobile guns."""
    why = immovable(team)
    return why is not None and (why[0] != "hof.special-rules.immobile" or team.at != step.to)


def turn_in_place(game: Battle, act: Activation, course: Course) -> None:
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
    text = f"{team_label(course.unit, team)} turns to {team.facing:g} degrees."
    game.tell("turn-in-place", text, *rules, seat=course.unit.side, team=team.id, facing=team.facing)


def set_lengths(game: Battle, act: Activation, courses: list[Course], paths: moves.Paths, losses: Losses) -> Flow[None]:
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
        if measure.nearer(inches, course.whole, NOTHING):
            inches += yield from moved_up(game, act, course, inches)
            if measure.nearer(inches, course.whole, NOTHING):
                course.cut = True
                course.rules.append("hof.moving.short-roll")
        course.length = min(course.whole, inches)
        if hard is not False or obstructed or options.interruption:
            yield from drive(game, course, losses, hard)


def finish_moves(game: Battle, act: Activation, courses: list[Course], rules: Sequence[str]) -> None:
    """Mark and tell what the Teams of an order have done."""
    cited = [*rules, "hof.moving.declare-destination"]
    ways: dict[str, Any] = {}
    inches: dict[str, float] = {}
    for course in courses:
        team = course.team
        if measure.negligible(course.length):
            continue
        if team.dug_in:
            cited.append("hof.battle.dug-in")
        mark_moved(act, team, course.length)
        cited += course.rules
        assert team.at is not None
        ways[team.id] = [list(course.path[0]), *passed(course), list(team.at)]
        inches[team.id] = snap(course.length)
    if not ways:
        return
    farthest = max(inches.values())
    text = f"{label(act.unit)} moves {several(len(ways), 'Team')}, up to {farthest:.1f} inches."
    game.tell("move", text, *dict.fromkeys(cited), seat=act.side, unit=act.unit.id, ways=ways, inches=inches)


# Moves outside of orders.


def free_move(
    game: Battle,
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
    place(game, team, *step.to, course.faces())
    leave_place(team)
    ways = {team.id: [list(point) for point in course.path]}
    text = f"{team_label(unit, team)} moves {course.whole:.1f} inches."
    game.tell("free-move", text, *rules, seat=unit.side, team=team.id, ways=ways)
    return not measure.negligible(course.whole)


# Leaders.


def move_along(game: Battle, act: Activation, unit: Unit, team: Team, losses: Losses) -> Flow[None]:
    """The Team that he rallied has moved: the Leader ends in base contact with it."""
    leader = act.leader
    if leader is None or team is not act.rallied or team.at is None or leader.at is None:
        return
    if not alive(act.unit, leader) or not alive(unit, team):
        return
    start = leader.at
    if measure.beyond(board(game).gaps([leader], [team])[0, 0], CONTACT):
        rule = "hof.leaders.rally-move-along"
        (x, y), _ = act.starts[team.id]
        as_before = Step((snap(start[0] + team.at[0] - x), snap(start[1] + team.at[1] - y)), leader.facing)
        barred = partial(refuse_along, game, act.unit, leader)
        step = yield from ask_place(game, act.unit, leader, [team], "leader-along", rule, as_before, barred)
        if step is None:
            held_back(game, act.unit, leader, as_before)
            return
        step = yield from past_obstacles(game, act.unit, leader, step, losses)
        if step is None:
            return
        place(game, leader, *step.to, step.facing)
        mark_moved(act, leader, math.dist(start, step.to))
    text = f"{team_label(unit, leader)} moves along with {team_label(unit, team)}."
    rules = ("hof.leaders.rally-move-along", "hof.leaders.move-12")
    ways = {leader.id: [start, leader.at]}
    game.tell("leader-move", text, *rules, seat=act.side, team=leader.id, along=team.id, ways=ways)


def refuse_along(game: Battle, unit: Unit, leader: Team, step: Step) -> Refusal | None:
    """hof.leaders.move-12 and hof.rfp-rally.suppressed-effects hold for him when he goes along, too."""
    assert leader.at is not None
    inches = math.dist(leader.at, step.to)
    if measure.beyond(inches, LEADER, A_HAIR):
        message = f"{team_label(unit, leader)} would move {inches:.1f} inches."
        legal = f"He may move up to {LEADER:g} inches."
        return illegal("hof.leaders.move-12", message, field=leader.id, legal=legal)
    if leader.suppressed and goes_nearer(game, unit.side, leader, step.to):
        message = f"{team_label(unit, leader)} is Suppressed and would come nearer to an enemy that he sees."
        legal = "Choose a place beside the Team that is no nearer."
        return illegal("hof.rfp-rally.suppressed-effects", message, field=leader.id, legal=legal)
    return None


def declare_leader(game: Battle, act: Activation) -> Flow[None]:
    """hof.leaders.move-12: the Leader may move whatever his Unit does."""
    leader = act.leader
    if leader is None or leader.at is None:
        return
    law = MoveLaw(game, act, act.side, [(act.unit, leader)], {leader.id: (LEADER, "hof.leaders.move-12")})
    words = f"Where does the {full_label(act.unit, leader)} move?"
    facts = {"unit": act.unit.id, "led": bool(act.orders) or act.with_others}
    steps = yield from ask_move(game, law, "leader-move", words, ("hof.leaders.move-12",), facts)
    act.leader_step = steps.get(leader.id)


def moved_up(game: Battle, act: Activation, course: Course, inches: float) -> Flow[float]:
    """hof.leaders.move-up: what the Leader, or the Commander above him, adds to a move that falls short.

    hof.moving.unseen-maximum: who has not rolled is not brought up into the enemy's sight.
    """
    more = 0.0
    for each in (act, act.above):
        if each is None or not measure.nearer(inches + more, course.whole, NOTHING):
            continue
        end = end_at_leader(game, each, course, inches + more)
        if end is None:
            continue
        if not course.rolled and watched_ways(game, act.side, [course], paths_of([course]), [end])[0]:
            break
        if (yield from abilities.move_up(game, each, course.unit, course.team)):
            course.rules.append("hof.leaders.move-up")
            more = end - inches
    return more


def end_at_leader(game: Battle, act: Activation, course: Course, inches: float) -> float | None:
    """How far along its path three more inches bring a Team into base contact with its Leader; None if they do not."""
    leader = act.leader
    if leader is None or leader.at is None or leader is course.team or leader.suppressed or act.ability:
        return None
    here = board(game)
    if leader.id not in here.index:
        return None
    course.length = min(course.whole, inches + abilities.MOVE_UP)
    row, beside = course.row(here), here.rows[[here.index[leader.id]]]
    if measure.beyond(measure.distances(row.reshape(1, 8), beside).min(), CONTACT):
        return None
    if not measure.overlaps(row.reshape(1, 8), beside, SLACK).any():
        return course.length
    # He stands in its way: it ends where their bases meet.
    row[X : Y + 1] = course.path[0]
    at = moves.sweep(row, np.array(course.path), beside, SLACK) - A_HAIR
    return at if inches + NOTHING < at < course.length else None


def move_leader(game: Battle, act: Activation) -> Flow[None]:
    """hof.leaders.move-12: he goes where he was to go, without a die, before his Teams carry out their orders."""
    leader, step = act.leader, act.leader_step
    if leader is None or step is None or leader.at is None or not alive(act.unit, leader):
        return
    if abilities.goes_along(act) or held_back(game, act.unit, leader, step):
        return
    course = course_of(act.unit, leader, step)
    if measure.negligible(course.whole):
        return
    course.length = course.whole
    if measure.beyond(course.whole, LEADER, A_HAIR):
        course.length, course.cut = LEADER, True
    yield from cross_ground(game, course, losses := Losses())
    yield from morale.settle(game, losses)
    if not alive(act.unit, leader):
        yield from replacement.lost_in_activation(game, act)
        return
    if measure.negligible(course.length):
        return
    if not arrive_freely(game, act.side, [course], paths_of([course])):
        stop_leader(game, act, course)
        if measure.negligible(course.length):
            return
        place(game, leader, *course.at(course.length), course.faces())
    mark_moved(act, leader, course.length)
    assert leader.at is not None
    ways = {leader.id: [list(course.path[0]), *passed(course), list(leader.at)]}
    text = f"{team_label(act.unit, leader)} moves {course.length:.1f} inches."
    data: dict[str, Any] = {"team": leader.id, "ways": ways, "inches": {leader.id: snap(course.length)}}
    game.tell("leader-move", text, "hof.leaders.move-12", *course.rules, seat=act.side, **data)


def stop_leader(game: Battle, act: Activation, course: Course) -> None:
    """He stops short of the enemy, and of whoever stands where he would."""
    here = board(game)
    if here.enemies(act.side).teams:
        theirs = here.enemy_rows(act.side)
        stop_at_enemies(here, [course], theirs)
        if measure.within(measure.distances(course.row(here).reshape(1, 8), theirs).min(), CONTACT):
            stop_short(here, [course], [course], theirs)
    untangle(here, [course])
