"""The odds of what falls from above: where a marker ends up, who is under it then, and what each of them receives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from sandtable.engine.chance import Chances, die
from sandtable.rulesets.hof.artillery.barrages import (
    DEVIATION_SIDES,
    DIRECTIONS,
    after_armor,
    bearing_guns,
    mortars_on_table,
    ready_guns,
    strayed,
    strays,
    weight_of,
)
from sandtable.rulesets.hof.core.board import Battle, board
from sandtable.rulesets.hof.core.nearby import aboard_as_riders
from sandtable.rulesets.hof.core.state import Member, Mission, Point, Team
from sandtable.table import distance as measure


class Shelled(NamedTuple):
    """How many Teams receive RFPs, and how many they are altogether."""

    teams: int
    rfps: int


class Fall(NamedTuple):
    """What may come of a marker: `each` is everybody who may be under it, with the chance and the RFPs he would get."""

    ends: Chances[Shelled]
    each: list[tuple[Member, float, int]]


Landings = Sequence[tuple[Point, float]]
"""Points where a marker may end up, each with its chance; some of them may be the same."""


def landings(point: Point, *, direct_hits: bool = False, less: int = 0) -> Landings:
    """Where a marker may end up: see `barrages.deviate`."""
    found: list[tuple[Point, float]] = []
    for value, chance in die(DEVIATION_SIDES):
        inches = strays(value, direct_hits=direct_hits, less=less)
        if inches:
            part = chance / DIRECTIONS
            found += [(strayed(point, inches, degrees), part) for degrees in range(1, DIRECTIONS + 1)]
        else:
            found.append((point, chance))
    return found


def fall(game: Battle, landings: Landings, radius: float, received: Callable[[Team], int]) -> Fall:
    """What falls about a point, on everybody on the table and on the Riders with him: see `nearby.within`."""
    here = board(game)
    members = [member for member in here.members if member[1].id in here.index]
    rows = [here.index[team.id] for _, team in members]
    if game.setup.options.riders:
        for member, row in list(zip(members, rows, strict=True)):
            riders = aboard_as_riders(game, [member])
            members, rows = [*members, *riders], [*rows, *(row for _ in riders)]
    points = np.array([point for point, _ in landings])
    chances = np.array([chance for _, chance in landings])
    under = measure.within(measure.to_points(here.rows.take(rows, axis=0), points), radius)
    rfps = np.array([received(team) for _, team in members])
    felt = under & (rfps > 0)[:, None]
    found: dict[Shelled, float] = {}
    for teams, total, chance in zip(
        felt.sum(axis=0).tolist(), (felt * rfps[:, None]).sum(axis=0).tolist(), chances.tolist(), strict=True
    ):
        end = Shelled(teams, total)
        found[end] = found.get(end, 0.0) + chance
    shares = (felt * chances).sum(axis=1).tolist()
    each = zip(members, shares, rfps.tolist(), strict=True)
    return Fall(Chances(found), [one for one in each if one[1]])


def ranged_in(game: Battle, mission: Mission, guns: Sequence[Team], point: Point, *, deviates: bool) -> Fall:
    """A barrage that is ranged in on a point and fired for effect wherever the marker lies then, not saturated."""
    able = bearing_guns(game, guns, point)
    where = landings(point, direct_hits=mortars_on_table(able)) if deviates else [(point, 1.0)]
    return barrage(game, mission, able, where, saturated=False)


def barrage(game: Battle, mission: Mission, guns: Sequence[Team], where: Landings, *, saturated: bool) -> Fall:
    """See `barrages.fire_for_effect`."""
    radius, rfps, _ = weight_of(game, game.state.units[mission.unit], guns, saturated)
    return fall(game, where, radius, lambda team: after_armor(team, rfps, []))


def for_effect(game: Battle, mission: Mission, at: Point, *, saturated: bool) -> Fall:
    """A barrage whose marker lies where it will fall."""
    return barrage(game, mission, ready_guns(game, mission), [(at, 1.0)], saturated=saturated)
