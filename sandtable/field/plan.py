"""A whole unit dropped at a place: the answer that its player means, and what is amiss with it; and its reach.

The unit lands in formation (`table.formation`). If it may not go there, all go less far, as one body; if that does not
help, whoever is in the wrong is held back a little, then more, and at last stays. What the question itself refuses is
never offered as legal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

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
from sandtable.field.bodies import MoveBody
from sandtable.field.body_plan import plan_body, plan_march
from sandtable.field.landings import NUDGES, Landing, Plan
from sandtable.table import formation
from sandtable.table.formation import shy
from sandtable.table.scene import Point, Scene
from sandtable.table.shapes import Footprint, Place, bodies, heading

SHORTER = (0.75, 0.5, 0.25)
"""How much of its way a refused piece still goes, one try after the other."""

EIGHTHS = tuple(number / 8 for number in range(7, 0, -1))
"""How much of its way a whole unit still goes."""

SHIFTS = (*(number / 20 for number in range(20, 0, -1)), 0.025)
"""How much of its way a unit goes that keeps exactly as it stands."""

MOST_TRIES = 60
"""Landings that are judged before it is given up."""

RAYS = 72
"""Directions in which it is found out how far a piece may go."""

HALVES = 4
"""How often the last inch between what is allowed and what is not is halved."""

MARKER = Footprint(0.0, 0.0, "circle")
"""What has no base stands in nobody's way."""


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
    scene: Scene | None = None,
    files: int | None = None,
) -> Plan | Refusal:
    """Drop some pieces of the question now asked at a place. A refusal means that it cannot even be tried.

    `scene` is what the seat sees now, if somebody has made it already. `files` is how many shall stand abreast in a
    body that forms up.
    """
    if not finite(Step(to, facing)):
        return Refusal("malformed", "a place must be given in finite inches", field="to")
    ask = game.ask
    if ask is not None and ask.seat == seat and isinstance(ask.question, MoveBody):
        return plan_body(ask.question, to, facing, lead, files)
    question = asked_to_move(game, seat)
    if isinstance(question, Refusal):
        return question
    known = {piece.id: piece for piece in question.pieces()}
    for name in [*names, *([lead] if lead is not None else [])]:
        if name not in known:
            return not_movable(question, name)
    pieces = [known[name] for name in dict.fromkeys(names)]
    if not pieces:
        return Refusal("malformed", "name at least one piece", field="pieces")
    scene = scene or game.rules.scene(game, seat)
    apart = question.apart if len(pieces) == len(known) > 1 else None
    formed = None if apart is None else formed_up(game, scene, question, pieces, to, facing, lead)
    if formed is not None:
        answer, held, refusal = formed
    else:
        # Where there is no room to form up they come as they stand; those who stood nowhere, as they would have formed.
        nowhere = any(piece.at is None for piece in pieces)
        wanted = landed(game, scene, pieces, to, facing, lead, apart if nowhere else None)
        neat = partial(landed, game, scene, pieces, to, facing, lead, apart if nowhere else None, crowded=False)
        answer, held, refusal = amended(question, pieces, wanted, shift_to(pieces, to, lead), neat)
    steps = plain_to_steps(answer)
    landings = [landing(game, seat, piece, steps.get(piece.id), held.get(piece.id)) for piece in pieces]
    return Plan(answer, tuple(landings), refusal)


def shown_march(game: Game[Any], seat: str, answer: object) -> Plan | Refusal:
    """How a march would end, given as an answer to the question now asked."""
    ask = game.ask
    if ask is None or ask.seat != seat or not isinstance(ask.question, MoveBody):
        return Refusal("unasked", "Nobody is asked to march now.", field="answer")
    return plan_march(ask.question, answer)


def formed_up(
    game: Game[Any],
    scene: Scene,
    question: MovePieces,
    pieces: list[Piece],
    to: Point,
    facing: float | None,
    lead: str | None,
) -> tuple[Answer, dict[str, Refusal], None] | None:
    """A unit that forms up anew at the drop or, where that is refused, as near to it as it may on the way there."""
    start = middle([piece for piece in pieces if lead in (None, piece.id)])
    first: Refusal | None = None
    for part in (1.0, *EIGHTHS, 0.0) if start is not None else (1.0,):
        at = to if start is None else (start[0] + part * (to[0] - start[0]), start[1] + part * (to[1] - start[1]))
        wanted = landed(game, scene, pieces, at, facing, lead, question.apart)
        answer = question.check(steps_to_plain(wanted))
        if not isinstance(answer, Refusal):
            return answer, {} if first is None else dict.fromkeys(wanted, first), None
        first = first or answer
    return None


def landed(
    game: Game[Any],
    scene: Scene,
    pieces: list[Piece],
    to: Point,
    facing: float | None,
    lead: str | None,
    apart: float | None = None,
    *,
    crowded: bool = True,
) -> dict[str, Step]:
    """The unit in formation at the drop, as far as the seat can see who else stands there.

    Not `crowded`, it is in the formation that it would have if nobody else stood there.
    """
    heads, walls = game.rules.display.heads, game.rules.display.walls
    moving = {piece.id for piece in pieces}
    standing = scene.pieces if crowded else ()
    others = bodies((piece.footprint, piece.place) for piece in standing if piece.id not in moving)
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
    found = formation.land(stands, to, **size, obstacles=others, walls=features, lead=held, facing=facing, apart=apart)
    steps = {}
    for piece, stand, place in zip(pieces, stands, found, strict=True):
        # A piece that drives as it likes is not told how to face: the rules say how it does.
        own = stand.place is not None and abs(place.facing - stand.facing) < 0.05 and facing is None and apart is None
        if piece.at is None or not own or np.hypot(place.x - piece.at[0], place.y - piece.at[1]) >= 0.01:
            steps[piece.id] = hundredths(Step((place.x, place.y), None if own else place.facing))
    return steps


