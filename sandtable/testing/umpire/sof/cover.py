"""What lies between those who fire and their target: concealment, woods and protection."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from shapely.geometry import LineString, Point

from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.sof.lines import line_of_fire
from sandtable.testing.umpire.sof.stock import (
    COVER_WITHIN,
    PROTECTIVE_WALLS,
    Way,
    rate_parts,
    special_of,
    weapons,
)
from sandtable.testing.umpire.sof.table import (
    HAIR,
    WOODS,
    Maybe,
    Piece,
    any_of,
    bearing,
    both,
    figures,
    levels,
    pieces,
    radius,
    turn_between,
    under,
)

ALIKE = 1e-4
"""Two measures that differ by no more are the same: places are kept to the hundredth of an inch."""
NEAR_THE_EDGE = 0.1
EDGE = 2.0
"""Ground in which the firers stand no farther than this from its edge does not conceal."""


class Firer(NamedTuple):
    unit: Any
    figure: Any
    way: Way
    dice: float
    """With how many dice he counts where more than half of them decide; at least."""
    most: float
    """And at most, where it is too close to call whether a Rapid Fire weapon is within 4 inches."""


class Status(NamedTuple):
    concealed: Maybe
    woods: Maybe
    protected: Maybe


class Between(NamedTuple):
    """What a firer's line meets: whether it conceals what is behind it, and how."""

    cover: Maybe
    woods: Maybe
    walls: Maybe


def weight(rate: str, *, near: bool) -> float:
    """How many dice a figure is worth; a Rapid Fire weapon counts as a whole one within 4 inches."""
    number, code, _ = rate_parts(rate)
    return {"RF": 1.0 if near else 0.5, "SS": 1 / 3, "G": 1.0, "d6": 3.5}.get(code, float(number))


def lines_to(watch: Watch, state: Any, firer: Firer, target: Any) -> list[LineString]:
    """The line along which cover is judged: of those that are free the shortest, from middle to middle.

    Where it is too close to call whether a line is free, or which of two is shorter, each may be the one.
    """
    free = line_of_fire(watch, state, firer.unit, firer.figure, firer.way, target)
    lengths = {other.id: math.dist(firer.figure.at, other.at) for other in figures(target) if free[other.id].may}
    shortest = min((inches for name, inches in lengths.items() if free[name].sure), default=math.inf)
    return [
        LineString([firer.figure.at, other.at])
        for other in figures(target)
        if other.id in lengths and lengths[other.id] <= shortest + ALIKE
    ]


def lies_between(watch: Watch, firer: Firer, line: LineString, exempt: set[str], perhaps: set[str]) -> Between:
    """What of the ground along a line conceals and protects what is at its end.

    `exempt` is ground at whose edge the firer's unit stands, `perhaps` where it is too close to call. What the target
    stands in is judged by the majority of its models, and not here.
    """
    low, high = min(levels(watch, firer.figure.at)), max(levels(watch, firer.figure.at))
    sure = may = False
    depth = [0.0, 0.0]
    walls = Maybe(False, False)
    for piece in pieces(watch):
        crossed = piece.crossed(line)
        if not crossed.may or piece.id in exempt:
            continue
        plain = crossed.sure and piece.id not in perhaps
        if piece.kind in WOODS:
            least, most = piece.inches(line)
            if high - piece.height < 1:
                depth[0] += 0.0 if piece.id in perhaps else least
            if low - piece.height < 1:
                depth[1] += most
            continue
        if piece.kind in ("haystack", "road") or piece.elevating or piece.height <= 0:
            continue
        if piece.kind in PROTECTIVE_WALLS:
            walls = Maybe(walls.sure or plain, walls.may or crossed.may)
        inside = piece.holds(line.coords[-1])
        sure = sure or (plain and high - piece.height < 1 and piece.height <= low and not inside.may)
        may = may or (low - piece.height < 1 and not inside.sure)
    woods = Maybe(depth[0] > EDGE + HAIR, depth[1] > EDGE - HAIR)
    return Between(Maybe(sure or woods.sure, may or woods.may), woods, walls)


def at_its_edge(watch: Watch, piece: Piece, firer: Firer, line: LineString) -> Maybe:
    """Whether a firer is at the edge of a piece of ground: in an area, from his rim along the line; or near a wall."""
    spot, r = Point(firer.figure.at), radius(firer.figure)
    if not piece.area:
        return under(float(piece.shape.distance(spot)) - r, EDGE, ALIKE)
    inside = piece.holds(firer.figure.at)
    if not inside.may:
        return Maybe(False, False)
    left = line.difference(piece.shape)
    out = min((line.project(Point(at)) for part in parts_of(left) for at in part.coords), default=math.inf)
    near = under(out - r, EDGE, ALIKE)
    watch.count("firers near the edge of their ground", abs(out - r - EDGE) < NEAR_THE_EDGE)
    return Maybe(inside.sure and near.sure, near.may)


