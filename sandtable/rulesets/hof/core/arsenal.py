"""The arsenals: weapons, guns and vehicles of four nations as data, and the Teams that they make."""

from __future__ import annotations

from collections.abc import Container, Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import Literal

import msgspec

from sandtable.engine import data
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
    "fast",
    "slow",
    "overloaded",
    "unreliable",
    "wide-tracks",
    "open-topped",
    "hull-mounted",
    "immobile",
    "amphibious",
]

FILES = ("us", "german", "british", "soviet", "common")

BASES = {"small": Footprint(0.75, 0.75), "standard": Footprint(1.5, 1.5), "large": Footprint(3.0, 3.0)}
"""hof.orders.base-sizes"""

ROWS = {
    "hof.arsenals.us-infantry": 3,
    "hof.arsenals.us-guns": 12,
    "hof.arsenals.us-transports": 4,
    "hof.arsenals.us-tanks": 12,
    "hof.arsenals.us-spaa": 3,
    "hof.arsenals.us-armoured-cars": 2,
    "hof.arsenals.us-sp-artillery": 3,
    "hof.arsenals.us-vehicle-mgs": 2,
    "hof.arsenals.german-infantry": 5,
    "hof.arsenals.german-guns": 15,
    "hof.arsenals.german-tanks": 15,
    "hof.arsenals.german-sp-artillery": 6,
    "hof.arsenals.german-spaa": 5,
    "hof.arsenals.german-vehicle-mgs": 2,
    "hof.arsenals.german-flame": 2,
    "hof.arsenals.german-armored-cars": 4,
    "hof.arsenals.german-transports": 4,
    "hof.arsenals.british-infantry": 4,
    "hof.arsenals.british-guns": 11,
    "hof.arsenals.british-tanks": 12,
    "hof.arsenals.british-vehicle-mgs": 2,
    "hof.arsenals.british-sp-artillery": 2,
    "hof.arsenals.british-armoured-cars": 6,
    "hof.arsenals.british-transports": 5,
    "hof.arsenals.british-spaa": 1,
    "hof.arsenals.british-recon": 10,
    "hof.arsenals.soviet-infantry": 2,
    "hof.arsenals.soviet-guns": 11,
    "hof.arsenals.soviet-vehicle-mgs": 1,
    "hof.arsenals.soviet-tanks": 14,
    "hof.arsenals.soviet-spaa": 2,
    "hof.arsenals.soviet-sp-artillery": 1,
    "hof.arsenals.soviet-armored-cars": 1,
    "hof.arsenals.soviet-transports": 4,
}
"""The rows of each table of the rules."""


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

    def mistakes(self) -> Iterator[tuple[str, str]]:
        if self.nation != "any":
            yield from self._rows_amiss()
        known = {key for rows in self.weapons.values() for key in rows}
        for name, arm in self.armament.items():
            if arm.row not in known:
                yield f'armament."{name}".row', f"unknown weapon {arm.row!r}; known: {', '.join(sorted(known))}"
        for table, rows in self.vehicles.items():
            if table not in self.sizes:
                yield f"vehicles.{table}", f"the hulls of {table} have no size; give one under `sizes`"
            for key, row in rows.items():
                for field, names in (("mgs", row.mgs), ("passenger", row.passenger)):
                    for number, name in enumerate(names):
                        if name not in self.armament:
                            known_names = ", ".join(self.armament)
                            yield f"vehicles.{table}.{key}.{field}[{number}]", f"unknown {name!r}; known: {known_names}"
                if (row.range or row.rof or row.flame) and not row.gun:
                    yield f"vehicles.{table}.{key}", "a vehicle that fires a gun names it (`gun`)"
                if row.variant_of and (row.variant_of not in rows or rows[row.variant_of].variant_of):
                    yield f"vehicles.{table}.{key}.variant_of", f"{row.variant_of!r} is no row of this table"

    def names(self) -> dict[str, list[str]]:
        """The rows of each table by name, in the order of the book; another make of a row is not a row."""
        found: dict[str, list[str]] = {}
        for section in (self.infantry, self.guns, self.weapons):
            for table, rows in section.items():
                found.setdefault(table, []).extend(row.name for row in rows.values())
        for table, vehicles in self.vehicles.items():
            found.setdefault(table, []).extend(row.name for row in vehicles.values() if not row.variant_of)
        return found

    def _rows_amiss(self) -> Iterator[tuple[str, str]]:
        tables = self.names()
        for rule, wanted in ROWS.items():
            table = rule.rpartition(".")[2]
            if table.startswith(f"{self.nation}-"):
                rows = len(tables.pop(table, ()))
                if rows != wanted:
                    yield self._section(table), f"the table has {wanted} rows, here are {rows} ({rule})"
        for table in tables:
            yield self._section(table), f"the rules have no such table for the nation {self.nation!r}"

    def _section(self, table: str) -> str:
        sections: list[tuple[str, Container[str]]] = [
            ("infantry", self.infantry),
            ("guns", self.guns),
            ("vehicles", self.vehicles),
            ("weapons", self.weapons),
        ]
        return next((f"{name}.{table}" for name, tables in sections if table in tables), "")


class Profile(msgspec.Struct, frozen=True, dict=True):
    """What a Team is: its base, how it goes, what it shoots with (the main weapon first), its armor if any."""

    key: str
    name: str
    nation: Nation
    table: str
    category: Category
    base: Footprint
    small: bool
    armor: tuple[int, int] | None
    mobility: Mobility
    weapons: tuple[Weapon, ...]
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
            yield _infantry(stock, table, key, row)
    for table, guns in stock.guns.items():
        for key, gun in guns.items():
            yield _gun(stock, table, key, gun)
    for table, vehicles in stock.vehicles.items():
        for key, vehicle in vehicles.items():
            yield _vehicle(stock, table, key, vehicle)


def _infantry(stock: Arsenal, table: str, key: str, row: InfantryRow) -> Profile:
    return Profile(
        key,
        row.name,
        stock.nation,
        _printed(stock, table),
        "infantry",
        BASES[row.base],
        row.base == "small",
        None,
        "foot",
        (row.weapon(row.name),) if row.rof else (),
        mortar=row.mortar,
    )


def _gun(stock: Arsenal, table: str, key: str, row: GunRow) -> Profile:
    light = row.mobility == "man-portable" and row.base is None
    return Profile(
        key,
        row.name,
        stock.nation,
        _printed(stock, table),
        "gun",
        BASES["standard" if light else "large"],
        False,
        None,
        row.mobility,
        (row.weapon(row.name),),
        row.keywords,
        row.artillery,
        row.mortar,
    )


def _vehicle(stock: Arsenal, table: str, key: str, row: VehicleRow) -> Profile:
    width, depth = row.size or stock.sizes[table]
    return Profile(
        key,
        row.name,
        stock.nation,
        _printed(stock, table),
        "vehicle",
        Footprint(width, depth),
        False,
        row.armor,
        row.mobility,
        tuple(_weapons(stock, row)),
        row.keywords,
        row.artillery,
        row.mortar,
        row.carries,
    )


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


def _printed(stock: Arsenal, table: str) -> str:
    """The table of the rules that a Team comes from; the Teams of every army come from none."""
    return "" if stock.nation == "any" else table
