"""What the rules of orders leave to the players: all may be measured, and Units are average unless they say more."""

from __future__ import annotations

import pytest

from sandtable import rulesets
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.rulesets.hof.core.state import Company, Objective, Setup, State, Table, Team, Unit, all_teams
from sandtable.table.terrain import Feature

HOF = rulesets.load("hof")


def small_battle() -> Game[State]:
    red = Unit("red", {"r-pl": Team("leader", role="pl", at=(10, 10)), "r-1": Team("rifle", at=(12, 10))})
    blue = Unit("blue", {"b-pl": Team("leader", role="pl", at=(10, 30)), "b-1": Team("rifle", at=(12, 30))})
    return Game(HOF, Setup(table=Table(48, 48), units={"red": red, "blue": blue}, phase="orders"), SeededDice(1))


@pytest.mark.rule("hof.orders.premeasure")
def test_both_players_know_where_every_team_on_the_table_stands() -> None:
    game = small_battle()
    for seat in ("red", "blue"):
        units = game.view(seat)["table"]["units"]
        for unit, team in all_teams(game.state):
            shown = units[unit.id]["teams"][team.id]
            assert tuple(shown["at"]) == team.at
    assert game.ask is not None
    assert "hof.orders.premeasure" in game.ask.question.rules


@pytest.mark.rule("hof.orders.quality-default")
def test_a_unit_is_average_unless_it_says_more() -> None:
    assert {unit.quality for unit in small_battle().state.units.values()} == {"average"}


@pytest.mark.rule("hof.activation.pl-brings-unit")
def test_of_a_leader_whom_nobody_follows_it_is_said_before_anything_is_paid() -> None:
    # Given a Leader behind a wood, out of sight of his only Team.
    red = Unit("red", {"r-pl": Team("leader", role="pl", at=(10, 10)), "r-1": Team("rifle", at=(20, 10))})
    company = Company(order_points=1)
    wood = Feature("wood", "wood", [(14, 5), (16, 5), (16, 15), (14, 15)])

    def said(terrain: list[Feature]) -> str:
        setup = Setup(
            table=Table(48, 48), units={"red": red}, phase="orders", terrain=terrain, companies={"red": company}
        )
        game = Game(HOF, setup, SeededDice(1))
        assert game.ask is not None
        labels: dict[str, str] = {each["id"]: each["label"] for each in game.ask.question.describe()["options"]}
        return labels["r-pl"]

    assert said([wood]) == "Platoon Leader, red: nobody follows him"
    assert said([]) == "Platoon Leader, red"


@pytest.mark.parametrize(
    ("up", "holder", "points", "first"),
    [(34, "", 1, "reveal"), (34, "", 0, "end"), (34, "red", 1, "end"), (12, "", 1, "end"), (34, "blue", 1, "reveal")],
)
def test_an_ambush_is_proposed_when_the_enemy_comes_near_to_a_place(
    up: float, holder: str, points: int, first: str
) -> None:
    # Given a platoon of blue that waits out of sight, and a mill that may be taken.
    blue = Unit("blue", {"b-pl": Team("leader", role="pl", where="hidden"), "b-1": Team("rifle", where="hidden")})
    red = Unit("red", {"r-1": Team("rifle", at=(24, up))})
    setup = Setup(
        table=Table(48, 48),
        units={"red": red, "blue": blue},
        phase="orders",
        active="blue",
        objectives={"mill": Objective((24, 44), "The mill", holder=holder)},
        companies={"blue": Company(order_points=points)},
    )
    game = Game(HOF, setup, SeededDice(1))
    assert game.ask is not None
    assert game.ask.question.topic == "activate"
    assert game.ask.question.candidates(1) == [first]
