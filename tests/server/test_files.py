"""The past of a game, games as files, and dice that were sealed before it began."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from typer.testing import CliRunner

from sandtable.cli import build
from sandtable.engine import data
from sandtable.server import history
from sandtable.testing.situations import Situation
from tests.server.table import Person, Served, play


@pytest.fixture(scope="module")
def finished(served: Served) -> dict[str, Any]:
    """A game that has been fought to its end."""
    made = served.new("hof", "patrol", title="  The   farm ")
    people = [served.sit(made["id"], made["keys"][seat]) for seat in ("red", "blue")]
    play(people, Random(11))
    return {**made, "people": people}


def test_the_record_goes_out_when_the_game_is_over(served: Served, finished: dict[str, Any], tmp_path: Path) -> None:
    answer = served.get(f"{finished['id']}/game")
    assert answer.status_code == 200
    assert "attachment" in answer.headers["content-disposition"]
    saved = tmp_path / "farm.game"
    saved.write_bytes(answer.content)
    # Every die is checked against what was committed to before the game.
    done = CliRunner().invoke(build(), ["replay", str(saved), "--verify"])
    assert done.exit_code == 0, done.output
    assert finished["dice"]["commitment"] in done.output
    told = json.loads(CliRunner().invoke(build(), ["replay", str(saved), "--verify", "--json"]).output)
    assert told["dice"] == {"source": "sealed", "checked": True}
    # A secret that does not fit is told.
    first, rest = answer.text.split("\n", 1)
    header = json.loads(first)
    header["dice"]["secret"] = "00" * 32
    saved.write_text(json.dumps(header) + "\n" + rest)
    from sandtable.engine.record import SaveError

    failed = CliRunner().invoke(build(), ["replay", str(saved), "--verify"])
    assert isinstance(failed.exception, SaveError)


def test_a_record_comes_in_again(served: Served, finished: dict[str, Any]) -> None:
    text = served.get(f"{finished['id']}/game").content
    answer = served.http.post("/api/games/import", content=text)
    assert answer.status_code == 201, answer.text
    made = answer.json()
    again = served.get(made["id"]).json()
    assert again["state"] == "finished"
    assert again["result"] == served.get(finished["id"]).json()["result"]
    one = served.sit(made["id"], made["keys"]["red"])
    red: Person = finished["people"][0]
    assert one.log == red.log


def test_a_game_under_way_goes_on_elsewhere(served: Served) -> None:
    made = served.new("tr14", "patrol", seats={"red": "me", "blue": "me"})
    key = made["keys"]["red"]
    one = served.sit(made["id"], key)
    for _ in range(30):
        if one.question is None:
            one.do(t="sit", seat=one.state["asked"]["seat"])
            one.log = []
            one.until(lambda: one.question is not None)
        assert one.question is not None
        one.answer(one.question["candidates"][0])
    assert served.get(f"{made['id']}/game").status_code == 403
    answer = served.get(f"{made['id']}/game", key)
    assert answer.status_code == 200
    # The secret of the dice stays here as long as the game goes on.
    assert "secret" not in json.loads(answer.text.split("\n", 1)[0])["dice"]
    other = served.http.post("/api/games/import", content=answer.content).json()
    there = served.sit(other["id"], other["keys"]["red"])
    assert there.state["asked"] is not None
    # It begins again as the table was at its last keyframe.
    taken_up = re.search(r"dice were still sealed: .* goes on from answer (\d+)\.", str(there.state["notes"]))
    assert taken_up is not None
    then = served.get(f"{made['id']}/moments/{taken_up[1]}", key).json()
    assert there.state["scene"]["pieces"] == then["scene"]["pieces"] != []
    assert there.state["turn"] == then["turn"]


def test_nonsense_does_not_come_in(served: Served, finished: dict[str, Any]) -> None:
    text = served.get(f"{finished['id']}/game").text
    header, setup, rest = text.split("\n", 2)
    strange = json.loads(setup)
    strange["setup"]["table"]["width"] = 1e9
    for wrong in (
        b"",
        b"\xff\xfe",
        b"{}",
        header.encode(),
        header.replace("hof", "go").encode(),
        f"{header}\n{json.dumps(strange)}\n{rest}".encode(),
        f"{header}\n{setup}\n{rest}"[:-200].rsplit("\n", 1)[0].encode(),
        b"[" * 100_000,
    ):
        answer = served.http.post("/api/games/import", content=wrong)
        assert answer.status_code == 400, answer.text
        assert answer.json()["error"]["message"]


def test_a_set_up_that_cannot_be_does_not_come_in(served: Served, finished: dict[str, Any]) -> None:
    header, setup, rest = served.get(f"{finished['id']}/game").text.split("\n", 2)
    line = json.loads(setup)
    unit, platoon = next(iter(line["setup"]["units"].items()))
    team = next(iter(platoon["teams"]))
    platoon["teams"][team]["at"] = [-9.0, 4.0]
    line["setup"]["phase"] = "deploy"
    # A file of the first version has no last line that would give it away.
    old, others = header.replace('"version":2', '"version":1'), rest.rstrip("\n").rsplit("\n", 1)[0]
    answer = served.http.post("/api/games/import", content=f"{old}\n{json.dumps(line)}\n{others}")
    assert answer.status_code == 400
    assert f"units.{unit}.teams.{team}.at: {team} is off the table" in answer.json()["error"]["message"]


def test_beats_tell_the_game_in_steps(served: Served, finished: dict[str, Any]) -> None:
    beats = served.get(f"{finished['id']}/beats", seat="red").json()
    number = finished["people"][0].state["number"]
    ends = [beat["to"] for beat in beats]
    assert ends == sorted(set(ends))
    assert ends[-1] <= number
    assert all(beat["words"] and beat["turn"] >= 1 for beat in beats)
    assert len(served.get(f"{finished['id']}/beats", seat="*").json()) >= len(beats)


def test_a_moment_is_as_it_was(served: Served, finished: dict[str, Any]) -> None:
    red: Person = finished["people"][0]
    last = red.state["number"]
    now = served.get(f"{finished['id']}/moments/{last}", seat="red").json()
    assert now["events"] == red.log
    assert now["result"] == red.state["result"]
    assert now["scene"]["pieces"] == red.state["scene"]["pieces"]
    assert now["scene"]["features"] == red.state["scene"]["features"]
    early = served.get(f"{finished['id']}/moments/12", seat="blue").json()
    assert early["number"] == 12
    assert all(event["after"] <= 12 for event in early["events"])
    everything = served.get(f"{finished['id']}/moments/12", seat="*").json()
    ids = {piece["id"] for piece in everything["scene"]["pieces"]}
    assert {piece["id"] for piece in early["scene"]["pieces"]} <= ids
    assert served.get(f"{finished['id']}/moments/{last + 1}").status_code == 404
    assert served.get(f"{finished['id']}/moments/3", seat="green").status_code == 400


def test_the_past_shares_nothing_with_the_game_that_goes_on(served: Served) -> None:
    """It is played in another thread, and rulesets keep notes on the table that a game was prepared for."""
    # A battle that is surely longer than what lies between two keyframes.
    made = served.new("hof", "city-block")
    room = served.hall.rooms[made["id"]]
    people = [served.sit(made["id"], made["keys"][seat]) for seat in ("red", "blue")]
    while len(room.game.keyframes) < 2:
        assert play(people, Random(11), 50) == 50
    number = room.game.keyframes[-1].entries
    assert number > 0
    copy = history.at(history.past(room, number))
    assert copy.prepared is not room.game.prepared
    assert copy.state is not room.game.state


def test_while_a_game_lasts_a_moment_shows_ones_own_seat(served: Served) -> None:
    made = served.new("hof", "patrol")
    people = [served.sit(made["id"], made["keys"][seat]) for seat in ("red", "blue")]
    play(people, Random(5), 60)
    number = people[0].state["number"]
    assert served.get(f"{made['id']}/moments/{number}", seat="red").status_code == 403
    assert served.get(f"{made['id']}/moments/{number}", made["keys"]["blue"], seat="red").status_code == 403
    assert served.get(f"{made['id']}/moments/{number}", made["keys"]["blue"], seat="*").status_code == 403
    assert served.get(f"{made['id']}/beats", "no-such-key").status_code == 403
    blue = served.get(f"{made['id']}/moments/{number}", made["keys"]["blue"]).json()
    assert blue["seat"] == "blue"
    assert blue["events"] == people[1].log
    watcher = served.get(f"{made['id']}/moments/{number}").json()
    assert watcher["seat"] is None


@pytest.mark.parametrize(("ruleset", "scenario"), [("hof", "patrol"), ("tr14", "patrol")])
def test_a_moment_as_a_situation(served: Served, ruleset: str, scenario: str, tmp_path: Path) -> None:
    made = served.new(ruleset, scenario)
    people = [served.sit(made["id"], made["keys"][seat]) for seat in ("red", "blue")]
    play(people, Random(6), 90)
    number = people[0].state["number"]
    for key, seat in ((made["keys"]["red"], "red"), (None, None)):
        answer = served.get(f"{made['id']}/moments/{number}/situation.toml", key, **({"seat": seat} if seat else {}))
        assert answer.status_code == 200, answer.text
        situation = data.parse(answer.text, Situation, "moment")
        assert situation.ruleset == ruleset
        path = tmp_path / f"{seat}.toml"
        path.write_text(answer.text)
        tried = CliRunner().invoke(build(), ["try", str(path)])
        assert tried.exit_code == 0, tried.output
    # Before anybody has shown himself too much is hidden.
    early = served.get(f"{made['id']}/moments/2/situation.toml", made["keys"]["red"])
    assert early.status_code == (409 if ruleset == "hof" else 200)
