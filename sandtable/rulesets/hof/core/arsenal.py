"""The arsenals: weapons, guns and vehicles of four nations as data, and the Teams that they make."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Literal

import msgspec

from sandtable.engine import data
from sandtable.field.set_ups import Faults, unknown_name
from sandtable.table.shapes import Footprint

Nation = Literal["us", "german", "british", "soviet", "any"]
Category = Literal["infantry", "gun", "vehicle"]
BaseSize = Literal["small", "standard", "large"]
Artillery = Literal["", "light", "medium", "heavy"]
GunMobility = Literal["gun", "man-portable"]
VehicleMobility = Literal["tracked", "half-tracked", "wheeled", "wagon"]
Mobility = Literal["foot"] | GunMobility | VehicleMobility

WeaponKeyword = Literal[
    "anti-air",
    "bunker-buster",
    "flame-thrower",
    "light-mortar",
    "limited-he",
    "rfps-only",
    "smoke",
    "not-from-buildings",
    "close-range-rof",
    "rerolls-assault",
    "passenger-fired",
    "gun-or-mgs",
    "assault-only",
    "mg",
]
TeamKeyword = Literal[
    "fast", "slow", "overloaded", "unreliable", "wide-tracks", "open-topped", "hull-mounted", "immobile", "amphibious"
]

FILES = ("us", "german", "british", "soviet", "common")

BASES = {"small": Footprint(0.75, 0.75), "standard": Footprint(1.5, 1.5), "large": Footprint(3.0, 3.0)}
"""hof.orders.base-sizes"""


class Weapon(msgspec.Struct, frozen=True):
    """One weapon of a Team. Range 0 or RoF 0: no direct fire. AT None: small arms. `aa_at`: AT against aircraft."""

    name: str
    range: float
    rof: int
    at: int | None
    fp: int = 1
    keywords: tuple[WeaponKeyword, ...] = ()
    aa_at: int | None = None

    @property
    def direct(self) -> bool:
        return bool(self.range and self.rof)


FLAME_THROWER = Weapon("Flame-thrower", 4.0, 3, None, keywords=("flame-thrower",))
"""Range and RoF as in hof.optional.flame-profile; that optional rule gives the FP."""


class WeaponRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row of a table; the rows of Teams say more."""

    name: str
    range: float = 0.0
    rof: int = 0
    at: int | None = None
    aa_at: int | None = None
    fp: int = 1
    weapon_keywords: tuple[WeaponKeyword, ...] = ()

    def weapon(self, name: str, *more: WeaponKeyword) -> Weapon:
        return Weapon(name, self.range, self.rof, self.at, self.fp, (*self.weapon_keywords, *more), self.aa_at)


class InfantryRow(WeaponRow, frozen=True, forbid_unknown_fields=True):
    base: BaseSize = "standard"
    mortar: bool = False


class GunRow(WeaponRow, frozen=True, forbid_unknown_fields=True):
    """`base` is what the table prints: a Gun that is not man-portable is on a large base in any case."""

    base: Literal["large"] | None = None
    mobility: GunMobility = "gun"
    keywords: tuple[TeamKeyword, ...] = ()
    artillery: Artillery = ""
    mortar: bool = False


