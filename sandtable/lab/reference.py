"""The greedy bot as it first was, with what a position was worth to it then: what later ones are measured against.

Nothing here is offered to players, and nothing here is improved: it stays as it is so that a comparison can be
repeated. It looks at the first few candidates of each question, once or twice, and follows each to the next checkpoint.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random
from typing import Any

import msgspec

from sandtable.engine.questions import Answer
from sandtable.engine.seat import Seat
from sandtable.field.reckoning import decided, held
from sandtable.rulesets.hof.core import state as hof
from sandtable.rulesets.sof.core import state as sof
from sandtable.rulesets.tr14.core import state as tr14

CANDIDATES, SHORT_LIST, DETAILS, MOST_ANSWERS = 7, 2, 3, 40


class ReferenceBot:
    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def choose(self, seat: Seat) -> Answer:
        question = seat.question
        turning = seat.at_checkpoint
        most = CANDIDATES if turning else DETAILS
        listed = question.answers()
        answers = listed if listed is not None and len(listed) <= most else question.candidates(most)
        if len(answers) == 1:
            return answers[0]
        first, second = self.random.getrandbits(32), self.random.getrandbits(32)
        values = {number: look(seat, answer, first) for number, answer in enumerate(answers)}
        ranked = sorted(values, key=lambda number: -values[number])
        if turning:
            again = {number: values[number] + look(seat, answers[number], second) for number in ranked[:SHORT_LIST]}
            ranked = sorted(again, key=lambda number: -again[number])
        return answers[ranked[0]]


def look(seat: Seat, answer: Answer, seed: int) -> float:
    twin = None if reserves_come(seat) else seat.look(seed)
    if twin is None:
        return 0.0
    twin.accept(answer)
    for _ in range(MOST_ANSWERS):
        if twin.ask is None or twin.ask.checkpoint:
            break
        twin.accept(twin.ask.question.candidates(1)[0])
    return WORTHS[seat.ruleset](twin.state, seat.name)


def reserves_come(seat: Seat) -> bool:
    """Whether reserves are coming in `hof`: nothing could be imagined then, so it took what was proposed."""
    if seat.ruleset != "hof":
        return False
    game = seat._game
    game.keep_checkpoints()
    assert game.checkpoint is not None
    return msgspec.msgpack.decode(game.checkpoint.state, type=hof.State).phase == "reinforce"


# What a position was worth.

TR14_TEAMS = {"infantry": 1.0, "gun": 1.5, "tank": 2.5}


def worth_in_tr14(state: tr14.State, seat: str) -> float:
    over = decided(state.result, seat)
    if over is not None:
        return over
    value = 0.0
    for unit, team in tr14.all_teams(state):
        sign = 1.0 if unit.side == seat else -1.0
        value += sign * (TR14_TEAMS[team.kind.type] * (1.0 - 0.3 * min(team.markers, 2)) + (0.5 if team.role else 0.0))
        if team.at is not None:
            near = min((math.dist(team.at, objective.at) for objective in state.objectives.values()), default=0.0)
            value -= sign * 0.02 * min(near, 40.0)
        if team.dug_in:
            value += sign * 0.1
        if unit.overwatch and unit.side == seat:
            value += 0.05
    for side, points in held(state.objectives, lambda objective: objective.worth).items():
        value += (1.0 if side == seat else -1.0) * 4.0 * points
    return value


HOF_FAR, HOF_LURKING = 40.0, 16.0


def worth_in_hof(state: hof.State, seat: str) -> float:
    over = decided(state.result, seat)
    if over is not None:
        return over
    value = 0.0
    goals = [objective.at for objective in state.objectives.values()]
    for unit, team in hof.all_teams(state):
        sign = 1.0 if unit.side == seat else -1.0
        value += sign * hof_team(team)
        if goals and not team.kind.small:
            value -= sign * (0.04 if unit.side == state.attacker else 0.01) * hof_far(state, unit, team, goals)
    for side, count in held(state.objectives).items():
        sign = 1.0 if side == seat else -1.0
        company = state.companies[side]
        value -= sign * 0.6 * company.break_points
        value += sign * 3.0 * count
        value += sign * 0.3 * company.order_points + sign * 0.25 * company.hero_points
    return value


def hof_far(state: hof.State, unit: hof.Unit, team: hof.Team, goals: list[hof.Point]) -> float:
    if team.at is not None:
        return min(HOF_FAR, *(math.dist(team.at, goal) for goal in goals))
    return HOF_LURKING if team.where == "hidden" and unit.side != state.attacker else HOF_FAR


def hof_team(team: hof.Team) -> float:
    kind = team.kind
    full = 0.6 if kind.small else 0.5 if kind.transport else 2.5 if kind.armored else 1.5
    if team.role in ("pl", "cc"):
        full = 1.2
    full *= 0.82 ** min(team.rfps, 4)
    return full * (0.7 if team.suppressed else 1.0)


def worth_in_sof(state: sof.State, seat: str) -> float:
    over = decided(state.result, seat)
    if over is not None:
        return over
    value = 0.0
    goals = [objective.at for objective in state.objectives.values()]
    for unit in state.units.values():
        sign = 1.0 if unit.side == seat else -1.0
        men = sum((0.4 if figure.disabled else 1.0) + 0.5 * figure.character for figure in unit.teams.values())
        value += sign * men * (1.0 - 0.05 * min(unit.suppression, 6))
        spots = [figure.at for figure in unit.teams.values() if figure.at is not None]
        if spots and goals:
            value -= 0.05 * sign * min(math.dist(spots[0], goal) for goal in goals)
    return value


WORTHS: dict[str, Callable[[Any, str], float]] = {"hof": worth_in_hof, "tr14": worth_in_tr14, "sof": worth_in_sof}
