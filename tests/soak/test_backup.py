"""Backups that are taken while everybody plays, brought back, and played on. Part of `make soak`.

SANDTABLE_SOAK_BACKUPS says how many on each kind of database.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from sandtable.server.storage import Storage, fingerprint_of
from sandtable.testing.traffic import Player, ended, free_port, started
from tests.server.postgres import postgres, programs
from tests.soak.common import RULESETS

BACKUPS = int(os.environ.get("SANDTABLE_SOAK_BACKUPS", "3"))
PLAYERS = 20
ANSWERS = 300
"""Answers that are confirmed before each backup."""

MORE = 3
"""Answers that are given in each game that was brought back."""


class Evening:
    """A server, those who play on it, and what each of them had heard confirmed at a moment."""

    def __init__(self, database: str, folder: Path) -> None:
        self.database, self.folder = database, folder
        self.port = free_port()
        self.process = started(self.port, database, log=folder / "server.log")
        self.playing: dict[str, tuple[Player, str]] = {}
        self.ended = False

    async def player(self, number: int) -> None:
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{self.port}", timeout=60) as http:
            while not self.ended:
                ruleset, scenario = RULESETS[number % len(RULESETS)]
                body = {"ruleset": ruleset, "scenario": scenario, "seats": {"red": "me", "blue": "bot:random"}}
                made: dict[str, Any] = (await http.post("/api/games", json=body)).raise_for_status().json()
                one = Player(self.port, made["id"], made["keys"]["red"], "red", number)
                self.playing[made["id"]] = (one, made["keys"]["red"])
                await one.connect()
                while not (self.ended or one.over):
                    await one.step()
                await one.socket.close()

    def confirmed(self) -> dict[str, dict[int, Any]]:
        return {game: dict(one.confirmed) for game, (one, _) in self.playing.items()}


def command(*words: str) -> None:
    subprocess.run([sys.executable, "-m", "sandtable", *words], check=True, capture_output=True, timeout=300)


async def played_on(database: str, folder: Path, evening: Evening, confirmed: dict[str, dict[int, Any]]) -> int:
    """Serve what was brought back: every game that is not over goes on. Returns how many did."""
    port = free_port()
    process = await asyncio.to_thread(started, port, database, log=folder / "restored.log")
    went_on = 0
    try:
        for game, known in confirmed.items():
            one = Player(port, game, evening.playing[game][1], "red", seed=99)
            # It holds the new server to what the old one had confirmed.
            one.confirmed = dict(known)
            await one.connect()
            ends = time.monotonic() + 120
            while not one.over and len(one.confirmed) < len(known) + MORE:
                assert time.monotonic() < ends, f"{game} stands still"
                await one.step()
            went_on += len(one.confirmed) > len(known)
            await one.socket.close()
    finally:
        await asyncio.to_thread(ended, process)
    return went_on


def backups_play_on(database: str, folder: Path) -> None:
    evening = Evening(database, folder)
    numbers: list[tuple[int, int, float, int]] = []

    async def run() -> None:
        playing = [asyncio.create_task(evening.player(number)) for number in range(PLAYERS)]
        for number in range(BACKUPS):
            wanted = sum(len(answers) for answers in evening.confirmed().values()) + ANSWERS
            while sum(len(answers) for answers in evening.confirmed().values()) < wanted:
                await asyncio.sleep(0.2)
                for task in playing:
                    if task.done():
                        task.result()
            before, began = evening.confirmed(), time.monotonic()
            copy, back = folder / f"backup-{number}.sqlite", str(folder / f"restored-{number}.sqlite")
            await asyncio.to_thread(command, "backup", str(copy), "--database", database)
            took = time.monotonic() - began
            Storage(back).close()
            await asyncio.to_thread(command, "restore", str(copy), "--database", back)
            storage = Storage(back)
            for game, answers in before.items():
                stored = storage.entries(game)
                for place, answer in answers.items():
                    assert stored[place].sent == fingerprint_of(answer), f"{game}: answer {place} is not in the backup"
            storage.close()
            went_on = await played_on(back, folder, evening, before)
            count = sum(len(answers) for answers in before.values())
            numbers.append((len(before), count, took, went_on))
            print(f"backup {number + 1}: {len(before)} games, {count} confirmed answers, {took:.1f} s; ", end="")
            print(f"{went_on} games went on", flush=True)
        evening.ended = True
        _, pending = await asyncio.wait(playing, timeout=10)
        for task in pending:
            task.cancel()

    try:
        asyncio.run(run())
    finally:
        ended(evening.process)
    assert all(count and went_on for _, count, _, went_on in numbers)


@pytest.mark.soak
def test_a_backup_under_load_plays_on(tmp_path: Path) -> None:
    backups_play_on(str(tmp_path / "games.sqlite"), tmp_path)


@pytest.mark.soak
def test_a_backup_of_postgresql_under_load_plays_on(tmp_path: Path) -> None:
    where = programs()
    if where is None:
        pytest.skip("PostgreSQL is not on this machine")
    with postgres(where) as database:
        backups_play_on(database, tmp_path)
