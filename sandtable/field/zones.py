"""Zones and other simple areas of a table: where they lie and, as a page draws them, whose they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Literal

from sandtable.field.set_ups import Faults, Sized
from sandtable.field.troops import SIDES
from sandtable.table.scene import Area, Point
from sandtable.table.shapes import Mask, heading
from sandtable.table.terrain import Terrain

Edge = Literal["south", "north"]
"""The edges of a table at which a side may be at home."""
EDGES: tuple[Edge, Edge] = ("south", "north")
AnyEdge = Literal["south", "north", "west", "east"]


def box(west: float, south: float, east: float, north: float) -> list[Point]:
    """The corners of an area that lies square to the table."""
    return [(west, south), (east, south), (east, north), (west, north)]


def strip(table: Sized, edge: AnyEdge, deep: float) -> list[Point]:
    """All along an edge of a table, so many inches deep."""
    if edge in ("west", "east"):
        west, east = (0.0, deep) if edge == "west" else (table.width - deep, table.width)
        return box(west, 0.0, east, table.depth)
    south, north = (0.0, deep) if edge == "south" else (table.depth - deep, table.depth)
    return box(0.0, south, table.width, north)


def half_of(edges: Mapping[str, Edge], depth: float, side: str) -> tuple[float, float]:
    """From where to where, northwards, a side's half of a table of such a depth lies."""
    return (0.0, depth / 2) if edges[side] == "south" else (depth / 2, depth)


def home_edges() -> dict[str, Edge]:
    """The edge at which each side is at home, unless a battle says otherwise."""
    return dict(zip(SIDES, EDGES, strict=True))


def facing_from(edges: Mapping[str, Edge], side: str) -> float:
    """How a side faces that comes from its edge; before edges are chosen as if from the south."""
    return 0.0 if edges.get(side, "south") == "south" else 180.0


def edges_amiss(edges: Mapping[str, str]) -> Faults:
    if set(edges) != set(SIDES) or len(set(edges.values())) != len(SIDES):
        yield ("edges",), "one side has the southern edge, the other the northern"


def zone_area(zone: Terrain, side: str, seat: str) -> Area:
    """A side's zone as a seat is shown it."""
    whose = "Your" if side == seat else f"{side.capitalize()}'s"
    return Area(list(zone.features[0].points), "zone", f"{whose} zone", side)


class Cells:
    """A table in square cells of some size, row by row from the south-west."""

    def __init__(self, table: Sized, size: float) -> None:
        self.size = size
        self.columns, self.lines = int(table.width / size), int(table.depth / size)

    def middles(self) -> list[Point]:
        size = self.size
        return [((x + 0.5) * size, (y + 0.5) * size) for y in range(self.lines) for x in range(self.columns)]

    def strips(self, wanted: Mask) -> Iterator[list[Point]]:
        """The corners of each run of wanted cells, side by side in a row."""
        for line, row in enumerate(wanted.reshape(self.lines, self.columns).tolist()):
            west, south = 0.0, line * self.size
            for among, run in groupby(row):
                east = west + self.size * len(list(run))
                if among:
                    yield box(west, south, east, south + self.size)
                west = east


def circle(at: Point, radius: float) -> list[Point]:
    """The rim of a circle as a polygon."""
    rim = [heading(15.0 * step) for step in range(24)]
    return [(at[0] + radius * sin, at[1] + radius * cos) for sin, cos in rim]