def shift_to(pieces: list[Piece], to: Point, lead: str | None) -> Point | None:
    """By how much the piece that is held, or the middle of all, is shifted; None if some are not on the table yet."""
    if any(piece.at is None for piece in pieces):
        return None
    start = middle([piece for piece in pieces if lead in (None, piece.id)])
    return None if start is None else (to[0] - start[0], to[1] - start[1])


def middle(pieces: list[Piece]) -> Point | None:
    spots = [piece.at for piece in pieces if piece.at is not None]
    if not spots:
        return None
    return sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots)


def amended(
    question: MovePieces,
    pieces: list[Piece],
    wanted: dict[str, Step],
    shift: Point | None = None,
    neat: Callable[[], dict[str, Step]] | None = None,
) -> tuple[Answer, dict[str, Refusal], Refusal | None]:
    """The answer as near to the wanted steps as the question allows, what held whom back, and what is still wrong."""
    first = question.check(steps_to_plain(wanted))
    if not isinstance(first, Refusal):
        return first, {}, None
    starts = {piece.id: piece.at for piece in pieces}
    if first.kind == "illegal":
        for steps in whole_unit(question, starts, wanted, neat):
            if question.is_refused(steps):
                continue
            answer = question.check(steps_to_plain(steps))
            if not isinstance(answer, Refusal):
                return answer, dict.fromkeys(steps, first), None
        for steps in shifted(pieces, shift) if shift is not None and len(pieces) > 1 else ():
            if question.is_refused(steps):
                continue
            answer = question.check(steps_to_plain(steps))
            if not isinstance(answer, Refusal):
                return answer, dict.fromkeys(steps, first), None
        found = piece_by_piece(question, starts, wanted, first)
        if found is not None:
            return *found, None
    return steps_to_plain(wanted), {}, first


def whole_unit(
    question: MovePieces,
    starts: dict[str, Point | None],
    wanted: dict[str, Step],
    neat: Callable[[], dict[str, Step]] | None = None,
) -> Iterator[dict[str, Step]]:
    """The unit as one body: facing as it likes, and all of it less far; or, if it comes onto the table, a bit aside."""
    ways = {name: (start, step) for name, step in wanted.items() if (start := starts[name]) is not None}
    if len(wanted) > 1 and len(ways) == len(wanted):
        if any(step.facing is not None for step in wanted.values()):
            yield {name: Step(step.to) for name, step in wanted.items()}
        for part in EIGHTHS:
            yield {name: part_of(start, step, part) for name, (start, step) in ways.items()}
    elif len(wanted) > 1 and not ways and question.elsewhere is not None:
        # Whoever would have to squeeze in among others stands in his ranks beside them.
        yield from question.elsewhere(wanted if neat is None else neat())
    elif len(wanted) > 1 and not ways:
        for inches, angle in NUDGES:
            yield {name: aside(step, inches, angle) for name, step in wanted.items()}


def shifted(pieces: list[Piece], shift: Point) -> Iterator[dict[str, Step]]:
    """The unit exactly as it stands, shifted towards the drop: as far as all of it can go, and then less and less."""
    far = float(np.hypot(*shift))
    most = min([far, *(piece.reach for piece in pieces if piece.reach is not None)])
    for part in SHIFTS if most > 0.0 else ():
        by = part * most / far
        yield {
            piece.id: Step((shy(x, x + shift[0], by), shy(y, y + shift[1], by)))
            for piece in pieces
            if piece.at is not None
            for x, y in (piece.at,)
        }


def piece_by_piece(
    question: MovePieces, starts: dict[str, Point | None], wanted: dict[str, Step], first: Refusal
) -> tuple[Answer, dict[str, Refusal]] | None:
    """Whoever is blamed gives way, one try after the other, and the others go; None if nobody goes in the end."""
    steps = dict(wanted)
    waiting = {name: amends(step, starts[name]) for name, step in wanted.items()}
    held: dict[str, Refusal] = {}
    refused: Answer | Refusal = first
    for _ in range(MOST_TRIES):
        if not isinstance(refused, Refusal):
            return (refused, held) if steps else None
        blamed = [refused.field] if refused.field in steps else list(steps)
        if not blamed or refused.kind != "illegal":
            return None
        for name in blamed:
            held.setdefault(name, refused)
            try:
                step = next(waiting[name])
            except StopIteration:
                return None
            if step is None:
                del steps[name]
            else:
                steps[name] = step
        refused = question.check(steps_to_plain(steps))
    return None


def part_of(start: Point, step: Step, part: float) -> Step:
    """A step that ends after a part of the way."""
    (x0, y0), (x, y) = start, step.to
    return hundredths(Step((x0 + (x - x0) * part, y0 + (y - y0) * part), step.facing))


def aside(step: Step, inches: float, angle: float) -> Step:
    """A step that ends so far beside its place."""
    sin, cos = heading(angle)
    return hundredths(Step((step.to[0] + inches * sin, step.to[1] + inches * cos), step.facing))


def amends(step: Step, start: Point | None) -> Iterator[Step | None]:
    """What to try for a refused piece, one after the other; None: it stays."""
    if start is None:
        yield from (aside(step, inches, angle) for inches, angle in NUDGES)
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
