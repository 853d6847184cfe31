"""Two worlds that differ in a secret, side by side on one server: no route and no message tells them apart."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from sandtable import rulesets
from sandtable.engine.dice import SealedDice
from sandtable.engine.game import Game
from sandtable.engine.standing import only_answer
from sandtable.rulesets.hof.core.state import Setup, State, other
from sandtable.server import inquiries, keys, loading, rows
from sandtable.server.room import Room
from sandtable.testing import server_worlds
from tests.hof.worlds import disguised, hiding
from tests.server.table import Served

HOF = rulesets.load("hof")
KEYS = {"red": "r" * 32, "blue": "b" * 32}
COMPARE_EVERY = 25


def test_every_route_and_message_has_a_probe(served: Served) -> None:
    openapi = served.http.get("/api/openapi.json").json()
    assert server_worlds.uncovered(openapi, {*inquiries.INQUIRIES, "preview"}) == []
    # And one that is added is noticed.
    openapi["paths"]["/api/games/{game_id}/diary"] = {"get": {}}
    assert server_worlds.uncovered(openapi, {"peek"}) == ["get /api/games/{game_id}/diary", "peek"]


def seated(served: Served, name: str, setup: Setup, secret: str) -> tuple[Game[State], server_worlds.World]:
    """A battle on the server, and a copy of it here that goes the same way."""
    dice = rows.DiceRow("sealed", secret)
    game, film = loading.new_game(HOF, setup, dice)
    seats = {seat: rows.SeatRow(rows.PERSON, keys.fingerprint(key), joined=True) for seat, key in KEYS.items()}
    room = Room(name, "A battle", "patrol", game, film, seats, dice)
    served.hall.storage.write(room.created()).result(10)
    local: Game[State] = Game(HOF, setup, SealedDice(bytes.fromhex(secret)))
    return local, server_worlds.World(served.http, served.port, name, KEYS)


def settled(world: server_worlds.World, seat: str) -> int:
    """Which question a server has come to, when what is answered by itself has been."""
    while True:
        state = world.state(seat)
        if state["asked"] is None or "held" not in state["asked"]:
            number: int = state["number"]
            return number


def play_both(served: Served, seed: int, most: int) -> int:
    """Two worlds with other Teams in hiding; the same answers go to both. Returns how many replies were compared."""
    setup: Setup = HOF.scenario("patrol")
    side = other(setup.attacker)
    secret = Random(seed).randbytes(32).hex()
    first, here = seated(served, f"world-{seed}-a", setup, secret)
    second, there = seated(served, f"world-{seed}-b", disguised(setup, side, Random(seed)), secret)
    choose, random, compared, due = hiding(side), Random(seed), 0, False
    while first.ask is not None and len(first.record) < most:
        number, seat = len(first.record), first.ask.seat
        comes = [settled(world, seat) for world in (here, there)]
        due = due or number % COMPARE_EVERY == 0
        # A question with one answer is not put to a person: where the worlds differ in that, both are compared later.
        if due and comes[0] == comes[1]:
            compared += server_worlds.compare(here, there, (other(side), None), comes[0], seed + number)
            due = False
        answer: Any = choose(first, second, random)
        for game, world, come in ((first, here, comes[0]), (second, there, comes[1])):
            if come == number:
                given = {"seat": seat, "number": number, "answer": answer}
                status, text = world.request("post", f"{server_worlds.GAME}/answers", seat, json=given)
                assert status == 200, text
            else:
                assert game.ask is not None
                assert only_answer(game.ask.question) == [answer]
            assert game.answer(answer) is None
    here.close()
    there.close()
    return compared


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_no_route_or_message_tells_what_is_hidden(served: Served, seed: int) -> None:
    assert play_both(served, seed, 120) > 100


def test_a_window_that_tells_is_noticed(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    from sandtable.engine.errors import SandtableError
    from sandtable.server import situation as window

    # Given a situation file that holds the truth,
    monkeypatch.setattr(window, "known_state", lambda game, seat: truth(game))
    with pytest.raises((AssertionError, SandtableError), match=r"situation\.toml tells"):
        play_both(served, 9, 120)


def truth(game: Game[State]) -> State:
    import msgspec

    assert game.checkpoint is not None
    return msgspec.msgpack.decode(game.checkpoint.state, type=State)
