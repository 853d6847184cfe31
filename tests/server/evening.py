"""A club's evening: games of two seats at a human pace, while strangers want much of the server."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import time
from pathlib import Path
from random import Random
from typing import Any

import httpx
import msgspec

from sandtable.testing.strangers import visit
from sandtable.testing.traffic import Player, ended, free_port, started
from tests.server import loops

RULESETS = (("hof", "patrol"), ("tr14", "patrol"))


class Evening(msgspec.Struct):
    """How long both seats waited for each answer, in seconds, sorted; and what the strangers were told."""

    waits: list[float]
    strangers: dict[str, int]

    @property
    def p99(self) -> float:
        return self.waits[int(len(self.waits) * 0.99)]

    def words(self) -> str:
        middle = self.waits[len(self.waits) // 2]
        times = [f"{name} {wait * 1000:.0f} ms" for name, wait in (("median", middle), ("p99", self.p99))]
        longest = f"longest {self.waits[-1] * 1000:.0f} ms"
        load = f"load of the machine {os.getloadavg()[0]:.1f}"
        return f"{len(self.waits)} answers: {', '.join(times)}, {longest}; strangers: {self.strangers}; {load}"


def evening(folder: Path, games: int, guests: int, seconds: float, pace: tuple[float, float] = (1.0, 5.0)) -> Evening:
    """Play so many games for a while, with so many strangers."""
    waits: list[float] = []
    port = free_port()
    process = started(port, folder / "games.sqlite")
    context = multiprocessing.get_context("spawn")
    pipe, theirs = context.Pipe()
    strangers = context.Process(target=visit, args=(port, guests, seconds, theirs), daemon=True)

    async def seated(number: int, http: httpx.AsyncClient) -> list[Player]:
        ruleset, scenario = RULESETS[number % len(RULESETS)]
        seats = {"red": "link", "blue": "link"}
        made = (await http.post("/api/games", json={"ruleset": ruleset, "scenario": scenario, "seats": seats})).json()
        pair = [Player(port, made["id"], made["keys"][seat], seat, number) for seat in ("red", "blue")]
        for which, one in enumerate(pair):
            # Everybody has a machine of his own.
            one.address = f"127.1.{which}.{1 + number}"
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
            await asyncio.sleep(random.uniform(*pace))
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
            pairs = [await seated(number, http) for number in range(games)]
        strangers.start()
        await asyncio.to_thread(pipe.recv)
        ends = time.monotonic() + seconds
        await asyncio.gather(*(game(number, pair, ends) for number, pair in enumerate(pairs)))

    told: dict[str, Any] = {}
    try:
        loops.run(run())
        assert pipe.poll(90), "a stranger waits for an answer"
        told = pipe.recv()
    finally:
        if strangers.is_alive():
            strangers.kill()
        ended(process)
    return Evening(sorted(waits), told)
