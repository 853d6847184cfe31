"""Bots in processes of their own: deadlines, breakdowns, and games of bots alone."""

from __future__ import annotations

import time
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from sandtable import bots
from sandtable.server import workers
from sandtable.server.rows import RoomNote
from sandtable.server.storage import Change
from tests.server.table import PATIENCE, Person, Served, serving

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


def reasons(person: Person, **since: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = person.do(t="reasons", **since)["reasons"]
    return found


def test_what_a_bot_thinks_is_its_owners_alone_until_the_battle_is_over(served: Served) -> None:
    made = served.new("hof", "patrol", seats={"red": "me", "blue": "link"})
    red, blue = (served.sit(made["id"], made["keys"][seat]) for seat in ("red", "blue"))
    watcher = served.sit(made["id"])
    assert reasons(red) == []
    # Both leave their seats to a bot that says why, and it plays them.
    for seat in ("red", "blue"):
        changed = served.post(f"{made['id']}/seats", made["keys"][seat], seat=seat, holder="bot:greedy")
        assert changed.status_code == 200
    room = served.hall.rooms[made["id"]]
    red.until(lambda: {note.thinks for note in list(room.notes)} >= {"red", "blue"})
    for seat, person in (("red", red), ("blue", blue)):
        told = reasons(person)
        assert {each["seat"] for each in told} == {seat}
        assert all(each["words"].endswith(".") for each in told)
    assert reasons(watcher) == []
    # No reason is among the notes that everybody reads.
    thoughts = {note.words for note in list(room.notes) if note.thinks}
    for person in (red, blue, watcher):
        assert not thoughts & {note["words"] for note in person.state["notes"]}
    # He who has his seat back ends it: then all is told, to all, and each once.
    assert served.post(f"{made['id']}/seats", made["keys"]["red"], seat="red", holder="me").status_code == 200
    assert served.post(f"{made['id']}/resign", made["keys"]["red"], seat="red").status_code == 200
    watcher.until(lambda: watcher.state["result"] is not None)
    told = reasons(watcher)
    assert {each["seat"] for each in told} == {"red", "blue"}
    assert told == reasons(red) == reasons(blue)
    afters = [each["after"] for each in told]
    assert afters == sorted(set(afters))
    assert reasons(watcher, number=afters[-1]) == told[-1:]
    # The file of the battle is what happened, not what was thought of it.
    file = served.get(f"{made['id']}/game")
    assert file.status_code == 200
    assert not any(each["words"] in file.text for each in told)


def test_where_nobody_can_sit_down_bots_say_why_at_once_and_it_outlasts_the_server(tmp_path: Path) -> None:
    with serving(tmp_path / "games.sqlite") as served:
        made = served.new("hof", "patrol", seats={"red": "bot:greedy", "blue": "bot:steady"})
        watcher = served.sit(made["id"])
        watcher.until(lambda: watcher.state["number"] > 30)
        told = reasons(watcher)
        assert {each["seat"] for each in told} == {"red"}
    with serving(tmp_path / "games.sqlite") as served:
        assert reasons(served.sit(made["id"]))[: len(told)] == told


def test_a_choice_that_was_taken_back_has_no_reason_any_more(served: Served) -> None:
    made = served.new("hof", "patrol", seats={"red": "me", "blue": "link"})
    room = served.hall.rooms[made["id"]]
    room.seats["red"].holder = "bot:greedy"
    for words in ("first thought", "second thought"):
        room._keep_note(RoomNote(room.number, words, thinks="red"))
    assert [note.words for note in room.notes if note.thinks] == ["second thought"]
    # It is none of an answer that has not been given.
    assert room.reasons("red") == []
