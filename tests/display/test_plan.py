"""A unit is dropped somewhere: what comes of it is legal, or carries the refusal."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from sandtable import rulesets
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.engine.plan import Plan, plan
from sandtable.engine.questions import MovePieces, Refusal


def start(name: str, scenario: str, seed: int) -> Game[Any]:
    rules = rulesets.load(name)
    return Game(rules, rules.scenario(scenario), SeededDice(seed))


def somewhere(question: MovePieces, random: Random) -> tuple[float, float]:
    first = question.pieces()[0]
    if first.at is not None:
        return first.at[0] + random.uniform(-8, 8), first.at[1] + random.uniform(-8, 8)
    steps = question.candidates(1)[0]
    x, y = next(iter(steps.values()))["to"] if steps else (10.0, 10.0)
    return float(x), float(y)


@pytest.mark.parametrize(("name", "scenario"), [("hof", "patrol"), ("hof", "woods-road"), ("tr14", "patrol")])
def test_a_drop_is_legal_or_carries_its_refusal(name: str, scenario: str) -> None:
    game = start(name, scenario, 4)
    random = Random(4)
    kinds: Counter[str] = Counter()
    while game.ask is not None and len(game.record) < 300:
        question, seat = game.ask.question, game.ask.seat
        if isinstance(question, MovePieces):
            pieces = question.pieces()
            before = game.hash()
            found = plan(game, seat, [piece.id for piece in pieces], somewhere(question, random), None, pieces[0].id)
            assert isinstance(found, Plan)
            assert game.hash() == before
            checked = question.check(found.answer)
            assert isinstance(checked, Refusal) == (found.refusal is not None)
            assert [landing.id for landing in found.pieces] == [piece.id for piece in pieces]
            for landing in found.pieces:
                step = found.answer.get(landing.id)
                assert step is None or landing.at == tuple(step["to"])
            kinds["refused" if found.refusal else "legal"] += 1
        game.accept(question.sample(random))
    assert kinds["legal"] > 3 * kinds["refused"]


def test_a_unit_that_is_not_there_yet_lands_in_its_zone() -> None:
    game = start("tr14", "patrol", 1)
    assert game.ask is not None
    question = game.ask.question
    assert isinstance(question, MovePieces)
    names = [piece.id for piece in question.pieces()]
    found = plan(game, game.ask.seat, names, (20.0, 5.0))
    assert isinstance(found, Plan)
    assert found.refusal is None
    assert set(found.answer) == set(names)
    assert game.answer(found.answer) is None


def test_far_outside_the_zone_the_refusal_says_why() -> None:
    game = start("tr14", "patrol", 1)
    assert game.ask is not None
    names = [piece.id for piece in game.ask.question.pieces()]  # type: ignore[attr-defined]
    found = plan(game, game.ask.seat, names, (20.0, 30.0))
    assert isinstance(found, Plan)
    assert found.refusal is not None
    assert found.refusal.rule == "tr14.battle.deployment"


def test_what_cannot_even_be_tried_is_refused() -> None:
    game = start("tr14", "patrol", 1)
    assert game.ask is not None
    seat = game.ask.seat
    assert isinstance(plan(game, "blue" if seat == "red" else "red", ["x"], (1, 1)), Refusal)
    assert isinstance(plan(game, seat, ["x"], (1, 1)), Refusal)
    assert isinstance(plan(game, seat, [], (1, 1)), Refusal)
    names = [piece.id for piece in game.ask.question.pieces()]  # type: ignore[attr-defined]
    assert isinstance(plan(game, seat, names, (float("nan"), 1)), Refusal)
