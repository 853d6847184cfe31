"""The same games with plain kernels and with compiled ones, answer by answer."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from sandtable import bots, rulesets
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.engine.ruleset import Ruleset
from sandtable.engine.seat import Seat
from sandtable.table.compiled import entries, switch
from sandtable.testing.soak import some_switches

FEW = 400
MANY = 20_000
"""Decisions of each ruleset."""

GREEDY_EVERY = 20
"""One answer in so many is a greedy bot's, who looks where random players never do."""


def states(rules: Ruleset, setup: Any, seed: int, most: int) -> Iterator[str]:
    """What the game is after each of its answers: its state, the question now asked and the last event."""
    game: Game[Any] = Game(rules, setup, SeededDice(seed))
    random = Random(seed)
    for number in range(most):
        if game.ask is None:
            return
        seat, question = game.ask.seat, game.ask.question
        if number % GREEDY_EVERY == 0:
            answer = bots.make("greedy", seed).choose(Seat(game, seat))
        else:
            answer = question.sample(random)
        game.accept(answer)
        events = game.events[-1].text if game.events else ""
        asked = "" if game.ask is None else f"{game.ask.seat} {game.ask.question.describe()}"
        yield f"{game.hash()} {answer} {events} {asked}"


def compare(name: str, decisions: int) -> int:
    """Play all battles in turn, twice each, until there have been so many decisions."""
    rules = rulesets.load(name)
    done = seed = 0
    while done < decisions:
        seed += 1
        scenario = rules.scenarios()[seed % len(rules.scenarios())]
        if rules.switched is not None and seed % 2:
            setup = rules.switched(scenario, some_switches(rules, seed))
        else:
            setup = rules.scenario(scenario)
        most = decisions - done
        with switch.plain(), warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            assert all(getattr(each.home, each.name) is each.plain for each in entries())
            plain = list(states(rules, setup, seed, most))
        assert not any(getattr(each.home, each.name) is each.plain for each in entries())
        for number, compiled in enumerate(states(rules, setup, seed, most)):
            assert compiled == plain[number], f"{name} {scenario}, seed {seed}, answer {number}"
        done += len(plain)
    return done


@pytest.mark.parametrize("name", rulesets.names())
def test_plain_and_compiled_play_are_the_same(name: str) -> None:
    assert compare(name, FEW) >= FEW


@pytest.mark.soak
@pytest.mark.parametrize("name", rulesets.names())
def test_plain_and_compiled_play_are_the_same_for_long(name: str) -> None:
    assert compare(name, MANY) >= MANY


@pytest.mark.parametrize("name", rulesets.names())
def test_a_game_compiles_nothing(name: str) -> None:
    from numba.core.event import install_recorder

    rules = rulesets.load(name)
    with install_recorder("numba:compile") as compiled:
        for seed, scenario in enumerate(rules.scenarios()[:3]):
            for _ in states(rules, rules.scenario(scenario), seed, 10_000):
                pass
    assert not compiled.buffer
