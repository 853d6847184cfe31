"""Arcs, ranges and lines of fire of single figures."""

from __future__ import annotations

import math
from typing import Any

from shapely.geometry import LineString, Point

from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.sof.stock import Way, special_of
from sandtable.testing.umpire.sof.table import (
    HAIR,
    NEVER,
    SURE,
    Maybe,
    any_of,
    bearing,
    both,
    figures,
    gap,
    levels,
    radius,
    sees,
    there,
    turn_between,
)

CLEARANCE = 1.0
HIGH_GROUND = 3.0
LEVEL_INCHES = 3.0


def in_arc(unit: Any, figure: Any, way: Way | None, other: Any) -> Maybe:
    """Whether a model lies in the arc into which a figure may fire with this weapon: any part of its base does."""
    if unit.formation == "linear" and unit.pose is not None:
        middle, facing, half = unit.pose.at, unit.pose.facing, 90.0
    elif way is not None and "fixed" in way.special | special_of(figure):
        # Whatever it fires, and what else the man has who serves it, is fired from behind it, the same way.
        middle, facing, half = figure.at, figure.facing, 45.0
    else:
        return SURE
    away = math.dist(middle, other.at)
    if away <= radius(other):
        return SURE
    off = turn_between(bearing(middle, other.at), facing) - math.degrees(math.asin(radius(other) / away))
    slack = math.degrees(HAIR / away) + 0.05
    return Maybe(off <= half - slack, off <= half + slack)


def friends_clear(state: Any, unit: Any, line: LineString, way: Way | None) -> Maybe:
    """Whether a line keeps more than an inch away from friends of other units."""
    if way is not None and "overhead-fire" in way.special:
        return SURE
    sure = may = True
    for other in state.units.values():
        if other.id == unit.id or other.side != unit.side:
            continue
        # Who lies in ambush is a friend as well.
        for friend in there(other):
            room = line.distance(Point(friend.at)) - radius(friend)
            if way is not None and "trajectory" in way.special:
                ends = [math.dist(end, friend.at) for end in (line.coords[0], line.coords[-1])]
                if min(ends) > 8.0 + radius(friend) + 0.8:
                    continue
            sure = sure and room > CLEARANCE + HAIR
            may = may and room > CLEARANCE - HAIR
    return Maybe(sure, may)


def line_of_fire(watch: Watch, state: Any, unit: Any, figure: Any, way: Way | None, target: Any) -> dict[str, Maybe]:
    """For each model of a target, whether a figure has a free line to it within its arc."""
    found = {}
    for other in figures(target):
        line = LineString([figure.at, other.at])
        arc = in_arc(unit, figure, way, other)
        if not arc.may:
            found[other.id] = NEVER
            continue
        free = both(sees(watch, figure.at, other.at), friends_clear(state, unit, line, way))
        found[other.id] = both(arc, free)
    return found


def can_fire_at(watch: Watch, state: Any, unit: Any, figure: Any, way: Way | None, target: Any) -> Maybe:
    return any_of(list(line_of_fire(watch, state, unit, figure, way, target).values()))


def true_distance(watch: Watch, one: Any, other: Any) -> tuple[float, float]:
    """Inches from model to model, with the difference of their heights: the least and the most it may be."""
    flat = gap(one, other)
    rises = [abs(a - b) for a in levels(watch, one.at) for b in levels(watch, other.at)]
    return math.hypot(flat, LEVEL_INCHES * min(rises)), math.hypot(flat, LEVEL_INCHES * max(rises))


def nearest(watch: Watch, figure: Any, target: Any) -> tuple[float, float]:
    """From a figure to the nearest model of a target."""
    spans = [true_distance(watch, figure, other) for other in figures(target)]
    return min(least for least, _ in spans), min(most for _, most in spans)


def reach(watch: Watch, figure: Any, way: Way) -> tuple[float, float]:
    """The range of a weapon, with what high ground adds: the least and the most it may be."""
    heights = levels(watch, figure.at)
    return (
        way.range + (HIGH_GROUND if min(heights) >= 2 else 0.0),
        way.range + (HIGH_GROUND if max(heights) >= 2 else 0.0),
    )
