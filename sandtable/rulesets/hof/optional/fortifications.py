"""Fortifications: bunkers and trenches; and the cover that anti-tank obstacles give."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sandtable.engine.events import Modifier
from sandtable.engine.game import Flow
from sandtable.rulesets.hof.core.acts import Losses
from sandtable.rulesets.hof.core.arsenal import Weapon
from sandtable.rulesets.hof.core.board import Battle, Board, board
from sandtable.rulesets.hof.core.ground import Ints, Mask, Rows
from sandtable.rulesets.hof.core.labels import team_label
from sandtable.rulesets.hof.core.state import Member, Team, Unit
from sandtable.rulesets.hof.core.terrain import TOUCH
from sandtable.rulesets.hof.kernels import concealing
from sandtable.rulesets.hof.morale import morale
from sandtable.table import sight
from sandtable.table.shapes import X, Y

WORKS = ("any_trench", "any_at_obstacle")
"""What of a ground may conceal by the rules of this chapter, besides a bunker."""

BUNKER_IS_HARD = Modifier(1, "hof.optional.bunker-hit", "bunker")
"""Besides being concealed a bunker is harder to hit."""

BUNKER_ARMOR = 2
"""hof.optional.bunker-buster-hit"""


def conceal(here: Board, firers: Rows, rows: Rows, targets: Sequence[Member], found: Ints) -> None:
    """Add to what conceals some targets: trenches they are in, anti-tank obstacles they are at, their own concrete."""
    table = here.ground.table
    if table.any_trench or table.any_at_obstacle:
        on_foot = np.array([team.kind.category != "vehicle" and team.role != "rider" for _, team in targets])
        if table.any_trench:
            found[:, in_trench(here, rows) & on_foot] |= concealing.OCCUPIED
        if table.any_at_obstacle:
            found[behind_obstacle(here, firers, rows) & on_foot[None, :]] |= concealing.OCCUPIED | concealing.SHELTER
    for number, (_, team) in enumerate(targets):
        if team.role == "bunker":
            found[:, number] |= concealing.BETWEEN


def in_trench(here: Board, rows: Rows) -> Mask:
    """hof.optional.trench-cover: whose centre is in a trench."""
    return np.asarray((here.ground.terrain.inside(rows) & here.ground.table.trench).any(axis=1))


def entrenched(game: Battle, team: Team) -> list[str]:
    """The rule, if a trench shelters a Team on foot."""
    here = board(game)
    if not here.ground.table.any_trench or team.id not in here.index or team.kind.vehicle:
        return []
    return ["hof.optional.trench-cover"] if in_trench(here, here.rows[[here.stand(team)]])[0] else []


def behind_obstacle(here: Board, firers: Rows, rows: Rows) -> Mask:
    """hof.optional.at-obstacle-cover: who touches an anti-tank obstacle that fire from whom comes across (n, m)."""
    terrain, obstacle = here.ground.terrain, here.ground.table.at_obstacle
    at = terrain.touching(rows, TOUCH) & obstacle
    result: Mask = np.zeros((len(firers), len(rows)), dtype=np.bool_)
    if not at.any():
        return result
    for number in np.flatnonzero(at.any(axis=1)).tolist():
        x, y = rows[number, X], rows[number, Y]
        lines = np.column_stack((firers[:, X], firers[:, Y], np.full(len(firers), x), np.full(len(firers), y)))
        result[:, number] = (sight.crossed(terrain, lines) & at[number]).any(axis=1)
    return result


def why(here: Board, firers: Rows, row: Rows, target: Member) -> list[str]:
    """The rules of this chapter by which one target is concealed from some of those who fire at it."""
    team = target[1]
    if team.role == "bunker":
        return ["hof.optional.bunker-hit"]
    if team.kind.category == "vehicle" or team.role == "rider":
        return []
    found = []
    if here.ground.table.any_trench and in_trench(here, row)[0]:
        found.append("hof.optional.trench-cover")
    if here.ground.table.any_at_obstacle and behind_obstacle(here, firers, row).any():
        found.append("hof.optional.at-obstacle-cover")
    return found


def bust_dice(weapon: Weapon, team: Team) -> int:
    """hof.optional.bunker-buster-hit: the dice of a Penetration Roll against a bunker; none for whatever else hits."""
    at = weapon.at or 0
    return max(0, at - BUNKER_ARMOR) if team.role == "bunker" and "bunker-buster" in weapon.keywords else 0


def busted(game: Battle, firer: Unit, weapon: Weapon, unit: Unit, team: Team, losses: Losses) -> Flow[bool]:
    """A Penetration Roll against the bunker; True if it is destroyed."""
    at = weapon.at
    throw = yield from game.throw(firer.side, bust_dice(weapon, team), "penetration of a bunker")
    destroyed = 6 in throw.values
    outcome = "it is destroyed" if destroyed else "it is holding"
    text = f"AT {at} against the {BUNKER_ARMOR} of {team_label(unit, team)}: {outcome}."
    cited = ("hof.optional.bunker-buster-hit", "hof.vehicles.penetration-at-above-ar")
    result = "destroyed" if destroyed else "none"
    game.tell("penetration", text, *cited, seat=firer.side, dice=[throw], team=team.id, at=at, result=result)
    if destroyed:
        yield from morale.kill(game, unit, team, losses, "penetration", "hof.optional.bunker-buster-hit")
    return destroyed
