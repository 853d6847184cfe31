"""Weapons, Teams and ground as the data files give them, and the numbers of the rules that are no data."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import sandtable.rulesets

DATA = Path(sandtable.rulesets.__file__).parent / "tr14" / "data"

TRAINING_CHECK = {"green": 5, "veteran": 4, "elite": 3}
TO_HIT = {"green": 2, "veteran": 3, "elite": 4}
MOVE = {"infantry": 6.0, "gun": 3.0, "tank": 12.0}
COHESION = {"infantry": 6.0, "gun": 6.0, "tank": 10.0}

OPEN, SOFT, HARD = 0, 1, 2
COVER = {"none": OPEN, "soft": SOFT, "hard": HARD}

SMALL_BASE = (1.5, 1.0)
"""Infantry, and guns that move as infantry; the source names no bases, the readings do."""
GUN_BASE = (1.5, 1.5)
TANK_BASE = (1.5, 2.5)
TRUCK_BASE = (1.25, 2.5)


class Weapon(NamedTuple):
    """One weapon of a Team; `mount` says where a vehicle carries it."""

    name: str
    range: float
    fp: int
    type: str
    notes: tuple[str, ...] = ()
    barrage: int | None = None
    mount: str = ""

    def at(self) -> bool:
        return "at" in self.notes

    def reach(self) -> float:
        """How far it has any die to roll: half of a single Fire Point is none."""
        return self.range if self.fp == 1 else 2 * self.range


class Kind(NamedTuple):
    """What a Team is."""

    type: str
    width: float
    depth: float
    move: float
    weapons: tuple[Weapon, ...]
    ta: int = 0
    front: int = 0
    flank: int = 0
    turret: bool = False
    notes: tuple[str, ...] = ()

    def armored(self) -> bool:
        return self.front > 0

    def soft_skinned(self) -> bool:
        return self.type == "tank" and self.front == 0

    def has(self, note: str) -> bool:
        return note in self.notes or any(note in weapon.notes for weapon in self.weapons)


class Going(NamedTuple):
    """What a kind of ground does."""

    shape: str
    cover: int
    going: str
    tall: bool


@cache
def kinds() -> dict[str, Kind]:
    """Every Team that the arsenal makes, by its profile."""
    stock = tomllib.loads((DATA / "arsenal.toml").read_text(encoding="utf-8"))
    weapons: dict[str, Weapon] = {}
    found: dict[str, Kind] = {}
    for key, row in stock["weapons"].items():
        weapon = weapon_of(row)
        weapons[key] = weapon
        if weapon.type != "tank":
            light = "moves-as-infantry" in weapon.notes
            width, depth = SMALL_BASE if light or weapon.type == "infantry" else GUN_BASE
            move = MOVE["infantry"] if light else MOVE[weapon.type]
            found[key] = Kind(weapon.type, width, depth, move, (weapon,), row.get("ta", 0))
    for key, row in stock["tanks"].items():
        gun = weapons[row["gun"]]._replace(mount="gun")
        mgs = [weapons["vehicle-mg"]._replace(name=f"{mount} MG", mount=mount) for mount in row["mgs"]]
        width, depth = row.get("width", TANK_BASE[0]), row.get("depth", TANK_BASE[1])
        found[key] = Kind("tank", width, depth, row.get("move", MOVE["tank"]), (gun, *mgs), 0, row["front"],
                          row["flank"], row.get("turret", True), tuple(row.get("notes", ())))  # fmt: skip
    for key, row in stock["trucks"].items():
        width, depth = row.get("width", TRUCK_BASE[0]), row.get("depth", TRUCK_BASE[1])
        found[key] = Kind("tank", width, depth, MOVE["tank"], ())
    return found


def weapon_of(row: dict[str, Any]) -> Weapon:
    notes = tuple(row.get("notes", ()))
    return Weapon(row["name"], float(row["range"]), row["fp"], row["type"], notes, row.get("barrage"))


@cache
def goings() -> dict[str, Going]:
    rows = tomllib.loads((DATA / "terrain.toml").read_text(encoding="utf-8"))["kinds"]
    return {
        key: Going(row["shape"], COVER[row.get("cover", "none")], row.get("going", "open"), row.get("tall", False))
        for key, row in rows.items()
    }
