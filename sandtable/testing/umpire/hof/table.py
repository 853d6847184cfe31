"""The table as the second umpire measures it: bases, ground and gaps, with Shapely alone.

x runs east and y north; a facing of 0 looks north and 90 east. Positions lie on a grid of hundredths of an inch, so
what is exactly at a limit may come out a hair beyond it: checks that object allow a `HAIR`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

import shapely
from shapely import affinity

from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.hof.stock import Going, Make, grounds, make

HAIR = 0.03
"""Two places, each rounded to hundredths, lie this much nearer or farther apart than they were meant to."""

CONTACT = 0.05
"""Bases no farther apart are in base contact (our reading of hof.orders.premeasure)."""

TOUCH = 0.1
"""A base no farther from terrain touches it (the same)."""

SMOKE_ACROSS = 3.0

Point = tuple[float, float]
Member = tuple[Any, Any]
"""A Unit and one of its Teams, as the state has them."""


# Teams.


def members(state: Any) -> Iterator[Member]:
    for unit in state.units.values():
        for team in unit.teams.values():
            yield unit, team


def find(state: Any, team_id: str) -> Member | None:
    for unit in state.units.values():
        if team_id in unit.teams:
            return unit, unit.teams[team_id]
    return None


def enemy(side: str) -> str:
    return "blue" if side == "red" else "red"


def standing(state: Any, side: str | None = None) -> list[Member]:
    """The Teams that stand on the table by themselves, of one side or of both."""
    return [(unit, team) for unit, team in members(state) if team.at is not None and side in (None, unit.side)]


def kind_of(team: Any) -> Make:
    return make(team.profile)


def is_transport(team: Any) -> bool:
    """Jeeps of a Unit that has nobody to carry fight like any Vehicle; others that carry are Transports."""
    return kind_of(team).carries > 0 and not team.fights


def counts(team: Any) -> bool:
    """Whether a Team counts for its Unit's strength: Small Teams and Transports do not."""
    return not kind_of(team).small and not is_transport(team)


def size_of(team: Any) -> tuple[float, float]:
    """Width and depth of its base."""
    if team.base is not None:
        return float(team.base[0]), float(team.base[1])
    kind = kind_of(team)
    return kind.width, kind.depth


@lru_cache(maxsize=65536)
def rectangle(width: float, depth: float, at: Point, facing: float) -> shapely.Polygon:
    """A base whose width lies across its facing."""
    x, y = at
    box = shapely.box(x - width / 2, y - depth / 2, x + width / 2, y + depth / 2)
    return affinity.rotate(box, -facing, origin=(x, y)) if facing else box


def base_at(team: Any, at: Point, facing: float | None = None) -> shapely.Polygon:
    """A Team's base as it would lie elsewhere."""
    width, depth = size_of(team)
    return rectangle(width, depth, (float(at[0]), float(at[1])), team.facing if facing is None else facing)


def base(team: Any) -> shapely.Polygon:
    assert team.at is not None
    return base_at(team, team.at)


def stand_of(state: Any, team: Any) -> Any:
    """The Team at whose place a Team is: its Transport or tank if it is aboard one, else itself."""
    if team.at is None and team.carrier:
        found = find(state, team.carrier)
        if found is not None:
            return found[1]
    return team


def gap(one: Any, other: Any) -> float:
    """Inches between the bases of two Teams on the table."""
    return float(base(one).distance(base(other)))


def in_contact(one: Any, other: Any) -> bool:
    return gap(one, other) <= CONTACT


# Ground.


@dataclass(frozen=True)
class Piece:
    """A piece of terrain: an area, or a line if its kind is an obstacle or if it was drawn as one."""

    id: str
    kind: Going
    shape: Any
    area: bool
    height: float
    floor: float
    levels: int

    @property
    def top(self) -> float:
        return self.floor + self.height


@lru_cache(maxsize=4096)
def outline(kind: Going, points: tuple[Point, ...], closed: bool) -> Any:
    if kind.shape == "line" and closed:
        return shapely.LineString([*points, points[0]])
    return shapely.Polygon(points) if closed else shapely.LineString(points)


def feature_piece(feature: Any) -> Piece:
    kind = grounds()[feature.kind]
    shape = outline(kind, tuple((float(x), float(y)) for x, y in feature.points), feature.closed)
    area = feature.closed and kind.shape != "line"
    return Piece(feature.id, kind, shape, area, feature.height, feature.floor, feature.levels)


def ground(watch: Watch, state: Any = None) -> list[Piece]:
    """All that lies on the table now, or in another state: terrain, what players have laid, and wrecks."""
    state = watch.state if state is None else state
    cache = watch.memory.setdefault("ground", {})
    wrecks = tuple((wreck.profile, tuple(wreck.at), wreck.facing) for wreck in state.wrecks)
    key = (wrecks, tuple(state.cleared), tuple(feature.id for feature in state.laid))
    if key not in cache:
        options = watch.setup.options
        found = []
        for feature in (*watch.setup.terrain, *state.laid):
            kind = grounds()[feature.kind]
            laid = (options.fortifications or not kind.trench) and (options.obstacles or not kind.obstacle)
            if laid and feature.id not in state.cleared:
                found.append(feature_piece(feature))
        for number, (profile, at, facing) in enumerate(wrecks):
            hull = rectangle(make(profile).width, make(profile).depth, at, facing)
            found.append(Piece(f"wreck-{number}", grounds()["wreck"], hull, True, 1.0, 0.0, 1))
        cache[key] = found
    pieces: list[Piece] = cache[key]
    return pieces


def smoke(state: Any) -> list[Any]:
    """The smoke on the table, as round markers."""
    return [shapely.Point(each.at).buffer(SMOKE_ACROSS / 2, quad_segs=16) for each in state.smoke]


def touches(team: Any, piece: Piece) -> bool:
    return bool(base(team).distance(piece.shape) <= TOUCH)


def length(way: list[Point]) -> float:
    return sum(math.dist(a, b) for a, b in pairwise(way))
