"""Reaction Fire and Overwatch: fire in the enemy's activation, at a Unit on the move."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import Choose, Option
from sandtable.engine.ruleset import Ask
from sandtable.rulesets.tr14.board import Rows, board
from sandtable.rulesets.tr14.firing import FireTable, Order, ask_fire, may_shoot
from sandtable.rulesets.tr14.moving import Course, take_courses
from sandtable.rulesets.tr14.shooting import Manner, Outcome, volley
from sandtable.rulesets.tr14.state import State, Team, Unit, label, other, units_of
from sandtable.rulesets.tr14.suppression import Member
from sandtable.table import distance as measure
from sandtable.table.shapes import X, Y

REACTION_RANGE = 18.0
"""tr14.firing.reaction-fire"""

MOMENTS = (0.25, 0.5, 0.75, 1.0)
"""The points of a move at which it can be fired on."""


def manner_of(unit: Unit) -> Manner:
    return "overwatch" if unit.overwatch and not unit.to_ground else "reaction"


def rows_at(game: Game[State], courses: Sequence[Course], moment: float) -> Rows:
    rows = board(game).of([course.team for course in courses])
    for row, course in zip(rows, courses, strict=True):
        row[X], row[Y] = course.at(moment)
    return rows


def ready_teams(game: Game[State], unit: Unit) -> list[Team]:
    return [team for team in unit.teams.values() if may_shoot(game, team) is None]


def can_react(game: Game[State], unit: Unit, courses: Sequence[Course], rows: Rows) -> list[Team]:
    """The Teams of a Unit that may fire at the movers where they are at one moment."""
    ready = ready_teams(game, unit)
    if not ready:
        return []
    if manner_of(unit) == "reaction":
        between = measure.distances(board(game).of(ready), rows).min(axis=1)
        ready = [team for team, near in zip(ready, between, strict=True) if near <= REACTION_RANGE]
        if not ready:
            return []
    members: list[Member] = [(course.unit, course.team) for course in courses]
    table = FireTable(game, ready, unit.side, members, rows)
    return [
        team
        for number, team in enumerate(ready)
        if any(table.fireable(number, weapon).any() for weapon in team.kind.weapons)
    ]


def reaction_fire(
    game: Game[State], mover: Unit, courses: list[Course], assaulted: Unit | None = None
) -> Flow[tuple[Outcome, float]]:
    """The other side's chances to fire at a moving Unit.

    Returns what the assaulted Unit's fire did, and the point of the move at which it fired last.
    """
    outcome = Outcome()
    moment_of_fire = 1.0
    waiting = [unit for unit in units_of(game.state, other(mover.side)) if ready_teams(game, unit)]
    while waiting and (moving := alive(courses)):
        able = [unit for unit in waiting if first_moment(game, unit, moving) is not None]
        if not able:
            break
        unit = yield from ask_who(game, mover, able)
        if unit is None:
            break
        waiting = [each for each in able if each is not unit]
        moment = yield from ask_moment(game, mover, unit, moving)
        take_courses(game, moving, moment)
        done = yield from react(game, mover, unit, moving)
        if done is not None and unit is assaulted:
            outcome.hits += done.hits
            outcome.results += done.results
            moment_of_fire = min(moment_of_fire, moment)
        waiting = [each for each in waiting if each.id in game.state.units]
    return outcome, moment_of_fire


def alive(courses: Sequence[Course]) -> list[Course]:
    return [course for course in courses if course.team.id in course.unit.teams]


def first_moment(game: Game[State], unit: Unit, courses: Sequence[Course]) -> float | None:
    for moment in reversed(MOMENTS):
        if can_react(game, unit, courses, rows_at(game, courses, moment)):
            return moment
    return None


def ask_who(game: Game[State], mover: Unit, able: list[Unit]) -> Flow[Unit | None]:
    options = [Option("pass", "Hold fire")]
    options += [Option(unit.id, f"{label(unit)} fires ({manner_of(unit)})") for unit in able]
    rules = ("tr14.firing.reaction-fire", "tr14.playing.action-overwatch")
    words = f"{label(mover)} is moving. Who fires at it?"
    facts = {"mover": mover.id, "units": [unit.id for unit in able], "overwatch": any(u.overwatch for u in able)}
    answer = yield Ask(able[0].side, Choose("react", words, options, rules=rules, facts=facts))
    return None if answer == "pass" else game.state.units[answer]


def ask_moment(game: Game[State], mover: Unit, unit: Unit, courses: Sequence[Course]) -> Flow[float]:
    """The firer's choice of the moment in the enemy's move."""
    possible = [m for m in MOMENTS if can_react(game, unit, courses, rows_at(game, courses, m))]
    if len(possible) == 1 or all(course.length < 0.5 for course in courses):
        return possible[-1]
    options = [Option(f"{moment:g}", moment_words(moment)) for moment in reversed(possible)]
    words = f"At which point of {label(mover)}'s move does {label(unit)} fire?"
    answer = yield Ask(unit.side, Choose("moment", words, options, rules=("tr14.firing.reaction-fire",)))
    return float(answer)


def moment_words(moment: float) -> str:
    return {0.25: "a quarter of the way", 0.5: "halfway", 0.75: "three quarters of the way", 1.0: "at its end"}[moment]


def react(game: Game[State], mover: Unit, unit: Unit, courses: Sequence[Course]) -> Flow[Outcome | None]:
    """One Unit's fire at the movers, who stand where they are at the chosen moment."""
    manner = manner_of(unit)
    teams = can_react(game, unit, courses, board(game).of([course.team for course in courses]))
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


