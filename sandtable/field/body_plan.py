"""A body in ranks that is dropped at a place or turned there: the march that its player means, as far as it is legal.

It wheels and goes straight on, or goes ahead, wheels and goes on if it shall face a certain way at the end. If that is
too far or not allowed, the whole body goes less far along the same legs. Where it forms up, it stands at the drop, or
as near to it on the way there as it may.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from sandtable.engine.cards import Fact
from sandtable.engine.questions import Refusal, shown
from sandtable.field.bodies import Forming, March, MoveBody, march_of, plain, rounded
from sandtable.field.courses import length_of
from sandtable.field.formations import Leg, Pose, march, places, slots, stopped_after, stored, wheeled
from sandtable.field.landings import NUDGES, Landing, Plan
from sandtable.table.hairs import GRID
from sandtable.table.scene import Point
from sandtable.table.shapes import bearing, heading, turn

WHEELS = tuple(5.0 * number for number in range(-18, 19))
"""The wheels that are tried towards a drop, in degrees; then finer ones about the best."""

FINER = (2.0, 1.0, 0.5)

UNASKED_WHEEL = 0.012
"""Inches: so much nearer to the drop a wheel must bring a body for each degree that nobody asked it to turn."""

PARTS = tuple(number / 12 for number in range(12, 0, -1))
"""How much of its march a body still goes."""

HALVES = 4
"""How often the last part between what is allowed and what is not is halved."""


def plan_body(
    question: MoveBody, to: Point, facing: float | None, lead: str | None, files: int | None = None
) -> Plan | Refusal:
    """The body dropped where its man `lead` would stand at a place, or its middle; facing so, if that is said."""
    pieces = question.pieces()
    if lead is not None and lead not in [piece.id for piece in pieces]:
        return Refusal("unknown", f"{shown(lead)!r} is not moved here.", field=question.topic)
    pose, _, _ = question.body()
    forming = question.forming()
    stand = [piece.at for piece in pieces if piece.at is not None]
    # Whoever is held comes to the place; a body that is not on the table yet stands there with its front.
    held = mean([piece.at for piece in pieces if piece.at is not None and lead in (None, piece.id)] or [to])
    front = pose.at if pose is not None else mean(stand or [to])
    drop = front[0] + to[0] - held[0], front[1] + to[1] - held[1]
    if forming is not None and not stand:
        tries = set_down(question, forming, to, facing, files)
    elif forming is not None:
        tries = formed(question, forming, front, drop, facing, files)
    else:
        assert pose is not None
        tries = marched(question, pose, drop, facing)
    wanted, refusal = first_legal(question, tries)
    return told(question, wanted, refusal)


def plan_march(question: MoveBody, answer: object) -> Plan | Refusal:
    """How a march would end that somebody proposes."""
    checked = question.check(answer)
    return checked if isinstance(checked, Refusal) else told(question, march_of(checked), None)


def mean(spots: Sequence[Point]) -> Point:
    return sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots)


# What to try.


def formed(
    question: MoveBody, forming: Forming, front: Point, drop: Point, facing: float | None, files: int | None
) -> Iterator[March]:
    """A body forms up: at the drop, or at the place that it is bound to, from where it may march on to the drop."""
    pose, _, _ = question.body()
    abreast = files if files in forming.files else forming.files[0]
    if pose is not None and files is None and pose.files in forming.files:
        abreast = pose.files
    if forming.at is not None:
        before = question.pieces()[0].facing if pose is None else pose.facing
        towards = bearing(*forming.at, *drop) if math.dist(forming.at, drop) > GRID else before
        look = facing if facing is not None else before if forming.marches_on else towards
        stands = stored(Pose(forming.at, look, abreast))
        if forming.marches_on and math.dist(forming.at, drop) > GRID:
            for each in marched(question, stands, drop, None):
                yield March(each.legs, stands)
        yield March(to=stands)
        return
    look = facing if facing is not None else question.pieces()[0].facing if pose is None else pose.facing
    for part in (*PARTS, 0.0):
        at = front[0] + part * (drop[0] - front[0]), front[1] + part * (drop[1] - front[1])
        yield March(to=stored(Pose(at, look, abreast)))


def set_down(
    question: MoveBody, forming: Forming, to: Point, facing: float | None, files: int | None
) -> Iterator[March]:
    """A body comes onto the table: at the drop, or a little beside it."""
    look = facing if facing is not None else question.pieces()[0].facing
    abreast = files if files in forming.files else forming.files[0]
    for inches, angle in ((0.0, 0.0), *NUDGES):
        sin, cos = heading(angle)
        yield March(to=stored(Pose((to[0] + inches * sin, to[1] + inches * cos), look, abreast)))


def marched(question: MoveBody, pose: Pose, drop: Point, facing: float | None) -> Iterator[March]:
    """A march to the drop, and then the same less and less far."""
    _, count, pitch = question.body()
    legs = turning(pose, drop, turn(pose.facing, facing), pitch) if facing is not None else None
    legs = legs if legs is not None else towards(pose, drop, count, pitch, question.reach)
    whole = march(pose, legs, count, pitch).inches
    far = min(whole, question.reach)
    for part in PARTS:
        yield March(tuple(part_of(pose, legs, count, pitch, part * far)))


def part_of(pose: Pose, legs: Sequence[Leg], count: int, pitch: float, inches: float) -> list[Leg]:
    """The beginning of a march, so that rounded it is no longer than so many inches."""
    found = stopped_after(pose, legs, count, pitch, inches)
    return [
        Leg(math.floor(100 * leg.ahead) / 100, math.trunc(10 * leg.wheel) / 10)
        for leg in found
        if leg.ahead > GRID or abs(leg.wheel) > 0.05
    ]


def turning(pose: Pose, drop: Point, wheel: float, pitch: float) -> list[Leg] | None:
    """Ahead, the wheel, and ahead again, so that the front comes to the drop; None if it does not turn."""
    if abs(wheel) < 0.05:
        return None
    after = wheeled(pose, wheel, pitch)
    (s0, c0), (s1, c1) = heading(pose.facing), heading(after.facing)
    dx, dy = drop[0] - after.at[0], drop[1] - after.at[1]
    across = s0 * c1 - c0 * s1
    if abs(across) < 1e-6:
        first, then = max(0.0, dx * s0 + dy * c0), 0.0
    else:
        first, then = (dx * c1 - dy * s1) / across, (dy * s0 - dx * c0) / across
    if first < 0.0:
        first, then = 0.0, dx * s1 + dy * c1
    if then < 0.0:
        first, then = max(0.0, dx * s0 + dy * c0) if first > 0.0 else 0.0, 0.0
    return [Leg(ahead=first), Leg(wheel=wheel), Leg(ahead=then)]


def towards(pose: Pose, drop: Point, count: int, pitch: float, reach: float) -> list[Leg]:
    """A wheel and then straight on: what brings the front nearest to the drop within its reach, with little turning."""

    def legs(wheel: float) -> list[Leg]:
        after = wheeled(pose, wheel, pitch) if wheel else pose
        sin, cos = heading(after.facing)
        ahead = max(0.0, (drop[0] - after.at[0]) * sin + (drop[1] - after.at[1]) * cos)
        return [*([Leg(wheel=wheel)] if wheel else []), Leg(ahead=ahead)]

    def cost(wheel: float) -> tuple[float, float]:
        there = march(pose, stopped_after(pose, legs(wheel), count, pitch, reach), count, pitch).pose
        return round(math.dist(there.at, drop) + UNASKED_WHEEL * abs(wheel), 4), abs(wheel)

    best = min(WHEELS, key=cost)
    for step in FINER:
        best = min((best - step, best, best + step), key=cost)
    return legs(best)


# What comes of it.


def first_legal(question: MoveBody, tries: Iterator[March]) -> tuple[March, Refusal | None]:
    """The first that the question takes, lengthened towards the one before that it does not; or the first of all."""
    first: tuple[March, Refusal] | None = None
    refused: March | None = None
    for each in tries:
        wanted = rounded(each)
        answer = question.check(plain(wanted))
        if not isinstance(answer, Refusal):
            return (wanted if refused is None else between(question, wanted, refused)), None
        if first is None:
            first = wanted, answer
        if answer.kind != "illegal":
            break
        refused = wanted
    assert first is not None
    return first


def between(question: MoveBody, legal: March, refused: March) -> March:
    """As far as the question allows, of two that differ only in how far they go."""
    if legal.to is not None or refused.to is not None or len(legal.legs) != len(refused.legs):
        return legal
    for _ in range(HALVES):
        pairs = zip(legal.legs, refused.legs, strict=True)
        half = rounded(March(tuple(Leg((a.ahead + b.ahead) / 2, (a.wheel + b.wheel) / 2) for a, b in pairs)))
        if isinstance(question.check(plain(half)), Refusal):
            refused = half
        else:
            legal = half
    return legal


def told(question: MoveBody, wanted: March, refusal: Refusal | None) -> Plan:
    """The plan with the place of each man, and in words what the march is made of."""
    names, done = question.ends(march_of(plain(wanted)))
    pose = stored(done.pose)
    _, count, pitch = question.body()
    starts = {piece.id: piece.at for piece in question.pieces()}
    corners = flanks(count, pose.files)
    found = []
    for number, (name, spot, way) in enumerate(zip(names, places(pose, count, pitch), done.ways, strict=True)):
        start = starts[name]
        path = way if wanted.to is None or start is None else [start, spot]
        drawn = tuple((round(x, 2), round(y, 2)) for x, y in path) if number in corners and len(path) > 1 else ()
        at = round(spot[0], 2), round(spot[1], 2)
        found.append(Landing(name, at, pose.facing, round(length_of(path), 2), way=drawn))
    return Plan(plain(wanted), tuple(found), refusal, pose, tuple(parts(question, wanted, done.inches)))


def flanks(count: int, files: int) -> set[int]:
    """The numbers of the men at both ends of the front rank, whose ways are drawn."""
    front = [number for number, (rank, _) in enumerate(slots(count, files)) if rank == 0]
    return {front[0], front[-1]}


def parts(question: MoveBody, wanted: March, inches: float) -> Iterator[Fact]:
    if wanted.to is not None:
        yield Fact("Forms up", f"{wanted.to.files} abreast")
    wheel = sum(leg.wheel for leg in wanted.legs)
    ahead = sum(leg.ahead for leg in wanted.legs)
    if wheel:
        yield Fact("Wheel", f"{abs(wheel):g}° {'right' if wheel > 0 else 'left'}")
    if ahead:
        yield Fact("Ahead", f"{ahead:.1f} inches")
    if wanted.legs:
        yield Fact("Outermost man", f"{inches:.1f} of {question.reach:g} inches")
