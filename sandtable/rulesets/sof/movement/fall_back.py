"""Falling back because one must: one search of the ways that lead away from every enemy, and the way that is taken.

The same search says that a Fall-Back by choice is not possible, and that a unit which fails its Tenacity check is lost.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from sandtable.engine.game import Flow, choose_one
from sandtable.engine.questions import Choices, Option
from sandtable.field import courses as ends
from sandtable.field.bodies import March
from sandtable.field.courses import Path
from sandtable.field.formations import Pose
from sandtable.rulesets.sof.core.board import Battle, board, enemies_of, nearest_enemy, pose
from sandtable.rulesets.sof.core.names import label
from sandtable.rulesets.sof.core.state import Unit, units_of
from sandtable.rulesets.sof.movement.law import LONGER, MOST_LONGER, MoveLaw, courses_of
from sandtable.rulesets.sof.movement.moves import agility, take, tell_move
from sandtable.rulesets.sof.units import SEPARATION
from sandtable.table.hairs import GRID
from sandtable.table.shapes import HALF_DEPTH, HALF_WIDTH, Floats, X, Y, bearing, heading, moved, snap, turn

BEARINGS = tuple(15.0 * number for number in range(24))
"""The directions in which a way back is looked for, as one body."""

NEAR_BASELINE = 6.0
"""sof.morale.tenacity-edge"""

PARTS = (1.0, 0.5, 0.25)


@dataclass(slots=True)
class WayBack:
    """One way back of a whole unit: in which direction, how far, how the table's edge or friends changed it."""

    heads: float
    inches: float
    safety: float
    at_edge: bool = False
    longer: bool = False

    @property
    def shift(self) -> tuple[float, float]:
        sin, cos = heading(self.heads)
        return self.inches * sin, self.inches * cos


def to_edge(rows: Floats, heads: float, width: float, depth: float) -> float:
    """How far some bases may be shifted in a direction before one of them comes to the table's edge."""
    sin, cos = heading(heads)
    found = math.inf
    for row in rows.tolist():
        for at, half, size, way in ((row[X], row[HALF_WIDTH], width, sin), (row[Y], row[HALF_DEPTH], depth, cos)):
            if way > GRID:
                found = min(found, (size - half - at) / way)
            elif way < -GRID:
                found = min(found, (at - half) / -way)
    return max(0.0, math.floor(100 * found) / 100) if found < math.inf else found


def from_baseline(game: Battle, unit: Unit) -> float:
    """How far a unit is from its own baseline."""
    rows = board(game).rows_of(unit)
    edge = game.state.baselines.of(unit.side)
    width, depth = game.prepared.width, game.prepared.depth
    gaps = {
        "south": rows[:, Y] - rows[:, HALF_DEPTH],
        "north": depth - rows[:, Y] - rows[:, HALF_DEPTH],
        "west": rows[:, X] - rows[:, HALF_WIDTH],
        "east": width - rows[:, X] - rows[:, HALF_WIDTH],
    }
    return float(gaps[edge].min())


def ways_back(game: Battle, unit: Unit, parts: tuple[float, ...] = (1.0,)) -> Iterator[WayBack]:
    """Every way back that the search finds, direction by direction: the unit as one body, as it stands and faces.

    It begins with the direction that leads straight away from the nearest enemy.
    """
    law = MoveLaw.of(game, unit, "fall-back", how="form")
    rows = board(game).rows_of(unit)
    halts = from_baseline(game, unit) > NEAR_BASELINE
    for heads in away_first(game, unit, rows):
        most = to_edge(rows, heads, game.prepared.width, game.prepared.depth)
        for part in parts:
            found = way_back(game, law, rows, heads, part * law.rate, most if halts or part < 1.0 else math.inf)
            if found is not None:
                yield found
                break


def away_first(game: Battle, unit: Unit, rows: Floats) -> list[float]:
    """The directions of the search, those first that lead away from the nearest enemy."""
    enemy = nearest_enemy(game, unit)
    if enemy is None:
        return list(BEARINGS)
    theirs = board(game).rows_of(enemy)
    away = bearing(*theirs[:, X : Y + 1].mean(axis=0).tolist(), *rows[:, X : Y + 1].mean(axis=0).tolist())
    return sorted(BEARINGS, key=lambda each: (round(abs(turn(away, each)), 1), each))


def way_back(game: Battle, law: MoveLaw, rows: Floats, heads: float, far: float, most: float) -> WayBack | None:
    """The way in one direction, as far as terrain, the table's edge and friends have it; None if it is not allowed."""
    sin, cos = heading(heads)
    if far <= GRID:
        return None
    allowed = law.allowed(paths_of_shift(law.unit, far * sin, far * cos)).inches
    far = min(far, math.floor(100 * allowed) / 100)
    edge = far > most
    far = min(far, most)
    here = board(game)
    friends = [each.id for each in units_of(game.state, law.unit.side) if each is not law.unit and each.placed]
    enemies = [each.id for each in enemies_of(game.state, law.unit)]
    longer = 0.0
    while far > GRID and longer <= MOST_LONGER:
        total = far + longer
        shifted = moved(rows, total * sin, total * cos)
        gaps = here.gaps_from(shifted)
        if any(gaps[name] < SEPARATION - GRID for name in friends):
            longer += LONGER
            continue
        if any(gaps[name] <= law.gaps[name] + GRID for name in enemies):
            return None
        if longer and total > to_edge(rows, heads, game.prepared.width, game.prepared.depth):
            return None
        if refused(law, total, sin, cos, longer):
            return None
        return WayBack(heads, total, min((gaps[name] for name in enemies), default=math.inf), edge, longer > 0)
    return None


def refused(law: MoveLaw, far: float, sin: float, cos: float, longer: float) -> bool:
    """Whether a way back is refused; one that friends make longer may be longer by that."""
    if longer:
        law = replace(law, rate=law.rate + longer)
    if law.unit.formation == "linear":
        return law.refuse_march(March(to=shifted_pose(law.unit, far * sin, far * cos))) is not None
    return law.refuse(law.shifted(far * sin, far * cos)) is not None


def paths_of_shift(unit: Unit, dx: float, dy: float) -> dict[str, Path]:
    """The way of each figure of a unit that is shifted as one body."""
    figures = unit.teams.values()
    return {each.id: [each.at, (each.at[0] + dx, each.at[1] + dy)] for each in figures if each.at is not None}


def shifted_pose(unit: Unit, dx: float, dy: float) -> Pose:
    assert unit.pose is not None
    return Pose((snap(unit.pose.at[0] + dx), snap(unit.pose.at[1] + dy)), unit.pose.facing, unit.pose.files)


def can_fall_back(game: Battle, unit: Unit) -> bool:
    return next(ways_back(game, unit, PARTS), None) is not None


def forced_back(game: Battle, unit: Unit) -> Flow[bool]:
    """A unit must fall back its full distance; its owner picks the direction. False if no way leads back."""
    found = {f"{way.heads:g}": way for way in ways_back(game, unit)}
    if not found:
        return False
    best = sorted(found, key=lambda name: (-round(found[name].safety, 2), found[name].heads))
    choices = Choices({name: found[name] for name in best}, option)
    words = f"In which direction does {label(unit)} fall back?"
    rules = ("sof.actions.fall-back", "sof.actions.fall-back-away", "sof.morale.tenacity-fail")
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


def option(way: WayBack) -> Option:
    return Option(f"{way.heads:g}", f"Bearing {way.heads:g}, {way.inches:g} inches")
