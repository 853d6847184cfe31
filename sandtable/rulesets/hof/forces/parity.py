"""Force parity: two forces compared without points, Unit by Unit, and a handicap for the stronger one.

Rankings and verdicts are the players'. Where nobody gives them, `worth_of_unit` estimates: see there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import msgspec

from sandtable.engine.events import several
from sandtable.engine.ruleset import Comparison, ParityWishes, Talk
from sandtable.field import comparing
from sandtable.field.comparing import Compared, Comparing, Judge, ParityError, Step, Trim, Verdict, by_rank, side_of
from sandtable.rulesets.hof.core.arsenal import Artillery, Profile, Weapon, profile
from sandtable.rulesets.hof.core.state import SIDES, Company, Quality, Setup, Side, other
from sandtable.rulesets.hof.forces.forces import (
    FEWEST_UNITS,
    MOST_UNITS,
    Force,
    ForceUnit,
    Roster,
    raise_force,
    singles,
    team_lines,
    usual_attacker,
)

PER_POINT = 2
"""hof.forces-parity.handicap"""

CLEARLY = 1.1
"""How much more a Unit must be worth by estimate to be judged the more threatening."""

QUALITY: dict[Quality, float] = {"elite": 1.25, "average": 1.0, "poor": 0.8}
CLASSES: dict[Artillery, float] = {"": 0.0, "light": 1.0, "medium": 2.0, "heavy": 3.0}


class Pairing(msgspec.Struct, frozen=True):
    """Two Units of one rank, and who scores how much for it."""

    rank: int
    red: str
    blue: str
    verdict: Verdict
    scores: Side
    points: int


class Parity(msgspec.Struct, frozen=True):
    """How two forces compare: the pairings, the totals, and by how much whose Break Limit falls."""

    attacker: Side
    pairings: list[Pairing]
    totals: dict[Side, int]
    handicap: dict[Side, int]
    trims: list[Trim]
    steps: list[Step]

    @property
    def stronger(self) -> Side | None:
        return next((side for side in SIDES if self.handicap[side]), None)


Ranks = Mapping[Side, Sequence[int] | None]
"""The rank of each Unit of a side, in the order of its force, where somebody gives it."""


# The forces.


def roster(force: Force) -> Roster:
    return {name: unit for key, entry in force.units.items() for name, unit in singles(key, entry).items()}


def trimmed(units: Roster, trims: Sequence[Trim]) -> Roster:
    """hof.forces-parity.trim: the Units that are left, and what is left of them."""
    left = dict(units)
    for trim in trims:
        if trim.unit not in left:
            raise ParityError(f"{trim.side} has no Unit {trim.unit!r}; it has: {', '.join(left)}")
        unit = left[trim.unit]
        if not trim.profile:
            del left[trim.unit]
            continue
        have = unit.teams.get(trim.profile, 0)
        if not 0 < trim.number <= have:
            raise ParityError(
                f"{trim.unit} has {several(have, 'Team')} of the profile {trim.profile!r}, not {trim.number}"
            )
        teams = {**unit.teams, trim.profile: have - trim.number}
        left[trim.unit] = msgspec.structs.replace(unit, teams={name: n for name, n in teams.items() if n})
        # A Company Commander comes alone, if need be.
        if not left[trim.unit].teams and unit.kind != "cc":
            del left[trim.unit]
    return left


def without(force: Force, side: Side, trims: Sequence[Trim]) -> Force:
    """The force of a side without what it leaves at home: so it takes the field."""
    left = trimmed(roster(force), [trim for trim in trims if trim.side == side])
    return msgspec.structs.replace(force, units=left)


# Rankings.


def by_worth(units: Roster) -> list[str]:
    """A ranking by estimate."""
    return sorted(units, key=lambda name: -worth_of_unit(units[name]))


def compare_aloud(red: Force, blue: Force, wishes: ParityWishes, talk: Talk) -> Comparison:
    """Compare two forces by the procedure, asking for what was not said beforehand."""
    if wishes.attacker is None:
        attacker = usual_attacker(raise_force("red", red) | raise_force("blue", blue))
    else:
        attacker = side_of(wishes.attacker)
    rosters: dict[Side, Roster] = {"red": roster(red), "blue": roster(blue)}
    compared = partial(compare, red, blue, attacker)
    return comparing.compare_aloud(Comparing(rosters, team_lines, compared, refuse_trims), wishes, talk)


# The procedure.


def compare(
    red: Force,
    blue: Force,
    attacker: Side,
    ranks: Ranks | None = None,
    judge: Judge[ForceUnit] | None = None,
    trims: Sequence[Trim] = (),
) -> Parity:
    """The whole procedure. A ranking or a judge that is not given is replaced by the estimate."""
    forces: dict[Side, Force] = {"red": red, "blue": blue}
    full = {side: roster(force) for side, force in forces.items()}
    left = {side: without(force, side, trims).units for side, force in forces.items()}
    order: dict[Side, list[str]] = {}
    steps: list[Step] = []
    for side in SIDES:
        given = (ranks or {}).get(side)
        ranked = by_worth(left[side]) if given is None else by_rank(full[side], given)
        order[side] = [name for name in ranked if name in left[side]]
        steps.append(Step("hof.forces-parity.reveal", _revealed(side, full[side])))
    for trim in trims:
        steps.append(Step("hof.forces-parity.trim", _removed(trim)))
    for side in SIDES:
        names = ", ".join(left[side][name].name for name in order[side])
        steps.append(Step("hof.forces-parity.rank", f"{side}'s Units from the strongest on: {names}."))
    pairings = []
    for rank, (ours, theirs) in enumerate(zip(order["red"], order["blue"], strict=False), 1):
        units: dict[Side, ForceUnit] = {"red": left["red"][ours], "blue": left["blue"][theirs]}
        steps.append(Step("hof.forces-parity.pair", f"Rank {rank}: {units['red'].name} and {units['blue'].name}."))
        verdict = (judge or estimate)(units["red"], units["blue"])
        pairings.append(Pairing(rank, ours, theirs, verdict, *_score(units, verdict, attacker, steps)))
    totals: dict[Side, int] = {side: sum(p.points for p in pairings if p.scores == side) for side in SIDES}
    for side in SIDES:
        extra = len(left[side]) - len(left[other(side)])
        if extra > 0:
            totals[side] += extra
            words = f"{side} has {several(extra, 'Unit')} more: {several(extra, 'point')}."
            steps.append(Step("hof.forces-parity.extra-units", words))
    handicap = {side: PER_POINT * max(0, totals[side] - totals[other(side)]) for side in SIDES}
    steps.append(Step("hof.forces-parity.handicap", _handicap_words(totals, handicap)))
    return Parity(attacker, pairings, totals, handicap, list(trims), steps)


def _score(units: dict[Side, ForceUnit], verdict: Verdict, attacker: Side, steps: list[Step]) -> tuple[Side, int]:
    """Who scores how much for a pairing: a point for the more threatening Unit, the Defender's in doubt, and one more
    for its size.
    """
    winner: Side = other(attacker) if verdict == "doubt" else verdict
    why = "It is not obvious, so the Defender's Unit scores" if verdict == "doubt" else "The more threatening Unit"
    steps.append(Step("hof.forces-parity.score-pair", f"{why}: {units[winner].name}, 1 point for {winner}."))
    if units[winner].size - units[other(winner)].size < 1:
        return winner, 1
    words = f"It is larger, {units[winner].size:g} to {units[other(winner)].size:g}: 1 point more."
    steps.append(Step("hof.forces-parity.size-bonus", words))
    return winner, 2


def _revealed(side: Side, units: Roster) -> str:
    words = f"{side} reveals {several(len(units), 'Unit')}."
    usual = FEWEST_UNITS <= len(units) <= MOST_UNITS
    return words if usual else f"{words} The procedure is made for {FEWEST_UNITS} to {MOST_UNITS}."


def _removed(trim: Trim) -> str:
    teams = several(trim.number, "Team")
    what = f"{teams} ({profile(trim.profile).name}) of {trim.unit}" if trim.profile else trim.unit
    return f"{trim.side} leaves {what} at home."


def _handicap_words(totals: dict[Side, int], handicap: dict[Side, int]) -> str:
    score = f"{totals['red']} to {totals['blue']}"
    for side in SIDES:
        if handicap[side]:
            return f"{score}: {side}'s Break Limit falls by {handicap[side]}."
    return f"{score}: no handicap."


def refuse_trims(before: Compared, trims: Sequence[Trim]) -> None:
    """hof.forces-parity.trim: only the side with the higher score may remove anything."""
    rule = "hof.forces-parity.trim"
    for trim in trims:
        if trim.side != before.stronger:
            raise ParityError(f"only the side with the higher score may leave Units or Teams at home ({rule})")


def handicapped(setup: Setup, parity: Parity) -> Setup:
    """The set-up with the handicap."""
    companies: dict[Side, Company] = {}
    for side in SIDES:
        companies[side] = msgspec.structs.replace(setup.companies.get(side, Company()), handicap=parity.handicap[side])
    return msgspec.structs.replace(setup, companies=companies)


# The estimate.


def worth_of_unit(unit: ForceUnit) -> float:
    """How threatening a Unit is, by rule of thumb: what its Teams do and bear, times 1.25 if Elite, 0.8 if Poor.

    A Team does what the best of its weapons does, and a half of the next best; 1 more if it re-rolls in assaults or
    has Panzerfausts; and 2 for each class of its artillery, which is all that guns off the table do. A weapon is its
    RoF times its range in 16 inches, half as much again for each point of AT above 1 and for each FP above 1.
    A Team bears 1, a Small one 0.5, an armored Vehicle 1 and its front and flank armor, a bunker 6. Immobile and Slow
    Teams lose a tenth. Leaders and observers are worth 1, a Company Commander 2, a sniper 4, a Transport 0.5.
    """
    teams = sum(number * worth_of_team(unit, profile(name)) for name, number in unit.teams.items())
    riding = sum(unit.teams.values()) * worth_of_team(unit, profile(unit.riders)) if unit.riders else 0.0
    own = 1.0 * unit.leader + 1.0 * unit.observer + {"cc": 2.0, "sniper": 4.0}.get(unit.kind, 0.0)
    return (teams + riding + own + 0.5 * sum(unit.transports.values())) * QUALITY[unit.quality]


def worth_of_team(unit: ForceUnit, kind: Profile) -> float:
    shots = sorted((worth_of_weapon(weapon) for weapon in kind.weapons if not unit.off_board), reverse=True)
    fierce = any("rerolls-assault" in weapon.keywords for weapon in kind.weapons)
    fierce = fierce or "panzerfaust" in unit.traits.get(kind.key, ())
    does = sum(shots[:1]) + sum(shots[1:2]) / 2 + fierce + 2.0 * CLASSES[kind.artillery]
    bears = 1.0 + kind.front + kind.flank if not kind.small else 0.5
    if unit.kind == "bunker":
        bears = 6.0
    held_back = 0.9 if {"immobile", "slow"} & set(kind.keywords) else 1.0
    return (does + bears) * held_back


def worth_of_weapon(weapon: Weapon) -> float:
    if not weapon.direct:
        return 0.0
    piercing = 1.0 + 0.5 * max(0, (weapon.at or 0) - 1)
    return weapon.rof * weapon.range / 16.0 * piercing * (0.5 + 0.5 * weapon.fp)


def estimate(red: ForceUnit, blue: ForceUnit) -> Verdict:
    """The verdict of one who counts: in doubt unless one is clearly worth more."""
    ours, theirs = worth_of_unit(red), worth_of_unit(blue)
    if ours > CLEARLY * theirs:
        return "red"
    return "blue" if theirs > CLEARLY * ours else "doubt"
