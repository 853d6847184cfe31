"""Charges: the shortest way into contact, by the shapes of all bases."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np
import shapely
import shapely.ops
from shapely import LineString, MultiPoint, Point
from shapely.geometry.base import BaseGeometry

from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.tr14.geometry import HAIR, Land, Pose, Spot, corners, gap, gap_to_any, length_of, overlap

CONTACT = 0.05
"""Bases nearer than this touch."""
ROUGHLY = 0.15
"""A way that is longer than the shortest by no more than this is as short: places are found on a grid."""


@lru_cache(maxsize=5_000)
def barred(obstacle: Pose, profile: str, facing: float) -> BaseGeometry:
    """Where the middle of a base may not be, lest it lie on an obstacle."""
    own = corners(Pose(profile, 0.0, 0.0, facing))
    return MultiPoint([(x - dx, y - dy) for x, y in corners(obstacle) for dx, dy in own]).convex_hull


def room(here: Land, mover: Pose) -> BaseGeometry:
    """Where the middle of a base may be, so that all of it is on the table."""
    own = corners(mover._replace(x=0.0, y=0.0))
    wide, deep = max(x for x, _ in own), max(y for _, y in own)
    return shapely.box(wide, deep, here.width - wide, here.depth - deep)


def shortest(here: Land, mover: Pose, goals: Sequence[Pose], others: Iterable[Pose], enemies: Sequence[Pose]) -> float:
    """The shortest straight way into contact with one of the goals, for certain free; infinite if there is none."""
    start = Point(mover.at())
    closed = shapely.union_all([barred(each, mover.profile, mover.facing).buffer(HAIR) for each in others])
    walls = [barred(each, mover.profile, mover.facing).buffer(-HAIR / 2) for each in enemies]
    best = math.inf
    for goal in goals:
        ring = barred(goal, mover.profile, mover.facing).buffer(HAIR, join_style="mitre").exterior
        free = ring.intersection(room(here, mover)).difference(closed)
        if free.is_empty or start.distance(free) >= best:
            continue
        for spot in candidates(free, start):
            far = start.distance(spot)
            if far < best and not any(wall.intersects(LineString([start, spot])) for wall in walls):
                best = far
    return best


def candidates(free: BaseGeometry, start: Point) -> list[Point]:
    """The nearest point of some lines, and points all along them."""
    found = [shapely.ops.nearest_points(free, start)[0]]
    for part in shapely.get_parts(free):
        if part.length:
            steps = np.arange(0.0, part.length, 0.4)
            found += list(shapely.line_interpolate_point(part, steps))
    return found


def look_at_charge(
    watch: Watch,
    rule: str,
    name: str,
    here: Land,
    way: Sequence[Spot],
    mover: Pose,
    goals: Sequence[Pose],
    others: Sequence[Pose],
    enemies: Sequence[Pose],
    reach: float,
) -> None:
    """Into contact by the shortest way, or as near as can be. `others` stand before or after the charge."""
    length = length_of(way)
    end = mover._replace(x=way[-1][0], y=way[-1][1])
    if length > reach + HAIR:
        watch.object_to(rule, f"{name} goes {length:.2f} inches, and {reach:g} are allowed")
    if not goals:
        return
    far = gap_to_any(end, goals)
    near = [each for each in {*others, *enemies} if math.dist(each.at(), mover.at()) < reach + 6]
    best = shortest(here, mover, goals, near, [each for each in enemies if each in near])
    if far <= CONTACT + HAIR:
        watch.count("charges into contact")
        if length > best + ROUGHLY:
            watch.object_to(rule, f"{name} goes {length:.2f} inches into contact, and {best:.2f} would do")
    elif best <= reach - HAIR:
        watch.object_to(rule, f"{name} stops {far:.2f} inches away, and could be in contact after {best:.2f}")
    else:
        watch.count("charges that fall short")
        straight = nearest_straight(here, mover, goals, near, reach)
        if straight is not None and far > straight + ROUGHLY:
            watch.object_to(rule, f"{name} stops {far:.2f} inches away, and could come to {straight:.2f}")


def nearest_straight(
    here: Land, mover: Pose, goals: Sequence[Pose], others: Sequence[Pose], reach: float
) -> float | None:
    """How near a base comes that goes straight for the nearest goal, if that way and its end are free."""
    goal = min(goals, key=lambda each: gap(mover, each))
    ring = barred(goal, mover.profile, mover.facing).exterior
    spot = shapely.ops.nearest_points(ring, Point(mover.at()))[0]
    length = math.dist(mover.at(), (spot.x, spot.y))
    if length <= reach:
        return None
    part = (reach - HAIR) / length
    end = mover._replace(x=mover.x + (spot.x - mover.x) * part, y=mover.y + (spot.y - mover.y) * part)
    line = LineString([mover.at(), end.at()])
    blocked = any(barred(each, mover.profile, mover.facing).buffer(HAIR).intersects(line) for each in others)
    if blocked or not here.on_table(end) or any(overlap(end, each) for each in others):
        return None
    return gap_to_any(end, goals)
