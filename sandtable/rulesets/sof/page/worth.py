"""What a position is worth to a side, for bots that look ahead."""

from __future__ import annotations

import math
from collections.abc import Sequence

from sandtable.engine.worth import Term, Worth
from sandtable.field.reckoning import decided
from sandtable.rulesets.sof.core.board import Battle, enemies_of, gaps_of, sees
from sandtable.rulesets.sof.core.state import CHARACTERS, Unit
from sandtable.rulesets.sof.missions import held

WOUNDED = 0.4
"""What is left of a figure that lies wounded."""

LEADER, OFFICER = 0.5, 2.0
SUPPRESSED = 0.06
"""How much of a unit each suppression marker takes."""

MOST_MARKERS = 8
FAR = 60.0
"""So far from every objective, or off the table, a unit is of no use there."""

LONG_SHOT = 24.0


def strength(unit: Unit) -> float:
    """A unit's figures, less for those who are wounded and for every marker."""
    figures = unit.teams.values()
    # Whoever bears no wound is not asked.
    men = sum([WOUNDED if (each.wounds or each.permanent) and each.disabled else 1.0 for each in figures])
    leaders = sum([OFFICER if each.role == "officer" else LEADER for each in figures if each.role in CHARACTERS])
    return (men + leaders) * (1.0 - SUPPRESSED * min(unit.suppression, MOST_MARKERS))


def closeness(game: Battle, unit: Unit) -> float:
    """How near a unit is to the objective nearest to it: 1 at it, 0 off the table."""
    spots = [figure.at for figure in unit.teams.values() if figure.at is not None]
    goals = [objective.at for objective in game.state.objectives.values()]
    if not spots or not goals:
        return 0.0
    return max(0.0, 1.0 - min(math.dist(spots[0], goal) for goal in goals) / FAR)


def has_a_shot(game: Battle, unit: Unit, enemies: Sequence[Unit]) -> bool:
    """Whether somebody of a unit sees one of its enemies at no great distance."""
    gaps = gaps_of(game, unit)
    near = [enemy for enemy in enemies if gaps[enemy.id] <= LONG_SHOT]
    return any(sees(game, unit, enemy) for enemy in near)


def weigh(game: Battle, seat: str) -> dict[str, float]:
    """How well a side stands: strength, objectives held and near, who keeps together, and who has a target."""
    state = game.state
    over = decided(state.result, seat)
    if over is not None:
        return {"battle": over}
    found = dict.fromkeys(TERMS, 0.0)
    enemies: dict[str, list[Unit]] = {}
    for unit in state.units.values():
        sign = 1.0 if unit.side == seat else -1.0
        share = strength(unit)
        found["strength"] += sign * share
        found["near"] += sign * closeness(game, unit) * min(1.0, share / 4.0)
        placed = unit.placed
        found["command"] += sign * unit.in_command * placed
        if placed and not unit.ambush:
            if unit.side not in enemies:
                enemies[unit.side] = enemies_of(state, unit)
            found["fire"] += sign * has_a_shot(game, unit, enemies[unit.side])
    # An objective counts the more the nearer the end is.
    balance = sum(number if side == seat else -number for side, number in held(game).items())
    found["held"] = balance * state.turn / state.turns
    return found


TERMS = {
    "battle": Term(1.0, "the battle won"),
    "strength": Term(1.0, "more figures left"),
    "held": Term(6.0, "objectives controlled"),
    "near": Term(4.0, "nearer to objectives", passing=True),
    "command": Term(0.5, "units in command", passing=True),
    "fire": Term(0.4, "units with a target", passing=True),
}
WORTH = Worth(weigh, TERMS)
