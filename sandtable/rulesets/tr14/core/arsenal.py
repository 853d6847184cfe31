"""The arsenal: weapons, tanks and trucks as data, and the Teams that they make."""

from __future__ import annotations

from functools import cache, cached_property
from pathlib import Path
from typing import Literal

import msgspec

from sandtable.engine import data
from sandtable.field.set_ups import Faults, unknown_name
from sandtable.table.shapes import Footprint

TeamType = Literal["infantry", "gun", "tank"]

WeaponNote = Literal["at", "artillery", "moves-as-infantry", "over-friends", "shield", "rerolls-range-in"]
TankNote = Literal["skirts", "wide-tracks"]

MOVE = {"infantry": 6.0, "gun": 3.0, "tank": 12.0}
"""tr14.moving.distances"""

COHESION = {"infantry": 6.0, "gun": 6.0, "tank": 10.0}
"""tr14.moving.cohesion"""

WEAPON_ROWS = 19
TANK_ROWS = 6
"""The rows of the two tables of the rules."""


SLOTS = 3
"""No Team has more weapons than a tank with a gun and two machine guns."""

LONG_RANGE = 2
"""tr14.firing.mod-long-range: this many times its range a weapon fires at all."""

NO_REACH = -1.0
"""How far a weapon fires that does not fire directly, or is not there."""

TURRET_MOUNTS = ("gun", "coax")


class Weapon(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    range: float
    fp: int
    type: TeamType
    ta: int = 0
    barrage: int | None = None
    notes: tuple[WeaponNote, ...] = ()
    mount: str = ""

    @property
    def at(self) -> bool:
        return "at" in self.notes


class Tank(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    front: int
    flank: int
    gun: str
    mgs: tuple[Literal["hull", "coax"], ...]
    move: float = MOVE["tank"]
    turret: bool = True
    notes: tuple[TankNote, ...] = ()
    width: float = 1.5
    depth: float = 2.5


class Truck(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    width: float = 1.25
    depth: float = 2.5


class Arsenal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: Literal["sandtable.tr14.arsenal"]
    weapons: dict[str, Weapon]
    tanks: dict[str, Tank]
    trucks: dict[str, Truck]

    def mistakes(self) -> Faults:
        for where, rows, wanted, rule in (
            ("weapons", len(self.weapons), WEAPON_ROWS, "tr14.arsenal.weapons"),
            ("tanks", len(self.tanks), TANK_ROWS, "tr14.arsenal.tanks"),
        ):
            if rows != wanted:
                yield (where,), f"the table has {wanted} rows, here are {rows} ({rule})"
        for key, tank in self.tanks.items():
            yield from unknown_name(("tanks", key, "gun"), tank.gun, self.weapons, "weapon")


class Profile(msgspec.Struct, frozen=True, dict=True):
    """What a Team is: its type, its base, how far it goes, what it shoots with, and its armor if it has any."""

    key: str
    name: str
    type: TeamType
    base: Footprint
    move: float
    weapons: tuple[Weapon, ...]
    ta: int = 0
    front: int = 0
    flank: int = 0
    turret: bool = False
    notes: tuple[str, ...] = ()
    moves_as_infantry: bool = False

    @cached_property
    def armored(self) -> bool:
        return self.front > 0

    @cached_property
    def in_turret(self) -> tuple[bool, ...]:
        """Which of its weapons the turret carries, for each slot that a weapon may have."""
        mounts = [self.turret and weapon.mount in TURRET_MOUNTS for weapon in self.weapons]
        return tuple(mounts + [False] * (SLOTS - len(mounts)))

    @cached_property
    def has_at(self) -> bool:
        return any(weapon.at for weapon in self.weapons)

    @cached_property
    def at_points(self) -> int:
        """The Fire Points of its AT weapon; no Team has two."""
        return max((weapon.fp for weapon in self.weapons if weapon.at), default=0)

    @cached_property
    def has_coax(self) -> bool:
        return any(weapon.mount == "coax" for weapon in self.weapons)

    @cached_property
    def shielded(self) -> bool:
        return any("shield" in weapon.notes for weapon in self.weapons)

    @cached_property
    def fires_over_friends(self) -> bool:
        return any("over-friends" in weapon.notes for weapon in self.weapons)

    @cached_property
    def reach(self) -> float:
        """The long range of its weapons, the longest of them: beyond it a Team never fires directly."""
        return LONG_RANGE * max((weapon.range for weapon in self.weapons if weapon.fp), default=0.0)

    @cached_property
    def reaches(self) -> tuple[float, ...]:
        """How far each weapon has any die to roll: twice its range, or with a single Fire Point its range."""
        found = [(w.range if w.fp == 1 else LONG_RANGE * w.range) if w.fp else NO_REACH for w in self.weapons]
        return tuple(found + [NO_REACH] * (SLOTS - len(found)))

    @cached_property
    def soft_skinned(self) -> bool:
        return self.type == "tank" and self.front == 0

    @cached_property
    def barrage(self) -> int | None:
        """Fire Points in a barrage, for artillery and mortars."""
        return next((weapon.barrage for weapon in self.weapons if weapon.barrage is not None), None)


BASES = {"infantry": Footprint(1.5, 1.0), "gun": Footprint(1.5, 1.5)}
"""The rules name no base sizes; these are ours, for 15mm figures."""


@cache
def arsenal() -> Arsenal:
    return data.read(Path(__file__).parents[1] / "data" / "arsenal.toml", Arsenal)


@cache
def profiles() -> dict[str, Profile]:
    """Every Team that the arsenal makes: one for each infantry and gun weapon, each tank and each truck."""
    stock = arsenal()
    made: dict[str, Profile] = {}
    for key, weapon in stock.weapons.items():
        if weapon.type != "tank":
            light = "moves-as-infantry" in weapon.notes
            move = MOVE["infantry"] if light else MOVE[weapon.type]
            base = BASES["infantry"] if light else BASES[weapon.type]
            made[key] = Profile(
                key, weapon.name, weapon.type, base, move, (weapon,), weapon.ta, moves_as_infantry=light
            )
    mg = stock.weapons["vehicle-mg"]
    for key, tank in stock.tanks.items():
        mgs = (msgspec.structs.replace(mg, name=f"{mount} MG", mount=mount) for mount in tank.mgs)
        gun = msgspec.structs.replace(stock.weapons[tank.gun], mount="gun")
        made[key] = Profile(
            key,
            tank.name,
            "tank",
            Footprint(tank.width, tank.depth),
            tank.move,
            (gun, *mgs),
            front=tank.front,
            flank=tank.flank,
            turret=tank.turret,
            notes=tank.notes,
        )
    for key, truck in stock.trucks.items():
        made[key] = Profile(key, truck.name, "tank", Footprint(truck.width, truck.depth), MOVE["tank"], ())
    return made


@cache
def profile(key: str) -> Profile:
    return profiles()[key]
