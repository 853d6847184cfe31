"""Where a Team is judged that has not gone there yet."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from sandtable import rulesets
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.engine.questions import Step
from sandtable.field.courses import end_rows
from sandtable.rulesets.tr14.core.board import board, place
from sandtable.rulesets.tr14.core.state import Setup, all_teams


@pytest.mark.parametrize("facing", [30.0, 90.0, 137.3, 180.0, 315.0])
def test_a_base_is_judged_exactly_as_it_will_stand(facing: float) -> None:
    tank = {"profile": "m4-sherman", "role": "pl", "at": [10, 10]}
    foe = {"profile": "rifle", "role": "pl", "at": [40, 40]}
    setup = {
        "table": {"width": 48, "depth": 48},
        "phase": "activate",
        "initiative": "red",
        "units": {
            "ours": {"side": "red", "training": "veteran", "teams": {"t-1": tank}},
            "theirs": {"side": "blue", "training": "veteran", "teams": {"x-1": foe}},
        },
    }
    game: Game[Any] = Game(rulesets.load("tr14"), msgspec.convert(setup, Setup), SeededDice(1))
    _, team = next(all_teams(game.state))
    (before,) = end_rows(board(game), [team], {team.id: Step((20.0, 20.0), facing)})
    place(game, team, 20.0, 20.0, facing)
    assert board(game).of([team])[0].tolist() == before.tolist()
