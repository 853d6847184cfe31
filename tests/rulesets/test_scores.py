"""The points that are told with a result: they follow from a state, and are not in it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from sandtable import rulesets
from sandtable.engine import record
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.engine.ruleset import Result, Score


@pytest.fixture(scope="module")
def finished() -> Game[Any]:
    rules = rulesets.load("tr14")
    game: Game[Any] = Game(rules, rules.scenario("patrol"), SeededDice(1))
    random = Random(1)
    while game.ask is not None:
        game.accept(game.ask.question.sample(random))
    return game


def test_a_result_is_told_with_the_points_that_the_state_holds(finished: Game[Any]) -> None:
    result = finished.result
    assert result is not None
    assert result.points == {side: n["objectives"] for side, n in finished.rules.summary(finished.state).items()}
    assert result.points_for == "objectives held"
    assert finished.view("red")["result"]["points"] == result.points


def test_points_are_neither_in_the_state_nor_in_a_saved_game(finished: Game[Any]) -> None:
    assert finished.state.result.points == {}
    assert b"points" not in b"".join(line for line in record.lines(finished) if line.startswith(b'{"end"'))
    saved = record.loads(record.dumps(finished))
    assert record.replay(saved, rulesets.load).differs == []


def test_in_hail_of_fire_each_side_has_the_break_points_of_the_other() -> None:
    rules = rulesets.load("hof")
    state = rules.begin(rules.scenario("patrol"))
    state.companies["blue"].break_points = 7
    assert rules.score(state) == Score({"red": 7, "blue": 0}, "Break Points of the enemy")


def test_in_storm_of_fire_each_side_has_the_figures_that_are_left_to_it() -> None:
    rules = rulesets.load("sof")
    state = rules.begin(rules.scenario("encounter"))
    del state.units["red-1"]
    assert rules.score(state) == Score({"red": 24, "blue": 25}, "figures left")


def test_a_degree_of_victory_is_told_where_a_game_has_one() -> None:
    result = Result("red", "Time is up.").scored(Score({"red": 6, "blue": 1}, "victory points", "decisive"))
    assert (result.winner, result.points["red"], result.degree) == ("red", 6, "decisive")
