"""Who may shoot at whom with what: arcs, lines of fire model by model, ranges, and the ways to fire that each has."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sandtable.field.formations import slots
from sandtable.field.kept import Kept, KeptUntilChange
from sandtable.rulesets.sof.core.arsenal import Rate, Row, Special, Weapon, kind, weapons
from sandtable.rulesets.sof.core.board import Battle, Board, board, friend_rows, known_blind, lines_between
from sandtable.rulesets.sof.core.state import UNARMED_ROLES, Figure, Unit, units_of
from sandtable.rulesets.sof.core.terrain import GROUND_LEVEL
from sandtable.rulesets.sof.kernels import firing
from sandtable.table import distance as measure
from sandtable.table import sight
from sandtable.table.hairs import CONTACT, EXACT
from sandtable.table.once import once
from sandtable.table.shapes import HALF_WIDTH, Floats, Mask, X, Y

CLEAR_OF_FRIENDS = 1.0
"""sof.shooting.lof-friends"""

SHARED_RANGE = 3.0
"""sof.shooting.range-shared"""

A_LEVEL = 3.0
"""sof.shooting.range-elevation: how many inches a level of height is, above the first."""

HIGH_GROUND, HIGHER_REACH = 2.0, 3.0
"""sof.shooting.high-ground"""

TRAJECTORY = 8.0
"""sof.weapon-rules.trajectory"""

LINEAR_ARC, FIXED_ARC = 180.0, 90.0
"""sof.shooting.arc-linear, sof.shooting.arc-fixed"""

FIRING_RANKS = 2
"""sof.shooting.lof-linear-two-ranks"""

DIRECT = ("direct", "ap")
"""The rows that are fired directly; the others are indirect."""

BLAST, FAST = "+blast", "+af"


class Mode(NamedTuple):
    """One way of a figure to fire: a weapon that it has, a row of it, whether it fires a blast round, and how fast."""

    name: str
    weapon: Weapon
    row: Row
    blast: bool
    fast: bool = False

    @property
    def spoken(self) -> str:
        shell = ", blast" if self.blast and self.row.pen is not None else ""
        return self.weapon.name + shell + (", accelerated" if self.fast else "")

    @property
    def chosen_round(self) -> bool:
        """sof.shooting.ammunition-direct: the row has a PEN and a blast, of which one is fired."""
        return two_rounds(self.row)


def two_rounds(row: Row) -> bool:
    # A bundle is a blast to whatever has no armour, and nothing here has.
    return row.pen is not None and bool(row.blast) and not row.has("grenade-bundle")


def modes_of(figure: Figure) -> tuple[Mode, ...]:
    """Every way of a figure to fire directly, that of its own weapon first; a jammed weapon has none."""
    return modes_by(figure.profile, figure.traits, figure.arms, figure.jammed)


@cache
def modes_by(profile: str, traits: tuple[Special, ...], arms: tuple[str, ...], jammed: bool) -> tuple[Mode, ...]:
    found: list[Mode] = []
    own = kind(profile, False, traits).weapon
    for key, weapon in ((profile, own), *((name, weapons()[name]) for name in arms)):
        if jammed and key == jammed_weapon(profile, own, arms):
            continue
        for name, row in weapon.rows.items():
            if name in DIRECT and row.range is not None and not row.has("indirect-only"):
                found += modes_of_row(key if name == "direct" else f"{key}:{name}", weapon, row)
    return tuple(found)


def jammed_weapon(profile: str, own: Weapon, arms: tuple[str, ...]) -> str:
    """Which of a figure's weapons a jam is in: the one that can jam, or else its own."""
    able = {profile: own, **{name: weapons()[name] for name in arms}}
    return next((name for name, weapon in able.items() if weapon.has("jams") or weapon.has("lever-action")), profile)


def modes_of_row(name: str, weapon: Weapon, row: Row) -> Iterable[Mode]:
    """sof.shooting.ammunition-direct, sof.weapon-rules.accelerated-fire: which round, and how fast."""
    for blast in [False, True] if two_rounds(row) else [bool(row.blast)]:
        shell = name + BLAST if blast and two_rounds(row) else name
        yield Mode(shell, weapon, row, blast)
        if row.at_halt is not None and row.at_halt.fast:
            yield Mode(shell + FAST, weapon, row, blast, fast=True)


