"""A squad dropped somewhere: whatever shorter shift of all of it is legal is found, and quickly."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from sandtable import rulesets
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.engine.questions import MovePieces, Piece, Refusal, Step, hundredths, steps_to_plain
from sandtable.field.plan import Plan, middle, plan

RULES = rulesets.load("sof")
PARTS = 16
MOST_MILLISECONDS = 30.0


def moves_asked() -> Iterator[tuple[Game[Any], MovePieces]]:
    """Squads of six and more that are asked where they go, in games by chance."""
    for seed in range(14):
        game: Game[Any] = Game(RULES, RULES.scenario("clash"), SeededDice(seed))
        random = Random(seed)
        while game.ask is not None:
            question = game.ask.question
            if isinstance(question, MovePieces) and question.topic == "move" and len(question.pieces()) >= 6:
                yield game, question
                break
            game.accept(question.sample(random))


def may_shift(question: MovePieces, pieces: list[Piece], dx: float, dy: float) -> bool:
    spots = {piece.id: piece.at for piece in pieces if piece.at is not None}
    steps = {name: hundredths(Step((x + dx, y + dy))) for name, (x, y) in spots.items()}
    return not isinstance(question.check(steps_to_plain(steps)), Refusal)


def drops() -> list[tuple[float, bool]]:
    """Squads dropped at places by chance: how many milliseconds each plan took, and whether the drop was refused."""
    dropped, random = [], Random(3)
    for game, question in moves_asked():
        assert game.ask is not None
        pieces = question.pieces()
        start = middle(pieces)
        assert start is not None
        for _ in range(8):
            angle, far = 2 * math.pi * random.random(), 14.0 * random.random()
            to = start[0] + far * math.cos(angle), start[1] + far * math.sin(angle)
            begun = time.process_time()
            found = plan(game, game.ask.seat, [piece.id for piece in pieces], to)
            taken = 1000 * (time.process_time() - begun)
            assert isinstance(found, Plan)
            dropped.append((taken, found.refusal is not None))
            if found.refusal is not None:
                shifts = [((to[0] - start[0]) * n / PARTS, (to[1] - start[1]) * n / PARTS) for n in range(1, PARTS)]
                assert not any(may_shift(question, pieces, dx, dy) for dx, dy in shifts), found.refusal
    return dropped


def test_no_drop_is_refused_where_a_shorter_shift_of_the_whole_squad_is_legal() -> None:
    dropped = drops()
    assert len(dropped) > 100
    assert sum(refused for _, refused in dropped) < len(dropped) / 2


@pytest.mark.soak  # what it finds depends on the machine
def test_a_drop_is_planned_at_once() -> None:
    taken = sorted(milliseconds for milliseconds, _ in drops())
    assert taken[int(0.95 * len(taken))] <= MOST_MILLISECONDS
