"""Who sees whom and who is concealed, worked out with Shapely from the nine points of each base.

Two bases see each other if one of the lines between their points is free; one conceals itself from the other if one of
them is not. What comes too near to a limit to be told for certain is None: a check objects only to what it is sure of.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import cos, hypot, radians, sin
from typing import Any, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.hof.table import (
    CONTACT,
    TOUCH,
    Piece,
    Point,
    gap,
    ground,
    rectangle,
    size_of,
    stand_of,
)

Maybe = bool | None
Mask = NDArray[np.bool_]
Lines = NDArray[Any]

DOUBT = 1e-6
"""Nearer to a limit than this, nobody can tell."""

INSET = 0.01
"""The points of a base lie this far within its edge (docs/geometry.md); so little overlap is none."""

FLOOR = 1.0
"""Each floor of a building is an inch higher."""

SMOKE_FOR_SURE, SMOKE_AT_MOST = 1.47, 1.5
"""A marker is 3 inches across; the game lays it down with sixteen corners."""


class Spot(NamedTuple):
    """Where a base is, or would be."""

    at: Point
    facing: float
    width: float
    depth: float
    level: int = 0

    @property
    def base(self) -> shapely.Polygon:
        return rectangle(self.width, self.depth, self.at, self.facing)


def spot_of(team: Any, at: Point | None = None, facing: float | None = None) -> Spot:
    """A Team's own place on the table, or another where it would be."""
    x, y = team.at if at is None else at
    return Spot((float(x), float(y)), team.facing if facing is None else facing, *size_of(team), team.level)


@lru_cache(maxsize=65536)
def points(spot: Spot) -> NDArray[np.float64]:
    """Its middle, its corners and the middles of its sides."""
    right, ahead = spot.width / 2 - INSET, spot.depth / 2 - INSET
    s, c = sin(radians(spot.facing)), cos(radians(spot.facing))
    x, y = spot.at
    return np.array([(x + u * c + v * s, y - u * s + v * c) for u in (0, right, -right) for v in (0, ahead, -ahead)])


class Rays:
    """All lines between the points of two bases, or the one between their middles alone."""

    def __init__(self, one: Spot, other: Spot, *, middle: bool = False) -> None:
        a, b = points(one), points(other)
        if middle:
            a, b = a[:1], b[:1]
        self.starts, self.ends = np.repeat(a, len(b), axis=0), np.tile(b, (len(a), 1))
        self.lines: Lines = shapely.linestrings(np.stack([self.starts, self.ends], axis=1))

    def __len__(self) -> int:
        return len(self.lines)


@dataclass(frozen=True)
class Veil:
    """What conceals a target: something `between`, or what it stands in or at (`occupied`).

    `shelter`: the line from middle to middle comes across an obstacle that it touches.
    """

    between: Maybe = False
    occupied: Maybe = False
    shelter: Maybe = False

    @property
    def concealed(self) -> Maybe:
        return either(self.between, self.occupied)


def either(*facts: Maybe) -> Maybe:
    """Whether one of some facts holds."""
    return True if True in facts else (None if None in facts else False)


def both(*facts: Maybe) -> Maybe:
    return False if False in facts else (None if None in facts else True)


def no(fact: Maybe) -> Maybe:
    return None if fact is None else not fact


