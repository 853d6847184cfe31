"""Assault moves: whom a unit can reach, how its models close in, and who is then in the fight."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sandtable.field.courses import Path, length_of
from sandtable.rulesets.sof.core.board import Battle, Board, board, enemies_of
from sandtable.rulesets.sof.core.room import BEARINGS
from sandtable.rulesets.sof.core.state import Figure, Unit
from sandtable.rulesets.sof.core.terrain import Ground
from sandtable.rulesets.sof.kernels import levels
from sandtable.rulesets.sof.movement import Manner, allowance, rate_of
from sandtable.table import distance as measure
from sandtable.table import moves, sight
from sandtable.table.hairs import A_HAIR, CONTACT, EXACT, GRID, SLACK, beyond, within
from sandtable.table.shapes import HALF_WIDTH, Floats, Mask, X, Y, bearing, heading, snap

ACROSS = 1.0
"""sof.close-combat.obstacle-contact: so near to a wall or hedge one is behind it, and so near one fights across it."""

ALONG = (0.0, 0.5, -0.5, 1.0, -1.0, 1.5, -1.5)
"""Along an obstacle, so far from the enemy behind it spots are looked at."""

FRONT_ARC = 180.0
"""sof.formations.linear-front-arc-only"""


@dataclass(slots=True)
class Approach:
    """The assault moves of a unit so far: the way of each model that has one, and where all stand then.

    `manner` is what the move is measured by, `defended` are the obstacles behind which the enemy stands.
    """

    game: Battle
    unit: Unit
    manner: Manner = "assault"
    defended: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    ways: dict[str, Path] = field(default_factory=dict)
    rows: Floats = field(default_factory=lambda: np.empty((0, 8)))

    @property
    def here(self) -> Board:
        return board(self.game)

    def row_of(self, figure: Figure) -> Floats:
        """Where a figure stands after its assault move, or before it."""
        row: Floats = self.rows[self.here.index[figure.id]]
        return row

    @property
    def rate(self) -> float:
        return rate_of(self.unit, self.manner)


def approach(game: Battle, unit: Unit, target: Unit, manner: Manner) -> Approach:
    ground, here = game.prepared, board(game)
    numbers = ground.obstacles
    if len(numbers):
        near = within(ground.terrain.gaps(here.rows_of(target))[:, numbers], ACROSS, EXACT)
        numbers = numbers[near.any(axis=0)]
    return Approach(game, unit, manner, numbers, {}, here.rows.copy())


def before_front(game: Battle, unit: Unit, models: Sequence[Figure]) -> list[Figure]:
    """sof.formations.linear-front-arc-only: those of some models whom a unit may go at, as it stands."""
    if unit.pose is None:
        return list(models)
    (x, y), facing, here = unit.pose.at, unit.pose.facing, board(game)
    there = here.on(models)
    rows = here.of(there)
    return [each for each, row in zip(there, rows, strict=True) if measure.in_arc(x, y, facing, FRONT_ARC, row)]


def goes_back(unit: Unit, path: Path) -> bool:
    """Whether a way of somebody in ranks leads out of their front arc."""
    if unit.pose is None:
        return False
    sin, cos = heading(unit.pose.facing)
    (x0, y0), (x1, y1) = path[0], path[-1]
    return (x1 - x0) * sin + (y1 - y0) * cos < -GRID


def way_into_contact(going: Approach, figure: Figure, goals: Sequence[Figure]) -> Path | None:
    """The shortest straight way of a model into contact with one of some others that the assault move allows."""
    here, game = going.here, going.game
    row = going.row_of(figure)
    start = float(row[X]), float(row[Y])
    spots = []
    for goal in goals:
        there = going.row_of(goal)
        far = float(row[HALF_WIDTH] + there[HALF_WIDTH]) + GRID
        if beyond(math.dist(start, (there[X], there[Y])) - far, going.rate + ACROSS, A_HAIR):
            continue
        # Only an enemy is fought across a wall; a mate must be touched.
        wall = None if goal.id in going.unit.teams else between(going, row, there)
        if wall is not None:
            for spot in spots_at(game.prepared, wall, row, there):
                spots.append((round(math.dist(start, spot), 4), spot))
            continue
        straight = bearing(float(there[X]), float(there[Y]), *start)
        # All round the base that is closed in on, the straight way first.
        for aside in BEARINGS:
            sin, cos = heading(round(straight + aside, 6) % 360.0)
            spot = snap(float(there[X]) + far * sin), snap(float(there[Y]) + far * cos)
            spots.append((round(math.dist(start, spot), 4), spot))
    others = np.delete(going.rows, here.index[figure.id], axis=0)
    enemies = here.of([each for unit in enemies_of(game.state, going.unit) for each in here.figures_of(unit)])
    for length, spot in sorted(set(spots)):
        if beyond(length, going.rate, A_HAIR):
            return None
        path = [start, spot]
        if stands_free(game, row, spot, others) and passes(game, going, figure, path, enemies):
            return path
    return None


def between(going: Approach, row: Floats, goal: Floats) -> int | None:
    """The defended obstacle that is between a model and another, if there is one."""
    ground = going.game.prepared
    if not len(going.defended):
        return None
    line = np.array([[row[X], row[Y], goal[X], goal[Y]]])
    met = going.defended[sight.crossed(ground.terrain, line)[0][going.defended]]
    near = [number for number in met.tolist() if within(ground.terrain.gaps(goal[None])[0, number], ACROSS, EXACT)]
    return near[0] if near else None


def spots_at(ground: Ground, wall: int, row: Floats, goal: Floats) -> Iterator[tuple[float, float]]:
    """Where a model touches an obstacle on its own side, opposite somebody who is behind it."""
    points = ground.terrain.features[wall].points
    half = float(row[HALF_WIDTH]) + GRID
    for (ax, ay), (bx, by) in pairwise(points):
        long = math.dist((ax, ay), (bx, by))
        if long <= GRID:
            continue
        ux, uy = (bx - ax) / long, (by - ay) / long
        side = math.copysign(1.0, (float(row[X]) - ax) * -uy + (float(row[Y]) - ay) * ux)
        nearest = (float(goal[X]) - ax) * ux + (float(goal[Y]) - ay) * uy
        for along in ALONG:
            at = min(long, max(0.0, nearest + along))
            spot = snap(ax + at * ux - side * half * uy), snap(ay + at * uy + side * half * ux)
            if within(math.dist(spot, (goal[X], goal[Y])) - half - float(goal[HALF_WIDTH]), ACROSS, EXACT):
                yield spot


def stands_free(game: Battle, row: Floats, spot: tuple[float, float], others: Floats) -> bool:
    there = row[None].copy()
    there[0, X : Y + 1] = spot
    if not moves.on_table(there, game.prepared.width, game.prepared.depth)[0] or on_haystack(game.prepared, there):
        return False
    return not measure.overlaps(there, others, SLACK).any()


def on_haystack(ground: Ground, rows: Floats) -> bool:
    """sof.terrain-haystack.movement: whether one of some bases stands where nobody may end a move."""
    return bool(len(ground.not_to_stop_on) and ground.terrain.inside(rows)[:, ground.not_to_stop_on].any())


def passes(game: Battle, going: Approach, figure: Figure, path: Path, enemies: Floats) -> bool:
    """Whether a way keeps to what the assault move and the ground allow, for the model and for all before it."""
    ground = game.prepared
    if goes_back(going.unit, path):
        return False
    if length_of(path) > GRID:
        if ground.barrier(going.unit.type, path) is not None:
            return False
        if moves.sweep(going.row_of(figure), np.array(path), enemies, SLACK) < math.inf:
            return False
    if len(going.defended) and moves.spans(ground.terrain, path, going.defended):
        return False
    ways = {**going.ways, figure.id: path}
    most = allowance(ground, going.unit, going.manner, ways, going.rate).inches
    return all(within(length_of(way), most, A_HAIR) for way in ways.values())


def reaches(game: Battle, unit: Unit, target: Unit, manner: Manner = "assault") -> bool:
    """sof.actions.assault-reach: some able model can come into contact with some model of the target."""
    going = approach(game, unit, target, manner)
    models = before_front(game, unit, board(game).figures_of(target))
    ranked = sorted(unit.able, key=lambda each: round(board(game).gap([each], models), 2))
    return any(way_into_contact(going, figure, models) is not None for figure in ranked)


def close_in(game: Battle, unit: Unit, target: Unit, manner: Manner) -> Approach:
    """sof.close-combat.move: every model closes in, the nearest first, on an enemy or on a mate who is in contact."""
    here = board(game)
    going = approach(game, unit, target, manner)
    models = before_front(game, unit, here.figures_of(target))
    waiting = sorted(here.figures_of(unit), key=lambda each: round(here.gap([each], models), 2))
    for second in (False, True):
        left = []
        for figure in waiting:
            goals = touching(going, unit, models) if second else models
            way = way_into_contact(going, figure, goals)
            if way is None:
                left.append(figure)
                continue
            going.ways[figure.id] = way
            going.rows[here.index[figure.id], X : Y + 1] = way[-1]
        waiting = left
    return going


def touching(going: Approach, unit: Unit, models: Sequence[Figure]) -> list[Figure]:
    """The models of a unit that are in contact with some others after their moves."""
    mine = going.here.figures_of(unit)
    met = contacts(
        going.game.prepared,
        np.array([going.row_of(each) for each in mine]),
        np.array([going.row_of(each) for each in models]),
    )
    return [each for each, touched in zip(mine, met, strict=True) if touched.any()]


# Who is in the fight.


def contacts(ground: Ground, a: Floats, b: Floats) -> Mask:
    """Which bases a[i] are in contact with which b[j], base to base or across an obstacle, (n, m)."""
    gaps = measure.distances(a, b)
    found: Mask = gaps <= CONTACT
    if not len(ground.obstacles):
        return found
    at_a, at_b = (ground.terrain.gaps(rows)[:, ground.obstacles] <= CONTACT for rows in (a, b))
    behind_a, behind_b = (within(ground.terrain.gaps(rows)[:, ground.obstacles], ACROSS, EXACT) for rows in (a, b))
    reach = (at_a[:, None, :] & behind_b[None, :, :]) | (at_b[None, :, :] & behind_a[:, None, :])
    facing = (crossing(ground, a, b) & reach).any(axis=2)
    # Whoever stands at the wall may be a little way off it himself.
    return found | (facing & within(gaps, ACROSS, CONTACT))


def crossing(ground: Ground, a: Floats, b: Floats) -> Mask:
    """Which obstacles are between which bases, (n, m, obstacles)."""
    lines = levels.between(a, b)
    return sight.crossed(ground.terrain, lines)[:, ground.obstacles].reshape(len(a), len(b), len(ground.obstacles))


def in_contact(game: Battle, figure: Figure, others: Sequence[Figure]) -> list[Figure]:
    here = board(game)
    there = here.on(others)
    if not there or figure.id not in here.index:
        return []
    met = contacts(game.prepared, here.of([figure]), here.of(there))[0].tolist()
    return [each for each, touches in zip(there, met, strict=True) if touches]


def across_obstacle(game: Battle, figure: Figure, others: Sequence[Figure]) -> bool:
    """Whether an obstacle is between a model and everybody with whom it is in contact."""
    here, ground = board(game), game.prepared
    met = in_contact(game, figure, others)
    if not met or not len(ground.obstacles):
        return False
    return bool(crossing(ground, here.of([figure]), here.of(met)).any(axis=2).all())


@dataclass(slots=True)
class Part:
    """Who of a unit takes part in a fight: each with the enemy unit that it fights, and who fights across an obstacle.

    `behind` are those who support a mate in contact, `facing` names the enemy models whom each, or his mate, touches.
    """

    foes: dict[str, str] = field(default_factory=dict)
    facing: dict[str, list[str]] = field(default_factory=dict)
    across: set[str] = field(default_factory=set)
    behind: set[str] = field(default_factory=set)


def fighters(game: Battle, unit: Unit, foes: Sequence[Unit]) -> Part:
    """sof.close-combat.dice-eligible: one that touches an enemy, or a mate who does: one step, and no more."""
    enemies = {figure.id: foe.id for foe in foes for figure in foe.teams.values()}
    models = [figure for foe in foes for figure in foe.teams.values()]
    found = Part()
    for figure in unit.teams.values():
        met = in_contact(game, figure, models)
        if met:
            found.foes[figure.id] = enemies[met[0].id]
            found.facing[figure.id] = [each.id for each in met]
            if across_obstacle(game, figure, models):
                found.across.add(figure.id)
    first = [unit.teams[name] for name in found.foes]
    for figure in unit.teams.values():
        if figure.id not in found.foes and unit.type in ("infantry", "mounted"):
            mates = [each for each in first if each is not figure and touches(game, figure, each)]
            if mates:
                found.foes[figure.id] = found.foes[mates[0].id]
                found.facing[figure.id] = found.facing[mates[0].id]
                found.behind.add(figure.id)
                if mates[0].id in found.across:
                    found.across.add(figure.id)
    return found


def touches(game: Battle, figure: Figure, mate: Figure) -> bool:
    here = board(game)
    return figure.id in here.index and here.gap([figure], [mate]) <= CONTACT


def contacted(game: Battle, unit: Unit) -> list[Unit]:
    """The enemy units that a unit is in contact with."""
    models = list(unit.teams.values())
    return [
        enemy
        for enemy in enemies_of(game.state, unit)
        if any(in_contact(game, figure, models) for figure in enemy.teams.values())
    ]