def rate_for(mode: Mode, moving: bool) -> Rate | None:
    """The rate of fire of a mode, at the halt or on the move; None if it cannot fire so."""
    rate = mode.row.on_the_move if moving else mode.row.at_halt
    if mode.fast:
        return None if moving or rate is None else rate._replace(number=rate.number + 1)
    if rate is not None and mode.row.has("slow-loading"):
        return rate._replace(number=0, code="SS")
    return rate


def may_fire(mode: Mode, moving: bool, sustained: bool) -> bool:
    """Whether a mode has a rate of fire; a muzzle loader only with a Sustained Fire action."""
    return rate_for(mode, moving) is not None and (sustained or not mode.row.has("muzzle-loader"))


def modes_that_may(figure: Figure, moving: bool, sustained: bool) -> tuple[Mode, ...]:
    """Those of a figure's modes that may be fired so."""
    return ready_by(figure.profile, figure.traits, figure.arms, figure.jammed, moving, sustained)


@cache
def ready_by(
    profile: str, traits: tuple[Special, ...], arms: tuple[str, ...], jammed: bool, moving: bool, sustained: bool
) -> tuple[Mode, ...]:
    modes = modes_by(profile, traits, arms, jammed)
    return tuple([mode for mode in modes if may_fire(mode, moving, sustained)])


# Crews and loaders.


def mates_in_contact(game: Battle, unit: Unit, figure: Figure) -> list[Figure]:
    here = board(game)
    others = [each for each in here.on(unit.able) if each is not figure]
    gaps = here.gaps([figure], others)[0].tolist() if others and figure.id in here.index else []
    return [each for each, gap in zip(others, gaps, strict=True) if gap <= CONTACT]


def crew_of(game: Battle, unit: Unit, figure: Figure) -> list[Figure]:
    """sof.weapon-rules.crew-count: the gunner himself and whoever of the crew is in base contact with him."""
    return [figure, *[each for each in mates_in_contact(game, unit, figure) if each.role == "crew"]]


def loaders_of(game: Battle, unit: Unit) -> dict[str, str]:
    """sof.weapon-rules.loader-model: each gunner who has a loader, with him, or with himself if they share a base.

    One man serves one weapon, and as many weapons have one as can be: where they are too few, the first gunners.
    """
    near = gunners_with_mates(game, unit)
    own = {each.id: each.id for each in unit.able if each.standing > 1 and needs_loader(each)}
    return {**own, **paired(near)}


def loading(game: Battle, unit: Unit) -> set[str]:
    """Those who serve a gunner and do not shoot themselves: where they are too many, the first of them."""
    near = gunners_with_mates(game, unit)
    mates = [each.id for each in unit.able if each.role == "loader"] if near else []
    return set(paired({mate: [gunner for gunner, others in near.items() if mate in others] for mate in mates}))


def gunners_with_mates(game: Battle, unit: Unit) -> dict[str, list[str]]:
    """The men who need somebody to load, each with the loaders in base contact with him."""
    gunners = [each for each in unit.able if needs_loader(each) and each.standing == 1]
    return {
        each.id: [mate.id for mate in mates_in_contact(game, unit, each) if mate.role == "loader"] for each in gunners
    }


