"""A long look for crashes, and for what the second umpire objects to: `make soak`.

SANDTABLE_SOAK_GAMES and SANDTABLE_SOAK_GREEDY say how many games of random players and of greedy bots, for each battle.
What goes wrong is reported with its seed and saved as a game in out/crashes (SANDTABLE_SOAK_CRASHES names another
folder), where `sandtable replay` plays it up to the fault.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from sandtable import rulesets
from sandtable.engine import record
from sandtable.engine.game import Flow, Game
from sandtable.rulesets.tr14 import suppression
from sandtable.testing.lawful import broken_from_set_ups, broken_on_the_way
from sandtable.testing.soak import soak

GAMES = int(os.environ.get("SANDTABLE_SOAK_GAMES", "2000"))
GREEDY = int(os.environ.get("SANDTABLE_SOAK_GREEDY", "50"))
CRASHES = Path(os.environ.get("SANDTABLE_SOAK_CRASHES", "out/crashes"))
PROCESSES = 2
GAMES_WE_KNOW = (*rulesets.names(), *rulesets.in_the_making())
SCENARIOS = [(name, scenario) for name in GAMES_WE_KNOW for scenario in rulesets.load(name).scenarios()]


def search(ruleset: str, scenario: str, games: int, chunk: int, bot: str | None = None) -> None:
    """Many games in a few processes; what is wrong with any of them fails the test."""
    began, done = time.monotonic(), 0
    found: list[str] = []
    counts: Counter[str] = Counter()
    chunks = [range(first, min(first + chunk, games)) for first in range(0, games, chunk)]
    with ProcessPoolExecutor(PROCESSES, mp_context=get_context("spawn")) as pool:
        waiting = {pool.submit(soaked, ruleset, scenario, seeds, bot): len(seeds) for seeds in chunks}
        for finished in as_completed(waiting):
            wrong, looked_at = finished.result()
            found += wrong
            counts.update(looked_at)
            done += waiting[finished]
            rate = done / (time.monotonic() - began)
            kind = bot or "random"
            print(
                f"{ruleset} {scenario}: {done} of {games} {kind} games, {rate:.1f} a second, {len(found)} wrong",
                flush=True,
            )
    print(f"{ruleset} {scenario}: the second umpire looked at {dict(counts)}")
    assert not found, "\n".join(found)


def soaked(ruleset: str, scenario: str, seeds: range, bot: str | None) -> tuple[list[str], Counter[str]]:
    """What went wrong in some games, and what the second umpire looked at."""
    counts: Counter[str] = Counter()
    return soak(ruleset, scenario, seeds, CRASHES, bot, counts), counts


@pytest.mark.soak
@pytest.mark.parametrize(("ruleset", "scenario"), SCENARIOS)
def test_no_random_game_goes_wrong(ruleset: str, scenario: str) -> None:
    search(ruleset, scenario, GAMES, chunk=50)


@pytest.mark.soak
@pytest.mark.parametrize(("ruleset", "scenario"), SCENARIOS)
def test_no_greedy_game_goes_wrong(ruleset: str, scenario: str) -> None:
    search(ruleset, scenario, GREEDY, chunk=5, bot="greedy")


def test_a_soak_of_a_few_games_finds_nothing(tmp_path: Path) -> None:
    assert soak("tr14", "crossroads", range(3), tmp_path) == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("scenario", ["encounter", "patrol-encounter", "clash"])
def test_a_soak_of_a_few_battles_of_sof_finds_nothing(scenario: str, tmp_path: Path) -> None:
    # The second seed is played with some of the optional rules.
    assert soak("sof", scenario, range(2), tmp_path) == []
    assert list(tmp_path.iterdir()) == []


def test_what_goes_wrong_is_reported_and_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Given rules that crash once a Unit chooses to dig in,
    real = rulesets.load("tr14")

    def flow(game: Game[Any]) -> Flow[None]:
        inner = real.flow(game)
        ask = next(inner)
        while True:
            answer = yield ask
            if answer == "dig-in":
                raise ZeroDivisionError("dug too deep")
            ask = inner.send(answer)

    broken = replace(real, flow=flow)
    monkeypatch.setattr(rulesets, "load", lambda name: broken)
    # when a game is played, then its crash is told by its seed and saved up to the fatal answer.
    found = soak("tr14", "crossroads", range(5, 6), tmp_path)
    path = tmp_path / "tr14-crossroads" / "tr14-5.game"
    assert found == [f"tr14 crossroads, seed 5: ZeroDivisionError: dug too deep (see {path})"]
    assert record.read(path).entries[-1].answer == "dig-in"
    # And a broken invariant is told likewise.
    upset = replace(real, invariants=lambda game: ["the sky falls"] if len(game.record) > 30 else [])
    monkeypatch.setattr(rulesets, "load", lambda name: upset)
    found = soak("tr14", "crossroads", range(6, 7), tmp_path)
    assert len(found) == 1
    assert "the sky falls" in found[0]
    assert (tmp_path / "tr14-crossroads" / "tr14-6.game").exists()


@pytest.mark.soak
@pytest.mark.parametrize("name", GAMES_WE_KNOW)
@pytest.mark.parametrize("seed", range(1, 9))
def test_the_laws_hold_from_situations(name: str, seed: int) -> None:
    folder = rulesets.folder(name) / "situations"
    found = list(broken_from_set_ups(folder, seed, most=60))
    found += broken_on_the_way(folder, seed, ahead=40, most=1_000_000)
    assert not found, "\n".join(found)


def test_what_the_second_umpire_objects_to_is_reported_and_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Given rules by which suppression never makes a Check harder,
    monkeypatch.setattr(suppression, "PENALTIES", ())
    counts: Counter[str] = Counter()
    # when games are played, then the umpire's objection is told, and the game is kept.
    found = soak("tr14", "patrol", range(6), tmp_path, counts=counts)
    assert found
    assert "Objected" in found[0]
    assert "tr14.suppression.activation-penalty" in found[0]
    assert list((tmp_path / "tr14-patrol").iterdir())
    assert counts["activations"] > 0
