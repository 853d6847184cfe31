"""Who sees whom, as wounds and moves change it."""

from __future__ import annotations

import pytest

from sandtable import rulesets
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.game import Game
from sandtable.rulesets.sof.core.board import Battle, place, sees
from sandtable.rulesets.sof.core.state import Figure, Setup, Table, Unit
from sandtable.rulesets.sof.shooting import firers, status_of
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


def watched(*terrain: Feature, watcher: tuple[float, float] = (12.0, 6.0)) -> Battle:
    """Two men, one north of the other, and what stands between them."""
    units = {"red": squad("red", watcher), "blue": squad("blue", (12.0, 20.0))}
    return Game(rulesets.load("sof"), Setup(Table(40.0, 30.0), units, terrain=list(terrain)), ScriptedDice([]))


def red_sees_blue(game: Battle) -> bool:
    return sees(game, game.state.units["red"], game.state.units["blue"])


@pytest.mark.rule("sof.terrain-tall-obstacle.height")
def test_one_looks_over_a_stone_wall_and_a_hedge_and_not_over_a_high_wall() -> None:
    line = [(8.0, 13.0), (16.0, 13.0)]
    for kind, over in (("stone-wall", True), ("hedgerow", True), ("high-wall", False)):
        assert red_sees_blue(watched(Feature("obstacle", kind, line, closed=False))) is over
    # Of a height of 1/2 a high wall, too, is looked over; at a height of 1 a stone wall is not.
    assert red_sees_blue(watched(Feature("obstacle", "high-wall", line, closed=False, height=0.5)))
    assert not red_sees_blue(watched(Feature("obstacle", "stone-wall", line, closed=False, height=1.0)))


@pytest.mark.rule("sof.terrain-woods.height")
@pytest.mark.parametrize(
    ("woods", "hill", "conceal"),
    [
        ("woods", "low-hill", True),
        ("woods", "tall-hill", False),
        ("old-growth", "tall-hill", True),
    ],
)
def test_woods_conceal_who_is_in_them_but_from_a_full_level_above(woods: str, hill: str, conceal: bool) -> None:
    copse = Feature("copse", woods, [(8.0, 19.2), (16.0, 19.2), (16.0, 26.0), (8.0, 26.0)])
    rise = Feature("rise", hill, [(8.0, 3.0), (16.0, 3.0), (16.0, 9.0), (8.0, 9.0)])
    game = watched(copse, rise)
    red, blue = game.state.units["red"], game.state.units["blue"]
    firing = firers(game, red, blue, False, True)
    assert firing
    assert status_of(game, blue, firing, False).concealed is conceal