def parts_of(shape: Any) -> list[Any]:
    return [part for part in getattr(shape, "geoms", [shape]) if not part.is_empty]


def status_of(watch: Watch, state: Any, firers: list[Firer], target: Any) -> Status:
    """How a target lies to a fire: concealed, behind woods, protected. More than half of the dice decide."""
    no = Maybe(False, False)
    if target.type == "mounted":
        return Status(no, no, no)
    lines = [lines_to(watch, state, firer, target) for firer in firers]
    edges = at_edges(watch, firers, lines)
    counted = []
    for firer, candidates in zip(firers, lines, strict=True):
        exempt, perhaps = edges[firer.unit.id]
        counted.append((firer, [lies_between(watch, firer, line, exempt, perhaps) for line in candidates]))

    def most(what: str) -> Maybe:
        """Whether it holds for more than half of the dice."""
        sure = [firer for firer, met in counted if met and all(getattr(each, what).sure for each in met)]
        may = [firer for firer, met in counted if any(getattr(each, what).may for each in met)]
        return Maybe(outweighs(firers, sure).sure, outweighs(firers, may).may)

    within, sheltered = standing_in(watch, firers, target)
    if target.dug_in:
        return Status(Maybe(True, True), most("woods"), Maybe(True, True))
    shield = behind_a_shield(firers, target)
    return Status(any_of([most("cover"), within, shield]), most("woods"), any_of([most("walls"), sheltered, shield]))


def outweighs(firers: list[Firer], some: list[Firer]) -> Maybe:
    """Whether some firers have more than half of all dice, whatever those have who may be within 4 inches or not."""
    names = {firer.figure.id for firer in some}
    mine = [firer for firer in firers if firer.figure.id in names]
    rest = [firer for firer in firers if firer.figure.id not in names]
    least = sum(each.dice for each in mine) - sum(each.most for each in rest)
    most = sum(each.most for each in mine) - sum(each.dice for each in rest)
    return Maybe(least > 1e-6, most > 1e-6)


def behind_a_shield(firers: list[Firer], target: Any) -> Maybe:
    """A gun shield conceals and protects its crew from fire out of the half circle before it."""
    gun = next((f for f in figures(target) if f.profile in weapons() and "gun-shield" in special_of(f)), None)
    if gun is None or target.type != "weapon":
        return Maybe(False, False)
    off = {firer.figure.id: turn_between(bearing(gun.at, firer.figure.at), gun.facing) for firer in firers}
    sure = [firer for firer in firers if off[firer.figure.id] <= 90.0 - 0.1]
    may = [firer for firer in firers if off[firer.figure.id] <= 90.0 + 0.1]
    return Maybe(outweighs(firers, sure).sure, outweighs(firers, may).may)


def at_edges(watch: Watch, firers: list[Firer], lines: list[list[LineString]]) -> dict[str, tuple[set[str], set[str]]]:
    """For each unit that fires, the pieces at whose edge one of its firers plainly stands, and where one may."""
    found: dict[str, tuple[set[str], set[str]]] = {firer.unit.id: (set(), set()) for firer in firers}
    for firer, candidates in zip(firers, lines, strict=True):
        plain, perhaps = found[firer.unit.id]
        for piece in pieces(watch):
            met = [line for line in candidates if piece.crossed(line).may]
            near = [at_its_edge(watch, piece, firer, line) for line in met]
            if near and len(met) == len(candidates) and all(each.sure for each in near):
                plain.add(piece.id)
            elif any(each.may for each in near):
                perhaps.add(piece.id)
    return found


def standing_in(watch: Watch, firers: list[Firer], target: Any) -> tuple[Maybe, Maybe]:
    """Whether more than half of a target's models stand in ground that conceals them, and that protects them."""
    shelters = [piece for piece in pieces(watch) if piece.kind in COVER_WITHIN]
    low_enough = []
    for piece in shelters:
        level = [firer for firer in firers if max(levels(watch, firer.figure.at)) - piece.height < 1]
        perhaps = [firer for firer in firers if min(levels(watch, firer.figure.at)) - piece.height < 1]
        always = piece.kind == "hasty-trench"
        low_enough.append(Maybe(always or outweighs(firers, level).sure, always or outweighs(firers, perhaps).may))
    concealed, protected = [], []
    for figure in figures(target):
        inside = [base_in(piece, figure) for piece in shelters]
        concealed.append(any_of([both(*each) for each in zip(inside, low_enough, strict=True)]))
        solid = [each for each, piece in zip(inside, shelters, strict=True) if piece.kind in ("rubble", "hasty-trench")]
        protected.append(any_of(solid))
    return more_than_half(concealed), more_than_half(protected)


def more_than_half(answers: list[Maybe]) -> Maybe:
    sure, may = (2 * sum(getattr(each, what) for each in answers) > len(answers) for what in ("sure", "may"))
    return Maybe(sure, may)


def base_in(piece: Piece, figure: Any) -> Maybe:
    """Whether a model is within a piece: where its middle is."""
    return piece.holds(figure.at)
