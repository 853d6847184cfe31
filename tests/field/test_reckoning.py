"""What a position comes to in any game, and whom a player would rather lose."""

from __future__ import annotations

import msgspec

from sandtable.engine.ruleset import Result
from sandtable.field.reckoning import WON, decided, plainest


class Team(msgspec.Struct):
    id: str
    profile: str
    role: str = ""


def test_the_most_common_go_first_and_leaders_last() -> None:
    teams = [Team("pl", "rifle", "pl"), Team("mg", "mg"), Team("r1", "rifle"), Team("r2", "rifle")]
    assert plainest(teams, 1) == ["r1"]
    assert plainest(teams, 2) == ["r1", "r2"]
    assert plainest(teams, 3) == ["mg", "r1", "r2"]
    assert plainest(teams, 9) == ["pl", "mg", "r1", "r2"]


def test_a_battle_that_is_over_is_won_lost_or_drawn() -> None:
    assert decided(None, "red") is None
    assert decided(Result("red", "rout"), "red") == WON
    assert decided(Result("red", "rout"), "blue") == -WON
    assert decided(Result(None, "night"), "red") == 0.0
