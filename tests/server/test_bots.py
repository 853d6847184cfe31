"""Bots in processes of their own: deadlines, breakdowns, and games of bots alone."""

from __future__ import annotations

import time
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from sandtable import bots
from sandtable.server import workers
from sandtable.server.storage import Change
from tests.server.table import PATIENCE, Served, serving

SLEEPER = '''
"""Stands in for `sandtable.bots` in a worker: a bot that never answers and one that breaks down."""
import time
from sandtable import bots

class Sleeper:
    def __init__(self, seed): pass
    def choose(self, seat):
        time.sleep(3600)

class Broken:
    def __init__(self, seed): pass
    def choose(self, seat):
        raise ZeroDivisionError("no idea")

bots.BOTS["sleeper"] = Sleeper
bots.BOTS["broken"] = Broken
'''


@pytest.fixture
def strange_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Worker processes are told of two more bots as they start."""
    (tmp_path / "sitecustomize.py").write_text(SLEEPER)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{Path(bots.__file__).parents[2]}")
    for name in ("sleeper", "broken"):
        monkeypatch.setitem(bots.BOTS, name, bots.BOTS["random"])


# One that breaks down is given time to: on a busy machine its process may be long about it.
@pytest.mark.parametrize(("bot", "says", "deadline"), [("sleeper", "in time", 0.3), ("broken", "broke down", 25.0)])
def test_a_bot_that_does_not_answer(tmp_path: Path, strange_bots: None, bot: str, says: str, deadline: float) -> None:
    with serving(tmp_path / "games.sqlite", deadline=deadline) as served:
        made = served.new("tr14", "patrol", seats={"red": f"bot:{bot}", "blue": "me"})
        blue = served.sit(made["id"], made["keys"]["blue"])
        blue.until(lambda: blue.state["number"] >= 1)
        assert any(says in note["words"] for note in blue.state["notes"])
        room = served.hall.rooms[made["id"]]
        assert room.game.record[0].by == "deadline"
        # Meanwhile the server answers as ever.
        assert served.get(made["id"]).status_code == 200


def test_bots_alone_play_to_the_end(served: Served) -> None:
    made = served.new("tr14", "patrol", seats={"red": "bot:random", "blue": "bot:random"})
    assert made["keys"] == {}
    watcher = served.sit(made["id"])
    watcher.until(lambda: watcher.state["result"] is not None)
    assert watcher.state["thinking"] is None


def test_a_bots_chance_is_its_own() -> None:
    seeds = {workers.bot_seed("ab", seat, number) for seat in ("red", "blue") for number in range(50)}
    assert len(seeds) == 100
    assert workers.bot_seed("ab", "red", 3) == workers.bot_seed("ab", "red", 3)


def test_a_worker_forgets_what_it_holds_no_copy_of() -> None:
    known: dict[str, Any] = workers.Worker(1.0, []).known
    assert known == {}


def test_bots_go_on_by_themselves_after_something_could_not_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(tmp_path / "games.sqlite") as served:
        real, failed = served.hall.storage.write, list[Change]()

        def write(change: Change) -> Future[None]:
            if change.create or failed:
                return real(change)
            failed.append(change)
            away: Future[None] = Future()
            away.set_exception(OSError("the disk is away"))
            return away

        monkeypatch.setattr(served.hall.storage, "write", write)
        made = served.new(seats={"red": "bot:random", "blue": "bot:random"})
        # Its card comes out of the database: nobody opens the game.
        ends = time.monotonic() + PATIENCE
        while served.get(made["id"]).json()["state"] != "finished":
            assert time.monotonic() < ends
            time.sleep(0.2)
        assert failed
