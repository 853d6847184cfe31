"""People come and go: who is present, who plays for one who is away, keys that are renewed, games that are put away."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
import sqlalchemy as sa

from sandtable.server import hall as halls
from sandtable.server.limits import Limits
from sandtable.server.storage import GAMES, Storage
from tests.server.table import Served, serving


def test_who_plays_without_a_socket_is_present_when_he_acts(served: Served) -> None:
    made = served.new()
    blue = served.sit(made["id"], made["keys"]["blue"], "blue")
    assert blue.state["present"] == {"red": False, "blue": True}
    question = served.get(f"{made['id']}").json()["asked"]
    assert question == "red"
    red = served.sit(made["id"], made["keys"]["red"], "red")
    assert red.question is not None
    answer = red.question["candidates"][0]
    red.leave()
    blue.until(lambda: not blue.state["present"]["red"])
    assert (
        served.post(f"{made['id']}/answers", made["keys"]["red"], seat="red", number=0, answer=answer).status_code
        == 200
    )
    blue.until(lambda: blue.state["present"]["red"])
    # And nobody takes his seat while he is there.
    refused = served.post(f"{made['id']}/seats", made["keys"]["blue"], seat="red", holder="substitute")
    assert refused.status_code == 409
    blue.leave()


def test_for_one_who_is_away_the_bot_plays_that_was_agreed_on(tmp_path: Path) -> None:
    with serving(tmp_path / "games.sqlite", Limits(absent_seconds=0.0)) as served:
        made = served.new(substitute="bot:random")
        blue = made["keys"]["blue"]
        refused = served.post(f"{made['id']}/seats", blue, seat="red", holder="bot:greedy")
        assert refused.status_code == 409
        assert refused.json()["error"]["legal"] == "Say bot:random."
        assert served.post(f"{made['id']}/seats", blue, seat="red", holder="substitute").status_code == 200
        assert served.get(made["id"]).json()["seats"]["red"] == "bot:random"
        # One's own seat may be given to any.
        mine = served.new()
        assert (
            served.post(f"{mine['id']}/seats", mine["keys"]["red"], seat="red", holder="bot:random").status_code == 200
        )
        unknown = served.http.post(
            "/api/games",
            json={
                "ruleset": "tr14",
                "scenario": "patrol",
                "seats": {"red": "me", "blue": "link"},
                "substitute": "bot:x",
            },
        )
        assert unknown.status_code == 400


def test_a_key_is_renewed_by_its_owner(served: Served) -> None:
    made = served.new()
    red, blue = made["keys"]["red"], made["keys"]["blue"]
    person = served.sit(made["id"], red, "red")
    # The link that nobody has used yet may be renewed by whoever sits at the table,
    answer = served.post(f"{made['id']}/keys", red, seat="blue")
    assert answer.status_code == 200, answer.text
    new = answer.json()["keys"]["blue"]
    assert served.post(f"{made['id']}/join", blue).status_code == 403
    assert served.post(f"{made['id']}/join", new, name="Bea").status_code == 200
    # but not when somebody has come.
    assert served.post(f"{made['id']}/keys", red, seat="blue").status_code == 403
    assert served.post(f"{made['id']}/keys", None, seat="red").status_code == 403
    # Who renews his own is sent away with the old one, and comes back with the new one.
    mine = served.post(f"{made['id']}/keys", red, seat="red").json()["keys"]["red"]
    assert person.closed_with() == 1012
    assert served.get(f"{made['id']}/beats", red).status_code == 403
    served.sit(made["id"], mine, "red").leave()


def test_whoever_plays_has_come_for_his_seat(served: Served) -> None:
    """By a socket or by answers alone, without a word to `join`: nobody else may have his key changed."""
    for by_socket in (True, False):
        made = served.new()
        red, blue = made["keys"]["red"], made["keys"]["blue"]
        assert served.get(made["id"]).json()["seats"]["blue"] == "open"
        if by_socket:
            served.sit(made["id"], blue, "blue").leave()
        else:
            assert served.post(f"{made['id']}/undo", blue, seat="blue").status_code == 409
        assert served.post(f"{made['id']}/keys", red, seat="blue").status_code == 403
        if by_socket:
            assert served.get(made["id"]).json()["seats"]["blue"] == "person"


def test_one_key_of_two_seats_stays_one(served: Served) -> None:
    made = served.new(seats={"red": "me", "blue": "me"})
    keys = served.post(f"{made['id']}/keys", made["keys"]["red"], seat="red").json()["keys"]
    assert keys["red"] == keys["blue"] != made["keys"]["red"]


def age(database: Path, game: str, seconds: float) -> None:
    engine = sa.create_engine(f"sqlite:///{database}")
    with engine.begin() as connection:
        connection.execute(GAMES.update().where(GAMES.c.id == game).values(updated=time.time() - seconds))
    engine.dispose()


def test_an_abandoned_game_is_put_away_and_opens_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(halls, "TIDY", 0.1)
    database = tmp_path / "games.sqlite"
    with serving(database, Limits(archive_after=100.0)) as served:
        left, kept = served.new(title="Left"), served.new(title="Kept")
        age(database, left["id"], 200.0)
        ends = time.monotonic() + 20
        while left["id"] in {card["id"] for card in served.http.get("/api/games").json()}:
            assert time.monotonic() < ends
            time.sleep(0.05)
        assert [card["id"] for card in served.http.get("/api/games").json()] == [kept["id"]]
        # Its player comes back.
        red = served.sit(left["id"], left["keys"]["red"], "red")
        assert red.question is not None
        red.answer(red.question["candidates"][0])
        assert served.get(left["id"]).json()["state"] == "running"
        red.leave()


def test_too_many_games_lock_nobody_out(tmp_path: Path) -> None:
    database = tmp_path / "games.sqlite"
    with serving(database, Limits(games_running=3)) as served:
        games = [served.new()["id"] for _ in range(3)]
        # All of them were played just now: then there is no room.
        body = {"ruleset": "tr14", "scenario": "patrol", "seats": {"red": "me", "blue": "link"}}
        assert served.http.post("/api/games", json=body).status_code == 429
        age(database, games[1], 7200.0)
        assert served.new()["id"]
        assert served.get(games[1]).json()["state"] == "archived"
    storage = Storage(str(database))
    assert storage.count_by_state() == {"archived": 1, "running": 3}
    storage.close()
