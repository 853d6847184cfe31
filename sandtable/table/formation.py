"""Where the pieces of a unit come to stand when somebody drops it at a place.

They keep their formation, shifted and perhaps turned; a unit that was nowhere yet stands in ranks. Dropped at a wall
they line it. Nobody stands on anybody or beyond the table's edge, and nobody goes farther than he can.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

from sandtable.table.placement import ROW_STEP, Room, in_ranks, rings
from sandtable.table.shapes import Floats, Footprint, Place, bearing, forward_offset, heading, rounded, sideways_offset
from sandtable.table.terrain import Feature

AT_WALL, ALONE_AT_WALL = 1.5, 0.75
"""A drop this near to a wall lines it, in inches; one piece alone is mostly nudged, and snaps less readily."""

AT_FRONT = 0.05
"""The gap that is left between a base and the wall it stands at."""

BESIDE = 0.25
"""The gap between two who line a wall."""

APART = 1.0
"""The gap between those who were nowhere yet."""

SLIDES = 48
"""How often one who lines a wall moves on to find room, before he looks elsewhere."""

Point = tuple[float, float]


class Stand(NamedTuple):
    """One piece of the unit: what it covers, where it stands now (None: nowhere yet), and how far it can go."""

    base: Footprint
    place: Place | None
    facing: float = 0.0
    reach: float | None = None


class Wall(NamedTuple):
    """A stretch of wall with somebody behind it: they face `facing`, and it is at their front or at their back."""

    start: Point
    end: Point
    facing: float
    behind: int  # 1 if they stand with their fronts to it, -1 with their backs


def land(
    stands: Sequence[Stand],
    to: Point,
    *,
    width: float,
    depth: float,
    obstacles: Floats,
    walls: Sequence[Feature] = (),
    lead: int | None = None,
    facing: float | None = None,
    apart: float | None = None,
) -> list[Place]:
    """Where each piece lands. `lead` is the piece that is held: it comes to stand at the drop, or else the middle does.

    With `apart` they do not keep as they stand: they form up in ranks, so far from one another.

    With a facing the formation turns, and lines no wall. A unit without room for all of it stays where it is; if it was
    nowhere yet, those without room stand where they are wanted, and whoever judges the landing will refuse it.
    """
    near = AT_WALL if len(stands) > 1 else ALONE_AT_WALL
    wall = nearest_wall(walls, to, near) if facing is None and apart is None else None
    if wall is not None:
        searches = along_wall(stands, wall, to)
    else:
        searches = [rings(place) for place in wanted_places(stands, to, lead, facing, apart)]
    room = Room(obstacles, width, depth, None)
    # Whoever cannot move is in the others' way, and the piece that is held goes before the rest.
    order = sorted(range(len(stands)), key=lambda number: (stands[number].reach != 0.0, number != lead))
    found: dict[int, Place] = {}
    for number in order:
        stand = stands[number]
        tried = [within_reach(stand, spot) for spot in islice(searches[number], 1)]
        tried_later = (within_reach(stand, spot) for spot in searches[number])
        spot = next((spot for spot in chain(tried, tried_later) if room.free(stand.base, spot)), None)
        if spot is None:
            here = [each.place for each in stands if each.place is not None]
            if len(here) == len(stands):
                return here
            spot = tried[0]
        found[number] = spot
        room.take(stand.base, spot)
    return [found[number] for number in range(len(stands))]


def within_reach(stand: Stand, spot: Place) -> Place:
    """The spot, or the farthest place on the way to it that the piece can reach."""
    if stand.place is None or stand.reach is None:
        return spot
    x, y = stand.place.x, stand.place.y
    length = math.dist((x, y), (spot.x, spot.y))
    if length <= stand.reach:
        return spot
    part = stand.reach / length
    return Place(shy(x, spot.x, part), shy(y, spot.y, part), spot.facing, spot.level, spot.turret)


def shy(start: float, end: float, part: float) -> float:
    """A part of the way as it is stored: rounded towards the start, so that rounding never adds to the way."""
    at = (start + (end - start) * part) * 100
    return (math.floor(at) if end > start else math.ceil(at)) / 100


def wanted_places(
    stands: Sequence[Stand], to: Point, lead: int | None, facing: float | None, apart: float | None = None
) -> list[Place]:
    """The formation about the drop: as it stands, turned if asked; in ranks if some stand nowhere or form up anew."""
    places = [stand.place for stand in stands if stand.place is not None]
    if apart is not None or len(places) < len(stands):
        look = stands[0].facing if facing is None else facing
        files = math.ceil(math.sqrt(2 * len(stands)))
        between = APART if apart is None else apart
        if len(places) < len(stands):
            return in_ranks([stand.base for stand in stands], *to, look, files, between)
        spots = in_ranks([stand.base for stand in stands], *shifted(places, to, lead), look, files, between)
        return to_their_ranks(places, spots, look, files)
    if lead is not None:
        x, y, look = places[lead].x, places[lead].y, places[lead].facing
    else:
        x = sum(place.x for place in places) / len(places)
        y = sum(place.y for place in places) / len(places)
        look = places[0].facing
    turned = 0.0 if facing is None else facing - look
    sin, cos = heading(turned)
    found = []
    for place in places:
        dx, dy = place.x - x, place.y - y
        found.append(Place(to[0] + dx * cos + dy * sin, to[1] - dx * sin + dy * cos, (place.facing + turned) % 360.0))
    return found


def shifted(places: Sequence[Place], to: Point, lead: int | None) -> Point:
    """Where the middle of a unit comes to be if one of it, or the middle itself, comes to a place."""
    x, y = sum(place.x for place in places) / len(places), sum(place.y for place in places) / len(places)
    if lead is None:
        return to
    return x + to[0] - places[lead].x, y + to[1] - places[lead].y


def to_their_ranks(places: Sequence[Place], spots: Sequence[Place], look: float, files: int) -> list[Place]:
    """A spot in the ranks for each: who stands in front goes to the front, who stands on the left to the left."""
    deep = sorted(range(len(places)), key=lambda n: (-round(forward_offset(0.0, 0.0, look, *spot_of(places[n])), 2), n))
    found: dict[int, Place] = {}
    for first in range(0, len(deep), files):
        rank = deep[first : first + files]
        rank.sort(key=lambda n: (round(sideways_offset(0.0, 0.0, look, *spot_of(places[n])), 2), n))
        found |= zip(rank, spots[first : first + files], strict=True)
    return [found[number] for number in range(len(places))]


def spot_of(place: Place) -> Point:
    return place.x, place.y


def nearest_wall(walls: Sequence[Feature], to: Point, limit: float = AT_WALL) -> Wall | None:
    """The stretch of wall that a drop is near to, and how those who line it face.

    Behind a wall, and inside a house, they face across it; outside a house they have it at their backs.
    """
    best: tuple[float, Point, Point, bool] | None = None
    for feature in walls:
        ends = [*feature.points[1:], feature.points[0]] if feature.closed else feature.points[1:]
        for a, b in zip(feature.points, ends, strict=False):
            if a != b and (gap := math.dist(to, nearest_point(a, b, to))) <= limit and (not best or gap < best[0]):
                best = (gap, a, b, feature.closed and not contains(feature.points, to))
    if best is None:
        return None
    _, a, b, outside = best
    walk = bearing(*a, *b)
    across = (walk - 90.0) % 360.0 if sideways_offset(*a, walk, *to) >= 0 else (walk + 90.0) % 360.0
    return Wall(a, b, (across + 180.0) % 360.0 if outside else across, -1 if outside else 1)


def nearest_point(a: Point, b: Point, to: Point) -> Point:
    walk = bearing(*a, *b)
    along = min(max(forward_offset(*a, walk, *to), 0.0), math.dist(a, b))
    sin, cos = heading(walk)
    return a[0] + along * sin, a[1] + along * cos


def contains(points: Sequence[Point], to: Point) -> bool:
    """Whether a polygon contains a point: an odd number of its sides lies east of it."""
    inside = False
    for (x0, y0), (x1, y1) in zip(points, [*points[1:], points[0]], strict=True):
        if (y0 > to[1]) != (y1 > to[1]) and to[0] < (x1 - x0) * (to[1] - y0) / (y1 - y0) + x0:
            inside = not inside
    return inside


def along_wall(stands: Sequence[Stand], wall: Wall, to: Point) -> list[Iterator[Place]]:
    """For each piece the places at the wall to try: side by side about the drop, as many ranks as the wall is short.

    They keep the order in which they stand along it, so that nobody crosses another's way.
    """
    walk = bearing(*wall.start, *wall.end)
    length = math.dist(wall.start, wall.end)
    places = [stand.place or Place(*to) for stand in stands]
    order = sorted(range(len(stands)), key=lambda n: (forward_offset(*wall.start, walk, places[n].x, places[n].y), n))
    widest = max(stand.base.width for stand in stands) + BESIDE
    files = max(1, int((length + BESIDE) / widest))
    deepest = max(depth_of(stand.base) for stand in stands) + BESIDE
    middle = forward_offset(*wall.start, walk, *to)
    searches: dict[int, Iterator[Place]] = {}
    for first in range(0, len(order), files):
        rank = order[first : first + files]
        needed = sum(stands[number].base.width for number in rank) + BESIDE * (len(rank) - 1)
        at = min(max(middle - needed / 2, 0.0), max(length - needed, 0.0))
        for number in rank:
            base = stands[number].base
            back = AT_FRONT + depth_of(base) / 2 + deepest * (first // files)
            searches[number] = slots(wall, walk, length, at + base.width / 2, back, base)
            at += base.width + BESIDE
    return [searches[number] for number in range(len(stands))]


def slots(wall: Wall, walk: float, length: float, at: float, back: float, base: Footprint) -> Iterator[Place]:
    """One's own place at the wall, then places to either side of it, then anywhere near."""
    sin, cos = heading(walk)
    ahead, right = heading(wall.facing)

    def spot(along: float) -> Place:
        behind = back * wall.behind
        return Place(
            wall.start[0] + along * sin - behind * ahead, wall.start[1] + along * cos - behind * right, wall.facing
        )

    half = base.width / 2
    for step in range(SLIDES + 1):
        for sign in (1, -1) if step else (1,):
            along = at + sign * step * ROW_STEP
            if step == 0 or half <= along <= length - half:
                yield rounded(spot(along))
    yield from rings(spot(at))


def depth_of(base: Footprint) -> float:
    return base.width if base.shape == "circle" else base.depth
