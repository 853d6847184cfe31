"""Closing in: the shortest way of a base into contact with an enemy, or as near to one as it can come.

A base that does not turn touches another when its centre lies on that one's rim: an eight-sided ring, the sum of the
two. So the shortest way leads to the nearest point of a rim that is free, straight or round the corners of other rims.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush

import numpy as np

from sandtable.field.courses import Path
from sandtable.field.troops import Point
from sandtable.table import distance as measure
from sandtable.table import moves
from sandtable.table.hairs import A_HAIR, EXACT, GRID, SLACK, in_contact, within
from sandtable.table.shapes import COS, HALF_DEPTH, HALF_WIDTH, SIN, Floats, X, Y, snap

NEARER = 0.1
"""Whoever finds no room in contact looks for a spot as near as he can find, in rims that are so far apart first."""

ROUND = 8
"""A rim at some distance is rounded with twice as many sides as this."""


@dataclass
class Closing:
    """A base that closes in: on whom, among whom, and whom it does not pass over.

    `shunned` are those to whom it may come no nearer than it stands.
    """

    row: Floats
    goals: Floats
    standing: Floats
    enemies: Floats
    shunned: Floats
    width: float
    depth: float
    reach: float

    @property
    def start(self) -> Point:
        return float(self.row[X]), float(self.row[Y])

    @property
    def key(self) -> tuple[float | bytes, ...]:
        """All that its way depends on."""
        rows = (self.row, self.goals, self.standing, self.enemies, self.shunned)
        return self.width, self.depth, self.reach, *(each.tobytes() for each in rows)

    @cached_property
    def rings(self) -> Floats:
        """The rim of everybody who stands there (n, corners, 2)."""
        return np.array([rim(self.row, each) for each in self.standing])

    def at(self, spots: Sequence[Point]) -> Floats:
        """The row at each of some spots."""
        rows = np.tile(self.row, (len(spots), 1))
        rows[:, X : Y + 1] = spots
        return rows

    def may_stand(self, spots: Sequence[Point]) -> list[bool]:
        """Where it has room, and comes too near to nobody."""
        rows = self.at(spots)
        fine = moves.on_table(rows, self.width, self.depth)
        if len(self.standing):
            fine &= ~measure.overlaps(rows, self.standing, GRID).any(axis=1)
        if len(self.shunned):
            fine &= ~measure.comes_nearer(self.row[None], rows, self.shunned).any(axis=1)
        return fine.tolist()  # type: ignore[no-any-return]

    def in_the_way(self, path: Path, among: Sequence[int]) -> list[int]:
        """Which of some enemies it would pass over."""
        way, rows = np.array(path), self.enemies.take(among, axis=0)
        if not len(rows) or moves.sweep(self.row, way, rows, SLACK) == math.inf:
            return []
        each_alone = (moves.sweep(self.row, way, row[None], SLACK) for row in rows)
        return [number for number, met in zip(among, each_alone, strict=True) if met < math.inf]

    def gap(self, spot: Point) -> float:
        return float(measure.distances(self.at([spot]), self.goals).min())


def way_in(closing: Closing) -> Path | None:
    """The shortest way into contact, if there is one within reach."""
    gap = closing.gap(closing.start)
    if in_contact(gap):
        return [closing.start]
    if not within(gap, closing.reach, A_HAIR):
        return None
    return straight_way(closing) or shortest_way(closing, 0.0)


def nearest_way(closing: Closing) -> Path:
    """The shortest way into contact or, if there is none, as near as can be; perhaps it stays."""
    gap = closing.gap(closing.start)
    if in_contact(gap):
        return [closing.start]
    way = straight_way(closing)
    if way is not None:
        return way
    least = max(0.0, gap - closing.reach)
    for far in np.arange(least, gap, NEARER).tolist():
        if shortest_way(closing, far) is not None:
            finely = np.arange(max(least, far - NEARER), far + A_HAIR, A_HAIR).tolist()
            return next(way for each in finely if (way := shortest_way(closing, each)) is not None)
    return [closing.start]


def straight_way(closing: Closing) -> Path | None:
    """Straight at the nearest goal, into contact or as far as it may go, if that is free: no other way is better."""
    goal = closing.goals[int(measure.distances(closing.row[None], closing.goals)[0].argmin())]
    (x0, y0), (x1, y1) = closing.start, measure.contact_move(closing.row, goal)
    far = math.hypot(x1 - x0, y1 - y0)
    part = 1.0 if within(far, closing.reach, A_HAIR) else closing.reach / far
    spot = snap(x0 + (x1 - x0) * part), snap(y0 + (y1 - y0) * part)
    path = [closing.start, spot]
    free = closing.may_stand([spot])[0] and not closing.in_the_way(path, range(len(closing.enemies)))
    return path if free else None


def shortest_way(closing: Closing, far: float) -> Path | None:
    """The shortest way to where a goal is so far off. Whoever proves to be in the way is gone round."""
    rims = [rim(closing.row, goal, far) for goal in closing.goals]
    fixed = wedged_spots(closing, rims, far)
    round_whom: list[int] = []
    while True:
        way = search(closing, rims, fixed, round_whom)
        if way is None:
            return None
        met = closing.in_the_way(way, [each for each in range(len(closing.enemies)) if each not in round_whom])
        if not met:
            return way
        round_whom += met


def search(closing: Closing, rims: list[Floats], fixed: list[Point], round_whom: list[int]) -> Path | None:
    """The shortest way to a free spot on a rim, by the corners of those that are to be gone round."""
    corners = [(snap(x), snap(y)) for each in round_whom for x, y in rim(closing.row, closing.enemies[each]).tolist()]
    corners = [corner for corner, on in zip(corners, on_table(closing, corners), strict=True) if on]
    best: Path | None = None
    limit = closing.reach + A_HAIR
    waiting: list[tuple[float, Path]] = [(0.0, [closing.start])]
    reached: set[Point] = set()
    while waiting:
        gone, path = heappop(waiting)
        if gone > limit:
            break
        here = path[-1]
        if here in reached:
            continue
        reached.add(here)
        for length, spot in free_spots(closing, here, rims, fixed):
            if gone + length > limit:
                break
            if not closing.in_the_way([here, spot], round_whom):
                best, limit = [*path, spot], gone + length - A_HAIR
                break
        for corner in corners:
            longer = gone + math.dist(here, corner)
            if corner not in reached and longer <= limit and not closing.in_the_way([here, corner], round_whom):
                heappush(waiting, (longer, [*path, corner]))
    return best


def on_table(closing: Closing, spots: list[Point]) -> list[bool]:
    if not spots:
        return []
    return moves.on_table(closing.at(spots), closing.width, closing.depth).tolist()  # type: ignore[no-any-return]


def free_spots(closing: Closing, here: Point, rims: list[Floats], fixed: list[Point]) -> list[tuple[float, Point]]:
    """Free spots on the rims, the nearest to a point first: those straight before it, and the fixed ones."""
    spots = [*fixed, *(spot for ring in rims for spot in feet(here, ring))]
    free = [spot for spot, fine in zip(spots, closing.may_stand(spots), strict=True) if fine]
    return sorted((math.dist(here, spot), spot) for spot in free)


def wedged_spots(closing: Closing, rims: list[Floats], far: float) -> list[Point]:
    """Where a base stands on the rim of a goal and touches somebody else, or the edge of the table, as well."""
    found: list[Point] = []
    size = 2.0 * math.hypot(closing.row[HALF_WIDTH], closing.row[HALF_DEPTH]) + far
    near = measure.distances(closing.goals, closing.standing) <= size
    edge = margin(closing)[None]
    for ring, beside in zip(rims, near, strict=True):
        found += crossings(ring, edge)
        if beside.any():
            found += crossings(ring, closing.rings[beside])
    return list(dict.fromkeys(found))


def margin(closing: Closing) -> Floats:
    """The corners of the ring on which the centre lies while the base touches the edge of the table."""
    row = closing.row
    sin, cos = abs(float(row[SIN])), abs(float(row[COS]))
    x, y = row[HALF_WIDTH] * cos + row[HALF_DEPTH] * sin, row[HALF_WIDTH] * sin + row[HALF_DEPTH] * cos
    return np.array([(x, y), (closing.width - x, y), (closing.width - x, closing.depth - y), (x, closing.depth - y)])


def rim(row: Floats, base: Floats, far: float = 0.0) -> Floats:
    """The corners of the ring on which the centre of a row lies while it touches a base, or is so far from it."""
    sides = [
        side
        for each in (row, base)
        for side in (
            (float(each[HALF_WIDTH] * each[COS]), float(-each[HALF_WIDTH] * each[SIN])),
            (float(each[HALF_DEPTH] * each[SIN]), float(each[HALF_DEPTH] * each[COS])),
        )
    ]
    if far > 0.0:
        half = far * math.tan(math.pi / (2 * ROUND))
        turns = [math.pi * step / ROUND for step in range(ROUND)]
        sides += [(half * math.cos(turn), half * math.sin(turn)) for turn in turns]
    upward = [(x, y) if (y, x) > (0.0, 0.0) else (-x, -y) for x, y in sides]
    upward.sort(key=lambda side: math.atan2(side[1], side[0]))
    chain = np.array([*upward, *((-x, -y) for x, y in upward)])
    start = base[[X, Y]] - np.array(upward).sum(axis=0)
    corners: Floats = start + 2.0 * np.cumsum(chain, axis=0)
    return corners


def feet(point: Point, ring: Floats) -> list[Point]:
    """The point of each side of a ring that is nearest to a point."""
    ends = np.roll(ring, -1, axis=0)
    sides = ends - ring
    squares = (sides**2).sum(axis=1)
    along = ((np.array(point) - ring) * sides).sum(axis=1) / np.where(squares > 0.0, squares, 1.0)
    spots = ring + sides * np.clip(along, 0.0, 1.0)[:, None]
    return [(snap(x), snap(y)) for x, y in spots.tolist()]


def crossings(one: Floats, others: Floats) -> list[Point]:
    """Where the sides of a ring cross those of others, one after the other (n, corners, 2)."""
    a, b = one[:, None], others[:, None]
    ab, cd = np.roll(one, -1, axis=0)[:, None] - a, np.roll(others, -1, axis=1)[:, None] - b
    turn = ab[..., 0] * cd[..., 1] - ab[..., 1] * cd[..., 0]
    safe = np.where(np.abs(turn) > EXACT, turn, np.inf)
    between = b - a
    s = (between[..., 0] * cd[..., 1] - between[..., 1] * cd[..., 0]) / safe
    t = (between[..., 0] * ab[..., 1] - between[..., 1] * ab[..., 0]) / safe
    meet = np.isfinite(safe) & (s >= 0.0) & (s <= 1.0) & (t >= 0.0) & (t <= 1.0)
    spots = (a + ab * s[..., None])[meet]
    return [(snap(x), snap(y)) for x, y in spots.tolist()]
