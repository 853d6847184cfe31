"""Looking before leaping: what an answer would be, cost, see or lead to. Nothing here changes the game."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from sandtable.engine.questions import UNREADABLE, MovePieces, Refusal, Step
from sandtable.server.messages import Request
from sandtable.table.shapes import Place

if TYPE_CHECKING:
    from sandtable.server.room import Room

Look = Callable[["Room", str | None, Request], dict[str, Any] | Refusal]


def checked(room: Room, seat: str | None, request: Request) -> dict[str, Any] | Refusal:
    if seat is None or request.number is None:
        return Refusal("unasked", "Only the seat that is asked can check an answer.")
    refused = room.check(seat, request.number, request.answer)
    return refused if refused is not None else {"legal": True}


def planned(room: Room, seat: str | None, request: Request) -> dict[str, Any] | Refusal:
    """A whole Unit shifted so that the piece it is held by comes to the place."""
    question = room.game.ask.question if room.game.ask is not None else None
    if seat is None or request.number != room.number or not room.may_answer(seat):
        return Refusal("unasked", "That question is not asked any more.", field="number")
    if not isinstance(question, MovePieces):
        return Refusal("unasked", "Nothing is to be moved or set down now.")
    to = point(request.to)
    if to is None:
        return Refusal("malformed", "A place is two numbers, in inches.", field="to")
    pieces = {piece.id: piece for piece in question.pieces()}
    wanted = [pieces[name] for name in request.pieces if name in pieces and pieces[name].at is not None]
    if not wanted:
        return Refusal("unknown", "None of these may be moved here.", field="pieces")
    held = next((piece for piece in wanted if piece.id == request.from_), wanted[0])
    assert held.at is not None
    dx, dy = to[0] - held.at[0], to[1] - held.at[1]
    answer: dict[str, Any] = {}
    shown = []
    for piece in wanted:
        assert piece.at is not None
        x, y = round(piece.at[0] + dx, 2), round(piece.at[1] + dy, 2)
        facing = piece.facing if request.facing is None else request.facing
        answer[piece.id] = {"to": [x, y], "facing": facing}
        inches = round(math.hypot(x - piece.at[0], y - piece.at[1]), 2)
        shown.append({"id": piece.id, "at": [x, y], "facing": facing, "inches": inches, "facts": []})
    refused = question.check(answer)
    reply: dict[str, Any] = {"answer": answer, "pieces": shown}
    return {**reply, "refusal": refused} if isinstance(refused, Refusal) else reply


def point(value: object) -> tuple[float, float] | None:
    try:
        x, y = msgspec.convert(value, tuple[float, float])
    except UNREADABLE:
        return None
    return (x, y) if math.isfinite(x) and math.isfinite(y) and max(abs(x), abs(y)) < 10_000 else None


def place(room: Room, request: Request) -> Place | None:
    """The planned place of a request, if it names one."""
    if request.at is None:
        return None
    at = point(request.at)
    return None if at is None else Place(at[0], at[1], request.facing or 0.0)


def gauged(room: Room, seat: str | None, request: Request) -> dict[str, Any] | Refusal:
    try:
        step = msgspec.convert(request.step, Step)
    except UNREADABLE as error:
        return Refusal("malformed", str(error)[:200], field="step")
    if seat is None or request.piece is None:
        return Refusal("unasked", "Say which piece of yours goes.", field="piece")
    return {"facts": room.rules.display.gauge(room.game, seat, request.piece, step)}


def looked(room: Room, seat: str | None, request: Request) -> dict[str, Any] | Refusal:
    if request.piece is None:
        return Refusal("malformed", "Say which piece looks.", field="piece")
    return {"outlook": room.rules.display.outlook(room.game, seat, request.piece, place(room, request))}


def lined(room: Room, seat: str | None, request: Request) -> dict[str, Any] | Refusal:
    to = point(request.to)
    if request.piece is None or to is None:
        return Refusal("malformed", "Say which piece looks, and where to.", field="to")
    return {"side_view": room.rules.display.side_view(room.game, seat, request.piece, place(room, request), to)}


def previewed(room: Room, seat: str | None, request: Request) -> dict[str, Any] | Refusal:
    found = checked(room, seat, request)
    return found if isinstance(found, Refusal) else {"preview": {}}


LOOKS: dict[str, Look] = {
    "check": checked,
    "plan": planned,
    "gauge": gauged,
    "look": looked,
    "line": lined,
    "preview": previewed,
}
