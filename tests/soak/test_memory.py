"""A server with a steady light load for an hour: what it takes of memory stays level. Part of `make soak`.

SANDTABLE_SOAK_MINUTES is how long; much less than half an hour says little, as what is kept for a while is still
gathering.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections import Counter
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any

import httpx
import pytest

from sandtable.testing.traffic import Player, ended, free_port, resident, started
from tests.server.test_strangers import a_save, squares

MINUTES = float(os.environ.get("SANDTABLE_SOAK_MINUTES", "60"))
TABLES = 18
"""Games of people that are going on; now and then bots play one alone, too."""

BATTLES = (
    *(("hof", "patrol"), ("tr14", "patrol"), ("sof", "encounter")),
    *(("hof", "hedgerow-village"), ("tr14", "crossroads"), ("sof", "clash")),
)
ENDS = ("resigned", "abandoned", "played out")
ARCHIVED = 240.0
"""Seconds after which an abandoned game is put away."""

GROWTH = 1.05
"""The last third of the time may take so much more than the second."""


class Club:
    """People who come, play a while and go; and what they did."""

    def __init__(self, port: int) -> None:
        self.port = port
        # A connection that was not used for a while may be closed by the server just when it is.
        limits = httpx.Limits(keepalive_expiry=2.0)
        self.http = httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60, limits=limits)
        self.ends = time.monotonic() + 60 * MINUTES
        self.done: Counter[str] = Counter()
        self.games: list[str] = []
        self.over: list[str] = []
        self.largest = a_save(lambda setup: setup.update(terrain=squares(500)))

    @property
    def closing(self) -> bool:
        return time.monotonic() > self.ends

    async def new(self, number: int, **seats: str) -> dict[str, Any]:
        ruleset, scenario = BATTLES[number % len(BATTLES)]
        body = {"ruleset": ruleset, "scenario": scenario, "seats": seats}
        answer = (await self.http.post("/api/games", json=body)).raise_for_status()
        made: dict[str, Any] = answer.json()
        self.games = [*self.games[-50:], made["id"]]
        self.done["games"] += 1
        return made

    async def table(self, place: int) -> None:
        """One game after the other, against a bot or a friend."""
        random = Random(place)
        # They do not all come at the same moment.
        await asyncio.sleep(random.uniform(0.0, 60.0))
        count = 0
        while not self.closing:
            number = place + TABLES * count
            count += 1
            alone = place % 3 != 0
            made = await self.new(number, red="me", blue="bot:random" if alone else "link")
            seats = ("red",) if alone else ("red", "blue")
            people = [Player(self.port, made["id"], made["keys"][seat], seat, number) for seat in seats]
            how, most = ENDS[number % len(ENDS)], random.randint(60, 180)
            await asyncio.gather(*(self.play(one, how, most, random) for one in people))
            if all(one.over for one in people):
                self.over = [*self.over[-10:], made["id"]]
            self.done[how] += 1

    async def play(self, one: Player, how: str, most: int, random: Random) -> None:
        await one.connect()
        # Both leave at the same point of the game: nobody waits for one who has gone.
        while not one.over and not self.closing and (how == "played out" or one.state.get("number", 0) < most):
            await self.hear(one)
            if one.question is None or one.pending is not None or one.state["number"] <= one.answered:
                continue
            await asyncio.sleep(random.uniform(0.5, 2.5) if how != "played out" else random.uniform(0.1, 0.5))
            if random.random() < 0.1:
                request = {"number": one.state["number"], "answer": one.question["candidates"][0]}
                await one.send(t="preview", id="preview", **request)
                self.done["previews"] += 1
            self.done["answers"] += 1
            await one.answer()
        if how == "resigned" and not one.over and one.seat == "red":
            await one.send(t="resign", id="resign")
        while how == "resigned" and not one.over and not self.closing:
            await self.hear(one)
        await one.socket.close()

    async def hear(self, one: Player) -> None:
        try:
            await one.hear()
        except TimeoutError:
            # The other one has gone home.
            if not self.closing:
                raise

    async def bots(self) -> None:
        """Every half minute a game of bots alone."""
        count = 0
        while not self.closing:
            made = await self.new(count % 2, red="bot:random", blue="bot:random")
            self.over = [*self.over[-10:], made["id"]]
            count += 1
            await asyncio.sleep(30.0)

    async def visitor(self) -> None:
        """Looks at tables and at what happened there, takes a record home and brings it back."""
        random = Random(7)
        while not self.closing:
            await asyncio.sleep(random.uniform(1.0, 3.0))
            game = random.choice(self.games) if self.games else ""
            what = random.choice(
                ("picture", "picture", "thumbnail", "bare", "moment", "beats", "list", "import", "large")
            )
            if what == "import" and self.over:
                record = await self.http.get(f"/api/games/{random.choice(self.over)}/game")
                if record.status_code == 200:
                    (await self.http.post("/api/games/import", content=record.content)).raise_for_status()
            elif what == "large" and random.random() < 0.2:
                (await self.http.post("/api/games/import", content=self.largest)).raise_for_status()
            elif what not in ("import", "large"):
                path = {
                    "picture": f"/api/games/{game}/picture.svg",
                    "thumbnail": f"/api/games/{game}/picture.svg?size=small",
                    "bare": f"/api/rulesets/hof/scenarios/random:{random.randint(1, 999)}/picture.svg",
                    "moment": f"/api/games/{game}/moments/0",
                    "beats": f"/api/games/{game}/beats",
                    "list": "/api/games",
                }[what]
                (await self.http.get(path)).raise_for_status()
            self.done[what] += 1

    async def figure(self, name: str) -> float:
        lines = (await self.http.get("/metrics")).text.splitlines()
        return float(next(line.split()[-1] for line in lines if line.startswith(f"{name} ")))


@pytest.mark.soak
def test_memory_stays_level(tmp_path: Path) -> None:
    port = free_port()
    process = started(port, tmp_path / "games.sqlite", "--archive-after", str(ARCHIVED / 86_400))
    samples: list[dict[str, float]] = []

    async def sampled(club: Club) -> None:
        began = time.monotonic()
        print(
            "minute  " + "  ".join(f"{name:>14}" for name in sorted(resident(process.pid))) + "  total MB", flush=True
        )
        while len(samples) < MINUTES:
            await asyncio.sleep(60.0 * (len(samples) + 1) + began - time.monotonic())
            found = resident(process.pid)
            samples.append(found)
            row = "  ".join(f"{found[name]:14.1f}" for name in sorted(found))
            rooms, done = await club.figure("sandtable_rooms_open"), dict(club.done)
            print(f"{len(samples):6}  {row}  {sum(found.values()):8.1f}  {rooms:.0f} open; {done}", flush=True)

    async def run() -> Counter[str]:
        club = Club(port)
        everybody = [club.bots(), club.visitor(), sampled(club), *(club.table(place) for place in range(TABLES))]
        tasks = [asyncio.create_task(each) for each in everybody]
        done, pending = await asyncio.wait(tasks, timeout=60 * MINUTES + 90, return_when=asyncio.FIRST_EXCEPTION)
        for task in pending:
            task.cancel()
        for task in done:
            task.result()
        await club.http.aclose()
        return club.done

    try:
        done = asyncio.run(run())
    finally:
        ended(process)
    third = max(1, len(samples) // 3)
    middle, last = (
        mean(sum(found.values()) for found in several) for several in (samples[third : 2 * third], samples[2 * third :])
    )
    print(f"{MINUTES:g} minutes, {dict(done)}: {middle:.0f} MB in the second third, {last:.0f} MB in the last")
    assert last < GROWTH * middle
