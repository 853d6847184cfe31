"""The requests over HTTP, as `docs/server.md` lists them."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Request, get, post
from litestar.datastructures import State
from litestar.openapi import ResponseSpec
from litestar.params import Parameter

from sandtable.engine.questions import Refusal
from sandtable.server import catalogue, keys, rows, windows
from sandtable.server.hall import Hall, new_secret
from sandtable.server.messages import (
    Created,
    DiceCard,
    ErrorBody,
    GameCard,
    NewGame,
    RulesetCard,
)
from sandtable.server.room import Room
from sandtable.server.rows import DiceRow, SeatRow

Asked = Request[Any, Any, State]


class Refused(Exception):
    """A refusal to be sent; its status follows from its kind unless it is given."""

    def __init__(self, refusal: Refusal, status: int = 0) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal
        self.status = status


def may(*statuses: int) -> dict[int, ResponseSpec]:
    """The refusals of a route, for its documentation."""
    return {status: ResponseSpec(ErrorBody, description="refused") for status in (*statuses, 429)}


def hall_of(request: Asked) -> Hall:
    hall: Hall = request.app.state.hall
    return hall


def key_of(request: Asked) -> str | None:
    word, _, key = request.headers.get("authorization", "").partition(" ")
    return key.strip() if word.lower() == "bearer" and key.strip() else None


@get("/api/rulesets", responses=may())
async def list_rulesets(request: Asked) -> list[RulesetCard]:
    """What can be played."""
    return await hall_of(request).run(catalogue.cards)


@post("/api/games", responses=may(400, 409, 413))
async def make_game(request: Asked, data: NewGame) -> Created:
    """A new game, and the keys of the seats that people hold."""
    if not request.app.state.new_games.allows(request.client.host if request.client else ""):
        raise Refused(Refusal("illegal", "Too many new games. Wait a moment."), 429)
    hall = hall_of(request)
    rules = catalogue.ruleset(data.ruleset)
    seats, given = new_seats(rules.seats, data.seats)
    if data.dice == "typed" and not given:
        raise Refused(Refusal("illegal", "Somebody must throw the dice.", field="dice"))
    setup = await hall.run(catalogue.set_up, rules, data)
    dice = DiceRow(data.dice, new_secret())
    room = await hall.create(rules, setup, data.scenario, data.title.strip() or setup.title, seats, dice)
    return Created(room.id, given, dice_card(dice, False))


def new_seats(names: tuple[str, ...], wanted: dict[str, str]) -> tuple[dict[str, SeatRow], dict[str, str]]:
    """Who sits where, and the keys of the people; all seats of "me" share one."""
    for name in wanted:
        if name not in names:
            raise Refused(Refusal("malformed", f"There is no such seat; known: {', '.join(names)}.", field="seats"))
    seats, given = {}, {}
    mine = keys.new_key()
    for name in names:
        holder = wanted.get(name, "")
        if holder not in ("me", "link"):
            if not holder.startswith("bot:"):
                legal = 'Say "me", "link" or "bot:NAME".'
                raise Refused(Refusal("malformed", f"Who plays {name}?", field="seats", legal=legal))
            seats[name] = SeatRow(f"bot:{catalogue.bot_name(holder)}")
            continue
        given[name] = mine if holder == "me" else keys.new_key()
        seats[name] = SeatRow(rows.PERSON, keys.fingerprint(given[name]), joined=holder == "me")
    return seats, given


def dice_card(dice: DiceRow, over: bool) -> DiceCard:
    return DiceCard(**windows.public_dice(dice, over))


@get("/api/games", responses=may(400))
async def list_games(
    request: Asked,
    wanted: Annotated[str | None, Parameter(query="state", pattern="^(running|finished)$")] = None,
) -> list[GameCard]:
    """The games last played."""
    hall = hall_of(request)
    return [listed(row) for row in await hall.run(hall.storage.games, wanted)]


def listed(row: dict[str, Any]) -> GameCard:
    return GameCard(
        id=row["id"],
        title=row["title"],
        ruleset=row["ruleset"],
        scenario=row["scenario"],
        seats={name: seat.shown for name, seat in rows.seats(row["seats"]).items()},
        turn=row["turn"],
        asked=row["asked"] or None,
        updated=row["updated"],
        state=row["state"],
        result=rows.result(row["result"]),
    )


async def room_of(request: Asked, game_id: str) -> Room:
    room = await hall_of(request).room(game_id)
    if room is None:
        raise Refused(Refusal("unknown", "There is no such game."))
    return room


@get("/api/games/{game_id:str}", responses=may(404))
async def one_game(request: Asked, game_id: str) -> GameCard:
    """One game, with the commitment to its dice; their secret when it is over."""
    room = await room_of(request, game_id)
    row = await hall_of(request).run(hall_of(request).storage.game, game_id)
    assert row is not None
    card = listed(row)
    card.dice = dice_card(room.dice, room.over)
    return card


ROUTES: list[Any] = [list_rulesets, make_game, list_games, one_game]
