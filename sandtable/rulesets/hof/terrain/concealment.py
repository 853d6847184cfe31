"""Concealment: whether a Team is half hidden from those who fire at it, and by what."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from sandtable.field.moments import Moment
from sandtable.rulesets.hof.core.board import Battle, Board, board
from sandtable.rulesets.hof.core.ground import Ground, Ints, Mask, Rows
from sandtable.rulesets.hof.core.nearby import standpoint
from sandtable.rulesets.hof.core.state import Member, Team
from sandtable.rulesets.hof.core.terrain import TOUCH
from sandtable.rulesets.hof.kernels import concealing
from sandtable.table.hairs import EXACT
from sandtable.table.shapes import COS, HALF_DEPTH, SIN, X, Y

CONCEALED = concealing.BETWEEN | concealing.OCCUPIED


class Concealer(NamedTuple):
    """A rule by which something else than terrain conceals."""

    works: tuple[str, ...]
    """Facts of the ground, and roles of targets, without which it never has a say."""
    roles: tuple[str, ...]
    conceal: Callable[[Board, Rows, Rows, Sequence[Member], Ints], None]
    """Add to what conceals and shelters which target from whom: firers, and the rows of the targets."""
    why: Callable[[Board, Rows, Rows, Member], list[str]]
    """The rules by which one target is concealed from some of those who fire at it."""


CONCEALERS: Moment[Concealer] = Moment()


def besides_terrain(here: Board, targets: Sequence[Member]) -> list[Concealer]:
    """The rules by which something else than terrain might conceal some targets here."""
    table = here.ground.table
    return [
        each
        for each in CONCEALERS
        if True in [getattr(table, work) for work in each.works] or True in [t.role in each.roles for _, t in targets]
    ]


def flags(game: Battle, firers: Sequence[Team], targets: Sequence[Member]) -> Ints:
    """What conceals and shelters which target from which Team that stands on the table (n, m).

    BETWEEN: by something that it does not occupy; OCCUPIED: by the terrain that it is in or at, which high explosive
    ignores; SHELTER: the fire comes across the obstacle that it touches.
    """
    here = board(game)
    bodies = [team if team.at is not None else standpoint(game, team) or team for _, team in targets]
    found = here.veiled(firers, bodies)
    for each in besides_terrain(here, targets):
        each.conceal(here, here.where(firers), here.where(bodies), targets, found)
    for number, (_, team) in enumerate(targets) if game.setup.options.riders else ():
        if team.role == "rider":
            front = ~behind_front(here.of(firers), here.of([bodies[number]]))[:, 0]
            ride(found, number, front)
    return found


def ride(found: Ints, number: int, front: Mask) -> None:
    """hof.optional.riders-cover: concealed and in Hard Cover from fire at the front of the tank, not otherwise."""
    column = found[:, number] & ~concealing.SHELTER
    found[:, number] = np.where(front, column | concealing.BETWEEN | concealing.SHELTER, column)


def behind_front(firers: Rows, hulls: Rows) -> Mask:
    """Whose centre lies behind the line across the front of which hull (n, m)."""
    found = [[behind(row[X], row[Y], hull) for hull in hulls.tolist()] for row in firers.tolist()]
    return np.array(found, dtype=np.bool_).reshape(len(firers), len(hulls))


def behind(x: float, y: float, hull: Sequence[float]) -> bool:
    """hof.vehicles.flank-shot: whether a point lies behind the line across the front of a hull, given as its row."""
    ahead = (x - hull[X]) * hull[SIN] + (y - hull[Y]) * hull[COS]
    return ahead < hull[HALF_DEPTH] - EXACT


def why(game: Battle, firers: Sequence[Team], target: Member) -> list[str]:
    """The rules by which a Team is concealed from some of those who fire at it."""
    here = board(game)
    ground = here.ground
    team = target[1]
    body = team if team.at is not None else standpoint(game, team) or team
    a, b = here.where(firers), here.where([body])
    choices, reasons = concealers(ground)
    hiding = concealing.veiling(ground.terrain, choices, ground.table.thick, a, b, CONCEALED, TOUCH)
    found = [rule for rules, hides in zip(reasons, hiding, strict=True) if hides for rule in rules]
    for each in besides_terrain(here, [target]):
        found += each.why(here, a, b, target)
    if team.role == "rider" and not behind_front(a, b).all():
        found.append("hof.optional.riders-cover")
    return list(dict.fromkeys(["hof.terrain.concealment-effect", *found]))


@lru_cache(maxsize=64)
def concealers(ground: Ground) -> tuple[Ints, list[tuple[str, ...]]]:
    """What may conceal somebody on a ground: the veils of each kind alone, and the rules that speak of it."""
    table = ground.table
    kinds = (
        (table.screen & ~table.hard, ("hof.terrain.area-conceals", "hof.terrain.soft-terrain")),
        (table.screen & table.hard, ("hof.terrain.area-conceals", "hof.terrain.hard-terrain")),
        (table.line, ("hof.terrain.linear-concealment",)),
        (table.veils == concealing.THING, ("hof.vehicles.wreck-conceals",)),
    )
    some = [(which, rules) for which, rules in kinds if which.any()]
    choices: Ints = np.zeros((len(some), len(table.veils)), dtype=np.int64)
    for number, (which, _) in enumerate(some):
        choices[number, which] = table.veils[which]
    return choices, [rules for _, rules in some]


def looking_out(game: Battle, firers: Sequence[Team]) -> bool:
    """hof.terrain.area-looking-out: whether somebody fires from inside terrain that conceals."""
    here = board(game)
    table = here.ground.table
    if not table.any_screen or not firers:
        return False
    return True in here.ground.terrain.over_any(here.of(firers), table.numbers(table.screen)).tolist()
