"""What a request over the socket does; `HTTP` uses the same steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sandtable.engine.questions import Refusal
from sandtable.engine.standing import Standing
from sandtable.server import inquiries
from sandtable.server.messages import LeftStanding, Request

if TYPE_CHECKING:
    from sandtable.server.hall import Hall
    from sandtable.server.live import Client
    from sandtable.server.room import Room

Step = Callable[[], Refusal | None]


def malformed(message: str, field: str | None = None) -> Refusal:
    return Refusal("malformed", message, field=field)


def takeback(room: Room, seat: str, to: Any, agree: bool | None) -> Step:
    if agree is not None:
        return lambda: room.agree(seat, agree)
    if isinstance(to, int) and not isinstance(to, bool):
        return lambda: room.ask_back(seat, to)
    return lambda: malformed("Say `to` which question, or whether you `agree`.")


def standing(room: Room, left: LeftStanding) -> Step:
    if left.habit is not None:
        habit = left.habit
        return lambda: room.take_up(left.seat, habit)
    if left.drop is not None:
        index = left.drop
        return lambda: room.drop(left.seat, index)
    if left.topic is not None:
        wanted = Standing(left.seat, left.topic, left.answer, left.only, left.until, left.last_turn)
        return lambda: room.leave(wanted)
    return lambda: malformed("Name a `habit`, a `topic` with its `answer`, or the index to `drop`.")


def step_of(room: Room, seat: str, request: Request) -> Step | None:
    """What a request would change in the game; None if it only looks."""
    match request.t:
        case "answer":
            number = request.number
            if number is None:
                return lambda: malformed("Say which number is answered.", "number")
            return lambda: room.answer(seat, number, request.answer)
        case "undo":
            return lambda: room.undo(seat)
        case "change":
            to = request.number
            if to is None:
                return lambda: malformed("Say which number is changed.", "number")
            return lambda: room.put_again(seat, to)
        case "deploy-rest":
            return lambda: room.deploy_the_rest(seat)
        case "as-proposed":
            return lambda: room.as_proposed(seat)
        case "redo":
            return lambda: room.redo(seat)
        case "takeback":
            return takeback(room, seat, request.to, request.agree)
        case "standing":
            left = LeftStanding(
                seat,
                request.habit,
                request.topic,
                request.answer,
                request.only,
                request.until,
                request.last_turn,
                request.drop,
            )
            return standing(room, left)
        case "resign":
            return lambda: room.resign(seat)
    return None


def plan_of(room: Room, seat: str, request: Request, outcome: dict[str, Any]) -> Step | None:
    """Several answers at once; `outcome` is told how far they went."""
    number = request.number
    if request.t != "answers":
        return None
    if number is None:
        return lambda: malformed("Say which number is answered.", "number")
    return lambda: room.answer_all(seat, number, request.answers, outcome)


async def serve(hall: Hall, room: Room, client: Client, request: Request) -> dict[str, Any] | Refusal:
    """Do what a request asks for; the reply's fields, or a refusal."""
    if request.t == "sit":
        if request.seat not in client.owned:
            return Refusal("unknown", "This key does not open that seat.", field="seat")
        sits = request.seat
        # Read first: the reply must come before the state that the new seat sees.
        briefing = await client.read(lambda: room.rules.display.briefing(room.game, sits))
        client.sit(sits)
        return {"seat": sits, "briefing": briefing}
    if request.t in inquiries.INQUIRIES:
        inquiry = inquiries.INQUIRIES[request.t]
        seat = client.seat
        found: dict[str, Any] | Refusal = await client.read(lambda: inquiry(room, seat, request))
        return found
    if request.t == "preview":
        past = await client.read(lambda: inquiries.to_preview(room, client.seat, request))
        if isinstance(past, Refusal):
            return past
        return await hall.run_long(client.address, inquiries.previewed, past, past.asked, request)
    if client.seat is None:
        return Refusal("unasked", "A watcher looks on and touches nothing.")
    outcome: dict[str, Any] = {}
    step = step_of(room, client.seat, request) or plan_of(room, client.seat, request, outcome)
    if step is None:
        return Refusal("unknown", "No such request is known.", field="t")
    seat = client.seat
    refused = await hall.act(room, lambda: room.left_to_bot(seat) or step())
    return refused if refused is not None else {"number": room.number, **outcome}
