"""The server for a long while: killed again and again, listened to closely, and under load. Part of `make soak`.

Each has a size in the environment, for a shorter look: SANDTABLE_SOAK_KILLS, SANDTABLE_SOAK_SERVERS (how often one of
three is killed), SANDTABLE_SOAK_SECRETS and SANDTABLE_SOAK_SECONDS.
"""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections import defaultdict
from pathlib import Path
from random import Random
from typing import Any

import httpx
import msgspec
import pytest
from websockets.exceptions import WebSocketException

from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.server import moments, windows
from sandtable.server.limits import Limits
from sandtable.server.room import Room
from sandtable.server.situation import situation
from sandtable.server.storage import Storage, fingerprint_of
from sandtable.testing.traffic import Player, ended, free_port, started
from tests.server.postgres import postgres, programs
from tests.server.table import serving
from tests.server.test_worlds import play_both

KILLS = int(os.environ.get("SANDTABLE_SOAK_KILLS", "50"))
SERVER_KILLS = int(os.environ.get("SANDTABLE_SOAK_SERVERS", "20"))
SECRETS = int(os.environ.get("SANDTABLE_SOAK_SECRETS", "200"))
SECONDS = float(os.environ.get("SANDTABLE_SOAK_SECONDS", "120"))
BOT_GAMES, PLAYERS, LIVE_GAMES = 40, 10, 100
SHARED_GAMES, SHARING = 60, 3
TAKEN_OVER = 10.0
"""Seconds within which a game goes on after its server has died."""

RULESETS = (("hof", "patrol"), ("tr14", "patrol"))
CURIOSITY = 0.02
"""How often, when a question comes, somebody asks for all else that may be known."""

OFTEN = (1e6, 1e6)
WORD = re.compile(r"[\w-]+")
AWAY = (WebSocketException, OSError, httpx.HTTPError, TimeoutError)


class Killed:
    """A server that is killed while everybody plays, and what the players were told."""

    def __init__(self, database: Path) -> None:
        self.port = free_port()
        self.database = database
        self.process = started(self.port, database)
        self.http = httpx.AsyncClient(base_url=f"http://127.0.0.1:{self.port}", timeout=60)
        self.confirmed: dict[str, dict[int, Any]] = {}
        self.ended = False
        self.games = 0

    async def new(self, number: int, **seats: str) -> dict[str, Any]:
        ruleset, scenario = RULESETS[number % len(RULESETS)]
        while True:
            try:
                body = {"ruleset": ruleset, "scenario": scenario, "seats": seats}
                made = await self.http.post("/api/games", json=body)
                if made.status_code == 201:
                    self.games += 1
                    found: dict[str, Any] = made.json()
                    return found
            except AWAY:
                pass
            await asyncio.sleep(0.3)

    async def player(self, number: int) -> None:
        """Plays one game after the other against a bot, whatever happens to the server."""
        count = 0
        while not self.ended:
            made = await self.new(number + count, red="me", blue="bot:random")
            one = Player(self.port, made["id"], made["keys"]["red"], "red", seed=1000 * number + count)
            self.confirmed[made["id"]] = one.confirmed
            count += 1
            while not (self.ended or one.over):
                try:
                    await one.connect()
                    while not (self.ended or one.over):
                        await one.step()
                except AWAY:
                    await asyncio.sleep(0.1)

    async def bots(self) -> None:
        """Forty games of bots alone, and a new one for each that ends."""
        running: set[str] = set()
        count = 0
        while not self.ended:
            while len(running) < BOT_GAMES and not self.ended:
                running.add((await self.new(count, red="bot:random", blue="bot:random"))["id"])
                count += 1
            await asyncio.sleep(1.0)
            try:
                cards = (await self.http.get("/api/games", params={"state": "finished"})).json()
                running -= {card["id"] for card in cards}
            except AWAY:
                continue

    def count(self) -> int:
        return sum(len(confirmed) for confirmed in self.confirmed.values())

    async def killer(self, kills: int) -> None:
        random = Random(7)
        for number in range(kills):
            # In the midst of play, however slow the machine: after some more answers have been confirmed.
            wanted = self.count() + random.randint(1, 40)
            patience = time.monotonic() + 60
            while self.count() < wanted and time.monotonic() < patience:
                await asyncio.sleep(random.uniform(0.001, 0.05))
            ended(self.process, kill=True)
            self.process = await asyncio.to_thread(started, self.port, self.database)
            if number % 10 == 9:
                print(f"killed {number + 1} times; {self.games} games", flush=True)

    async def going_on(self) -> None:
        """Every game that is not over comes further."""
        running = (await self.http.get("/api/games", params={"state": "running"})).json()
        for card in running:
            one = Player(self.port, card["id"], None, None)
            await one.connect()
            while not one.state:
                await one.hear()
            first = one.state["number"]
            ends = time.monotonic() + 120
            waits_for_person = card["seats"].get("red") == "person"
            while not (
                one.over or one.state["number"] > first or (waits_for_person and one.state["asked"]["seat"] == "red")
            ):
                assert time.monotonic() < ends, f"{card['id']} stands still"
                await asyncio.wait_for(one.hear(), 120)
            await one.socket.close()


