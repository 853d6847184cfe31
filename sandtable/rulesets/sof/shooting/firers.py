"""Who may shoot at whom with what: arcs, lines of fire model by model, ranges, and the ways to fire that each has."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sandtable.field.formations import slots
from sandtable.rulesets.sof.core.arsenal import Rate, Row, Weapon, weapons
from sandtable.rulesets.sof.core.board import Battle, Board, board, lines_between, within_inches
from sandtable.rulesets.sof.core.state import UNARMED_ROLES, Figure, Unit, units_of
from sandtable.rulesets.sof.core.terrain import GROUND_LEVEL
from sandtable.table import distance as measure
from sandtable.table import levels
from sandtable.table.hairs import CONTACT, EXACT
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

BLAST = "+blast"


class Mode(NamedTuple):
    """One way of a figure to fire: a weapon that it has, a row of it, and whether it fires a blast round."""

    name: str
    weapon: Weapon
    row: Row
    blast: bool

    @property
    def spoken(self) -> str:
        return self.weapon.name + (", blast" if self.blast and self.row.pen is not None else "")


def modes_of(figure: Figure) -> list[Mode]:
    """Every way of a figure to fire directly, that of its own weapon first."""
    found = []
    for key in (figure.profile, *figure.arms):
        weapon = weapons()[key]
        for name, row in weapon.rows.items():
            if name in DIRECT and row.range is not None and not row.has("indirect-only"):
                # A bundle is a blast to whatever has no armour, and nothing here has.
                both = row.pen is not None and bool(row.blast) and not row.has("grenade-bundle")
                label = key if name == "direct" else f"{key}:{name}"
                if not row.blast or both:
                    found.append(Mode(label, weapon, row, False))
                if row.blast:
                    found.append(Mode(label + BLAST if both else label, weapon, row, True))
    return found


def rate_for(mode: Mode, moving: bool) -> Rate | None:
    """The rate of fire of a mode, at the halt or on the move; None if it cannot fire so."""
    return mode.row.on_the_move if moving else mode.row.at_halt


# Crews and loaders.


def mates_in_contact(game: Battle, unit: Unit, figure: Figure) -> list[Figure]:
    here = board(game)
    others = [each for each in here.on(unit.able) if each is not figure]
    gaps = here.gaps([figure], others)[0].tolist() if others and figure.id in here.index else []
    return [each for each, gap in zip(others, gaps, strict=True) if gap <= CONTACT]


def crew_of(game: Battle, unit: Unit, figure: Figure) -> list[Figure]:
    """sof.weapon-rules.crew-count: the gunner himself and whoever of the crew is in base contact with him."""
    return [figure, *[each for each in mates_in_contact(game, unit, figure) if each.role == "crew"]]


def loader_of(game: Battle, unit: Unit, figure: Figure) -> Figure | None:
    """sof.weapon-rules.loader-model: a loader in base contact, who then does not shoot himself."""
    return next((each for each in mates_in_contact(game, unit, figure) if each.role == "loader"), None)


def busy(game: Battle, unit: Unit) -> set[str]:
    """Those who serve another's weapon and do not shoot: crews as far as they are needed, and loaders."""
    found: set[str] = set()
    for figure in unit.able:
        weapon = figure.kind.weapon
        if figure.jammed:
            continue
        if weapon.crew:
            found |= {each.id for each in crew_of(game, unit, figure)[1 : weapon.crew]}
        if weapon.has("loader") or weapon.has("managed-fire"):
            loader = loader_of(game, unit, figure)
            found |= {loader.id} if loader is not None else set()
    return found


def shooters(game: Battle, unit: Unit) -> list[Figure]:
    """The figures of a unit that could shoot at all, whatever the target."""
    helping = busy(game, unit)
    front = in_front(unit)
    return [
        each
        for each in board(game).on(unit.able)
        if each.role not in UNARMED_ROLES and each.id not in helping and not each.jammed and each.id in front
    ]


def in_front(unit: Unit) -> set[str]:
    """sof.shooting.lof-linear-two-ranks: in linear order those of the first two ranks, else everybody."""
    if unit.formation != "linear" or unit.pose is None:
        return set(unit.teams)
    ranks = [rank for rank, _ in slots(len(unit.teams), unit.pose.files)]
    return {name for name, rank in zip(unit.teams, ranks, strict=True) if rank < FIRING_RANKS}


# Lines of fire.


@dataclass(slots=True, frozen=True)
class Firer:
    """A figure that may fire at a unit: its distance, the ways it may fire, and the line along which it does."""

    figure: Figure
    inches: float
    modes: tuple[Mode, ...]
    line: tuple[float, float, float, float]
    level: float


