"""Assaults always end: whatever the players choose, each pass through the steps throws dice."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
import pytest

from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.engine.questions import Answer, Question
from sandtable.rulesets import load
from sandtable.rulesets.hof.core.state import Setup

MOST_QUESTIONS = 400
"""More than any assault of a handful of Teams takes, if it goes on by dice alone."""

Policy = Callable[[Question, Random], Answer]


def first(question: Question, random: Random) -> Answer:
    return question.candidates()[0]


def last(question: Question, random: Random) -> Answer:
    """Hold back, stay, leave: whatever is offered last."""
    return question.candidates()[-1]


def chance(question: Question, random: Random) -> Answer:
    return question.sample(random)


def line(profile: str, name: str, y: float, **more: Any) -> dict[str, dict[str, Any]]:
    return {f"{name}-{n}": {"profile": profile, "at": (10.0 + 2.5 * n, y), **more} for n in range(5)}


def melee(their_profile: str, contact: float) -> Setup:
    """Five Teams before five, with Leaders and an AT Team among them."""
    red = line("rifle", "r", 12.0) | {"r-pl": {"profile": "leader", "role": "pl", "at": (14.0, 9.0)}}
    blue = line(their_profile, "b", 12.0 + contact, facing=90.0)
    if their_profile == "rifle":
        blue["b-pl"] = {"profile": "leader", "role": "pl", "at": (15.0, 13.13 + contact)}
        blue["b-at"] = {"profile": "german-panzerschreck", "at": (12.5, 13.13 + contact)}
    return msgspec.convert(
        {
            "table": {"width": 48, "depth": 36},
            "phase": "orders",
            "companies": {"red": {"order_points": 5, "break_limit": 90}, "blue": {"break_limit": 90}},
            "units": {"red": {"side": "red", "teams": red}, "blue": {"side": "blue", "teams": blue}},
        },
        Setup,
    )


def assault(setup: Setup, policy: Policy, seed: int) -> Game[Any]:
    """All go straight ahead into contact; then the policy answers until the next activation."""
    game: Game[Any] = Game(load("hof"), setup, SeededDice(seed))
    ahead = next(iter(setup.units["blue"].teams.values())).at
    assert ahead is not None
    half = 0.75 if setup.units["blue"].teams["b-0"].profile == "rifle" else 0.7
    y = round(ahead[1] - half - 0.75, 2)
    steps = {f"r-{n}": {"to": [10.0 + 2.5 * n, y]} for n in range(5)}
    for answer in ("r-pl", "order", dict.fromkeys(steps, "move"), steps):
        refused = game.answer(answer)
        assert refused is None, refused
    random = Random(seed)
    for _ in range(MOST_QUESTIONS):
        if game.ask is None or game.ask.checkpoint:
            return game
        game.accept(policy(game.ask.question, random))
    raise AssertionError(f"the assault does not end: {game.ask.question.words if game.ask else ''}")


@pytest.mark.parametrize("policy", [first, last, chance])
@pytest.mark.parametrize(("profile", "contact"), [("rifle", 3.0), ("us-m4-sherman", 4.0)])
def test_every_assault_ends(policy: Policy, profile: str, contact: float) -> None:
    """hof.assaults.repeat-until-clear"""
    fought = 0
    for seed in range(12):
        game = assault(melee(profile, contact), policy, seed)
        fought += any(event.kind == "assault" for event in game.events)
        checks_in_each_pass(game)
    assert fought, "no seed brings anybody into contact"


def checks_in_each_pass(game: Game[Any]) -> None:
    """Between two passes of an assault somebody rolls an Assault Check or for a way out."""
    rolled, number = True, 0
    for event in game.events:
        if event.kind == "respond" and event.data["round"] != number:
            assert rolled or event.data["round"] == 1, "a pass without dice"
            rolled, number = False, event.data["round"]
        rolled = rolled or event.kind in ("assault-check", "leave")