def paired(near: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """A partner of his own for as many as can be, for the first of them before the others."""
    found: dict[str, str] = {}

    def finds_one(name: str, asked: set[str]) -> bool:
        for mate in near[name]:
            if mate not in asked:
                asked.add(mate)
                if mate not in found or finds_one(found[mate], asked):
                    found[mate] = name
                    return True
        return False

    for name in near:
        finds_one(name, set())
    return {name: mate for mate, name in found.items()}


Condition = tuple[object, ...]


def condition_of(unit: Unit) -> Condition:
    """All of a unit's own that says who of it could shoot with what, but where everybody stands."""
    figures = unit.teams.values()
    return (unit.id, unit.formation, *[(each.wounds, each.permanent, each.jammed) for each in figures])


def needs_loader(figure: Figure) -> bool:
    weapon = figure.kind.weapon
    return not figure.jammed and (weapon.has("loader") or weapon.has("managed-fire"))


def busy(game: Battle, unit: Unit) -> set[str]:
    """Those who serve another's weapon and do not shoot: crews as far as they are needed, and loaders."""
    found = loading(game, unit)
    for figure in unit.able:
        if figure.kind.weapon.crew and not figure.jammed:
            needed = figure.kind.weapon.crew - figure.standing
            found |= {each.id for each in crew_of(game, unit, figure)[1 : 1 + max(0, needed)]}
    return found


SHOOTERS: Kept[str, tuple[tuple[Condition, int], list[Figure]]] = Kept()
"""Of a unit, with its condition and the version of the board in which it last moved."""


def shooters(game: Battle, unit: Unit) -> list[Figure]:
    """The figures of a unit that could shoot at all, whatever the target."""
    here = board(game)
    kept, now = SHOOTERS.of(here), (condition_of(unit), here.moved(unit))
    found = kept.get(unit.id)
    if found is None or found[0] != now:
        found = kept[unit.id] = now, find_shooters(game, unit)
    return list(found[1])


def find_shooters(game: Battle, unit: Unit) -> list[Figure]:
    helping = busy(game, unit)
    front = in_front(unit)
    return [
        each
        for each in board(game).on(unit.able)
        if each.role not in UNARMED_ROLES and each.id not in helping and each.id in front and modes_of(each)
    ]


def why_idle(game: Battle, unit: Unit, figure: Figure) -> str | None:
    """The rule by which a figure of a unit on the table does not shoot, whatever the target; None if he may."""
    if figure.disabled:
        return "sof.shooting.wound-effect"
    if figure.role in UNARMED_ROLES:
        return UNARMED_ROLES[figure.role]
    if figure.id in loading(game, unit):
        return "sof.weapon-rules.loader-model"
    if figure.id in busy(game, unit):
        return "sof.weapon-rules.crew-count"
    return None if figure.id in in_front(unit) else "sof.shooting.lof-linear-two-ranks"


def in_front(unit: Unit) -> set[str]:
    """sof.shooting.lof-linear-two-ranks: in linear order those of the first two ranks, else everybody."""
    if unit.formation != "linear" or unit.pose is None:
        return set(unit.teams)
    ranks = [rank for rank, _ in slots(len(unit.teams), unit.pose.files)]
    return {name for name, rank in zip(unit.teams, ranks, strict=True) if rank < FIRING_RANKS}


# Lines of fire.


@dataclass(slots=True, frozen=True)
class Firer:
    """A figure that may fire at a unit: its distance, the ways it may fire, and the line along which it does.

    `shares`: its distance is the engagement range; `rises`: a difference in height is part of it. `loaded`: it has the
    loader that its weapon needs, if it needs one.
    """

    figure: Figure
    inches: float
    modes: tuple[Mode, ...]
    line: tuple[float, float, float, float]
    level: float
    shares: bool = True
    rises: bool = False
    loaded: bool = True


class Ranges(NamedTuple):
    """All figures of a unit and all models of another: distances with heights, and how much higher the ones stand."""

    gaps: Floats
    rise: Floats


RANGES: KeptUntilChange[tuple[str, str], Ranges] = KeptUntilChange()


def ranges_between(here: Board, unit: Unit, target: Unit) -> Ranges:
    """sof.shooting.range-elevation: the distances with what the two differ in height."""
    kept = RANGES.of(here)
    found = kept.get((unit.id, target.id))
    if found is None:
        rows, models = here.rows_of(unit), here.rows_of(target)
        rise: Floats = A_LEVEL * (here.levels_of(unit)[:, None] - here.levels_of(target)[None, :])
        flat = measure.distances(rows, models)
        found = kept[unit.id, target.id] = Ranges(np.sqrt(flat * flat + rise * rise), rise)
    return found


@dataclass(frozen=True)
class Sights:
    """One unit over another: which of its figures has a clear line to which model, (n, m), and all distances."""

    game: Battle
    unit: Unit
    target: Unit
    figures: list[Figure]

    @once
    def here(self) -> Board:
        return board(self.game)

    @once
    def rows(self) -> Floats:
        return self.here.of(self.figures)

    @once
    def models(self) -> Floats:
        return self.here.rows_of(self.target)

    @once
    def heights(self) -> list[float]:
        heights: list[float] = self._theirs(self.here.levels_of(self.unit)).tolist()
        return heights

    @once
    def numbers(self) -> list[int]:
        """The numbers of the figures among all of the unit on the table."""
        there = self.here.figures_of(self.unit)
        if len(there) == len(self.figures):
            return [*range(len(there))]
        numbers = {figure.id: number for number, figure in enumerate(there)}
        return [numbers[figure.id] for figure in self.figures]

    def _theirs(self, of_all: NDArray[Any]) -> NDArray[Any]:
        """What is known of all figures of the unit on the table, of these: to be read, not to be changed."""
        return of_all if len(of_all) == len(self.figures) else of_all.take(self.numbers, axis=0)

    @once
    def seen(self) -> Mask:
        return self._theirs(lines_between(self.game, self.unit, self.target))

    @once
    def ranges(self) -> Ranges:
        return ranges_between(self.here, self.unit, self.target)

    @once
    def rise(self) -> Floats:
        """By how many inches each figure stands above each model, (n, m)."""
        return self._theirs(self.ranges.rise)

    @once
    def gaps(self) -> Floats:
        return self._theirs(self.ranges.gaps)

    @once
    def distances(self) -> tuple[list[float], list[bool]]:
        here, unit, target = self.here, self.unit, self.target
        rows, heights, others = here.rows_of(unit), here.levels_of(unit), here.levels_of(target)
        wanted, within = np.array(self.numbers, dtype=np.int64), SHARED_RANGE + EXACT
        return firing.firing_distances(rows, self.models, heights, others, wanted, A_LEVEL, within)

    @property
    def shares(self) -> list[bool]:
        """sof.shooting.range-shared: who is within 3 inches of the model of the unit that is nearest to the target."""
        return self.distances[1]

    @property
    def inches(self) -> list[float]:
        """sof.shooting.engagement-range, sof.shooting.range-individual: the firing distance of each figure."""
        return self.distances[0]

    @once
    def in_arc(self) -> Mask:
        """Which figures have which models in their arc of fire."""
        found: Mask = np.ones((len(self.figures), len(self.models)), dtype=np.bool_)
        if self.unit.formation == "linear" and self.unit.pose is not None:
            at, facing = self.unit.pose.at, self.unit.pose.facing
            found[:] = [measure.in_arc(*at, facing, LINEAR_ARC, model) for model in self.models]
        for number, figure in enumerate(self.figures):
            if figure.kind.weapon.has("fixed"):
                x, y = figure.at or (0.0, 0.0)
                found[number] = [measure.in_arc(x, y, figure.facing, FIXED_ARC, model) for model in self.models]
        return found

    @once
    def friends(self) -> Floats:
        """The friends of other units, who must not be near a line of fire."""
        return friend_rows(self.game, self.unit)

    @once
    def past_friends(self) -> Mask:
        """sof.shooting.lof-friends: which lines keep more than an inch from friends of other units, (n, m)."""
        return self._clear_of(np.ones((len(self.rows), len(self.friends)), dtype=np.bool_))

    @once
    def over_friends(self) -> Mask:
        """sof.weapon-rules.trajectory: the same for a weapon that fires over those far from it and from the target."""
        near = measure.distances(self.rows, self.friends) <= TRAJECTORY + EXACT
        at_target: Mask = (measure.distances(self.models, self.friends) <= TRAJECTORY + EXACT).any(axis=0)  # type: ignore[assignment]
        return self._clear_of(near | at_target[None, :])

    def _clear_of(self, counts: Mask) -> Mask:
        """Which lines are clear of those friends that count for each figure, (n, K) into (n, m)."""
        return sight.lines_past(self.rows, self.models, self.friends, counts, CLEAR_OF_FRIENDS + EXACT)

    def why_not(self, moving: bool, sustained: bool, way: str = "") -> tuple[str, str]:
        """Why nobody may fire, or fire in some way, although somebody sees the target: the rule and its words."""
        all_modes = [(number, mode) for number, figure in enumerate(self.figures) for mode in modes_of(figure)]
        modes = [(number, mode) for number, mode in all_modes if not way or mode.name == way]
        near = [(n, mode) for n, mode in modes if reaches(mode, self.inches[n], self.heights[n])]
        if not near and any(each.kind.weapon.has("indirect-only") for each in self.figures):
            return "sof.weapon-rules.indirect-only", "its weapon may only fire indirectly"
        if not near:
            return "sof.shooting.range-any-weapon", "it is out of range"
        ready = [(n, mode) for n, mode in near if rate_for(mode, moving) is not None]
        if not ready:
            return "sof.weapon-charts.rof-halt-move", "its weapons do not fire on the move"
        ready = [(n, mode) for n, mode in ready if may_fire(mode, moving, sustained)]
        if not ready:
            return "sof.weapon-rules.muzzle-loader", "muzzle loaders need a Sustained Fire action"
        lines = [(n, mode) for n, mode in ready if self.seen[n].any()]
        if not lines:
            return "sof.shooting.lof-blockers", "terrain is in every line of fire"
        arcs = [(n, mode) for n, mode in lines if (self.seen & self.in_arc)[n].any()]
        if not arcs:
            linear = self.unit.formation == "linear"
            return ("sof.shooting.arc-linear" if linear else "sof.shooting.arc-fixed"), "it is out of the arc of fire"
        return "sof.shooting.lof-friends", "friends are within an inch of every line of fire"

    def clear(self, mode: Mode) -> Mask:
        """The lines along which a mode may be fired, (n, m)."""
        found = self.seen & self.in_arc
        if mode.row.has("overhead-fire"):
            return found
        return found & (self.over_friends if mode.row.has("trajectory") else self.past_friends)

    def in_reach(self, number: int) -> bool:
        """Whether a weapon of a figure has the range."""
        inches, level = self.inches[number], self.heights[number]
        return any(reaches(mode, inches, level) for mode in modes_of(self.figures[number]))

    def able(self, moving: bool, sustained: bool) -> list[list[Mode]]:
        """The ways of each figure to fire so far."""
        return [
            [mode for mode in modes_that_may(figure, moving, sustained) if reaches(mode, inches, level)]
            for figure, inches, level in zip(self.figures, self.inches, self.heights, strict=True)
        ]


def line_gaps(lines: Floats, rows: Floats) -> Floats:
    """How far each line is from the rim of each round base, (L, K)."""
    ax, ay, bx, by = (lines[:, column][:, None] for column in range(4))
    dx, dy = bx - ax, by - ay
    long = np.maximum(dx * dx + dy * dy, EXACT)
    part = np.clip(((rows[:, X] - ax) * dx + (rows[:, Y] - ay) * dy) / long, 0.0, 1.0)
    gap_x, gap_y = ax + part * dx - rows[:, X], ay + part * dy - rows[:, Y]
    found: Floats = np.sqrt(gap_x * gap_x + gap_y * gap_y) - rows[:, HALF_WIDTH]
    return found


def reaches(mode: Mode, inches: float, level: float) -> bool:
    """Whether a weapon has the range; from high ground 3 inches more."""
    assert mode.row.range is not None
    most = mode.row.range + (HIGHER_REACH if level >= HIGH_GROUND else 0.0)
    return mode.row.least - EXACT <= inches <= most + EXACT


FIRERS: KeptUntilChange[tuple[Condition, str, bool, bool], list[Firer]] = KeptUntilChange()


def firers(game: Battle, unit: Unit, target: Unit, moving: bool, sustained: bool = False) -> list[Firer]:
    """Every figure of a unit that may fire at a target, with the ways that it may."""
    if not target.placed or known_blind(game, unit, target):
        return []
    key = (condition_of(unit), target.id, moving, sustained)
    return list(FIRERS.once(board(game), key, lambda: find_firers(game, unit, target, moving, sustained)))


def find_firers(game: Battle, unit: Unit, target: Unit, moving: bool, sustained: bool) -> list[Firer]:
    return firing_of(sights_of(game, unit, target), moving, sustained)


SIGHTS: KeptUntilChange[tuple[Condition, str], Sights] = KeptUntilChange()


def sights_of(game: Battle, unit: Unit, target: Unit) -> Sights:
    """All shooters of a unit over a target."""
    key = (condition_of(unit), target.id)
    return SIGHTS.once(board(game), key, lambda: Sights(game, unit, target, shooters(game, unit)))


def firing_of(over: Sights, moving: bool, sustained: bool) -> list[Firer]:
    """Those among some figures of a unit who may fire at a target, with the ways that they may."""
    figures = over.figures
    if not figures:
        return []
    # What is soon found out comes first: the range, then the lines.
    able = over.able(moving, sustained)
    if not any(able) or not over.seen.any():
        return []
    found = []
    clear: dict[tuple[bool, bool], list[list[bool]]] = {}
    served = loaders_of(over.game, over.unit)
    for number, figure in enumerate(figures):
        inches, level = over.inches[number], over.heights[number]
        ready: list[tuple[Mode, Sequence[bool]]] = []
        for mode in able[number]:
            flight = (mode.row.has("overhead-fire"), mode.row.has("trajectory"))
            if flight not in clear:
                clear[flight] = over.clear(mode).tolist()
            if True in clear[flight][number]:
                ready.append((mode, clear[flight][number]))
        if ready:
            gaps: list[float] = over.gaps[number].tolist()
            to = shortest(over.rows[number], over.models, ready[0][1])
            line = (*over.rows[number, X : Y + 1].tolist(), *over.models[to, X : Y + 1].tolist())
            rises = bool(abs(over.rise[number, gaps.index(min(gaps))]) > EXACT)
            shares = over.shares[number]
            loaded = not needs_loader(figure) or figure.id in served
            found.append(Firer(figure, inches, tuple(mode for mode, _ in ready), line, level, shares, rises, loaded))
    return found


def line_rules(game: Battle, unit: Unit, target: Unit, firing: Sequence[Firer], moving: bool) -> list[str]:
    """What is told of the lines of fire: by which rules some have none, and past whom the others fire."""
    over = sights_of(game, unit, target)
    fires = {each.figure.id for each in firing}
    able = over.able(moving, sustained=True)
    idle = [n for n, each in enumerate(over.figures) if each.id not in fires and able[n]]
    found = ["sof.shooting.lof-direct"]
    if any(each.id not in fires and not over.in_reach(n) for n, each in enumerate(over.figures)):
        found.append("sof.shooting.range-any-weapon")
    if any(not over.seen[n].any() for n in idle):
        found += ["sof.shooting.lof-blockers", "sof.shooting.visibility-terrain"]
    past = [n for n in idle if (over.seen & over.in_arc)[n].any() and not over.past_friends[n].any()]
    found += ["sof.shooting.lof-friends"] if past else []
    lines = np.array([each.line for each in firing])
    here = board(game)
    for each, line in zip(firing, lines, strict=True):
        mates = here.of([mate for mate in here.on(unit.teams.values()) if mate is not each.figure])
        if unit.formation != "linear" and len(mates) and (line_gaps(line[None], mates) <= CLEAR_OF_FRIENDS).any():
            found.append("sof.shooting.lof-own-unit")
            break
    other = [foe for foe in units_of(game.state, target.side) if foe is not target]
    rows = here.of([each for foe in other for each in here.on(foe.teams.values())])
    if len(rows) and (line_gaps(lines, rows) < 0.0).any():
        found += ["sof.shooting.lof-enemy", "sof.shooting.visibility-units-never-block"]
    return found


def arc_rule(unit: Unit, firing: Sequence[Firer]) -> str:
    """The rule by which a unit fires in its arc."""
    if unit.formation == "linear":
        return "sof.shooting.arc-linear"
    if any(each.figure.kind.weapon.has("fixed") for each in firing):
        return "sof.shooting.arc-fixed"
    return "sof.shooting.arc-weapons" if unit.type == "weapon" else "sof.shooting.arc-foot"


def shortest(row: Floats, models: Floats, clear: Sequence[bool]) -> int:
    """sof.shooting.lof-direct: to which of some models the shortest line leads that is clear, from middle to middle."""
    start, ends = row[X : Y + 1].tolist(), models[:, X : Y + 1].tolist()
    return min((math.dist(start, end), number) for number, end in enumerate(ends) if clear[number])[1]


def far_reach(unit: Unit) -> float:
    """How far any weapon of a unit reaches, high ground included."""
    ranges = [reach_by(each.profile, each.traits, each.arms, each.jammed) for each in unit.able]
    return max(ranges, default=-math.inf) + HIGHER_REACH


@cache
def reach_by(profile: str, traits: tuple[Special, ...], arms: tuple[str, ...], jammed: bool) -> float:
    """How far any weapon of a figure reaches."""
    modes = modes_by(profile, traits, arms, jammed)
    return max((mode.row.range or 0.0 for mode in modes), default=-math.inf)


def reach_so(unit: Unit, moving: bool, sustained: bool) -> float:
    """The same of those weapons that may be fired so."""
    ranges = [reach_by_mode(each.profile, each.traits, each.arms, each.jammed, moving, sustained) for each in unit.able]
    return max(ranges, default=-math.inf) + HIGHER_REACH


@cache
def reach_by_mode(
    profile: str, traits: tuple[Special, ...], arms: tuple[str, ...], jammed: bool, moving: bool, sustained: bool
) -> float:
    modes = ready_by(profile, traits, arms, jammed, moving, sustained)
    return max((mode.row.range or 0.0 for mode in modes), default=-math.inf)


def on_high_ground(firing: Iterable[Firer]) -> bool:
    return any(each.level > GROUND_LEVEL for each in firing)
