"""Setting down a whole unit legally: on the table, nobody on anybody."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

import numpy as np

from sandtable.table import room_kernels
from sandtable.table.distance import overlaps
from sandtable.table.hairs import GRID
from sandtable.table.moves import on_table
from sandtable.table.shapes import (
    COLUMNS,
    Floats,
    Footprint,
    Mask,
    Place,
    as_rows,
    bodies,
    body,
    heading,
    rounded,
)

Allowed = Callable[[Place], bool]

RING_STEP = 0.5  # inches between the rings in which a base that does not fit looks for room
RINGS = 24
ROW_STEP = 0.25  # inches by which a base moves on along a wall to find room
RASTER = 0.5  # inches between the spots of a raster


def raster(width: float, depth: float) -> Floats:
    """Spots all over the table, half an inch apart, its edges included: to find one where a spot is rare (n, 2)."""
    xs, ys = np.arange(0.0, width + RASTER, RASTER), np.arange(0.0, depth + RASTER, RASTER)
    spots: Floats = np.stack(np.meshgrid(np.minimum(xs, width), np.minimum(ys, depth)), axis=-1).reshape(-1, 2)
    return spots


def in_ranks(
    footprints: Sequence[Footprint], x: float, y: float, facing: float, files: int, spacing: float = 0.5
) -> list[Place]:
    """Ranks of so many files about (x, y), front rank first, left to right; not rounded, nothing checked.

    Cells are as large as the largest base, so that a mixed unit still stands in rank and file.
    """
    if not footprints:
        return []
    files = max(1, min(files, len(footprints)))
    across = max(footprint.width for footprint in footprints) + spacing
    back = max(_length(footprint) for footprint in footprints) + spacing
    ranks = math.ceil(len(footprints) / files)
    sin, cos = heading(facing)
    places = []
    for number in range(len(footprints)):
        rank, file = divmod(number, files)
        in_rank = min(files, len(footprints) - rank * files)
        right = (file - (in_rank - 1) / 2) * across
        ahead = ((ranks - 1) / 2 - rank) * back
        places.append(Place(x + right * cos + ahead * sin, y - right * sin + ahead * cos, facing))
    return places


@lru_cache(maxsize=1024)
def ranked(footprints: tuple[Footprint, ...], facing: float, files: int, spacing: float = 0.5) -> Floats:
    """The rows of bases `in_ranks` about (0, 0); nobody changes them."""
    places = in_ranks(footprints, 0.0, 0.0, facing, files, spacing)
    return bodies(zip(footprints, places, strict=True))


def room(
    rows: Floats, others: Floats, width: float, depth: float, slack: float = GRID, *, together: bool = False
) -> Mask:
    """Which bases lie on the table and on none of the others, (n,); with `together` nor on one another."""
    result: Mask = room_kernels.room(as_rows(rows), others, float(width), float(depth), slack, together)
    return result


def near(
    footprints: Sequence[Footprint],
    x: float,
    y: float,
    facing: float,
    *,
    width: float,
    depth: float,
    obstacles: Floats,
    spacing: float = 0.5,
    allowed: Allowed | None = None,
) -> list[Place] | None:
    """The unit in ranks about (x, y); a base without room there looks for it in rings round its place.

    None when a base finds no room within 12 inches of its place in the ranks.
    """
    files = math.ceil(math.sqrt(2 * len(footprints)))
    taken = Room(obstacles, width, depth, allowed)
    wanted = in_ranks(footprints, x, y, facing, files, spacing)
    return taken.settle(footprints, (rings(place) for place in wanted))


class Room:
    """Room on the table, and who has taken it so far."""

    def __init__(self, obstacles: Floats, width: float, depth: float, allowed: Allowed | None) -> None:
        self.rows: Floats = as_rows(np.asarray(obstacles, dtype=np.float64).reshape(-1, COLUMNS))
        self.width = width
        self.depth = depth
        self.allowed = allowed

    def copy(self) -> Room:
        return Room(self.rows, self.width, self.depth, self.allowed)

    def free(self, footprint: Footprint, place: Place) -> bool:
        row = body(footprint, place).reshape(1, COLUMNS)
        if not on_table(row, self.width, self.depth)[0] or overlaps(row, self.rows).any():
            return False
        return self.allowed is None or self.allowed(place)

    def take(self, footprint: Footprint, place: Place) -> None:
        self.rows = np.vstack((self.rows, body(footprint, place)))

    def settle(self, footprints: Sequence[Footprint], searches: Iterator[Iterator[Place]]) -> list[Place] | None:
        """The first free place of each base's search, one after the other."""
        settled: list[Place] = []
        for footprint, search in zip(footprints, searches, strict=True):
            place = next((spot for spot in search if self.free(footprint, spot)), None)
            if place is None:
                return None
            self.take(footprint, place)
            settled.append(place)
        return settled


def rings(wanted: Place) -> Iterator[Place]:
    """A place, and then places in ever wider rings round it, all as they would be stored."""
    yield rounded(wanted)
    for ring in range(1, RINGS + 1):
        radius = ring * RING_STEP
        count = max(8, 4 * ring)
        for step in range(count):
            sin, cos = heading(wanted.facing + 360.0 * step / count)
            yield rounded(Place(wanted.x + radius * sin, wanted.y + radius * cos, wanted.facing))


def _length(footprint: Footprint) -> float:
    return footprint.width if footprint.shape == "circle" else footprint.depth
