"""Volume of fire: how many accuracy checks the chosen weapons make, in groups that are rolled apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from sandtable.engine.game import Flow
from sandtable.rulesets.sof.core.arsenal import Rate
from sandtable.rulesets.sof.core.board import Battle, within_inches
from sandtable.rulesets.sof.core.names import label
from sandtable.rulesets.sof.core.state import Unit
from sandtable.rulesets.sof.shooting.firers import Firer, Mode, crew_of, loader_of, rate_for

CLOSE = 4.0
"""sof.weapon-rules.rapid-fire-close, sof.weapon-rules.burst"""

MEDIUM, LONG = 12.0, 24.0
"""sof.shooting.mod-distance"""

SHARED_BY = {"RF": 2, "SS": 3}
"""sof.weapon-rules.rapid-fire, sof.weapon-rules.single-shot: so many models have a die together."""


@dataclass(slots=True)
class Pool:
    """Dice that are rolled together: of one weapon in one mode, at distances that are modified alike.

    `early` is how many improvised grenades went off too soon.
    """

    unit: Unit
    mode: Mode
    inches: float
    dice: int
    firers: list[Firer]
    moving: bool
    sustained: bool
    short_crew: bool = False
    early: int = 0
    rules: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Volley:
    """What one unit fires in an attack: each figure with its mode, on the move or from the halt."""

    unit: Unit
    chosen: list[tuple[Firer, Mode]]
    moving: bool
    sustained: bool = False


def band(inches: float) -> int:
    """In which band a distance is: within 4 inches, 12, 24, or beyond."""
    return sum(not within_inches(inches, limit) for limit in (CLOSE, MEDIUM, LONG))


def pools_of(game: Battle, volley: Volley) -> Flow[list[Pool]]:
    """sof.shooting.volume, sof.shooting.separate-pools: every group of dice of a volley."""
    found: list[Pool] = []
    for name in dict.fromkeys(mode.name for _, mode in volley.chosen):
        group = sorted(
            [(firer, mode) for firer, mode in volley.chosen if mode.name == name], key=lambda each: each[0].inches
        )
        mode = group[0][1]
        rate = rate_for(mode, volley.moving)
        assert rate is not None
        firing = [firer for firer, _ in group]
        if rate.code in SHARED_BY:
            found += shared_pools(volley, mode, rate, firing)
        else:
            found += yield from own_pools(game, volley, mode, rate, firing)
    return found


def in_bands(firing: Iterable[Firer]) -> dict[int, list[Firer]]:
    found: dict[int, list[Firer]] = {}
    for firer in firing:
        found.setdefault(band(firer.inches), []).append(firer)
    return found


def shared_pools(volley: Volley, mode: Mode, rate: Rate, firing: Sequence[Firer]) -> list[Pool]:
    """Rapid Fire and Single Shot: rounded once for the weapon, the nearer band first, the rest to the farther."""
    found = []
    rapid = rate.code == "RF"
    near = [each for each in firing if rapid and within_inches(each.inches, CLOSE)]
    if near:
        rules = ["sof.weapon-rules.rapid-fire-close", "sof.shooting.firefight"]
        found.append(pool(volley, mode, near, len(near), rules))
    rest = [each for each in firing if each not in near]
    by = SHARED_BY[rate.code]
    loose = mode.row.has("unbalanced")
    left = max(1, len(rest) // by) if loose and rest else -(-len(rest) // by)
    rules = ["sof.weapon-rules.rapid-fire" if rapid else "sof.weapon-rules.single-shot"]
    rules += ["sof.weapon-rules.unbalanced"] if loose else []
    for group in in_bands(rest).values():
        # What is rounded up for each band is never less than what is left of the whole.
        dice = min(left, -(-len(group) // by))
        left -= dice
        if dice:
            found.append(pool(volley, mode, group, dice, rules))
    return found


def own_pools(game: Battle, volley: Volley, mode: Mode, rate: Rate, firing: Sequence[Firer]) -> Flow[list[Pool]]:
    """Weapons that each have their own dice; what must be judged for each alone is rolled apart."""
    found: list[Pool] = []
    apart = mode.row.has("jams") or bool(mode.weapon.crew) or mode.weapon.has("loader") or rate.code == "d6"
    for group in ([each] for each in firing) if apart else in_bands(firing).values():
        each, rules = group[0], []
        number, short = rate.number, False
        if mode.weapon.has("loader") and not volley.moving and loader_of(game, volley.unit, each.figure) is None:
            slow = rate_for(mode, True)
            number = slow.number if slow is not None else number
            rules.append("sof.weapon-rules.loader-missing")
        if mode.row.has("managed-fire") and loader_of(game, volley.unit, each.figure) is not None:
            rules.append("sof.weapon-rules.managed-fire")
        if mode.weapon.crew and len(crew_of(game, volley.unit, each.figure)) < mode.weapon.crew:
            short = True
        if rate.code == "d6":
            throw = yield from game.throw(volley.unit.side, 1, f"{label(volley.unit)}: dice of the {mode.weapon.name}")
            number = throw.value
            rules.append("sof.weapon-charts.flammenwerfer-rof")
        if rate.code == "G":
            number = 1
        found.append(pool(volley, mode, group, number * len(group), rules))
        found[-1].short_crew = short
    return found


def pool(volley: Volley, mode: Mode, firing: list[Firer], dice: int, rules: list[str]) -> Pool:
    farthest = max(each.inches for each in firing)
    return Pool(volley.unit, mode, farthest, dice, firing, volley.moving, volley.sustained, rules=list(rules))
