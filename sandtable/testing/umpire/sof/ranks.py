"""Bodies in ranks: where each man stands, and what a march costs him who goes farthest."""

from __future__ import annotations

import math
from typing import Any

from sandtable.testing.umpire.sof.table import Spot, figures, radius

Body = tuple[Spot, float, int]
"""The middle of a front rank, how it faces, and how many stand abreast."""


def pitch_of(unit: Any) -> float:
    return 2 * max(radius(figure) for figure in unit.teams.values())


def body_of(unit: Any) -> Body:
    return (float(unit.pose.at[0]), float(unit.pose.at[1])), float(unit.pose.facing), int(unit.pose.files)


def ahead(facing: float) -> Spot:
    return math.sin(math.radians(facing)), math.cos(math.radians(facing))


def slots(body: Body, count: int, pitch: float) -> list[Spot]:
    """Rank by rank from the left; a short last rank stands behind the middle, file upon file."""
    (x, y), facing, files = body
    fx, fy = ahead(facing)
    rx, ry = fy, -fx
    found = []
    left, rank = count, 0
    while left > 0:
        strength = min(files, left)
        for number in range(strength):
            file = number + (files - strength) // 2
            right, back = (file - (files - 1) / 2) * pitch, rank * pitch
            found.append((x + right * rx - back * fx, y + right * ry - back * fy))
        left -= strength
        rank += 1
    return found


def turned(spot: Spot, pivot: Spot, degrees: float) -> Spot:
    """Clockwise about a pivot."""
    angle = math.radians(degrees)
    dx, dy = spot[0] - pivot[0], spot[1] - pivot[1]
    return (
        pivot[0] + dx * math.cos(angle) + dy * math.sin(angle),
        pivot[1] - dx * math.sin(angle) + dy * math.cos(angle),
    )


def marched(body: Body, legs: list[Any], count: int, pitch: float) -> tuple[Body, float]:
    """Where a body comes to by its legs, and how far the man went who went farthest."""
    far = [0.0] * count
    for leg in legs:
        straight, wheel = float(leg.get("ahead", 0.0)), float(leg.get("wheel", 0.0))
        at, facing, files = body
        if straight:
            fx, fy = ahead(facing)
            body = (at[0] + straight * fx, at[1] + straight * fy), facing, files
            far = [each + abs(straight) for each in far]
        if wheel:
            at, facing, files = body
            fx, fy = ahead(facing)
            side = (files - 1) / 2 * pitch * (1 if wheel > 0 else -1)
            pivot = at[0] + side * fy, at[1] - side * fx
            places = slots(body, count, pitch)
            far = [
                each + math.radians(abs(wheel)) * math.dist(place, pivot)
                for each, place in zip(far, places, strict=True)
            ]
            body = turned(at, pivot, wheel), (facing + wheel) % 360.0, files
    return body, max(far, default=0.0)


def about(body: Body, count: int, pitch: float) -> Body:
    """The rear rank becomes the front, where it stands."""
    at, facing, files = body
    depth = (math.ceil(count / files) - 1) * pitch
    fx, fy = ahead(facing)
    return (at[0] - depth * fx, at[1] - depth * fy), (facing + 180.0) % 360.0, files


def well_aligned(unit: Any, count: int, files: int) -> bool:
    """Whether so many abreast are what an alignment asks for."""
    if unit.alignment == "line":
        return files == (count if unit.type == "mounted" else max(1, math.ceil(count / 2)))
    if unit.alignment == "march-column":
        return files == 2 or files == count == 1
    return files >= 3 and math.ceil(count / files) > files


def stands_in_ranks(unit: Any, hair: float) -> bool:
    """Whether every man of a body stands in a slot of its pose, one in each."""
    places = slots(body_of(unit), len(unit.teams), pitch_of(unit))
    for figure in figures(unit):
        near = min(places, key=lambda place: math.dist(place, figure.at), default=None)
        if near is None or math.dist(near, figure.at) > hair:
            return False
        places.remove(near)
    return True
