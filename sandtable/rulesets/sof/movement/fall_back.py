"""Falling back because one must: one search of the ways that lead away from every enemy, and the way that is taken.

The same search says that a Fall-Back by choice is not possible, and that a unit which fails its Tenacity check is lost.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import NamedTuple

import numpy as np

from sandtable.engine.game import Flow, choose_one
from sandtable.engine.questions import Choices, LaterDict, Option, Why, illegal
from sandtable.field import courses as ends
from sandtable.field.bodies import March
from sandtable.field.courses import Path
from sandtable.field.formations import hang_together
from sandtable.rulesets.sof.core.board import Battle, board, enemies_of, gap, nearest_enemy, pose
from sandtable.rulesets.sof.core.names import label
from sandtable.rulesets.sof.core.room import BEARINGS, WAYS
from sandtable.rulesets.sof.core.state import Edge, Point, Unit, units_of
from sandtable.rulesets.sof.kernels import passage
from sandtable.rulesets.sof.movement.law import LONGER, MOST_LONGER, MoveLaw, courses_of, shifted_pose
from sandtable.rulesets.sof.movement.moves import agility, take, tell_move
from sandtable.rulesets.sof.units import SEPARATION
from sandtable.table import distance as measure
from sandtable.table.hairs import EXACT, GRID, beyond
from sandtable.table.shapes import (
    CIRCLE,
    HALF_DEPTH,
    HALF_WIDTH,
    SHAPE,
    Floats,
    X,
    Y,
    bearing,
    heading,
    moved,
    turn,
)

TO_EDGE: dict[Edge, float] = {"north": 0.0, "east": 90.0, "south": 180.0, "west": 270.0}
NEAR_BASELINE = 6.0
"""sof.morale.tenacity-edge"""

HEADINGS: Floats = np.array(WAYS)
NUMBERS = {heads: number for number, heads in enumerate(BEARINGS)}
PARTS = (1.0, 0.5, 0.25)
SHARES: Floats = np.array(PARTS)
OFF_TABLE = 0.2
"""Whoever goes so much farther than to the edge leaves the table for sure, in whatever of the directions."""

PROOF_AFTER = 2
"""After so many directions in vain it is worth finding out which others are surely so too."""


@dataclass(slots=True)
class WayBack:
    """One way back of a whole unit: in which direction, how far, how the table's edge or friends changed it."""

    heads: float
    inches: float
    at_edge: bool = False
    longer: bool = False

    @property
    def shift(self) -> tuple[float, float]:
        sin, cos = heading(self.heads)
        return self.inches * sin, self.inches * cos


class Margins(NamedTuple):
    """How much room there is between some bases and the table's edges."""

    west: float
    south: float
    east: float
    north: float

    @classmethod
    def of(cls, rows: Floats, width: float, depth: float) -> Margins:
        x, y, across, deep = rows[:, X], rows[:, Y], rows[:, HALF_WIDTH], rows[:, HALF_DEPTH]
        gaps = x - across, y - deep, width - across - x, depth - deep - y
        return cls(*[float(each.min()) for each in gaps])

    def ahead(self, heads: float) -> float:
        """How far the bases may be shifted in a direction before one of them comes to the table's edge."""
        found = math.inf
        for way, back, on in zip(heading(heads), (self.west, self.south), (self.east, self.north), strict=True):
            if way > GRID:
                found = min(found, on / way)
            elif way < -GRID:
                found = min(found, back / -way)
        return max(0.0, math.floor(100 * found) / 100) if found < math.inf else found


def to_edge(rows: Floats, heads: float, width: float, depth: float) -> float:
    """How far some bases may be shifted in a direction before one of them comes to the table's edge."""
    return Margins.of(rows, width, depth).ahead(heads)


def from_baseline(game: Battle, unit: Unit) -> float:
    """How far a unit is from its own baseline."""
    rows = board(game).rows_of(unit)
    edge = game.state.baselines.of(unit.side)
    at, half = (rows[:, Y], rows[:, HALF_DEPTH]) if edge in ("south", "north") else (rows[:, X], rows[:, HALF_WIDTH])
    far = {"north": game.prepared.depth, "east": game.prepared.width}
    gaps = far[edge] - at - half if edge in far else at - half
    return float(gaps.min())