class View:
    """The table as one looks across it: ground, wrecks and smoke as they lie at some moment."""

    def __init__(self, pieces: list[Piece], smoke: Iterable[Point]) -> None:
        self.pieces = pieces
        self.hills = [piece for piece in pieces if piece.kind.shape == "hill"]
        self.smoke = [shapely.Point(at) for at in smoke]
        self.shapes = np.array([piece.shape for piece in pieces], dtype=object)
        shapely.prepare(self.shapes)
        self.seen: dict[tuple[Spot, Spot], Maybe] = {}
        self.veils: dict[tuple[Spot, Spot], Veil] = {}
        self.at: dict[tuple[Spot, str], Maybe] = {}
        self.within: dict[tuple[Spot, str], Maybe] = {}

    def height(self, spot: Spot) -> float:
        """How high a base is: the hill under its middle, and its floor."""
        middle = shapely.Point(spot.at)
        return max([hill.top for hill in self.hills if hill.shape.intersects(middle)], default=0.0) + (
            FLOOR * spot.level
        )

    def near(self, one: Spot, other: Spot) -> list[Piece]:
        """What lies somewhere between two bases, or touches them."""
        if not self.pieces:
            return []
        corners = np.concatenate([shapely.get_coordinates(one.base), shapely.get_coordinates(other.base)])
        hull = shapely.convex_hull(shapely.multipoints(corners))
        shapely.prepare(hull)
        near = shapely.dwithin(hull, self.shapes, TOUCH + 2 * DOUBT)
        return [self.pieces[number] for number in np.flatnonzero(near)]

    def touches(self, spot: Spot, piece: Piece) -> Maybe:
        """Whether a base touches a piece of ground, or is in it."""
        key = (spot, piece.id)
        if key not in self.at:
            self.at[key] = up_to(spot.base.distance(piece.shape), TOUCH)
        return self.at[key]

    def is_in(self, spot: Spot, piece: Piece) -> Maybe:
        """Whether some part of a base is in an area."""
        key = (spot, piece.id)
        if key not in self.within:
            less = rectangle(spot.width - 3 * INSET, spot.depth - 3 * INSET, spot.at, spot.facing)
            some = True if less.intersects(piece.shape) else None
            self.within[key] = some if spot.base.intersects(piece.shape) else False
        return self.within[key]

    # Sight.

    def sees(self, one: Spot, other: Spot) -> Maybe:
        """Whether some part of a base sees some part of the other; it is the same both ways."""
        key = (one, other) if one <= other else (other, one)
        if key not in self.seen:
            self.seen[key] = self.look(*key)
        return self.seen[key]

    def look(self, one: Spot, other: Spot) -> Maybe:
        smoke = self.smoke
        first, second = self.wrapped(one), self.wrapped(other)
        if None in first or None in second:
            return None
        if True in first or True in second:
            if not any(a and b for a, b in zip(first, second, strict=True)):
                return False
            # Of other smoke between two who share some, no rule speaks.
            smoke = []
            if first != second:
                return None
        near = self.near(one, other)
        straight = self.straight(one, other, near)
        if straight is False:
            return False
        return both(straight, self.free(one, other, self.opaque(one, other, near), smoke))

    def free(
        self, one: Spot, other: Spot, opaque: list[tuple[Piece, bool]], smoke: list[Any], bases: Iterable[Any] = ()
    ) -> Maybe:
        """Whether one of the lines between two bases passes all that is in the way: ground, smoke, and other bases."""
        free: Maybe = True
        if not opaque and not smoke and not bases:
            return free
        for middle in (True, False):
            rays = Rays(one, other, middle=middle)
            sure: Mask = np.zeros(len(rays), dtype=np.bool_)
            perhaps = sure.copy()
            for piece, certain in opaque:
                stops, may_stop = through(rays, piece) if piece.area else across(rays, piece.shape)
                sure |= stops & certain
                perhaps |= may_stop
                if sure.all():
                    break
            for marker in smoke:
                far = shapely.distance(rays.lines, marker)
                sure |= far < SMOKE_FOR_SURE
                perhaps |= far < SMOKE_AT_MOST + DOUBT
            for body in bases:
                sure |= shapely.intersects(rays.lines, body.buffer(-INSET, join_style="mitre"))
                perhaps |= shapely.intersects(rays.lines, body)
            if not perhaps.all():
                return True
            free = False if sure.all() else None
        return free

    def wrapped(self, spot: Spot) -> list[Maybe]:
        """Which of the smoke a base touches or is in."""
        found: list[Maybe] = []
        for middle in self.smoke:
            far = spot.base.distance(middle)
            found.append(True if far < SMOKE_FOR_SURE + TOUCH else None if far < SMOKE_AT_MOST + 2 * TOUCH else False)
        return found

    def opaque(self, one: Spot, other: Spot, near: list[Piece]) -> list[tuple[Piece, bool]]:
        """What stops lines between two bases, and whether that is certain.

        Whatever is lower than one of them is looked over, and so is a high wall or hedge that one of them touches.
        """
        height = max(self.height(one), self.height(other))
        found = []
        for piece in near:
            if piece.top < height:
                continue
            if piece.kind.shape in ("area", "hill") and piece.area:
                found.append((piece, True))
            elif piece.kind.shape == "line" and piece.kind.tall:
                at = either(self.touches(one, piece), self.touches(other, piece))
                if at is not True:
                    found.append((piece, at is False))
        return found

    def straight(self, one: Spot, other: Spot, near: list[Piece]) -> Maybe:
        """Through thick bocage that one of two bases touches they see each other only fairly straight."""
        height = max(self.height(one), self.height(other))
        found: Maybe = True
        for piece in near:
            if not piece.kind.thick or piece.top < height:
                continue
            at = either(self.touches(one, piece), self.touches(other, piece))
            if at is not False:
                found = both(found, either(no(at), no(slanting(one.at, other.at, piece.shape))))
        return found

    # Concealment.

    def veil(self, eye: Spot, target: Spot) -> Veil:
        """What the ground does to conceal a target from somebody."""
        key = (eye, target)
        if key not in self.veils:
            self.veils[key] = self.find_veil(eye, target)
        return self.veils[key]

    def find_veil(self, eye: Spot, target: Spot) -> Veil:
        height = max(self.height(eye), self.height(target))
        rays, middle = Rays(eye, target), Rays(eye, target, middle=True)
        behind: Maybe = False
        occupied: Maybe = False
        shelter: Maybe = False
        for piece in self.near(eye, target):
            if not piece.kind.conceals or piece.kind.shape == "ground":
                continue
            over = piece.top < height
            if piece.kind.shape == "line":
                crossed = met(*across(rays, piece.shape))
                at = self.touches(target, piece)
                occupied = either(occupied, both(at, crossed))
                shelter = either(shelter, both(at, met(*across(middle, piece.shape))))
                if not over:
                    behind = either(behind, both(no(at), no(self.touches(eye, piece)), crossed))
                continue
            inside, eye_inside = self.is_in(target, piece), self.is_in(eye, piece)
            at = False
            if piece.kind.shape == "area":
                at = both(self.touches(target, piece), no(eye_inside))
                occupied = either(occupied, inside, at)
            if not over:
                behind = either(behind, both(no(inside), no(eye_inside), no(at), met(*crossing(rays, piece.shape))))
        return Veil(behind, occupied, shelter)


