"""What a move risks, told before its dice: as exact as what then happens."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sandtable import rulesets
from sandtable.engine import record
from sandtable.engine.cards import Preview, PreviewLine
from sandtable.engine.game import Game
from sandtable.engine.preview import preview
from sandtable.engine.questions import Answer, MovePieces
from sandtable.engine.seat import Seat
from sandtable.field.gambles import arriving, checks, foretold
from sandtable.testing.odds import apart

CORPUS = Path(__file__).parents[1] / "corpus"
PLAYS = 300
THERE = 0.06
"""Inches from its goal at which a piece is there."""


def test_pieces_arrive_each_with_its_own_chance() -> None:
    come = arriving([1.0, 0.5, 0.25])
    assert {count: come[count] for count in range(4)} == pytest.approx({0: 0.0, 1: 0.375, 2: 0.5, 3: 0.125})


def test_checks_on_the_way_say_how_likely_each_is_passed() -> None:
    one = checks("1 Check for a wood", 1, 0.5, "stops there", needs=4, rule="toy.wood")
    assert one == PreviewLine(
        "1 Check for a wood, passed 50 times in 100; who fails stops there.", 1, 4, rule="toy.wood"
    )
    assert ", each passed 33 times in 100;" in checks("2 Checks", 2, 1 / 3, "stops there").words


def test_the_ends_are_told_from_all_to_nobody() -> None:
    told = foretold([PreviewLine("a roll")], arriving([0.5, 0.5]), 2)
    assert [(chance.words, chance.share) for chance in told.chances] == [
        ("all 2 Teams arrive", 0.25),
        ("1 of 2 arrives", 0.5),
        ("nobody arrives", 0.25),
    ]
    assert told.trials == 0, "exact, and not tried"
    alone = foretold([PreviewLine("a roll")], arriving([0.75]), 1)
    assert [chance.words for chance in alone.chances] == ["arrives", "does not arrive"]


def gambles(name: str) -> Iterator[tuple[Game[Any], Answer, Preview]]:
    """The moves of one Team, of a finished game, that depend on dice."""
    kept = record.read(CORPUS / f"{name}.game")
    for number in range(200):
        game = record.replay(kept, rulesets.load, to=number).game
        if game.ask is None or not isinstance(game.ask.question, MovePieces) or game.ask.question.gamble is None:
            continue
        for answer in game.ask.question.candidates(12):
            for piece, step in answer.items():
                found = preview(Seat(game, game.ask.seat), {piece: step})
                if isinstance(found, Preview) and len(found.chances) > 1:
                    yield game, {piece: step}, found


def arrives(game: Game[Any], answer: Answer, seed: int) -> str:
    """Play a move out with other dice, and see whether the Team is where it was sent."""
    assert game.ask is not None
    seat, twin = game.ask.seat, game.fork(seed)
    assert twin.answer(answer, seat) is None
    while twin.ask is not None and not twin.ask.checkpoint:
        twin.accept(twin.ask.question.candidates(1)[0])
    ((piece, step),) = answer.items()
    place = next((each.place for each in twin.rules.scene(twin, seat).pieces if each.id == piece), None)
    there = place is not None and math.dist((place.x, place.y), step["to"]) < THERE
    return "arrives" if there else "does not arrive"


@pytest.mark.parametrize(("name", "words"), [("hof-open-steppe-15", "3d6 inches"), ("tr14-crossroads-15", "to cross")])
def test_what_is_foretold_is_what_happens(name: str, words: str) -> None:
    # Given moves of a battle that depend on dice,
    tried = 0
    for game, answer, told in gambles(name):
        if not any(words in line.words for line in told.lines):
            continue
        # when each is made many times with other dice,
        counted = Counter(arrives(game, answer, seed) for seed in range(PLAYS))
        # then it ends as often in each way as was said.
        exact = {chance.words: chance.share for chance in told.chances}
        assert list(apart("ends", exact, counted, PLAYS)) == []
        tried += 1
        if tried == 3:
            return
    pytest.fail("no such move was met")