def ways_back(game: Battle, unit: Unit, parts: tuple[float, ...] = (1.0,)) -> Iterator[WayBack]:
    """Every way back that the search finds, direction by direction: the unit as one body, as it stands and faces.

    It begins with the direction that leads straight away from the nearest enemy.
    """
    law, halts = law_of(game, unit)
    rows = board(game).rows_of(unit)
    return ways_by(law, halts, away_first(game, unit, rows), parts, open_ways(law, rows))


def law_of(game: Battle, unit: Unit) -> tuple[MoveLaw, bool]:
    """The law of a way back, and whether the unit halts at the table's edge."""
    law = MoveLaw.of(game, unit, "fall-back", how="form")
    law.as_it_stands = True
    return law, beyond(from_baseline(game, unit), NEAR_BASELINE, EXACT)


def ways_by(
    law: MoveLaw, halts: bool, directions: Sequence[float], parts: tuple[float, ...], free: Collection[float] = ()
) -> Iterator[WayBack]:
    """The ways in some directions; in those that are `free` there is surely nothing that says how far a unit goes."""
    game = law.game
    margins = Margins.of(board(game).rows_of(law.unit), game.prepared.width, game.prepared.depth)
    closing: Closing | None = None
    for number, heads in enumerate(directions):
        if number == PROOF_AFTER:
            closing = Closing.of(law)
        if closing is not None and closing.surely(heads):
            continue
        end = margins.ahead(heads)
        for part in parts:
            found = way_back(game, law, heads, part * law.rate, end, halts or part < 1.0, heads in free)
            if found is not None:
                yield found
                break


class Closing(NamedTuple):
    """Of each enemy the two bases that are nearest: one from the other, and how far apart their middles may not be.

    In all directions in which some enemy's would be so near at the end of the longest way there is no way back: what
    nears a point and is no farther from it at the end is no farther from it anywhere between.
    """

    east: Floats
    north: Floats
    least: Floats
    far: float

    @classmethod
    def of(cls, law: MoveLaw) -> Closing | None:
        here, unit = board(law.game), law.unit
        rows = here.rows_of(unit)
        if not (here.rows[:, SHAPE] == CIRCLE).all():
            return None
        found = []
        for enemy in enemies_of(law.game.state, unit):
            theirs = here.rows_of(enemy)
            own, other = divmod(int(measure.distances(rows, theirs).argmin()), len(theirs))
            a, b = rows[own].tolist(), theirs[other].tolist()
            found.append((b[X] - a[X], b[Y] - a[Y], law.gaps[enemy.id] + GRID - EXACT + a[HALF_WIDTH] + b[HALF_WIDTH]))
        friends = [each for each in units_of(law.game.state, unit.side) if each is not unit and each.placed]
        crowded = any(gap(law.game, unit, each) < law.rate + SEPARATION for each in friends)
        east, north, least = np.array(found).reshape(-1, 3).T
        return cls(east, north, least, law.rate + MOST_LONGER * crowded)

    def surely(self, heads: float) -> bool:
        """Whether a direction surely leads no farther from some enemy, however far one goes."""
        sin, cos = heading(heads)
        x, y = self.east - self.far * sin, self.north - self.far * cos
        return bool((np.sqrt(x * x + y * y) <= self.least).any())


def away_first(game: Battle, unit: Unit, rows: Floats) -> list[float]:
    """The directions of the search, those first that lead away from the nearest enemy."""
    enemy = nearest_enemy(game, unit)
    if enemy is None:
        return list(BEARINGS)
    theirs = board(game).rows_of(enemy)
    away = bearing(*theirs[:, X : Y + 1].mean(axis=0).tolist(), *rows[:, X : Y + 1].mean(axis=0).tolist())
    return sorted(BEARINGS, key=lambda each: (round(abs(turn(away, each)), 1), each))


