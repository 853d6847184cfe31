"""Moves that bots and the page may propose, and moves by chance."""

from __future__ import annotations

import math
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from sandtable.engine.game import Game
from sandtable.engine.questions import Step
from sandtable.rulesets.tr14.arsenal import MOVE
from sandtable.rulesets.tr14.board import SLACK, Board, board
from sandtable.rulesets.tr14.state import State, all_teams, other
from sandtable.table import moves
from sandtable.table.shapes import X, Y, bearing

if TYPE_CHECKING:
    from sandtable.rulesets.tr14.moving import MoveLaw


def shifted(
    game: Game[State], law: MoveLaw, dx: float, dy: float, face: float, only: int | None = None
) -> dict[str, Step]:
    """A whole Unit, or one Team of it, shifted: each as far as it has room; empty where the law would refuse it."""
    here = board(game)
    face = round(face, 1) % 360.0
    marchers, heavy = law.march(here)
    members = law.members
    if only is not None:
        members, marchers = members[only : only + 1], marchers.alone(only)
    ground = here.ground
    enemies = here.side(other(law.unit.side)).rows
    ends, verdict = moves.march(here.rows, marchers, face, dx, dy, enemies, ground.width, ground.depth, SLACK)
    if verdict == moves.WRONG:
        return {}
    steps = {}
    for (_, team), (x, y) in zip(members, ends, strict=True):
        if team.at != (x, y):
            turns = team.kind.type != "infantry"
            steps[team.id] = Step((x, y), face if turns else None, face if team.turret is not None else None)
    if not steps:
        return {}
    if verdict == moves.WELL and guns_go_round(here, law, heavy, steps):
        fine = marchers.leader >= 0 or law.keeps_away(here, steps)
    else:
        fine = law.refuse(steps) is None
    return steps if fine else {}


def guns_go_round(here: Board, law: MoveLaw, heavy: list[int], steps: dict[str, Step]) -> bool:
    """Whether no heavy gun comes near to Very Difficult Terrain on its straight way."""
    table = here.ground.table
    if not heavy or not len(table.very_difficult):
        return True
    teams = [law.members[number][1] for number in heavy]
    ways = [(*team.at, *steps[team.id].to) for team in teams if team.id in steps and team.at is not None]
    if not ways:
        return True
    return not any(moves.any_crossed(here.ground.terrain, table.very_difficult, np.array(ways)))


def common_reach(law: MoveLaw) -> float:
    return min([law.reach[team.id] for _, team in law.members if not law.placed_freely(team)], default=MOVE["infantry"])


def chance_move(game: Game[State], law: MoveLaw, random: Random) -> dict[str, Step]:
    """Any move: now the whole Unit, now a single Team, now nobody."""
    what = int(random.random() * 3)
    if what == 0:
        return {}
    only = int(random.random() * len(law.members)) if what == 1 else None
    angle = random.random() * 2 * math.pi
    reach = common_reach(law) if only is None else law.reach[law.members[only][1].id]
    length = reach * (0.3 + 0.7 * random.random())
    dx, dy = length * math.sin(angle), length * math.cos(angle)
    return shifted(game, law, dx, dy, math.degrees(angle) % 360.0, only)


def proposed_moves(game: Game[State], law: MoveLaw, most: int) -> list[dict[str, Step]]:
    """Towards objectives, the nearest enemies and cover, then round the compass; last of all, staying put."""
    here = board(game)
    teams = [team for _, team in law.members]
    centre = here.of(teams)[:, (X, Y)].mean(axis=0)
    reach = common_reach(law)
    goals: list[tuple[float, float]] = [objective.at for objective in game.state.objectives.values()]
    enemies = [team.at for unit, team in all_teams(game.state) if unit.side != law.unit.side and team.at is not None]
    enemies.sort(key=lambda at: math.hypot(at[0] - centre[0], at[1] - centre[1]))
    goals += enemies[:2]
    terrain = here.ground.terrain
    covers = [
        feature for feature, kind in zip(terrain.features, here.ground.table.kinds, strict=True) if kind.cover != "none"
    ]
    middles = [tuple(np.mean(np.array(feature.points), axis=0).tolist()) for feature in covers]
    middles.sort(key=lambda at: math.hypot(at[0] - centre[0], at[1] - centre[1]))
    goals += middles[:3]
    shifts: list[tuple[float, float]] = []
    for x, y in goals:
        far = math.hypot(x - centre[0], y - centre[1])
        if far > 0.5:
            length = min(reach, far)
            shifts.append(((x - centre[0]) * length / far, (y - centre[1]) * length / far))
    for step in range(8):
        angle = math.radians(45.0 * step)
        shifts.append((reach * math.sin(angle), reach * math.cos(angle)))
    found: list[dict[str, Step]] = []
    for dx, dy in shifts:
        if len(found) + 1 >= most:
            break
        steps = shifted(game, law, dx, dy, bearing(0.0, 0.0, dx, dy))
        if steps and steps not in found:
            found.append(steps)
    return [*found, {}][:most]
