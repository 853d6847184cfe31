"""The table as arrays, kept beside the state: who stands where, at what height, and who sees whom.

Everything here is derived from the set-up and the state and can be made afresh at any time; `place`, `pose` and
`remove` are the doors through which figures move, so that state and arrays never differ.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from sandtable.engine.game import Game
from sandtable.engine.questions import LaterDict, Why, illegal
from sandtable.field import formations
from sandtable.field.board import FAR_AWAY, set_pose
from sandtable.field.board import Board as FieldBoard
from sandtable.field.formations import Pose
from sandtable.field.kept import Kept, KeptUntilChange
from sandtable.rulesets.sof.core.names import label
from sandtable.rulesets.sof.core.state import Figure, Point, Setup, State, Unit, units_of
from sandtable.rulesets.sof.core.terrain import HEIGHTS, Ground
from sandtable.rulesets.sof.kernels import levels
from sandtable.table import distance as measure
from sandtable.table import sight
from sandtable.table.hairs import EXACT, within
from sandtable.table.shapes import COLUMNS, COS, SIN, Floats, Ints, Mask, Place, X, Y, bodies, heading, snap

BY_THE_RIM = 1.0
"""sof.terrain.visibility-minus-two: so near to the rim of a deep depression one looks over it, on either side."""

NOWHERE = -FAR_AWAY / 2
"""So far from any table are the rows of those who have left it."""

NOBODY: Floats = np.empty((0, COLUMNS))

PITCH = 1.0
"""From one man on foot in ranks to the next: bases of an inch in contact."""


class Standing(NamedTuple):
    """The figures of a unit that stand on the table, and their rows."""

    figures: list[Figure]
    rows: Floats
    numbers: Ints


GAPS: KeptUntilChange[str, dict[str, float]] = KeptUntilChange()
"""Of a unit: how far every other one is; infinite, if nobody of it is on the table any more."""

GAPS_OF_ONE: KeptUntilChange[str, dict[str, float]] = KeptUntilChange()
"""Of a figure: how far every unit is."""


class Lines(NamedTuple):
    """Which figure of one unit has a clear line to which of another, (n, m), since they last moved; `blind`: none."""

    moved: tuple[int, int]
    clear: Mask
    blind: bool


LINES: Kept[tuple[str, str], Lines] = Kept()
"""Of two units: which figure of the one, by its number, has a clear line to which of the other. Wounds do not count.