def open_ways(law: MoveLaw, rows: Floats) -> set[float]:
    """The directions in which there is surely nothing that says how far a unit goes: the box about its ways is free."""
    ground = law.game.prepared
    west, south, east, north = ground.terrain.bounds[ground.telling(law.unit.formation == "linear")].T[:, None, :]
    ways = HEADINGS[:, :, None]
    x, y = law.rate * ways[:, 0], law.rate * ways[:, 1]
    left, right = rows[:, X].min() + np.minimum(x, 0.0) - GRID, rows[:, X].max() + np.maximum(x, 0.0) + GRID
    low, high = rows[:, Y].min() + np.minimum(y, 0.0) - GRID, rows[:, Y].max() + np.maximum(y, 0.0) + GRID
    met = ((west <= right) & (east >= left) & (south <= high) & (north >= low)).any(axis=1)
    return {heads for heads, meets in zip(BEARINGS, met.tolist(), strict=True) if not meets}


def way_back(
    game: Battle, law: MoveLaw, heads: float, far: float, end: float, halts: bool, free: bool
) -> WayBack | None:
    """The way in one direction, as far as terrain, the table's edge and friends have it; None if it is not allowed.

    The edge is so far off at the `end` of the way; the unit `halts` there, or would go on. `free`: there is nothing
    that says how far it goes.
    """
    sin, cos = heading(heads)
    most = end if halts else math.inf
    if min(far, most) <= GRID:
        return None
    allowed = law.rate if free else law.allowed(paths_of_shift(law.unit, far * sin, far * cos)).inches
    far = min(far, math.floor(100 * allowed) / 100)
    edge = far > most
    far = min(far, most)
    if far <= GRID or far > end + OFF_TABLE:
        return None
    here = board(game)
    numbers = here.standing(law.unit).numbers
    clear = (SEPARATION - GRID, LONGER, MOST_LONGER)
    total = passage.clear_of_friends(here.rows, numbers, law.others(here), (sin, cos), far, end, *clear)
    if total is None or refused(law, total, sin, cos, LONGER * round((total - far) / LONGER)):
        return None
    return WayBack(heads, total, edge, total > far)


def safety(game: Battle, unit: Unit, way: WayBack) -> float:
    """How far from the nearest enemy a way back ends."""
    here = board(game)
    gaps = here.gaps_from(moved(here.rows_of(unit), *way.shift))
    return min((gaps[each.id] for each in enemies_of(game.state, unit)), default=math.inf)


def refused(law: MoveLaw, far: float, sin: float, cos: float, longer: float) -> bool:
    """Whether a way back is refused; one that friends make longer may be longer by that."""
    if longer:
        law = replace(law, rate=law.rate + longer)
    if law.unit.formation == "linear":
        # Everybody keeps his place in the body, and goes straight.
        ends = law.posed(law.figures, shifted_pose(law.unit, far * sin, far * cos))
        return not law.lets_ways(paths_of_shift(law.unit, far * sin, far * cos), ends, far)
    return not law.lets_shift(far * sin, far * cos)


def paths_of_shift(unit: Unit, dx: float, dy: float) -> dict[str, Path]:
    """The way of each figure of a unit that is shifted as one body."""
    figures = unit.teams.values()
    return {each.id: [each.at, (each.at[0] + dx, each.at[1] + dy)] for each in figures if each.at is not None}


def can_fall_back(game: Battle, unit: Unit) -> bool:
    """Whether there is some way back, or a part of one: at once over open ground, else one by one."""
    law, halts = law_of(game, unit)
    # The way home is the likeliest.
    home = home_first(game.state.baselines.of(unit.side))
    found, left = over_open_ground(law, halts, home)
    if found or not left:
        return found
    free = open_ways(law, board(game).rows_of(unit))
    return next(ways_by(law, halts, left, PARTS, free), None) is not None


def over_open_ground(law: MoveLaw, halts: bool, directions: Sequence[float]) -> tuple[bool, list[float]]:
    """Whether there is a way back over open ground for a unit that need not hang together; and where else to look.

    Those directions are left out in which there surely is none at all.
    """
    game, unit = law.game, law.unit
    if unit.formation == "linear" or game.setup.options.linear_no_interpenetration:
        return False, [*directions]
    ground, here = game.prepared, board(game)
    ways, judged = (
        HEADINGS.take([NUMBERS[heads] for heads in directions], axis=0),
        np.zeros(len(directions), dtype=np.bool_),
    )
    standing, marked = here.standing(unit).numbers, ground.marked(unit.type, in_ranks=False)
    where = here.rows, standing, law.others(here), ground.terrain, marked, ways, SHARES, judged
    clear, size = (SEPARATION - GRID, LONGER, MOST_LONGER), (ground.width, ground.depth)
    found = passage.finds_way_back(*where, law.rate, halts, law.apart[0], clear, OFF_TABLE, *size)
    if found and judged.any():
        # The last that was judged may be the one where it was found.
        judged[np.flatnonzero(judged)[-1]] = False
    return found, [heads for heads, known in zip(directions, judged.tolist(), strict=True) if not known]


