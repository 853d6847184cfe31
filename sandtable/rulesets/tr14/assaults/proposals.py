"""Where a beaten Unit could break off to. Hints for players, not rules."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from sandtable.engine.questions import Step
from sandtable.rulesets.tr14.assaults.retreat import COMPASS, Retreat
from sandtable.rulesets.tr14.core.board import Board, board
from sandtable.rulesets.tr14.core.state import Team
from sandtable.table import distance as measure
from sandtable.table.shapes import X, Y

COARSE = COMPASS[::2]
PARTS = (1.0, 0.8, 0.6, 0.4, 0.2)
"""The parts of the distance that a Team tries where it has no room for all of it."""


def ways(retreat: Retreat) -> Iterator[dict[str, Step]]:
    """Some ways to break off: as far from the attackers as can be, then as far as may be round the compass."""
    return (flee(retreat, towards) for towards in (None, *COARSE))


def flee(retreat: Retreat, towards: float | None = None) -> dict[str, Step]:
    """Each Team as far from the attackers as it can, or rather in some direction; the whole distance if it can."""
    here = board(retreat.game)
    steps: dict[str, Step] = {}
    for part in PARTS:
        for _, team in retreat.members:
            if team.id not in steps:
                spots = list(retreat.ways_out(here, team, retreat.others(here, team, steps), part))
                if spots:
                    steps[team.id] = Step(best(retreat, here, team, spots, towards))
    return {team.id: steps[team.id] for _, team in retreat.members if team.id in steps}


def best(
    retreat: Retreat, here: Board, team: Team, spots: list[tuple[float, float]], towards: float | None
) -> tuple[float, float]:
    if towards is not None:
        turn = math.radians(towards)
        return max(spots, key=lambda spot: spot[0] * math.sin(turn) + spot[1] * math.cos(turn))
    rows = np.tile(here.of([team]), (len(spots), 1))
    rows[:, X : Y + 1] = spots
    far = measure.distances(rows, here.of(retreat.attackers)).min(axis=1)
    return spots[int(far.argmax())]
