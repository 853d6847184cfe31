"""Bases, ground and lines of sight, by Shapely.

Whatever is nearer to a border than `HAIR` is too close to call, which is None. A limit that is met exactly is met.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import shapely
import shapely.ops
from numpy.typing import NDArray
from shapely import LinearRing, LineString, MultiPoint, Point, Polygon
from shapely.geometry.base import BaseGeometry

from sandtable.testing.umpire.tr14.arsenal import OPEN, Going, Kind, goings, kinds

HAIR = 0.02
EXACT = 1e-6
TOUCH = 0.1
"""A Team this near to a linear obstacle touches it."""
BORDER = 0.0099
"""Whoever is no farther than a hundredth of an inch from the border of an area is outside."""
INSET = 0.01
"""The points from which a base looks lie this far inside its edge."""
SMOKE = 6.0

Verdict = bool | None
"""Yes, no, or too close to call."""

Spot = tuple[float, float]
Box = tuple[float, float, float, float]
Rows = NDArray[np.float64]
Flags = NDArray[np.bool_]


def any_of(verdicts: Iterable[Verdict]) -> Verdict:
    found: Verdict = False
    for verdict in verdicts:
        if verdict:
            return True
        if verdict is None:
            found = None
    return found


def all_of(verdicts: Iterable[Verdict]) -> Verdict:
    found: Verdict = True
    for verdict in verdicts:
        if verdict is False:
            return False
        if verdict is None:
            found = None
    return found


def within(distance: float, limit: float) -> Verdict:
    if abs(distance - limit) <= EXACT:
        # Met exactly is met; a sum of roundings may only look so.
        return True if distance <= limit + 1e-9 else None
    return distance < limit


class Pose(NamedTuple):
    """A base on the table: whose, and how it lies."""

    profile: str
    x: float
    y: float
    facing: float

    def at(self) -> Spot:
        return self.x, self.y


def kind_of(pose: Pose) -> Kind:
    return kinds()[pose.profile]


def pose_of(team: Any) -> Pose:
    """Where a Team of a state stands."""
    return Pose(team.profile, team.at[0], team.at[1], team.facing)


def corners(pose: Pose, inset: float = 0.0) -> list[Spot]:
    kind = kind_of(pose)
    angle = math.radians(pose.facing)
    sin, cos = math.sin(angle), math.cos(angle)
    across, along = kind.width / 2 - inset, kind.depth / 2 - inset
    return [
        (pose.x + cos * dx * across + sin * dy * along, pose.y - sin * dx * across + cos * dy * along)
        for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]


@lru_cache(maxsize=20_000)
def base(pose: Pose, inset: float = 0.0) -> Polygon:
    found = Polygon(corners(pose, inset))
    shapely.prepare(found)
    return found


@lru_cache(maxsize=50_000)
def gap(one: Pose, other: Pose) -> float:
    """The distance between two bases."""
    return float(base(one).distance(base(other)))


def gap_to_any(one: Pose, others: Iterable[Pose]) -> float:
    return min((gap(one, other) for other in others), default=math.inf)


def overlap(one: Pose, other: Pose) -> bool:
    """Whether two bases lie on each other by more than rounding can bring about."""
    if (one.x - other.x) ** 2 + (one.y - other.y) ** 2 > 16:
        return False
    return bool(base(one, HAIR).intersects(base(other, HAIR)))


def forward(at: Spot, facing: float, to: Spot) -> float:
    """How far a point lies before another, as that one faces."""
    angle = math.radians(facing)
    return (to[0] - at[0]) * math.sin(angle) + (to[1] - at[1]) * math.cos(angle)


def bearing(at: Spot, to: Spot) -> float:
    return math.degrees(math.atan2(to[0] - at[0], to[1] - at[1])) % 360.0


def in_front(shooter: Pose, facing: float, target: Pose) -> Verdict:
    """The forward half circle: surely where the middle is, and not where no part is."""
    if forward(shooter.at(), facing, target.at()) >= 0:
        return True
    ahead = max(forward(shooter.at(), facing, corner) for corner in corners(target))
    return None if ahead > -HAIR else False


@lru_cache(maxsize=20_000)
def eyes(pose: Pose) -> tuple[Spot, ...]:
    """The nine points of a base from which it looks and at which it is seen; the middle comes first."""
    a, b, c, d = corners(pose, INSET)
    sides = [((p[0] + q[0]) / 2, (p[1] + q[1]) / 2) for p, q in ((a, b), (b, c), (c, d), (d, a))]
    return (pose.at(), a, b, c, d, *sides)


@lru_cache(maxsize=10_000)
def hull(one: Pose, other: Pose) -> BaseGeometry:
    return shapely.convex_hull(shapely.union(base(one), base(other)))


class Piece:
    """One piece of terrain."""

    def __init__(self, name: str, kind: str, geometry: BaseGeometry, height: float) -> None:
        self.name = name
        self.kind = kind
        self.going: Going = goings()[kind]
        self.geometry = geometry
        self.height = height
        self.closed: bool = isinstance(geometry, Polygon)
        self.border: BaseGeometry = geometry.boundary if self.closed else geometry
        self.wide: BaseGeometry = geometry.buffer(HAIR)
        for each in (self.geometry, self.border, self.wide):
            shapely.prepare(each)
        self.box: Box = self.wide.bounds
        self.edges = edges_of(list(self.border.coords))
        self.views: dict[Pose, tuple[Flags, Flags]] = {}

    def near(self, box: Box) -> bool:
        mine = self.box
        return mine[0] <= box[2] and box[0] <= mine[2] and mine[1] <= box[3] and box[1] <= mine[3]

    def holds(self, spot: Spot) -> Verdict:
        """Whether a point lies in it."""
        point = Point(spot)
        if self.border.distance(point) <= HAIR:
            return None
        return self.closed and bool(self.geometry.contains(point))

    def view(self, pose: Pose) -> tuple[Flags, Flags]:
        """Which of the points of a base lie in it, and which too near to its border to tell."""
        if pose not in self.views:
            spots = shapely.points(eyes(pose))
            inside = shapely.contains(self.geometry, spots) if self.closed else np.zeros(len(spots), dtype=np.bool_)
            self.views[pose] = inside, shapely.distance(self.border, spots) <= HAIR
        return self.views[pose]

    def hides(self) -> bool:
        return self.going.shape == "area" or self.going.tall

    def touched(self, pose: Pose) -> Verdict:
        far = self.border.distance(base(pose))
        return None if abs(far - TOUCH) <= EXACT else far < TOUCH

    def crossed(self, one: Spot, other: Spot) -> Verdict:
        """Whether a line goes over it: a border of it lies between the two."""
        line = LineString([one, other])
        if not self.wide.intersects(line):
            return False
        if not self.geometry.intersects(line) or min(self.border.distance(Point(p)) for p in (one, other)) <= HAIR:
            return None
        if not self.closed and line.distance(MultiPoint([self.border.coords[0], self.border.coords[-1]])) <= HAIR:
            # Just past the end of a wall.
            return None
        return True


class Land:
    """All terrain of a table, and who sees whom on it."""

    def __init__(self, pieces: Sequence[Piece], width: float, depth: float) -> None:
        self.pieces = list(pieces)
        self.width, self.depth = width, depth
        self.known: dict[tuple[Any, ...], Verdict] = {}
        self.covers: dict[tuple[Pose, Pose], tuple[int, int]] = {}

    # Sight.

    def sees(self, one: Pose, other: Pose) -> Verdict:
        """From any part of the one base to any part of the other."""
        key = (one, other)
        if key not in self.known:
            self.known[key] = self.known[other, one] = self.clear(one, other, ())
        return self.known[key]

    def clear(self, one: Pose, other: Pose, friends: Sequence[Pose]) -> Verdict:
        """Whether some line between two bases passes through neither terrain nor these friends."""
        band = hull(one, other)
        veils = [piece for piece in self.pieces if piece.hides() and piece.near(band.bounds)]
        veils = [piece for piece in veils if piece.wide.intersects(band)]
        bodies = [friend for friend in friends if base(friend).distance(band) <= HAIR]
        middle = LineString([one.at(), other.at()])
        in_the_way = any(piece.wide.intersects(middle) for piece in veils)
        if not in_the_way and not any(base(friend).distance(middle) <= HAIR for friend in bodies):
            # From middle to middle nothing is even near: it is so in most cases.
            return True
        lines = sight_lines(one, other)
        free = np.ones(len(lines), dtype=np.bool_)
        blocked = np.zeros(len(lines), dtype=np.bool_)
        for piece in veils:
            surely_free, surely_blocked = veiled(piece, one, other, lines)
            free &= surely_free
            blocked |= surely_blocked
        for friend in bodies:
            free &= ~shapely.intersects(shapely.linestrings(lines.reshape(-1, 2, 2)), base(friend, -HAIR))
            blocked |= crossed(lines, edges_of(corners(friend, HAIR), closed=True)).any(axis=1)
        if free.any():
            return True
        return False if blocked.all() else None

    # Cover.

    def cover(self, shooter: Pose, target: Pose) -> tuple[int, int]:
        """The least and the most cover that the ground may give to a target from a shooter."""
        key = (shooter, target)
        if key not in self.covers:
            least = most = OPEN
            for piece in self.pieces:
                if piece.going.cover:
                    given = self.shelters(piece, shooter, target)
                    if given is not False:
                        most = max(most, piece.going.cover)
                    if given:
                        least = max(least, piece.going.cover)
            self.covers[key] = least, most
        return self.covers[key]

    def shelters(self, piece: Piece, shooter: Pose, target: Pose) -> Verdict:
        if piece.going.shape == "area":
            return piece.holds(target.at())
        if piece.going.shape == "line":
            touched = piece.touched(target)
            return touched and piece.crossed(shooter.at(), target.at()) if touched is not None else None
        return False

    # The table.

    def on_table(self, pose: Pose, slack: float = HAIR) -> bool:
        """Whether all of a base is on the table, or beyond its edge by no more than this."""
        return all(-slack <= x <= self.width + slack and -slack <= y <= self.depth + slack for x, y in corners(pose))


@lru_cache(maxsize=2_000)
def sight_lines(one: Pose, other: Pose) -> Rows:
    """All lines from a point of the one base to a point of the other, as rows of x, y, x, y."""
    return np.array([[*a, *b] for a in eyes(one) for b in eyes(other)])


def edges_of(points: Sequence[Spot], *, closed: bool = False) -> Rows:
    points = [*points, points[0]] if closed else points
    return np.array([[*a, *b] for a, b in pairwise(points)])


def crossed(lines: Rows, edges: Rows) -> Flags:
    """Which lines cross which edges."""
    start, way = lines[:, None, 0:2], (lines[:, 2:4] - lines[:, 0:2])[:, None]
    corner, edge = edges[None, :, 0:2], (edges[:, 2:4] - edges[:, 0:2])[None]
    turn = way[..., 0] * edge[..., 1] - way[..., 1] * edge[..., 0]
    turn = np.where(np.abs(turn) < 1e-12, np.nan, turn)
    off = corner - start
    with np.errstate(invalid="ignore"):
        along_line = (off[..., 0] * edge[..., 1] - off[..., 1] * edge[..., 0]) / turn
        along_edge = (off[..., 0] * way[..., 1] - off[..., 1] * way[..., 0]) / turn
        found: Flags = (along_line > 0) & (along_line < 1) & (along_edge >= 0) & (along_edge < 1)
    return found


def grazed(lines: Rows, edges: Rows) -> Flags:
    """Which lines pass a corner so closely that nobody can tell on which side."""
    start, way = lines[:, None, 0:2], (lines[:, 2:4] - lines[:, 0:2])[:, None]
    corner = np.vstack([edges[:, 0:2], edges[-1:, 2:4]])[None]
    length = np.maximum((way**2).sum(axis=2), 1e-12)
    part = np.clip(((corner - start) * way).sum(axis=2) / length, 0.0, 1.0)
    off = corner - (start + part[..., None] * way)
    found: Flags = ((off**2).sum(axis=2) <= HAIR**2).any(axis=1)
    return found


def veiled(piece: Piece, one: Pose, other: Pose, lines: Rows) -> tuple[Flags, Flags]:
    """Which lines between two bases a piece surely leaves free, and which it surely blocks."""
    count = crossed(lines, piece.edges).sum(axis=1)
    (inside_one, near_one), (inside_other, near_other) = piece.view(one), piece.view(other)
    number = len(inside_other)
    unsure = grazed(lines, piece.edges) | np.repeat(near_one, number) | np.tile(near_other, len(near_one))
    if piece.going.shape == "area":
        # One sees into it and out of it: each end that lies inside accounts for one crossing of the border.
        count = count - np.repeat(inside_one, number) - np.tile(inside_other, len(inside_one))
    else:
        touched = any_of([piece.touched(one), piece.touched(other)])
        if touched:
            return np.ones(len(lines), dtype=np.bool_), np.zeros(len(lines), dtype=np.bool_)
        unsure |= touched is None
    return (count <= 0) & ~unsure, (count > 0) & ~unsure


def geometry_of(kind: str, points: Sequence[Spot], closed: bool) -> BaseGeometry:
    if not closed:
        return LineString(points)
    return LinearRing(points) if goings()[kind].shape == "line" else Polygon(points)


def land_of(setup: Any) -> Land:
    pieces = [
        Piece(each.id, each.kind, geometry_of(each.kind, each.points, each.closed), each.height)
        for each in setup.terrain
    ]
    return Land(pieces, setup.table.width, setup.table.depth)


def square(at: Spot, facing: float, size: float = SMOKE) -> Polygon:
    angle = math.radians(facing)
    sin, cos, half = math.sin(angle), math.cos(angle), size / 2
    return Polygon(
        [
            (at[0] + cos * dx * half + sin * dy * half, at[1] - sin * dx * half + cos * dy * half)
            for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        ]
    )


def with_smoke(land: Land, smoke: Sequence[Any]) -> Land:
    clouds = [Piece(each.id, "smoke", square(each.at, each.facing), 0.0) for each in smoke]
    return Land([*land.pieces, *clouds], land.width, land.depth)


def swept(pose: Pose, path: Sequence[Spot]) -> BaseGeometry:
    """All that a base passes over on its way, without turning."""
    spots = [pose._replace(x=x, y=y) for x, y in path]
    legs = [shapely.convex_hull(shapely.union(base(a, HAIR), base(b, HAIR))) for a, b in pairwise(spots)]
    return shapely.union_all(legs)


def length_of(path: Sequence[Spot]) -> float:
    return sum(math.dist(a, b) for a, b in pairwise(path))


def along(path: Sequence[Spot], far: float) -> Spot:
    """The point so far along a way."""
    for a, b in pairwise(path):
        leg = math.dist(a, b)
        if far <= leg and leg > 0:
            return a[0] + (b[0] - a[0]) * far / leg, a[1] + (b[1] - a[1]) * far / leg
        far -= leg
    return path[-1]


class Crossing(NamedTuple):
    """A piece of rough ground that a way may enter: how far along, at the first place beyond doubt at last."""

    piece: Piece
    fars: tuple[float, ...]
    sure: bool


def crossings(land: Land, path: Sequence[Spot], rough: Sequence[str]) -> list[Crossing]:
    """The ground of some kinds that a way enters, each piece once, in the order of the way.

    Driving out of a piece is no entry; coming back into it is.
    """
    if length_of(path) < HAIR:
        return []
    line = LineString(path)
    found = []
    for piece in land.pieces:
        if piece.going.going in rough and piece.near(line.bounds) and piece.wide.intersects(line):
            fars, sure = entries(piece, line)
            if fars:
                found.append(Crossing(piece, tuple(fars), sure))
    return sorted(found, key=lambda each: each.fars[0])


def entries(piece: Piece, line: LineString) -> tuple[list[float], bool]:
    """How far along a line a piece is entered: places that are too close to call, and the first that is not."""
    enters = enters_area if piece.closed else crosses_line
    begins = piece.holds(line.coords[0])
    inside = piece.geometry.intersection(line)
    if piece.closed and inside.geom_type == "MultiLineString":
        # A way that bends on the border without leaving is one part.
        inside = shapely.line_merge(inside)
    parts = [part for part in shapely.get_parts(inside) if not part.is_empty]
    fars: list[float] = []
    for part in sorted(parts, key=lambda each: first_along(line, each)):
        far = first_along(line, part)
        if piece.closed and begins and far < EXACT:
            continue
        fars.append(far)
        if enters(piece, line, part, far):
            return fars, True
    if not parts:
        fars.append(line.project(shapely.ops.nearest_points(line, piece.border)[0]))
    return fars, False


def enters_area(piece: Piece, line: LineString, part: BaseGeometry, far: float) -> bool:
    """Whether a way goes into an area for certain: not along its border or over a corner, but from it inwards."""
    middle = part.interpolate(0.5, normalized=True) if part.length else part
    from_border = piece.border.distance(Point(line.coords[0])) <= BORDER
    deep = bool(middle.distance(piece.border) > HAIR)
    return deep and (far > HAIR or from_border) and line.length - far > HAIR


def crosses_line(piece: Piece, line: LineString, part: BaseGeometry, far: float) -> bool:
    """Whether a way crosses a line for certain, where neither bends or ends, or stops on it."""
    if part.length or part.distance(MultiPoint([piece.border.coords[0], piece.border.coords[-1]])) <= HAIR:
        return False
    stops = part.distance(Point(line.coords[-1])) < 1e-9 and len(line.coords) == 2 and far > HAIR
    return stops or bool(part.distance(MultiPoint(line.coords)) > HAIR)


def first_along(line: LineString, part: BaseGeometry) -> float:
    """How far along a line the first point of a part of it lies."""
    ends = [Point(part.coords[0]), Point(part.coords[-1])]
    return float(min(line.project(end) for end in ends))
