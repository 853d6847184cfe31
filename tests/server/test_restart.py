"""A server that is killed loses nothing that it confirmed; one that is told to end, ends."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from random import Random

import httpx
import pytest

from sandtable import rulesets
from sandtable.engine.dice import SealedDice
from sandtable.engine.game import Game
from sandtable.server import loading, rows
from sandtable.server.storage import Storage, StoredEntry
from sandtable.testing.traffic import free_port, started, wait_for
from tests.server.table import Person, play


def test_kill_and_go_on(database: str, tmp_path: Path) -> None:
    port, complaints = free_port(), tmp_path / "server.log"
    server = started(port, database, log=complaints)
    http = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30)
    body = {"ruleset": "tr14", "scenario": "patrol", "seats": {"red": "me", "blue": "link"}}
    made = http.post("/api/games", json=body).json()
    alone = {**body, "seats": {"red": "bot:random", "blue": "bot:random"}}
    bots = http.post("/api/games", json=alone).json()
    people = [Person(port, made["id"], made["keys"][seat], seat) for seat in ("red", "blue")]
    random = Random(8)
    try:
        for _ in range(2):
            play(people, random, 25)
            confirmed = max(person.state["number"] for person in people)
            for person in people:
                person.reach(confirmed)
            logs = [list(person.log) for person in people]
            server.kill()
            server.wait()
            server = started(port, database, log=complaints)
            for person, log in zip(people, logs, strict=True):
                person.connect()
                assert person.state["number"] == confirmed
                assert person.log == log
                assert "from" not in person.state
        play(people, random, 10)
        watcher = Person(port, bots["id"], None, None)
        watcher.until(lambda: watcher.state["result"] is not None, 60)
        # Told to end, it ends at once and in order, though people are connected.
        server.send_signal(signal.SIGTERM)
        assert server.wait(10) in (0, -signal.SIGTERM)
    finally:
        server.kill()
        server.wait()


SLOW_PICTURES = """
import sys, time
from sandtable.server import catalogue
from sandtable.server.serving import Options, run

catalogue.bare_table = lambda *_: time.sleep(600)
run(Options(port=int(sys.argv[1]), database=sys.argv[2], workers=1))
"""


@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_when_told_whatever_is_being_drawn(tmp_path: Path, told: signal.Signals) -> None:
    port = free_port()
    words = [sys.executable, "-c", SLOW_PICTURES, str(port), str(tmp_path / "games.sqlite")]
    with subprocess.Popen(words, stderr=subprocess.DEVNULL) as server:
        try:
            wait_for(port)
            http = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30)
            body = {"ruleset": "tr14", "scenario": "patrol", "seats": {"red": "me", "blue": "link"}}
            made = http.post("/api/games", json=body).json()
            person = Person(port, made["id"], made["keys"]["red"], "red")
            for _ in range(6):
                picture = threading.Thread(target=fetch, args=(port, "/api/rulesets/tr14/scenarios/patrol/picture.svg"))
                picture.daemon = True
                picture.start()
            time.sleep(0.5)
            server.send_signal(told)
            # Whoever is connected hears that he should come back.
            assert person.closed_with() == 1012
            assert server.wait(10) in (0, -told)
        finally:
            server.kill()


def fetch(port: int, path: str) -> None:
    with contextlib.suppress(httpx.HTTPError):
        httpx.get(f"http://127.0.0.1:{port}{path}", timeout=60)


def test_rules_that_have_changed(tmp_path: Path) -> None:
    """Given a game that does not replay, it goes on from its keyframe and says so."""
    rules = rulesets.load("tr14")
    dice = rows.DiceRow("sealed", "ab" * 32)
    game = Game(rules, rules.scenario("patrol"), SealedDice(bytes.fromhex(dice.secret)))
    random = Random(1)
    for _ in range(120):
        assert game.ask is not None
        game.accept(game.ask.question.sample(random))
    seats = {seat: rows.SeatRow(rows.PERSON, "x") for seat in rules.seats}
    _, film = loading.new_game(rules, game.setup, dice)
    room = loading.Room("g", "Patrol", "patrol", game, film, seats, dice)
    room.sent = [""] * 120
    storage = Storage(str(tmp_path / "games.sqlite"))
    storage.write(room.created()).result(5)
    row, stored = storage.game("g"), storage.entries("g")
    assert row is not None
    assert loading.load(row, stored).game.hash() == game.hash()
    # An early answer is not taken any more:
    first = stored[0].entry
    stored[0] = StoredEntry(type(first)(first.seat, {"nobody": {"to": [0, 0]}}, first.topic))
    changed = loading.load(row, stored)
    frame = rows.keyframe(row["keyframe"])
    assert frame is not None
    assert changed.number == 120 - frame.entries
    assert changed.game.hash() == game.hash()
    assert "The rules have changed" in changed.notes[-1].words
    # and what is written then loads again to the same.
    change = changed.change()
    assert change.drops
    assert change.keep == 0
    storage.write(change).result(5)
    row = storage.game("g")
    assert row is not None
    again = loading.load(row, storage.entries("g"))
    assert again.game.hash() == game.hash()
    assert len(again.notes) == len(changed.notes)
    storage.close()
