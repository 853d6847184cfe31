"""A seat's part over HTTP: answers, the way back, standing answers, who sits there, and the past of a game."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import MediaType, Response, get, post
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, JSONBody, PathParameter, QueryParameter

from sandtable.engine.account import Account
from sandtable.engine.questions import Refusal
from sandtable.server import accounts, actions, catalogue, history, keys
from sandtable.server.asking import (
    Asked,
    Refused,
    address_of,
    eyes,
    forbidden,
    hall_of,
    held_seat,
    key_of,
    may,
    room_of,
)
from sandtable.server.messages import (
    BeatCard,
    Done,
    GivenAnswer,
    Join,
    Joined,
    LeftStanding,
    Moment,
    NewHolder,
    NewKeys,
    OfSeat,
    WantedBack,
)
from sandtable.server.room import Room
from sandtable.server.situation import situation

SeatOf = Annotated[str | None, QueryParameter(name="seat", max_length=40)]
At = Annotated[int, PathParameter(ge=0, le=10_000_000)]

CHANGES = may(400, 403, 404, 409, 413)


async def act(request: Asked, room: Room, step: actions.Step) -> Done:
    refused = await hall_of(request).act(room, step)
    if refused is not None:
        raise Refused(refused, 400 if refused.kind in ("malformed", "unknown") else 409)
    return Done(room.number)


@post("/api/games/{game_id:str}/join", status_code=200, responses=CHANGES)
async def join(request: Asked, game_id: FromPath[str], data: JSONBody[Join]) -> Joined:
    """Somebody sits down: from now on the seats of this key are not open any more."""
    room = await room_of(request, game_id)
    owned = room.owned(key_of(request))
    if not owned:
        raise forbidden("This key opens no seat of this game.")
    name = " ".join(data.name.split())
    await act(request, room, lambda: room.join(owned, name))
    return Joined(owned)


@post("/api/games/{game_id:str}/answers", status_code=200, responses=CHANGES)
async def answer(request: Asked, game_id: FromPath[str], data: JSONBody[GivenAnswer]) -> Done:
    """Answer the question now asked; it lies on disk when this returns."""
    room = await room_of(request, game_id)
    seat = held_seat(request, room, data.seat)
    return await act(request, room, lambda: room.answer(seat, data.number, data.answer))


@post("/api/games/{game_id:str}/undo", status_code=200, responses=CHANGES)
async def undo(request: Asked, game_id: FromPath[str], data: JSONBody[OfSeat]) -> Done:
    """Take back the last answer, as far as the engine allows."""
    room = await room_of(request, game_id)
    seat = held_seat(request, room, data.seat)
    return await act(request, room, lambda: room.undo(seat))


@post("/api/games/{game_id:str}/redo", status_code=200, responses=CHANGES)
async def redo(request: Asked, game_id: FromPath[str], data: JSONBody[OfSeat]) -> Done:
    """Give an answer again that was taken back."""
    room = await room_of(request, game_id)
    seat = held_seat(request, room, data.seat)
    return await act(request, room, lambda: room.redo(seat))


@post("/api/games/{game_id:str}/takeback", status_code=200, responses=CHANGES)
async def takeback(request: Asked, game_id: FromPath[str], data: JSONBody[WantedBack]) -> Done:
    """Ask the other players to go back, or answer such a wish. Bots agree."""
    room = await room_of(request, game_id)
    seat = held_seat(request, room, data.seat)
    return await act(request, room, actions.takeback(room, seat, data.to, data.agree))


@post("/api/games/{game_id:str}/standing", status_code=200, responses=CHANGES)
async def standing(request: Asked, game_id: FromPath[str], data: JSONBody[LeftStanding]) -> Done:
    """Take up or drop a habit, leave a standing answer, or drop one."""
    room = await room_of(request, game_id)
    held_seat(request, room, data.seat)
    return await act(request, room, actions.standing(room, data))


@post("/api/games/{game_id:str}/resign", status_code=200, responses=CHANGES)
async def resign(request: Asked, game_id: FromPath[str], data: JSONBody[OfSeat]) -> Done:
    """The game is over; the other side has won."""
    room = await room_of(request, game_id)
    seat = held_seat(request, room, data.seat)
    return await act(request, room, lambda: room.resign(seat))


@post("/api/games/{game_id:str}/seats", status_code=200, responses=CHANGES)
async def change_holder(request: Asked, game_id: FromPath[str], data: JSONBody[NewHolder]) -> Joined:
    """A bot plays a seat that this key opens, or that of a player long away; or the one who asks takes a bot's.

    Whoever leaves his seat to a bot goes on seeing what it sees, and may take it back at any time.
    """
    room = await room_of(request, game_id)
    key = key_of(request)
    if data.seat not in room.seats:
        raise Refused(Refusal("malformed", "There is no such seat in this game.", field="seat"))
    owned = room.owned(key)
    if key is None or not owned:
        raise forbidden("This key opens no seat of this game.")
    if data.holder == "me":
        await act(request, room, lambda: room.take_from_bot(data.seat, key))
    else:
        substitute = room.seats[data.seat].substitute
        bot = substitute if data.holder == "substitute" else catalogue.bot_name(data.holder)
        away = data.seat not in owned
        if away and not room.deserted(data.seat, hall_of(request).limits.absent_seconds):
            message = "That player is here, or was a moment ago. Wait a minute."
            raise Refused(Refusal("illegal", message, field="seat"))
        if away and bot != substitute:
            legal = f"Say bot:{substitute}."
            message = f"For one who is away {substitute} plays, as was agreed."
            raise Refused(Refusal("illegal", message, field="holder", legal=legal))
        await act(request, room, lambda: room.hand_to_bot(data.seat, bot))
    return Joined(room.held(key))


@post("/api/games/{game_id:str}/keys", status_code=200, responses=CHANGES)
async def renew_keys(request: Asked, game_id: FromPath[str], data: JSONBody[OfSeat]) -> NewKeys:
    """A new key for one's own seat, or for one that nobody has come for yet; the old one opens nothing any more."""
    room = await room_of(request, game_id)
    if data.seat not in room.seats:
        raise Refused(Refusal("malformed", "There is no such seat in this game.", field="seat"))
    if not room.may_renew(key_of(request), data.seat):
        raise forbidden("The key of that seat is not yours to renew.")
    key, renewed = keys.new_key(), list[str]()

    def renew() -> None:
        renewed.extend(room.renew(data.seat, keys.fingerprint(key)))

    await act(request, room, renew)
    return NewKeys(dict.fromkeys(renewed, key))


