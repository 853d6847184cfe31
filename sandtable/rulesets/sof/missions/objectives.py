"""Objectives and table quarters: who controls them, and how a battle ends."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sandtable.engine.ruleset import Result
from sandtable.rulesets.sof.core.board import Battle, board, within_inches
from sandtable.rulesets.sof.core.state import SIDES, Objective, Point, Side, Unit
from sandtable.rulesets.sof.missions.briefing import mission_of
from sandtable.table import distance as measure

BY_AN_OBJECTIVE = 6.0
"""sof.mission-core.control-most-units"""

CONTROL = ("sof.mission-core.control-most-units", "sof.mission-core.control-core-infantry")


def near(game: Battle, unit: Unit, objective: Objective) -> bool:
    """Whether a model of a unit is within 6 inches of an objective."""
    rows = board(game).rows_of(unit)
    far = measure.to_points(rows, np.array([objective.at]))
    return bool(len(rows)) and within_inches(float(far.min()), BY_AN_OBJECTIVE)


def with_more(units: Sequence[Unit]) -> Side | None:
    """The side with more of some units; if a core infantry unit is among them, only such units count."""
    infantry = [unit for unit in units if unit.belongs == "core" and unit.type == "infantry"]
    counts = [sum(unit.side == side for unit in infantry or units) for side in SIDES]
    return None if counts[0] == counts[1] else SIDES[counts[1] > counts[0]]


def controls(game: Battle, objective: Objective) -> Side | None:
    """The side that controls an objective."""
    return with_more([unit for unit in game.state.units.values() if near(game, unit, objective)])


def quarter_of(game: Battle, unit: Unit) -> tuple[bool, bool] | None:
    """The table quarter (east, north) in which more than half of a unit stands; none if it is spread evenly."""
    middle = game.setup.table.width / 2, game.setup.table.depth / 2
    spots: list[Point] = [figure.at for figure in unit.teams.values() if figure.at is not None]
    found = [(x > middle[0], y > middle[1]) for x, y in spots]
    return next((quarter for quarter in dict.fromkeys(found) if 2 * found.count(quarter) > len(found)), None)


def quarters(game: Battle) -> list[Side | None]:
    """sof.mission-core.table-quarters: who controls each quarter of the table."""
    where = [(quarter_of(game, unit), unit) for unit in game.state.units.values()]
    all_four = [(east, north) for north in (False, True) for east in (False, True)]
    return [with_more([unit for at, unit in where if at == quarter]) for quarter in all_four]


def held(game: Battle) -> dict[Side, int]:
    """How many objectives, or quarters where they count, each side controls."""
    if game.setup.counts == "quarters":
        holders = quarters(game)
    else:
        holders = [controls(game, each) for each in game.state.objectives.values()]
    return {side: holders.count(side) for side in SIDES}


def tell_held(game: Battle, points: dict[Side, int], *rules: str) -> str:
    """Tell who controls how many, in words that are also given back."""
    words = ", ".join(f"{side.capitalize()} {number}" for side, number in points.items())
    noun = "Quarters" if game.setup.counts == "quarters" else "Objectives"
    more = ["sof.mission-core.table-quarters"] if game.setup.counts == "quarters" else []
    game.tell("objectives", f"{noun} controlled: {words}.", *CONTROL, *more, *rules, points={**points})
    return words


def won_at_once(game: Battle) -> Result | None:
    """sof.patrol.victory: at the end of a turn a side that controls every objective has won."""
    mission = mission_of(game)
    if mission is None or not mission.at_once:
        return None
    points = held(game)
    winner = next((side for side in SIDES if points[side] == len(mission.objectives)), None)
    if winner is None:
        return None
    tell_held(game, points, mission.rules["victory"])
    return Result(winner, f"{winner.capitalize()} controls every objective.", mission.rules["victory"])


def judged(game: Battle) -> Result:
    """How a battle ends whose turns are over: by what each side controls."""
    mission = mission_of(game)
    points = held(game)
    duration = [mission.rules["duration"], mission.rules["victory"]] if mission else []
    words = tell_held(game, points, "sof.mission-core.end-timing", *duration)
    red, blue = (points[side] for side in SIDES)
    winner = None if red == blue else "red" if red > blue else "blue"
    reason = (
        f"The turns are over; {'quarters' if game.setup.counts == 'quarters' else 'objectives'} controlled: {words}."
    )
    return Result(winner, reason, mission.rules["victory"] if mission else "sof.mission-core.end-timing")
