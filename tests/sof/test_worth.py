"""What a position is worth, for bots that look ahead."""

from __future__ import annotations

import pytest

from sandtable import rulesets
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.game import Game
from sandtable.rulesets.sof.core.board import Battle
from sandtable.rulesets.sof.core.state import Figure, Objective, Setup, Table, Unit
from sandtable.rulesets.sof.page.worth import closeness


@pytest.mark.parametrize(("x", "share"), [(10.0, 1.0), (40.0, 0.5), (None, 0.0)])
def test_who_is_nearer_to_an_objective_stands_better_there_and_off_the_table_not_at_all(
    x: float | None, share: float
) -> None:
    at = None if x is None else (x, 20.0)
    units = {
        "red": Unit("red", "regular", {"man": Figure("bolt-action-rifle", at=at)}, reserve="" if at else "tactical"),
        "blue": Unit("blue", "regular", {"foe": Figure("bolt-action-rifle", at=(60.0, 40.0))}),
    }
    setup = Setup(Table(72.0, 48.0), units, objectives={"hill": Objective((10.0, 20.0))})
    game: Battle = Game(rulesets.load("sof"), setup, ScriptedDice([]))
    assert closeness(game, game.state.units["red"]) == pytest.approx(share)
