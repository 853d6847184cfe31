"""The laws of the house, and what must hold in every battle, on each scenario."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from sandtable import bots, rulesets
from sandtable.engine import record
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.engine.seat import drive
from sandtable.testing import check_laws, play_random
from sandtable.testing.laws import check_saved

RULES = rulesets.load("tr14")
SCENARIOS = RULES.scenarios()


@cache
def prepared(scenario: str) -> Any:
    return RULES.prepare(RULES.scenario(scenario))


def holds(game: Game[Any]) -> None:
    """At a checkpoint nothing overlaps, nothing stands off the table, and nobody has too many markers."""
    assert game.ask is not None
    if game.ask.checkpoint:
        assert RULES.invariants(game) == [], f"after {len(game.record)} answers"


@pytest.mark.parametrize(("scenario", "seed"), [(name, 101 + number) for number, name in enumerate(SCENARIOS)])
def test_every_law_holds(scenario: str, seed: int) -> None:
    check_laws(RULES, RULES.scenario(scenario), seed)


def test_every_law_holds_with_other_dice() -> None:
    check_laws(RULES, RULES.scenario("patrol"), 202)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_random_battle_holds_together_and_replays_from_every_keyframe(scenario: str, seed: int) -> None:
    game = play_random(RULES, RULES.scenario(scenario), seed, watch=holds, prepared=prepared(scenario))
    assert len(game.keyframes) >= 1
    check_saved(RULES, record.dumps(game), game.hash())


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_greedy_and_random_play_without_a_fault(scenario: str) -> None:
    """The shortest battle to its end, the others for a while: looking ahead is slow."""
    game: Game[Any] = Game(RULES, RULES.scenario(scenario), SeededDice(1), prepared=prepared(scenario))
    players = {"red": bots.make("greedy", 1), "blue": bots.make("random", 2)}
    whole = scenario == "patrol"
    count = drive(game, players, most=5000 if whole else 60)
    assert game.over or count == 60
    assert (game.result is not None) == game.over
    assert game.over or not whole
    again = record.replay(record.loads(record.dumps(game)), rulesets.load)
    assert again.differs == []
    assert again.game.hash() == game.hash()
