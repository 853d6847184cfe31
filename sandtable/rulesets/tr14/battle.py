"""The battle round the rules, which is ours: deployment, objectives and an end."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from sandtable.engine.events import gain, several
from sandtable.engine.game import Flow
from sandtable.engine.questions import Refusal, illegal, plain_to_steps
from sandtable.engine.ruleset import Ask
from sandtable.field.deploying import Deploying, spread, zone_of
from sandtable.field.reckoning import held
from sandtable.field.zones import zone_area
from sandtable.rulesets.tr14.core.arsenal import COHESION
from sandtable.rulesets.tr14.core.board import Battle, Board, Rows, arrived, board, sees
from sandtable.rulesets.tr14.core.checks import end_battle
from sandtable.rulesets.tr14.core.names import label, name_of, team_name, team_on
from sandtable.rulesets.tr14.core.state import SIDES, Point, Side, State, Team, Unit, other, units_of
from sandtable.rulesets.tr14.indirect import close_obstacles
from sandtable.rulesets.tr14.moving import in_cohesion
from sandtable.table import distance as measure
from sandtable.table import placement
from sandtable.table.hairs import within
from sandtable.table.shapes import Footprint, Place, X, Y, bodies

RULE = "tr14.battle.deployment"

ACROSS: dict[Side, float] = {"red": 0.0, "blue": 180.0}
"""How each side faces when it takes the field: red looks north, blue south."""


def deployment(game: Battle) -> Flow[None]:
    """tr14.battle.deployment: the sides set up in turn, one Unit at a time, each in its own zone."""
    state = game.state
    while True:
        waiting = {side: [u for u in units_of(state, side) if undeployed(u)] for side in SIDES}
        if not any(waiting.values()):
            break
        side = state.initiative if waiting[state.initiative] else next(s for s in SIDES if waiting[s])
        yield from deploy_unit(game, waiting[side][0])
        state.initiative = other(side)
    state.phase = "round"


def undeployed(unit: Unit) -> bool:
    return any(team.at is None for team in unit.teams.values())


def deploy_unit(game: Battle, unit: Unit) -> Flow[None]:
    here = board(game)
    facing, zone = ACROSS[unit.side], zone_of(game.setup.zones.get(unit.side, ()), game.setup.table)
    teams = list(unit.teams.values())
    name, checks = partial(name_of, game.state), (partial(refuse_cohesion, unit.side),)
    down = Deploying(here, here.ground, teams, facing, name, RULE, zone, wholly=False, checks=checks)
    ranks = two_ranks(teams, facing)
    west, south, east, north = zone.bounds[0].tolist()
    side, back = min(1.3 * len(teams), (east - west) / 2), min(3.0, (north - south) / 2)
    box = west + side, south + back, east - side, north - back
    goals = [objective.at for objective in game.state.objectives.values()]
    friends = [team.at for _, team in here.sides[unit.side] if team.at is not None]
    words = f"Deploy {label(unit)} in your zone."

    def points() -> list[Point]:
        found = spread(zone, goals, friends)
        return for_guns(here, unit.side, ranks, found) if unit.is_battery else found

    question = down.question_in_ranks("deploy", words, team_name, ranks, points, box, unit=unit.id)
    zones = game.setup.zones
    question.areas = lambda: [zone_area(zone_of(zones[s], game.setup.table), s, unit.side) for s in zones]
    answer = yield Ask(unit.side, question, checkpoint=True)
    for team_id, step in plain_to_steps(answer).items():
        team = unit.teams[team_id]
        team.at = step.to
        team.facing = facing if step.facing is None else step.facing
        if team.turret is not None:
            team.turret = team.facing if step.turret is None else step.turret
    arrived(game)
    game.tell("deployed", f"{label(unit)} deploys.", RULE, seat=unit.side, unit=unit.id)


def for_guns(here: Board, side: Side, ranks: Rows, points: list[Point]) -> list[Point]:
    """A hint, no rule: where a battery can fire over what stands before it, and few enemies see it, comes first."""
    wide, deep = (float(np.ptp(ranks[:, axis])) for axis in (X, Y))
    rows = bodies((Footprint(wide, deep), Place(x, y)) for x, y in points)
    shut_in = close_obstacles(here, rows).any(axis=1)
    seen = sees(here, here.enemy_rows(side), rows).sum(axis=0)
    return [points[number] for number in np.lexsort((seen, shut_in))]


def refuse_cohesion(side: str, teams: list[Team], rows: Rows) -> Refusal | None:
    kept = in_cohesion(teams, rows)
    if all(kept):
        return None
    out = teams[kept.index(False)]
    message = f"{team_on(side, out)} would stand out of cohesion."
    legal = f"Stay within {COHESION[out.kind.type]:g} inches of the PL."
    return illegal("tr14.moving.cohesion", message, field=out.id, legal=legal)


def two_ranks(teams: list[Team], facing: float) -> Rows:
    """A hint, no rule: Teams in two ranks about (0, 0), the leader in the middle, where most are near to him."""
    others = [team for team in teams if team.role != "pl"]
    half = len(others) // 2
    order = [*others[:half], *(team for team in teams if team.role == "pl"), *others[half:]]
    rows = placement.ranked(tuple(team.kind.base for team in order), facing, math.ceil(len(order) / 2))
    return rows[[order.index(team) for team in teams]]


def end_of_round(game: Battle) -> None:
    """tr14.battle.objectives, tr14.battle.end: who holds what, and whether it is over."""
    state = game.state
    for name, objective in state.objectives.items():
        holder = holder_of(game, objective.at, objective.radius)
        if holder and holder != objective.holder:
            objective.holder = holder
            text = f"{holder.capitalize()} takes {objective.name or name}."
            data = {"objective": name, "at": list(objective.at), **gain(holder, "Objectives", objective.worth)}
            game.tell("objective", text, "tr14.battle.objectives", seat=holder, **data)
    if state.round >= game.setup.rounds:
        points = points_held(state)
        best = max(points.values())
        leaders = [side for side, count in points.items() if count == best]
        winner = leaders[0] if len(leaders) == 1 else None
        reason = f"After {several(state.round, 'round')} red holds {points['red']}, blue {points['blue']}."
        end_battle(game, winner, reason, "tr14.battle.end")


def points_held(state: State) -> dict[str, int]:
    """What the objectives that each side holds are worth."""
    return held(state.objectives, lambda objective: objective.worth)


def holder_of(game: Battle, at: tuple[float, float], radius: float) -> str:
    """The side with an unsuppressed Team near an objective while the other has none."""
    here = board(game)
    near = []
    for side in SIDES:
        teams = [team for _, team in here.sides[side] if not team.markers]
        if teams and within(measure.to_points(here.of(teams), np.array([at])).min(), radius):
            near.append(str(side))
    return near[0] if len(near) == 1 else ""
