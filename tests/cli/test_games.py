"""`sandtable games`, `backup` and `restore`, beside a server that runs."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from random import Random
from typing import Any

import pytest

from sandtable.server.storage import Storage
from tests.server.conftest import GENEROUS
from tests.server.table import Served, play, serving

from .conftest import Command


@pytest.fixture
def server(tmp_path: Path) -> Any:
    with serving(tmp_path / "games.sqlite", GENEROUS) as served:
        yield served


def test_games_are_listed_shown_and_put_away(command: Command, server: Served, tmp_path: Path) -> None:
    database = ("--database", tmp_path / "games.sqlite")
    made, other = server.new(title="The mill"), server.new(title="The ford")
    listed = command("games", "list", *database)
    assert listed.status == 0
    assert "The mill" in listed.out
    assert listed.out.endswith("2 running\n")
    as_json = json.loads(command("games", "list", "--json", *database).out)
    assert {game["id"] for game in as_json["games"]} == {made["id"], other["id"]}
    shown = command("games", "show", made["id"][:8], *database)
    assert "The mill: tr14, patrol, running" in shown.out
    assert "red          person" in shown.out
    for secret in (*made["keys"].values(), *other["keys"].values()):
        assert secret not in listed.out + shown.out
    assert command("games", "archive", other["id"], *database).status == 0
    assert [card["title"] for card in server.http.get("/api/games").json()] == ["The mill"]
    assert command("games", "show", "nothing-like-it", *database).status == 2
    assert "there is no database" in command("games", "list", "--database", tmp_path / "none.sqlite").err


def test_a_game_is_removed_under_the_hands_of_its_players(command: Command, server: Served, tmp_path: Path) -> None:
    made = server.new()
    red = server.sit(made["id"], made["keys"]["red"], "red")
    assert red.question is not None
    asked = command("games", "remove", made["id"], "--database", tmp_path / "games.sqlite", typed="n\n")
    assert asked.status == 1
    assert command("games", "remove", made["id"], "--yes", "--database", tmp_path / "games.sqlite").status == 0
    # Nothing is confirmed: the page is told to connect again, and then that there is no such game.
    red.send(t="answer", id=1, number=0, answer=red.question["candidates"][0])
    assert red.closed_with() == 1012
    assert 1 not in red.replies
    assert server.get(made["id"]).status_code == 404
    # The others play on.
    assert server.new()["id"]


def test_a_game_is_exported(command: Command, server: Served, tmp_path: Path) -> None:
    made = server.new(seats={"red": "bot:random", "blue": "bot:random"})
    watcher = server.sit(made["id"])
    watcher.until(lambda: watcher.state["result"] is not None, 120)
    file = tmp_path / "battle.game"
    assert command("games", "export", made["id"], file, "--database", tmp_path / "games.sqlite").status == 0
    assert command("replay", file, "--verify").status == 0
    assert (
        "is there already" in command("games", "export", made["id"], file, "--database", tmp_path / "games.sqlite").err
    )


def test_a_backup_under_load_holds_all_that_was_confirmed(command: Command, server: Served, tmp_path: Path) -> None:
    pairs = []
    for number in range(4):
        made = server.new()
        people = [server.sit(made["id"], made["keys"][seat], seat) for seat in ("red", "blue")]
        pairs.append((made, people, Random(number)))
    threads = [threading.Thread(target=play, args=(people, random, 40)) for _, people, random in pairs]
    for thread in threads:
        thread.start()
    confirmed = {made["id"]: len(server.hall.storage.entries(made["id"])) for made, _, _ in pairs}
    file = tmp_path / "backup.sqlite"
    done = command("backup", file, "--database", tmp_path / "games.sqlite")
    assert (done.status, done.out) == (0, f"4 games are in {file}.\n")
    for thread in threads:
        thread.join()
    assert "is there already" in command("backup", file, "--database", tmp_path / "games.sqlite").err
    restored = tmp_path / "restored.sqlite"
    done = command("restore", file, "--database", restored)
    assert (done.status, done.out) == (0, "4 games are restored; 0 were there already.\n")
    assert command("restore", file, "--database", restored).out == "0 games are restored; 4 were there already.\n"
    storage = Storage(str(restored))
    for name, least in confirmed.items():
        assert len(storage.entries(name)) >= least
    storage.close()
    # And it plays on.
    with serving(restored, GENEROUS) as again:
        made, _, random = pairs[0]
        people = [again.sit(made["id"], made["keys"][seat], seat) for seat in ("red", "blue")]
        assert play(people, random, 5) == 5
    assert command("restore", tmp_path / "none", "--database", restored).status == 2
    (tmp_path / "odd").write_text("no database")
    assert "cannot be read as a backup" in command("restore", tmp_path / "odd", "--database", restored).err
