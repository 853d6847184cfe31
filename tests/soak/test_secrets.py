"""Everything that the server says, searched for what a seat may not know. Part of `make soak`.

SANDTABLE_SOAK_SECRETS says in how many games.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections import defaultdict
from pathlib import Path
from random import Random
from typing import Any

import httpx
import msgspec
import pytest

from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.server import history, outgoing
from sandtable.server.changes import Frame
from sandtable.server.room import Room
from sandtable.server.situation import situation
from sandtable.testing.traffic import Player
from tests.server.table import serving
from tests.server.test_worlds import play_both
from tests.soak.common import RULESETS, UNLIMITED

SECRETS = int(os.environ.get("SANDTABLE_SOAK_SECRETS", "200"))
CURIOSITY = 0.02
"""How often, when a question comes, somebody asks for all else that may be known."""

WORD = re.compile(r"[\w-]+")


def names_in(value: Any, found: set[str]) -> set[str]:
    """All keys and texts of a plain value."""
    if isinstance(value, dict):
        for key, each in value.items():
            found.add(str(key))
            names_in(each, found)
    elif isinstance(value, list | tuple):
        for each in value:
            names_in(each, found)
    elif isinstance(value, str):
        found.add(value)
    return found


class Listener:
    """Looks at every state before it is sent, and at what else a seat is told.

    It must not name anything that another seat's view names and that this seat's view never has; and it must be the
    same as if what is hidden from this seat were as this seat imagines it.
    """

    def __init__(self) -> None:
        self.known: dict[tuple[str, str | None], set[str]] = defaultdict(set)
        self.rooms: dict[str, Room] = {}
        self.states = self.hidden = self.twins = self.answers = 0
        self.leaks: list[str] = []

    def listen(self, room: Room, seat: str | None, data: bytes) -> None:
        self.rooms[room.id] = room
        if room.over:
            return
        self.states += 1
        self.search(room, seat, "state", names_in(msgspec.json.decode(data), set()))
        if seat is not None:
            self.compare(room, seat)

    def overhear(self, game: str, seat: str | None, what: str, text: str) -> None:
        """What a seat was told on request, while the game waited for somebody."""
        self.answers += 1
        words = set(WORD.findall(text))
        self.search(self.rooms[game], seat, what, words)

    def search(self, room: Room, seat: str | None, what: str, said: set[str]) -> None:
        secret = self.secrets(room, seat)
        self.hidden += len(secret)
        for name in sorted(secret & said):
            reader = seat or "a watcher"
            self.leaks.append(f"{room.rules.name} after {room.number} answers: {reader} reads {name} in {what}")

    def secrets(self, room: Room, seat: str | None) -> set[str]:
        """The names that another seat's view has, and that this seat has never been told."""
        game = room.game
        known = names_in(room.rules.view(game, seat), self.known[room.id, seat])
        # What events tell a seat, or a question asks it about, it may know: who chooses a reserve hears its name.
        names_in([msgspec.to_builtins(event) for event in game.seen(seat)], known)
        if game.ask is not None and game.ask.seat == seat:
            names_in(game.ask.question.describe(), known)
        theirs: set[str] = set()
        for other in room.rules.seats:
            if other != seat:
                names_in(room.rules.view(game, other), theirs)
        # Only names of things: a word of two letters may stand for much.
        return {name for name in theirs - known if len(name) > 3 and "-" in name}

    def compare(self, room: Room, seat: str) -> None:
        game = room.game
        if game.ask is None or not game.ask.checkpoint or game.checkpoint is None:
            return
        if game.checkpoint.entries != len(game.record):
            return
        imagined = room.rules.imagine(game, seat)
        if imagined is None:
            return
        self.twins += 1
        twin: Game[Any] = Game(room.rules, game.setup, SeededDice(1), state=imagined, prepared=game.prepared)
        display = room.rules.display
        for name, look in (("scene", room.rules.scene), ("status", display.status), ("roster", display.roster)):
            here, there = msgspec.json.encode(look(game, seat)), msgspec.json.encode(look(twin, seat))
            if here != there:
                self.leaks.append(f"{room.rules.name} after {room.number} answers: {seat}'s {name} tells of the hidden")
        if self.twins % 10 == 0:
            # A situation file leaves out whoever has not shown himself.
            copy = history.at(history.past(room, room.number), checkpoints=True)
            if situation(copy, seat, "") != situation(twin, seat, ""):
                self.leaks.append(f"{room.rules.name} after {room.number} answers: {seat}'s situation file tells")
        if game.ask.seat == seat and twin.ask is not None:
            here = msgspec.json.encode(game.ask.question.describe())
            there = msgspec.json.encode(twin.ask.question.describe())
            if here != there:
                self.leaks.append(
                    f"{room.rules.name} after {room.number} answers: {seat}'s question tells of the hidden"
                )


