"""`sandtable force`: begin, check, show and compare forces, and everything that a person can get wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sandtable.engine import data
from sandtable.rulesets import folder
from sandtable.rulesets.hof.forces import forces, scenarios

from .conftest import Command

PAIR = ("us-tank-company", "german-panzer-company")
GIVEN = ("--rank-red", "1,2,3,4,5", "--rank-blue", "1,2,3,4,5", "--verdicts", "red,red,blue,blue,doubt")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


# new


def test_a_force_begun_like_another_is_a_sound_one_with_its_own_title(command: Command, here: Path) -> None:
    done = command("force", "new", "my-rifles", "--nation", "us", "--like", "us-rifle-company")
    assert (done.status, done.err) == (0, "")
    mine, model = forces.FORCES.load(here / "my-rifles.toml"), forces.FORCES.load("us-rifle-company")
    assert (mine.title, list(mine.units)) == ("My Rifles", list(model.units))
    text = (here / "my-rifles.toml").read_text(encoding="utf-8")
    assert "# One table a Unit" in text
    assert "#   us-m4-sherman: M4 Sherman" in text
    assert "german" not in text.partition("# Profiles:")[2]


@pytest.mark.parametrize("nation", ["us", "german", "british", "soviet"])
def test_a_force_begun_from_nothing_is_sound(command: Command, here: Path, nation: str) -> None:
    done = command("force", "new", "first.toml", "--nation", nation, "--json")
    assert json.loads(done.out) == {"file": "first.toml", "title": "First"}
    assert forces.FORCES.load(here / "first.toml").nation == nation


def test_a_title_may_have_any_signs(command: Command, here: Path) -> None:
    assert command("force", "new", 'odd"name\\', "--nation", "us").status == 0
    assert forces.FORCES.load(here / 'odd"name\\.toml').title == 'Odd"Name\\'


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("new", "a"), "--nation"),
        (("new", "a", "--nation", "french"), "there is no nation 'french'; known: us, german, british, soviet"),
        (("new", "a", "--like", "us-rifle"), "there is no force 'us-rifle'; known: "),
        (("new", "a", "--like", "us-patrol", "--nation", "german"), "a force of the nation 'us'"),
        (("new", "there", "--nation", "us"), "there.toml is there already"),
        (("new", "no/where", "--nation", "us"), "no/where.toml: No such file"),
        (("show", "nobody"), "there is no force 'nobody'"),
        (("show", "nobody.toml"), "nobody.toml: there is no such file"),
        (("parity", *PAIR, "--attacker", "green"), "'green' is no side"),
        (("parity", *PAIR, "--auto", "--rank-red", "1,2,x"), "give a rank for each Unit"),
        (("parity", *PAIR, "--auto", "--rank-red", "1,2,3"), "from 1 to 5 once"),
        (("parity", *PAIR, "--auto", "--verdicts", "red,blue"), "5 pairings and 2 verdicts"),
        (("parity", *PAIR, "--auto", "--verdicts", "green"), "'green' is no side"),
        (("parity", *PAIR, "--auto", "--trim", "red"), "write SIDE:UNIT"),
        (("parity", *PAIR, "--auto", "--trim", "blue:panzers-1:german-panzer-iv-h=x"), "write SIDE:UNIT"),
        (("parity", *PAIR, "--auto", "--trim", "blue:horse"), "blue has no Unit 'horse'"),
        (("parity", *PAIR, "--auto", "--trim", "red:recon"), "hof.forces-parity.trim"),
        (("parity", *PAIR), "the input has ended"),
    ],
)
def test_wrong_use_is_one_sentence_and_two(command: Command, here: Path, words: tuple[str, ...], sentence: str) -> None:
    (here / "there.toml").write_text("", encoding="utf-8")
    done = command("force", *words)
    assert done.status == 2
    assert sentence in done.err
    assert done.out == ""


# check


def test_check_names_file_and_line_and_notes_do_not_fail(command: Command, here: Path) -> None:
    command("force", "new", "good", "--like", "british-tank-company")
    good = command("force", "check", "good.toml")
    assert good.status == 0
    assert good.out.startswith("good.toml:")
    assert "hof.forces-parity.vehicle-platoon) [note]" in good.out
    text = (here / "good.toml").read_text(encoding="utf-8").replace("british-piat = 1", "british-piatt = 1")
    (here / "bad.toml").write_text(text, encoding="utf-8")
    line = next(number for number, words in enumerate(text.splitlines(), 1) if "british-piatt" in words)
    bad = command("force", "check", "bad.toml", "good.toml")
    assert bad.status == 1
    assert f"bad.toml:{line}: units.motor.teams.british-piatt: unknown profile" in bad.out
    told = json.loads(command("force", "check", "bad.toml", "good.toml", "--json").out)
    assert told["files"] == 2
    assert [(one["file"], one["line"]) for one in told["problems"]] == [("bad.toml", line)]
    assert {one["file"] for one in told["notes"]} == {"good.toml"}


def test_check_takes_forces_of_any_ruleset_and_nothing_else(command: Command, here: Path) -> None:
    others = folder("tr14") / "forces" / "us-patrol.toml"
    assert command("force", "check", others).status == 0
    scenario = folder("hof") / "scenarios" / "patrol.toml"
    wrong = command("force", "check", scenario, "nowhere.toml")
    assert wrong.status == 1
    assert f"{scenario}:1: format: this is no force" in wrong.out
    assert "nowhere.toml: there is no such file" in wrong.out


# show


def test_show_gives_units_teams_and_break_limit(command: Command) -> None:
    done = command("force", "show", "soviet-assault-group")
    for words in (
        "Assault Platoon × 2",
        "6 × SMG",
        "4 × SMG (engineer)",
        "Company Commander",
        "Break Limit 19",
        "Riders",
    ):
        assert words in done.out
    told = json.loads(command("force", "show", "us-rifle-company", "--json").out)
    assert (told["unit_count"], told["break_limit"], told["nation"]) == (7, 19, "us")
    assert told["units"]["rifles"]["count"] == 3
    assert "hof.forces-parity.us-rifle-company" in told["rules"]


def test_show_without_a_name_lists_the_forces(command: Command) -> None:
    done = command("force", "show")
    assert len(done.out.splitlines()) == len(forces.FORCES.names())
    assert list(json.loads(command("force", "show", "--json").out)["forces"]) == forces.FORCES.names()


@pytest.mark.parametrize("name", forces.FORCES.names())
def test_every_force_can_be_shown(command: Command, name: str) -> None:
    assert command("force", "show", name).status == 0


# Other games.


@pytest.mark.parametrize("nation", ["us", "german"])
def test_a_force_of_another_game_is_begun_checked_and_shown(command: Command, here: Path, nation: str) -> None:
    assert command("force", "new", "ours", "--ruleset", "tr14", "--nation", nation).status == 0
    checked = command("force", "check", "ours.toml")
    assert (checked.status, checked.out) == (0, "")
    # The file says itself which game it is for.
    shown = command("force", "show", "ours.toml")
    for words in ("Ours", "Rifle Platoon 2", "6 × Rifle", "Company Commander (SMG)", "2 Units"):
        assert words in shown.out
    told = json.loads(command("force", "show", "us-patrol", "--ruleset", "tr14", "--json").out)
    assert told["units"]["rifles"]["teams"] == {"rifle": 3, "bazooka": 1}


def test_a_force_of_another_game_may_be_like_one_of_its_own(command: Command, here: Path) -> None:
    assert command("force", "new", "mine", "--ruleset", "tr14", "--like", "us-patrol").status == 0
    assert "#   m4-sherman: " in (here / "mine.toml").read_text(encoding="utf-8")
    assert command("force", "check", "mine.toml").status == 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("show", "--ruleset", "chess"), "there is no ruleset 'chess'"),
        (("show", "soviet-assault-group", "--ruleset", "tr14"), "there is no force 'soviet-assault-group'"),
        (("new", "a", "--ruleset", "tr14", "--nation", "soviet"), "there is no nation 'soviet'; known: us, german"),
        (("parity", "us-patrol", "us-patrol", "--ruleset", "tr14"), "the game tr14 has no procedure"),
        (("parity", "us-rifle-company", "ours.toml"), "forces of different games: hof, tr14"),
        (("show", "notes.toml"), "notes.toml is no force"),
    ],
)
def test_forces_of_the_wrong_game_are_refused(
    command: Command, here: Path, words: tuple[str, ...], sentence: str
) -> None:
    command("force", "new", "ours", "--ruleset", "tr14", "--nation", "us")
    (here / "notes.toml").write_text('format = "sandtable.notes"\n', encoding="utf-8")
    done = command("force", *words)
    assert done.status == 2
    assert sentence in done.err


# parity


@pytest.mark.rule("hof.forces-parity.handicap", "hof.forces-parity.score-pair")
def test_parity_from_rankings_and_verdicts(command: Command) -> None:
    done = command("force", "parity", *PAIR, "--attacker", "red", *GIVEN, "--json")
    assert (done.status, done.err) == (0, "")
    told = json.loads(done.out)
    assert told["totals"] == {"red": 2, "blue": 3}
    assert told["handicap"] == {"red": 0, "blue": 2}
    assert told["stronger"] == "blue"
    assert [pair["verdict"] for pair in told["pairings"]] == ["red", "red", "blue", "blue", "doubt"]
    plain = command("force", "parity", *PAIR, "--attacker", "red", *GIVEN).out
    assert plain.splitlines()[-1] == "2 to 3: blue's Break Limit falls by 2.  (hof.forces-parity.handicap)"


@pytest.mark.rule("hof.forces-parity.trim")
def test_parity_with_something_left_at_home(command: Command) -> None:
    before = json.loads(command("force", "parity", *PAIR, "--auto", "--json").out)
    assert before["stronger"] == "blue"
    after = json.loads(command("force", "parity", *PAIR, "--auto", "--json", "--trim", "blue:artillery").out)
    assert after["handicap"]["blue"] < before["handicap"]["blue"]
    assert after["trims"] == [{"side": "blue", "unit": "artillery"}]
    verdicts = ("--verdicts", "red,blue,blue,blue")
    given = command("force", "parity", *PAIR, "--auto", *verdicts, "--trim", "blue:recon", "--json")
    assert len(json.loads(given.out)["pairings"]) == 4


@pytest.mark.rule("hof.battle.roles")
def test_without_a_word_the_side_with_more_vehicles_attacks(command: Command) -> None:
    told = json.loads(command("force", "parity", "german-grenadier-company", "us-tank-company", "--auto", "--json").out)
    assert told["attacker"] == "blue"


@pytest.mark.rule("hof.forces-parity.rank", "hof.forces-parity.trim")
def test_parity_asks_for_what_it_was_not_told(command: Command) -> None:
    typed = ["1 2 3", "1 2 3 4 5", "5 4 3 2 1", "green", "red", "red", "red", "?", "doubt", "horse", ""]
    done = command("force", "parity", *PAIR, "--attacker", "blue", "--json", typed="\n".join(typed) + "\n")
    assert done.status == 0
    assert "Not so: rank 5 Units" in done.err
    assert "Not so: 'green' is no side" in done.err
    assert "Not so: red has no Unit 'horse'" in done.err
    told = json.loads(done.out)
    assert told["pairings"][0]["red"] == "tanks-1"
    assert told["pairings"][0]["blue"] == "artillery"
    assert told["stronger"] == "red"


@pytest.mark.rule("hof.forces-parity.trim")
def test_parity_asks_each_pair_once_when_something_is_left_at_home(command: Command) -> None:
    # The weakest of red stays at home: four pairs stand as before, and nobody is asked again.
    typed = ["1 2 3 4 5", "1 2 3 4 5", *["red"] * 5, "artillery", ""]
    done = command("force", "parity", *PAIR, "--json", typed="\n".join(typed) + "\n")
    told = json.loads(done.out)
    assert len(told["pairings"]) == 4
    assert told["trims"] == [{"side": "red", "unit": "artillery"}]


def test_bytes_that_are_no_text_are_no_answer(command: Command) -> None:
    done = command("force", "parity", *PAIR, typed=b"\xff\xfe\n")
    assert done.status == 2


def test_our_own_forces_and_scenarios_are_free_of_mistakes() -> None:
    home = folder("hof")
    for path in (home / "forces").glob("*.toml"):
        assert data.problems(path, forces.Force) == []
    for path in (home / "scenarios").glob("*.toml"):
        assert data.problems(path, scenarios.Scenario) == []