def must_lead_away(law: MoveLaw) -> None:
    """A Fall-Back by choice may not stay where it is if the unit may go back as one body, as it now forms up."""
    law.leads_away = partial(away_as_it_forms_up, replace(law))


def away_as_it_forms_up(law: MoveLaw) -> Point | None:
    """By how many inches to the east and north a unit may go back as one body."""
    game, unit = law.game, law.unit
    if not law.gaps or (unit.formation == "linear" and unit.pose is None):
        return None
    rows = board(game).rows_of(unit)
    # In open order it stands then as it does now, but for the grid: out of command, it may go nowhere as one body.
    if unit.formation != "linear" and not hang_together(rows, law.chain, 2 * GRID):
        return None
    _, directions = over_open_ground(law, True, away_first(game, unit, rows))
    for way in ways_by(law, halts=True, directions=directions, parts=PARTS):
        dx, dy = way.shift
        if unit.formation == "linear":
            goes = law.lets_march(March(to=shifted_pose(unit, dx, dy)))
        else:
            goes = law.lets_shift(dx, dy)
        if goes:
            return dx, dy
    return None


@cache
def home_first(edge: Edge) -> tuple[float, ...]:
    """The directions of the search, those first that lead to a baseline."""
    return tuple(sorted(BEARINGS, key=lambda heads: abs(turn(TO_EDGE[edge], heads))))


def forced_back(game: Battle, unit: Unit) -> Flow[bool]:
    """A unit must fall back its full distance; its owner picks the direction. False if no way leads back."""
    found = {f"{way.heads:g}": way for way in ways_back(game, unit)}
    if not found:
        return False
    best = sorted(found, key=lambda name: (-round(safety(game, unit, found[name]), 2), found[name].heads))
    rules = ("sof.actions.fall-back", "sof.actions.fall-back-away", "sof.morale.tenacity-fail")
    choices = Choices({name: found[name] for name in best}, option, besides=not_that_way(unit, rules[1]))
    words = f"In which direction does {label(unit)} fall back?"
    way = yield from choose_one(
        unit.side, "fall-back", words, choices, rules=rules, facts={"unit": unit.id}, step="reply"
    )
    law = MoveLaw.of(game, unit, "fall-back", how="form")
    paths = paths_of_shift(unit, *way.shift)
    allowed = law.allowed(paths)
    cited = [*rules[:2]]
    cited += ["sof.morale.tenacity-edge"] if way.at_edge else []
    cited += ["sof.actions.fall-back-gap"] if way.longer else []
    tell_move(game, law, allowed, way.inches, paths, *cited)
    halt = yield from agility(game, unit, allowed, paths)
    far = way.inches if halt is None else min(halt, way.inches)
    part = far / way.inches
    if unit.formation == "linear":
        pose(game, unit, shifted_pose(unit, way.shift[0] * part, way.shift[1] * part))
        return True
    going = courses_of(law, paths)
    for course in going:
        course.length *= part
        course.cut = halt is not None
    if halt is not None:
        ends.untangle(board(game), game.prepared, going)
    take(game, going)
    return True


def not_that_way(unit: Unit, rule: str) -> LaterDict[Why]:
    """Why a unit that has to go back does not go in a direction that the search has not found."""
    message = f"{label(unit)} cannot go back in that direction: it leads to no place where it may end."
    return LaterDict(lambda: {f"{heads:g}": illegal(rule, message, field=unit.id) for heads in BEARINGS})


def option(way: WayBack) -> Option:
    return Option(f"{way.heads:g}", f"Bearing {way.heads:g}, {way.inches:g} inches")
