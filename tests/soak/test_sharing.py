"""Servers that share a database, one of them killed at random again and again. Part of `make soak`.

SANDTABLE_SOAK_SERVERS says how often.
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

from sandtable.server.neighbours import Neighbours
from sandtable.server.storage import Storage, fingerprint_of
from sandtable.testing.traffic import Player, ended, free_port, started
from tests.server.postgres import postgres, programs
from tests.soak.common import AWAY, RULESETS

SERVER_KILLS = int(os.environ.get("SANDTABLE_SOAK_SERVERS", "20"))
SHARED_GAMES, SHARING = 60, 3
TAKEN_OVER = 10.0
"""Seconds within which a game goes on after its server has died."""


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

    def orphans(self) -> list[str]:
        """Games under way that live on no server."""
        storage = Storage(self.database)
        found = [name for name, _ in Neighbours(storage, "nowhere").orphans()]
        storage.close()
        return found

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
            # Bots sit in all of them: not one waits until somebody asks for it.
            assert await asyncio.to_thread(self.orphans) == []
            self.processes[victim] = await asyncio.to_thread(self.start, self.ports[victim])
            slowest = max(self.waits, default=0.0)
            print(f"killed {number + 1} times; {self.count()} answers, the longest wait {slowest:.1f} s", flush=True)


@pytest.mark.soak
def test_servers_that_share_a_database_take_over_from_one_another(tmp_path: Path) -> None:
    where = programs()
    if where is None:
        pytest.skip("PostgreSQL is not on this machine")
    with postgres(where) as database:
        sharing = Sharing(database, tmp_path)

        async def run() -> None:
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

        try:
            asyncio.run(run())
        finally:
            for process in sharing.processes:
                ended(process)
        storage = Storage(database)
        count = 0
        for one in sharing.players:
            stored = storage.entries(one.game)
            # Each answer once, in its place; and none that nobody gave.
            last = set() if one.pending is None else {one.pending[0]}
            assert {number for number, each in enumerate(stored) if each.sent} <= set(one.confirmed) | last
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
