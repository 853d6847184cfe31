"""The weapon charts as data: every weapon of every chart with its rows, and what a figure that carries it stands on."""

from __future__ import annotations

import re
from functools import cache, cached_property
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from sandtable.engine import data
from sandtable.field.set_ups import Faults
from sandtable.table.shapes import Footprint

Chart = Literal[
    "infantry",
    "vehicle",
    "germany",
    "united-states",
    "france",
    "britain",
    "russia",
    "belgium",
    "italy",
    "austria-hungary",
]

CHART_ROWS: dict[Chart, tuple[int, str]] = {
    "infantry": (30, "sof.weapon-charts.infantry"),
    "vehicle": (16, "sof.weapon-charts.vehicle-weapons"),
    "germany": (30, "sof.weapon-charts.germany"),
    "united-states": (15, "sof.weapon-charts.united-states"),
    "france": (16, "sof.weapon-charts.france"),
    "britain": (25, "sof.weapon-charts.britain"),
    "russia": (21, "sof.weapon-charts.russia"),
    "belgium": (14, "sof.weapon-charts.belgium"),
    "italy": (29, "sof.weapon-charts.italy"),
    "austria-hungary": (30, "sof.weapon-charts.austria-hungary"),
}
"""How many rows each chart has, and the rule that says so."""


Special = Literal[
    "added-crew",
    "anti-aircraft",
    "arc",
    "assault",
    "beaten-zone",
    "black-powder",
    "brutal",
    "bulky",
    "burst",
    "close-fighting-weapon",
    "cumbersome",
    "dog-cart",
    "erratic",
    "fixed",
    "flamethrower",
    "grenade",
    "grenade-bundle",
    "gun-shield",
    "handy",
    "improvised",
    "indirect",
    "indirect-only",
    "jams",
    "lance",
    "lever-action",
    "loader",
    "managed-fire",
    "mule-team",
    "muzzle-loader",
    "no-he",
    "overhead-fire",
    "quick-firing",
    "rifle-grenade",
    "sabre",
    "salvo",
    "scythe",
    "shotgun",
    "shrapnel",
    "slow-loading",
    "smoke",
    "sniper-rifle",
    "suppression",
    "sword",
    "trajectory",
    "unbalanced",
    "vb",
]
"""What the charts print as special, by the names of the weapon rules: a pack animal is a mule team. Some stand in no
chart, and a figure's own weapon may have them besides (`Figure.traits`)."""

RATE = re.compile(r"(?P<number>\d+)?(?P<code>RF|SS|G|d6)?(?P<fast>AF)?(?P<slow>\*)?")
BLAST = re.compile(r"(?P<dice>\d+)?d(?P<sides>\d)(?:\+(?P<more>\d))?")

RATE_WORDS = {"RF": "Rapid Fire", "SS": "Single Shot", "G": "Grenades", "d6": "d6 dice"}

RowName = Literal["direct", "ap", "indirect", "shrapnel", "he", "shrapnel-1914", "shrapnel-1915"]


class Rate(NamedTuple):
    """A rate of fire: a `number` of dice, or a `code` that says how many models have one together.

    RF is Rapid Fire, SS Single Shot, G grenades, d6 a die for each shooting; `fast` may be raised by one at the halt,
    `slow` costs 1 on the move.
    """

    number: int = 0
    code: str = ""
    fast: bool = False
    slow: bool = False

    @property
    def words(self) -> str:
        """As a card says it: `RF*` of a chart is Rapid Fire, slow on the move."""
        spoken = [RATE_WORDS.get(self.code, f"{self.number}")]
        return ", ".join([*spoken, *(["accelerated"] if self.fast else []), *(["slow"] if self.slow else [])])


class Blast(NamedTuple):
    """A blast effect such as 2d6 or d3+1."""

    dice: int
    sides: int
    more: int


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """One way to fire a weapon, as a row of its chart gives it; without a `range` it serves in close combat alone."""

    range: float | None = None
    least: float = 0.0
    halt: str = ""
    move: str = ""
    pen: int | None = None
    weak_spots: bool = False
    lethality: int = 0
    blast: str = ""
    special: tuple[Special, ...] = ()

    @cached_property
    def at_halt(self) -> Rate | None:
        return rate(self.halt)

    @cached_property
    def on_the_move(self) -> Rate | None:
        return rate(self.move)

    @cached_property
    def blast_effect(self) -> Blast | None:
        found = BLAST.fullmatch(self.blast) if self.blast else None
        return None if found is None else Blast(*(int(found[key] or least) for key, least in BLAST_PARTS))

    def has(self, special: Special) -> bool:
        return special in self.special

    @property
    def words(self) -> str:
        """What the chart says, in one line."""
        pen = "" if self.pen is None else f"PEN {self.pen}"
        reach = "" if self.range is None else f"{f'{self.least:g} to ' if self.least else ''}{self.range:g} inches"
        parts = (
            reach,
            self.halt and f"halt {self.halt}",
            self.move and f"move {self.move}",
            pen and f"{pen}{' at weak spots' if self.weak_spots else ''}",
            self.lethality and f"lethality {self.lethality}+",
            self.blast and f"blast {self.blast}",
            *self.special,
        )
        return ", ".join(str(part) for part in parts if part)

    def mistakes(self) -> Faults:
        for field in ("halt", "move"):
            if getattr(self, field) and rate(getattr(self, field)) is None:
                yield (field,), f"{getattr(self, field)!r} is no rate of fire: a number, RF, SS, G or d6, with AF or *"
        if self.blast and self.blast_effect is None:
            yield ("blast",), f"{self.blast!r} is no blast: write d3, d6+1 or 2d6"
        if self.range is not None and not 0 <= self.least < self.range:
            yield ("least",), "a weapon's least range is shorter than its range"


