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
    figures,
    gap,
    levels,
    pieces,
    radius,
    turn_between,
)

EDGE = 2.0
"""Ground in which the firers stand no farther than this from its edge does not conceal."""


class Firer(NamedTuple):
    unit: Any
    figure: Any
    way: Way
    dice: float
    """With how many dice he counts where more than half of them decide."""


class Status(NamedTuple):
    concealed: Maybe
    woods: Maybe
    protected: Maybe


class Between(NamedTuple):
    """What a firer's line meets: by which pieces it is plainly concealed, and by which it may be."""

    sure: set[str]
    may: set[str]
    woods: Maybe
    walls: Maybe


def weight(rate: str) -> float:
    number, code, _ = rate_parts(rate)
    return {"RF": 0.5, "SS": 1 / 3, "G": 1.0, "d6": 3.5}.get(code, float(number))


def lines_to(watch: Watch, state: Any, firer: Firer, target: Any) -> list[LineString]:
    """The lines along which cover may be judged: the free ones, up to the shortest that is plainly free.

    Lines run from middle to middle. Whether the shortest is that to the nearest middle or to the nearest base is left
    open: both count as too close to call.
    """
    free = line_of_fire(watch, state, firer.unit, firer.figure, firer.way, target)
    lengths = {
        other.id: (math.dist(firer.figure.at, other.at), gap(firer.figure, other))
        for other in figures(target)
        if free[other.id].may
    }
    plain = [lengths[name] for name in lengths if free[name].sure]
    far = min((middle for middle, _ in plain), default=math.inf), min((edge for _, edge in plain), default=math.inf)
    return [
        LineString([firer.figure.at, other.at])
        for other in figures(target)
        if other.id in lengths and (lengths[other.id][0] <= far[0] + HAIR or lengths[other.id][1] <= far[1] + HAIR)
    ]


def lies_between(watch: Watch, firer: Firer, line: LineString, exempt: set[str], perhaps: set[str]) -> Between:
    """What of the ground along a line conceals and protects what is at its end."""
    low, high = min(levels(watch, firer.figure.at)), max(levels(watch, firer.figure.at))
    sure, may = set(), set()
    depth = [0.0, 0.0]
    walls = Maybe(False, False)
    for piece in pieces(watch):
        crossed = piece.crossed(line)
        if not crossed.may or piece.id in exempt:
            continue
        if piece.kind in WOODS:
            least, most = piece.inches(line)
            if high - piece.height < 1:
                depth[0] += 0.0 if piece.id in perhaps else least
            if low - piece.height < 1:
                depth[1] += most
            continue
        if piece.kind in ("haystack", "road") or piece.height <= 0:
            continue
        if piece.kind in PROTECTIVE_WALLS:
            plain = crossed.sure and piece.id not in perhaps
            walls = Maybe(walls.sure or plain, walls.may or crossed.may)
        # Whether a hill conceals those who stand on it, or from those who do, the rules leave open.
        hill = piece.elevating and any(piece.holds(end).may for end in line.coords)
        # Ground in which the target stands counts where its entry says so.
        hill = hill or (piece.kind not in COVER_WITHIN and piece.holds(line.coords[-1]).may)
        if crossed.sure and high - piece.height < 1 and piece.height <= low and piece.id not in perhaps and not hill:
            sure.add(piece.id)
        if low - piece.height < 1:
            may.add(piece.id)
    woods = Maybe(depth[0] > EDGE + HAIR, depth[1] > EDGE - HAIR)
    if woods.sure:
        sure.add("woods")
    if woods.may:
        may.add("woods")
    return Between(sure, may, woods, walls)


def at_its_edge(watch: Watch, piece: Piece, firer: Firer, line: LineString) -> Maybe:
    """Whether a firer stands in a piece of ground no more than 2 inches from its edge, along his line."""
    spot = Point(firer.figure.at)
    if not piece.area:
        # Along the line of fire; whether from the middle of his base or from its edge the rules leave open.
        met = line.intersection(piece.shape)
        along = spot.distance(met) if not met.is_empty else math.inf
        return Maybe(along <= EDGE - HAIR, spot.distance(piece.shape) - radius(firer.figure) <= EDGE + HAIR)
    inside = piece.holds(firer.figure.at)
    touching = piece.shape.distance(spot) <= radius(firer.figure) + HAIR
    if not touching:
        return Maybe(False, False)
    least, most = piece.inches(line)
    return Maybe(
        inside.sure and most <= EDGE - HAIR, (inside.may or touching) and least - radius(firer.figure) <= EDGE + HAIR
    )


