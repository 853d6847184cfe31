"""Reaction Fire and Overwatch: fire in the enemy's activation, at a Unit on the move."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import Choose, Option
from sandtable.engine.ruleset import Ask
from sandtable.rulesets.tr14.board import Mask, board
from sandtable.rulesets.tr14.firing import FireTable, Order, able_to_shoot, ask_fire
from sandtable.rulesets.tr14.moving import Course, take_courses
from sandtable.rulesets.tr14.shooting import Manner, Outcome, volley
from sandtable.rulesets.tr14.state import Member, State, Team, Unit, label, other
from sandtable.table import distance as measure
from sandtable.table.shapes import X, Y

REACTION_RANGE = 18.0
"""tr14.firing.reaction-fire"""

MOMENTS = (0.25, 0.5, 0.75, 1.0)
"""The points of a move at which it can be fired on."""


def manner_of(unit: Unit) -> Manner:
    return "overwatch" if unit.overwatch and not unit.to_ground else "reaction"


def ready_teams(game: Game[State], unit: Unit) -> list[Team]:
    return [team for team in unit.teams.values() if able_to_shoot(game, team)]


def chances(game: Game[State], unit: Unit, courses: Sequence[Course]) -> dict[float, list[Team]]:
    """The Teams of a Unit that may fire at the movers, at each moment of the move at which there are any."""
    ready = ready_teams(game, unit)
    if not ready:
        return {}
    here = board(game)
    count = len(courses)
    rows = np.tile(here.of([course.team for course in courses]), (len(MOMENTS), 1))
    for number, moment in enumerate(MOMENTS):
        for position, course in enumerate(courses):
            rows[number * count + position, (X, Y)] = course.at(moment)
    near: Mask | None = None
    if manner_of(unit) == "reaction":
        close = measure.distances(here.of(ready), rows).reshape(len(ready), len(MOMENTS), count) <= REACTION_RANGE
        in_time = close.any(axis=2)
        if not in_time.any():
            return {}
        near = np.repeat(in_time, count, axis=1)
    members = [(course.unit, course.team) for course in courses] * len(MOMENTS)
    table = FireTable(game, ready, unit.side, members, rows, near)
    able = table.any_fire().reshape(len(ready), len(MOMENTS), count).any(axis=2)
    found = {}
    for number, moment in enumerate(MOMENTS):
        teams = [team for position, team in enumerate(ready) if able[position, number]]
        if teams:
            found[moment] = teams
    return found


def reaction_fire(
    game: Game[State], mover: Unit, courses: list[Course], assaulted: Unit | None = None
) -> Flow[tuple[Outcome, float]]:
    """The other side's chances to fire at a moving Unit.

    Returns what the assaulted Unit's fire did, and the point of the move at which it fired last.
    """
    outcome = Outcome()
    moment_of_fire = 1.0
    waiting = within_reach(game, mover, courses)
    while waiting and (moving := alive(courses)):
        able = {unit.id: found for unit in waiting if (found := chances(game, unit, moving))}
        if not able:
            break
        unit = yield from ask_who(game, mover, [unit for unit in waiting if unit.id in able])
        if unit is None:
            break
        waiting = [each for each in waiting if each.id in able and each is not unit]
        moment = yield from ask_moment(mover, unit, moving, list(able[unit.id]))
        take_courses(game, moving, moment)
        done = yield from react(game, mover, unit, moving, able[unit.id][moment])
        if done is not None and unit is assaulted:
            outcome.hits += done.hits
            outcome.results += done.results
            moment_of_fire = min(moment_of_fire, moment)
        waiting = [each for each in waiting if each.id in game.state.units]
    return outcome, moment_of_fire


def within_reach(game: Game[State], mover: Unit, courses: Sequence[Course]) -> list[Unit]:
    """The enemy Units near enough to the way of the movers that they might fire: a quick look before the close one."""
    here = board(game)
    enemies = here.sides[other(mover.side)]
    if not enemies or not courses:
        return []
    between = measure.distances(here.all_of(enemies), here.of([course.team for course in courses])).min(axis=1)
    between -= max(math.dist(course.path[0], course.path[-1]) if course.free else course.length for course in courses)
    found: dict[str, Unit] = {}
    for (unit, team), near in zip(enemies, between.tolist(), strict=True):
        limit = team.kind.reach if manner_of(unit) == "overwatch" else REACTION_RANGE
        if near <= limit and able_to_shoot(game, team):
            found[unit.id] = unit
    return list(found.values())


def alive(courses: Sequence[Course]) -> list[Course]:
    return [course for course in courses if course.team.id in course.unit.teams]


def ask_who(game: Game[State], mover: Unit, able: list[Unit]) -> Flow[Unit | None]:
    options = [Option("pass", "Hold fire")]
    options += [Option(unit.id, f"{label(unit)} fires ({manner_of(unit)})") for unit in able]
    rules = ("tr14.firing.reaction-fire", "tr14.playing.action-overwatch")
    words = f"{label(mover)} is moving. Who fires at it?"
    facts = {"mover": mover.id, "units": [unit.id for unit in able], "overwatch": any(u.overwatch for u in able)}
    answer = yield Ask(able[0].side, Choose("react", words, options, rules=rules, facts=facts))
    return None if answer == "pass" else game.state.units[answer]


def ask_moment(mover: Unit, unit: Unit, courses: Sequence[Course], possible: list[float]) -> Flow[float]:
    """The firer's choice of the moment in the enemy's move."""
    if len(possible) == 1 or all(course.length < 0.5 for course in courses):
        return possible[-1]
    options = [Option(f"{moment:g}", moment_words(moment)) for moment in reversed(possible)]
    words = f"At which point of {label(mover)}'s move does {label(unit)} fire?"
    answer = yield Ask(unit.side, Choose("moment", words, options, rules=("tr14.firing.reaction-fire",)))
    return float(answer)


def moment_words(moment: float) -> str:
    return {0.25: "a quarter of the way", 0.5: "halfway", 0.75: "three quarters of the way", 1.0: "at its end"}[moment]


def react(
    game: Game[State], mover: Unit, unit: Unit, courses: Sequence[Course], teams: list[Team]
) -> Flow[Outcome | None]:
    """One Unit's fire at the movers, who stand where they are at the chosen moment."""
    manner = manner_of(unit)
    targets = list({id(course.unit): course.unit for course in courses}.values())
    words = f"Which Teams of {label(unit)} fire at {label(mover)}?"
    rule = "tr14.firing.reaction-fire" if manner == "reaction" else "tr14.playing.action-overwatch"
    orders: dict[str, Order] = yield from ask_fire(
        game, unit, words, rule, teams=teams, at=targets, topic="reaction-fire"
    )
    orders = {team: order for team, order in orders.items() if order.unit == next(iter(orders.values())).unit}
    if not orders:
        return None
    target = game.state.units[next(iter(orders.values())).unit]
    outcome = yield from volley(game, unit, orders, target, manner, moving_target=True)
    if manner == "overwatch":
        unit.overwatch = False
    if unit.to_ground:
        unit.to_ground = False
        text = f"{label(unit)} has fired and is no longer gone to ground."
        game.tell("up-again", text, "tr14.firing.gtg-reaction-ends-it", seat=unit.side, unit=unit.id)
    return outcome


