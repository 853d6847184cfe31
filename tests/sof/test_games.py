"""Whole battles by chance: the laws hold, every one comes to an end, and nobody stands where he must not."""

from __future__ import annotations

import pytest

from sandtable import rulesets
from sandtable.testing import check_laws, play_random

RULES = rulesets.load("sof")


@pytest.mark.parametrize("scenario", RULES.scenarios())
def test_the_laws_hold(scenario: str) -> None:
    check_laws(RULES, RULES.scenario(scenario), seed=1)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("scenario", RULES.scenarios())
def test_a_battle_by_chance_ends_and_nothing_is_astray(scenario: str, seed: int) -> None:
    game = play_random(RULES, RULES.scenario(scenario), seed=seed)
    assert game.result is not None
    assert RULES.invariants(game) == []


def test_players_are_not_offered_it() -> None:
    assert "sof" in rulesets.in_the_making()
    assert "sof" not in rulesets.names()
