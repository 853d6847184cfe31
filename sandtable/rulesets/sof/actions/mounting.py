"""Into the saddle and out of it: each model is replaced by its equal, and the unit stays together."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache

import numpy as np

from sandtable.engine.game import Flow
from sandtable.engine.questions import Refusal, illegal
from sandtable.field.formations import Pose, places
from sandtable.field.kept import KeptUntilChange
from sandtable.rulesets.sof.core.arsenal import kind
from sandtable.rulesets.sof.core.board import Battle, base_gap, board, place, pose
from sandtable.rulesets.sof.core.names import label
from sandtable.rulesets.sof.core.room import DIRECTIONS, RING
from sandtable.rulesets.sof.core.state import Figure, Point, Unit
from sandtable.rulesets.sof.formations import files_of
from sandtable.rulesets.sof.losses import INEFFECTIVE, ineffective, lose_unit
from sandtable.rulesets.sof.units import SEPARATION, command_distance, stands_in_command
from sandtable.table import distance as measure
from sandtable.table import moves
from sandtable.table.hairs import A_HAIR, EXACT, SLACK, beyond
from sandtable.table.shapes import Floats, Place, bodies, heading, snap

RULES = {True: "sof.actions.mount", False: "sof.actions.dismount-mounted"}
"""By whether it mounts."""

FARTHEST = 6.0
"""How far from his old place a man or his horse may come to stand."""


def why_not_remount(game: Battle, unit: Unit, mounts: bool) -> Refusal | None:
    rule, field = RULES[mounts], "mount" if mounts else "dismount"
    if not mounts and unit.type != "mounted":
        return illegal(rule, f"{label(unit)} is not mounted.", field=field)
    if mounts and not unit.dismounted:
        return illegal(rule, f"{label(unit)} has no horses to mount.", field=field)
    if regrouped(game, unit, mounts) is None:
        message = f"{label(unit)} finds no room in command and more than 2 inches from every other unit."
        return illegal(rule, message, field=field, legal="It may move first.")
    return None


def remount(game: Battle, unit: Unit, mounts: bool) -> Flow[None]:
    """A unit mounts or dismounts where it stands; without its horses its wound markers may be too many for it."""
    found = regrouped(game, unit, mounts)
    assert found is not None
    unit.type, unit.dismounted = ("mounted", False) if mounts else ("infantry", True)
    for figure in unit.teams.values():
        change_seat(figure, mounts)
    # Its bases are others now: the rows of the table are made afresh.
    game.scratch = None
    if isinstance(found, Pose):
        pose(game, unit, found)
    else:
        for name, spot in found.items():
            place(game, unit.teams[name], *spot)
    text = f"{label(unit)} {'mounts' if mounts else 'dismounts'}."
    game.tell("mount" if mounts else "dismount", text, RULES[mounts], seat=unit.side, unit=unit.id, type=unit.type)
    if unit.wounds and ineffective(unit):
        yield from lose_unit(game, unit, *INEFFECTIVE)


def change_seat(figure: Figure, mounts: bool) -> None:
    """The horse's wound goes and comes with it: without it he has as many left on foot as he had in the saddle."""
    if mounts:
        figure.permanent += figure.unhorsed
        figure.unhorsed = False
    elif figure.permanent:
        figure.permanent -= 1
        figure.unhorsed = True
    figure.mounted = mounts


REGROUPED: KeptUntilChange[tuple[str, str, bool], Pose | dict[str, Point] | None] = KeptUntilChange()
"""Of a unit in its formation, as it mounts or dismounts."""


def regrouped(game: Battle, unit: Unit, mounts: bool) -> Pose | dict[str, Point] | None:
    """Where each model of a unit stands on its other base, or the pose of all; None if there is no room.

    As near as may be to where it stood, in command, and more than 2 inches from others.
    """
    return REGROUPED.once(board(game), (unit.id, unit.formation, mounts), lambda: regroup(game, unit, mounts))


