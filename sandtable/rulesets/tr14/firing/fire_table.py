"""What some Teams can do to some enemies, weapon by weapon; what one Team is ordered to do; and the aim of a volley."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from sandtable.rulesets.tr14.core.board import Battle, board
from sandtable.rulesets.tr14.core.state import Member, Team, Unit
from sandtable.rulesets.tr14.core.terrain import HARD, OPEN
from sandtable.rulesets.tr14.firing.targets import Target
from sandtable.rulesets.tr14.kernels import fire
from sandtable.table.hairs import within
from sandtable.table.shapes import forward_offset

HALF_CIRCLE = 180.0
"""tr14.firing.arc, tr14.firing.turret-arc"""


@dataclass(frozen=True, slots=True)
class Order:
    """What one Team shoots at: a Unit, perhaps one type of its Teams, perhaps with its machine guns only."""

    unit: str
    type: str = ""
    mgs: bool = False

    @property
    def id(self) -> str:
        return self.unit + (f"@{self.type}" if self.type else "") + ("#mg" if self.mgs else "")


@cache
def read_order(text: str) -> Order:
    rest, _, mgs = text.partition("#")
    unit, _, kind = rest.partition("@")
    return Order(unit, kind, bool(mgs))


class FireTable:
    """What some Teams can do to some enemy Teams: distances, sight, cover, and what each weapon can fire at.

    Whoever helps does not fire, but may see what nobody who fires does. The arrays of the kernel are kept as lists: a
    table is small, and lists are much quicker to look into.
    """

    def __init__(
        self, game: Battle, shooters: Sequence[Team], side: str, members: Sequence[Member], helpers: Sequence[Team] = ()
    ) -> None:
        here = board(game)
        ground, friends, index = here.ground, here.side(side), here.index
        number = friends.number
        distance, marks, stands = fire.aim(
            ground.lens,
            ground.table.cover,
            here.places,
            friends.troops,
            np.array([number[team.id] for team in shooters]),
            np.array([number[team.id] for team in helpers], dtype=np.int64),
            np.array([index[team.id] for _, team in members]),
            HALF_CIRCLE,
        )
        self.shooters = shooters
        self.members = members
        self.kinds = [team.kind for _, team in members]
        self.distance: list[list[float]] = distance.tolist()
        """From each who fires to each target."""
        self.valid: list[list[list[int]]] = []
        """Of each who fires, the numbers of the targets at which each of his weapons has a die to roll."""
        self.cover: list[list[int]] = []
        """Of each who fires, the cover that each target has from him, shields left aside; or fire.UNSEEN."""
        dug_in = [position for position, (_, team) in enumerate(members) if team.dug_in]
        for *fields, cover in marks.tolist():
            self.valid.append([[position for position, can in enumerate(field) if can] for field in fields])
            for position in dug_in:
                if cover[position] != fire.UNSEEN:
                    cover[position] = HARD
            self.cover.append(cover)
        self.visible: list[int]
        """Which targets anybody of the Unit sees."""
        self.in_area: list[int]
        """Which targets stand in area terrain."""
        self.visible, self.in_area = stands.tolist()

    def halves(self, number: int, position: int) -> bool:
        """tr14.firing.at-half-fp: whether a target is no Tank and not in Hard Cover from AT weapons of a shooter."""
        return self.kinds[position].type != "tank" and self.cover[number][position] != HARD

    def points(self, number: int, slot: int, pool: Sequence[int]) -> int:
        """The Fire Points of a weapon at some of its targets: at long range half of them."""
        weapon = self.shooters[number].kind.weapons[slot]
        near = min([self.distance[number][position] for position in pool])
        return weapon.fp if within(near, weapon.range) else weapon.fp // 2

    def most_dice(self, number: int, slot: int, pool: Sequence[int]) -> int:
        """The dice that a weapon rolls if its hits go to the one of these targets at which it has most."""
        points = self.points(number, slot, pool)
        halved = self.shooters[number].kind.weapons[slot].at and all(self.halves(number, p) for p in pool)
        return points // 2 if halved else points


class Aim(FireTable):
    """All that the To Hit numbers of one volley rest on."""

    def pool(self, number: int, slot: int, order: Order) -> list[int]:
        """The targets to which a weapon's hits go first: of the type that an AT weapon declares, or all."""
        valid = self.valid[number][slot]
        if not order.type or not self.shooters[number].kind.weapons[slot].at:
            return valid
        return [position for position in valid if self.kinds[position].type == order.type] or valid

    def can_roll(self, number: int, slot: int, order: Order) -> bool:
        """Whether a weapon may have a die to roll, if it fires as ordered."""
        pool = self.pool(number, slot, order)
        return bool(pool) and self.most_dice(number, slot, pool) > 0

    def covers(self, numbers: Sequence[int], at: bool) -> list[int]:
        """The worst cover that each target has from any of these shooters who sees it, or else from any who does."""
        found = worst([self.cover[number] for number in numbers])
        if fire.UNSEEN in found:
            by_any = worst(self.cover)
            found = [cover if cover != fire.UNSEEN else by_any[position] for position, cover in enumerate(found)]
        if not at:
            for position, kind in enumerate(self.kinds):
                if kind.shielded:
                    found[position] = self.behind_shield(position, numbers)
        return [OPEN if cover == fire.UNSEEN else cover for cover in found]

    def behind_shield(self, position: int, numbers: Sequence[int]) -> int:
        """`covers` of one Team with a shield, from weapons that are not AT."""
        watching = [number for number in numbers if self.cover[number][position] != fire.UNSEEN]
        if not watching:
            watching = [number for number, cover in enumerate(self.cover) if cover[position] != fire.UNSEEN]
        team = self.members[position][1]
        found = [HARD if shielded(team, self.shooters[n]) else self.cover[n][position] for n in watching]
        return min(found, default=fire.UNSEEN)

    def shields(self, numbers: Sequence[int]) -> list[bool]:
        """Whether the cover of each target from these shooters, none of them AT, is owed to its shield."""
        if not any(kind.shielded for kind in self.kinds):
            return [False] * len(self.kinds)
        covers = zip(self.covers(numbers, False), self.covers(numbers, True), strict=True)
        return [plain > bare for plain, bare in covers]


def worst(covers: list[list[int]]) -> list[int]:
    """The least cover of each target among some lists of them."""
    return list(map(min, *covers)) if len(covers) > 1 else list(covers[0])


def shielded(team: Team, shooter: Team) -> bool:
    """tr14.arsenal.gun-shield: Hard Cover from the front, against weapons that are not AT."""
    assert team.at is not None
    assert shooter.at is not None
    return forward_offset(*team.at, team.facing, *shooter.at) > 0.0


def take_aim(game: Battle, unit: Unit, shooters: list[Team], target: Target) -> Aim:
    firing = {team.id for team in shooters}
    helpers = [team for team in unit.teams.values() if team.id not in firing]
    return Aim(game, shooters, unit.side, target.members, helpers)
