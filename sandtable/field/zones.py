"""Zones as a page draws them: whose they are, in words, and where they lie."""

from __future__ import annotations

from sandtable.table.scene import Area, Point
from sandtable.table.shapes import heading
from sandtable.table.terrain import Terrain


def zone_area(zone: Terrain, side: str, seat: str) -> Area:
    """A side's zone as a seat is shown it."""
    whose = "Your" if side == seat else f"{side.capitalize()}'s"
    return Area(list(zone.features[0].points), "zone", f"{whose} zone", side)


def circle(at: Point, radius: float) -> list[Point]:
    """The rim of a circle as a polygon."""
    rim = [heading(15.0 * step) for step in range(24)]
    return [(at[0] + radius * sin, at[1] + radius * cos) for sin, cos in rim]
