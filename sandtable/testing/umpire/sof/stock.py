"""Weapons and ground as the data files give them, and the numbers of the rules that are no data."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import sandtable.rulesets

DATA = Path(sandtable.rulesets.__file__).parent / "sof" / "data"

HIT_ON = {"inexperienced": 2, "regular": 3, "veteran": 4}
SKILL = {"inexperienced": 5, "regular": 4, "veteran": 3}
ASSAULT = {"inexperienced": 6, "regular": 5, "veteran": 4}

RATES = {
    "infantry": {"maneuver": 8.0, "double-time": 12.0, "assault": 6.0},
    "mounted": {"maneuver": 10.0, "double-time": 16.0, "assault": 8.0},
    "weapon": {"maneuver": 4.0, "double-time": 6.0},
    "motorcycles": {"maneuver": 12.0, "double-time": 20.0, "assault": 8.0},
}
AGILITY = {"infantry": 0, "mounted": 3, "weapon": 3}
COMMAND = {"close": 0.0, "linear": 0.0, "loose": 0.5, "extended": 1.0}
VOICE = 12.0
EXTENDED = {"musician": 18.0, "communication-1": 18.0, "communication-2": 24.0, "communication-3": 36.0}
ENCOURAGING = {"inspiring": 5, "energetic": 5, "competent": 4, "difficult": 4, "green": 3, "acting": 3}
LEADERS = ("officer", "senior-nco", "nco")
UNARMED = ("medic", "chaplain")

PROTECTIVE_WALLS = ("stone-wall", "hedgerow", "high-wall")
"""Stone walls and hedgerows; a high wall is a tall stone wall."""

COVER_WITHIN = ("undergrowth", "woods", "old-growth", "rubble", "hasty-trench")
"""Ground whose own entry conceals the models within it."""

TIGHT = ("undergrowth", "woods", "old-growth", "rubble", "hasty-trench")

LESS = {
    "low-ridge": 2.0, "tall-ridge": 2.0, "mud": 2.0, "rocks": 2.0, "rough-wooded": 2.0, "rubble": 2.0, "woods": 1.0,
    "old-growth": 1.0, "ditch": 2.0, "gully": 2.0, "ravine": 2.0,
}  # fmt: skip
"""By how many inches each kind of ground shortens a move."""

IMPASSABLE = ("deep-water", "marsh", "low-cliff", "tall-cliff")
SLOW_HORSES = (
    "undergrowth", "low-ridge", "tall-ridge", "mud", "rocks", "rough-wooded", "rubble", "woods", "old-growth", "ditch",
    "gully",
)  # fmt: skip
"""Where mounted units check their Agility; obstacles that are tall come besides."""


class Way(NamedTuple):
    """One way to fire a weapon: a row of its chart."""

    weapon: str
    range: float
    least: float
    halt: str
    move: str
    lethality: int
    blast: str
    special: frozenset[str]
    pen: int


class Weapon(NamedTuple):
    name: str
    crew: int
    rows: dict[str, Way]

    @property
    def first(self) -> Way:
        return next(iter(self.rows.values()))


@cache
def weapons() -> dict[str, Weapon]:
    """Every weapon of the charts: those of the infantry by their bare names, others as chart.name."""
    raw: dict[str, Any] = tomllib.loads((DATA / "weapons.toml").read_text(encoding="utf-8"))["charts"]
    found: dict[str, Weapon] = {}
    for chart, entries in raw.items():
        for key, entry in entries.items():
            name = key if chart == "infantry" else f"{chart}.{key}"
            rows = {
                row: Way(
                    name,
                    float(each.get("range", 0)),
                    float(each.get("least", 0)),
                    each.get("halt", ""),
                    each.get("move", ""),
                    each.get("lethality", 0),
                    each.get("blast", ""),
                    frozenset(each.get("special", ())),
                    each.get("pen", 0),
                )
                for row, each in entry["rows"].items()
            }
            found[name] = Weapon(name, entry.get("crew", 0), rows)
    return found


PEDERSEN = "pedersen-device"
"""A rifle with this device fires as a submachine gun if its owner likes."""


def way_of(name: str, traits: tuple[str, ...] = ()) -> Way:
    """A way to fire, by the name an answer or an event gives it: a weapon, one of its rows, and in which manner.

    `+blast` fires the blast round of a weapon that has a round against armour, `+af` is Accelerated Fire. `traits` are
    special rules that a figure's own weapon has beside those of its chart.
    """
    plain, _, manner = name.partition("+")
    weapon, _, row = plain.partition(":")
    known = weapons()["submachine-gun" if weapon == PEDERSEN else weapon]
    way = known.rows[row] if row else known.first
    special = way.special | set(traits) | ({"accelerated"} if manner == "af" else set())
    two_rounds = way.pen and way.blast and "grenade-bundle" not in way.special
    return way._replace(special=frozenset(special), blast="" if two_rounds and manner != "blast" else way.blast)


def special_of(figure: Any) -> set[str]:
    """The rules of whatever a figure carries."""
    found: set[str] = set(figure.traits)
    for name in (figure.profile, *figure.arms):
        if name in weapons():
            found |= weapons()[name].first.special
    return found


class Ground(NamedTuple):
    shape: str
    height: float
    elevating: bool


@cache
def grounds() -> dict[str, Ground]:
    raw = tomllib.loads((DATA / "terrain.toml").read_text(encoding="utf-8"))["kinds"]
    return {
        name: Ground(each["shape"], float(each["height"]), each.get("elevating", False)) for name, each in raw.items()
    }


def rate_parts(text: str) -> tuple[int, str, bool]:
    """A rate of fire as printed: so many dice, or a code (RF, SS, G, d6), and whether it is slow on the move."""
    found = re.fullmatch(r"(\d*)(RF|SS|G|d6)?(?:AF)?(\*?)", text)
    assert found is not None, text
    return int(found[1] or 0), found[2] or "", bool(found[3])