@pytest.mark.soak
def test_a_killed_server_loses_nothing(tmp_path: Path) -> None:
    async def run() -> Killed:
        killed = Killed(tmp_path / "games.sqlite")
        playing = [asyncio.create_task(killed.player(number)) for number in range(PLAYERS)]
        playing.append(asyncio.create_task(killed.bots()))
        killing = asyncio.create_task(killed.killer(KILLS))
        await asyncio.wait([killing, *playing], return_when=asyncio.FIRST_COMPLETED)
        # A player ends only when something was lost.
        for task in [killing, *playing]:
            if task.done():
                task.result()
        killed.ended = True
        done, pending = await asyncio.wait(playing, timeout=5)
        for task in pending:
            task.cancel()
        for task in done:
            task.result()
        await killed.going_on()
        await killed.http.aclose()
        return killed

    killed = asyncio.run(run())
    ended(killed.process)
    storage = Storage(str(killed.database))
    count = 0
    for game, confirmed in killed.confirmed.items():
        stored = storage.entries(game)
        for number, answer in confirmed.items():
            assert stored[number].sent == fingerprint_of(answer), f"{game}: answer {number} is not the one confirmed"
            count += 1
    storage.close()
    print(f"{KILLS} kills, {killed.games} games, {count} confirmed answers, none lost")
    assert count > KILLS


# Several servers.


class Sharing:
    """Servers that share a database while one after the other is killed, and what the players were told by each."""

    def __init__(self, database: str, folder: Path) -> None:
        self.database, self.folder = database, folder
        self.ports = [free_port() for _ in range(SHARING)]
        self.processes = [self.start(port) for port in self.ports]
        self.players: list[Player] = []
        self.waits: list[float] = []
        self.ended = False

    def start(self, port: int) -> Any:
        return started(port, self.database, "--workers", "1", log=self.folder / f"{port}.log")

    async def player(self, number: int, pace: float) -> None:
        """Plays on at his own pace, through whichever server answers, wherever his games live."""
        random = Random(number)
        count = 0
        while not self.ended:
            made = await self.new(number + count, random)
            one = Player(0, made["id"], made["keys"]["red"], "red", seed=1000 * number + count)
            self.players.append(one)
            count += 1
            began: float | None = None
            while not (self.ended or one.over):
                one.port = random.choice(self.ports)
                try:
                    await one.connect()
                    while not (self.ended or one.over):
                        await one.step()
                        if began is not None and one.pending is None and one.state:
                            self.waits.append(time.monotonic() - began)
                            began = None
                        if began is None:
                            await asyncio.sleep(random.uniform(0.0, pace))
                except AWAY:
                    # From when he loses the server until what he had not heard the end of is confirmed.
                    began = time.monotonic() if began is None else began
                    await asyncio.sleep(0.1)

    async def new(self, number: int, random: Random) -> dict[str, Any]:
        ruleset, scenario = RULESETS[number % len(RULESETS)]
        body = {"ruleset": ruleset, "scenario": scenario, "seats": {"red": "me", "blue": "bot:random"}}
        while True:
            url = f"http://127.0.0.1:{random.choice(self.ports)}/api/games"
            try:
                async with httpx.AsyncClient(timeout=60) as http:
                    made = await http.post(url, json=body)
                if made.status_code == 201:
                    found: dict[str, Any] = made.json()
                    return found
            except AWAY:
                pass
            await asyncio.sleep(0.3)

    def count(self) -> int:
        return sum(len(one.confirmed) for one in self.players)

    async def killer(self, kills: int) -> None:
        random = Random(11)
        while len(self.players) < SHARED_GAMES:
            await asyncio.sleep(0.5)
        for number in range(kills):
            wanted = self.count() + random.randint(20, 200)
            patience = time.monotonic() + 60
            while self.count() < wanted and time.monotonic() < patience:
                await asyncio.sleep(random.uniform(0.001, 0.05))
            victim = random.randrange(SHARING)
            ended(self.processes[victim], kill=True)
            # The others have its games before it comes back: at its old address it would have them at once.
            await asyncio.sleep(TAKEN_OVER)
            self.processes[victim] = await asyncio.to_thread(self.start, self.ports[victim])
            slowest = max(self.waits, default=0.0)
            print(f"killed {number + 1} times; {self.count()} answers, the longest wait {slowest:.1f} s", flush=True)


