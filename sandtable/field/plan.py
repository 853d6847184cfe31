"""A whole unit dropped at a place: the answer that its player means, and what is amiss with it; and its reach.

The unit lands in formation (`table.formation`); whoever may not go there is held back a little, then more, and at last
stays; if that does not help, all go less far. What the question itself refuses is never offered as legal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import numpy as np

from sandtable.engine.cards import Fact
from sandtable.engine.game import Game
from sandtable.engine.questions import (
    Answer,
    MovePieces,
    Piece,
    Refusal,
    Step,
    finite,
    hundredths,
    plain_to_steps,
    shown,
    steps_to_plain,
)
from sandtable.table import formation
from sandtable.table.scene import Point, Scene
from sandtable.table.shapes import Footprint, Place, bodies, heading

SHORTER = (0.75, 0.5, 0.25)
"""How much of its way a refused piece still goes, one try after the other."""

NUDGES = tuple((inches, angle) for inches in (1.0, 2.0, 4.0) for angle in range(0, 360, 45))
"""Where a refused piece that comes onto the table is tried next: so far away, and in what direction."""

MOST_TRIES = 60
"""Landings that are judged before it is given up."""

RAYS = 72
"""Directions in which it is found out how far a piece may go."""

HALVES = 4
"""How often the last inch between what is allowed and what is not is halved."""

MARKER = Footprint(0.0, 0.0, "circle")
"""What has no base stands in nobody's way."""


class Landing(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where one piece would come to stand, how far that is, and what it costs or had to give way to (`facts`)."""

    id: str
    at: Point
    facing: float
    inches: float = 0.0
    facts: tuple[Fact, ...] = ()


class Plan(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer that a drop comes to, and where each piece lands; with a refusal if it is not legal."""

    answer: Answer
    pieces: tuple[Landing, ...]
    refusal: Refusal | None = None


def asked_to_move(game: Game[Any], seat: str) -> MovePieces | Refusal:
    """The question now asked, if it is this seat's and about where pieces go."""
    ask = game.ask
    if ask is None or ask.seat != seat:
        return Refusal("unasked", "You are not asked now.", field="seat")
    if not isinstance(ask.question, MovePieces):
        return Refusal("unasked", "Nothing is to be moved now.", field=ask.question.topic)
    return ask.question


def not_movable(question: MovePieces, name: str) -> Refusal:
    why = question.barred(name) if question.barred else None
    return why or Refusal("unknown", f"{shown(name)!r} may not be moved here.", field=question.topic)


def reach(game: Game[Any], seat: str, name: str) -> list[float] | Refusal:
    """How far a piece could go straight on, alone, in each of `RAYS` directions clockwise from north.

    That is as far as its speed and the question allow. Where it may go on behind something that it may not stop at,
    the farther place counts. None at all for a piece that is not on the table yet, or may go anywhere.
    """
    question = asked_to_move(game, seat)
    if isinstance(question, Refusal):
        return question
    piece = next((each for each in question.pieces() if each.id == name), None)
    if piece is None:
        return not_movable(question, name)
    if piece.at is None or piece.reach is None:
        return []
    x, y = piece.at
    most = piece.reach
    found = []
    for ray in range(RAYS):
        sin, cos = heading(360.0 * ray / RAYS)

        def may(inches: float, sin: float = sin, cos: float = cos) -> bool:
            step = hundredths(Step((x + inches * sin, y + inches * cos)))
            return not isinstance(question.check(steps_to_plain({name: step})), Refusal)

        far = most
        while far > 0 and not may(far):
            far -= 1.0
        beyond = min(far + 1.0, most)
        far = max(far, 0.0)
        for _ in range(HALVES if far < most else 0):
            middle = (far + beyond) / 2
            far, beyond = (middle, beyond) if may(middle) else (far, middle)
        found.append(round(far, 2))
    return found


def plan(
    game: Game[Any],
    seat: str,
    names: Sequence[str],
    to: Point,
    facing: float | None = None,
    lead: str | None = None,
) -> Plan | Refusal:
    """Drop some pieces of the question now asked at a place. A refusal means that it cannot even be tried."""
    question = asked_to_move(game, seat)
    if isinstance(question, Refusal):
        return question
    if not finite(Step(to, facing)):
        return Refusal("malformed", "a place must be given in finite inches", field="to")
    known = {piece.id: piece for piece in question.pieces()}
    for name in [*names, *([lead] if lead is not None else [])]:
        if name not in known:
            return not_movable(question, name)
    pieces = [known[name] for name in dict.fromkeys(names)]
    if not pieces:
        return Refusal("malformed", "name at least one piece", field="pieces")
    wanted = landed(game, seat, pieces, to, facing, lead)
    steps, held, refusal = amended(question, pieces, wanted)
    checked = question.check(steps_to_plain(steps))
    answer = steps_to_plain(steps) if isinstance(checked, Refusal) else checked
    landings = [
        landing(game, seat, piece, plain_to_steps(answer).get(piece.id), held.get(piece.id)) for piece in pieces
    ]
    return Plan(answer, tuple(landings), refusal)


def landed(
    game: Game[Any], seat: str, pieces: list[Piece], to: Point, facing: float | None, lead: str | None
) -> dict[str, Step]:
    """The unit in formation at the drop, as far as the seat can see who else stands there."""
    scene: Scene = game.rules.scene(game, seat)
    heads, walls = game.rules.display.heads, game.rules.display.walls
    moving = {piece.id for piece in pieces}
    others = bodies((piece.footprint, piece.place) for piece in scene.pieces if piece.id not in moving)
    held = next((number for number, piece in enumerate(pieces) if piece.id == lead), None)
    shift = middle(pieces) if held is None else pieces[held].at
    stands = []
    for piece in pieces:
        look = piece.facing
        if piece.at is not None and facing is None and shift is not None:
            ahead = Step((piece.at[0] + to[0] - shift[0], piece.at[1] + to[1] - shift[1]))
            turned = heads(game, piece.id, ahead)
            look = look if turned is None else turned
        base = MARKER if piece.base is None else Footprint(*piece.base)
        place = None if piece.at is None else Place(*piece.at, look)
        stands.append(formation.Stand(base, place, look, piece.reach))
    features = [feature for feature in scene.features if feature.kind in walls]
    size = {"width": scene.width, "depth": scene.depth}
    found = formation.land(stands, to, **size, obstacles=others, walls=features, lead=held, facing=facing)
    steps = {}
    for piece, stand, place in zip(pieces, stands, found, strict=True):
        # A piece that drives as it likes is not told how to face: the rules say how it does.
        own = stand.place is not None and abs(place.facing - stand.facing) < 0.05 and facing is None
        if piece.at is None or not own or np.hypot(place.x - piece.at[0], place.y - piece.at[1]) >= 0.01:
            steps[piece.id] = hundredths(Step((place.x, place.y), None if own else place.facing))
    return steps


def middle(pieces: list[Piece]) -> Point | None:
    spots = [piece.at for piece in pieces if piece.at is not None]
    if not spots:
        return None
    return sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots)


