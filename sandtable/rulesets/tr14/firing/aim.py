"""Aim: all that the To Hit numbers of one volley rest on."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine.game import Game
from sandtable.rulesets.tr14.core.state import State, Team, Unit
from sandtable.rulesets.tr14.core.terrain import HARD, OPEN
from sandtable.rulesets.tr14.firing.fire_table import FireTable, Order
from sandtable.rulesets.tr14.firing.targets import Target
from sandtable.rulesets.tr14.kernels import fire
from sandtable.table.shapes import forward_offset


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
        return [
            plain > bare for plain, bare in zip(self.covers(numbers, False), self.covers(numbers, True), strict=True)
        ]


def worst(covers: list[list[int]]) -> list[int]:
    """The least cover of each target among some lists of them."""
    return list(map(min, *covers)) if len(covers) > 1 else list(covers[0])


def shielded(team: Team, shooter: Team) -> bool:
    """tr14.arsenal.gun-shield: Hard Cover from the front, against weapons that are not AT."""
    assert team.at is not None
    assert shooter.at is not None
    return forward_offset(*team.at, team.facing, *shooter.at) > 0.0


def take_aim(game: Game[State], unit: Unit, shooters: list[Team], target: Target) -> Aim:
    firing = {team.id for team in shooters}
    helpers = [team for team in unit.teams.values() if team.id not in firing]
    return Aim(game, shooters, unit.side, target.members, helpers)
