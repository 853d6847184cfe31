"""What a seat is told of a moment: its own side wholly, the enemy as far as he has shown himself."""

from __future__ import annotations

from sandtable import rulesets
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.rulesets.hof.core.state import Company, Mission, Setup, State, Table, Team, Unit
from sandtable.rulesets.hof.page.views import told

HOF = rulesets.load("hof")


def battle() -> Game[State]:
    """Red's mortars have lost a gun since they were called; blue's battery waits off the table."""
    mortars = {f"m-{n}": Team("us-m1-81mm-mortar", at=(10.0 + 3 * n, 6.0)) for n in (1, 2)}
    guns = {f"g-{n}": Team("german-10-5cm-lefh18-gun", where="off-board") for n in (1, 2)}
    units = {
        "mortars": Unit("red", {"m-pl": Team("leader", role="pl", at=(10.0, 4.0)), **mortars}, starting=3),
        "guns": Unit("blue", {"o-1": Team("observer", role="fo", at=(20.0, 40.0)), **guns}, off_board=True),
    }
    missions = [
        Mission("mortars", "red", "m-pl", ["m-1", "m-2", "m-3"], "ranging", point=(30.0, 30.0)),
        Mission("guns", "blue", "o-1", ["g-1", "g-2"], "ranging", point=(12.0, 8.0)),
    ]
    companies = {"red": Company(order_points=2, turns=2), "blue": Company(turns=2)}
    setup = Setup(table=Table(48, 48), units=units, companies=companies, missions=missions, phase="orders")
    return Game(HOF, setup, SeededDice(1))


def test_a_mission_that_has_lost_a_gun_is_told_to_its_owner() -> None:
    known = told(battle(), "red")
    assert [each.unit for each in known.missions] == ["mortars"]
    assert sorted(known.units["guns"].teams) == ["o-1"]


def test_a_watcher_is_told_of_neither_sides_hidden_guns() -> None:
    known = told(battle(), None)
    assert [each.unit for each in known.missions] == ["mortars"]
    assert known.companies["red"].hero_points == known.companies["blue"].hero_points == 6


def test_whoever_may_sustain_a_barrage_is_told_where_it_lies() -> None:
    guns = {f"g-{n}": Team("german-10-5cm-lefh18-gun", where="off-board") for n in (1, 2)}
    units = {
        "rifles": Unit("red", {"r-1": Team("rifle", at=(10.0, 4.0))}),
        "guns": Unit("blue", {"o-1": Team("observer", role="fo", at=(20.0, 40.0)), **guns}, off_board=True),
    }
    barrage = Mission("guns", "blue", "o-1", ["g-1", "g-2"], "barrage", point=(30.0, 20.0), at=(31.5, 20.0))
    setup = Setup(table=Table(48, 48), units=units, missions=[barrage], phase="orders", active="red")
    game: Game[State] = Game(HOF, setup, SeededDice(1))
    assert game.answer("end") is None
    assert game.ask is not None
    assert (game.ask.seat, game.ask.question.topic) == ("blue", "sustain")
    assert game.ask.question.facts == {"unit": "guns", "at": [31.5, 20.0]}
