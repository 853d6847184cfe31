"""Moves that bots and the page may propose, and moves by chance."""

from __future__ import annotations

import math
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from sandtable.engine.game import Game
from sandtable.engine.questions import Step
from sandtable.field.shifts import towards
from sandtable.rulesets.tr14.core.arsenal import MOVE
from sandtable.rulesets.tr14.core.board import Board, board
from sandtable.rulesets.tr14.core.state import State, Team, all_teams, other
from sandtable.table import moves
from sandtable.table.hairs import A_HAIR, SLACK
from sandtable.table.shapes import X, Y, bearing

if TYPE_CHECKING:
    from sandtable.rulesets.tr14.moving.law import MoveLaw


NEAREST = 3
"""Of so many goals one is looked for to which the whole Unit can go."""


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


def usual_move(game: Game[State], law: MoveLaw) -> dict[str, Step]:
    """What a player wants who only says yes: the whole Unit, together, to the nearest objective that it does not hold.

    After an assault it goes for the nearest enemy instead. Nobody goes where somebody would be left behind, where a
    tank would have to roll for the ground, or where a leader, commander or observer would go alone.
    """
    teams = [team for _, team in law.members]
    if law.unit.apart or (len(teams) == 1 and teams[0].kind.type != "tank"):
        return {}
    state, side = game.state, law.unit.side
    if law.cohesion:
        goals = [objective.at for objective in state.objectives.values() if objective.holder != side]
    else:
        goals = [team.at for unit, team in all_teams(state) if unit.side != side and team.at is not None]
    centre = middle(game, teams)
    for goal in sorted(goals, key=lambda at: math.dist(at, centre))[:NEAREST]:
        for part in (1.0, 0.5):
            dx, dy = towards(centre, goal, part * common_reach(law))
            steps = shifted(game, law, dx, dy, bearing(0.0, 0.0, dx, dy)) if (dx, dy) != (0.0, 0.0) else {}
            if steps and all(together(team, steps, dx, dy) for team in teams) and not rolls(game, teams, steps):
                return steps
    return {}


def together(team: Team, steps: dict[str, Step], dx: float, dy: float) -> bool:
    """Whether a Team goes as far as all shall."""
    assert team.at is not None
    step = steps.get(team.id)
    return step is not None and math.dist(step.to, (team.at[0] + dx, team.at[1] + dy)) <= A_HAIR


def rolls(game: Game[State], teams: list[Team], steps: dict[str, Step]) -> bool:
    """Whether a tank would have to roll for the ground on its straight way."""
    ground = board(game).ground
    ways = [(team.at, steps[team.id].to) for team in teams if team.kind.type == "tank" and team.at is not None]
    return any(not span.started for way in ways for span in moves.spans(ground.terrain, list(way), ground.table.rough))


def middle(game: Game[State], teams: list[Team]) -> tuple[float, float]:
    x, y = board(game).of(teams)[:, (X, Y)].mean(axis=0).tolist()
    return x, y


def proposed_moves(game: Game[State], law: MoveLaw, most: int) -> list[dict[str, Step]]:
    """The usual move first; then towards objectives, the nearest enemies and cover, round the compass, and nowhere."""
    found = [usual_move(game, law)]
    if most == 1:
        return found
    here = board(game)
    centre = middle(game, [team for _, team in law.members])
    reach = common_reach(law)
    goals: list[tuple[float, float]] = [objective.at for objective in game.state.objectives.values()]
    enemies = [team.at for unit, team in all_teams(game.state) if unit.side != law.unit.side and team.at is not None]
    goals += sorted(enemies, key=lambda at: math.dist(at, centre))[:2]
    covers = [
        feature
        for feature, kind in zip(here.ground.terrain.features, here.ground.table.kinds, strict=True)
        if kind.cover != "none"
    ]
    middles = [tuple(np.mean(np.array(feature.points), axis=0).tolist()) for feature in covers]
    goals += sorted(middles, key=lambda at: math.dist(at, centre))[:3]
    shifts = [shift for goal in goals if (shift := towards(centre, goal, reach)) != (0.0, 0.0)]
    for step in range(8):
        angle = math.radians(45.0 * step)
        shifts.append((reach * math.sin(angle), reach * math.cos(angle)))
    for dx, dy in shifts:
        if len(found) + 1 >= most:
            break
        steps = shifted(game, law, dx, dy, bearing(0.0, 0.0, dx, dy))
        if steps and steps not in found:
            found.append(steps)
    return found if {} in found else [*found, {}]
