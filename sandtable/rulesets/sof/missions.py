"""Missions: who controls an objective, and how a battle ends when its turns are over."""

from __future__ import annotations

import numpy as np

from sandtable.engine.ruleset import Result
from sandtable.rulesets.sof.core.board import Battle, board, within_inches
from sandtable.rulesets.sof.core.state import SIDES, Objective, Side, Unit
from sandtable.table import distance as measure

BY_AN_OBJECTIVE = 6.0
"""sof.mission-core.control-most-units"""


def near(game: Battle, unit: Unit, objective: Objective) -> bool:
    """Whether a model of a unit is within 6 inches of an objective."""
    rows = board(game).rows_of(unit)
    far = measure.to_points(rows, np.array([objective.at]))
    return bool(len(rows)) and within_inches(float(far.min()), BY_AN_OBJECTIVE)


def controls(game: Battle, objective: Objective) -> Side | None:
    """The side with more units by an objective; if a core infantry unit is, only such units count."""
    units = [unit for unit in game.state.units.values() if near(game, unit, objective)]
    infantry = [unit for unit in units if unit.belongs == "core" and unit.type == "infantry"]
    counts = [sum(unit.side == side for unit in infantry or units) for side in SIDES]
    return None if counts[0] == counts[1] else SIDES[counts[1] > counts[0]]


def held(game: Battle) -> dict[Side, int]:
    """How many objectives each side controls."""
    holders = [controls(game, each) for each in game.state.objectives.values()]
    return {side: holders.count(side) for side in SIDES}


def judged(game: Battle) -> Result:
    """How a battle ends whose turns are over: by the objectives that each side controls."""
    points = held(game)
    rules = ("sof.mission-core.control-most-units", "sof.mission-core.control-core-infantry")
    words = ", ".join(f"{side} {number}" for side, number in points.items())
    game.tell("objectives", f"Objectives controlled: {words}.", *rules, points={**points})
    red, blue = (points[side] for side in SIDES)
    winner = None if red == blue else "red" if red > blue else "blue"
    reason = f"The turns are over; objectives controlled: {words}."
    return Result(winner, reason, "sof.mission-core.end-timing")
