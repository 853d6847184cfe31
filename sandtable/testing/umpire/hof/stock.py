"""What the data files say of each kind of Team and of each kind of ground, read here by the second umpire itself."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from sandtable.rulesets import hof

DATA = Path(hof.__file__).parent / "data"
ARSENALS = ("us", "german", "british", "soviet", "common")
SQUARES = {"small": 0.75, "standard": 1.5, "large": 3.0}
"""Bases of those on foot and of guns, in inches: half the usual size for Small Teams, twice that for guns on wheels."""


@dataclass(frozen=True)
class Weapon:
    """`at` None: small arms."""

    name: str
    range: float
    rof: int
    at: int | None
    fp: int
    keywords: tuple[str, ...]
    aa_at: int | None

    @property
    def direct(self) -> bool:
        return self.range > 0 and self.rof > 0


@dataclass(frozen=True)
class Make:
    """A kind of Team. `armor` is front and flank; None is unarmored."""

    key: str
    nation: str
    category: str
    width: float
    depth: float
    small: bool
    mobility: str
    keywords: tuple[str, ...]
    weapons: tuple[Weapon, ...]
    armor: tuple[int, int] | None = None
    artillery: str = ""
    mortar: bool = False
    carries: int = 0

    @property
    def vehicle(self) -> bool:
        return self.category == "vehicle"

    @property
    def portable(self) -> bool:
        return self.mobility == "man-portable"


@dataclass(frozen=True)
class Going:
    """A kind of ground, with the words of the data file."""

    name: str
    shape: str
    going: str
    conceals: bool
    hard: bool
    tall: bool
    thick: bool
    building: bool
    road: bool
    water: bool
    obstacle: str
    trench: bool


@cache
def makes() -> dict[str, Make]:
    return {made.key: made for name in ARSENALS for made in read_arsenal(DATA / f"{name}.toml")}


def make(profile: str) -> Make:
    return makes()[profile]


@cache
def grounds() -> dict[str, Going]:
    kinds = tomllib.loads((DATA / "terrain.toml").read_text(encoding="utf-8"))["kinds"]
    return {name: read_ground(name, row) for name, row in kinds.items()}


def read_ground(name: str, row: dict[str, Any]) -> Going:
    flags = {flag: bool(row.get(flag)) for flag in ("conceals", "hard", "tall", "thick", "building", "road", "water")}
    return Going(
        name,
        row["shape"],
        row.get("going", "open"),
        obstacle=row.get("obstacle", ""),
        trench=bool(row.get("trench")),
        **flags,
    )


def read_arsenal(path: Path) -> list[Make]:
    stock = tomllib.loads(path.read_text(encoding="utf-8"))
    found: list[Make] = []
    for rows in stock.get("infantry", {}).values():
        found += [read_infantry(stock["nation"], key, row) for key, row in rows.items()]
    for rows in stock.get("guns", {}).values():
        found += [read_gun(stock["nation"], key, row) for key, row in rows.items()]
    for table, rows in stock.get("vehicles", {}).items():
        found += [read_vehicle(stock, table, key, row) for key, row in rows.items()]
    return found


def weapon_of(row: dict[str, Any], name: str, *more: str) -> Weapon:
    return Weapon(
        name,
        float(row.get("range", 0)),
        row.get("rof", 0),
        row.get("at"),
        row.get("fp", 1),
        (*row.get("weapon_keywords", ()), *more),
        row.get("aa_at"),
    )


def read_infantry(nation: str, key: str, row: dict[str, Any]) -> Make:
    size = row.get("base", "standard")
    side = SQUARES[size]
    arms = (weapon_of(row, row["name"]),) if row.get("rof") else ()
    mortar = bool(row.get("mortar"))
    return Make(key, nation, "infantry", side, side, size == "small", "foot", (), arms, mortar=mortar)


def read_gun(nation: str, key: str, row: dict[str, Any]) -> Make:
    mobility = row.get("mobility", "gun")
    side = SQUARES["standard" if mobility == "man-portable" and "base" not in row else "large"]
    return Make(
        key,
        nation,
        "gun",
        side,
        side,
        False,
        mobility,
        tuple(row.get("keywords", ())),
        (weapon_of(row, row["name"]),),
        artillery=row.get("artillery", ""),
        mortar=bool(row.get("mortar")),
    )


def read_vehicle(stock: dict[str, Any], table: str, key: str, row: dict[str, Any]) -> Make:
    width, depth = row.get("size") or stock["sizes"][table]
    front_and_flank = row.get("armor")
    return Make(
        key,
        stock["nation"],
        "vehicle",
        width,
        depth,
        False,
        row["mobility"],
        tuple(row.get("keywords", ())),
        tuple(vehicle_weapons(stock, row)),
        armor=tuple(front_and_flank) if front_and_flank is not None else None,
        artillery=row.get("artillery", ""),
        mortar=bool(row.get("mortar")),
        carries=row.get("carries", 0),
    )


def vehicle_weapons(stock: dict[str, Any], row: dict[str, Any]) -> list[Weapon]:
    """The gun, a flame-thrower beside it, the machine guns, and those that passengers fire."""
    found: list[Weapon] = []
    if row.get("gun"):
        found.append(weapon_of(row, row["gun"]))
    if row.get("flame"):
        found.append(Weapon(row["flame"], 4.0, 3, None, 1, ("flame-thrower",), None))
    for name in row.get("mgs", ()):
        found.append(machine_gun(stock, name))
    for name in row.get("passenger", ()):
        found.append(machine_gun(stock, name, "passenger-fired"))
    return found


def machine_gun(stock: dict[str, Any], name: str, *more: str) -> Weapon:
    arm = stock["armament"][name]
    row = next(rows[arm["row"]] for rows in stock["weapons"].values() if arm["row"] in rows)
    return weapon_of(row, name, *arm.get("weapon_keywords", ()), *more, "mg")
