"""What a position is worth to a side, for bots that look ahead."""

from __future__ import annotations

import math

from sandtable.engine.worth import Term, Worth
from sandtable.field.reckoning import decided
from sandtable.rulesets.sof.core.board import Battle


def weigh(game: Battle, seat: str) -> dict[str, float]:
    """How well a side stands: its figures, less for those who are wounded or suppressed, and how near to objectives."""
    state = game.state
    over = decided(state.result, seat)
    if over is not None:
        return {"battle": over}
    found = dict.fromkeys(TERMS, 0.0)
    goals = [objective.at for objective in state.objectives.values()]
    for unit in state.units.values():
        sign = 1.0 if unit.side == seat else -1.0
        men = sum((0.4 if figure.disabled else 1.0) + 0.5 * figure.character for figure in unit.teams.values())
        found["figures"] += sign * men * (1.0 - 0.05 * min(unit.suppression, 6))
        spots = [figure.at for figure in unit.teams.values() if figure.at is not None]
        if spots and goals:
            found["near"] -= sign * min(math.dist(spots[0], goal) for goal in goals)
    return found


TERMS = {
    "battle": Term(1.0, "the battle won"),
    "figures": Term(1.0, "more figures left"),
    "near": Term(0.05, "nearer to objectives", passing=True),
}
WORTH = Worth(weigh, TERMS)
