"""Where smoke could be laid and a template shifted to. Hints for players, not rules."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from sandtable.engine.game import Game
from sandtable.engine.questions import Refusal
from sandtable.rulesets.tr14.core.board import Rows, board, sees
from sandtable.rulesets.tr14.core.state import State
from sandtable.rulesets.tr14.firing import enemy_members
from sandtable.rulesets.tr14.indirect.batteries import LEAST_GUNS, Battery, reach_table
from sandtable.table.placement import raster
from sandtable.table.shapes import X, Y, heading, point_body, snap

AROUND = np.array([(far * sin, far * cos) for far in (4, 8, 16, 24) for sin, cos in map(heading, range(0, 360, 15))])
"""Where to look round the guns before the whole table is searched, which takes long."""


def smoke_points(game: Game[State], battery: Battery) -> list[tuple[float, float]]:
    """Points between the guns and the enemy, and before the guns, where smoke may be laid; else any round the guns or,
    if there are none, on the table.
    """
    here = board(game)
    width, depth = here.ground.width, here.ground.depth
    middle = here.of(battery.guns)[:, (X, Y)].mean(axis=0)
    enemies = here.all_of(enemy_members(game, battery.unit.side))[:, (X, Y)]
    ahead = np.array([heading(battery.guns[0].facing)]) * np.array([[4.0], [8.0], [16.0], [2.0]])
    likely = np.vstack([middle + (enemies - middle) * 0.7, middle + (enemies - middle) * 0.9, middle + ahead])
    for spots in (likely, middle + AROUND):
        stored = spots.round(2)
        on = (stored >= 0).all(axis=1) & (stored <= (width, depth)).all(axis=1)
        if found := smoke_may_fall(game, battery, stored[on]):
            return found
    return smoke_may_fall(game, battery, raster(width, depth))


def smoke_may_fall(game: Game[State], battery: Battery, spots: Rows) -> list[tuple[float, float]]:
    """Those of some spots on the table that two guns reach and an observer sees."""
    here = board(game)
    points = np.tile(point_body(0.0, 0.0), (len(spots), 1))
    points[:, (X, Y)] = spots
    able = reach_table(game, battery, points).sum(axis=0) >= LEAST_GUNS
    able &= sees(here, here.of(battery.observers), points, np.tile(able, (len(battery.observers), 1))).any(axis=0)
    return [(float(x), float(y)) for x, y in spots[able]]


def spots_round(
    x: float, y: float, far: float, legal: Callable[[float, float], Refusal | None], most: int
) -> list[tuple[float, float]]:
    """A point itself, and those round it, so far off, that are legal."""
    spots = [(x, y)]
    for step in range(8):
        angle = math.radians(45.0 * step)
        spot = (snap(x + far * math.sin(angle)), snap(y + far * math.cos(angle)))
        if legal(*spot) is None:
            spots.append(spot)
    return spots[:most]
