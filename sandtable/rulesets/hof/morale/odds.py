"""What losses will mean for the Units that suffer them, before any die is thrown."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import msgspec

from sandtable.engine.chance import Chances, die, either, sure
from sandtable.rulesets.hof.core.board import Battle
from sandtable.rulesets.hof.core.odds import passes
from sandtable.rulesets.hof.core.state import Member, Unit, counts_for_strength
from sandtable.rulesets.hof.morale.break_points import BREAK_POINTS
from sandtable.rulesets.hof.morale.morale import PRESENCES, rolls_for, verdict_on

Standing = tuple[int, int, bool]
"""The Break Points of a side, how many of its Units have been destroyed, and whether that has ended the battle."""


def units_lost(game: Battle, lost: Sequence[Member]) -> Chances[int]:
    """How many Units are destroyed if these Teams of one side are lost in one batch: see `morale.settle`.

    A Company Commander who can stand by a Unit that is breaking is taken to do so.
    """
    units: dict[str, list[Member]] = {}
    for member in lost:
        units.setdefault(member[0].id, []).append(member)
    standing = sure((0, 0, False))
    for members in units.values():
        standing = standing.then(partial(one_unit, game, members))
    return standing.mapped(lambda end: end[1])


def one_unit(game: Battle, lost: Sequence[Member], so_far: Standing) -> Chances[Standing]:
    """What the loss of some of its Teams does to one Unit; the Break Points count from what the side has now."""
    if so_far[2]:
        return sure(so_far)
    unit = lost[0][0]
    gone = {team.id for _, team in lost}
    after = msgspec.structs.replace(unit, teams={name: team for name, team in unit.teams.items() if name not in gone})
    verdict = verdict_on(after, after.teams.values(), any(counts_for_strength(team) for _, team in lost))
    if verdict in ("holds", "riders"):
        return sure(so_far)
    if verdict != "half":
        return destroyed(game, after, so_far)
    after.shaken = True
    shaken = rolled(game, unit, so_far, 0 if unit.shaken else 1)
    holds = passes(unit.quality, second_chance=any(each.may(game, after) for each in PRESENCES))
    return shaken.then(lambda now: sure(now) if now[2] else either(holds, sure(now), destroyed(game, after, now)))


def destroyed(game: Battle, unit: Unit, so_far: Standing) -> Chances[Standing]:
    points, count, _ = so_far
    return rolled(game, unit, (points, count + 1, False), rolls_for(unit.shaken))


def rolled(game: Battle, unit: Unit, so_far: Standing, times: int) -> Chances[Standing]:
    """Break Points are rolled so often, and then a side above its limit routs: see `break_points.rout_test`."""
    company = game.state.companies[unit.side]
    points, count, _ = so_far
    found = sure(points)
    for _ in range(times):
        found = found.then(lambda before: die().mapped(lambda value: before + BREAK_POINTS[value]))
    return found.mapped(lambda more: (more, count, company.break_points + more > company.break_limit))
