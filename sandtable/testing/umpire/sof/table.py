"""The table as the second umpire measures it, with Shapely and plain arithmetic.

x runs east and y north; a facing of 0 looks north and 90 east. Bases are round. A question of more or less has three
answers here: yes, no, and too close to call. The umpire objects only where the game says the opposite of a plain
answer; `HAIR` is how near to a limit an answer is no longer plain.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import shapely
from shapely.geometry import LineString, Point, Polygon

from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.sof.stock import grounds, weapons

HAIR = 0.03
CONTACT = 0.05
"""Bases no farther apart touch."""

Spot = tuple[float, float]


class Maybe(NamedTuple):
    """Whether something holds: plainly (`sure`), and at most (`may`)."""

    sure: bool
    may: bool

    def denies(self, said: bool) -> bool:
        """Whether it plainly contradicts what the game said."""
        return self.sure if not said else not self.may

    def __bool__(self) -> bool:
        raise TypeError("ask for sure or may")


SURE, NEVER = Maybe(True, True), Maybe(False, False)


def under(value: float, limit: float, hair: float = HAIR) -> Maybe:
    """Whether a measure is no more than a limit."""
    return Maybe(value <= limit - hair, value <= limit + hair)


def any_of(answers: Sequence[Maybe]) -> Maybe:
    return Maybe(any(each.sure for each in answers), any(each.may for each in answers))


def both(one: Maybe, other: Maybe) -> Maybe:
    return Maybe(one.sure and other.sure, one.may and other.may)


def negated(one: Maybe) -> Maybe:
    return Maybe(not one.may, not one.sure)


# Figures.


def radius(figure: Any) -> float:
    """Riders, a crewed weapon with its gunner and a flamethrower team stand on 1.6 inches, everybody else on 1."""
    weapon = weapons().get(figure.profile)
    large = weapon is not None and (weapon.crew or "flamethrower" in weapon.first.special)
    return 0.8 if figure.mounted or large else 0.5


def figures(unit: Any) -> list[Any]:
    """The figures of a unit that stand on the table; whoever lies in ambush does not yet."""
    if unit.ambush:
        return []
    return [figure for figure in unit.teams.values() if figure.at is not None]


def there(unit: Any) -> list[Any]:
    """The figures of a unit that have a place, those in ambush as well."""
    return [figure for figure in unit.teams.values() if figure.at is not None]


def on_base(figure: Any) -> int:
    """How many men share a base: a flamethrower has two."""
    weapon = weapons().get(figure.profile)
    return int(figure.men or (2 if weapon is not None and "flamethrower" in weapon.first.special else 1))


def men(figure: Any) -> int:
    """How many of those who share a base are left."""
    return on_base(figure) - int(figure.permanent) if on_base(figure) > 1 else 1


def standing(figure: Any) -> int:
    """How many of them no wound marker disables; a leader with two wounds left takes one marker more."""
    return int(max(0, men(figure) - max(0, figure.wounds - takes_one_more(figure))))


def takes_one_more(figure: Any) -> bool:
    return leads(figure) and worth(figure) >= 2


def disabled(figure: Any) -> bool:
    return not standing(figure)


def leads(figure: Any) -> bool:
    return figure.role in ("officer", "senior-nco", "nco")


def able(unit: Any) -> list[Any]:
    return [figure for figure in figures(unit) if not disabled(figure)]


def worth(figure: Any) -> int:
    """How many wounds he has left."""
    return int(on_base(figure) + leads(figure) + bool(figure.mounted) - figure.permanent)


def cost(figure: Any) -> int:
    """How many casualties his loss makes good: a flamethrower team goes for one."""
    weapon = weapons().get(figure.profile)
    return 1 if weapon is not None and "flamethrower" in weapon.first.special else worth(figure)


def wounds(unit: Any) -> int:
    return sum(figure.wounds for figure in unit.teams.values())


def gap(one: Any, other: Any) -> float:
    """Inches between two bases, edge to edge."""
    return max(0.0, math.dist(one.at, other.at) - radius(one) - radius(other))


def apart(one: Any, other: Any) -> float:
    """Inches between two units: their nearest models."""
    return min((gap(a, b) for a in figures(one) for b in figures(other)), default=math.inf)


def placed(state: Any, side: str | None = None) -> Iterator[Any]:
    for unit in state.units.values():
        if side in (None, unit.side) and figures(unit):
            yield unit


def enemy(side: str) -> str:
    return "blue" if side == "red" else "red"


def enemies(state: Any, side: str) -> list[Any]:
    return list(placed(state, enemy(side)))


def hangs_together(spots: Sequence[tuple[Spot, float]], reach: float) -> bool:
    """Whether bases (place and radius) are one chain whose links are no longer than a reach."""
    waiting, left = [0], set(range(1, len(spots)))
    while waiting:
        (x, y), r = spots[waiting.pop()]
        near = {n for n in left if math.dist((x, y), spots[n][0]) - r - spots[n][1] <= reach}
        left -= near
        waiting.extend(near)
    return not left


def in_command(unit: Any) -> Maybe:
    """Whether a unit stands together as its formation asks; weapon units always count as loose."""
    formation = "loose" if unit.type == "weapon" else unit.formation
    reach = COMMAND_REACH[formation]
    spots = [(figure.at, radius(figure)) for figure in figures(unit)]
    if not spots:
        return Maybe(True, True)
    far = reach or CONTACT
    return Maybe(hangs_together(spots, far - HAIR), hangs_together(spots, far + HAIR))


COMMAND_REACH = {"close": 0.0, "linear": 0.0, "loose": 0.5, "extended": 1.0}


# Ground.


class Piece:
    """A piece of terrain: an area, or a line if its kind is an obstacle."""

    def __init__(self, feature: Any) -> None:
        kind = grounds()[feature.kind]
        points = [(float(x), float(y)) for x, y in feature.points]
        self.id: str = feature.id
        self.kind: str = feature.kind
        self.height: float = feature.height or kind.height
        self.elevating = kind.elevating
        self.area = kind.shape != "line" and feature.closed
        if self.area:
            self.shape: Any = Polygon(points)
        else:
            self.shape = LineString([*points, points[0]] if feature.closed else points)
        self.small = self.shape.buffer(-HAIR) if self.area else self.shape
        self.large = self.shape.buffer(HAIR)
        for shape in (self.shape, self.small, self.large):
            shapely.prepare(shape)
        self.held: dict[Spot, Maybe] = {}

    def holds(self, at: Spot) -> Maybe:
        """Whether a place is within it."""
        if not self.area:
            return Maybe(False, False)
        if at not in self.held:
            point = Point(at)
            self.held[at] = Maybe(bool(self.small.contains(point)), bool(self.large.intersects(point)))
        return self.held[at]

    def inches(self, line: LineString) -> tuple[float, float]:
        """How many inches of a line lie within it: at least, at most."""
        if not self.area:
            return 0.0, 0.0
        return float(line.intersection(self.small).length), float(line.intersection(self.large).length)

    def crossed(self, line: LineString) -> Maybe:
        """Whether a line enters it or crosses it."""
        if self.area:
            return Maybe(bool(line.intersects(self.small)), bool(line.intersects(self.large)))
        if not line.intersects(self.large):
            return Maybe(False, False)
        ends = [Point(line.coords[0]), Point(line.coords[-1])]
        tips = [Point(self.shape.coords[0]), Point(self.shape.coords[-1])]
        plain = line.crosses(self.shape) or line.intersects(self.shape)
        near = any(end.distance(self.shape) <= HAIR for end in ends) or any(tip.distance(line) <= HAIR for tip in tips)
        return Maybe(bool(plain and not near), True)


def pieces(watch: Watch) -> list[Piece]:
    if "pieces" not in watch.memory:
        watch.memory["pieces"] = [Piece(feature) for feature in watch.setup.terrain]
    found: list[Piece] = watch.memory["pieces"]
    return found


WOODS = ("woods", "old-growth")


def levels(watch: Watch, at: Spot) -> set[float]:
    """The heights at which a place may be: that of the elevating ground it is in, else 1."""
    kept: dict[Spot, set[float]] = watch.memory.setdefault("levels", {})
    if at not in kept:
        sure = [piece.height for piece in pieces(watch) if piece.elevating and piece.holds(at).sure]
        may = [piece.height for piece in pieces(watch) if piece.elevating and piece.holds(at).may]
        kept[at] = {max(sure, default=1.0), max(may, default=1.0)}
    return kept[at]


def sees(watch: Watch, one: Spot, other: Spot) -> Maybe:
    """Whether a line from place to place is free of what blocks sight."""
    low, high = min(levels(watch, one)), max(levels(watch, one))
    blocked, maybe = _blocked(watch, _spot(one), _spot(other), low, high)
    return Maybe(not maybe, not blocked)


def _spot(at: Sequence[float]) -> Spot:
    return float(at[0]), float(at[1])


def _blocked(watch: Watch, one: Spot, other: Spot, low: float, high: float) -> tuple[bool, bool]:
    kept = watch.memory.setdefault("sight", {})
    key = (one, other)
    if key not in kept:
        kept[key] = _work_out_sight(watch, one, other, low, high)
    found: tuple[bool, bool] = kept[key]
    return found


def _work_out_sight(watch: Watch, one: Spot, other: Spot, low: float, high: float) -> tuple[bool, bool]:
    line = LineString([one, other])
    sure = may = False
    depth = {"woods": [0.0, 0.0], "undergrowth": [0.0, 0.0]}
    for piece in pieces(watch):
        group = "woods" if piece.kind in WOODS else piece.kind
        if group in depth:
            least, most = piece.inches(line)
            depth[group][0] += least
            depth[group][1] += most
        elif piece.height <= -2:
            least, most = _deep(watch, piece, one, other)
            sure, may = sure or bool(least), may or bool(most)
        elif piece.height >= 1:
            crossed = piece.crossed(line)
            ends = any_of([piece.holds(one), piece.holds(other)])
            sure = sure or (crossed.sure and not ends.may and high <= piece.height)
            may = may or (crossed.may and not ends.sure and low <= piece.height)
    for group, limit in (("woods", 6.0), ("undergrowth", 2.0)):
        sure = sure or depth[group][0] > limit + HAIR
        may = may or depth[group][1] > limit - HAIR
    return sure, may


def _deep(watch: Watch, piece: Piece, one: Spot, other: Spot) -> tuple[bool, bool]:
    """A canyon: from within one sees only whoever is within too, at the rim, or on height 3."""
    inside = [piece.holds(one), piece.holds(other)]
    if max(levels(watch, one)) >= 3 or max(levels(watch, other)) >= 3:
        return False, False
    rim = min(Point(at).distance(piece.shape.boundary) for at in (one, other))
    differ_sure = (inside[0].sure and not inside[1].may) or (inside[1].sure and not inside[0].may)
    differ_may = inside[0].may != inside[1].sure or inside[1].may != inside[0].sure
    return differ_sure and rim > 1.0 + 0.8 + HAIR, differ_may and rim > 0.5 - HAIR


def unit_sees(watch: Watch, one: Any, other: Any) -> Maybe:
    """Whether a model of one unit that can act sees any model of another."""
    return any_of([sees(watch, a.at, b.at) for a in able(one) for b in figures(other)])


def on_table(watch: Watch, figure: Any) -> bool:
    """Whether all of a base lies on the table."""
    table, r = watch.setup.table, radius(figure) - HAIR
    x, y = _spot(figure.at)
    return bool(r <= x <= table.width - r and r <= y <= table.depth - r)


def length(way: Sequence[Spot]) -> float:
    return sum(math.dist(a, b) for a, b in pairwise(way))


def bearing(one: Spot, other: Spot) -> float:
    return math.degrees(math.atan2(other[0] - one[0], other[1] - one[1])) % 360.0


def turn_between(one: float, other: float) -> float:
    """Degrees between two bearings, 0 to 180."""
    return abs((one - other + 180.0) % 360.0 - 180.0)
