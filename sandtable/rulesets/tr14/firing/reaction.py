"""Reaction Fire and Overwatch: fire in the enemy's activation, at a Unit on the move."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from sandtable.engine.game import Flow, choose_one
from sandtable.engine.questions import Choices, LaterDict, Option, Why, illegal
from sandtable.field.courses import length_of
from sandtable.rulesets.tr14.core.board import Battle, Board, Rows, Side, board
from sandtable.rulesets.tr14.core.names import label, unit_option
from sandtable.rulesets.tr14.core.state import Member, Team, Unit, other, units_of
from sandtable.rulesets.tr14.firing.fire_table import HALF_CIRCLE
from sandtable.rulesets.tr14.firing.orders import REACTION_RANGE, able_to_shoot, ask_fire
from sandtable.rulesets.tr14.firing.shooting import Outcome, fire_orders
from sandtable.rulesets.tr14.firing.shots import Manner, Salvo
from sandtable.rulesets.tr14.kernels import fire, marches
from sandtable.rulesets.tr14.moving import Course, get_up, take_courses
from sandtable.table import moves
from sandtable.table.hairs import EXACT, within
from sandtable.table.shapes import COS, X, heading, snap

HOLD_FIRE = Option("pass", "Hold fire")

MOMENTS = {0.25: "a quarter of the way", 0.5: "halfway", 0.75: "three quarters of the way", 1.0: "at its end"}
"""The points of a move at which it can be fired on."""

PARTS = np.array(list(MOMENTS))
STAGES = np.arange(len(MOMENTS) + 1)


def manner_of(unit: Unit) -> Manner:
    return "overwatch" if unit.overwatch and not unit.held else "reaction"


def watchers(game: Battle, mover: Unit, courses: Sequence[Course]) -> dict[str, dict[float, list[Team]]]:
    """Which Teams of which enemy Units could fire at a moving Unit, at which moments of its move."""
    here = board(game)
    friends = here.side(other(mover.side))
    numbers = within_reach(game, here, friends, courses)
    if not numbers:
        return {}
    ready = [friends.members[number] for number in numbers]
    members = moving_members(courses)
    limits = [math.inf if unit.overwatch and not unit.held else REACTION_RANGE + EXACT for unit, _ in ready]
    moments = fire.groups_of(
        rows_at_moments(here, members, courses), STAGES * len(members), np.array([len(courses)] * len(MOMENTS))
    )
    able = fire.watch(
        here.ground.lens, here.places, friends.troops, np.array(numbers), np.array(limits), moments, HALF_CIRCLE
    )
    found: dict[str, dict[float, list[Team]]] = {}
    if able.any():
        for (unit, team), can in zip(ready, able.tolist(), strict=True):
            for moment, yes in zip(MOMENTS, can, strict=True):
                if yes:
                    found.setdefault(unit.id, {}).setdefault(moment, []).append(team)
    return found


def within_reach(game: Battle, here: Board, friends: Side, courses: Sequence[Course]) -> list[int]:
    """Those near enough to the movers' ways that they might fire: a quick look before the close one."""
    if not friends.members:
        return []
    far = REACTION_RANGE + EXACT + max([length_of(course.path) for course in courses])
    index = here.index
    going = np.array([index[course.team.id] for course in courses])
    near = {number for number, _ in moves.pairs_within(here.rows, friends.rows, going, far)}
    return [
        number
        for number, (unit, team) in enumerate(friends.members)
        if (number in near or unit.overwatch) and able_to_shoot(game, team)
    ]


def rows_at_moments(here: Board, members: Sequence[Member], courses: Sequence[Course]) -> Rows:
    """Where everybody of the moving Unit is at each moment: those on their way first."""
    index = here.index
    numbers = np.array([index[team.id] for _, team in members])
    for course in courses:
        if len(course.path) > 2:
            return rows_round_corners(here.rows.take(numbers, axis=0), courses)
    ways = [(*course.path[0], *course.end, *heading(course.faces())) for course in courses]
    return marches.stages(here.rows, numbers, np.array(ways), PARTS)


def rows_round_corners(rows: Rows, courses: Sequence[Course]) -> Rows:
    moments = np.repeat(rows[None], len(MOMENTS), axis=0)
    for number, moment in enumerate(MOMENTS):
        moments[number, : len(courses), X : COS + 1] = [
            (*map(snap, course.part(moment)), *heading(course.faces())) for course in courses
        ]
    return moments.reshape(-1, rows.shape[1])


def moving_members(courses: Sequence[Course]) -> list[Member]:
    """The Teams on the move, and then those of their Units that stay: the Unit as a whole is fired at."""
    members: list[Member] = [(course.unit, course.team) for course in courses]
    moving = {course.team.id for course in courses}
    for unit in {course.unit.id: course.unit for course in courses}.values():
        members += [(unit, team) for team in unit.teams.values() if team.id not in moving]
    return members


