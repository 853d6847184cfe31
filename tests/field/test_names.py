"""Names of units and teams: whose they are is said, and said once."""

from __future__ import annotations

import msgspec
import pytest

from sandtable.engine.dice import Throw
from sandtable.engine.tokens import plain
from sandtable.field.checks import Check
from sandtable.field.names import TeamNames, label, of_unit, unit_option
from sandtable.field.troops import Point, Ranks, numbered
from sandtable.table.shapes import Footprint


class Based(msgspec.Struct, frozen=True):
    base: Footprint = Footprint(1.0, 1.0)


class Team(msgspec.Struct):
    id: str
    role: str = ""
    profile: str = "rifle"
    at: Point | None = None
    facing: float = 0.0
    kind: Based = Based()


class Unit(msgspec.Struct):
    id: str
    side: str
    teams: dict[str, Team]
    name: str = ""


class State(msgspec.Struct):
    units: dict[str, Unit]


NAMES = TeamNames(lambda role, profile, team_id: "Sniper" if role else numbered(profile.capitalize(), team_id))
RANKS = Ranks[Unit, Team]()


@pytest.fixture
def state() -> State:
    rifles = Unit("a", "red", {each: Team(each) for each in ("a-1", "a-2")}, "Rifles")
    sniper = Unit("s", "red", {"s-1": Team("s-1", "sniper")}, "Sniper")
    return State({"a": rifles, "s": sniper, "b": Unit("b", "blue", {"b-1": Team("b-1")})})


def test_a_name_says_whose_it_is_and_leads_to_its_piece(state: State) -> None:
    rifles = state.units["a"]
    team = rifles.teams["a-2"]
    assert plain(label(rifles)) == "Red Rifles"
    assert plain(of_unit(rifles)) == "Rifles"
    assert plain(label(state.units["b"])) == "Blue b", "a unit without a name is called by its id"
    assert plain(NAMES.label(rifles, team)) == plain(NAMES.on("red", team)) == "Red Rifle 2"
    assert plain(NAMES.full_label(rifles, team)) == "Red Rifle 2 of Rifles"
    assert NAMES.full_name(rifles, team) == "Rifle 2, Rifles"
    assert "a-2" in NAMES.label(rifles, team)


def test_one_who_is_a_unit_by_himself_is_named_once(state: State) -> None:
    sniper = state.units["s"]
    assert plain(NAMES.full_label(sniper, sniper.teams["s-1"])) == "Red Sniper"
    assert NAMES.full_name(sniper, sniper.teams["s-1"]) == "Sniper"


def test_a_list_says_side_and_unit_once(state: State) -> None:
    red = list(RANKS.teams_of(state, "red"))
    assert plain(NAMES.listed(red)) == "Red Rifle 1, Rifle 2, Sniper"
    assert plain(NAMES.listed_by_unit(red)) == "Red Rifle 1, Rifle 2 of Rifles; Red Sniper"


def test_options_stand_for_their_pieces(state: State) -> None:
    rifles = state.units["a"]
    team = rifles.teams["a-1"]
    assert unit_option(rifles, " (2)").label == "Rifles (2)"
    assert NAMES.option(rifles, team, "rule").pieces == NAMES.mate_option(team).pieces == ("a-1",)


def test_who_is_who(state: State) -> None:
    assert [unit.id for unit in RANKS.units_of(state, "red")] == ["a", "s"]
    assert [team.id for _, team in RANKS.all_teams(state)] == ["a-1", "a-2", "s-1", "b-1"]
    found = RANKS.find_team(state, "b-1")
    assert found is not None
    assert found[0].id == "b"
    assert RANKS.find_team(state, "c-1") is None


def test_teams_of_one_unit_that_stand_on_the_table(state: State) -> None:
    for number, (_, team) in enumerate(RANKS.all_teams(state)):
        team.at = (5.0 * number, 5.0)
    assert [team.id for _, team in RANKS.on_table(state, "red", ["a-2", "a-1"])] == ["a-2", "a-1"]
    assert RANKS.on_table(state, "blue", ["a-1"]) == [], "it is the other side's"
    assert RANKS.on_table(state, "red", ["a-1", "s-1"]) == [], "these are of two units"
    assert RANKS.on_table(state, "red", ["a-1", "c-1"]) == [], "there is no such team"
    state.units["a"].teams["a-1"].at = None
    assert RANKS.on_table(state, "red", ["a-1", "a-2"]) == [], "one of them is off the table"


def test_a_check_passes_die_by_die() -> None:
    check = Check(Throw("red", "to go on", [2, 5, 4]), 4)
    assert (check.passes, check.passed, check.failed) == (2, True, [0])
    assert not Check(Throw("red", "to go on", [3]), 4).passed
