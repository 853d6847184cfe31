"""Setting down a whole unit legally: on the table, nobody on anybody."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

import numpy as np

from sandtable.table import room_kernels
from sandtable.table.distance import overlaps
from sandtable.table.hairs import GRID
from sandtable.table.look import Lens
from sandtable.table.moves import on_table
from sandtable.table.room_kernels import COVERED, COVERED_SEEN, EXPOSED, NEWLY_SEEN, UNSEEN, UNWANTED
from sandtable.table.shapes import (
    COLUMNS,
    HALF_DEPTH,
    HALF_WIDTH,
    Floats,
    Footprint,
    Ints,
    Mask,
    Place,
    X,
    Y,
    as_rows,
    bearing,
    bodies,
    body,
    heading,
    rounded,
)
from sandtable.table.terrain import Terrain

__all__ = [
    "COVERED",
    "COVERED_SEEN",
    "EXPOSED",
    "NEWLY_SEEN",
    "UNSEEN",
    "UNWANTED",
    "Room",
    "along",
    "in_ranks",
    "inset",
    "lairs",
    "lines",
    "near",
    "ranked",
    "raster",
    "ring",
    "rings",
    "room",
    "shelters",
    "stand",
]

Allowed = Callable[[Place], bool]

NOWHERE: tuple[Floats, Floats] = np.empty((0, 4)), np.empty((0, 9))
"""The edges and the table of no terrain at all."""

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


def inset(box: Sequence[float], rows: Floats) -> tuple[float, float, float, float]:
    """The part of a box (west, south, east, north) outside which the middle of some bases, whose rows are given about
    (0, 0), cannot be if they all lie in the box; a box that is too small for them is left as it is.
    """
    least_x = least_y = math.inf
    most_x = most_y = -math.inf
    for row in rows.tolist():
        x, y, half = row[X], row[Y], min(row[HALF_WIDTH], row[HALF_DEPTH])
        least_x, most_x = min(least_x, x - half), max(most_x, x + half)
        least_y, most_y = min(least_y, y - half), max(most_y, y + half)
    west, south, east, north = box[0] - least_x, box[1] - least_y, box[2] - most_x, box[3] - most_y
    if west > east or south > north:
        return box[0], box[1], box[2], box[3]
    return west, south, east, north


def room(
    rows: Floats, others: Floats, width: float, depth: float, slack: float = GRID, *, together: bool = False
) -> Mask:
    """Which bases lie on the table and on none of the others, (n,); with `together` nor on one another."""
    result: Mask = room_kernels.room(as_rows(rows), others, float(width), float(depth), slack, together)
    return result


def stand(
    terrain: Terrain,
    barring: Ints,
    zone: Terrain | None,
    about: Floats,
    x: float,
    y: float,
    others: Floats,
    *,
    width: float,
    depth: float,
    slack: float,
) -> tuple[Floats, Mask]:
    """The rows of bases about (0, 0) moved to a point, as they would be stored; and which of them have `room` there,
    wholly within the zone and off the features of the numbers `barring`. Whether one stands on another is not asked.
    """
    edges, table = (zone.edges, zone.table) if zone is not None else NOWHERE
    rows, good = room_kernels.stand(
        terrain.edges, terrain.table, barring, edges, table, about, x, y, others, width, depth, slack
    )
    return rows, good


def lines(
    terrain: Terrain,
    barring: Ints,
    about: Floats,
    xs: Floats,
    rows: Floats,
    eyes: Ints,
    apart: float,
    *,
    width: float,
    depth: float,
    slack: float,
) -> Floats:
    """The rows of bases about x = 0, moved to each x at which all of them may `stand` and none is nearer than `apart`
    to one of the rows of the numbers `eyes`; (k, n, 8).
    """
    result: Floats = room_kernels.lines(
        terrain.edges, terrain.table, barring, *NOWHERE, about, xs, rows, width, depth, slack, eyes, apart
    )
    return result


def ring(row: Floats, offsets: Floats, reach: float) -> Floats:
    """A base moved by each of some offsets (n, 2), so many times as far, as it would be stored; (n, 8)."""
    result: Floats = room_kernels.ring(row, offsets, reach)
    return result


def lairs(
    lens: Lens,
    places: Floats,
    wanted: Mask,
    areas: Ints,
    lines: Ints,
    rows: Floats,
    stands: Ints,
    eyes: Ints,
    apart: Floats,
    before: Floats,
) -> list[int]:
    """How hidden somebody would be at each of the places that are wanted, from the rows of the numbers `eyes`.

    They see from where `stands` says that they count as being, for each row another. `before` says from where they saw
    before some of them moved; it is empty if none has. UNSEEN: none sees the place.
    COVERED: it is in one of the areas, or at one of the lines, of these numbers, and from each of the eyes as far as
    that one demands; COVERED_SEEN if, besides, they have moved and see it now. NEWLY_SEEN: they see it now, and did not
    before they moved; EXPOSED: they did. UNWANTED: it was not asked for.
    """
    found = room_kernels.lairs(*lens.ground, places, wanted, areas, lines, rows, stands, eyes, apart, before)
    result: list[int] = found.tolist()
    return result


def shelters(
    lens: Lens,
    places: Floats,
    rows: Floats,
    barring: Ints,
    mates: Ints,
    near: float,
    stands: Ints,
    eyes: Ints,
    far: float,
    *,
    width: float,
    depth: float,
    slack: float,
) -> Mask:
    """Which places for bases have `room` among the rows of a table, off the features of the numbers `barring`; lie
    within `near` of one of the rows numbered `mates`; and are not seen by one numbered `eyes` within `far`, (n,).
    They see from where `stands` says, as in `lairs`.
    """
    result: Mask = room_kernels.shelters(
        *lens.ground, places, rows, width, depth, slack, barring, mates, near, stands, eyes, far
    )  # fmt: skip
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


def along(
    footprints: Sequence[Footprint],
    start: tuple[float, float],
    end: tuple[float, float],
    *,
    side: int,
    width: float,
    depth: float,
    obstacles: Floats,
    gap: float = 0.05,
    spacing: float = 0.5,
    allowed: Allowed | None = None,
) -> list[Place] | None:
    """The unit lined up behind a wall from start to end, fronts to the wall and facing across it.

    `side` says where it stands: 1 on the right hand of one walking from start to end, -1 on the left. It is
    centred on the wall; a base with something in its way moves on. None when the wall is too short.
    """
    length = math.dist(start, end)
    if length == 0.0:
        return None
    walk = bearing(*start, *end)
    facing = (walk - 90.0 * side) % 360.0
    taken = Room(obstacles, width, depth, allowed)
    needed = sum(footprint.width for footprint in footprints) + spacing * (len(footprints) - 1)
    # Centred; or, if something is in the way, from the start of the wall; or, if still too long, closed up.
    for first, between in ((max(0.0, (length - needed) / 2), spacing), (0.0, spacing), (0.0, gap)):
        row = _Row(start, walk, facing, length, gap, first, between)
        places = row.fill(footprints, taken.copy())
        if places is not None:
            return places
    return None


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


class _Row:
    """Places side by side along a wall."""

    def __init__(
        self,
        start: tuple[float, float],
        walk: float,
        facing: float,
        length: float,
        gap: float,
        first: float,
        between: float,
    ) -> None:
        self.start = start
        self.walk = heading(walk)
        self.facing = facing
        self.length = length
        self.gap = gap
        self.first = first
        self.between = between

    def fill(self, footprints: Sequence[Footprint], taken: Room) -> list[Place] | None:
        places: list[Place] = []
        at = self.first
        for footprint in footprints:
            breadth = footprint.width
            place = self._place(footprint, at)
            while not taken.free(footprint, place):
                at += ROW_STEP
                if at + breadth > self.length + GRID:
                    return None
                place = self._place(footprint, at)
            if at + breadth > self.length + GRID:
                return None
            taken.take(footprint, place)
            places.append(place)
            at += breadth + self.between
        return places

    def _place(self, footprint: Footprint, at: float) -> Place:
        ahead = heading(self.facing)
        back = _length(footprint) / 2 + self.gap
        middle = at + footprint.width / 2
        return rounded(
            Place(
                self.start[0] + self.walk[0] * middle - ahead[0] * back,
                self.start[1] + self.walk[1] * middle - ahead[1] * back,
                self.facing,
            )
        )


def _length(footprint: Footprint) -> float:
    return footprint.width if footprint.shape == "circle" else footprint.depth
