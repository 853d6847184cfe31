"""Movement rates: how far a unit goes by each kind of move, and what terrain leaves of it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from sandtable.engine.events import Modifier
from sandtable.field.courses import Path, length_of
from sandtable.rulesets.sof.core.arsenal import Special
from sandtable.rulesets.sof.core.state import Unit, UnitType
from sandtable.rulesets.sof.core.terrain import LEAST_MOVE, Ground
from sandtable.table import moves
from sandtable.table.hairs import GRID

Manner = Literal["maneuver", "double-time", "assault", "fall-back"]


class Rates(NamedTuple):
    """Inches by Maneuver, Double Time and Assault (None: it cannot), and the Agility number (None: always passes)."""

    maneuver: float | None
    double_time: float | None
    assault: float | None
    agility: int | None


RATES: dict[UnitType, Rates] = {
    "infantry": Rates(8.0, 12.0, 6.0, None),
    "mounted": Rates(10.0, 16.0, 8.0, 3),
    "weapon": Rates(4.0, 6.0, None, 3),
}
MOTORCYCLES = Rates(12.0, 20.0, 8.0, 3)
"""sof.movement.rate-table"""

RATE_RULES = ("sof.movement.rates-by-type", "sof.movement.rate-table", "sof.basics.inches")
LINEAR_LOSES = 1.0
"""sof.movement.linear-terrain"""


TEAMS: tuple[tuple[Special, int, str, str], ...] = (
    ("dog-cart", 4, "sof.weapon-rules.dog-cart", "a dog cart"),
    ("mule-team", 1, "sof.weapon-rules.mule-team", "a mule team"),
)
"""Animals that pull a weapon on Double Time."""


def base_rate(unit: Unit, manner: Manner) -> float | None:
    rates = MOTORCYCLES if unit.motorcycles and unit.type == "mounted" else RATES[unit.type]
    if manner == "maneuver":
        return rates.maneuver
    return rates.assault if manner == "assault" else rates.double_time


def adjustments(unit: Unit, manner: Manner) -> list[Modifier]:
    """What a unit's formation and weapons add to a move or take from it, in inches."""
    found = []
    if unit.formation == "extended" and manner != "assault":
        found.append(Modifier(1, "sof.movement.extended-bonus", "extended order"))
    if unit.formation == "linear" and unit.alignment == "column":
        found.append(Modifier(1, "sof.movement.attack-column-bonus", "attack column"))
    if unit.formation == "linear" and unit.alignment == "march-column" and manner in ("double-time", "fall-back"):
        found.append(Modifier(4, "sof.movement.march-column-bonus", "march column"))
    carried = unit.specials
    if "cumbersome" in carried:
        half = int((base_rate(unit, manner) or 0.0) / 2)
        found.append(Modifier(-half, "sof.weapon-rules.cumbersome", "a cumbersome weapon"))
    if "bulky" in carried:
        found.append(Modifier(-1, "sof.weapon-rules.bulky", "a bulky weapon"))
    if manner in ("double-time", "fall-back"):
        found += [Modifier(amount, rule, words) for special, amount, rule, words in TEAMS if special in carried]
    return found


def rate_of(unit: Unit, manner: Manner) -> float:
    """How far a unit goes over open ground; 0 if it cannot make such a move."""
    return adjusted_rate(unit, manner, adjustments(unit, manner))


def adjusted_rate(unit: Unit, manner: Manner, changes: Sequence[Modifier]) -> float:
    """The same with what its formation and weapons change, known already."""
    base = base_rate(unit, manner)
    return 0.0 if base is None else base + sum([each.amount for each in changes])


# Terrain.


class Entry(NamedTuple):
    """Where the first model of a unit comes into a feature: after how many inches, into which, and on whose way.

    `into` and `out`: where the first comes in from outside, and where the first goes out; infinite if none does.
    """

    inches: float
    feature: int
    figure: str
    into: float
    out: float


@dataclass(slots=True)
class Allowance:
    """What terrain leaves of a move: the inches, with each reason, and the features that ask for Agility."""

    inches: float
    rules: list[str] = field(default_factory=list)
    agility: list[Entry] = field(default_factory=list)