With the versions of the board in which they last moved; so is what is known of one of them alone.
"""


LEVELS: Kept[str, tuple[int, Floats]] = Kept()
"""At what height the figures of a unit stand."""


class Board(FieldBoard):
    """Rows of all figures on the table, by id."""

    def __init__(self, ground: Ground, state: State) -> None:
        self.ground = ground
        standing: list[Figure] = []
        self.units: list[str] = []
        counts: list[int] = []
        for unit in state.units.values():
            there = [figure for figure in unit.teams.values() if figure.at is not None]
            if there:
                standing += there
                self.units.append(unit.id)
                counts.append(len(there))
        super().__init__(rows_of(standing), {figure.id: number for number, figure in enumerate(standing)})
        self.unit_numbers = np.repeat(np.arange(len(counts), dtype=np.int64), counts)
        """To which unit each row belongs."""
        self._whose = [name for name, count in zip(self.units, counts, strict=True) for _ in range(count)]
        self._moved: dict[str, int] = {}
        """In which version a unit last changed."""
        self._standing: dict[str, Standing] = {}
        """The units as they stand, as far as somebody has asked since they last changed."""

    def on(self, figures: Iterable[Figure]) -> list[Figure]:
        """Those of some figures that stand on the table."""
        return [figure for figure in figures if figure.id in self.index]

    def standing(self, unit: Unit) -> Standing:
        found = self._standing.get(unit.id)
        if found is None:
            index = self.index
            figures = [each for each in unit.teams.values() if each.id in index]
            numbers = np.array([index[each.id] for each in figures], dtype=np.int64)
            found = self._standing[unit.id] = Standing(figures, self.rows.take(numbers, axis=0), numbers)
        return found

    def moved(self, unit: Unit) -> int:
        """In which version a unit last changed, 0 if it has not: what is known of it alone holds as long."""
        return self._moved.get(unit.id, 0)

    def figures_of(self, unit: Unit) -> list[Figure]:
        """The figures of a unit that stand on the table."""
        return self.standing(unit).figures

    def rows_of(self, unit: Unit) -> Floats:
        """Their rows: to be read, not to be changed."""
        return self.standing(unit).rows

    def levels_of(self, unit: Unit) -> Floats:
        """At what height they stand; to be read, not to be changed."""
        kept, moved = LEVELS.of(self), self.moved(unit)
        found = kept.get(unit.id)
        if found is None or found[0] != moved:
            found = kept[unit.id] = moved, self.ground.levels_of(self.rows_of(unit))
        return found[1]

    def gaps_from(self, rows: Floats) -> dict[str, float]:
        """How far each unit that stands on the table, or has stood there, is from some bases, planned or real.

        Infinite, if nobody of it is on the table any more.
        """
        gaps = measure.group_gaps(rows, self.rows, self.unit_numbers, len(self.units)).tolist()
        return {name: gap if gap < NOWHERE else math.inf for name, gap in zip(self.units, gaps, strict=True)}

    def gap_from(self, figure: Figure, unit: Unit) -> float:
        """How far a unit is from a figure on the table; infinite if nobody of it is there."""
        kept = GAPS_OF_ONE.of(self)
        found = kept.get(figure.id)
        if found is None:
            found = kept[figure.id] = self.gaps_from(self.of([figure]))
        return found.get(unit.id, math.inf)

    def put(self, figure: Figure) -> None:
        """Bring a figure's row up to date with where it stands."""
        assert figure.at is not None
        number = self.index[figure.id]
        self.rows[number, X], self.rows[number, Y] = figure.at
        self.rows[number, SIN], self.rows[number, COS] = heading(figure.facing)
        self._changed(self._whose[number])

    def put_all(self, figures: Sequence[Figure]) -> None:
        """The same for several figures of one unit at once."""
        numbers = [self.index[each.id] for each in figures]
        if numbers:
            there = [(*each.at, *heading(each.facing)) for each in figures if each.at is not None]
            self.rows[numbers, X : COS + 1] = there
            self._changed(self._whose[numbers[0]])

    def come(self, unit: Unit) -> None:
        """A whole unit has come onto the table: its rows follow those of all others."""
        for figure in self.on(unit.teams.values()):
            self.lift(figure)
        if unit.id not in self.units:
            self.units.append(unit.id)
        there = [figure for figure in unit.teams.values() if figure.at is not None]
        self.index |= {figure.id: number for number, figure in enumerate(there, len(self.rows))}
        self.rows = np.concatenate((self.rows, rows_of(there)))
        self.unit_numbers = np.concatenate((self.unit_numbers, [self.units.index(unit.id)] * len(there)))
        self._whose += [unit.id] * len(there)
        self._changed(unit.id)

    def change_bases(self, unit: Unit) -> None:
        """The figures of a unit have other bases than before, where they stand."""
        figures, _, numbers = self.standing(unit)
        self.rows[numbers] = rows_of(figures)
        self._changed(unit.id)

    def drop(self, figure: Figure) -> None:
        if figure.id in self.index:
            self._changed(self._whose[self.lift(figure)])

    def _changed(self, unit: str) -> None:
        """A figure of a unit has moved, or left the table."""
        self.change()
        self._moved[unit] = self.version
        self._standing.pop(unit, None)


def rows_of(figures: Iterable[Figure]) -> Floats:
    """The rows of figures as the state has them."""
    return bodies((each.kind.base, Place(*each.at, each.facing)) for each in figures if each.at is not None)


Battle = Game[State, Setup, Ground]
"""A game of these rules with all its types."""


def prepare(setup: Setup) -> Ground:
    return Ground(setup.terrain, setup.table.width, setup.table.depth)


def board(game: Battle) -> Board:
    kept: Board | None = game.scratch
    if kept is None:
        kept = game.scratch = Board(game.prepared, game.state)
    return kept


# Who stands where.