class Curious:
    """Now and then somebody asks for all that may be asked for, while the game waits for an answer."""

    def __init__(self, http: httpx.AsyncClient, listener: Listener, made: dict[str, Any], seed: int) -> None:
        self.http, self.listener = http, listener
        self.game, self.keys = made["id"], made["keys"]
        self.random = Random(seed)

    async def ask(self, number: int) -> None:
        for seat in ("red", "blue", None):
            headers = {"Authorization": f"Bearer {self.keys[seat]}"} if seat else {}
            past = self.random.randint(0, number)
            for path in (
                "",
                "/beats",
                "/picture.svg",
                f"/moments/{number}",
                f"/moments/{past}",
                f"/moments/{past}/situation.toml",
            ):
                whose = {"seat": seat} if seat and path not in ("", "/picture.svg") else {}
                told = await self.http.get(f"/api/games/{self.game}{path}", params=whose, headers=headers)
                assert told.status_code == 200 or (told.status_code == 409 and path.endswith(".toml")), told.text
                self.listener.overhear(self.game, seat, path or "its card", told.text)

    async def peer(self, one: Player) -> None:
        """Preview the answer that comes first, and look from a piece of one's own and from one of the other side."""
        assert one.question is not None
        requests: list[dict[str, Any]] = [
            {"t": "preview", "number": one.state["number"], "answer": one.question["candidates"][0]}
        ]
        pieces = one.state["scene"]["pieces"]
        for mine in (True, False):
            several = [piece["id"] for piece in pieces if (piece.get("side") == one.seat) is mine]
            if several:
                requests.append({"t": "look", "piece": self.random.choice(several)})
        for request in requests:
            await one.send(id=f"curious-{request['t']}", **request)
            reply: dict[str, Any] = {}
            while not str(reply.get("id", "")).startswith("curious"):
                reply = msgspec.json.decode(await asyncio.wait_for(one.socket.recv(), 60))
                if reply["t"] == "state":
                    one.take(reply)
            self.listener.overhear(self.game, one.seat, request["t"], str(reply))


async def one_game(port: int, number: int, http: httpx.AsyncClient, listener: Listener) -> int:
    """Two seats play at random while somebody watches; now and then what may be asked for is asked for, too."""
    ruleset, scenario = RULESETS[number % len(RULESETS)]
    seats = {"red": "link", "blue": "link"}
    made = (await http.post("/api/games", json={"ruleset": ruleset, "scenario": scenario, "seats": seats})).json()
    people = [Player(port, made["id"], made["keys"][seat], seat, 10 * number) for seat in ("red", "blue")]
    people.append(Player(port, made["id"], None, None))
    curious = Curious(http, listener, made, number)

    async def play(one: Player) -> None:
        await one.connect()
        while not one.over:
            await one.hear()
            if one.question is None or one.pending is not None or one.state["number"] <= one.answered:
                continue
            if curious.random.random() < CURIOSITY:
                await curious.ask(one.state["number"])
                await curious.peer(one)
            await one.answer()
        await one.socket.close()

    await asyncio.gather(*(play(one) for one in people))
    return sum(one.received for one in people)


@pytest.mark.soak
def test_nothing_that_is_sent_tells_a_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listener = Listener()
    real = outgoing.state

    def watched(room: Room, seat: str | None, *known: Any) -> tuple[bytes, int, Frame]:
        # With every checkpoint kept, each can be compared with what is imagined there.
        room.game.looked_ahead = True
        made = real(room, seat, *known)
        listener.listen(room, seat, made[0])
        return made

    monkeypatch.setattr(outgoing, "state", watched)
    with serving(tmp_path / "games.sqlite", UNLIMITED) as served:

        async def run() -> int:
            heard = 0
            async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{served.port}", timeout=60) as http:
                for first in range(0, SECRETS, 4):
                    several = range(first, min(first + 4, SECRETS))
                    heard += sum(
                        await asyncio.gather(*(one_game(served.port, number, http, listener) for number in several))
                    )
            return heard

        heard = asyncio.run(run())
    print(
        f"{SECRETS} games, {listener.states} states of {heard / 1e6:.0f} MB, {listener.answers} other answers, "
        f"{listener.hidden} hidden names sought, {listener.twins} imagined worlds compared, {len(listener.leaks)} leaks"
    )
    assert not listener.leaks, "\n".join(sorted(set(listener.leaks))[:20])
    assert listener.answers > 0
    assert listener.hidden > 0
    assert listener.twins > 0


@pytest.mark.soak
def test_no_route_tells_two_worlds_apart(tmp_path: Path) -> None:
    looks = 0
    with serving(tmp_path / "games.sqlite", UNLIMITED) as served:
        for seed in range(SECRETS):
            looks += play_both(served, seed, 250)
    print(f"{SECRETS} pairs of worlds, {looks} looks through every route and message, no difference")
