"""Units of pieces as any game keeps them: begun from a set-up, checked, put on a board, moved and shown."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pytest

from sandtable.engine.cards import Fact, TeamCard
from sandtable.engine.numbers import Whole
from sandtable.engine.questions import Refusal
from sandtable.field import courses, set_ups, showing, sightlines
from sandtable.field.board import Board
from sandtable.field.invariants import astray
from sandtable.field.reckoning import not_deployed
from sandtable.field.rosters import Heading, roster
from sandtable.field.showing import Face
from sandtable.field.sightlines import Watcher, where_it_looks
from sandtable.field.troops import Point, Table
from sandtable.table.scene import Badge
from sandtable.table.shapes import Floats, Footprint, Mask, Place, X, Y, body
from sandtable.table.sight import BARRIER, Opacity
from sandtable.table.terrain import Feature, Terrain


class Kind(msgspec.Struct, frozen=True):
    base: Footprint = Footprint(1.0, 1.0)


class Stand(msgspec.Struct):
    at: Point | None
    profile: str = "rifle"
    id: str = ""
    facing: float = 0.0

    @property
    def kind(self) -> Kind:
        return Kind()


class Platoon(msgspec.Struct):
    side: str
    name: str
    teams: dict[str, Stand]
    id: str = ""


class Battle(msgspec.Struct):
    units: dict[str, Platoon]
    table: Table = Table(24.0, 24.0)
    terrain: list[Feature] = []


class Lawn:
    terrain = Terrain([], 24.0, 24.0)
    width = 24.0
    depth = 24.0


def a_battle() -> Battle:
    first = Platoon("red", "First", {"one": Stand((10.0, 10.0)), "two": Stand((12.0, 10.0))})
    second = Platoon("blue", "Second", {"three": Stand((10.0, 20.0)), "four": Stand(None)})
    return Battle({"first": first, "second": second})


def test_a_sound_battle_has_nothing_amiss_and_an_unsound_one_says_where() -> None:
    battle = a_battle()
    assert list(set_ups.battle_amiss(battle, {}, ["rifle"])) == []
    battle.units["first"].teams["two"].at = (10.5, 10.0)
    battle.terrain.append(Feature("marsh", "marsh", [(0, 0), (1, 0), (1, 1)]))
    del battle.units["second"]
    places = [steps for steps, _ in set_ups.battle_amiss(battle, {"wood": "area"}, ["rifle"])]
    assert places == [("terrain", 0, "kind"), ("units", "first", "teams", "two", "at"), ("units",)]


def test_a_battle_between_companies_is_asked_about_ground_rounds_troops_and_companies() -> None:
    class Company(msgspec.Struct):
        began: Whole = 0

    class Engagement(Battle, kw_only=True):
        zones: dict[str, list[Point]] = {}
        objectives: dict[str, Any] = {}
        companies: dict[str, Company] = {}
        rounds: int = 6
        round: int = 1

    battle = Engagement(**msgspec.structs.asdict(a_battle()))
    now = {"red": 1, "blue": 1}
    assert list(set_ups.engagement_amiss(battle, {}, ["rifle"], "began", now)) == []
    battle.zones = {"green": [(0, 0), (1, 0), (1, 1)]}
    battle.round = 7
    battle.units["first"].teams["two"].profile = "spear"
    battle.companies = {"green": Company()}
    places = [steps for steps, _ in set_ups.engagement_amiss(battle, {}, ["rifle"], "began", now)]
    assert places == [
        ("zones", "green"),
        ("round",),
        ("units", "first", "teams", "two", "profile"),
        ("companies", "green"),
    ]


def test_units_begin_as_copies_with_their_names() -> None:
    battle = a_battle()
    units = set_ups.begun(battle.units)
    assert (units["first"].id, units["first"].teams["two"].id) == ("first", "two")
    units["first"].teams["two"].at = (1.0, 1.0)
    assert battle.units["first"].teams["two"] == Stand((12.0, 10.0))


def a_board() -> tuple[Board, list[Stand]]:
    stands = [stand for unit in set_ups.begun(a_battle().units).values() for stand in unit.teams.values()]
    return Board.with_pieces(stands), stands


def test_a_board_holds_who_stands_on_the_table() -> None:
    here, stands = a_board()
    assert list(here.index) == ["one", "two", "three"]
    assert here.gap(stands[:1], stands[1:2]) == pytest.approx(1.0)
    moved = here.at(stands[:2], {"two": (14.0, 11.0)})
    assert moved[:, X : Y + 1].tolist() == [[10.0, 10.0], [14.0, 11.0]]
    assert here.rows[1, X] == 12.0


@pytest.mark.parametrize(
    ("to", "words"),
    [((14.0, 10.0), ""), ((23.8, 10.0), "TWO would be off the table"), ((10.0, 19.5), "TWO would stand on THREE")],
)
def test_bases_end_on_the_table_and_on_nobody_else(to: Point, words: str) -> None:
    here, stands = a_board()
    ends = here.at(stands[:2], {"two": to})
    refused = courses.refuse_ends(here, Lawn(), stands[:2], ends, str.upper, "toy.move.room")
    assert (refused is None) == (words == "")
    if refused is not None:
        assert isinstance(refused, Refusal)
        assert refused.message.startswith(words)
        assert (refused.rule, refused.field) == ("toy.move.room", "two")


def card(name: str, stand: Stand) -> TeamCard:
    return TeamCard(name, name.upper(), stand.profile, where="" if stand.at else "in reserve")


def heading(unit: Platoon) -> Heading:
    return Heading(unit.name, "Green", badges=(Badge("T", "tired"),), own=(Badge("L", "without a leader"),))


def a_battle_with_losses() -> tuple[dict[str, Platoon], dict[str, Platoon]]:
    before = a_battle().units
    now = set_ups.begun(before)
    del now["first"], now["second"].teams["three"]
    return before, now


def test_cards_tell_who_is_left_and_who_is_lost_ones_own_first() -> None:
    second, first = roster(*a_battle_with_losses(), "blue", heading, card)
    assert (second.id, second.note, second.strength) == ("second", "Green", (1, 2))
    assert [badge.icon for badge in second.badges] == ["T", "L"]
    assert [(team.name, team.where, team.lost) for team in second.teams] == [
        ("FOUR", "in reserve", False),
        ("THREE", "", True),
    ]
    assert (first.strength, first.badges) == ((0, 2), ())


def test_of_an_enemy_only_what_is_shown_is_on_the_roster() -> None:
    before, now = a_battle_with_losses()
    now["first"] = set_ups.begun(before)["first"]
    now["first"].teams["two"].at = None
    (first,) = roster(before, now, "red", heading, card, shown=lambda stand: stand.at is not None)
    assert [(team.name, team.lost) for team in first.teams] == [("ONE", False), ("TWO", False)]
    assert first.strength == (2, 2)
    watched = roster(before, now, None, heading, card, shown=lambda stand: stand.at is not None)
    assert [(unit.id, unit.strength, len(unit.badges)) for unit in watched] == [("first", (1, 0), 1)]


def test_not_everybody_counts_for_the_strength_and_a_unit_may_have_come_later() -> None:
    _, now = a_battle_with_losses()
    (late,) = roster({}, now, "blue", lambda unit: Heading("", starting=5), card, counts=lambda stand: False)
    assert (late.name, late.strength) == ("second", (0, 5))


def test_bases_are_drawn_for_whoever_stands_on_the_table() -> None:
    units = set_ups.begun(a_battle().units)
    members = [(unit, stand) for unit in units.values() for stand in unit.teams.values()]
    tired = (Badge("T", "tired"),)
    drawn = showing.pieces(
        members, lambda unit, stand: Face(stand.id.upper(), unit.name, "infantry", tired, "green", "PL", 90.0, 1, 45.0)
    )
    assert [piece.id for piece in drawn] == ["one", "two", "three"]
    assert (drawn[2].side, drawn[2].unit, drawn[2].label) == ("blue", "second", "Second")
    assert drawn[2].title == "THREE, Second (green): tired"
    assert (drawn[2].kind, drawn[2].leader, drawn[2].arc, drawn[2].badges) == ("infantry", "PL", 90.0, tired)
    assert drawn[0].place == Place(10.0, 10.0, 0.0, 1, 45.0)
    plain = showing.pieces(members, lambda unit, stand: Face("Rifle", unit.name, "infantry"))
    assert plain[0].title == "Rifle, First"


def test_units_whose_pieces_wait_for_a_place_are_named_to_their_seat() -> None:
    units = a_battle().units.values()
    (guard,) = not_deployed("blue", units, lambda stand: stand.at is None, lambda unit: unit.name, "toy.deploy", True)
    assert (guard.seat, guard.message, guard.rule) == ("blue", "Second is not deployed yet.", "toy.deploy")
    assert guard.stops


def test_what_holds_in_every_game_is_looked_at_together() -> None:
    units = set_ups.begun(a_battle().units)
    fresh = Board.with_pieces(stand for unit in units.values() for stand in unit.teams.values())
    assert astray(fresh, fresh, Lawn(), units, over=False) == []
    kept, _ = a_board()
    kept.rows[0, X] = 12.5
    units["second"].teams["four"].id = "five"
    assert astray(kept, fresh, Lawn(), units, over=False) == [
        "one: the board does not stand where the state says",
        "four is misnamed",
    ]
    crowded = Board.with_pieces([Stand((10.0, 10.0), id="one"), Stand((10.5, 10.0), id="two")])
    assert astray(None, crowded, Lawn(), {}, over=False) == ["one and two overlap"]
    assert astray(None, crowded, Lawn(), {}, over=True) == []


def watching(game: None, seat: str | None, piece: str, place: Place | None) -> Watcher | None:
    """Whoever stands on a lawn with a hedge across it sees what is south of 15 inches."""
    here, stands = a_board()
    if piece not in here.index:
        return None

    def sees(watchers: Floats, targets: Floats) -> Mask:
        found: Mask = targets[None, :, Y] < 15.0
        return found

    hedge = Feature("hedge", "hedge", [(0, 15), (24, 15)], closed=False, height=3.0)
    terrain = Terrain([hedge], 24.0, 24.0)
    at = where_it_looks(stands[0], place)
    row = body(Kind().base, at)
    barrier, reaches = Opacity([BARRIER]), [("Rifle", 8.0, 8.0)]
    return Watcher(piece, row, at, here, terrain, sees, barrier, "toy.sight", reaches, 90.0, [Fact("Hedge", "cover")])


def test_an_outlook_asks_the_ruleset_s_own_sight() -> None:
    found = sightlines.outlook(watching, None, "red", "one", None)
    assert found is not None
    assert (found.at, found.facing, found.arc) == ((10.0, 10.0), 0.0, 90.0)
    assert found.seen == ("two",)
    assert found.rows == ("1" * 24,) * 15 + ("0" * 24,) * 9
    assert found.rings == ((8.5, "Rifle 8″"),)
    assert [note.name for note in found.notes] == ["Hedge"]
    planned = sightlines.outlook(watching, None, "red", "one", Place(4.0, 5.0, 180.0))
    assert planned is not None
    assert (planned.at, planned.facing) == ((4.0, 5.0), 180.0)
    assert sightlines.outlook(watching, None, "red", "four", None) is None


def test_a_line_from_the_side_names_what_it_crosses_and_what_stops_it() -> None:
    view = sightlines.side_view(watching, None, "red", "one", None, (10.0, 18.0))
    assert view is not None
    assert (view.length, view.eye, view.target, view.clear) == (8.0, 0.0, 0.0, False)
    assert [(each.name, each.start, each.top, each.stops) for each in view.slices] == [("Hedge", 5.0, 3.0, True)]
    assert (view.ground[0], view.ground[-1]) == ((0.0, 0.0), (8.0, 0.0))
    assert [(note.value, note.rule) for note in view.notes] == [("blocked", "toy.sight")]
    clear = sightlines.side_view(watching, None, "red", "one", None, (10.0, 14.0))
    assert clear is not None
    assert (clear.clear, clear.slices, clear.notes[0].value) == (True, (), "clear")
    assert sightlines.side_view(watching, None, "red", "four", None, (10.0, 14.0)) is None


def test_underfoot_is_what_one_stands_in_and_the_lines_that_one_touches() -> None:
    wood = Feature("wood", "wood", [(0, 0), (6, 0), (6, 6), (0, 6)])
    hedge = Feature("hedge", "hedge", [(4, 0), (4, 6)], closed=False)
    terrain = Terrain([wood, hedge], 24.0, 24.0)
    lines = np.array([False, True])
    assert sightlines.underfoot(terrain, body(Kind().base, Place(3.45, 3.0)), lines, 0.1) == [0, 1]
    assert sightlines.underfoot(terrain, body(Kind().base, Place(2.0, 3.0)), lines, 0.1) == [0]
    assert sightlines.underfoot(terrain, body(Kind().base, Place(9.0, 3.0)), lines, 0.1) == []


def test_no_number_of_a_company_is_below_nothing() -> None:
    class Company(msgspec.Struct):
        began: Whole = 0
        points: Whole = 0
        name: str = ""
        share: float = -1.0

    companies = {"red": Company(began=2, points=-1), "blue": Company(began=5), "green": Company()}
    found = dict(set_ups.companies_amiss(companies, "began", {"red": 3, "blue": 4}))
    assert list(found) == [
        ("companies", "green"),
        ("companies", "red", "points"),
        ("companies", "red", "began"),
    ]
    assert found["companies", "red", "began"].startswith("it began with no fewer Units")