def amended(
    question: MovePieces, pieces: list[Piece], wanted: dict[str, Step]
) -> tuple[dict[str, Step], dict[str, Refusal], Refusal | None]:
    """The steps as near to the wanted ones as the question allows, what held whom back, and what is still wrong."""
    starts = {piece.id: piece.at for piece in pieces}
    steps = dict(wanted)
    tries = dict.fromkeys(wanted, 0)
    held: dict[str, Refusal] = {}
    first: Refusal | None = None
    for _ in range(MOST_TRIES):
        refused = question.check(steps_to_plain(steps))
        if not isinstance(refused, Refusal):
            if steps or first is None:
                return steps, held, None
            break
        first = first or refused
        blamed = [refused.field] if refused.field in steps else list(steps)
        if not blamed or refused.kind != "illegal":
            break
        for name in blamed:
            held.setdefault(name, refused)
            others = list(amends(wanted[name], starts[name]))
            if tries[name] >= len(others):
                return whole_unit(question, starts, wanted, first)
            step = others[tries[name]]
            tries[name] += 1
            if step is None:
                del steps[name]
            else:
                steps[name] = step
    return whole_unit(question, starts, wanted, first)


def whole_unit(
    question: MovePieces, starts: dict[str, Point | None], wanted: dict[str, Step], first: Refusal | None
) -> tuple[dict[str, Step], dict[str, Refusal], Refusal | None]:
    """The unit as one body, all of it a part of the way: piece by piece it found no legal move."""
    ways = {name: (start, step) for name, step in wanted.items() if (start := starts[name]) is not None}
    if first is not None and len(ways) == len(wanted):
        for part in SHORTER:
            steps = {name: part_of(start, step, part) for name, (start, step) in ways.items()}
            if not isinstance(question.check(steps_to_plain(steps)), Refusal):
                return steps, dict.fromkeys(steps, first), None
    return wanted, {}, first


def part_of(start: Point, step: Step, part: float) -> Step:
    """A step that ends after a part of the way."""
    (x0, y0), (x, y) = start, step.to
    return hundredths(Step((x0 + (x - x0) * part, y0 + (y - y0) * part), step.facing))


def amends(step: Step, start: Point | None) -> Iterator[Step | None]:
    """What to try for a refused piece, one after the other; None: it stays."""
    x, y = step.to
    if start is None:
        for inches, angle in NUDGES:
            sin, cos = heading(float(angle))
            yield hundredths(Step((x + inches * sin, y + inches * cos), step.facing))
        return
    if step.facing is not None:
        yield Step(step.to)
    for part in SHORTER:
        yield part_of(start, step, part)
    yield None


def landing(game: Game[Any], seat: str, piece: Piece, step: Step | None, held: Refusal | None) -> Landing:
    """Where a piece comes to stand, in the words of its ruleset."""
    why = (Fact("Changed", held.message, held.rule or ""),) if held is not None else ()
    if step is None:
        return Landing(piece.id, piece.at or (0.0, 0.0), piece.facing, facts=why)
    look = step.facing
    if look is None:
        look = game.rules.display.heads(game, piece.id, step)
    inches = 0.0 if piece.at is None else float(np.hypot(step.to[0] - piece.at[0], step.to[1] - piece.at[1]))
    facts = game.rules.display.gauge(game, seat, piece.id, step)
    return Landing(piece.id, step.to, piece.facing if look is None else look, round(inches, 2), (*facts, *why))
