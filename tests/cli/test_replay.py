"""`sandtable replay`: a saved game again, as text, as a picture, or as a verdict."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from sandtable import rulesets
from sandtable.engine import record
from sandtable.engine.dice import SealedDice
from sandtable.engine.game import Game
from sandtable.testing import play_random

from .conftest import Command

RULES = rulesets.load("tr14")
SECRET = b"the miller's daughter"


@cache
def battle(sealed: bool = False) -> Game[Any]:
    return play_random(RULES, RULES.scenario("patrol"), 6, dice=SealedDice(SECRET) if sealed else None)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "battle.game"
    record.save(battle(), path)
    return path


def test_a_saved_battle_is_told_again(command: Command, file: Path) -> None:
    done = command("replay", file)
    assert (done.status, done.err) == (0, "")
    assert f"{len(battle().record)} answers replayed as recorded. State {battle().hash()}." in done.out
    told = done.out.splitlines()
    assert len(told) >= len(battle().events)
    assert any("tr14.playing.initiative-roll" in line for line in told)


def test_verify_gives_only_the_verdict(command: Command, file: Path) -> None:
    done = command("replay", file, "--verify")
    assert done.out == f"{len(battle().record)} answers replayed as recorded. State {battle().hash()}.\n"


def test_a_replay_stops_where_it_is_told_and_says_what_is_asked(command: Command, file: Path) -> None:
    done = command("replay", file, "--to", 3, "--verify")
    assert done.status == 0
    assert done.out.startswith(f"After 3 of {len(battle().record)} answers: ")
    assert "Deploy" in done.out.splitlines()[0]
    assert command("replay", file, "--to", -1).status == 2


def test_as_json(command: Command, file: Path) -> None:
    whole = json.loads(command("replay", file, "--json").out)
    count = len(battle().record)
    assert whole == {
        "ruleset": "tr14",
        "answers": count,
        "of": count,
        "hash": battle().hash(),
        "differs": [],
        "damage": "",
        "finished": True,
        "dice": {"source": "seeded", "checked": False},
    }
    part = json.loads(command("replay", file, "--json", "--to", 10).out)
    assert (part["answers"], part["of"], part["finished"]) == (10, count, True)
    assert part["hash"] != whole["hash"]


@pytest.mark.parametrize("words", [(), ("--to", 40), ("--to", 0), ("--dark",)])
def test_the_table_is_drawn(command: Command, file: Path, tmp_path: Path, words: tuple[object, ...]) -> None:
    picture = tmp_path / "table.svg"
    assert command("replay", file, "--verify", "--svg", picture, *words).status == 0
    root = ElementTree.parse(picture).getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert len(list(root.iter())) > 20


# What was tampered with shows.


def change_answer(lines: list[dict[str, Any]]) -> None:
    answers = [line["answer"] for line in lines if "answer" in line and line["answer"]["topic"] == "action"]
    other = next(each["answer"] for each in answers if each["answer"] != answers[0]["answer"])
    answers[0]["answer"] = other


def change_seed(lines: list[dict[str, Any]]) -> None:
    lines[0]["dice"]["seed"] += 1


def drop_an_answer(lines: list[dict[str, Any]]) -> None:
    lines.remove([line for line in lines if "answer" in line][20])


def change_the_result(lines: list[dict[str, Any]]) -> None:
    result = lines[-1]["end"]["result"]
    result["winner"] = "red" if result.get("winner") == "blue" else "blue"


def change_the_hash(lines: list[dict[str, Any]]) -> None:
    lines[-1]["end"]["hash"] = "0" * 32


@pytest.mark.parametrize("tamper", [change_answer, change_seed, drop_an_answer, change_the_result, change_the_hash])
def test_a_tampered_file_is_found_out(
    command: Command, file: Path, tamper: Callable[[list[dict[str, Any]]], None]
) -> None:
    # Somebody who tampers with a file seals it anew.
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()[:-1]]
    tamper(lines)
    text = "".join(json.dumps(line) + "\n" for line in lines)
    seal = hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
    file.write_text(text + json.dumps({"last": {"lines": len(lines), "hash": seal}}), encoding="utf-8")
    done = command("replay", file, "--verify")
    assert (done.status, done.err) == (1, "")
    assert "It goes another way than recorded: " in done.out
    assert "as recorded. State" not in done.out
    as_json = command("replay", file, "--json")
    assert as_json.status == 1
    assert json.loads(as_json.out)["differs"]


# Sealed dice.


def test_sealed_dice_are_checked_once_the_secret_is_known(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "sealed.game"
    record.save(battle(sealed=True), path, reveal=False)
    closed = command("replay", path, "--verify")
    assert (closed.status, closed.out) == (2, "")
    assert "the dice of this game are still sealed" in closed.err
    assert command("replay", path, "--verify", "--secret", SECRET.hex()).status == 0
    for wrong, says in ((b"a guess".hex(), "does not match the commitment"), ("xyz", "pairs of the digits")):
        done = command("replay", path, "--verify", "--secret", wrong)
        assert (done.status, done.out) == (2, "")
        assert says in done.err


# Files that are no games.


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "the file is empty"),
        ("once upon a time", ":1: not the header of a saved game"),
        ('{"format": "sandtable.game"}', ":1: not the header of a saved game"),
        ("\0\0\0", ":1: not the header of a saved game"),
    ],
)
def test_what_is_no_game_is_a_sentence_and_two(command: Command, tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "tale.game"
    path.write_text(text, encoding="utf-8")
    done = command("replay", path)
    assert (done.status, done.out) == (2, "")
    assert f"{path}" in done.err
    assert says in done.err


@pytest.mark.parametrize("line", [2, 3, 30])
def test_a_broken_line_is_named(command: Command, file: Path, line: int) -> None:
    lines = file.read_text(encoding="utf-8").splitlines()
    lines[line - 1] = lines[line - 1][:-3]
    file.write_text("\n".join(lines), encoding="utf-8")
    done = command("replay", file)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(f"{file}:{line}: ")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda lines: lines[0].update(ruleset="chess"), "there is no ruleset 'chess'"),
        (lambda lines: lines[1].update(setup={"units": []}), "the set-up of this game cannot be read"),
        (lambda lines: next(iter(lines[1]["setup"]["units"].values())).update(teams={}), "needs at least one Team"),
        (lambda lines: lines.pop(1), "there is no set-up line"),
    ],
)
def test_a_game_that_cannot_be_played_is_a_sentence(command: Command, file: Path, change: Any, says: str) -> None:
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    change(lines)
    file.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    done = command("replay", file)
    assert (done.status, done.out) == (2, "")
    assert says in done.err


def test_files_and_folders_that_are_not_there(command: Command, file: Path, tmp_path: Path) -> None:
    assert "No such file" in command("replay", tmp_path / "none.game").err
    assert "Is a directory" in command("replay", tmp_path).err
    done = command("replay", file, "--svg", tmp_path / "nowhere" / "x.svg")
    assert done.status == 2
    assert "No such file" in done.err


def test_a_file_that_was_cut_off_or_changed_is_not_verified(command: Command, file: Path) -> None:
    whole = file.read_text().splitlines(keepends=True)
    middle = len(whole) // 2
    harm = {
        "its last line is missing": whole[:-1],
        "cut off": whole[:middle],
        f"had {len(whole) - 1} lines": [*whole[:middle], whole[middle], *whole[middle:]],
        "goes on after its end": [*whole, whole[-1]],
        "were changed": [line.replace("Initiative", "initiative") for line in whole],
    }
    for words, lines in harm.items():
        file.write_text("".join(lines))
        done = command("replay", file, "--verify")
        assert (done.status, "replayed as recorded" in done.out) == (1, False), words
        assert words in done.err
        assert json.loads(command("replay", file, "--verify", "--json").out)["damage"] in done.err
        # It can still be looked at and gone on with.
        assert command("replay", file, "--to", 3).status == 0
        assert command("play", "--resume", file, "--red", "random", "--blue", "random", "--quiet").status == 0


def test_a_file_of_the_first_version_is_still_read(command: Command, file: Path) -> None:
    lines = file.read_text().splitlines(keepends=True)[:-1]
    old = lines[0].replace('"version":2', '"version":1')
    file.write_text("".join([old, *lines[1:]]))
    assert command("replay", file, "--verify").status == 0
    file.write_text("".join([old, *lines[1:], lines[-1]]))
    done = command("replay", file, "--verify")
    assert (done.status, "goes on after its end" in done.err) == (1, True)


def test_nobody_looks_through_a_seat_that_is_not_there(command: Command, file: Path) -> None:
    done = command("replay", file, "--seat", "nobody")
    assert (done.status, done.err) == (2, "there is no seat 'nobody' in this game; known: red, blue\n")
