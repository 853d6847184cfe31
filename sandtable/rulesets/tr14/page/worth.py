"""What a position is worth, for bots that look ahead. No rules, but what decides battles by them.

Weights are chosen by play (docs/bots.md tells how). Nothing is hidden in this game, so everything may be counted.
"""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

import numpy as np

from sandtable.engine.game import ENCODER
from sandtable.engine.worth import Term, Worth
from sandtable.field.kept import Kept, KeptOne
from sandtable.field.reckoning import decided, held
from sandtable.rulesets.tr14.core.arsenal import LONG_RANGE, Profile, profile
from sandtable.rulesets.tr14.core.board import Battle, Board, Ground, Mask, Rows, board, cover_matrix, sees
from sandtable.rulesets.tr14.core.checks import TO_HIT
from sandtable.rulesets.tr14.core.state import SIDES, Member, State, Team, Training, Unit, commander, other, platoons
from sandtable.rulesets.tr14.core.terrain import HARD, OPEN
from sandtable.rulesets.tr14.saves import SAVES
from sandtable.table import distance as measure
from sandtable.table.shapes import COLUMNS, Ints

TERMS = {
    "battle": Term(1.0, "the battle won"),
    "teams": Term(1.0, "more Teams left"),
    "suppression": Term(0.35, "less suppression"),
    "units": Term(1.0, "farther from retreat"),
    "commander": Term(4.0, "its Commander unhurt"),
    "leaders": Term(0.8, "its Leaders unhurt"),
    "held": Term(4.0, "objectives held"),
    "control": Term(2.5, "in control of objectives"),
    "near": Term(0.03, "nearer to objectives", passing=True),
    "danger": Term(0.6, "less exposed to fire", passing=True),
    "fire": Term(0.5, "more in its line of fire", passing=True),
    "astray": Term(0.03, "its Commander near his men", passing=True),
    "ready": Term(0.1, "ready to react", passing=True),
}

TEAMS = {"infantry": 1.0, "gun": 1.5, "tank": 2.5}
COMMANDER_AT_RISK = 4.0
"""What fire at a Commander is weighed with: he is one Team, but a company without him retreats at its first Check."""

FAR = 40.0
SUPPRESSES = 0.15
"""What a hit is worth by the suppression that it brings, whoever it kills."""

LEADER_AT_RISK = 0.5
FEW = 1.2
"""How many Units a company must be from retreat to feel safe."""


class Arms(NamedTuple):
    """What a kind of Team fires with, as far as it matters from afar: at soft targets, and at armor."""

    soft: float
    soft_range: float
    armor: float
    armor_range: float


def arms_of(kind: Profile) -> Arms:
    direct = [weapon for weapon in kind.weapons if weapon.fp]
    at = [weapon for weapon in direct if weapon.at]
    soft = sum(weapon.fp * (0.5 if weapon.at else 1.0) for weapon in direct)
    return Arms(
        soft,
        max((weapon.range for weapon in direct), default=0.0),
        sum(float(weapon.fp) for weapon in at),
        max((weapon.range for weapon in at), default=0.0),
    )


@cache
def arms(name: str) -> Arms:
    return arms_of(profile(name))


WEIGHED = Kept[tuple[str, bytes], dict[str, float]](256)


def weigh(game: Battle, seat: str) -> dict[str, float]:
    """What counts for a seat as all stand: worked out once, for many looks come to the same."""
    return WEIGHED.once(game.kin, (seat, ENCODER.encode(game.state)), lambda: counted(game, seat))


def counted(game: Battle, seat: str) -> dict[str, float]:
    state = game.state
    over = decided(state.result, seat)
    if over is not None:
        return {"battle": over}
    found = dict.fromkeys(TERMS, 0.0)
    for side in SIDES:
        sign = 1.0 if side == seat else -1.0
        for name, amount in one_side(game, side).items():
            found[name] += sign * amount
    urgency = 0.5 + state.round / game.setup.rounds
    points = held(state.objectives, lambda objective: objective.worth)
    found["held"] = points[seat] - points[other(seat)]
    found["control"] *= urgency
    if state.phase != "deploy":
        exchange = Exchange(game)
        found["danger"] = -exchange.at(seat)
        found["fire"] = exchange.at(other(seat))
    return found


class Outlook(NamedTuple):
    """What a place is to the objectives: how far from the nearest, and which it is by."""

    gap: float
    reached: tuple[str, ...]


FROM_HERE = Kept[tuple[float, float], Outlook]()
MOST_PLACES = 4096