@pytest.mark.soak
def test_servers_that_share_a_database_take_over_from_one_another(tmp_path: Path) -> None:
    where = programs()
    if where is None:
        pytest.skip("PostgreSQL is not on this machine")
    with postgres(where) as database:

        async def run() -> Sharing:
            sharing = Sharing(database, tmp_path)
            playing = [asyncio.create_task(sharing.player(number, 2.0)) for number in range(SHARED_GAMES)]
            killing = asyncio.create_task(sharing.killer(SERVER_KILLS))
            await asyncio.wait([killing, *playing], return_when=asyncio.FIRST_COMPLETED)
            # A player ends only when something was lost.
            for task in [killing, *playing]:
                if task.done():
                    task.result()
            sharing.ended = True
            done, pending = await asyncio.wait(playing, timeout=15)
            for task in pending:
                task.cancel()
            for task in done:
                task.result()
            return sharing

        sharing = asyncio.run(run())
        for process in sharing.processes:
            ended(process)
        storage = Storage(database)
        count = 0
        for one in sharing.players:
            stored = storage.entries(one.game)
            # Each answer once, in its place.
            for number, answer in one.confirmed.items():
                assert stored[number].sent == fingerprint_of(answer), f"{one.game}: answer {number} is another"
                count += 1
        storage.close()
    slowest = max(sharing.waits)
    print(
        f"{SHARING} servers, {SERVER_KILLS} kills, {len(sharing.players)} games, {count} confirmed answers, none lost; "
        f"{len(sharing.waits)} times a game moved, in {slowest:.1f} s at most"
    )
    assert count > SERVER_KILLS
    assert slowest < TAKEN_OVER


# Secrets.


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
            copy = moments.at(moments.past(room, room.number), checkpoints=True)
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
    real = windows.state

    def watched(room: Room, seat: str | None, *known: Any) -> tuple[bytes, int, bytes]:
        # With every checkpoint kept, each can be compared with what is imagined there.
        room.game.looked_ahead = True
        made = real(room, seat, *known)
        listener.listen(room, seat, made[0])
        return made

    monkeypatch.setattr(windows, "state", watched)
    limits = Limits(requests=OFTEN, new_games=OFTEN, messages=OFTEN, all_messages=OFTEN, sockets=10_000)
    with serving(tmp_path / "games.sqlite", limits) as served:

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
    limits = Limits(requests=OFTEN, new_games=OFTEN, messages=OFTEN, all_messages=OFTEN, sockets=10_000)
    looks = 0
    with serving(tmp_path / "games.sqlite", limits) as served:
        for seed in range(SECRETS):
            looks += play_both(served, seed, 250)
    print(f"{SECRETS} pairs of worlds, {looks} looks through every route and message, no difference")


# Load.


@pytest.mark.soak
def test_a_hundred_games_at_a_human_pace(tmp_path: Path) -> None:
    waits: list[float] = []
    port = free_port()
    process = started(port, tmp_path / "games.sqlite")

    async def seated(number: int, http: httpx.AsyncClient) -> list[Player]:
        ruleset, scenario = RULESETS[number % len(RULESETS)]
        seats = {"red": "link", "blue": "link"}
        made = (await http.post("/api/games", json={"ruleset": ruleset, "scenario": scenario, "seats": seats})).json()
        pair = [Player(port, made["id"], made["keys"][seat], seat, number) for seat in ("red", "blue")]
        for one in pair:
            await one.connect()
            while not one.state:
                await one.hear()
        return pair

    async def game(number: int, pair: list[Player], ends: float) -> None:
        random = Random(number)
        seen: list[float] = [0.0, 0.0]

        async def listen(which: int) -> None:
            while True:
                before = pair[which].state.get("number", -1)
                await pair[which].hear()
                if pair[which].state and pair[which].state["number"] > before:
                    seen[which] = time.perf_counter()

        listening = [asyncio.create_task(listen(which)) for which in (0, 1)]
        while time.monotonic() < ends:
            await asyncio.sleep(random.uniform(1.0, 5.0))
            asked = next((one for one in pair if one.question is not None), None)
            if asked is None or asked.over:
                continue
            number_now, began = asked.state["number"], time.perf_counter()
            await asked.answer()
            while not all(one.state["number"] > number_now for one in pair):
                await asyncio.sleep(0.001)
                assert time.perf_counter() - began < 30, "an answer is not shown"
            waits.append(max(seen) - began)
        for task in listening:
            task.cancel()
        await asyncio.gather(*listening, return_exceptions=True)
        for one in pair:
            await one.socket.close()

    async def run() -> None:
        # Games are made first, one after the other, as they come to a club's evening.
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60) as http:
            pairs = [await seated(number, http) for number in range(LIVE_GAMES)]
        ends = time.monotonic() + SECONDS
        await asyncio.gather(*(game(number, pair, ends) for number, pair in enumerate(pairs)))

    try:
        asyncio.run(run())
    finally:
        ended(process)
    waits.sort()
    middle, p99 = waits[len(waits) // 2], waits[int(len(waits) * 0.99)]
    print(f"{LIVE_GAMES} games, {len(waits)} answers: median {middle * 1000:.0f} ms, p99 {p99 * 1000:.0f} ms")
    assert p99 < 0.150