def place(game: Battle, figure: Figure, x: float, y: float, facing: float | None = None) -> None:
    """Set a figure down elsewhere."""
    set_pose(figure, x, y, facing)
    board(game).put(figure)


def place_all(game: Battle, ends: Sequence[tuple[Figure, Point, float | None]]) -> None:
    """Set figures of one unit down elsewhere, each with how it faces then."""
    for figure, (x, y), facing in ends:
        set_pose(figure, x, y, facing)
    board(game).put_all([figure for figure, _, _ in ends])


def pitch_of(unit: Unit) -> float:
    """From one figure of a unit in ranks to the next: the widest base of them."""
    return max([figure.kind.base.width for figure in unit.teams.values()], default=PITCH)


def pose(game: Battle, unit: Unit, wanted: Pose) -> None:
    """A unit in linear order takes a pose; its figures stand where their slots are."""
    unit.pose = formations.stored(wanted)
    spots = formations.places(unit.pose, len(unit.teams), pitch_of(unit))
    place_all(game, [(each, spot, unit.pose.facing) for each, spot in zip(unit.teams.values(), spots, strict=True)])


def muster(game: Battle) -> None:
    """Who is whose has changed: all is made afresh."""
    game.scratch = None


def take_up(game: Battle, unit: Unit) -> None:
    """A unit is taken up from the table."""
    here = board(game)
    for figure in unit.teams.values():
        here.drop(figure)
        figure.at = None
    unit.pose = None


def remove(game: Battle, unit: Unit, figure: Figure) -> None:
    """Take a figure off the table and out of its unit."""
    board(game).drop(figure)
    del unit.teams[figure.id]


# How far apart.


def gap(game: Battle, a: Unit, b: Unit) -> float:
    """sof.basics.unit-distance: nearest model to nearest model."""
    return gaps_of(game, a).get(b.id, math.inf)


def gaps_of(game: Battle, unit: Unit) -> dict[str, float]:
    """The same to each unit that stands on the table, or has stood there."""
    here = board(game)
    kept = GAPS.of(here)
    found = kept.get(unit.id)
    if found is None:
        found = kept[unit.id] = here.gaps_from(here.rows_of(unit))
    return found


def enemies_of(state: State, unit: Unit) -> list[Unit]:
    """The enemy units that are on the table; one in ambush is none yet (sof.mission-special.ambush-immune)."""
    side = unit.side
    return [each for each in state.units.values() if each.side != side and not each.ambush and each.placed]


def never_targets(state: State, unit: Unit, rule: str) -> LaterDict[Why]:
    """The units that are no target whatever a unit does, and why: friends and whoever is off the table, by the rule
    that asks for an enemy, and those that are known to lie in ambush (sof.mission-special.ambush-immune).
    """
    ambush, legal = "sof.mission-special.ambush-immune", "It cannot be engaged yet."

    def why(each: Unit) -> Why:
        if each.side == unit.side:
            return illegal(rule, f"{label(each)} is no enemy of {label(unit)}.", field=each.id)
        if each.ambush:
            return illegal(ambush, f"{label(each)} lies in ambush.", field=each.id, legal=legal)
        return None if each.placed else illegal(rule, f"{label(each)} is not on the table.", field=each.id)

    return LaterDict(lambda: {each.id: why(each) for each in state.units.values()})


def nearest_enemy(game: Battle, unit: Unit) -> Unit | None:
    """The enemy unit that is nearest, the first of them in the roster if several are."""
    return min(enemies_of(game.state, unit), key=lambda each: snap(gap(game, unit, each)), default=None)


FRIENDS: KeptUntilChange[str, Floats] = KeptUntilChange()
"""Of a unit: the rows of its friends."""


def friend_rows(game: Battle, unit: Unit) -> Floats:
    """Where the other units of its side stand: to be read, not to be changed."""
    here = board(game)
    kept = FRIENDS.of(here)
    found = kept.get(unit.id)
    if found is None:
        others = [each for each in units_of(game.state, unit.side) if each is not unit]
        found = kept[unit.id] = np.concatenate([NOBODY, *[here.rows_of(each) for each in others]])
    return found


# Who sees whom.


