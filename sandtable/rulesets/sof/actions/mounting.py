"""Into the saddle and out of it: each model is replaced by its equal, and the unit stays together."""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from sandtable.engine.game import Flow
from sandtable.engine.questions import Refusal, illegal
from sandtable.field.formations import Pose, places
from sandtable.field.kept import KeptUntilChange
from sandtable.rulesets.sof.core.arsenal import kind
from sandtable.rulesets.sof.core.board import Battle, base_gap, board, place_all, pose
from sandtable.rulesets.sof.core.names import label
from sandtable.rulesets.sof.core.room import RING, WAYS
from sandtable.rulesets.sof.core.state import Point, Unit
from sandtable.rulesets.sof.formations import files_of
from sandtable.rulesets.sof.kernels import regrouping
from sandtable.rulesets.sof.losses import INEFFECTIVE, ineffective, lose_unit
from sandtable.rulesets.sof.units import SEPARATION, change_seat, command_distance
from sandtable.table import moves
from sandtable.table.hairs import A_HAIR, EXACT, beyond
from sandtable.table.shapes import Floats, Place, bodies, snap

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
    board(game).change_bases(unit)
    if isinstance(found, Pose):
        pose(game, unit, found)
    else:
        place_all(game, [(unit.teams[name], spot, None) for name, spot in found.items()])
    text = f"{label(unit)} {'mounts' if mounts else 'dismounts'}."
    game.tell("mount" if mounts else "dismount", text, RULES[mounts], seat=unit.side, unit=unit.id, type=unit.type)
    if unit.wounds and ineffective(unit):
        yield from lose_unit(game, unit, *INEFFECTIVE)


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
    waiting = sorted(spots, key=lambda each: (snap(math.dist(spots[each], middle)), each))
    rows = bodies((bases[name], Place(*spots[name], unit.teams[name].facing)) for name in waiting)
    size = game.prepared.width, game.prepared.depth
    found = regrouping.regrouped(rows, others, rings(), SEPARATION, command_distance(unit)[0] + A_HAIR, *size)
    return None if found is None else dict(zip(waiting, found, strict=True))


@cache
def rings() -> Floats:
    """How far from his old place to the east and north the spots are that are tried, the nearest first."""
    far = [RING * ring for ring in range(1, int(FARTHEST / RING) + 1)]
    return np.array([(inches * sin, inches * cos) for inches in far for sin, cos in WAYS])


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
