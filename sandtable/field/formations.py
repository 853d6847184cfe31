"""Bodies of men in ranks and files: where each stands, how the body marches and wheels, and who hangs together.

A body that keeps its ranks is one pose: the middle of its front rank, how it faces, and how many files it has. The
places of its figures follow from that. They are never moved one by one, so that no wheel adds to the rounding of
another.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import msgspec

from sandtable.engine.numbers import Whole
from sandtable.field.courses import length_of
from sandtable.field.troops import Point
from sandtable.table import distance as measure
from sandtable.table.shapes import Floats, heading, snap, stored_facing

ARC_STEP = 5.0
"""Degrees: a wheel is looked at in steps no larger than this, for what stands in its way."""


class Pose(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Where a body stands: the middle of its front rank, how it faces, and how many stand abreast."""

    at: tuple[float, float]
    facing: float
    files: Whole


class Leg(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A part of a march: so many inches ahead, or a wheel by so many degrees, to the right if they are positive."""

    ahead: float = 0.0
    wheel: float = 0.0


class Marched(msgspec.Struct, frozen=True):
    """What a march comes to: the poses at its ends, the way of each figure, and how far the farthest went."""

    start: Pose
    pose: Pose
    ways: list[list[Point]]
    inches: float


# Ranks and files.


def ranks_of(count: int, files: int) -> list[int]:
    """How many stand in each rank, the front rank first: equal ones, and what is left over in the last."""
    full, rest = divmod(count, files)
    return [files] * full + ([rest] if rest else [])


def slots(count: int, files: int) -> list[tuple[int, int]]:
    """The rank and file of each figure, rank by rank from the left; a short last rank stands behind the middle."""
    return [
        (rank, file + (files - strength) // 2)
        for rank, strength in enumerate(ranks_of(count, files))
        for file in range(strength)
    ]


def places(pose: Pose, count: int, pitch: float) -> list[Point]:
    """Where the middle of each figure is, not rounded; `pitch` is the way from one to the next, abreast and behind."""
    sin, cos = heading(pose.facing)
    found = []
    for rank, file in slots(count, pose.files):
        right, back = (file - (pose.files - 1) / 2) * pitch, rank * pitch
        found.append((pose.at[0] + right * cos - back * sin, pose.at[1] - right * sin - back * cos))
    return found


def stored(pose: Pose) -> Pose:
    """A pose as a state keeps it."""
    return Pose((snap(pose.at[0]), snap(pose.at[1])), stored_facing(pose.facing), pose.files)


# Marches.


def wheeled(pose: Pose, degrees: float, pitch: float) -> Pose:
    """The pose after a wheel about the inner end of the front rank: its right end for a wheel to the right."""
    pivot = pivot_of(pose, degrees, pitch)
    return Pose(turned(pose.at, pivot, degrees), (pose.facing + degrees) % 360.0, pose.files)


def pivot_of(pose: Pose, degrees: float, pitch: float) -> Point:
    sin, cos = heading(pose.facing)
    side = math.copysign((pose.files - 1) / 2 * pitch, degrees)
    return pose.at[0] + side * cos, pose.at[1] - side * sin


def turned(point: Point, pivot: Point, degrees: float) -> Point:
    """A point, turned clockwise about another."""
    return about(point, pivot, *heading(degrees))


def about(point: Point, pivot: Point, sin: float, cos: float) -> Point:
    """The same by the sine and the cosine."""
    dx, dy = point[0] - pivot[0], point[1] - pivot[1]
    return pivot[0] + dx * cos + dy * sin, pivot[1] - dx * sin + dy * cos


def about_faced(pose: Pose, count: int, pitch: float) -> Pose:
    """The same body looking the other way: its rear rank is its front, and a short one closes up behind."""
    depth = (len(ranks_of(count, pose.files)) - 1) * pitch
    sin, cos = heading(pose.facing)
    return Pose((pose.at[0] - depth * sin, pose.at[1] - depth * cos), (pose.facing + 180.0) % 360.0, pose.files)


def ended(pose: Pose, legs: Sequence[Leg], pitch: float) -> Pose:
    """The pose in which a march ends: that of `march`, without the ways."""
    for leg in legs:
        if leg.ahead:
            pose = advanced(pose, leg.ahead)
        if leg.wheel:
            pose = wheeled(pose, leg.wheel, pitch)
    return pose


def advanced(pose: Pose, inches: float) -> Pose:
    sin, cos = heading(pose.facing)
    return Pose((pose.at[0] + inches * sin, pose.at[1] + inches * cos), pose.facing, pose.files)


def march(pose: Pose, legs: Sequence[Leg], count: int, pitch: float) -> Marched:
    """A body goes ahead and wheels, leg after leg. A wheel costs each figure the arc on which it goes."""
    start = pose
    ways = [[place] for place in places(pose, count, pitch)]
    far = [0.0] * count
    for leg in legs:
        if leg.ahead:
            pose = advanced(pose, leg.ahead)
            far = [inches + abs(leg.ahead) for inches in far]
            for way, place in zip(ways, places(pose, count, pitch), strict=True):
                way.append(place)
        if leg.wheel:
            pivot = pivot_of(pose, leg.wheel, pitch)
            arc = math.radians(abs(leg.wheel))
            far = [inches + arc * math.dist(way[-1], pivot) for inches, way in zip(far, ways, strict=True)]
            parts = math.ceil(abs(leg.wheel) / ARC_STEP)
            begun = [way[-1] for way in ways]
            for part in range(1, parts + 1):
                sin, cos = heading(leg.wheel * part / parts)
                for way, place in zip(ways, begun, strict=True):
                    way.append(about(place, pivot, sin, cos))
            pose = wheeled(pose, leg.wheel, pitch)
    return Marched(start, pose, ways, max(far, default=0.0))


def stopped_after(pose: Pose, legs: Sequence[Leg], count: int, pitch: float, inches: float) -> list[Leg]:
    """The legs of a march up to where the figure that goes farthest has gone so many inches."""
    found: list[Leg] = []
    for leg in (part for whole in legs for part in (Leg(whole.ahead), Leg(wheel=whole.wheel)) if part != Leg()):
        before = march(pose, found, count, pitch).inches
        whole = march(pose, [*found, leg], count, pitch).inches - before
        if before + whole <= inches:
            found.append(leg)
            continue
        part = (inches - before) / whole
        return [*found, *shortened([leg], part)]
    return found


def gone_by(done: Marched, number: int, inches: float) -> float:
    """How far the figure that goes farthest has gone when the one of this number has gone so many inches.

    Before anything has begun nobody has gone anywhere; whoever is the pivot of a wheel goes on when it is over.
    """
    left = inches
    if left <= 0.0:
        return 0.0
    for point, (start, end) in enumerate(pairwise(done.ways[number])):
        step = math.dist(start, end)
        if left < step:
            part = left / step
            return max(length_of(way[: point + 1]) + part * math.dist(*way[point : point + 2]) for way in done.ways)
        left -= step
    return done.inches


def shortened(legs: Sequence[Leg], part: float) -> list[Leg]:
    """The same march, of which each leg is only gone in part."""
    return [Leg(leg.ahead * part, leg.wheel * part) for leg in legs]


# Chains.


def hang_together(rows: Floats, reach: float, hair: float) -> bool:
    """Whether all bases are one chain, none of whose gaps is wider than `reach`."""
    return not any(measure.chains(rows, reach + hair))
