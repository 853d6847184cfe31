"""What all routes share: who asks, for which game, and how a refusal is raised."""

from __future__ import annotations

from typing import Any

from litestar import Request
from litestar.datastructures import State
from litestar.openapi import ResponseSpec

from sandtable.engine.questions import Refusal
from sandtable.server.hall import Hall
from sandtable.server.messages import ErrorBody
from sandtable.server.outgoing import EVERYTHING
from sandtable.server.room import Room

Asked = Request[Any, Any, State]


class Refused(Exception):
    """A refusal to be sent; its status follows from its kind unless it is given."""

    def __init__(self, refusal: Refusal, status: int = 0) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal
        self.status = status


def may(*statuses: int) -> dict[int, ResponseSpec]:
    """The refusals of a route, for its documentation."""
    return {status: ResponseSpec(ErrorBody, description="refused") for status in (*statuses, 429, 503)}


def hall_of(request: Asked) -> Hall:
    hall: Hall = request.app.state.hall
    return hall


def address_of(request: Asked) -> str:
    """Where a request comes from."""
    return request.client.host if request.client is not None else "unknown"


def key_of(request: Asked) -> str | None:
    word, _, key = request.headers.get("authorization", "").partition(" ")
    return key.strip() if word.lower() == "bearer" and key.strip() else None


def forbidden(message: str) -> Refused:
    return Refused(Refusal("unasked", message), 403)


async def room_of(request: Asked, game_id: str) -> Room:
    room = await hall_of(request).room(game_id)
    if room is None:
        raise Refused(Refusal("unknown", "There is no such game."))
    return room


def held_seat(request: Asked, room: Room, seat: str) -> str:
    """The seat that somebody wants to act for, if he plays it himself."""
    if seat not in room.seats:
        raise Refused(Refusal("malformed", "There is no such seat in this game.", field="seat"))
    if seat not in room.owned(key_of(request)):
        raise forbidden("This key does not open that seat.")
    refused = room.left_to_bot(seat)
    if refused is not None:
        raise Refused(refused, 409)
    room.acted(seat)
    return seat


def eyes(request: Asked, room: Room, seat: str | None) -> str | None:
    """Through which seat somebody may look back: his own, or, when the game is over, any, or all at once."""
    if seat is not None and seat != EVERYTHING and seat not in room.seats:
        raise Refused(Refusal("malformed", "There is no such seat in this game.", field="seat"))
    key = key_of(request)
    owned = room.owned(key)
    if key is not None and not owned:
        raise forbidden("This key opens no seat of this game.")
    if seat is None:
        return owned[0] if owned else None
    if not room.over and seat not in owned:
        raise forbidden("While the game lasts you look through your own seat only.")
    return seat
