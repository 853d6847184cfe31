"""A server that is killed loses nothing that it confirmed; one that is told to end, ends."""

from __future__ import annotations

import signal
from pathlib import Path
from random import Random

import httpx

from sandtable import rulesets
from sandtable.engine.dice import SealedDice
from sandtable.engine.game import Game
from sandtable.server import loading, rows
from sandtable.server.storage import Storage, StoredEntry
from sandtable.testing.traffic import free_port, started
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
