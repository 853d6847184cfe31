"""Assault moves: whom a unit can reach, how its models close in, and who is then in the fight."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from sandtable.field.courses import Path, length_of
from sandtable.rulesets.sof.core.board import Battle, Board, board, enemies_of
from sandtable.rulesets.sof.core.state import Figure, Unit
from sandtable.rulesets.sof.movement import allowance, rate_of
from sandtable.table import distance as measure
from sandtable.table import moves
from sandtable.table.hairs import A_HAIR, CONTACT, GRID, SLACK
from sandtable.table.shapes import HALF_WIDTH, Floats, X, Y, bearing, heading, snap

AROUND = 24
"""Round a base that is closed in on, so many spots are looked at, the straight one first."""


@dataclass(slots=True)
class Approach:
    """The assault moves of a unit so far: the way of each model that has one, and where all stand then."""

    game: Battle
    unit: Unit
    ways: dict[str, Path] = field(default_factory=dict)
    rows: Floats = field(default_factory=lambda: np.empty((0, 8)))

    @property
    def here(self) -> Board:
        return board(self.game)

    def row_of(self, figure: Figure) -> Floats:
        """Where a figure stands after its assault move, or before it."""
        row: Floats = self.rows[self.here.index[figure.id]]
        return row


def approach(game: Battle, unit: Unit) -> Approach:
    return Approach(game, unit, {}, board(game).rows.copy())


def way_into_contact(going: Approach, figure: Figure, goals: Sequence[Figure]) -> Path | None:
    """The shortest straight way of a model into contact with one of some others that the assault move allows."""
    here, game = going.here, going.game
    row = going.row_of(figure)
    start = float(row[X]), float(row[Y])
    spots = []
    for goal in goals:
        there = going.row_of(goal)
        far = float(row[HALF_WIDTH] + there[HALF_WIDTH]) + GRID
        if math.dist(start, (there[X], there[Y])) - far > rate_of(going.unit, "assault") + A_HAIR:
            continue
        straight = bearing(float(there[X]), float(there[Y]), *start)
        for number in range(AROUND):
            sin, cos = heading(round(straight + 360.0 * number / AROUND, 6) % 360.0)
            spot = snap(float(there[X]) + far * sin), snap(float(there[Y]) + far * cos)
            spots.append((round(math.dist(start, spot), 4), spot))
    others = np.delete(going.rows, here.index[figure.id], axis=0)
    enemies = here.of([each for unit in enemies_of(game.state, going.unit) for each in here.figures_of(unit)])
    for length, spot in sorted(set(spots)):
        if length > rate_of(going.unit, "assault") + A_HAIR:
            return None
        path = [start, spot]
        if stands_free(game, row, spot, others) and passes(game, going, figure, path, enemies):
            return path
    return None


def stands_free(game: Battle, row: Floats, spot: tuple[float, float], others: Floats) -> bool:
    there = row[None].copy()
    there[0, X : Y + 1] = spot
    if not moves.on_table(there, game.prepared.width, game.prepared.depth)[0]:
        return False
    return not measure.overlaps(there, others, SLACK).any()


def passes(game: Battle, going: Approach, figure: Figure, path: Path, enemies: Floats) -> bool:
    """Whether a way keeps to what the assault move and the ground allow, for the model and for all before it."""
    ground = game.prepared
    if length_of(path) > GRID:
        if ground.barrier(going.unit.type, path) is not None:
            return False
        if moves.sweep(going.row_of(figure), np.array(path), enemies, SLACK) < math.inf:
            return False
    ways = {**going.ways, figure.id: path}
    most = allowance(ground, going.unit, "assault", ways, rate_of(going.unit, "assault")).inches
    return all(length_of(way) <= most + A_HAIR for way in ways.values())


def reaches(game: Battle, unit: Unit, target: Unit) -> bool:
    """sof.actions.assault-reach: some able model can come into contact with some model of the target."""
    going = approach(game, unit)
    models = board(game).figures_of(target)
    ranked = sorted(unit.able, key=lambda each: round(board(game).gap([each], models), 2))
    return any(way_into_contact(going, figure, models) is not None for figure in ranked)


def close_in(game: Battle, unit: Unit, target: Unit) -> Approach:
    """sof.close-combat.move: every model closes in, the nearest first, on an enemy or on a mate who is in contact."""
    here = board(game)
    going = approach(game, unit)
    models = here.figures_of(target)
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
    gaps = measure.distances(
        np.array([going.row_of(each) for each in mine]), np.array([going.row_of(each) for each in models])
    )
    return [each for each, near in zip(mine, gaps.min(axis=1).tolist(), strict=True) if near <= CONTACT]


# Who is in the fight.


def in_contact(game: Battle, figure: Figure, others: Sequence[Figure]) -> list[Figure]:
    here = board(game)
    there = here.on(others)
    if not there or figure.id not in here.index:
        return []
    return [each for each, gap in zip(there, here.gaps([figure], there)[0].tolist(), strict=True) if gap <= CONTACT]


def fighters(game: Battle, unit: Unit, foes: Sequence[Unit]) -> dict[str, str]:
    """sof.close-combat.dice-eligible: the models of a unit that take part, each with the enemy unit that it fights.

    One that touches an enemy, or a mate who does: one step, and no more.
    """
    enemies = {figure.id: foe.id for foe in foes for figure in foe.teams.values()}
    models = [figure for foe in foes for figure in foe.teams.values()]
    found: dict[str, str] = {}
    for figure in unit.teams.values():
        met = in_contact(game, figure, models)
        if met:
            found[figure.id] = enemies[met[0].id]
    first = [unit.teams[name] for name in found]
    for figure in unit.teams.values():
        if figure.id not in found and unit.type in ("infantry", "mounted"):
            mates = in_contact(game, figure, [each for each in first if each is not figure])
            if mates:
                found[figure.id] = found[mates[0].id]
    return found


def contacted(game: Battle, unit: Unit) -> list[Unit]:
    """The enemy units that a unit is in contact with."""
    models = list(unit.teams.values())
    return [
        enemy
        for enemy in enemies_of(game.state, unit)
        if any(in_contact(game, figure, models) for figure in enemy.teams.values())
    ]
