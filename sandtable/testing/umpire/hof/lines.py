"""Lines of fire: who of those who fire can reach a target, past friends, out of houses, in arc and range."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import cos, radians, sin
from typing import Any

import shapely
from shapely.geometry.polygon import orient

from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.hof.sight import (
    DOUBT,
    Maybe,
    Rays,
    Spot,
    Veil,
    View,
    agreed,
    both,
    crossing,
    either,
    met,
    no,
    places,
    sees,
    spot_of,
    up_to,
    view,
)
from sandtable.testing.umpire.hof.stock import Make, Weapon
from sandtable.testing.umpire.hof.table import TOUCH, Member, Piece, base, kind_of, members, stand_of, standing

SPILL = 4.0
"""Teams this near to the target may be fired at in its place, and take hits."""

ARC = 45.0
"""Degrees to either side for whoever has no turret."""


@dataclass(frozen=True)
class Aim:
    """What the umpire finds of a Team that is told to fire at a target.

    `may`: it can fire; `at`: the enemy to whom range and arc are measured; `itself`: it sees the target (or a Leader's
    eyes see it for a light mortar: `lent`).
    """

    may: Maybe
    at: Any = None
    gap: float = 0.0
    itself: Maybe = False
    lent: Maybe = False


def place(state: Any, team: Any) -> Spot | None:
    """Where a Team fires from, or is fired at: its own base, or that of the Vehicle that it is on."""
    stand = stand_of(state, team)
    return None if stand.at is None else spot_of(stand)


def distance(state: Any, one: Any, other: Any) -> float:
    return float(base(stand_of(state, one)).distance(base(stand_of(state, other))))


def open_targets(state: Any, side: str) -> list[Member]:
    """The Teams of a side that may be fired at: those on the table, and Riders."""
    return [
        (unit, team)
        for unit, team in members(state)
        if unit.side == side and (team.at is not None or (team.role == "rider" and stand_of(state, team).at))
    ]


def about(state: Any, target: Member) -> list[Member]:
    """A target and the Teams of its side within 4 inches of it, itself first."""
    unit, team = target
    near = [
        member
        for member in open_targets(state, unit.side)
        if member[1].id != team.id and distance(state, team, member[1]) <= SPILL + DOUBT
    ]
    return [target, *near]


def in_arc(team: Any, spot: Spot, target: Any) -> Maybe:
    """Whether some part of a target lies before a Team that has no turret."""
    kind: Make = kind_of(team)
    if kind.category == "infantry" or (kind.vehicle and "hull-mounted" not in kind.keywords) or team.at is None:
        return True
    x, y = spot.at
    far = 400.0
    rim = [
        (x + far * sin(radians(spot.facing + turn)), y + far * cos(radians(spot.facing + turn)))
        for turn in (-ARC, -ARC / 2, 0.0, ARC / 2, ARC)
    ]
    field = shapely.Polygon([(x, y), *rim])
    return up_to(field.distance(base(target)), 0.0) if not field.intersects(base(target)) else within(field, target)


def within(field: shapely.Polygon, target: Any) -> Maybe:
    """Whether more than a hair of a base lies in a field of fire."""
    return True if field.intersection(base(target)).area > DOUBT else None


def behind_front(eye: Spot, hull: Any) -> Maybe:
    """Whether fire comes from behind the line across the front of a hull."""
    (x, y), (hx, hy) = eye.at, hull.at
    ahead = (x - hx) * sin(radians(hull.facing)) + (y - hy) * cos(radians(hull.facing))
    beyond = ahead - spot_of(hull).depth / 2
    return None if abs(beyond) < DOUBT else beyond < 0


def veil_of(watch: Watch, state: Any, eye: Spot, target: Member) -> Veil:
    """All that conceals a target: ground, trenches and obstacles, its own concrete, the tank that it rides on."""
    unit, team = target
    here = view(watch, state)
    found = [with_works(here, eye, spot, team, here.veil(eye, spot)) for spot in places(state, unit, team)]
    veil = Veil(*(agreed(getattr(each, name) for each in found) for name in ("between", "occupied", "shelter")))
    if team.role == "bunker":
        return Veil(True, veil.occupied, veil.shelter)
    if team.role == "rider":
        front = no(behind_front(eye, stand_of(state, team)))
        return Veil(either(veil.between, front), veil.occupied, front)
    return veil


def with_works(here: View, eye: Spot, spot: Spot, team: Any, veil: Veil) -> Veil:
    """The cover of trenches and anti-tank obstacles, which serve those on foot and guns."""
    if kind_of(team).vehicle or team.role == "rider":
        return veil
    occupied, shelter = veil.occupied, veil.shelter
    middle = shapely.Point(spot.at)
    for piece in here.pieces:
        if piece.kind.trench:
            occupied = either(occupied, in_area(middle, piece))
        elif piece.kind.obstacle == "at-obstacle":
            across = both(at_rim(spot, piece), met(*crossing(Rays(eye, spot, middle=True), piece.shape)))
            occupied, shelter = either(occupied, across), either(shelter, across)
    return Veil(veil.between, occupied, shelter)


def at_rim(spot: Spot, piece: Piece) -> Maybe:
    """Whether a base touches the outline of an area; of one that lies wholly inside no rule speaks."""
    at = up_to(spot.base.distance(piece.shape.boundary), TOUCH)
    return None if at is False and piece.shape.contains(spot.base) else at


def in_area(point: Any, piece: Piece) -> Maybe:
    """Whether a point lies in an area; its border belongs to it, but nobody can tell a hair."""
    if piece.shape.boundary.distance(point) < DOUBT:
        return None
    return bool(piece.shape.intersects(point))


# From here to there.


def looks_out(here: View, spot: Spot, target: Spot) -> Maybe:
    """Who is in a building fires at what is outside only from the wall on that side."""
    found: Maybe = True
    for piece in here.pieces:
        if not piece.kind.building or not piece.area:
            continue
        indoors = in_area(shapely.Point(spot.at), piece)
        if indoors is False or here.is_in(target, piece):
            continue
        found = both(found, either(no(indoors), here.is_in(target, piece), at_wall(spot, target, piece)))
    return found


def at_wall(spot: Spot, target: Spot, piece: Piece) -> Maybe:
    """Whether a base touches a wall of a house beyond whose line a target's middle lies."""
    rim = list(orient(piece.shape).exterior.coords)
    found: Maybe = False
    x, y = target.at
    for (ax, ay), (bx, by) in pairwise(rim):
        touching = up_to(spot.base.distance(shapely.LineString([(ax, ay), (bx, by)])), TOUCH)
        # The outline runs counter-clockwise: what is outside lies to the right of each wall.
        right = (by - ay) * (x - ax) - (bx - ax) * (y - ay)
        found = either(found, both(touching, None if abs(right) < DOUBT else right > 0))
    return found


