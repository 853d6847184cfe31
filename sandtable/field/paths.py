"""Paths of moves: how long they are, and where one is after some inches of them."""

from __future__ import annotations

import math
from itertools import pairwise

from sandtable.engine.questions import Step
from sandtable.field.troops import Point
from sandtable.table.hairs import NOTHING

Path = list[Point]


def path_of(start: Point, step: Step) -> Path:
    """The whole way of a step, with its corners."""
    return [start, *step.via, step.to]


def length_of(path: Path) -> float:
    if len(path) == 2:
        return math.dist(path[0], path[1])
    return sum(math.dist(a, b) for a, b in pairwise(path))


def point_at(path: Path, inches: float) -> Point:
    """The point so many inches along a path."""
    left = inches
    for a, b in pairwise(path):
        leg = math.dist(a, b)
        if left <= leg and leg > 0:
            (x0, y0), (x1, y1) = a, b
            return x0 + (x1 - x0) * left / leg, y0 + (y1 - y0) * left / leg
        left -= leg
    return path[-1]


def leg_at(path: Path, inches: float) -> tuple[Point, Point]:
    """The leg of a path on which one is after so many inches."""
    if len(path) == 2:
        return path[0], path[1]
    left = inches
    legs = [(a, b) for a, b in pairwise(path) if a != b]
    for a, b in legs:
        left -= math.dist(a, b)
        if left <= NOTHING:
            return a, b
    return legs[-1] if legs else (path[0], path[-1])


def leg_begins(path: Path, inches: float) -> float:
    """How far along a path the leg begins on which one is after so many inches."""
    begun = gone = 0.0
    for a, b in pairwise(path):
        if gone >= inches - NOTHING:
            break
        begun = gone
        gone += math.dist(a, b)
    return begun


def corners_passed(path: Path, inches: float) -> list[Point]:
    """The corners of a path that one has passed after so many inches."""
    found: list[Point] = []
    gone = 0.0
    for a, b in pairwise(path[:-1]):
        gone += math.dist(a, b)
        if gone >= inches:
            break
        found.append(b)
    return found


def stations(upto: float, step: float) -> list[float]:
    """Distances along a path at which it is looked at, both ends included."""
    count = max(1, math.ceil(upto / step))
    return [upto * number / count for number in range(count + 1)]
