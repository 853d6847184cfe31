"""Where a Unit could be set down: some proposals, and one by chance. Hints for players, not rules."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from random import Random

import numpy as np

from sandtable.engine.game import Game
from sandtable.engine.questions import Answer, Refusal, Step, steps_to_plain
from sandtable.rulesets.tr14.core.board import board
from sandtable.rulesets.tr14.core.state import State, Team, Unit
from sandtable.rulesets.tr14.moving import in_cohesion
from sandtable.table import moves, placement
from sandtable.table.hairs import SLACK
from sandtable.table.shapes import Place, X, Y, bodies, snap
from sandtable.table.terrain import Terrain


@dataclass(slots=True)
class Spots:
    """A Unit that is to be deployed in a zone, and what refuses a deployment."""

    game: Game[State]
    unit: Unit
    zone: Terrain
    facing: float
    legal: Callable[[dict[str, Step]], Refusal | None]

    def proposals(self, most: int) -> list[Answer]:
        points = spread(self.game, self.unit.side, self.zone, 48)
        fitting = (steps for x, y in points if (steps := deployed_at(self, x, y)) is not None)
        return [steps_to_plain(steps) for steps in islice(fitting, max(1, most))]

    def chance(self, random: Random) -> Answer:
        return chance_ranks(self, random) or self.proposals(1)[0]


def chance_ranks(spots: Spots, random: Random) -> Answer:
    """Ranks at any point of the zone where there is room; None if some tries find none."""
    unit, zone, facing = spots.unit, spots.zone, spots.facing
    west, south, east, north = zone.bounds[0].tolist()
    ranks = Ranks(unit, facing)
    standing = board(spots.game).rows
    side, back = min(1.3 * len(unit.teams), (east - west) / 2), min(3.0, (north - south) / 2)
    for _ in range(12):
        x = west + side + random.random() * (east - west - 2 * side)
        y = south + back + random.random() * (north - south - 2 * back)
        stands = ranks.about(x, y)
        if moves.room_for(ranks.rows, standing, zone, SLACK) and all(in_cohesion(ranks.teams, ranks.rows)):
            places = dict(zip(ranks.teams, stands, strict=True))
            return {team.id: {"to": places[team], "facing": facing} for team in unit.teams.values()}
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


def in_ranks_at(spots: Spots, x: float, y: float) -> dict[str, Step] | None:
    """The Unit in two ranks about a point, or None where anything is in the way."""
    teams = middle_first(list(spots.unit.teams.values()))
    ranks = placement.in_ranks([team.kind.base for team in teams], x, y, spots.facing, math.ceil(len(teams) / 2))
    steps = {t.id: Step((snap(p.x), snap(p.y)), p.facing) for t, p in zip(teams, ranks, strict=True)}
    steps = {name: steps[name] for name in spots.unit.teams}
    return steps if spots.legal(steps) is None else None


def deployed_at(spots: Spots, x: float, y: float) -> dict[str, Step] | None:
    """The Unit in ranks about a point, or as near to that as there is room; None where it does not fit."""
    ranks = in_ranks_at(spots, x, y)
    if ranks is not None:
        return ranks
    here = board(spots.game)
    teams = middle_first(list(spots.unit.teams.values()))
    obstacles = here.rows[list(here.index.values())]

    def allowed(spot: Place) -> bool:
        return bool(spots.zone.inside_point(spot.x, spot.y)[0])

    places = placement.near(
        [team.kind.base for team in teams],
        x,
        y,
        spots.facing,
        width=here.ground.width,
        depth=here.ground.depth,
        obstacles=obstacles,
        allowed=allowed,
    )
    if places is None:
        return None
    steps = {team.id: Step((spot.x, spot.y), spot.facing) for team, spot in zip(teams, places, strict=True)}
    steps = {name: steps[name] for name in spots.unit.teams}
    return steps if spots.legal(steps) is None else None


def middle_first(teams: list[Team]) -> list[Team]:
    """The leader in the middle of the Unit, where most Teams are near to him."""
    others = [team for team in teams if team.role != "pl"]
    leaders = [team for team in teams if team.role == "pl"]
    half = len(others) // 2
    return [*others[:half], *leaders, *others[half:]]


CROWD = 7.0
"""Friends this near make a spot less inviting to deploy at."""


def spread(game: Game[State], side: str, zone: Terrain, most: int) -> list[tuple[float, float]]:
    """Points all over a zone: near to an objective, and not where friends stand already, come first."""
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
