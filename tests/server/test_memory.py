"""What the server holds in memory: the games that somebody looks at, and for a while those that somebody did."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from sandtable import rulesets
from sandtable.server import loading
from sandtable.server.outgoing import log_of
from sandtable.server.pictures import MOST_BYTES, Pictures
from sandtable.server.room import Room
from sandtable.server.rows import PERSON, DiceRow, SeatRow
from sandtable.table.scene import Scene
from sandtable.testing.traffic import resident
from tests.server import loops
from tests.server.conftest import GENEROUS
from tests.server.table import PATIENCE, play, serving


def wait_until(so: Callable[[], bool]) -> None:
    ends = time.monotonic() + PATIENCE
    while not so():
        assert time.monotonic() < ends
        time.sleep(0.05)


def test_a_game_that_nobody_looks_at_leaves_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandtable.server.hall.IDLE", 0.5)
    monkeypatch.setattr("sandtable.server.hall.CLOSE_IDLE", 0.1)
    with serving(tmp_path / "games.sqlite", GENEROUS) as served:
        rooms = served.hall.rooms
        looked_at, left, wished = (served.new(seats={"red": "link", "blue": "link"}) for _ in range(3))
        seated = [[served.sit(made["id"], key) for key in made["keys"].values()] for made in (looked_at, left, wished)]
        for people in seated:
            play(people, Random(3), 12)
        asked_back = next(person for person in seated[2] if person.question is not None)
        assert asked_back.do(t="takeback", to=5)["t"] == "reply"
        known = [seated[1][0].state["number"], seated[1][0].log]
        gone = weakref.ref(rooms[left["id"]])
        for people in seated[1:]:
            for person in people:
                person.leave()
        # It goes when nobody has looked for a while, and nothing of it stays;
        wait_until(lambda: left["id"] not in rooms)
        wait_until(lambda: gc.collect() >= 0 and gone() is None)
        # one with somebody before it stays, and so does a wish that is nowhere else.
        time.sleep(1.0)
        assert looked_at["id"] in rooms
        assert wished["id"] in rooms
        play(seated[0], Random(4), 3)
        # Whoever comes back finds everything as it was.
        again = served.sit(left["id"], left["keys"][str(seated[1][0].seat or "red")])
        assert [again.state["number"], again.log] == known


def with_one_answer() -> tuple[Room, str]:
    """A game in which one answer was given, which may be taken back, and the seat that gave it."""
    rules = rulesets.load("tr14")
    dice = DiceRow("sealed", "00" * 32)
    game, film = loading.new_game(rules, rules.scenario("patrol"), dice)
    room = Room("a", "A battle", "patrol", game, film, {seat: SeatRow(PERSON) for seat in rules.seats}, dice)
    assert game.ask is not None
    seat = game.ask.seat
    assert room.answer(seat, 0, game.ask.question.candidates(1)[0]) is None
    return room, seat


def test_a_game_keeps_its_newest_notes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandtable.server.room.MOST_NOTES", 20)
    room, seat = with_one_answer()
    for _ in range(30):
        assert room.undo(seat) is None
        assert room.redo(seat) is None
    assert len(room.notes) == 20
    assert room.notes[-1].words == f"{seat} gives the answer again."
    assert not room.game.notes


def test_a_log_remembers_little_of_how_often_it_was_shortened() -> None:
    room, seat = with_one_answer()
    assert len(log_of(room, seat).lines) == 1
    for _ in range(30):
        for step in (room.undo, room.redo):
            assert step(seat) is None
            log_of(room, seat)
    log = room.logs[seat]
    assert len(log.shortened) <= 2
    # Who was there before it went back hears the line again, who has come since does not.
    assert [log.since(1, rewinds) for rewinds in (0, 29, 30)] == [0, 0, 1]


def test_what_a_process_takes_is_told() -> None:
    found = resident(os.getpid())
    assert found["server"] > 10.0


COME_AND_GO = """
import os, sys, threading
from sandtable.server import heap
from sandtable.testing.traffic import resident

heap.give_back()
lasting = []

def games_and_sockets():
    large = bytes(8_000_000)
    del large
    passing = []
    for _ in range(100):
        passing.append(bytes(400_000))
        lasting.append(bytes(2_000))

before = resident(os.getpid())["server"]
threads = [threading.Thread(target=games_and_sockets) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(resident(os.getpid())["server"] - before)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the settings are those of glibc")
def test_what_is_let_go_of_goes_back_to_the_system() -> None:
    # 160 MB that pass, between pieces that last and would keep each hole open.
    run = subprocess.run([sys.executable, "-c", COME_AND_GO], capture_output=True, text=True, check=True)
    assert float(run.stdout) < 16.0


def test_pictures_are_kept_up_to_a_size() -> None:
    class Drawing:
        async def do(self, *_: object, seconds: float) -> str:
            return "x" * 700_000

    async def ask_for_many() -> Pictures:
        pictures = Pictures(Drawing())  # type: ignore[arg-type]
        for width in range(1, 40):
            await pictures.of(Scene(width, 48), "ann", "full")
        return pictures

    pictures = loops.run(ask_for_many())
    assert sum(map(len, pictures.kept.values())) == pictures.size <= MOST_BYTES <= 8_000_000
