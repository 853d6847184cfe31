"""Room for a figure that must stand somewhere else: the nearest free spot that will do."""

from __future__ import annotations

from collections.abc import Callable

from sandtable.rulesets.sof.core.board import Battle, board
from sandtable.rulesets.sof.core.state import Figure, Point
from sandtable.table.shapes import Floats, Place, bodies, heading, snap

RING = 0.25
"""By how much the circle grows on which a spot is looked for."""

BEARINGS = tuple(15.0 * number for number in range(24))
"""The directions in which a place is looked for, from north round by east."""

WAYS = tuple(heading(bearing) for bearing in BEARINGS)


def free_spot(
    game: Battle, figure: Figure, centre: Point, most: float, accept: Callable[[Floats], bool] = lambda _: True
) -> Point | None:
    """The spot nearest to a point, no more than so many inches away, where a figure has room and which is accepted."""
    here = board(game)
    for ring in range(int(most / RING) + 1):
        for sin, cos in WAYS if ring else WAYS[:1]:
            spot = snap(centre[0] + RING * ring * sin), snap(centre[1] + RING * ring * cos)
            row = bodies([(figure.kind.base, Place(*spot))])
            if here.has_room(row, game.prepared, [figure]) and accept(row):
                return spot
    return None
