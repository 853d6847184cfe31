"""How a Leader moves: on his own, along with the Team that he rallied, and as far as he brings a Team up."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import (
    Refusal,
    Step,
    illegal,
)
from sandtable.rulesets.hof.core.acts import Activation, Losses, alive
from sandtable.rulesets.hof.core.board import board, place
from sandtable.rulesets.hof.core.labels import full_label, team_label
from sandtable.rulesets.hof.core.nearby import gaps
from sandtable.rulesets.hof.core.state import State, Team, Unit, other
from sandtable.rulesets.hof.leaders import abilities, ask_place, replacement
from sandtable.rulesets.hof.morale import morale
from sandtable.rulesets.hof.moving.courses import (
    Course,
    arrive_freely,
    course_of,
    mark_moved,
    passed,
    paths_of,
    stop_at_enemies,
    stop_short,
    untangle,
)
from sandtable.rulesets.hof.moving.distance import watched_ways
from sandtable.rulesets.hof.moving.legality import (
    MoveLaw,
    goes_nearer,
    held_back,
)
from sandtable.rulesets.hof.moving.on_the_way import cross_ground, past_obstacles
from sandtable.rulesets.hof.moving.proposals import ask_move
from sandtable.table import distance as measure
from sandtable.table import moves
from sandtable.table.hairs import A_HAIR, CONTACT, NOTHING, SLACK
from sandtable.table.shapes import X, Y, snap

LEADER = 12.0
"""hof.leaders.move-12"""


def move_along(game: Game[State], act: Activation, unit: Unit, team: Team, losses: Losses) -> Flow[None]:
    """The Team that he rallied has moved: the Leader ends in base contact with it."""
    leader = act.leader
    if leader is None or team is not act.rallied or team.at is None or leader.at is None:
        return
    if not alive(act.unit, leader) or not alive(unit, team):
        return
    start = leader.at
    if measure.beyond(gaps(game, [leader], [team])[0, 0], CONTACT):
        rule = "hof.leaders.rally-move-along"
        (x, y), _ = act.starts[team.id]
        as_before = Step((snap(start[0] + team.at[0] - x), snap(start[1] + team.at[1] - y)), leader.facing)

        def barred(step: Step) -> Refusal | None:
            return refuse_along(game, act.unit, leader, step)

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


def refuse_along(game: Game[State], unit: Unit, leader: Team, step: Step) -> Refusal | None:
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


def moved_up(game: Game[State], act: Activation, course: Course, inches: float) -> Flow[float]:
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


def end_at_leader(game: Game[State], act: Activation, course: Course, inches: float) -> float | None:
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


def move_leader(game: Game[State], act: Activation) -> Flow[None]:
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
    if losses.teams:
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
