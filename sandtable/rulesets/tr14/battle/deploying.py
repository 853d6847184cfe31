"""Deployment. These rules are ours; the source has none."""

from __future__ import annotations

import math
from itertools import islice
from random import Random
from typing import Any

import numpy as np

from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import Answer, MovePieces, Piece, Refusal, Step, illegal, plain_to_steps, steps_to_plain
from sandtable.engine.ruleset import Ask
from sandtable.rulesets.tr14.core.arsenal import COHESION
from sandtable.rulesets.tr14.core.board import arrived, board
from sandtable.rulesets.tr14.core.state import (
    SIDES,
    Setup,
    Side,
    State,
    Team,
    Unit,
    label,
    other,
    team_label,
    units_of,
)
from sandtable.rulesets.tr14.moving import in_cohesion
from sandtable.table import distance as measure
from sandtable.table import moves, placement
from sandtable.table.hairs import SLACK
from sandtable.table.shapes import Place, X, Y, bodies, snap
from sandtable.table.terrain import Feature, Terrain

ACROSS: dict[Side, float] = {"red": 0.0, "blue": 180.0}
"""How each side faces when it takes the field: red looks north, blue south."""


def deployment(game: Game[State]) -> Flow[None]:
    """tr14.battle.deployment: the sides set up in turn, one Unit at a time, each in its own zone."""
    state = game.state
    while True:
        waiting = {side: [u for u in units_of(state, side) if undeployed(u)] for side in SIDES}
        if not any(waiting.values()):
            break
        side = state.initiative if waiting[state.initiative] else next(s for s in SIDES if waiting[s])
        unit = waiting[side][0]
        yield from deploy_unit(game, unit)
        state.initiative = other(side)
    state.phase = "round"


def undeployed(unit: Unit) -> bool:
    return any(team.at is None for team in unit.teams.values())


def chance_ranks(game: Game[State], unit: Unit, zone: Terrain, random: Random) -> Answer:
    """Ranks at any point of the zone where there is room; None if some tries find none."""
    facing = ACROSS[unit.side]
    west, south, east, north = zone.bounds[0].tolist()
    ranks = Ranks(unit, facing)
    standing = board(game).rows
    side, back = min(1.3 * len(unit.teams), (east - west) / 2), min(3.0, (north - south) / 2)
    for _ in range(12):
        x = west + side + random.random() * (east - west - 2 * side)
        y = south + back + random.random() * (north - south - 2 * back)
        spots = ranks.about(x, y)
        if moves.room_for(ranks.rows, standing, zone, SLACK) and all(in_cohesion(ranks.teams, ranks.rows)):
            places = dict(zip(ranks.teams, spots, strict=True))
            return {team.id: {"to": places[team], "facing": facing} for team in unit.teams.values()}
    return None


def deploy_unit(game: Game[State], unit: Unit) -> Flow[None]:
    teams = list(unit.teams.values())
    facing = ACROSS[unit.side]
    zone = zone_of(game, unit.side)

    def legal(steps: dict[str, Step]) -> Refusal | None:
        return refuse_deployment(game, unit, zone, steps)

    def at(x: float, y: float) -> dict[str, Step] | None:
        return deployed_at(game, unit, zone, x, y, facing)

    def proposals(most: int) -> list[Answer]:
        fitting = (steps for x, y in spread(game, unit.side, 48) if (steps := at(x, y)) is not None)
        return [steps_to_plain(steps) for steps in islice(fitting, max(1, most))]

    def chance(random: Random) -> Answer:
        return chance_ranks(game, unit, zone, random) or proposals(1)[0]

    def pieces() -> list[Piece]:
        return [Piece(team.id, team_label(team), None, facing, base=team.kind.base.size) for team in teams]

    words = f"Deploy {label(unit)} in your zone."
    facts: dict[str, Any] = {"unit": unit.id}
    rules = ("tr14.battle.deployment",)
    question = MovePieces(
        "deploy", words, list(unit.teams), pieces, legal, proposals, chance=chance, rules=rules, facts=facts
    )
    answer = yield Ask(unit.side, question, checkpoint=True)
    for team_id, step in plain_to_steps(answer).items():
        team = unit.teams[team_id]
        team.at = step.to
        team.facing = facing if step.facing is None else step.facing
        if team.turret is not None:
            team.turret = team.facing if step.turret is None else step.turret
    arrived(game)
    game.tell("deployed", f"{label(unit)} deploys.", *rules, seat=unit.side, unit=unit.id)


def zone_of(game: Game[State], side: str) -> Terrain:
    """A side's zone to deploy in; the whole table, where the scenario names none."""
    known: dict[str, Terrain] = game.prepared.zones
    if side not in known:
        known[side] = make_zone(game.setup, side)
    return known[side]


def make_zone(setup: Setup, side: str) -> Terrain:
    table = setup.table
    points = setup.zones.get(side) or [
        (0.0, 0.0),
        (table.width, 0.0),
        (table.width, table.depth),
        (0.0, table.depth),
    ]
    return Terrain([Feature("zone", "zone", points)], table.width, table.depth)


