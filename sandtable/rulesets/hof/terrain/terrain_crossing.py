"""Crossing terrain: what ground a path leads over, who may cross it, and where a base comes to a halt before it.

A path is judged by the centre of the base. Where a road, a bridge or a ford lies, the ground beside it does not count.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import numpy as np

from sandtable.field.courses import Path, stations
from sandtable.rulesets.hof.core.arsenal import Profile
from sandtable.rulesets.hof.core.ground import Ground, Ints, Rows
from sandtable.rulesets.hof.core.state import Point
from sandtable.rulesets.hof.core.terrain import TOUCH, Kind
from sandtable.rulesets.hof.kernels import passage
from sandtable.table import distance as measure
from sandtable.table import moves
from sandtable.table.hairs import NOTHING
from sandtable.table.moves import Span

SAMPLE = 0.25
"""How finely a path is looked at, in inches."""

SURE_FOOTED = ("foot", "man-portable", "tracked")
"""Those who may go into Very Difficult terrain."""


# Roads.


def follows_road(ground: Ground, path: Path) -> bool:
    """Whether a whole path lies on roads (hof.moving.road-bonus-tracked); a ford is no road."""
    roads = ground.roads
    if not len(roads.numbers):
        return False
    return passage.first_off(ground.terrain, roads.numbers, roads.wide, np.array(path)) is None


# What lies on the way.


def crosses_any(ground: Ground, path: Path, numbers: Ints) -> bool:
    """Whether a path might lead over some of the features of these numbers: never wrongly no."""
    return moves.ways_crossed(ground.terrain, numbers, moves.together([path]))[0]


Wanted = Literal["rough", "obstacle", "rough_or_obstacle"]
"""What of the ground may be asked for on a path, by its name in the ground's table."""


def crossings(ground: Ground, path: Path, wanted: Wanted) -> list[Span]:
    """The stretches of a path over the wanted features, in order, without those on roads and fords."""
    return find_crossings(ground, tuple(path), wanted)


@lru_cache(maxsize=64)
def find_crossings(ground: Ground, points: tuple[Point, ...], wanted: Wanted) -> list[Span]:
    """What has just been asked is remembered: a move is declared by the stretches by which it is carried out."""
    path = list(points)
    spans = moves.spans(ground.terrain, path, ground.table.numbers(getattr(ground.table, wanted)))
    if not spans or not ground.table.any_way:
        return spans
    left = [beside_ways(ground, path, span) for span in spans]
    return sorted([span for span in left if span is not None], key=lambda span: span.enter)


def beside_ways(ground: Ground, path: Path, span: Span) -> Span | None:
    """A stretch from where it is on no road, bridge or ford; None if it is on them all along.

    Whoever stands on a bridge is not in the river. Wrecks and laid obstacles lie on the road as well.
    """
    kind = ground.table.kinds[span.feature]
    if kind.shape == "thing" or kind.obstacle:
        return span
    ways = ground.ways
    off = passage.first_off(ground.terrain, ways.numbers, ways.wide, np.array(path), span.enter, span.leave)
    if off is None:
        return None
    return (
        span
        if measure.within(off, span.enter, NOTHING)
        else Span(span.feature, off, span.leave, started=False, ended=span.ended)
    )


def halt_before(ground: Ground, row: Rows, path: Path, crossing: Span) -> float:
    """How far along its path a base comes into contact with ground that its centre would cross there."""
    distances = stations(crossing.enter, SAMPLE)
    gaps = passage.gaps_along(ground.terrain, crossing.feature, row, np.array(path), distances)
    last = next((number for number in reversed(range(len(gaps))) if gaps[number] > TOUCH / 2), None)
    if last is None:
        return max(0.0, crossing.enter - float(max(row[5], row[6])))
    if last == len(distances) - 1:
        return distances[-1]
    return touch_between(ground, row, path, crossing.feature, distances[last], distances[last + 1])


def touch_between(ground: Ground, row: Rows, path: Path, feature: int, low: float, high: float) -> float:
    """Between two places of a path, the last one at which a base is just clear of a feature."""
    return passage.touch_between(ground.terrain, feature, row, np.array(path), low, high, TOUCH / 2)


def first_touch(ground: Ground, row: Rows, path: Path, upto: float, feature: int) -> float | None:
    """Where a base that is clear of a feature first comes into contact with it; None if it never does."""
    distances = stations(upto, SAMPLE)
    gaps = passage.gaps_along(ground.terrain, feature, row, np.array(path), distances)
    first = next((number for number, gap in enumerate(gaps) if gap <= TOUCH / 2), None)
    if first is None:
        return None
    if first == 0:
        return 0.0
    return touch_between(ground, row, path, feature, distances[first - 1], distances[first])


# Who may cross what.


def terrain_rule(kind: Profile) -> str:
    """The line of the Terrain Effects Table that speaks of a Team."""
    if kind.category == "infantry":
        return "hof.moving.infantry-terrain"
    if kind.category == "gun":
        return "hof.special-rules.man-portable-move" if kind.mobility == "man-portable" else "hof.moving.gun-terrain"
    return "hof.moving.tracked-terrain" if kind.mobility == "tracked" else "hof.moving.halftrack-wheeled-terrain"


def may_cross(kind: Profile, ground: Kind) -> bool:
    """The Terrain Effects Table, as far as it forbids."""
    if ground.going == "impassable":
        return ground.water and "amphibious" in kind.keywords
    if ground.going == "very-difficult":
        return kind.mobility in SURE_FOOTED
    return True


def checks_for(kind: Profile, ground: Kind) -> bool:
    """Whether a Team must pass a Terrain Check to cross this ground."""
    return kind.vehicle and ground.going in ("difficult", "very-difficult")