# The past.


@get("/api/games/{game_id:str}/beats", responses=may(400, 403, 404))
async def beats(request: Asked, game_id: FromPath[str], seat: SeatOf = None) -> list[BeatCard]:
    """The game in meaningful steps, as a seat may know it."""
    room = await room_of(request, game_id)
    seen = eyes(request, room, seat)
    async with room.lock:
        return await hall_of(request).run(history.beats, room, seen)


async def past_of(request: Asked, room: Room, number: int) -> history.Past:
    if number > room.number:
        raise Refused(Refusal("unknown", "The game has not come so far.", field="number"))
    return history.past(room, number)


@get(
    "/api/games/{game_id:str}/moments/{number:int}",
    media_type=MediaType.JSON,
    responses={200: ResponseSpec(Moment, description="the table as it was"), **may(400, 403, 404)},
)
async def moment(request: Asked, game_id: FromPath[str], number: At, seat: SeatOf = None) -> Response[bytes]:
    """The table, status, roster and events as they were at that number, for that seat."""
    room = await room_of(request, game_id)
    seen = eyes(request, room, seat)
    hall = hall_of(request)
    async with room.lock:
        past = await past_of(request, room, number)
        events = await hall.run(history.events_until, room, seen, number)
        result = history.result_at(room, number)
    data = await hall.run_long(address_of(request), history.moment, past, seen, events, result)
    return Response(data, media_type=MediaType.JSON)


@get(
    "/api/games/{game_id:str}/moments/{number:int}/situation.toml",
    media_type=MediaType.TEXT,
    responses=may(400, 403, 404, 409),
)
async def moment_as_situation(request: Asked, game_id: FromPath[str], number: At, seat: SeatOf = None) -> Response[str]:
    """That moment as a situation file; what the seat does not know is left out."""
    room = await room_of(request, game_id)
    seen = eyes(request, room, seat)
    async with room.lock:
        past = await past_of(request, room, number)

    def write() -> str | Refusal:
        return situation(history.at(past, checkpoints=True), seen, room.title)

    text = await hall_of(request).run_long(address_of(request), write)
    if isinstance(text, Refusal):
        raise Refused(text)
    headers = {"Content-Disposition": f'attachment; filename="{room.rules.name}-{room.id}-{number}.toml"'}
    return Response(text, media_type="text/plain; charset=utf-8", headers=headers)


@get("/api/games/{game_id:str}/account", responses=may(404, 409))
async def battle_account(request: Asked, game_id: FromPath[str]) -> Account:
    """What decided a battle that is over; nothing of it is a secret any more."""
    room = await room_of(request, game_id)
    async with room.lock:
        result = room.result
        if result is None:
            raise Refused(Refusal("unasked", "The battle is not over yet.", field="game"), 409)
        told = room.account
    if told is None:
        told = await hall_of(request).run_long(address_of(request), accounts.make, room, result)
        room.account = told
    return told


SEAT_ROUTES: list[Any] = [
    join,
    answer,
    undo,
    redo,
    takeback,
    standing,
    resign,
    change_holder,
    renew_keys,
    beats,
    moment,
    moment_as_situation,
    battle_account,
]
