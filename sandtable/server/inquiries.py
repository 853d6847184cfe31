"""What a player may ask before he answers: what an answer would be, cost, see or lead to. Nothing changes the game."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from sandtable.engine.preview import preview
from sandtable.engine.questions import UNREADABLE, MovePieces, Refusal, Step, finite
from sandtable.engine.seat import Seat
from sandtable.field.plan import plan, reach
from sandtable.server import history
from sandtable.server.messages import Request
from sandtable.table.shapes import Place

if TYPE_CHECKING:
    from sandtable.server.room import Room

Inquiry = Callable[["Room", str | None, Request], dict[str, Any] | Refusal]

FAR = 10_000.0
NO_PIECE = Refusal("unknown", "There is no such piece on the table.", field="piece")
"""The same words for what is not there and for what this seat does not see."""


def point(value: object) -> tuple[float, float] | None:
    try:
        x, y = msgspec.convert(value, tuple[float, float])
    except UNREADABLE:
        return None
    return (x, y) if finite(Step((x, y))) else None


def place(request: Request) -> Place | Refusal | None:
    """The planned place of a request, if it names one."""
    if request.at is None:
        return None
    at = point(request.at)
    facing = request.facing or 0.0
    if at is None or not math.isfinite(facing) or abs(facing) > FAR:
        return Refusal("malformed", "A place is two numbers, in inches.", field="at")
    return Place(at[0], at[1], facing % 360.0)


def sees(room: Room, seat: str | None, piece: str | None) -> bool:
    return any(each.id == piece for each in room.scene(seat).pieces)


def may_set_down(room: Room, seat: str | None, piece: str | None) -> bool:
    """Whether a piece that may stand nowhere yet is this seat's to set down now."""
    question = room.game.ask.question if room.game.ask is not None else None
    return room.may_answer(seat) and isinstance(question, MovePieces) and piece in question.names


def checked(room: Room, seat: str | None, request: Request) -> dict[str, Any] | Refusal:
    if seat is None or request.number is None:
        return Refusal("unasked", "Only the seat that is asked can check an answer.")
    refused = room.check(seat, request.number, request.answer)
    return refused if refused is not None else {"legal": True}


def not_asked(room: Room, seat: str | None, request: Request) -> Refusal | None:
    if seat is None or request.number != room.number or not room.may_answer(seat):
        return Refusal("unasked", "That question is not asked any more.", field="number")
    return None


def reached(room: Room, seat: str | None, request: Request) -> dict[str, Any] | Refusal:
    """How far a piece could go in every direction."""
    found = not_asked(room, seat, request) or reach(room.game, room.asked, request.piece or "")
    return found if isinstance(found, Refusal) else {"reach": found}


def planned(room: Room, seat: str | None, request: Request) -> dict[str, Any] | Refusal:
    """A whole Unit dropped at a place."""
    refused = not_asked(room, seat, request)
    if refused is not None:
        return refused
    to = point(request.to)
    if to is None:
        return Refusal("malformed", "A place is two numbers, in inches.", field="to")
    found = plan(room.game, room.asked, request.pieces, to, request.facing, request.from_, room.scene(room.asked))
    if isinstance(found, Refusal):
        return found
    reply: dict[str, Any] = {"answer": found.answer, "pieces": found.pieces}
    return reply if found.refusal is None else {**reply, "refusal": found.refusal}


def gauged(room: Room, seat: str | None, request: Request) -> dict[str, Any] | Refusal:
    try:
        step = msgspec.convert(request.step, Step)
    except UNREADABLE as error:
        return Refusal("malformed", str(error)[:200], field="step")
    if not finite(step):
        return Refusal("malformed", "A place must be given in finite inches.", field="step")
    if seat is None or request.piece is None:
        return Refusal("unasked", "Say which piece of yours goes.", field="piece")
    if not (may_set_down(room, seat, request.piece) or sees(room, seat, request.piece)):
        return NO_PIECE
    return {"facts": room.rules.display.gauge(room.game, seat, request.piece, step)}


def looked(room: Room, seat: str | None, request: Request) -> dict[str, Any] | Refusal:
    at = place(request)
    if isinstance(at, Refusal):
        return at
    if request.piece is None or not (may_set_down(room, seat, request.piece) or sees(room, seat, request.piece)):
        return NO_PIECE
    return {"outlook": room.rules.display.outlook(room.game, seat, request.piece, at)}


def lined(room: Room, seat: str | None, request: Request) -> dict[str, Any] | Refusal:
    at, to = place(request), point(request.to)
    if isinstance(at, Refusal):
        return at
    if to is None:
        return Refusal("malformed", "A place is two numbers, in inches.", field="to")
    if request.piece is None or not (may_set_down(room, seat, request.piece) or sees(room, seat, request.piece)):
        return NO_PIECE
    return {"side_view": room.rules.display.side_view(room.game, seat, request.piece, at, to)}


def to_preview(room: Room, seat: str | None, request: Request) -> history.Past | Refusal:
    """What a preview needs, taken while nobody changes the game; the trials then run on a copy."""
    if seat is None or request.number is None:
        return Refusal("unasked", "Only the seat that is asked can look ahead.")
    refused = room.check(seat, request.number, request.answer)
    return refused if refused is not None else history.past(room, room.number)


def previewed(past: history.Past, seat: str, request: Request) -> dict[str, Any] | Refusal:
    found = preview(Seat(history.at(past, checkpoints=True), seat), request.answer)
    return found if isinstance(found, Refusal) else {"preview": found}


def reasoned(room: Room, seat: str | None, request: Request) -> dict[str, Any] | Refusal:
    """Why bots chose as they did, from some answer on."""
    since = request.number or 0
    found = [note for note in room.reasons(seat) if note.after >= since]
    return {"reasons": [{"after": note.after, "seat": note.thinks, "words": note.words} for note in found]}


INQUIRIES: dict[str, Inquiry] = {
    "check": checked,
    "reach": reached,
    "plan": planned,
    "gauge": gauged,
    "look": looked,
    "line": lined,
    "reasons": reasoned,
}
