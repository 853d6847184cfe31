"""Games and what can be played, over HTTP: lists, new games, pictures, the rules, games as files."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any

from litestar import MediaType, Response, get, post
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, JSONBody, QueryParameter

from sandtable.engine.errors import SandtableError
from sandtable.engine.ledger import Ledger, Rule, offered
from sandtable.engine.questions import Refusal
from sandtable.engine.ruleset import Ruleset
from sandtable.server import catalogue, files, history, keys, loading, outgoing, rows
from sandtable.server.asking import Asked, Refused, address_of, forbidden, hall_of, key_of, may, room_of
from sandtable.server.hall import new_secret
from sandtable.server.limits import Limits
from sandtable.server.messages import (
    ChapterCard,
    Created,
    DiceCard,
    FoundRules,
    GameCard,
    NewGame,
    RuleCard,
    RulesetCard,
)
from sandtable.server.room import Room
from sandtable.server.rows import DiceRow, SeatRow

SVG = "image/svg+xml"
PICTURE = ResponseSpec(str, description="a picture", media_type=SVG)

Ruled = Annotated[str | None, QueryParameter(name="ruleset", max_length=40)]
Found = Annotated[str, QueryParameter(name="find", max_length=80)]
Chapter = Annotated[str | None, QueryParameter(name="chapter", max_length=80)]
After = Annotated[int, QueryParameter(name="after", ge=0, le=1_000_000)]
Most = Annotated[int, QueryParameter(name="limit", ge=1, le=1000)]
Size = Annotated[str, QueryParameter(name="size", pattern="^(small|large|card)$")]
StateOfGame = Annotated[str | None, QueryParameter(name="state", pattern="^(running|finished)$")]


def svg(text: str, seconds: int) -> Response[str]:
    return Response(text, media_type=SVG, headers={"Cache-Control": f"max-age={seconds}" if seconds else "no-cache"})


# What can be played.


@get("/api/rulesets", responses=may())
async def list_rulesets(request: Asked) -> list[RulesetCard]:
    """What can be played: scenarios, forces, optional rules, habits and bots of every ruleset."""
    return await hall_of(request).run(catalogue.cards)


@get(
    "/api/rulesets/{name:str}/scenarios/{scenario:str}/picture.svg",
    responses={200: PICTURE, **may(400, 404)},
)
async def scenario_picture(
    request: Asked, name: FromPath[str], scenario: FromPath[str], size: Size = "large"
) -> Response[str]:
    """The table of a scenario before anybody stands on it; card: without words and frame."""
    hall, address = hall_of(request), address_of(request)
    table = await hall.run_long(address, catalogue.bare_table, name, scenario)
    return svg(await hall.pictures.of(table, address, size), 3600)


@get("/api/rulesets/{name:str}/lessons/{lesson:str}/picture.svg", responses={200: PICTURE, **may(400, 404)})
async def lesson_picture(
    request: Asked, name: FromPath[str], lesson: FromPath[str], size: Size = "large"
) -> Response[str]:
    """The table of a lesson as it begins; card: without words and frame."""
    hall, address = hall_of(request), address_of(request)
    table = await hall.run_long(address, catalogue.first_sight, name, lesson)
    return svg(await hall.pictures.of(table, address, size), 3600)


@get("/api/rules", responses=may(400, 404))
async def find_rules(
    request: Asked, ruleset: Ruled = None, chapter: Chapter = None, find: Found = "", after: After = 0, limit: Most = 50
) -> FoundRules:
    """The reference: the rules that speak of a word, by chapters, and so many of them from a place on."""
    if ruleset is not None and ruleset not in offered():
        raise Refused(Refusal("unknown", "There is no such ruleset.", field="ruleset"))

    def found() -> FoundRules:
        names = offered() if ruleset is None else [ruleset]
        sought = [rule for name in names for rule in Ledger.load(name).find(find)]
        counts = Counter((rule.ruleset, rule.chapter) for rule in sought)
        # Each chapter in one piece, where its first rule stands.
        places = {each: place for place, each in enumerate(counts)}
        sought.sort(key=lambda rule: places[rule.ruleset, rule.chapter])
        chosen = [rule for rule in sought if chapter in (None, rule.chapter)]
        chapters = [ChapterCard(*each, count) for each, count in counts.items()]
        return FoundRules(len(chosen), chapters, [rule_card(rule) for rule in chosen[after : after + limit]])

    return await hall_of(request).run(found)


@get("/api/rules/{rule_id:str}", responses=may(404))
async def one_rule(request: Asked, rule_id: FromPath[str]) -> RuleCard:
    """A rule by its id."""

    def card() -> RuleCard:
        name = rule_id.split(".")[0]
        if name not in offered():
            raise Refused(Refusal("unknown", "There is no such rule."))
        try:
            return rule_card(Ledger.load(name)[rule_id])
        except SandtableError:
            raise Refused(Refusal("unknown", "There is no such rule.")) from None

    return await hall_of(request).run(card)


def rule_card(rule: Rule) -> RuleCard:
    return RuleCard(rule.id, rule.kind, rule.title, rule.chapter, rule.text, rule.example, rule.unclear, rule.reading)


# Games.


@post("/api/games", responses=may(400, 409, 413))
async def make_game(request: Asked, data: JSONBody[NewGame]) -> Created:
    """A new game, and the keys of the seats that people hold."""
    a_new_game(request)
    rules = catalogue.ruleset(data.ruleset)
    seats, given = new_seats(rules.seats, data.seats, catalogue.bot_name(data.substitute))
    if data.dice == "typed" and not given:
        raise Refused(Refusal("illegal", "Somebody must throw the dice.", field="dice"))

    def make() -> Room:
        return new_room(rules, data, seats)

    room = await hall_of(request).create(make)
    return Created(room.id, given, dice_card(room.dice, room.over))


@post("/api/rulesets/{name:str}/lessons/{lesson:str}", responses=may(400))
async def begin_lesson(request: Asked, name: FromPath[str], lesson: FromPath[str]) -> Created:
    """A first battle with its guide: whoever asks has its seat, a bot the other."""
    a_new_game(request)
    rules = catalogue.ruleset(name)
    taught = catalogue.lesson(rules, lesson)
    wanted = {seat: "me" if seat == taught.seat else f"{rows.BOT}{taught.bot}" for seat in rules.seats}
    seats, given = new_seats(rules.seats, wanted, taught.bot)
    seats[taught.seat].lesson = lesson

    def make() -> Room:
        dice = DiceRow("seeded", new_secret(), taught.seed)
        return laid(rules, taught.setup, dice, seats, taught.title, lesson)

    room = await hall_of(request).create(make)
    return Created(room.id, given, dice_card(room.dice, room.over))


def a_new_game(request: Asked) -> None:
    if not request.app.state.new_games.allows(address_of(request)):
        raise Refused(Refusal("illegal", "Too many new games. Wait a moment."), 429)


def new_room(rules: Ruleset, wanted: NewGame, seats: dict[str, SeatRow]) -> Room:
    setup = catalogue.set_up(rules, wanted)
    title = " ".join(wanted.title.split()) or setup.title
    return laid(rules, setup, DiceRow(wanted.dice, new_secret()), seats, title, wanted.scenario)


def laid(rules: Ruleset, setup: Any, dice: DiceRow, seats: rows.Seats, title: str, scenario: str) -> Room:
    """A game at its first question."""
    game, film = loading.new_game(rules, setup, dice, guide=loading.guide_of(rules, seats))
    room = Room(keys.new_id(), title, scenario, game, film, seats, dice)
    room.usual_habits()
    return room


def new_seats(
    names: tuple[str, ...], wanted: dict[str, str], substitute: str
) -> tuple[dict[str, SeatRow], dict[str, str]]:
    """Who sits where, and the keys of the people; all seats of "me" share one."""
    for name in wanted:
        if name not in names:
            raise Refused(Refusal("malformed", f"There is no such seat; known: {', '.join(names)}.", field="seats"))
    seats, given = {}, {}
    mine = keys.new_key()
    for name in names:
        holder = wanted.get(name, "")
        if holder in ("me", "link"):
            given[name] = mine if holder == "me" else keys.new_key()
            owner = keys.fingerprint(given[name])
            seats[name] = SeatRow(rows.PERSON, owner, joined=holder == "me", substitute=substitute)
        elif holder.startswith("bot:"):
            seats[name] = SeatRow(f"bot:{catalogue.bot_name(holder)}")
        else:
            legal = 'Say "me", "link" or "bot:NAME".'
            raise Refused(Refusal("malformed", f"Who plays {name}?", field="seats", legal=legal))
    return seats, given


def dice_card(dice: DiceRow, over: bool) -> DiceCard:
    return DiceCard(**outgoing.public_dice(dice, over))


@get("/api/games", responses=may(400))
async def list_games(request: Asked, wanted: StateOfGame = None) -> list[GameCard]:
    """The games last played, newest first."""
    hall = hall_of(request)
    return [listed(row) for row in await hall.run(hall.storage.games, wanted)]


def listed(row: dict[str, Any]) -> GameCard:
    seats = rows.seats(row["seats"])
    return GameCard(
        id=row["id"],
        title=row["title"],
        ruleset=row["ruleset"],
        scenario=row["scenario"],
        seats={name: seat.shown for name, seat in seats.items()},
        names={name: seat.name for name, seat in seats.items() if seat.name},
        turn=row["turn"],
        asked=row["asked"] or None,
        updated=row["updated"],
        state=row["state"],
        result=rows.result(row["result"]),
    )


@get("/api/games/{game_id:str}", responses=may(404))
async def one_game(request: Asked, game_id: FromPath[str]) -> GameCard:
    """One game, with the commitment to its dice; their secret when it is over."""
    hall = hall_of(request)
    row = await hall.run(hall.storage.game, game_id)
    if row is None:
        raise Refused(Refusal("unknown", "There is no such game."))
    card = listed(row)
    card.dice = dice_card(rows.dice(row["dice"]), row["state"] == "finished")
    return card


@get("/api/games/{game_id:str}/picture.svg", responses={200: PICTURE, **may(404)})
async def game_picture(request: Asked, game_id: FromPath[str], size: Size = "large") -> Response[str]:
    """The table now, as everybody may see it; small: without words, for a list of games."""
    hall, address = hall_of(request), address_of(request)
    room = hall.opened(game_id)
    if room is not None:
        async with room.lock:
            scene = await hall.run(history.picture, room)
        return svg(await hall.pictures.of(scene, address, size), 0)
    stored = await hall.run(hall.storage.whole, game_id)
    if stored is None:
        raise Refused(Refusal("unknown", "There is no such game."))
    return svg(await hall.pictures.of_stored(*stored, address, size), 0)


# Games as files.


@get("/api/games/{game_id:str}/game", media_type=MediaType.TEXT, responses=may(403, 404))
async def download(request: Asked, game_id: FromPath[str]) -> Response[bytes]:
    """The record as a file, when the game is over or one key holds all its seats."""
    room = await room_of(request, game_id)
    if not room.over and set(room.held(key_of(request))) != set(room.seats):
        raise forbidden("While the game lasts only one who holds all its seats may have the record.")
    async with room.lock:
        data = await hall_of(request).run(files.exported, room)
    headers = {"Content-Disposition": f'attachment; filename="{room.rules.name}-{room.id}.game"'}
    return Response(data, media_type="text/plain; charset=utf-8", headers=headers)


@post("/api/games/import", responses=may(400, 409, 413), request_max_body_size=Limits().imported)
async def upload(request: Asked) -> Created:
    """A record as a file, as the body of the request. All its seats belong to the key that comes back."""
    a_new_game(request)
    data = await request.body()
    key = keys.new_key()
    newcomer = files.Newcomer(keys.new_id(), keys.fingerprint(key), new_secret())
    hall = hall_of(request)
    change = await hall.chores.do(address_of(request), "import", data, newcomer, seconds=files.SECONDS)
    await hall.admit(change)
    dice, over = rows.dice(change.values["dice"]), change.values["state"] == "finished"
    return Created(change.game, dict.fromkeys(rows.seats(change.values["seats"]), key), dice_card(dice, over))


ROUTES: list[Any] = [
    list_rulesets,
    scenario_picture,
    lesson_picture,
    begin_lesson,
    find_rules,
    one_rule,
    make_game,
    list_games,
    one_game,
    game_picture,
    download,
    upload,
]
