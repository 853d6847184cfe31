"""Objectives, and the end of the battle. These rules are ours; the source has none."""

from __future__ import annotations

import numpy as np

from sandtable.engine.events import gain, several
from sandtable.engine.game import Game
from sandtable.field.reckoning import held
from sandtable.rulesets.tr14.core.board import board
from sandtable.rulesets.tr14.core.checks import end_battle
from sandtable.rulesets.tr14.core.state import SIDES, State
from sandtable.table import distance as measure
from sandtable.table.hairs import within


def end_of_round(game: Game[State]) -> None:
    """tr14.battle.objectives, tr14.battle.end: who holds what, and whether it is over."""
    state = game.state
    for name, objective in state.objectives.items():
        holder = holder_of(game, objective.at, objective.radius)
        if holder and holder != objective.holder:
            objective.holder = holder
            text = f"{holder.capitalize()} takes {objective.name or name}."
            data = {"objective": name, "at": list(objective.at), **gain(holder, "Objectives", objective.worth)}
            game.tell("objective", text, "tr14.battle.objectives", seat=holder, **data)
    if state.round >= game.setup.rounds:
        points = points_held(state)
        best = max(points.values())
        leaders = [side for side, count in points.items() if count == best]
        winner = leaders[0] if len(leaders) == 1 else None
        reason = f"After {several(state.round, 'round')} red holds {points['red']}, blue {points['blue']}."
        end_battle(game, winner, reason, "tr14.battle.end")


def points_held(state: State) -> dict[str, int]:
    """What the objectives that each side holds are worth."""
    return held(state.objectives, lambda objective: objective.worth)


def holder_of(game: Game[State], at: tuple[float, float], radius: float) -> str:
    """The side with an unsuppressed Team near an objective while the other has none."""
    here = board(game)
    near = []
    for side in SIDES:
        teams = [team for _, team in here.sides[side] if not team.markers]
        if teams and within(measure.to_points(here.of(teams), np.array([at])).min(), radius):
            near.append(str(side))
    return near[0] if len(near) == 1 else ""
