"""A ruleset outside the package is served like any other: the server and the processes of its bots know it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import httpx
import pytest

from sandtable.testing.traffic import ended, free_port, started
from tests.server.table import Person, play

SKIRMISH = Path(__file__).parent.parent.parent / "docs" / "examples" / "skirmish.py"


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    found = free_port()
    database = tmp_path_factory.mktemp("outside") / "games.sqlite"
    process = started(found, database, "--workers", "1", "--ruleset-file", str(SKIRMISH))
    yield found
    ended(process)


@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_skirmish_is_played_to_its_end_against_a_bot(port: int, bot: str) -> None:
    http = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60.0)
    assert "skirmish" in [card["name"] for card in http.get("/api/rulesets").json()]
    wanted = {"ruleset": "skirmish", "scenario": "farm", "seats": {"red": "me", "blue": f"bot:{bot}"}}
    made = http.post("/api/games", json=wanted).json()
    red = Person(port, made["id"], made["keys"]["red"], None)
    first = red.question
    assert first is not None
    assert first["topic"] == "squad"
    # What stands beside the picture,
    assert [fact["name"] for fact in red.state["status"]] == ["Round", "Points", "Points"]
    assert [card["id"] for card in red.state["roster"]] == ["red-1", "red-2", "blue-1", "blue-2"]
    # and a whole squad dropped at the objective, which goes there as far as it may.
    assert red.answer("red-1")["t"] == "reply"
    names = ["red-1-rifle-1", "red-1-rifle-2", "red-1-rifle-3"]
    planned = red.do(t="plan", number=red.state["number"], pieces=names, to=[18, 15], lead=names[1])
    assert "refusal" not in planned, planned
    assert {piece["id"] for piece in planned["pieces"]} == set(names)
    assert red.answer(planned["answer"])["t"] == "reply"
    play([red], Random(1))
    assert red.state["result"]["rule"] in ("skirmish.end.rounds", "skirmish.end.wiped-out")
    assert {"move", "fire", "objective"} <= {event["kind"] for event in red.log}
    red.leave()
