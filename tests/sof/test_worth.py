"""What a position is worth, for bots that look ahead."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from sandtable import rulesets
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.game import Game
from sandtable.engine.ruleset import Result
from sandtable.rulesets.sof.core.board import Battle, enemies_of
from sandtable.rulesets.sof.core.state import Figure, Objective, Setup, Table, Unit
from sandtable.rulesets.sof.page.worth import closeness, has_a_shot, strength, weigh
from sandtable.table.terrain import Feature


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


def man(x: float, y: float = 20.0, **more: Any) -> Figure:
    return Figure(more.pop("profile", "bolt-action-rifle"), at=(x, y), **more)


def test_leaders_count_for_more_the_wounded_for_less_and_every_marker_takes_its_part_up_to_eight() -> None:
    teams = {
        "lt": man(1.0, role="officer"),
        "nco": man(3.0, role="nco"),
        "rifle": man(5.0),
        "wounded": man(7.0, wounds=1),
    }
    unit = Unit("red", "regular", teams)
    assert strength(unit) == pytest.approx(3.4 + 2.0 + 0.5)
    unit.suppression = 2
    assert strength(unit) == pytest.approx(5.9 * 0.88)
    unit.suppression = 8
    assert strength(unit) == pytest.approx(5.9 * 0.52)
    unit.suppression = 11
    assert strength(unit) == pytest.approx(5.9 * 0.52)


def moment(y: float, **changes: Any) -> Battle:
    """Six men of red 6 inches from an objective, and two of blue some way north of them."""
    units = {
        "ours": Unit("red", "regular", {f"a{n}": man(20.0 + 1.4 * n) for n in range(6)}),
        "theirs": Unit("blue", "regular", {f"b{n}": man(20.0 + 1.4 * n, y) for n in range(2)}),
        "away": Unit("blue", "regular", {"c": Figure("bolt-action-rifle")}, reserve="tactical"),
    }
    setup = Setup(Table(72.0, 72.0), units, objectives={"hill": Objective((20.0, 14.0))}, turn=3)
    return Game(rulesets.load("sof"), msgspec.structs.replace(setup, **changes), ScriptedDice([]))


def test_each_side_is_weighed_by_what_it_has_against_what_the_other_has() -> None:
    game = moment(44.0)
    ours, theirs = weigh(game, "red"), weigh(game, "blue")
    near = 1.0 - 6.0 / 60.0
    # Who is less than four men strong counts for less at an objective.
    assert ours["near"] == pytest.approx(near - (1.0 - 30.0 / 60.0) * 2.0 / 4.0)
    assert ours["strength"] == pytest.approx(6.0 - 2.0 - 1.0)
    assert ours["command"] == 0.0
    assert ours["held"] == pytest.approx(3 / 6)
    assert ours["battle"] == 0.0
    assert theirs == pytest.approx({name: -value for name, value in ours.items()})
    game.state.units["theirs"].in_command = False
    assert weigh(game, "red")["command"] == 1.0
    game.state.result = Result("red", "")
    assert set(weigh(game, "red")) == {"battle"}
    assert weigh(game, "red")["battle"] > 0.0 > weigh(game, "blue")["battle"]


def test_a_shot_is_at_somebody_in_sight_no_more_than_24_inches_away() -> None:
    wall = Feature("wall", "high-wall", [(0.0, 30.0), (72.0, 30.0)], closed=False)
    for y, terrain, shot in ((45.0, [], True), (45.1, [], False), (40.0, [wall], False)):
        game = moment(y, terrain=terrain)
        ours = game.state.units["ours"]
        assert has_a_shot(game, ours, enemies_of(game.state, ours)) == shot


def test_a_target_counts_for_whoever_has_one_and_neither_for_nor_against_whoever_lies_in_ambush() -> None:
    wood = Feature("wood", "woods", [(50.0, 30.0), (60.0, 30.0), (60.0, 40.0), (50.0, 40.0)])
    game = moment(31.0, terrain=[wood])
    theirs = game.state.units["theirs"]
    assert has_a_shot(game, theirs, enemies_of(game.state, theirs))
    # Both have a target.
    assert weigh(game, "red")["fire"] == 0.0
    game.state.units["ours"].ambush = "wood"
    assert weigh(game, "red")["fire"] == 0.0
    game.state.units["ours"].ambush = ""
    game.state.units["theirs"].ambush = "wood"
    assert weigh(game, "red")["fire"] == 0.0