BLAST_PARTS = (("dice", 1), ("sides", 0), ("more", 0))


@cache
def rate(written: str) -> Rate | None:
    """A rate of fire as it is printed; None if there is none."""
    found = RATE.fullmatch(written) if written else None
    if found is None or not (found["number"] or found["code"]):
        return None
    return Rate(int(found["number"] or 0), found["code"] or "", bool(found["fast"]), bool(found["slow"]))


class Weapon(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """A weapon of a chart. `crew` is how many it needs, 0 if none."""

    name: str
    rows: dict[RowName, Row]
    crew: int = 0

    @cached_property
    def main(self) -> Row:
        """Its first row: the mount's own properties stand there."""
        return next(iter(self.rows.values()))

    def has(self, special: Special) -> bool:
        return special in self.main.special

    def with_traits(self, traits: tuple[Special, ...]) -> Weapon:
        """The same with some more special rules, whichever way it is fired."""
        rows = {
            name: msgspec.structs.replace(row, special=tuple(dict.fromkeys((*row.special, *traits))))
            for name, row in self.rows.items()
        }
        return msgspec.structs.replace(self, rows=rows)


class Charts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: Literal["sandtable.sof.weapons"]
    charts: dict[Chart, dict[str, Weapon]]

    def mistakes(self) -> Faults:
        for chart, (wanted, rule) in CHART_ROWS.items():
            weapons = self.charts.get(chart, {})
            rows = sum(len(weapon.rows) for weapon in weapons.values())
            if rows != wanted:
                yield ("charts", chart), f"the chart has {wanted} rows, here are {rows} ({rule})"
            for key, weapon in weapons.items():
                for name, row in weapon.rows.items():
                    for steps, problem in row.mistakes():
                        yield ("charts", chart, key, "rows", name, *steps), problem


@cache
def charts() -> Charts:
    return data.read(Path(__file__).parents[1] / "data" / "weapons.toml", Charts)


UNARMED = "unarmed"
"""The profile of a figure that has no weapon of the charts."""

PEDERSEN = "pedersen-device"
"""What a rifleman may carry beside his rifle, although no chart has it."""


@cache
def weapons() -> dict[str, Weapon]:
    """Every weapon by the name that a figure has it under: an infantry weapon's own, or chart and name."""
    found = {UNARMED: Weapon("Unarmed", {"direct": Row()})}
    # sof.weapon-rules.pedersen: with the device a rifle is fired as a submachine gun.
    found[PEDERSEN] = msgspec.structs.replace(charts().charts["infantry"]["submachine-gun"], name="Pedersen Device")
    for chart, rows in charts().charts.items():
        for key, weapon in rows.items():
            found[key if chart == "infantry" else f"{chart}.{key}"] = weapon
    return found


class Kind(msgspec.Struct, frozen=True):
    """What a figure is by the weapon that it serves and by whether it rides; `men` are those who share its base."""

    profile: str
    weapon: Weapon
    base: Footprint
    mounted: bool = False
    men: int = 1

    @property
    def name(self) -> str:
        return self.weapon.name

    @property
    def category(self) -> str:
        return f"crew of {self.weapon.crew}" if self.weapon.crew else "man"

    @property
    def nation(self) -> str:
        """Of whose chart the weapon is, if it is no infantry weapon."""
        return self.profile.rpartition(".")[0]

    @property
    def about(self) -> str:
        """All rows of its chart."""
        rows = self.weapon.rows.items()
        return "; ".join(f"{name}: {row.words}" if len(rows) > 1 else row.words for name, row in rows)


@cache
def specials_of(profile: str, traits: tuple[Special, ...], arms: tuple[str, ...]) -> frozenset[Special]:
    """The special rules of all weapons of a figure: those of his own with its traits, and of what else he carries."""
    carried = [kind(profile, False, traits).weapon, *(weapons()[name] for name in arms)]
    return frozenset(special for weapon in carried for special in weapon.main.special)


FOOT, CREWED, HORSE = (Footprint(width, width, "circle") for width in (1.0, 1.6, 1.6))
"""sof.units.basing: round bases of 1 inch; ours: 40 mm ones for a crewed weapon, as for a gunner with his loader, and
for a rider."""

FLAMETHROWER_TEAM = 2
"""sof.weapon-rules.flamethrower-team"""


@cache
def kind(profile: str, mounted: bool = False, traits: tuple[Special, ...] = ()) -> Kind:
    weapon = weapons()[profile]
    team = weapon.has("flamethrower")
    base = HORSE if mounted else CREWED if weapon.crew or team else FOOT
    weapon = weapon.with_traits(traits) if traits else weapon
    return Kind(profile, weapon, base, mounted, FLAMETHROWER_TEAM if team else 1)


@cache
def profiles() -> dict[str, Kind]:
    """What a figure on foot is with each of the weapons."""
    return {key: kind(key) for key in weapons()}


def chart_rule(profile: str) -> str:
    """The rule that says which chart a weapon is of: a nation's, by the word before its name, or that of infantry."""
    chart: Chart = profile.partition(".")[0] if "." in profile else "infantry"  # type: ignore[assignment]
    return CHART_ROWS[chart][1]