def in_the_way(watch: Watch, state: Any, firer: Member, target: Any) -> list[Any]:
    """The bases of friends who stop a Team's fire at a target, if they are between."""
    unit, team = firer
    here = view(watch, state)
    own = stand_of(state, team)
    on_foot = kind_of(team).category == "infantry"
    low = on_foot and kind_of(target).category == "infantry"
    height = here.height(spot_of(own))
    found = []
    for mate_unit, mate in standing(state, unit.side):
        if mate.id == own.id or (kind_of(mate).category == "infantry" and not low):
            continue
        if mate.role in ("pl", "cc") and places(state, mate_unit, mate) != [spot_of(mate)]:
            continue
        if here.height(spot_of(mate)) >= height:
            found.append(base(mate))
    return found


def line(watch: Watch, state: Any, firer: Member, target: Member) -> Maybe:
    """Whether a Team that sees a target has a line of fire to it."""
    eye = place(state, firer[1])
    assert eye is not None
    here = view(watch, state)
    found = []
    for spot in places(state, *target):
        free: Maybe = True
        friends = in_the_way(watch, state, firer, target[1])
        if friends:
            shared = any(a and b for a, b in zip(here.wrapped(eye), here.wrapped(spot), strict=True))
            opaque = here.opaque(eye, spot, here.near(eye, spot))
            free = here.free(eye, spot, opaque, [] if shared else here.smoke, friends)
        found.append(both(free, looks_out(here, eye, spot)))
    return agreed(found)


def sees_target(watch: Watch, state: Any, firer: Any, target: Member) -> Maybe:
    eye = place(state, firer)
    spots = places(state, *target)
    if eye is None or not spots:
        return False
    return agreed(view(watch, state).sees(eye, spot) for spot in spots)


def aim_of(watch: Watch, state: Any, firer: Member, target: Member, reach: float, leader: Member | None) -> Aim:
    """Whether and at what a Team fires under an order that names a target."""
    team = firer[1]
    eye = place(state, team)
    if eye is None:
        return Aim(False)
    gap = distance(state, team, target[1])
    seen = sees_target(watch, state, team, target)
    if seen is None:
        return Aim(None)
    if seen:
        hull = stand_of(state, target[1])
        may = both(up_to(gap, reach) is not False, in_arc(team, eye, hull), line(watch, state, firer, target))
        return Aim(may, target[1], gap, True)
    lent = leads_fire(watch, state, team, target, leader)
    if lent is not False:
        may = both(lent, up_to(gap, reach) is not False, in_arc(team, eye, stand_of(state, target[1])))
        if may is not False:
            return Aim(may, target[1], gap, may, may)
    best: Aim = Aim(False)
    for member in about(state, target)[1:]:
        near = distance(state, team, member[1])
        seen = both(sees_target(watch, state, team, member), up_to(near, reach) is not False)
        if seen is not False:
            seen = both(seen, line(watch, state, firer, member))
        if seen is None:
            return Aim(None)
        if seen and (best.at is None or near < best.gap):
            best = Aim(in_arc(team, eye, stand_of(state, member[1])), member[1], near)
    return best


def leads_fire(watch: Watch, state: Any, team: Any, target: Member, leader: Member | None) -> Maybe:
    """Whether a light mortar fires with its Leader's eyes."""
    if leader is None or not any("light-mortar" in weapon.keywords for weapon in kind_of(team).weapons):
        return False
    return sees(watch, leader, target, state)


# Weapons.


def reach_of(weapon: Weapon, flame: bool) -> float:
    """Twice its range; a flame-thrower's fire goes no farther than its range."""
    return weapon.range if flame and "flame-thrower" in weapon.keywords else 2 * weapon.range


def weapons_now(watch: Watch, state: Any, unit: Any, team: Any) -> list[Weapon]:
    """What a Team may fire now."""
    if team.role in ("pl", "cc", "fo", "sniper"):
        return []
    here = view(watch, state)
    found = []
    for weapon in kind_of(team).weapons:
        words = weapon.keywords
        if not weapon.direct or "assault-only" in words:
            continue
        if "passenger-fired" in words and not any(mate.carrier == team.id for mate in unit.teams.values()):
            continue
        if "flame-thrower" in words and team.spent and watch.setup.options.flame:
            continue
        if "not-from-buildings" in words and team.at is not None:
            middle = shapely.Point(team.at)
            if any(piece.kind.building and in_area(middle, piece) for piece in here.pieces if piece.area):
                continue
        found.append(weapon)
    return found
