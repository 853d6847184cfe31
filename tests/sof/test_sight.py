"""Who sees whom, as wounds and moves change it."""

from __future__ import annotations

import pytest

from sandtable import rulesets
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.game import Game
from sandtable.rulesets.sof.core.board import Battle, place, sees
from sandtable.rulesets.sof.core.state import Figure, Setup, Table, Unit
from sandtable.table.terrain import Feature


def squad(side: str, *spots: tuple[float, float]) -> Unit:
    figures = {f"{side}-{number}": Figure("bolt-action-rifle", at=at) for number, at in enumerate(spots)}
    return Unit(side, "regular", figures, formations=("loose",))  # type: ignore[arg-type]


@pytest.mark.rule("sof.shooting.visibility-unit")
def test_a_unit_sees_with_its_able_figures_where_they_stand_now() -> None:
    hill = Feature("ridge", "low-ridge", [(8.0, 10.0), (16.0, 10.0), (16.0, 14.0), (8.0, 14.0)])
    units = {"red": squad("red", (10.0, 6.0), (22.0, 6.0)), "blue": squad("blue", (12.0, 20.0))}
    game: Battle = Game(rulesets.load("sof"), Setup(Table(40.0, 30.0), units, terrain=[hill]), ScriptedDice([]))
    red, blue = game.state.units["red"], game.state.units["blue"]
    behind, beside = red.teams["red-0"], red.teams["red-1"]
    assert sees(game, red, blue)
    assert sees(game, blue, red)
    beside.wounds = 1
    assert not sees(game, red, blue)
    assert sees(game, blue, red)
    place(game, behind, 22.0, 8.0)
    assert sees(game, red, blue)