def outlook(state: State, at: tuple[float, float]) -> Outlook:
    gaps = {name: math.dist(at, objective.at) for name, objective in state.objectives.items()}
    reached = [name for name, gap in gaps.items() if gap <= state.objectives[name].radius]
    return Outlook(min(FAR, *gaps.values()), tuple(reached))


@cache
def value_of(name: str) -> float:
    return TEAMS[profile(name).type]


BEHIND = KeptOne[frozenset[str]]()
"""Those who have no business at an objective: who stand apart, and batteries."""


def behind(game: Battle) -> frozenset[str]:
    found = BEHIND.of(game.kin)
    if found is None:
        names = (name for name, unit in game.setup.units.items() if unit.apart or unit.is_battery)
        found = BEHIND.keep(game.kin, frozenset(names))
    return found


def one_side(game: Battle, side: str) -> dict[str, float]:
    """What a side has, whatever the other does."""
    state = game.state
    found = dict.fromkeys(
        ("teams", "suppression", "units", "commander", "leaders", "control", "near", "astray", "ready"), 0.0
    )
    goals = state.objectives
    reached: set[str] = set()
    from_here, stay_back = FROM_HERE.of(game.kin), behind(game)
    cc = commander(state, side)
    teams = suppression = near = 0.0
    for unit in state.units.values():
        if unit.side != side:
            continue
        for team in unit.teams.values():
            teams += value_of(team.profile)
            suppression -= min(team.markers, 2)
            if team.role == "pl":
                found["leaders"] += 1.0
            at = team.at
            if at is None or not goals:
                continue
            seen = from_here.get(at)
            if seen is None:
                if len(from_here) >= MOST_PLACES:
                    from_here.clear()
                seen = from_here[at] = outlook(state, at)
            if unit.id not in stay_back:
                near -= seen.gap
            if seen.reached and not team.markers:
                reached.update(seen.reached)
        if unit.overwatch:
            found["ready"] += 1.0
    found["teams"], found["suppression"], found["near"] = teams, suppression, near
    found["control"] = sum(objective.worth for name, objective in goals.items() if name in reached)
    units = platoons(state, side)
    left, starting = len(units), state.companies[side].starting
    margin = left - starting / 2
    heart = 2.0 if cc is not None else 4.0
    found["units"] = 1.5 * left - heart * math.exp(-max(margin, -1.0) / FEW) + fragile(units)
    if cc is not None:
        found["commander"] = 1.0 + 0.5 * max(0, starting - left)
        found["astray"] = -apart_from(units, cc)
    return found


def fragile(units: list[Unit]) -> float:
    """What Units below half their Teams cost: they may not stay to fight."""
    return -sum(0.7 for unit in units if 2 * len(unit.teams) < unit.starting)


def apart_from(units: list[Unit], cc: Member) -> float:
    """How far a Commander is from the nearest of his Units."""
    at = cc[1].at
    if at is None:
        return 0.0
    spots = [team.at for unit in units for team in unit.teams.values() if team.at is not None]
    return min(FAR, *(math.dist(at, spot) for spot in spots)) if spots else 0.0


# Who can hurt whom.


class Sightings:
    """How far apart all are and who sees whom, kept for as long as both stand where they stood.

    Copies of a game mostly stand as it does.
    """

    def __init__(self, ground: Ground, most: int) -> None:
        self.ground = ground
        self.numbers: dict[str, int] = {}
        self.rows: Rows = np.full((most, COLUMNS), math.nan)
        self.gaps: Rows = np.zeros((most, most))
        self.seen: Mask = np.zeros((most, most), dtype=np.bool_)
        self.known: Mask = np.zeros((most, most), dtype=np.bool_)

    def of(self, members: list[Member], rows: Rows) -> Ints:
        """The numbers of some Teams; what is known of those who have moved is forgotten."""
        numbers = self.numbers
        found: Ints = np.array([numbers.setdefault(team.id, len(numbers)) for _, team in members])
        moved = found[(self.rows[found] != rows).any(axis=1)]
        self.rows[found] = rows
        if len(moved):
            self.known[moved] = False
            self.known[:, moved] = False
            there = self.rows[: len(numbers)]
            gaps = measure.distances(self.rows[moved], there)
            self.gaps[moved, : len(numbers)] = gaps
            self.gaps[: len(numbers), moved] = gaps.T
        return found

    def apart(self, a: Ints, b: Ints) -> Rows:
        """How far each of some is from each of others."""
        result: Rows = self.gaps[np.ix_(a, b)]
        return result

    def between(self, here: Board, a: Ints, b: Ints, near: Mask) -> Mask:
        """Which of some sees which of others, of those who are near to each other."""
        grid = np.ix_(a, b)
        wanted = near & ~self.known[grid]
        if wanted.any():
            rows, columns = wanted.any(axis=1), wanted.any(axis=0)
            part = np.ix_(a[rows], b[columns])
            asked = wanted[np.ix_(rows, columns)]
            self.seen[part] = np.where(
                asked, sees(here, self.rows[a[rows]], self.rows[b[columns]], asked), self.seen[part]
            )
            self.known[part] |= asked
        result: Mask = self.seen[grid] & near
        return result


