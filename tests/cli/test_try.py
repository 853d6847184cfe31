"""`sandtable try`: situations, those that hold and those that do not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Command

SITUATION = """\
format = "sandtable.situation"
name = "A platoon walks north"
ruleset = "tr14"
rules = ["tr14.playing.action-move"]

[setup]
table = { width = 48, depth = 48 }
phase = "activate"

[setup.units.foot]
side = "red"
training = "veteran"
[setup.units.foot.teams]
f-pl = { profile = "rifle", role = "pl", at = [10, 12] }
f-1 = { profile = "rifle", at = [10, 10] }

[setup.units.theirs]
side = "blue"
training = "veteran"
[setup.units.theirs.teams]
x-pl = { profile = "rifle", role = "pl", at = [40, 46] }

[[step]]
answer = "foot"
dice = [1]

[[step]]
answer = "move"

[[step]]
answer = { f-1 = { to = [10, 14] } }
[step.expect]
state.units.foot.teams.f-1.at = [10, 14]
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "walk.toml"
    path.write_text(SITUATION, encoding="utf-8")
    return path


def line_of(text: str, part: str) -> int:
    return next(number for number, line in enumerate(text.splitlines(), 1) if part in line)


def test_a_situation_that_holds(command: Command, file: Path) -> None:
    done = command("try", file)
    assert (done.status, done.out, done.err) == (0, "1 passed, 0 failed\n", "")
    assert "ok   A platoon walks north" in command("try", file, "--verbose").out


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("at = [10, 14]\n", "at = [10, 15]\n", "expected [10, 15], found [10.0, 14.0]"),
        ("to = [10, 14]", "to = [10, 44]", "refused: "),
        ('answer = "foot"', 'answer = "horse"', "'horse' is not one of the choices"),
        ("dice = [1]", "dice = []", "the rules call for 1 d6 here"),
        ("dice = [1]", "dice = [1, 2]", "dice left over that nothing called for: [2]"),
        ("width = 48", "witdh = 48", "witdh"),
        ('training = "veteran"\n[setup.units.theirs', 'training = "heroic"\n[setup.units.theirs', "heroic"),
        ('ruleset = "tr14"', 'ruleset = "chess"', "there is no ruleset 'chess'"),
        ('ruleset = "tr14"', "ruleset = tr14", "not valid TOML"),
        ("[10, 10]", "[10, 10", "not valid TOML"),
    ],
)
def test_a_mistake_is_told_by_its_line(command: Command, file: Path, old: str, new: str, says: str) -> None:
    assert SITUATION.count(old) == 1
    text = SITUATION.replace(old, new)
    file.write_text(text, encoding="utf-8")
    done = command("try", file)
    assert (done.status, done.err) == (1, "")
    assert says in done.out
    assert f"{file}:{line_of(text, new.splitlines()[0])}" in done.out
    assert done.out.endswith("0 passed, 1 failed\n")


def test_a_situation_that_must_fail_passes_only_by_failing(command: Command, file: Path) -> None:
    head = 'must_fail = true\nfails_with = "expected"\n'
    wrong = SITUATION.replace("at = [10, 14]\n", "at = [10, 15]\n")
    file.write_text(head + wrong, encoding="utf-8")
    assert command("try", file).status == 0
    file.write_text(head + SITUATION, encoding="utf-8")
    done = command("try", file)
    assert done.status == 1
    assert "it was to fail, but everything in it held" in done.out


def test_a_folder_is_tried_file_by_file_and_told_as_json(command: Command, file: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(SITUATION.replace("[10, 14]\n", "[10, 15]\n"), encoding="utf-8")
    done = command("try", tmp_path, "--json")
    assert done.status == 1
    told = json.loads(done.out)
    assert (told["passed"], told["failed"]) == (1, 1)
    assert [(each["file"], each["ok"]) for each in told["results"]] == [(str(file), True), (str(wrong), False)]
    assert set(told["results"][1]) == {"file", "name", "ok", "problem"}
    assert told["results"][0]["problem"] is None


def test_nothing_to_try_is_a_failure(command: Command, tmp_path: Path) -> None:
    assert command("try", tmp_path).status == 1
    done = command("try", tmp_path / "none.toml")
    assert (done.status, done.out) == (2, "")
    assert done.err == f"{tmp_path / 'none.toml'}: there is no such file or folder\n"


def test_what_is_no_text_is_a_failure_with_a_name(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "picture.toml"
    path.write_bytes(b"\xff\xd8\xff")
    done = command("try", path)
    assert done.status == 1
    assert f"{path}: this is not a text file in UTF-8" in done.out


def test_all_of_our_own_situations_hold(command: Command) -> None:
    done = command("try", "--json")
    told = json.loads(done.out)
    assert [each for each in told["results"] if not each["ok"]] == []
    assert told["passed"] > 300
