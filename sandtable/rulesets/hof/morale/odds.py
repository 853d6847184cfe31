"""What losses will mean for the Units that suffer them, before any die is thrown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import msgspec

from sandtable.engine.chance import Chances, die, either, sure, together
from sandtable.field.moments import Moment
from sandtable.rulesets.hof.core.board import Battle
from sandtable.rulesets.hof.core.odds import passes
from sandtable.rulesets.hof.core.state import Member, Team, Unit, counts_for_strength
from sandtable.rulesets.hof.morale.morale import BREAK_POINTS, PRESENCES, rolls_for, verdict_on

ALSO_LOST: Moment[Callable[[Battle, Unit, Team, str], Chances[tuple[str, ...]]]] = Moment()
"""Who of those whom a Team carries is lost when it is, by some cause: the twin of `morale.WHEN_LOST`."""


def lost_with(game: Battle, unit: Unit, team: Team, cause: str) -> Chances[tuple[str, ...]]:
    """The ids of all that are lost with a Team, itself first."""
    found: Chances[tuple[str, ...]] = sure((team.id,))
    for also in ALSO_LOST:
        found = together(found, also(game, unit, team, cause), tuple.__add__)
    return found


Sort = tuple[str, str, bool, str]
"""What of a lost Team its Unit cares about: its profile and role, whether it fights, and, if need be, which it was."""

Lost = tuple[tuple[str, tuple[tuple[Sort, int], ...]], ...]
"""How many Teams of each sort each Unit has lost; Units in the order in which they lost the first."""


def lost_more(game: Battle, so_far: Lost, member: Member) -> Lost:
    """One more Team is lost. Teams of one sort are told apart only where somebody may stand by those who are left."""
    unit, team = member
    which = team.id if game.setup.options.commander else ""
    sort = (team.profile, team.role, team.fights, which)
    units = dict(so_far)
    sorts = dict(units.get(unit.id, ()))
    sorts[sort] = sorts.get(sort, 0) + 1
    units[unit.id] = tuple(sorted(sorts.items()))
    return tuple(units.items())


def some_of(game: Battle, lost: Lost) -> list[Member]:
    """Teams that stand for those who were lost: the first of each sort."""
    found: list[Member] = []
    for name, sorts in lost:
        unit = game.state.units[name]
        for (profile, role, fights, which), number in sorts:
            alike = [
                team
                for team in unit.teams.values()
                if (team.profile, team.role, team.fights) == (profile, role, fights) and which in ("", team.id)
            ]
            found += [(unit, team) for team in alike[:number]]
    return found


class Standing(NamedTuple):
    """Break Points that a side has come by, how many of its Units are destroyed, and whether the battle is over."""

    points: int
    units: int
    over: bool


def standing_after(game: Battle, lost: Sequence[Member]) -> Chances[Standing]:
    """What comes of it if these Teams of one side are lost in one batch: see `morale.settle`.

    A Company Commander who can stand by a Unit that is breaking is taken to do so.
    """
    units: dict[str, list[Member]] = {}
    for member in lost:
        units.setdefault(member[0].id, []).append(member)
    standing = sure(Standing(0, 0, False))
    for members in units.values():
        standing = standing.then(partial(one_unit, game, members))
    return standing


def one_unit(game: Battle, lost: Sequence[Member], so_far: Standing) -> Chances[Standing]:
    """What the loss of some of its Teams does to one Unit; the Break Points count from what the side has now."""
    if so_far.over:
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
    return shaken.then(lambda now: sure(now) if now.over else either(holds, sure(now), destroyed(game, after, now)))


def destroyed(game: Battle, unit: Unit, so_far: Standing) -> Chances[Standing]:
    return rolled(game, unit, so_far._replace(units=so_far.units + 1), rolls_for(unit.shaken))


def rolled(game: Battle, unit: Unit, so_far: Standing, times: int) -> Chances[Standing]:
    """Break Points are rolled so often, and then a side above its limit routs: see `break_points.rout_test`."""
    company = game.state.companies[unit.side]
    found = sure(so_far.points)
    for _ in range(times):
        found = found.then(lambda before: die().mapped(lambda value: before + BREAK_POINTS[value]))
    limit = company.break_limit - company.break_points
    return found.mapped(lambda points: Standing(points, so_far.units, points > limit))