def up_to(inches: float, limit: float) -> Maybe:
    """Whether a distance is within a limit."""
    return None if abs(inches - limit) < DOUBT else inches < limit


def met(sure: Mask, perhaps: Mask) -> Maybe:
    """Whether one of some lines meets something."""
    return True if sure.any() else None if perhaps.any() else False


def across(rays: Rays, wall: Any) -> tuple[Mask, Mask]:
    """Which lines cross a wall, for sure and perhaps."""
    perhaps: Mask = shapely.dwithin(wall, rays.lines, DOUBT)
    sure: Mask = np.zeros(len(rays), dtype=np.bool_)
    some = np.flatnonzero(perhaps)
    if len(some):
        grazing = shapely.dwithin(rays.lines[some], wall.boundary, DOUBT)
        grazing |= shapely.dwithin(shapely.points(rays.starts[some]), wall, DOUBT)
        grazing |= shapely.dwithin(shapely.points(rays.ends[some]), wall, DOUBT)
        sure[some] = shapely.crosses(wall, rays.lines[some]) & ~grazing
    return sure, perhaps


@lru_cache(maxsize=4096)
def skins(area: Any) -> tuple[Any, Any]:
    """An area without its border, and with all that lies too near to it to be told apart."""
    both_skins = area.buffer(-DOUBT, join_style="mitre"), area.buffer(DOUBT, join_style="mitre")
    shapely.prepare(both_skins)
    return both_skins


def crossing(rays: Rays, area: Any) -> tuple[Mask, Mask]:
    """Which lines have a part in an area."""
    inner, outer = skins(area)
    sure: Mask = shapely.intersects(inner, rays.lines)
    perhaps: Mask = shapely.intersects(outer, rays.lines)
    return sure, perhaps


def through(rays: Rays, piece: Piece) -> tuple[Mask, Mask]:
    """Which lines run right through an area: one sees into it and out of it."""
    area = piece.shape
    sure, perhaps = crossing(rays, area)
    ended = shapely.intersects_xy(area, rays.starts[:, 0], rays.starts[:, 1])
    ended |= shapely.intersects_xy(area, rays.ends[:, 0], rays.ends[:, 1])
    again = np.flatnonzero(perhaps & ended)
    sure &= ~ended
    perhaps &= ~ended
    if len(again) and not bulging(area):
        # With a bay in its outline one may come out of an area and go through it once more.
        meets = shapely.get_num_geometries(shapely.intersection(rays.lines[again], area.boundary))
        for number in again[meets > 2]:
            ends = [shapely.Point(rays.starts[number]), shapely.Point(rays.ends[number])]
            parts = [part for part in shapely.get_parts(rays.lines[number].intersection(area)) if part.length > DOUBT]
            sure[number] = perhaps[number] = any(all(part.distance(end) > DOUBT for end in ends) for part in parts)
    return sure, perhaps


