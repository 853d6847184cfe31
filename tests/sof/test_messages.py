"""What a page is sent of a large battle: all of it once, and then little at a time."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import msgspec
import pytest

from sandtable import rulesets
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.server.changes import LISTS, SCENE_LISTS, Frame, changed, encode, merged, parts
from sandtable.server.outgoing import CANDIDATES
from tests.sof.large import battle

LARGEST = 20_000
"""Bytes of a message in a battle of 240 figures, but for the first."""


def frame(game: Game[Any], version: int) -> Frame:
    display = game.rules.display
    assert game.ask is not None
    question = game.ask.question
    asked = {"seat": "red", **question.describe(), "candidates": question.candidates(CANDIDATES)}
    told = {
        "status": display.status(game, "red"),
        "roster": display.roster(game, "red"),
        "rail": display.rail(game, "red"),
    }
    scene = msgspec.structs.asdict(game.rules.scene(game, "red"))
    return Frame(version, parts({**told, "asked": asked}, LISTS), parts(scene, SCENE_LISTS))


@pytest.mark.parametrize("seed", [2])
def test_a_message_of_240_figures_is_small(seed: int) -> None:
    rules = rulesets.load("sof")
    setup = battle()
    assert not rules.problems(setup)
    game: Game[Any] = Game(rules, setup, SeededDice(seed))
    assert len(game.rules.scene(game, None).pieces) == 240
    random = Random(seed)
    told, known = frame(game, 0), 0
    state = merged({}, json.loads(b"{%b}" % changed(told, None)))
    turns: set[int] = set()
    for number in range(1, 250):
        assert game.ask is not None
        game.accept(game.ask.question.sample(random))
        if game.ask is None:
            break
        turns.add(game.state.turn)
        now = frame(game, number)
        change = changed(now, told)
        events = b",".join(map(encode, game.events[known:]))
        assert len(change) + len(events) <= LARGEST
        state = merged(state, json.loads(b"{%b}" % change))
        told, known = now, len(game.events)
        # What a page has made of it all is how things stand.
        assert state["scene"]["bodies"] == json.loads(encode(game.rules.scene(game, "red").bodies))
    assert len(turns) > 1
