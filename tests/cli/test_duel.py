"""`sandtable duel`: bots against one another, counted fairly."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandtable.lab import duel

from .conftest import Command


def test_a_duel_swaps_sides_and_prints_a_table(command: Command) -> None:
    words = ["--ruleset", "tr14", "--scenarios", "patrol", "--games", "2", "--processes", "1", "--tell"]
    done = command("duel", "random", "reference", *words)
    assert done.status == 0, done.err
    told = done.err.splitlines()
    assert told[0].startswith("patrol 1: ")
    assert told[1].startswith("patrol 1 with sides swapped: ")
    assert "| tr14 patrol | 2 | " in done.out
    assert "What random did:" in done.out
    assert "| thought in a turn, 95th percentile |" in done.out


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("clever", "there is no bot 'clever'"),
        ("random:near=1", "'random' has no weights; only greedy has"),
        ("greedy:near", "'near' is no weight; write NAME=NUMBER"),
        ("greedy:neer=1", "tr14 weighs no 'neer'; it weighs battle, teams, "),
    ],
)
def test_a_player_that_is_not_there_is_named(command: Command, name: str, sentence: str) -> None:
    done = command("duel", name, "random", "--ruleset", "tr14", "--games", "1")
    assert done.status == 2
    assert sentence in done.err


def test_an_interval_holds_what_was_found_and_shrinks_with_games() -> None:
    low, high = duel.wilson(70, 100)
    assert (round(low, 3), round(high, 3)) == (0.604, 0.781)
    narrow = duel.wilson(700, 1000)
    assert low < narrow[0] < 0.7 < narrow[1] < high
    assert duel.wilson(0, 10)[0] == 0.0
    assert duel.wilson(10, 10)[1] == 1.0


def test_seeds_are_played_twice_with_sides_swapped() -> None:
    games = list(duel.tasks("tr14", ["patrol"], ("greedy", "random"), 4, 7))
    assert [(game.seed, game.swapped) for game in games] == [(7, False), (7, True), (8, False), (8, True)]


def test_other_weights_are_another_player() -> None:
    assert duel.read_weights("near=0.5, danger=0") == {"near": 0.5, "danger": 0.0}


def test_a_duel_goes_on_where_it_stopped(command: Command, tmp_path: Path) -> None:
    kept = tmp_path / "games.jsonl"
    words = ["duel", "random", "random", "--ruleset", "tr14", "--scenarios", "patrol", "--processes", "1"]
    some = command(*words, "--games", "1", "--keep", str(kept))
    assert some.status == 0
    assert len(kept.read_text().splitlines()) == 1
    with kept.open("a") as file:
        file.write('{"match":["tr14","patrol"')
    more = command(*words, "--games", "2", "--keep", str(kept), "--tell")
    assert more.status == 0
    assert "with sides swapped" in more.err
    assert len(more.err.splitlines()) == 1
    assert "| tr14 patrol | 2 |" in more.out


def test_a_file_of_something_else_is_no_duel(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_text('{"hello": 1}\n')
    with pytest.raises(duel.UnreadableGames, match="line 1"):
        duel.read_kept(wrong)
