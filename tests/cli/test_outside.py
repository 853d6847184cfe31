"""Rulesets outside the package at the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sandtable.engine.places import VARIABLE

from .conftest import Command

EXAMPLES = Path(__file__).parent.parent.parent / "docs" / "examples"
SKIRMISH = str(EXAMPLES / "skirmish.py")
ANSWERS = 'red-1\n{"red-1-rifle-1": {"to": [9, 9.5]}}\n1\n'


@pytest.fixture(autouse=True)
def only_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "")


def test_a_game_of_ones_own_is_played_saved_and_replayed(command: Command, tmp_path: Path) -> None:
    saved = tmp_path / "farm.game"
    done = command("play", "--ruleset", SKIRMISH, "--red", "greedy", "--blue", "random", "--seed", 3, "--save", saved)
    assert done.status == 0, done.err
    assert done.out.startswith("The Farm. Seed 3.")
    assert "skirmish.fire.to-hit" in done.out
    again = command("replay", "--ruleset-file", SKIRMISH, "--verify", "--json", saved)
    assert again.status == 0, again.err
    assert json.loads(again.out)["ruleset"] == "skirmish"


def test_a_saved_game_names_no_code_to_run(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saved = tmp_path / "farm.game"
    command("play", "--ruleset", SKIRMISH, "--red", "random", "--blue", "random", "--quiet", "--save", saved)
    monkeypatch.setenv(VARIABLE, "")
    done = command("replay", saved)
    assert done.status == 2
    assert "there is no ruleset 'skirmish'; known: hof, sof, tr14" in done.err


def test_a_person_plays_it_at_the_terminal(command: Command) -> None:
    done = command("play", "--ruleset", SKIRMISH, "--seed", 1, typed=ANSWERS)

    assert "Red Rifle 1 would go 6.5 inches. (skirmish.move.rough) Go 4 inches at most." in done.out + done.err


def test_a_tiny_game_without_a_table_of_its_own_is_played_too(command: Command) -> None:
    done = command("play", "--ruleset", EXAMPLES / "pig.py", "--red", "random", "--blue", "greedy", "--seed", 1)
    assert done.status == 0, done.err
    assert done.out.splitlines()[-1].startswith("  blue: ")


def test_its_situations_are_tried(command: Command) -> None:
    done = command("try", "--ruleset-file", SKIRMISH, EXAMPLES / "skirmish" / "situations")
    assert done.status == 0, done.out
    assert "0 failed" in done.out


@pytest.mark.parametrize("words", [("play", "--ruleset"), ("try", "--ruleset-file"), ("serve", "--ruleset-file")])
def test_a_file_that_is_not_there_is_told(command: Command, words: tuple[str, str], tmp_path: Path) -> None:
    done = command(*words, tmp_path / "chess.py")
    assert done.status == 2
    assert "there is no such ruleset" in done.err
