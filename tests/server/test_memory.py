"""What the server holds in memory: the games that somebody looks at, and for a while those that somebody did."""

from __future__ import annotations

import gc
import os
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from sandtable.testing.traffic import resident
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


def test_what_a_process_takes_is_told() -> None:
    found = resident(os.getpid())
    assert found["server"] > 10.0
