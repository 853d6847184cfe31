"""What a position is worth: what has been set going, and what is still kept back, counts."""

from __future__ import annotations

import pytest

from sandtable import rulesets
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.rulesets.hof.core.state import Mission, State, units_of
from sandtable.rulesets.hof.page.worth import WORTH, kept_back


def steppe() -> Game[State]:
    """Both sides on the open steppe in ranks, out of all but the longest range."""
    rules = rulesets.load("hof")
    game: Game[State] = Game(rules, rules.scenario("open-steppe"), SeededDice(1))
    for side, far in (("red", 10.0), ("blue", 38.0)):
        teams = [team for unit in units_of(game.state, side) for team in unit.teams.values()]
        for number, team in enumerate(teams):
            team.at = (3.0 + 3.0 * (number % 20), far + 3.0 * (number // 20))
            team.where = ""
    game.state.phase = "orders"
    game.scratch = None
    return game


def called(game: Game[State], *, smoke: bool = False, observer: str = "") -> Mission:
    """A mission of red's own battery, observed by a Team that stands on the table unless another is named."""
    unit = next(
        unit for unit in units_of(game.state, "red") if sum(bool(t.kind.artillery) for t in unit.teams.values()) > 1
    )
    guns = [name for name, team in unit.teams.items() if team.kind.artillery]
    return Mission(unit.id, "red", observer or guns[0], guns, smoke=smoke)


def missions(game: Game[State], seat: str) -> float:
    return WORTH.weigh(game, seat)["missions"]


def test_a_barrage_that_has_been_called_for_is_worth_something_to_whoever_called_it() -> None:
    game = steppe()
    assert missions(game, "red") == 0.0
    game.state.missions = [called(game)]
    assert missions(game, "red") > 0.5
    assert missions(game, "blue") == pytest.approx(-missions(game, "red"))


def test_fire_that_nobody_observes_is_worth_nothing() -> None:
    game = steppe()
    game.state.missions = [called(game, observer="nobody")]
    assert missions(game, "red") == 0.0


def test_smoke_is_worth_what_it_keeps_from_being_shot_at() -> None:
    game = steppe()
    game.state.missions = [called(game, smoke=True)]
    watched = missions(game, "red")
    assert watched > 0.0
    for unit in units_of(game.state, "blue"):
        for team in unit.teams.values():
            team.suppressed = True
    assert missions(game, "red") == 0.0


def test_a_unit_that_a_check_has_brought_in_is_no_longer_kept_back() -> None:
    state = steppe().state
    assert kept_back(state, "blue") == 0.0
    one, two, *_ = [unit for unit in units_of(state, "blue") if unit.vehicles]
    for unit in (one, two):
        for team in unit.teams.values():
            team.where, team.at = "reserve", None
    both = kept_back(state, "blue")
    state.phase = "reinforce"
    left = kept_back(state, "blue")
    assert 0.0 < left < both
