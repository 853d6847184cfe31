"""A server that is killed again and again while everybody plays loses nothing that it confirmed. Part of `make soak`.

SANDTABLE_SOAK_KILLS says how often on SQLite, SANDTABLE_SOAK_POSTGRES_KILLS how often on PostgreSQL.
"""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from sandtable.server.storage import Storage, fingerprint_of
from sandtable.testing.traffic import Player, ended, free_port, started
from tests.server.postgres import postgres, programs
from tests.soak.common import AWAY, RULESETS

KILLS = int(os.environ.get("SANDTABLE_SOAK_KILLS", "50"))
POSTGRES_KILLS = int(os.environ.get("SANDTABLE_SOAK_POSTGRES_KILLS", "20"))
BOT_GAMES, PLAYERS = 40, 10
FICKLE = 0.05
"""How often a player goes back instead of answering."""


class Killed:
    """A server that is killed while everybody plays, and what the players were told."""

    def __init__(self, database: str, folder: Path) -> None:
        self.port = free_port()
        self.database, self.complaints = database, folder / "server.log"
        self.process = self.start()
        self.http = httpx.AsyncClient(base_url=f"http://127.0.0.1:{self.port}", timeout=60)
        self.players: list[Player] = []
        self.imported: dict[str, str] = {}
        self.ended = False
        self.games = 0

    def start(self) -> Any:
        return started(self.port, self.database, log=self.complaints)

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
            one = Player(self.port, made["id"], made["keys"]["red"], "red", 1000 * number + count, FICKLE)
            self.players.append(one)
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

    async def importer(self) -> None:
        """Takes the records of finished games home and brings them back as games of his own."""
        random = Random(5)
        while not self.ended:
            await asyncio.sleep(0.5)
            try:
                cards = (await self.http.get("/api/games", params={"state": "finished"})).json()
                games = [card["id"] for card in cards if card["id"] not in self.imported]
                if games:
                    game = random.choice(games)
                    record = (await self.http.get(f"/api/games/{game}/game")).raise_for_status()
                    made = await self.http.post("/api/games/import", content=record.content)
                    if made.status_code == 201:
                        self.imported[made.json()["id"]] = game
            except AWAY:
                continue

    def count(self) -> int:
        return sum(len(one.confirmed) + one.backs for one in self.players)

    async def killer(self, kills: int) -> None:
        random = Random(7)
        for number in range(kills):
            # In the midst of play, however slow the machine: after some more answers have been confirmed.
            wanted = self.count() + random.randint(1, 40)
            patience = time.monotonic() + 60
            while self.count() < wanted and time.monotonic() < patience:
                await asyncio.sleep(random.uniform(0.001, 0.05))
            ended(self.process, kill=True)
            self.process = await asyncio.to_thread(self.start)
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
    nothing_is_lost(str(tmp_path / "games.sqlite"), tmp_path, KILLS)


@pytest.mark.soak
def test_a_killed_server_loses_nothing_on_postgresql(tmp_path: Path) -> None:
    where = programs()
    if where is None:
        pytest.skip("PostgreSQL is not on this machine")
    with postgres(where) as database:
        nothing_is_lost(database, tmp_path, POSTGRES_KILLS)


def nothing_is_lost(database: str, folder: Path, kills: int) -> None:
    killed = Killed(database, folder)

    async def run() -> None:
        playing = [asyncio.create_task(killed.player(number)) for number in range(PLAYERS)]
        playing += [asyncio.create_task(killed.bots()), asyncio.create_task(killed.importer())]
        killing = asyncio.create_task(killed.killer(kills))
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

    try:
        asyncio.run(run())
    finally:
        ended(killed.process)
    storage = Storage(database)
    count = backs = 0
    for one in killed.players:
        stored = storage.entries(one.game)
        # What it wished last, and did not hear of, may have come to pass: an undo reaches its own last answer.
        wished = None if one.wish is None else one.wish if one.wish >= 0 else max(one.confirmed)
        for number, answer in one.confirmed.items():
            if wished is None or number < wished:
                assert stored[number].sent == fingerprint_of(answer), f"{one.game}: answer {number} is another"
                count += 1
        backs += one.backs
    for new, old in killed.imported.items():
        assert [each.entry for each in storage.entries(new)] == [each.entry for each in storage.entries(old)]
    storage.close()
    print(
        f"{kills} kills, {killed.games} games, {count} confirmed answers, {backs} times back, "
        f"{len(killed.imported)} imports, none lost"
    )
    assert count > kills
    assert backs
    assert killed.imported