def regroup(game: Battle, unit: Unit, mounts: bool) -> Pose | dict[str, Point] | None:
    here = board(game)
    others = here.all_but(unit.teams.values())
    bases = {figure.id: kind(figure.profile, mounts, figure.traits).base for figure in unit.teams.values()}
    if unit.pose is not None:
        return in_ranks(game, unit, mounts, others)
    spots = {figure.id: figure.at for figure in unit.teams.values() if figure.at is not None}
    middle = tuple(sum(axis) / len(spots) for axis in zip(*spots.values(), strict=True))
    placed: Floats = np.empty((0, 8))
    found: dict[str, Point] = {}

    def there(name: str, spot: Point) -> Floats:
        return bodies([(bases[name], Place(*spot, unit.teams[name].facing))])

    waiting = sorted(spots, key=lambda each: (round(math.dist(spots[each], middle), 2), each))
    where_they_are = {name: there(name, spots[name]) for name in waiting}
    clear = {name for name, row in where_they_are.items() if stands_clear(game, row, others)}
    while waiting:
        # Whoever may stay where he is comes first, so that all stay who can.
        stays = (each for each in waiting if each in clear and joins(unit, where_they_are[each], placed))
        name = next(stays, waiting[0])
        free = (spot for spot in around(spots[name]) if fits(game, unit, there(name, spot), placed, others))
        spot = next(free, None)
        if spot is None:
            return None
        waiting.remove(name)
        found[name] = spot
        placed = np.concatenate((placed, there(name, spot)))
    order = list(found)
    while True:
        aside = (name for name in order if name in clear and found[name] != spots[name])
        name = next((each for each in aside if could_stay(unit, where_they_are[each], placed, order.index(each))), "")
        if not name:
            return found
        found[name], placed[order.index(name)] = spots[name], where_they_are[name][0]


def could_stay(unit: Unit, own: Floats, placed: Floats, number: int) -> bool:
    """Whether somebody who has stepped aside need not have, now that all the others have their places."""
    mates = np.delete(placed, number, axis=0)
    return not measure.overlaps(own, mates, SLACK).any() and stands_in_command(unit, np.concatenate((mates, own)))


@cache
def rings() -> list[Point]:
    """How far from the middle the spots are that are tried, the nearest first."""
    far = [RING * ring for ring in range(1, int(FARTHEST / RING) + 1)]
    ways = [heading(360.0 * number / DIRECTIONS) for number in range(DIRECTIONS)]
    return [(inches * sin, inches * cos) for inches in far for sin, cos in ways]


def around(centre: Point) -> Iterator[Point]:
    """The spots that are tried, the nearest first."""
    yield centre
    for east, north in rings():
        yield snap(centre[0] + east), snap(centre[1] + north)


def fits(game: Battle, unit: Unit, row: Floats, placed: Floats, others: Floats) -> bool:
    return joins(unit, row, placed) and stands_clear(game, row, others)


def stands_clear(game: Battle, row: Floats, others: Floats) -> bool:
    """Whether a base is on the table and far enough from other units."""
    if not moves.on_table(row, game.prepared.width, game.prepared.depth)[0]:
        return False
    return not len(others) or beyond(base_gap(row, others), SEPARATION, EXACT)


def joins(unit: Unit, row: Floats, placed: Floats) -> bool:
    """Whether a base has room beside those of its unit that are placed already, and is linked to them."""
    return not len(placed) or (not measure.overlaps(row, placed, SLACK).any() and linked(unit, row, placed))


def linked(unit: Unit, row: Floats, placed: Floats) -> bool:
    return base_gap(row, placed) <= command_distance(unit)[0] + A_HAIR


def in_ranks(game: Battle, unit: Unit, mounts: bool, others: Floats) -> Pose | None:
    """A body keeps the middle of its front rank and how it faces; on foot a line is two ranks deep, mounted one."""
    assert unit.pose is not None
    allowed = files_of(unit, unit.alignment, len(unit.teams), mounts)
    files = unit.pose.files if unit.pose.files in allowed else max(allowed)
    wanted = Pose(unit.pose.at, unit.pose.facing, files)
    bases = [kind(each.profile, mounts, each.traits).base for each in unit.teams.values()]
    base = max(bases, key=lambda each: each.width)
    spots = places(wanted, len(unit.teams), base.width)
    rows = bodies((base, Place(*spot, wanted.facing)) for spot in spots)
    if not moves.on_table(rows, game.prepared.width, game.prepared.depth).all():
        return None
    return wanted if not len(others) or beyond(base_gap(rows, others), SEPARATION, EXACT) else None