SIGHTINGS = KeptOne[Sightings]()
IN_SIGHT = 44.0
"""Farther away nobody is looked at: twice the range of a machine gun."""


def sightings(game: Battle, here: Board) -> Sightings:
    found = SIGHTINGS.of(game.kin)
    if found is None or found.ground is not here.ground:
        most = sum(len(unit.teams) for unit in game.setup.units.values())
        found = SIGHTINGS.keep(game.kin, Sightings(here.ground, most))
    return found


class Exchange:
    """What each side's fire could do to the other as everybody stands, on average and at a glance.

    Arcs, friends in the way and who has fired already are left aside: it looks a turn ahead.
    """

    def __init__(self, game: Battle) -> None:
        self.here = here = board(game)
        self.members: dict[str, list[Member]] = {side: here.sides[side] for side in SIDES}
        self.some = all(self.members.values())
        if not self.some:
            return
        self.rows: dict[str, Rows] = {side: here.all_of(self.members[side]) for side in SIDES}
        known = sightings(game, here)
        red, blue = (known.of(self.members[side], self.rows[side]) for side in SIDES)
        self.gaps = known.apart(red, blue)
        self.seen = known.between(here, red, blue, self.gaps <= IN_SIGHT)

    def at(self, side: str) -> float:
        """What fire at a side would cost it."""
        if not self.some:
            return 0.0
        foes, own = self.members[other(side)], self.members[side]
        gaps, seen = (self.gaps, self.seen) if side == "blue" else (self.gaps.T, self.seen.T)
        guns = np.array([arms(team.profile) if not team.markers else NO_ARMS for _, team in foes])
        marks = np.array([mark_of(unit, team) for unit, team in own])
        cover = cover_matrix(self.here, self.rows[other(side)], self.rows[side], [team.dug_in for _, team in own])
        tank = marks[:, TANK] > 0
        points = np.where(tank, guns[:, 2:3], guns[:, 0:1])
        reach = np.where(tank, guns[:, 3:4], guns[:, 1:2])
        far = gaps > reach
        dice = np.where(far, points * 0.5, points) * (seen & (gaps <= LONG_RANGE * reach))
        needed = marks[:, NEEDED] + np.maximum(cover > OPEN, marks[:, STILL]) + far
        chance = np.clip(7.0 - needed, 0.0, 5.0) / 6.0
        loss = dice * chance * np.where(cover == HARD, marks[:, IN_HARD], marks[:, IN_OPEN])
        # Each fires at one Unit only: many targets are worse than one, but not so many times worse.
        return float(((loss**4).sum(axis=1) ** 0.25).sum())


NO_ARMS = Arms(0.0, 0.0, 0.0, 0.0)
NEEDED, STILL, TANK, IN_OPEN, IN_HARD = range(5)
TANK_LOSS = 0.3
"""What a hit by an AT weapon costs a tank, of armor as most have it."""


def mark_of(unit: Unit, team: Team) -> tuple[float, float, float, float, float]:
    """A Team that may be fired at: the die that hits it, whether it lies still, is a tank, and what a hit costs it."""
    return mark(
        team.profile, unit.training, unit.to_ground, team.moved, team.fired, team.role == "pl", unit.apart == "cc"
    )


@cache
def mark(
    name: str, training: Training, down: bool, moved: bool, fired: bool, leads: bool, commands: bool
) -> tuple[float, float, float, float, float]:
    kind = profile(name)
    quiet = not (moved or fired)
    tank = kind.type == "tank" and not kind.soft_skinned
    needed = TO_HIT[training] + (quiet or down) * (not tank)
    if tank:
        return needed, 0.0, 1.0, TANK_LOSS, TANK_LOSS
    column = "infantry" if (kind.type == "gun" and quiet) or kind.soft_skinned else kind.type
    worth = TEAMS[kind.type] + (LEADER_AT_RISK if leads else 0.0)
    if commands:
        worth = COMMANDER_AT_RISK
    soft, hard = ((save - 1) / 6 * worth + SUPPRESSES for save in SAVES[column])
    return needed, float(kind.type == "infantry" and not moved), 0.0, soft, hard


WORTH = Worth(weigh, TERMS)
