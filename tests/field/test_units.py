"""Units of pieces as any game keeps them: begun from a set-up, checked, put on a board, moved and shown."""

from __future__ import annotations

import msgspec
import pytest

from sandtable.engine.questions import Refusal
from sandtable.field import courses, set_ups, showing, sightlines
from sandtable.field.board import Board
from sandtable.field.troops import Point, Table
from sandtable.table.scene import Badge
from sandtable.table.shapes import Footprint, Mask, Place, X, Y, body
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


def test_cards_tell_who_is_left_and_who_is_lost_ones_own_first() -> None:
    before = set_ups.begun(a_battle().units)
    now = set_ups.begun(before)
    del now["first"], now["second"].teams["four"]
    tired = (Badge("T", "tired"),)
    second, first = showing.unit_cards(before, now, "blue", lambda stand: stand.id.upper(), lambda unit: tired)
    assert (second.id, second.strength, second.badges) == ("second", (1, 2), tired)
    assert [(team.name, team.lost) for team in second.teams] == [("THREE", False), ("FOUR", True)]
    assert (first.strength, first.badges) == ((0, 2), ())


def test_bases_are_drawn_for_whoever_stands_on_the_table() -> None:
    units = set_ups.begun(a_battle().units)
    drawn = showing.bases(units, lambda stand: stand.id.upper(), lambda stand: "infantry")
    assert [piece.id for piece in drawn] == ["one", "two", "three"]
    assert (drawn[2].side, drawn[2].unit, drawn[2].title) == ("blue", "second", "THREE, Second")
    assert drawn[0].place == Place(10.0, 10.0)


def test_an_outlook_asks_the_ruleset_s_own_sight() -> None:
    here, stands = a_board()

    def sees(watchers: object, targets: Mask) -> Mask:
        return targets[None, :, Y] < 15.0

    row = body(stands[0].kind.base, Place(10.0, 10.0))
    found = sightlines.outlook(here, Lawn.terrain, "one", row, Place(10.0, 10.0), sees, [("Rifle", 8.0, 8.0)])
    assert found.seen == ("two",)
    assert found.rows == ("1" * 24,) * 15 + ("0" * 24,) * 9
    assert found.rings == ((8.5, "Rifle 8″"),)
