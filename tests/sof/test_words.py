"""The words of Storm of Fire on screen: sides are named as people name them, sentences are short, charts spelt out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from sandtable import rulesets
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.engine.questions import Choose
from sandtable.engine.tokens import plain
from sandtable.rulesets.sof.core.arsenal import rate, weapons

SMALL_SIDE = re.compile(r"\b(red|blue)\b")
MOST_WORDS = 15
SCENARIOS = ("hasty-assault", "patrol", "clash")


def said(game: Game[Any]) -> Iterator[str]:
    """All that a person reads of the question now asked."""
    assert game.ask is not None
    question = game.ask.question
    yield plain(question.words)
    if isinstance(question, Choose):
        for option in question.options:
            yield plain(option.label)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_sides_are_named_with_a_capital_and_sentences_are_short(scenario: str) -> None:
    rules = rulesets.load("sof")
    game: Game[Any] = Game(rules, rules.scenario(scenario), SeededDice(3))
    random = Random(3)
    told = 0
    for _ in range(400):
        if game.ask is None:
            break
        for words in said(game):
            assert not SMALL_SIDE.search(words), words
            assert all(len(sentence.split()) <= MOST_WORDS for sentence in re.split(r"[.:?] ", words)), words
        game.accept(game.ask.question.sample(random))
        for event in game.events[told:]:
            assert not SMALL_SIDE.search(plain(event.text)), event.text
        told = len(game.events)
    assert told > 100


def test_rates_of_fire_are_words_on_a_card() -> None:
    spoken = {text: found.words for text in ("RF*", "SS", "2", "1AF") if (found := rate(text))}
    assert spoken == {"RF*": "Rapid Fire, slow", "SS": "Single Shot", "2": "2", "1AF": "1, accelerated"}
    rules = rulesets.load("sof")
    rifle = rules.display.profiles(Game(rules, rules.scenario("clash"), SeededDice(1)))["bolt-action-rifle"]
    assert weapons()["bolt-action-rifle"].main.halt == "RF"
    assert rifle.columns[:2] == ("Range", "At the halt")
    assert rifle.weapons[0][1] == "Rapid Fire"
    base = next(fact for fact in rifle.facts if fact.name == "Base")
    assert base.value == "round, 1 inch across"


@pytest.mark.parametrize("scenario", ["hasty-assault", "patrol", "clash"])
def test_a_briefing_says_who_wins_by_what_in_short_sentences(scenario: str) -> None:
    rules = rulesets.load("sof")
    told = rules.display.briefing(Game(rules, rules.scenario(scenario), SeededDice(1)), "red")
    assert told is not None
    said = {fact.name: fact.value for fact in told.lines}
    assert said["How it is won"].startswith("Red controls more objectives than Blue at the end.")
    assert said["How it is lost"].startswith("Blue controls more objectives than Red at the end.")
    for words in said.values():
        assert all(len(sentence.split()) <= MOST_WORDS for sentence in re.split(r"[.:?] ", words)), words
