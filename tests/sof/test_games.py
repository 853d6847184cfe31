"""Whole battles by chance: the laws hold, every one comes to an end, and nobody stands where he must not."""

from __future__ import annotations

import msgspec
import pytest

from sandtable import rulesets
from sandtable.testing import check_laws, play_random
from sandtable.testing.umpire.sof.tables import choose, table

RULES = rulesets.load("sof")


@pytest.mark.parametrize("scenario", RULES.scenarios())
def test_the_laws_hold(scenario: str) -> None:
    check_laws(RULES, RULES.scenario(scenario), seed=1)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("scenario", RULES.scenarios())
def test_a_battle_by_chance_ends_and_nothing_is_astray(scenario: str, seed: int) -> None:
    game = play_random(RULES, RULES.scenario(scenario), seed=seed)
    assert game.result is not None
    assert RULES.invariants(game) == []


def test_players_are_not_offered_it() -> None:
    assert "sof" in rulesets.in_the_making()
    assert "sof" not in rulesets.names()


@pytest.mark.rule("sof.leadership.promotion-join")
def test_an_hq_that_is_lost_does_not_go_on_fighting_under_the_name_of_the_next() -> None:
    # On this table an HQ is wiped out in its own assault, and an NCO elsewhere takes over before the next blow.
    game = play_random(RULES, msgspec.convert(table(23), RULES.setup_type), 23, choose=choose)
    assert any(event.kind == "promotion" for event in game.events)
    assert RULES.invariants(game) == []
    gone: set[str] = set()
    for event in game.events:
        assert event.kind != "promotion" or event.data["unit"] not in gone
        gone |= {event.data["unit"]} if event.kind == "unit-lost" else set()