@dataclass(frozen=True)
class Sights:
    """One unit over another: which of its figures has a clear line to which model, (n, m), and all distances."""

    game: Battle
    unit: Unit
    target: Unit
    figures: list[Figure]

    @cached_property
    def here(self) -> Board:
        return board(self.game)

    @cached_property
    def rows(self) -> Floats:
        return self.here.of(self.figures)

    @cached_property
    def models(self) -> Floats:
        return self.here.rows_of(self.target)

    @cached_property
    def heights(self) -> Floats:
        return self.here.ground.levels_of(self.rows)

    @cached_property
    def seen(self) -> Mask:
        numbers = {figure.id: number for number, figure in enumerate(self.here.figures_of(self.unit))}
        all_lines = lines_between(self.game, self.unit, self.target)
        return all_lines.take([numbers[figure.id] for figure in self.figures], axis=0)

    @cached_property
    def gaps(self) -> Floats:
        """sof.shooting.range-elevation: the distances with what the two differ in height."""
        flat = measure.distances(self.rows, self.models)
        rise = A_LEVEL * (self.heights[:, None] - self.here.ground.levels_of(self.models)[None, :])
        found: Floats = np.sqrt(flat * flat + rise * rise)
        return found

    @cached_property
    def inches(self) -> list[float]:
        """sof.shooting.range-shared, sof.shooting.range-individual: the firing distance of each figure."""
        everybody = Sights(self.game, self.unit, self.target, self.here.figures_of(self.unit))
        nearest = everybody.gaps.min(axis=1)
        first = int(nearest.argmin())
        engagement = float(nearest[first])
        shares = measure.distances(self.rows, everybody.rows[first : first + 1])[:, 0] <= SHARED_RANGE + EXACT
        own = self.gaps.min(axis=1)
        return [engagement if shared else float(gap) for shared, gap in zip(shares.tolist(), own, strict=True)]

    @cached_property
    def in_arc(self) -> Mask:
        """Which figures have which models in their arc of fire."""
        found: Mask = np.ones(self.seen.shape, dtype=np.bool_)
        if self.unit.formation == "linear" and self.unit.pose is not None:
            at, facing = self.unit.pose.at, self.unit.pose.facing
            found[:] = [measure.in_arc(*at, facing, LINEAR_ARC, model) for model in self.models]
        for number, figure in enumerate(self.figures):
            if figure.kind.weapon.has("fixed"):
                x, y = figure.at or (0.0, 0.0)
                found[number] = [measure.in_arc(x, y, figure.facing, FIXED_ARC, model) for model in self.models]
        return found

    @cached_property
    def lines(self) -> Floats:
        return levels.between(self.rows, self.models)

    @cached_property
    def friends(self) -> Floats:
        """The friends of other units, who must not be near a line of fire."""
        others = [each for each in units_of(self.game.state, self.unit.side) if each is not self.unit]
        return self.here.of([each for unit in others for each in self.here.figures_of(unit)])

    @cached_property
    def past_friends(self) -> Mask:
        """sof.shooting.lof-friends: which lines keep more than an inch from friends of other units, (n, m)."""
        return self._clear_of(np.ones(len(self.friends), dtype=np.bool_)[None, :].repeat(len(self.lines), axis=0))

    @cached_property
    def over_friends(self) -> Mask:
        """sof.weapon-rules.trajectory: the same for a weapon that fires over those far from it and from the target."""
        near = measure.distances(self.rows, self.friends) <= TRAJECTORY + EXACT
        at_target: Mask = (measure.distances(self.models, self.friends) <= TRAJECTORY + EXACT).any(axis=0)  # type: ignore[assignment]
        counts: Mask = np.repeat(near, len(self.models), axis=0) | at_target[None, :]
        return self._clear_of(counts)

    def _clear_of(self, counts: Mask) -> Mask:
        """Which lines are clear of those friends that count for them, (L, K) into (n, m)."""
        if not len(self.friends):
            return np.ones(self.seen.shape, dtype=np.bool_)
        gaps = line_gaps(self.lines, self.friends)
        close = (gaps <= CLEAR_OF_FRIENDS + EXACT) & counts
        free: Mask = np.logical_not(close.any(axis=1)).reshape(self.seen.shape)
        return free

    def why_not(self, moving: bool) -> tuple[str, str]:
        """Why nobody may fire, although somebody sees the target: the rule and its words."""
        modes = [(number, mode) for number, figure in enumerate(self.figures) for mode in modes_of(figure)]
        near = [(n, mode) for n, mode in modes if reaches(mode, self.inches[n], float(self.heights[n]))]
        if not near:
            return "sof.shooting.range-any-weapon", "it is out of range"
        ready = [(n, mode) for n, mode in near if rate_for(mode, moving) is not None]
        if not ready:
            return "sof.weapon-charts.rof-halt-move", "its weapons do not fire on the move"
        arcs = [(n, mode) for n, mode in ready if (self.seen & self.in_arc)[n].any()]
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
    return mode.row.least - EXACT <= inches and within_inches(inches, most)


def firers(game: Battle, unit: Unit, target: Unit, moving: bool) -> list[Firer]:
    """Every figure of a unit that may fire at a target, with the ways that it may."""
    figures = shooters(game, unit)
    if not figures or not target.placed:
        return []
    over = Sights(game, unit, target, figures)
    if not over.seen.any():
        return []
    found = []
    clear: dict[tuple[bool, bool], Mask] = {}
    for number, figure in enumerate(figures):
        inches, level = over.inches[number], float(over.heights[number])
        ready: list[tuple[Mode, Sequence[bool]]] = []
        for mode in modes_of(figure):
            kind = (mode.row.has("overhead-fire"), mode.row.has("trajectory"))
            if rate_for(mode, moving) is None or not reaches(mode, inches, level):
                continue
            if kind not in clear:
                clear[kind] = over.clear(mode)
            if clear[kind][number].any():
                ready.append((mode, clear[kind][number].tolist()))
        if ready:
            to = nearest_clear(over.gaps[number], ready[0][1])
            line = tuple(over.lines[number * len(over.models) + to].tolist())
            found.append(Firer(figure, inches, tuple(mode for mode, _ in ready), line, level))
    return found


def nearest_clear(gaps: NDArray[np.float64], clear: Sequence[bool]) -> int:
    """The nearest model to which a line is clear."""
    return min((gap, number) for number, (gap, free) in enumerate(zip(gaps.tolist(), clear, strict=True)) if free)[1]


def far_reach(unit: Unit) -> float:
    """How far any weapon of a unit reaches, high ground included."""
    ranges = [mode.row.range or 0.0 for figure in unit.able for mode in modes_of(figure)]
    return max(ranges, default=-math.inf) + HIGHER_REACH


def on_high_ground(firing: Iterable[Firer]) -> bool:
    return any(each.level > GROUND_LEVEL for each in firing)