def entries(ground: Ground, figures: Sequence[str], paths: moves.Paths) -> list[Entry]:
    """Every feature that slows or asks for Agility and on which some model moves, in the order of the first model."""
    found = moves.met(ground.terrain, ground.slowing, paths) if len(ground.slowing) else []
    return sorted([Entry(each.inches, each.feature, figures[each.path], each.into, each.out) for each in found])


def paid(ground: Ground, entry: Entry) -> list[Entry]:
    """When a feature takes its part: at once, or sof.terrain-hasty-trench.movement going in and going out again."""
    if not ground.kinds[entry.feature].enter_loses:
        return [entry]
    return [entry._replace(inches=at) for at in (entry.into, entry.out) if at < math.inf]


def slowed(total: float, ground: Ground, unit: Unit, entry: Entry) -> float:
    """What one feature leaves of a move."""
    kind = ground.kinds[entry.feature]
    least = min(total, LEAST_MOVE)
    if kind.halves:
        return max(least, total / 2)
    if kind.enter_loses:
        return total - kind.enter_loses
    if kind.loses and unit.type in kind.loses_for:
        left = total - ground.loses(entry.feature)
        return left if kind.shape == "line" else max(least, left)
    return total


def allowance(
    ground: Ground, unit: Unit, manner: Manner, ways: Mapping[str, Path], rate: float, road: bool = False
) -> Allowance:
    """sof.terrain.movement-reduction-procedure: each feature takes its part when the first model comes into it.

    Whoever comes out of a trench pays for that when the first of them does.

    `road`: it is known to keep to a road.
    """
    found = Allowance(rate)
    long = {figure: path for figure, path in ways.items() if length_of(path) > GRID}
    if not (long or road):
        return found
    paths = moves.together([*long.values()])
    crossed = [] if road else crossing(ground, unit, paths)
    if not road and not any(crossed):
        return found
    if road or (all(crossed) and along_road(ground, unit, [*long.values()], paths)):
        found.rules.append("sof.terrain-road.negates-penalties")
        if manner == "double-time":
            found.inches += ground.road
            found.rules.append("sof.terrain-road.double-time")
            if unit.formation == "linear":
                found.rules.append("sof.terrain-road.linear-order")
        return found
    met = entries(ground, list(long), paths)
    found.agility = [entry for entry in met if unit.type in ground.kinds[entry.feature].agility]
    for entry in sorted(part for each in met for part in paid(ground, each)):
        kind = ground.kinds[entry.feature]
        left = slowed(found.inches, ground, unit, entry)
        if left != found.inches:
            found.inches = left
            found.rules += [kind.rules["movement"], "sof.movement.terrain-immediate"]
            if len([rule for rule in found.rules if rule == "sof.movement.terrain-immediate"]) > 1:
                found.rules += ["sof.movement.terrain-cumulative", "sof.terrain.movement-reduction-procedure"]
    if unit.formation == "linear" and any_terrain(ground, paths):
        found.inches -= LINEAR_LOSES
        found.rules.append("sof.movement.linear-terrain")
    return found


def crossing(ground: Ground, unit: Unit, paths: moves.Paths) -> list[bool]:
    """Which ways lead over what slows, asks for Agility or is a road; those of ranks, over anything."""
    numbers = ground.telling(unit.formation == "linear")
    return moves.ways_crossed(ground.terrain, numbers, paths) if len(numbers) else []


def any_terrain(ground: Ground, paths: moves.Paths) -> bool:
    """Whether some way leads through terrain of any type; roads are none."""
    return bool(len(ground.but_roads)) and bool(moves.met(ground.terrain, ground.but_roads, paths))


def along_road(ground: Ground, unit: Unit, ways: Sequence[Path], paths: moves.Paths) -> bool:
    """Whether every model that moves keeps to a road all the way; in linear order only a march column can."""
    if not len(ground.roads) or (unit.formation == "linear" and unit.alignment != "march-column"):
        return False
    touched = moves.ways_crossed(ground.terrain, ground.roads, paths)
    return all(touched) and all(on_road(ground, path) for path in ways)


def on_road(ground: Ground, path: Path) -> bool:
    reached = 0.0
    for span in moves.spans(ground.terrain, path, ground.roads):
        if span.enter <= reached + GRID:
            reached = max(reached, span.leave)
    return reached >= length_of(path) - GRID


def agility_number(unit: Unit) -> int | None:
    """sof.terrain.agility-check: None if the unit always passes."""
    return RATES[unit.type].agility
