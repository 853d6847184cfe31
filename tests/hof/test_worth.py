"""What a position is worth: what has been set going, and what is still kept back, counts."""

from __future__ import annotations

import pytest

from sandtable import rulesets
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.engine.ruleset import Result
from sandtable.rulesets.hof.core.state import Mission, State, Unit, units_of
from sandtable.rulesets.hof.page.worth import (
    AFTERMATH,
    LIVES,
    ROUTED,
    WORTH,
    about_to_break,
    how_many_die,
    kept_back,
    out_of_command,
)


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


def rifles(game: Game[State]) -> Unit:
    """Red's Infantry, of whom one more than half are left."""
    unit = next(unit for unit in units_of(game.state, "red") if unit.led and not unit.off_board)
    counted = [team.id for team in unit.teams.values() if not team.kind.small and not team.kind.transport]
    unit.starting = len(counted)
    for name in counted[: (len(counted) - 1) // 2]:
        del unit.teams[name]
    game.scratch = None
    return unit


def fighters(unit: Unit) -> list[str]:
    return [team.id for team in unit.teams.values() if not team.kind.small and not team.kind.transport]


def test_a_unit_that_the_next_loss_could_break_is_worth_less_as_soon_as_it_is_under_fire() -> None:
    """Else it would cost nothing to leave it under fire, and much to have it act."""
    game = steppe()
    unit = rifles(game)
    team = unit.teams[fighters(unit)[0]]
    assert about_to_break(game.state, unit) == 0.0
    unit.starting = 2 * len(fighters(unit))
    team.rfps = 1
    once = about_to_break(game.state, unit)
    team.rfps = 2
    assert 0.0 < once < about_to_break(game.state, unit)
    unit.starting = len(fighters(unit))
    assert about_to_break(game.state, unit) == 0.0


def test_above_its_break_limit_a_force_has_all_to_lose_by_a_check() -> None:
    game = steppe()
    unit = rifles(game)
    unit.starting = 2 * len(fighters(unit))
    unit.teams[fighters(unit)[0]].rfps = 1
    company = game.state.companies["red"]
    company.break_points = company.break_limit + 1
    assert about_to_break(game.state, unit) == pytest.approx((1.0 - LIVES) * ROUTED)


def test_how_many_die_under_fire_is_reckoned_team_by_team() -> None:
    game = steppe()
    unit = rifles(game)
    one, two = (unit.teams[name] for name in fighters(unit)[:2])
    one.rfps = two.rfps = 1
    assert how_many_die([one, two]) == pytest.approx([(4 / 6) ** 2, 2 * 4 / 6 * 2 / 6, (2 / 6) ** 2])
    one.dug_in = True
    assert how_many_die([one, two])[2] == pytest.approx(1 / 6 * 2 / 6)


def test_of_two_foot_teams_the_loss_of_one_is_that_of_the_unit() -> None:
    """Exactly half is not below half, but whoever is left alone is lost without a roll (hof.morale.last-team)."""
    game = steppe()
    unit = rifles(game)
    for name in fighters(unit)[2:]:
        del unit.teams[name]
    one, two = (unit.teams[name] for name in fighters(unit))
    unit.starting = 2
    one.rfps = 1
    alone = about_to_break(game.state, unit)
    assert alone > (1.0 - LIVES) * AFTERMATH
    unit.starting = 4
    assert about_to_break(game.state, unit) == pytest.approx(alone)
    two.rfps = 1
    assert about_to_break(game.state, unit) > alone


def test_teams_out_of_their_leaders_sight_are_out_of_command() -> None:
    """Without a Leader all of them are."""
    game = steppe()
    unit = rifles(game)
    before = WORTH.weigh(game, "red")["command"]
    assert out_of_command(game, unit) == 0
    assert unit.leader is not None
    del unit.teams[unit.leader.id]
    game.scratch = None
    alone = out_of_command(game, unit)
    assert alone >= len(fighters(unit))
    assert WORTH.weigh(game, "red")["command"] == before - alone


def test_a_battle_that_is_won_is_worth_more_than_one_that_goes_on_and_not_beyond_all_measure() -> None:
    """A chance of one in six is worth some losses, but not the company."""
    game = steppe()
    goes_on = WORTH(game, "red")
    game.state.result, game.state.phase = Result("red", "blue routs", "hof.battle.rout"), "over"
    won = WORTH(game, "red")
    assert goes_on + 20.0 < won < goes_on + 50.0