def reaction_fire(
    game: Battle, mover: Unit, courses: list[Course], assaulted: Sequence[Unit] = ()
) -> Flow[tuple[Outcome, float]]:
    """The other side's chances to fire at a moving Unit.

    Returns what the fire of the assaulted did, and the point of the move at which it first caught the movers.
    """
    outcome = Outcome()
    moment_of_fire = 1.0
    passed: set[str] = set()
    while moving := alive(courses):
        watching = watchers(game, mover, moving)
        able = [game.state.units[name] for name in watching if name not in passed]
        if not able:
            break
        unit = yield from ask_who(game, mover, able)
        if unit is None:
            break
        passed.add(unit.id)
        moment = yield from ask_moment(mover, unit, moving, watching[unit.id])
        take_courses(game, moving, moment)
        done = yield from react(game, mover, unit, moving, watching[unit.id][moment])
        if done is not None and unit in assaulted:
            outcome.add(done)
            moment_of_fire = min(moment_of_fire, moment)
    return outcome, moment_of_fire


def alive(courses: Sequence[Course]) -> list[Course]:
    return [course for course in courses if course.team.id in course.unit.teams]


def ask_who(game: Battle, mover: Unit, able: list[Unit]) -> Flow[Unit | None]:
    rules = ("tr14.firing.reaction-fire", "tr14.playing.action-overwatch")
    words = f"{label(mover)} is moving. Who fires at it?"
    facts = {"mover": mover.id, "units": [unit.id for unit in able], "overwatch": any(u.overwatch for u in able)}

    def why_not(unit: Unit | None) -> Why:
        if unit is None or unit in able:
            return None
        return illegal(rules[0], f"no Team of {label(unit)} can fire at {label(mover)} in this move.", field=unit.id)

    side = able[0].side
    choices = Choices(
        LaterDict(lambda: {"pass": None, **{unit.id: unit for unit in units_of(game.state, side)}}),
        lambda unit: HOLD_FIRE if unit is None else unit_option(unit, f" fires ({manner_of(unit)})"),
        why_not,
        quick=lambda: ["pass", *(unit.id for unit in able)],
    )
    return (yield from choose_one(side, "react", words, choices, rules=rules, facts=facts, step="reply"))


def ask_moment(mover: Unit, unit: Unit, courses: Sequence[Course], able: Mapping[float, Sequence[Team]]) -> Flow[float]:
    """The firer's choice of the moment in the enemy's move; the last at which most are `able` to fire is proposed."""
    if len(able) == 1 or all(course.length < 0.5 for course in courses):
        return max(able)
    words = f"At which point of {label(mover)}'s move does {label(unit)} fire?"
    moments = {f"{moment:g}": moment for moment in sorted(able, reverse=True)}
    choices = Choices(moments, lambda each: Option(f"{each:g}", MOMENTS[each]))
    rules, best = ("tr14.firing.reaction-fire",), f"{best_moment(able):g}"
    return (yield from choose_one(unit.side, "moment", words, choices, rules=rules, default=lambda: best, step="reply"))


def best_moment(able: Mapping[float, Sequence[Team]]) -> float:
    """The last moment at which most are able to fire."""
    return max(able, key=lambda moment: (len(able[moment]), moment))


def beyond_reaction(game: Battle, teams: list[Team], courses: Sequence[Course]) -> set[tuple[str, str]]:
    """Which Teams may not react to which Units: none of that Unit who moves is near, though others may be.

    A battery and its observer move together, but are two Units to whoever fires.
    """
    moving: dict[str, list[Team]] = {}
    for course in courses:
        moving.setdefault(course.unit.id, []).append(course.team)
    return {
        (team.id, name)
        for team in teams
        for name, movers in moving.items()
        if not within(board(game).gap([team], movers), REACTION_RANGE)
    }


def react(game: Battle, mover: Unit, unit: Unit, courses: Sequence[Course], teams: list[Team]) -> Flow[Outcome | None]:
    """One Unit's fire at the movers, who stand where they are at the chosen moment."""
    manner = manner_of(unit)
    targets = list({course.unit.id: course.unit for course in courses}.values())
    words = f"Which Teams of {label(unit)} fire at {label(mover)}?"
    rule = "tr14.firing.reaction-fire" if manner == "reaction" else "tr14.playing.action-overwatch"
    far = beyond_reaction(game, teams, courses) if manner == "reaction" and len(targets) > 1 else ()
    fire = yield from ask_fire(
        game, unit, words, rule, teams=teams, at=targets, topic="reaction-fire", manner=manner, too_far=far
    )
    if not fire:
        return None
    outcome = yield from fire_orders(game, Salvo(unit, fire, manner, moving_target=True))
    unit.overwatch = False
    get_up(game, [unit], "fired", "tr14.firing.gtg-reaction-ends-it")
    return outcome
