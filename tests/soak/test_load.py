"""A club's evening: a hundred games, and strangers who want much. Part of `make soak`.

SANDTABLE_SOAK_SECONDS says how long. A busy machine makes it lie: what else runs is printed with the result.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import time
from pathlib import Path
from random import Random

import httpx
import pytest

from sandtable.testing.strangers import visit
from sandtable.testing.traffic import Player, ended, free_port, started
from tests.soak.common import RULESETS

SECONDS = float(os.environ.get("SANDTABLE_SOAK_SECONDS", "120"))
LIVE_GAMES, STRANGERS = 100, 6
P99 = 0.150
"""Seconds within which both seats see an answer, but for one in a hundred."""


@pytest.mark.soak
def test_a_hundred_games_at_a_human_pace_while_strangers_want_much(tmp_path: Path) -> None:
    waits: list[float] = []
    port = free_port()
    process = started(port, tmp_path / "games.sqlite")
    context = multiprocessing.get_context("spawn")
    pipe, theirs = context.Pipe()
    strangers = context.Process(target=visit, args=(port, STRANGERS, SECONDS, theirs), daemon=True)

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
        strangers.start()
        await asyncio.to_thread(pipe.recv)
        ends = time.monotonic() + SECONDS
        await asyncio.gather(*(game(number, pair, ends) for number, pair in enumerate(pairs)))

    try:
        asyncio.run(run())
        assert pipe.poll(90), "a stranger waits for an answer"
        told = pipe.recv()
    finally:
        if strangers.is_alive():
            strangers.kill()
        ended(process)
    waits.sort()
    middle, p99 = waits[len(waits) // 2], waits[int(len(waits) * 0.99)]
    print(f"{LIVE_GAMES} games, {len(waits)} answers: median {middle * 1000:.0f} ms, p99 {p99 * 1000:.0f} ms, ", end="")
    print(f"longest {waits[-1] * 1000:.0f} ms; {STRANGERS} strangers: {told}; load {os.getloadavg()[0]:.1f}")
    assert told["import 201"] > 0
    assert told["picture 200"] > 0
    assert p99 < P99
