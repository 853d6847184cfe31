"""Before the dice: the chances add up, and they are what really happens."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from sandtable import rulesets
from sandtable.engine.cards import Preview
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.engine.preview import preview
from sandtable.engine.questions import Refusal
from sandtable.engine.ruleset import Ruleset
from sandtable.engine.seat import Seat

TRIALS = 150


def without_odds(name: str) -> Ruleset[Any, Any, Any]:
    """A ruleset that has no closed form for anything: its attacks must be tried."""
    rules = rulesets.load(name)
    return replace(rules, display=replace(rules.display, odds=lambda *_: None))


def attack(rules: Ruleset[Any, Any, Any], topic: str, seed: int) -> tuple[Game[Any], Any]:
    """A battle at the moment when somebody is about to fire, and whom at: an attack with dice in it."""
    game: Game[Any] = Game(rules, rules.scenario("patrol"), SeededDice(seed))
    random = Random(seed)
    while game.ask is not None:
        question = game.ask.question
        if question.topic == topic:
            answer = question.candidates(1)[0]
            found = preview(Seat(game, game.ask.seat), answer, 4, math.inf)
            if isinstance(found, Preview) and any(line.dice for line in found.lines):
                return game, answer
            question = game.ask.question
        game.accept(question.sample(random))
    raise AssertionError("nobody fires")


def test_the_chances_are_what_happens() -> None:
    game, answer = attack(without_odds("hof"), "target", 2)
    assert game.ask is not None
    seat = game.ask.seat
    before = game.hash()
    found = preview(Seat(game, seat), answer, TRIALS, math.inf)
    assert isinstance(found, Preview)
    assert game.hash() == before
    assert found.trials == TRIALS
    assert sum(chance.share for chance in found.chances) == pytest.approx(1.0)
    assert found == preview(Seat(game, seat), answer, TRIALS, math.inf)

    ends: Counter[str] = Counter()
    for other in range(TRIALS):
        twin = game.fork(100_000 + other)
        told = len(twin.events)
        assert twin.answer(answer) is None
        while twin.ask is not None and not twin.ask.checkpoint:
            twin.accept(twin.ask.question.candidates(1)[0])
        ends[twin.rules.display.outcome(twin.seen(seat, told))] += 1
    for chance in found.chances:
        # Four standard deviations of the difference of two such samples.
        assert abs(ends[chance.words] / TRIALS - chance.share) < 4 * math.sqrt(0.5 / TRIALS)


@pytest.mark.parametrize(("name", "topic"), [("hof", "target"), ("tr14", "fire")])
def test_each_throw_is_told_with_its_reasons(name: str, topic: str) -> None:
    game, answer = attack(rulesets.load(name), topic, 2)
    assert game.ask is not None
    found = preview(Seat(game, game.ask.seat), answer, 20, math.inf)
    assert isinstance(found, Preview)
    for line in found.lines:
        assert line.words
        assert "hit" not in line.words.split()
        assert 1 <= line.needs <= 12
        assert all(reason.rule.startswith(f"{name}.") and reason.words for reason in line.reasons)


def test_time_is_kept() -> None:
    game, answer = attack(without_odds("hof"), "target", 2)
    assert game.ask is not None
    found = preview(Seat(game, game.ask.seat), answer, 1_000_000, 0.05)
    assert isinstance(found, Preview)
    assert 1 <= found.trials < 10_000


def test_exact_odds_are_not_tried() -> None:
    game, answer = attack(rulesets.load("tr14"), "fire", 2)
    assert game.ask is not None
    before = game.hash()
    found = preview(Seat(game, game.ask.seat), answer)
    assert isinstance(found, Preview)
    assert game.hash() == before
    assert found.trials == 0
    assert found.assumes
    assert [spread.name for spread in found.spreads] == ["Hits"]
    assert sum(chance.share for chance in found.chances) == pytest.approx(1.0)
    assert found == preview(Seat(game, game.ask.seat), answer)


def test_what_is_not_legal_is_refused_and_what_is_no_attack_is_not_tried() -> None:
    game, _ = attack(rulesets.load("tr14"), "fire", 2)
    assert game.ask is not None
    assert isinstance(preview(Seat(game, game.ask.seat), {"nobody": "nothing"}), Refusal)
    rules = rulesets.load("tr14")
    fresh: Game[Any] = Game(rules, rules.scenario("patrol"), SeededDice(1))
    assert fresh.ask is not None
    assert preview(Seat(fresh, fresh.ask.seat), fresh.ask.question.candidates(1)[0]) is None