def refuse_deployment(game: Game[State], unit: Unit, zone: Terrain, steps: dict[str, Step]) -> Refusal | None:
    rule = "tr14.battle.deployment"
    teams = list(unit.teams.values())
    for team_id, step in steps.items():
        if step.via:
            return illegal(
                rule, f"{team_label(unit.teams[team_id])} is set down, and takes no way there.", field=team_id
            )
    missing = [team.id for team in teams if team.id not in steps]
    if missing:
        return illegal(
            rule,
            f"{team_label(unit.teams[missing[0]])} is not deployed.",
            field=missing[0],
            legal="Place every Team of the Unit.",
        )
    places = [Place(*steps[team.id].to, steps[team.id].facing or 0.0) for team in teams]
    rows = bodies(zip((team.kind.base for team in teams), places, strict=True))
    here = board(game)
    if not moves.on_table(rows, here.ground.width, here.ground.depth).all():
        return illegal(rule, "a Team would not be on the table.", field="deploy")
    inside = zone.inside(rows)[:, 0]
    if not inside.all():
        out = teams[int(np.flatnonzero(~inside)[0])]
        return illegal(rule, f"{team_label(out)} would stand outside your zone.", field=out.id)
    standing = here.rows[list(here.index.values())]
    clash = measure.overlaps(rows, rows, SLACK)
    np.fill_diagonal(clash, False)
    if clash.any() or (len(standing) and measure.overlaps(rows, standing, SLACK).any()):
        return illegal(rule, "two Teams would stand on each other.", field="deploy")
    kept = in_cohesion(teams, rows)
    if not all(kept):
        out = teams[kept.index(False)]
        limit = COHESION[out.kind.type]
        message = f"{team_label(out)} would stand out of cohesion."
        return illegal("tr14.moving.cohesion", message, field=out.id, legal=f"Stay within {limit:g} inches of the PL.")
    return None


class Ranks:
    """A Unit in two ranks, and its rows when it stands so about a point."""

    def __init__(self, unit: Unit, facing: float) -> None:
        self.teams = middle_first(list(unit.teams.values()))
        bases = [team.kind.base for team in self.teams]
        places = placement.in_ranks(bases, 0.0, 0.0, facing, math.ceil(len(bases) / 2))
        self.rows = bodies(zip(bases, places, strict=True))
        self.offsets = [(place.x, place.y) for place in places]

    def about(self, x: float, y: float) -> list[list[float]]:
        """Bring the rows there, and say where each Team then stands."""
        spots = [[snap(x + dx), snap(y + dy)] for dx, dy in self.offsets]
        self.rows[:, X : Y + 1] = spots
        return spots


def in_ranks_at(
    game: Game[State], unit: Unit, zone: Terrain, x: float, y: float, facing: float
) -> dict[str, Step] | None:
    """The Unit in two ranks about a point, or None where anything is in the way."""
    teams = middle_first(list(unit.teams.values()))
    ranks = placement.in_ranks([team.kind.base for team in teams], x, y, facing, math.ceil(len(teams) / 2))
    steps = {t.id: Step((snap(p.x), snap(p.y)), p.facing) for t, p in zip(teams, ranks, strict=True)}
    steps = {name: steps[name] for name in unit.teams}
    return steps if refuse_deployment(game, unit, zone, steps) is None else None


def deployed_at(
    game: Game[State], unit: Unit, zone: Terrain, x: float, y: float, facing: float
) -> dict[str, Step] | None:
    """The Unit in ranks about a point, or as near to that as there is room; None where it does not fit."""
    ranks = in_ranks_at(game, unit, zone, x, y, facing)
    if ranks is not None:
        return ranks
    here = board(game)
    teams = middle_first(list(unit.teams.values()))
    obstacles = here.rows[list(here.index.values())]

    def allowed(spot: Place) -> bool:
        return bool(zone.inside_point(spot.x, spot.y)[0])

    places = placement.near(
        [team.kind.base for team in teams],
        x,
        y,
        facing,
        width=here.ground.width,
        depth=here.ground.depth,
        obstacles=obstacles,
        allowed=allowed,
    )
    if places is None:
        return None
    steps = {team.id: Step((spot.x, spot.y), spot.facing) for team, spot in zip(teams, places, strict=True)}
    steps = {name: steps[name] for name in unit.teams}
    return steps if refuse_deployment(game, unit, zone, steps) is None else None


def middle_first(teams: list[Team]) -> list[Team]:
    """The leader in the middle of the Unit, where most Teams are near to him."""
    others = [team for team in teams if team.role != "pl"]
    leaders = [team for team in teams if team.role == "pl"]
    half = len(others) // 2
    return [*others[:half], *leaders, *others[half:]]


CROWD = 7.0
"""Friends this near make a spot less inviting to deploy at."""


def spread(game: Game[State], side: str, most: int) -> list[tuple[float, float]]:
    """Points all over a zone: near to an objective, and not where friends stand already, come first."""
    zone = zone_of(game, side)
    west, south, east, north = zone.bounds[0].tolist()
    spots = [
        (x, y)
        for x in np.linspace(west + 3, east - 3, 12).tolist()
        for y in np.linspace(south + 2, north - 2, 5).tolist()
        if zone.inside_point(x, y)[0]
    ]
    goals = [objective.at for objective in game.state.objectives.values()]
    friends = [team.at for _, team in board(game).sides[side] if team.at is not None]

    def price(spot: tuple[float, float]) -> float:
        near = min((math.dist(spot, goal) for goal in goals), default=0.0)
        return near + 2.0 * sum(math.dist(spot, friend) < CROWD for friend in friends)

    return sorted(spots, key=price)[:most]
