"""Places for the bases of a unit: with room, in a zone, far from eyes, or hidden from them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from sandtable.rulesets.hof.kernels import free_place_kernels
from sandtable.rulesets.hof.kernels.free_place_kernels import COVERED as COVERED
from sandtable.rulesets.hof.kernels.free_place_kernels import COVERED_SEEN as COVERED_SEEN
from sandtable.rulesets.hof.kernels.free_place_kernels import EXPOSED as EXPOSED
from sandtable.rulesets.hof.kernels.free_place_kernels import NEWLY_SEEN as NEWLY_SEEN
from sandtable.rulesets.hof.kernels.free_place_kernels import UNSEEN as UNSEEN
from sandtable.rulesets.hof.kernels.free_place_kernels import UNWANTED as UNWANTED
from sandtable.rulesets.hof.kernels.ground_sight import Lens
from sandtable.table.shapes import HALF_DEPTH, HALF_WIDTH, Floats, Ints, Mask, X, Y
from sandtable.table.terrain import Terrain


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
    """The rows of bases about x = 0, moved to each x at which all of them have room and none is nearer than `apart`
    to one of the rows of the numbers `eyes`; (k, n, 8).
    """
    result: Floats = free_place_kernels.lines(
        terrain.arrays, barring, about, xs, rows, width, depth, slack, eyes, apart
    )
    return result


def ring(row: Floats, offsets: Floats, reach: float) -> Floats:
    """A base moved by each of some offsets (n, 2), so many times as far, as it would be stored; (n, 8)."""
    result: Floats = free_place_kernels.ring(row, offsets, reach)
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
    found = free_place_kernels.lairs(lens, places, wanted, areas, lines, rows, stands, eyes, apart, before)
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
    result: Mask = free_place_kernels.shelters(
        lens,places, rows, width, depth, slack, barring, mates, near, stands, eyes, far
    )  # fmt: skip
    return result
