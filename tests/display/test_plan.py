"""A unit is dropped somewhere: what comes of it is legal, or carries the refusal."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

import pytest

import sandtable
from sandtable import rulesets
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.engine.questions import MovePieces, Refusal
from sandtable.field.plan import Plan, plan, reach
from sandtable.table.shapes import heading

HOUSE = Path(sandtable.__file__).parent


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


@pytest.mark.parametrize(("name", "scenario"), [("hof", "patrol"), ("tr14", "crossroads")])
def test_a_drag_leads_through_few_files(name: str, scenario: str) -> None:
    """Whoever wants to know what becomes of a drag reads these; what the page sees and asks is made before it."""
    game = start(name, scenario, 3)
    random = Random(3)
    while game.ask is not None and game.ask.question.topic != "move":
        game.accept(game.ask.question.sample(random))
    assert game.ask is not None
    question, seat = game.ask.question, game.ask.seat
    assert isinstance(question, MovePieces)
    first, scene = question.pieces()[0], game.rules.scene(game, seat)
    assert first.at is not None
    to = first.at[0] + 1.0, first.at[1] + 4.0
    files: set[str] = set()

    def note(frame: FrameType, event: str, found: object) -> None:
        # Kernels are rules made quick: who wants to know the rule reads it where it is told.
        if event == "call" and "kernels" not in frame.f_code.co_filename:
            files.add(frame.f_code.co_filename)

    sys.setprofile(note)
    try:
        found = plan(game, seat, [piece.id for piece in question.pieces()], to, None, first.id, scene)
    finally:
        sys.setprofile(None)
    assert isinstance(found, Plan)
    ours = {Path(file).relative_to(HOUSE) for file in files if Path(file).is_relative_to(HOUSE)}
    # The server adds seven: live, limits, actions, hall, inquiries, room, and the game that it asks whether it is over.
    assert len(ours) < 19, " ".join(sorted(map(str, ours)))


def test_what_cannot_even_be_tried_is_refused() -> None:
    game = start("tr14", "patrol", 1)
    assert game.ask is not None
    seat = game.ask.seat
    assert isinstance(plan(game, "blue" if seat == "red" else "red", ["x"], (1, 1)), Refusal)
    assert isinstance(plan(game, seat, ["x"], (1, 1)), Refusal)
    assert isinstance(plan(game, seat, [], (1, 1)), Refusal)
    names = [piece.id for piece in game.ask.question.pieces()]  # type: ignore[attr-defined]
    assert isinstance(plan(game, seat, names, (float("nan"), 1)), Refusal)


@pytest.mark.parametrize(("name", "scenario"), [("hof", "woods-road"), ("tr14", "ridge")])
def test_the_reach_ends_where_the_question_says_no(name: str, scenario: str) -> None:
    game = start(name, scenario, 3)
    random = Random(3)
    full = bent = 0
    while game.ask is not None and len(game.record) < 250:
        question, seat = game.ask.question, game.ask.seat
        pieces = question.pieces() if isinstance(question, MovePieces) else []
        for piece in pieces[:1]:
            found = reach(game, seat, piece.id)
            assert isinstance(found, list)
            if piece.at is None or piece.reach is None:
                assert found == []
                continue
            for ray, far in enumerate(found):
                sin, cos = heading(360.0 * ray / len(found))

                def may(inches: float, at: tuple[float, float] = piece.at, sin: float = sin, cos: float = cos) -> bool:
                    to = [round(at[0] + inches * sin, 2), round(at[1] + inches * cos, 2)]
                    return not isinstance(question.check({piece.id: {"to": to}}), Refusal)  # noqa: B023

                full += far == piece.reach
                bent += far < piece.reach
                # Places are kept to a hundredth of an inch, and so is the reach.
                assert far == 0 or any(may(far - part / 100) for part in range(3))
                # Somewhere within the next tenth it ends, unless it has come as far as it can.
                assert far == piece.reach or not all(may(far + part / 100) for part in range(1, 11))
        game.accept(question.sample(random))
    assert full > 100
    assert bent > 100


def test_the_reach_is_for_him_who_is_asked() -> None:
    game = start("tr14", "patrol", 1)
    assert game.ask is not None
    assert isinstance(reach(game, "red" if game.ask.seat == "blue" else "blue", "x"), Refusal)
    assert isinstance(reach(game, game.ask.seat, "x"), Refusal)
