"""Battles between players who assault and fire whenever they may: what games by chance seldom come to."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

import pytest

from sandtable import rulesets
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.engine.questions import Refusal

RULES = rulesets.load("sof")
EAGER = ("assault", "fire", "maneuver", "double-time")


@cache
def fierce(seed: int) -> Game:
    """A battle at close range, with all that must hold looked at before each activation."""
    random = Random(seed)
    game = Game(RULES, RULES.scenario("clash"), SeededDice(seed))
    while game.ask is not None:
        question = game.ask.question
        if game.ask.checkpoint:
            assert RULES.invariants(game) == [], f"after {len(game.record)} answers"
        answer = question.sample(random)
        offered = question.answers() or []
        if question.topic == "action":
            answer = next((each for each in EAGER if each in offered and random.random() < 0.8), answer)
        elif question.topic in ("move", "march") and random.random() < 0.8:
            answer = question.candidates(4)[0]
        elif question.topic == "activate":
            units = [each for each in offered if each in game.state.units]
            answer = random.choice(units) if units else answer
        checked = question.check(answer)
        assert not isinstance(checked, Refusal), (question.topic, answer, checked)
        game.accept(checked)
    return game


@pytest.mark.parametrize("seed", range(8))
def test_a_fierce_battle_ends_and_nothing_is_astray(seed: int) -> None:
    game = fierce(seed)
    assert game.result is not None
    assert RULES.invariants(game) == []


def test_fierce_battles_come_to_what_they_are_for() -> None:
    kinds = Counter(event.kind for seed in range(8) for event in fierce(seed).events)
    wanted = ("assault", "closing-fire", "blows", "aggression", "break-off", "consolidates", "tenacity", "gives-way")
    assert all(kinds[kind] for kind in wanted), kinds
