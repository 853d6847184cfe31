"""The first battle: whoever does as he is told meets every step in its order, and has the last turn to himself."""

from __future__ import annotations

from random import Random

import pytest

from sandtable import rulesets
from sandtable.testing.lessons import play

RULES = rulesets.load("sof")
LESSON = RULES.lessons()["first-battle"]
STEPS = [step for step in LESSON.steps if not step.aside]


def test_whoever_does_as_he_is_told_meets_every_step_and_acts_last() -> None:
    played = play(RULES, LESSON)
    assert played.met == list(range(1, len(STEPS) + 1))
    assert 18 <= len(played.shown) <= 30
    assert not STEPS[-1].tries
    last = next(each for each in reversed(played.shown) if each.card and each.card.steps[-1].number)
    # The battle ends in the Start Phase after its last turn.
    assert last.turn == LESSON.setup.turns == RULES.turn(played.game.state)
    assert played.last == LESSON.seat
    assert played.game.result is not None


@pytest.mark.parametrize("seed", range(4))
def test_whoever_does_anything_else_is_not_held_up(seed: int) -> None:
    played = play(RULES, LESSON, seed, Random(seed))
    assert played.game.over
    assert len(played.met) == len(set(played.met))