def lines_clear(ground: Ground, a: Floats, b: Floats) -> Mask:
    """Which base a[i] sees which base b[j] over the ground, (n, m). Units never hide anybody."""
    return clear_from(ground, a, b, ground.levels_of(a))


def clear_from(ground: Ground, a: Floats, b: Floats, heights: Floats) -> Mask:
    """The same for those who are known to stand at some heights."""
    seen = levels.sight_by_levels(ground.terrain, ground.levels, a, b, heights)
    return seen & over_rims(ground, a, b) if len(ground.deep) else seen


def over_rims(ground: Ground, a: Floats, b: Floats) -> Mask:
    """sof.terrain.visibility-minus-two: whom a deep depression lets see each other."""
    here, there = (ground.terrain.inside(rows)[:, ground.deep] for rows in (a, b))
    rim_a, rim_b = (rim_gaps(ground, rows) for rows in (a, b))
    high_a, high_b = (ground.levels_of(rows) >= HEIGHTS[-1] for rows in (a, b))
    found: Mask = np.ones((len(a), len(b)), dtype=np.bool_)
    for number in range(len(ground.deep)):
        apart = here[:, number][:, None] != there[:, number][None, :]
        near = rim_a[:, number][:, None] | rim_b[:, number][None, :]
        found &= ~apart | near | high_a[:, None] | high_b[None, :]
    return found


def rim_gaps(ground: Ground, rows: Floats) -> Mask:
    """Which bases stand by the rim of which deep depression, (n, D)."""
    return ground.terrain.touching(rows, BY_THE_RIM)[:, ground.deep]


def lines_between(game: Battle, watcher: Unit, target: Unit) -> Mask:
    """Which figure on the table of the one has a clear line to which of the other, (n, m)."""
    here = board(game)
    kept, moved = LINES.of(here), (here.moved(watcher), here.moved(target))
    key = (watcher.id, target.id)
    found = kept.get(key)
    if found is None or found.moved != moved:
        rows, models, heights = here.rows_of(watcher), here.rows_of(target), here.levels_of(watcher)
        clear = clear_from(here.ground, rows, models, heights)
        found = kept[key] = Lines(moved, clear, not clear.any())
    return found.clear


def known_blind(game: Battle, watcher: Unit, target: Unit) -> bool:
    """Whether it has been found out already that nobody of the one has a line to anybody of the other."""
    here = board(game)
    found = LINES.of(here).get((watcher.id, target.id))
    return found is not None and found.blind and found.moved == (here.moved(watcher), here.moved(target))


def sees(game: Battle, watcher: Unit, target: Unit) -> bool:
    """sof.shooting.visibility-unit: some able model of the one sees some model of the other."""
    figures = board(game).figures_of(watcher)
    able = [not figure.disabled for figure in figures]
    return bool(lines_between(game, watcher, target)[able].any())


def why_hidden(game: Battle, watcher: Unit, target: Unit) -> tuple[str, str]:
    """What keeps a unit from seeing another, on the line between the nearest two: the rule and its words."""
    here, ground = board(game), game.prepared
    able, all_ = here.on(watcher.able), here.on(target.teams.values())
    if not able or not all_:
        return "sof.shooting.visibility-unit", "nobody looks"
    rows, others = here.of(able), here.of(all_)
    near = int(measure.distances(rows, others).argmin())
    a, b = rows[near // len(others)], others[near % len(others)]
    crossings = sight.crossings(ground.terrain, *levels.between(a[None], b[None])[0].tolist())
    hiding = levels.hides(crossings, ground.levels, float(ground.levels_of(a[None])[0]))
    if hiding is None:
        return "sof.terrain.visibility-minus-two", "one of them is down in a deep depression"
    words = f"{ground.terrain.features[hiding.feature].spoken.lower()} hides it"
    return ground.rule(hiding.feature, "sight") or "sof.terrain.visibility-one-and-higher", words


def within_inches(inches: float, limit: float) -> bool:
    """Whether a distance keeps to a limit of the rules, met exactly being met."""
    return within(inches, limit, EXACT)


def base_gap(a: Floats, b: Floats) -> float:
    """The distance between two groups of bases; infinite if one is empty."""
    return float(measure.distances(a, b).min()) if len(a) and len(b) else math.inf
