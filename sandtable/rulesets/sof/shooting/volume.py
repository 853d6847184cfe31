"""Volume of fire: how many accuracy checks the chosen weapons make, in groups that are rolled apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from sandtable.rulesets.sof.core.arsenal import Rate
from sandtable.rulesets.sof.core.board import Battle, within_inches
from sandtable.rulesets.sof.core.state import Unit
from sandtable.rulesets.sof.shooting.firers import Firer, Mode, crew_of, loaders_of, rate_for

CLOSE = 4.0
"""sof.weapon-rules.rapid-fire-close, sof.weapon-rules.burst"""

MEDIUM, LONG = 12.0, 24.0
"""sof.shooting.mod-distance"""

SLOW_LOADING = "sof.weapon-rules.slow-loading"
SHARED_BY = {"RF": 2, "SS": 3}
"""sof.weapon-rules.rapid-fire, sof.weapon-rules.single-shot: so many models have a die together."""


@dataclass(slots=True)
class Pool:
    """Dice that are rolled together: of one weapon in one mode, at distances that are modified alike.

    `smoke`: the unit that is fired at assaults behind smoke grenades. `by_die`: a die says how many dice there are.
    """

    unit: Unit
    mode: Mode
    inches: float
    dice: int
    firers: list[Firer]
    moving: bool
    sustained: bool
    short_crew: bool = False
    smoke: bool = False
    by_die: bool = False
    rules: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Volley:
    """What one unit fires in an attack: each figure with its mode, on the move or from the halt."""

    unit: Unit
    chosen: list[tuple[Firer, Mode]]
    moving: bool
    sustained: bool = False
    smoke: bool = False


def band(inches: float) -> int:
    """In which band a distance is: how many of the limits of 4, 12 and 24 inches it keeps to."""
    return [within_inches(inches, limit) for limit in (CLOSE, MEDIUM, LONG)].count(True)


def pools_of(game: Battle, volley: Volley) -> list[Pool]:
    """sof.shooting.volume, sof.shooting.separate-pools: every group of dice of a volley."""
    found: list[Pool] = []
    for key in dict.fromkeys((mode.name, mode.row) for _, mode in volley.chosen):
        group = sorted(
            [(firer, mode) for firer, mode in volley.chosen if (mode.name, mode.row) == key],
            key=lambda each: each[0].inches,
        )
        mode = group[0][1]
        rate = rate_for(mode, volley.moving)
        assert rate is not None
        firing = [firer for firer, _ in group]
        if rate.code in SHARED_BY:
            found += shared_pools(game, volley, mode, rate, firing)
        else:
            found += own_pools(game, volley, mode, rate, firing)
    return found


def fouled(game: Battle, mode: Mode, firer: Firer) -> bool:
    """sof.weapon-rules.black-powder: whether a figure fires such a weapon that it fired in the turn before."""
    last = game.state.turn - 1
    return mode.row.has("black-powder") and last > 0 and last in (firer.figure.fired, firer.figure.fired_before)


def alike(game: Battle, mode: Mode, firing: Iterable[Firer]) -> list[list[Firer]]:
    """Those who fire a weapon in the groups whose dice are modified alike."""
    found: dict[tuple[int, bool], list[Firer]] = {}
    for firer in firing:
        found.setdefault((band(firer.inches), fouled(game, mode, firer)), []).append(firer)
    return list(found.values())


def shared_pools(game: Battle, volley: Volley, mode: Mode, rate: Rate, firing: Sequence[Firer]) -> list[Pool]:
    """Rapid Fire and Single Shot: rounded once for the weapon; nearer bands by themselves, the last has the rest."""
    found = []
    rapid = rate.code == "RF"
    near = [each for each in firing if rapid and within_inches(each.inches, CLOSE)]
    rest = [each for each in firing if each not in near]
    by = SHARED_BY[rate.code]
    loose = mode.row.has("unbalanced") and bool(rest)
    for group in alike(game, mode, near):
        rules = ["sof.weapon-rules.rapid-fire-close", "sof.shooting.firefight"]
        found.append(pool(volley, mode, group, len(group), rules + ["sof.weapon-rules.unbalanced"] * loose))
    # sof.weapon-rules.unbalanced: one at least in all, and so maybe none of the rest if others are within 4 inches.
    left = len(rest) // by if loose and near else rounded(len(rest), by, loose)
    slow = mode.row.has("slow-loading")
    rules = ["sof.weapon-rules.rapid-fire" if rapid else SLOW_LOADING if slow else "sof.weapon-rules.single-shot"]
    rules += ["sof.weapon-charts.rof-codes", *(["sof.weapon-rules.unbalanced"] if loose else [])]
    groups = alike(game, mode, rest)
    for group in groups:
        dice = left if group is groups[-1] else min(left, rounded(len(group), by, loose))
        left -= dice
        if dice:
            found.append(pool(volley, mode, group, dice, rules))
    return found


def rounded(models: int, by: int, loose: bool) -> int:
    """How many dice some models share: rounded up, or down with what is unbalanced, but one at least."""
    return max(1, models // by) if loose and models else -(-models // by)


def own_pools(game: Battle, volley: Volley, mode: Mode, rate: Rate, firing: Sequence[Firer]) -> list[Pool]:
    """Weapons that each have their own dice; what must be judged for each alone is rolled apart."""
    found: list[Pool] = []
    apart = mode.row.has("jams") or bool(mode.weapon.crew) or mode.weapon.has("loader") or rate.code == "d6"
    loaded = loaders_of(game, volley.unit)
    for group in [[each] for each in firing] if apart else alike(game, mode, firing):
        each, rules = group[0], ["sof.weapon-charts.rof-codes"] if rate.code or mode.fast else []
        number, short = rate.number, False
        if mode.weapon.has("loader") and not volley.moving and each.figure.id not in loaded:
            slow = rate_for(mode, True)
            number = slow.number if slow is not None else number
            rules.append("sof.weapon-rules.loader-missing")
        elif mode.weapon.has("loader") and each.figure.id in loaded:
            rules.append("sof.weapon-rules.loader-model")
        if mode.row.has("managed-fire") and each.figure.id in loaded:
            rules.append("sof.weapon-rules.managed-fire")
        if mode.weapon.crew:
            short = sum(mate.standing for mate in crew_of(game, volley.unit, each.figure)) < mode.weapon.crew
            rules += ["sof.weapon-rules.crew-count", "sof.weapon-charts.crew"]
        if rate.code == "d6":
            rules.append("sof.weapon-charts.flammenwerfer-rof")
        if rate.code == "G":
            number, rules = grenades_each(volley), [*rules, *grenade_rules(volley)]
        found.append(pool(volley, mode, group, number * len(group), rules))
        found[-1].short_crew, found[-1].by_die = short, rate.code == "d6"
    return found


def grenades_each(volley: Volley) -> int:
    """How many grenades a man throws: one, and two if his unit is one of bombers."""
    return 1 + ("bombers" in volley.unit.special)


def grenade_rules(volley: Volley) -> list[str]:
    bombers = ["sof.unit-special.bombers-two-grenades"] if "bombers" in volley.unit.special else []
    return ["sof.grenades.thrown-who", "sof.weapon-rules.grenade-limit", *bombers]


def pool(volley: Volley, mode: Mode, firing: list[Firer], dice: int, rules: list[str]) -> Pool:
    farthest = max(each.inches for each in firing)
    cited = [*rules, *range_rules(firing)]
    return Pool(
        volley.unit, mode, farthest, dice, firing, volley.moving, volley.sustained, smoke=volley.smoke, rules=cited
    )


def range_rules(firing: Sequence[Firer]) -> list[str]:
    """By which rules their distance was measured."""
    shared = ["sof.shooting.engagement-range", "sof.shooting.range-shared"]
    found = shared if any(each.shares for each in firing) else []
    found = found if all(each.shares for each in firing) else [*found, "sof.shooting.range-individual"]
    return [*found, "sof.shooting.range-elevation"] if any(each.rises for each in firing) else found