def status_of(watch: Watch, state: Any, firers: list[Firer], target: Any) -> Status:
    """How a target lies to a fire: concealed, behind woods, protected. More than half of the dice decide."""
    no = Maybe(False, False)
    if target.type == "mounted":
        return Status(no, no, no)
    lines = [lines_to(watch, state, firer, target) for firer in firers]
    exempt, perhaps = exempted(watch, firers, lines)
    total = sum(firer.dice for firer in firers)
    by_piece: dict[str, float] = {}
    tally = {"may": 0.0, "woods": 0.0, "woods?": 0.0, "walls": 0.0, "walls?": 0.0}
    for firer, candidates in zip(firers, lines, strict=True):
        met = [lies_between(watch, firer, line, exempt, perhaps) for line in candidates]
        if not met:
            continue
        for piece in set.intersection(*(each.sure for each in met)):
            by_piece[piece] = by_piece.get(piece, 0.0) + firer.dice
        tally["may"] += firer.dice if any(each.may for each in met) else 0.0
        tally["woods"] += firer.dice if all(each.woods.sure for each in met) else 0.0
        tally["woods?"] += firer.dice if any(each.woods.may for each in met) else 0.0
        tally["walls"] += firer.dice if all(each.walls.sure for each in met) else 0.0
        tally["walls?"] += firer.dice if any(each.walls.may for each in met) else 0.0
    half = total / 2
    slack = 1e-6
    # Whether one piece must lie on more than half of the lines, or all of them together, the rules do not say.
    along = Maybe(max(by_piece.values(), default=0.0) > half + slack, tally["may"] > half + slack)
    woods = Maybe(tally["woods"] > half + slack, tally["woods?"] > half + slack)
    walls = Maybe(tally["walls"] > half + slack, tally["walls?"] > half + slack)
    within, dug_in = standing_in(watch, firers, target)
    if target.dug_in:
        return Status(Maybe(True, True), woods, Maybe(True, True))
    shield = behind_a_shield(firers, target, total)
    return Status(any_of([along, woods, within, shield]), woods, any_of([walls, dug_in, shield]))


def behind_a_shield(firers: list[Firer], target: Any, total: float) -> Maybe:
    """A gun shield conceals and protects its crew from fire out of the half circle before it."""
    gun = next((f for f in figures(target) if f.profile in weapons() and "gun-shield" in special_of(f)), None)
    if gun is None or target.type != "weapon":
        return Maybe(False, False)
    before = sum(firer.dice for firer in firers if turn_between(bearing(gun.at, firer.figure.at), gun.facing) <= 90.0)
    return Maybe(2 * before > total + 1e-6, before > 0)


def exempted(watch: Watch, firers: list[Firer], lines: list[list[LineString]]) -> tuple[set[str], set[str]]:
    """The pieces at whose edge the firers stand: all of them plainly, or perhaps only some."""
    exempt, perhaps = set(), set()
    for piece in pieces(watch):
        found = [
            any_of([at_its_edge(watch, piece, firer, line) for line in candidates])
            for firer, candidates in zip(firers, lines, strict=True)
            if candidates
        ]
        if found and all(each.sure for each in found):
            exempt.add(piece.id)
        elif any(each.may for each in found):
            perhaps.add(piece.id)
    return exempt, perhaps


def standing_in(watch: Watch, firers: list[Firer], target: Any) -> tuple[Maybe, Maybe]:
    """Whether more than half of a target's models stand in ground that conceals them, and that protects them."""
    lows = [min(levels(watch, firer.figure.at)) for firer in firers]
    highs = [max(levels(watch, firer.figure.at)) for firer in firers]
    count = len(figures(target))
    concealing, protecting = [], []
    union = 0
    for figure in figures(target):
        union += any(base_in(piece, figure).may for piece in pieces(watch) if piece.kind in COVER_WITHIN)
    for piece in pieces(watch):
        if piece.kind not in COVER_WITHIN:
            continue
        inside = [base_in(piece, figure) for figure in figures(target)]
        most = Maybe(2 * sum(each.sure for each in inside) > count, 2 * union > count)
        if piece.kind == "hasty-trench":
            concealing.append(most)
        else:
            low_enough = Maybe(max(highs, default=1.0) - piece.height < 1, min(lows, default=1.0) - piece.height < 1)
            concealing.append(Maybe(most.sure and low_enough.sure, most.may and low_enough.may))
        if piece.kind in ("rubble", "hasty-trench"):
            protecting.append(most)
    return any_of(concealing), any_of(protecting)


def base_in(piece: Piece, figure: Any) -> Maybe:
    """Whether a model is within a piece: where its middle is."""
    return piece.holds(figure.at)
