"""Whole battles by chance that once went wrong."""

from __future__ import annotations

import msgspec
import pytest

from sandtable import rulesets
from sandtable.testing import play_random
from sandtable.testing.umpire.sof.tables import choose, table

RULES = rulesets.load("sof")


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