@lru_cache(maxsize=4096)
def bulging(area: Any) -> bool:
    """Whether an area has no bay in its outline."""
    return bool(area.convex_hull.area - area.area < DOUBT)


def slanting(one: Point, other: Point, hedge: Any) -> Maybe:
    """Whether the line between two middles crosses a hedge more than 45 degrees off the perpendicular."""
    line = shapely.LineString([one, other])
    if line.distance(hedge) > DOUBT:
        return False
    found: Maybe = False
    corners = list(hedge.coords)
    for a, b in pairwise(corners):
        edge = shapely.LineString([a, b])
        if line.distance(edge) > DOUBT:
            continue
        ends = [shapely.Point(end).distance(line) for end in (a, b)]
        ends += [shapely.Point(end).distance(edge) for end in (one, other)]
        if min(ends) <= DOUBT:
            return None
        if any(shapely.Point(end).distance(edge) <= DOUBT for end in (one, other)):
            return None
        dx, dy, ex, ey = other[0] - one[0], other[1] - one[1], b[0] - a[0], b[1] - a[1]
        along, off = abs(dx * ex + dy * ey), abs(dx * ey - dy * ex)
        found = either(found, None if abs(along - off) < DOUBT * hypot(dx, dy) * hypot(ex, ey) else along > off)
    return found


# Teams.


def view(watch: Watch, state: Any = None) -> View:
    """The table as it lies now, or in another state."""
    state = watch.state if state is None else state
    cache: dict[Any, View] = watch.memory.setdefault("views", {})
    wrecks = tuple((wreck.profile, tuple(wreck.at), wreck.facing) for wreck in state.wrecks)
    smoke = tuple(tuple(each.at) for each in state.smoke)
    key = (wrecks, smoke, tuple(state.cleared), tuple(feature.id for feature in state.laid))
    if key not in cache:
        cache[key] = View(ground(watch, state), smoke)
    return cache[key]


def hosts(state: Any, unit: Any, team: Any) -> list[Any]:
    """The Team at whose place a Team counts as being: its carrier; for a Leader the Team of his Unit that he touches.

    Several: one of these, nobody can tell which. None: it is nowhere on the table.
    """
    team = stand_of(state, team)
    if team.at is None:
        return []
    if team.role in ("pl", "cc"):
        near = [(gap(team, mate), mate) for mate in unit.teams.values() if mate.id != team.id and mate.at is not None]
        near = [(inches, mate) for inches, mate in near if inches <= CONTACT + DOUBT]
        if near:
            least = min(inches for inches, _ in near)
            found = [mate for inches, mate in near if inches <= least + DOUBT]
            return [*found, team] if least > CONTACT - DOUBT else found
    return [team]


def places(state: Any, unit: Any, team: Any) -> list[Spot]:
    """Where a Team counts as being."""
    return [spot_of(host) for host in hosts(state, unit, team)]


def agreed(facts: Iterable[Maybe]) -> Maybe:
    """What is the same wherever somebody is."""
    found = set(facts)
    return found.pop() if len(found) == 1 else None


def sees(watch: Watch, one: tuple[Any, Any], other: tuple[Any, Any], state: Any = None) -> Maybe:
    """Whether a Team (with its Unit) sees another; False if one of them is nowhere on the table."""
    state = watch.state if state is None else state
    here = view(watch, state)
    ours, theirs = places(state, *one), places(state, *other)
    if not ours or not theirs:
        return False
    return agreed(here.sees(a, b) for a in ours for b in theirs)


def seen_by_any(watch: Watch, eyes: Iterable[tuple[Any, Any]], member: tuple[Any, Any], state: Any = None) -> Maybe:
    found: Maybe = False
    for eye in eyes:
        found = either(found, sees(watch, eye, member, state))
        if found:
            break
    return found
