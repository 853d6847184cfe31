"""Losses that end the battle."""

from __future__ import annotations

import pytest

from sandtable import rulesets
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.field.reckoning import BattleOver
from sandtable.rulesets.hof.core.acts import Losses
from sandtable.rulesets.hof.core.state import State, units_of
from sandtable.rulesets.hof.morale.morale import settle

HOF = rulesets.load("hof")


@pytest.mark.rule("hof.battle.rout")
def test_a_rout_amid_losses_leaves_no_empty_unit() -> None:
    game: Game[State] = Game(HOF, HOF.scenario("patrol"), SeededDice(1))
    # Given a force beyond its Break Limit that loses two Units at once,
    company = game.state.companies["blue"]
    company.break_points = company.break_limit + 1
    losses = Losses()
    for unit in units_of(game.state, "blue")[:2]:
        losses.teams += [(unit, team) for team in unit.teams.values()]
        unit.teams.clear()
    # when the loss of the first makes it rout,
    with pytest.raises(BattleOver):
        next(settle(game, losses))
    # then nothing is left of the second either.
    assert all(unit.teams for unit in game.state.units.values())
