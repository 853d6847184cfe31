"""Whatever a battle comes to can be set up: what is checked in a set-up never forbids what the rules allow."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable import rulesets
from sandtable.engine.game import Game
from sandtable.engine.questions import Refusal
from sandtable.server.outgoing import EVERYTHING
from sandtable.server.situation import situation
from sandtable.testing import play_random
from sandtable.testing.laws import every
from sandtable.testing.soak import some_switches

BATTLES = [(name, scenario) for name in rulesets.names() for scenario in rulesets.load(name).scenarios()]
GAP = 17


@pytest.mark.parametrize(("ruleset", "scenario", "seed"), [(*pair, 201 + n) for n, pair in enumerate(BATTLES)])
def test_every_moment_of_a_battle_can_be_set_up(ruleset: str, scenario: str, seed: int) -> None:
    rules = rulesets.load(ruleset)
    refused: list[str] = []

    def look(game: Game[Any]) -> None:
        assert game.ask is not None
        if game.ask.checkpoint:
            for seat in (EVERYTHING, None):
                found = situation(game.fork(seed), seat, "A moment")
                if isinstance(found, Refusal) and "cannot be set up" in found.message:
                    refused.append(found.message)

    chosen = rules.switched(scenario, some_switches(rules, seed)) if rules.switched else rules.scenario(scenario)
    play_random(rules, chosen, seed, watch=every(GAP, look))
    assert refused == []