class VehicleRow(WeaponRow, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`variant_of` names the row that this one is another make of."""

    mobility: VehicleMobility
    armor: tuple[int, int] | None = None
    gun: str = ""
    flame: str = ""
    mgs: tuple[str, ...] = ()
    passenger: tuple[str, ...] = ()
    keywords: tuple[TeamKeyword, ...] = ()
    artillery: Artillery = ""
    mortar: bool = False
    carries: int = 0
    size: tuple[float, float] | None = None
    variant_of: str = ""


class Armament(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a name in the rows of vehicles stands for: a row of the Vehicle MGs, and keywords beside it."""

    row: str
    weapon_keywords: tuple[WeaponKeyword, ...] = ()


class Arsenal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The tables of one nation, each by the last part of its rule's id. `sizes` are hulls by table."""

    format: Literal["sandtable.hof.arsenal"]
    nation: Nation
    infantry: dict[str, dict[str, InfantryRow]] = {}
    guns: dict[str, dict[str, GunRow]] = {}
    vehicles: dict[str, dict[str, VehicleRow]] = {}
    weapons: dict[str, dict[str, WeaponRow]] = {}
    armament: dict[str, Armament] = {}
    sizes: dict[str, tuple[float, float]] = {}
    rows: dict[str, int] = {}
    """How many rows each table of the rules has, by its rule."""

    def mistakes(self) -> Faults:
        if self.nation != "any":
            yield from self._rows_amiss()
        known = sorted(key for rows in self.weapons.values() for key in rows)
        for name, arm in self.armament.items():
            yield from unknown_name(("armament", name, "row"), arm.row, known, "weapon")
        for table, rows in self.vehicles.items():
            if table not in self.sizes:
                yield ("vehicles", table), f"the hulls of {table} have no size; give one under `sizes`"
            for key, row in rows.items():
                steps = ("vehicles", table, key)
                for field, names in (("mgs", row.mgs), ("passenger", row.passenger)):
                    for number, name in enumerate(names):
                        yield from unknown_name((*steps, field, number), name, self.armament, "armament")
                if (row.range or row.rof or row.flame) and not row.gun:
                    yield steps, "a vehicle that fires a gun names it (`gun`)"
                if row.variant_of and (row.variant_of not in rows or rows[row.variant_of].variant_of):
                    yield (*steps, "variant_of"), f"{row.variant_of!r} is no row of this table"

    @property
    def sections(self) -> dict[str, Mapping[str, Mapping[str, WeaponRow]]]:
        return {"infantry": self.infantry, "guns": self.guns, "weapons": self.weapons, "vehicles": self.vehicles}

    def names(self) -> dict[str, list[str]]:
        """The rows of each table by name, in the order of the book; another make of a row is not a row."""
        found: dict[str, list[str]] = {}
        for section in self.sections.values():
            for table, rows in section.items():
                makes = (row.name for row in rows.values() if not (isinstance(row, VehicleRow) and row.variant_of))
                found.setdefault(table, []).extend(makes)
        return found

    def _rows_amiss(self) -> Faults:
        where = {table: (name, table) for name, section in self.sections.items() for table in section}
        tables = self.names()
        for rule, wanted in self.rows.items():
            table = rule.rpartition(".")[2]
            if not table.startswith(f"{self.nation}-"):
                yield ("rows", rule), f"the nation {self.nation!r} has no such table ({rule})"
            rows = len(tables.pop(table, ()))
            if rows != wanted:
                yield where.get(table, ()), f"the table has {wanted} rows, here are {rows} ({rule})"
        for table in tables:
            yield where[table], f"the rules have no such table for the nation {self.nation!r}"


class Profile(msgspec.Struct, frozen=True, dict=True):
    """What a Team is: its base, how it goes, what it shoots with (the main weapon first), its armor if any."""

    key: str
    name: str
    nation: Nation
    table: str
    category: Category
    base: Footprint
    weapons: tuple[Weapon, ...]
    mobility: Mobility = "foot"
    small: bool = False
    armor: tuple[int, int] | None = None
    keywords: tuple[TeamKeyword, ...] = ()
    artillery: Artillery = ""
    mortar: bool = False
    carries: int = 0

    @cached_property
    def vehicle(self) -> bool:
        return self.category == "vehicle"

    @cached_property
    def armored(self) -> bool:
        """Armor 0 is armor too: hof.vehicles.armored-or-not."""
        return self.armor is not None

    @cached_property
    def front(self) -> int:
        return self.armor[0] if self.armor else 0

    @cached_property
    def flank(self) -> int:
        return self.armor[1] if self.armor else 0

    @cached_property
    def transport(self) -> bool:
        return self.carries > 0

    @cached_property
    def turret(self) -> bool:
        """Whether it fires all round: every Vehicle that is not Hull Mounted."""
        return self.vehicle and "hull-mounted" not in self.keywords

    @cached_property
    def anti_air(self) -> bool:
        return any("anti-air" in weapon.keywords for weapon in self.weapons)

    @cached_property
    def flames(self) -> bool:
        """Whether it has a flame-thrower."""
        return any("flame-thrower" in weapon.keywords for weapon in self.weapons)

    @cached_property
    def infantry_at(self) -> bool:
        """Bazooka, PIAT, Panzerschreck."""
        return self.category == "infantry" and self.small and any((weapon.at or 0) > 0 for weapon in self.weapons)

    @cached_property
    def reach(self) -> float:
        """Twice the longest range of its weapons: beyond it a Team never fires directly."""
        return 2 * max((weapon.range for weapon in self.weapons if weapon.direct), default=0.0)


@cache
def arsenals() -> tuple[Arsenal, ...]:
    folder = Path(__file__).parents[1] / "data"
    return tuple(data.read(folder / f"{name}.toml", Arsenal) for name in FILES)


@cache
def tables() -> dict[str, list[str]]:
    """The names of the rows of every table of the rules, by the last part of the table's rule id."""
    return {table: names for stock in arsenals() if stock.nation != "any" for table, names in stock.names().items()}


@cache
def extra_weapons() -> dict[str, Weapon]:
    """The weapons that are no Team: the Panzerfaust and the vehicle MGs."""
    return {
        key: row.weapon(row.name)
        for stock in arsenals()
        for rows in stock.weapons.values()
        for key, row in rows.items()
    }


@cache
def profiles() -> dict[str, Profile]:
    """Every Team that the arsenals make, and those that belong to every army."""
    return {made.key: made for stock in arsenals() for made in _teams(stock)}


@cache
def profile(key: str) -> Profile:
    return profiles()[key]


@cache
def sized(key: str, width: float, depth: float) -> Profile:
    """A kind of Team on a base of its own size (hof.orders.base-sizes)."""
    return msgspec.structs.replace(profile(key), base=Footprint(width, depth))


def _teams(stock: Arsenal) -> Iterator[Profile]:
    for table, infantry in stock.infantry.items():
        for key, row in infantry.items():
            weapons = (row.weapon(row.name),) if row.rof else ()
            small = row.base == "small"
            yield Profile(*_head(stock, table, key, row), "infantry", BASES[row.base], weapons, small=small,
                          mortar=row.mortar)  # fmt: skip
    for table, guns in stock.guns.items():
        for key, gun in guns.items():
            base = BASES["standard" if gun.mobility == "man-portable" and gun.base is None else "large"]
            yield Profile(*_head(stock, table, key, gun), "gun", base, (gun.weapon(gun.name),), gun.mobility,
                          keywords=gun.keywords, artillery=gun.artillery, mortar=gun.mortar)  # fmt: skip
    for table, vehicles in stock.vehicles.items():
        for key, hull in vehicles.items():
            base = Footprint(*(hull.size or stock.sizes[table]))
            yield Profile(*_head(stock, table, key, hull), "vehicle", base, tuple(_weapons(stock, hull)), hull.mobility,
                          armor=hull.armor, keywords=hull.keywords, artillery=hull.artillery, mortar=hull.mortar,
                          carries=hull.carries)  # fmt: skip


def _head(stock: Arsenal, table: str, key: str, row: WeaponRow) -> tuple[str, str, Nation, str]:
    """What every Team is called and comes from; the Teams of every army come from no table of the rules."""
    return key, row.name, stock.nation, "" if stock.nation == "any" else table


def _weapons(stock: Arsenal, row: VehicleRow) -> Iterator[Weapon]:
    """The gun, the flame-thrower beside it, and the machine guns."""
    if row.gun:
        yield row.weapon(row.gun)
    if row.flame:
        yield msgspec.structs.replace(FLAME_THROWER, name=row.flame)
    for name in row.mgs:
        yield _mg(stock, name)
    for name in row.passenger:
        yield _mg(stock, name, "passenger-fired")


def _mg(stock: Arsenal, name: str, *more: WeaponKeyword) -> Weapon:
    arm = stock.armament[name]
    row = next(rows[arm.row] for rows in stock.weapons.values() if arm.row in rows)
    return row.weapon(name, *arm.weapon_keywords, *more, "mg")
