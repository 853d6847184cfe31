"""Pieces as rows: who stands where, how far apart, and whether there is room for one more."""

from __future__ import annotations

import math

import msgspec
import pytest

from sandtable.field.board import Board, set_pose
from sandtable.field.invariants import bases_astray, board_astray, names_astray
from sandtable.table.shapes import Footprint, Place, X, bodies
from sandtable.table.terrain import Terrain

BASE = Footprint(2.0, 1.0)


class Stand(msgspec.Struct):
    id: str


class Platoon(msgspec.Struct):
    id: str
    teams: dict[str, Stand]


class Lawn:
    terrain = Terrain([], 48.0, 36.0)
    width = 48.0
    depth = 36.0


ONE, TWO, THREE = Stand("one"), Stand("two"), Stand("three")


def a_board(*places: tuple[float, float]) -> Board:
    names = ["one", "two", "three"][: len(places)]
    rows = bodies((BASE, Place(x, y)) for x, y in places)
    return Board(rows, {name: number for number, name in enumerate(names)})


def test_gaps_are_measured_from_base_to_base() -> None:
    here = a_board((10, 10), (15, 10), (10, 20))
    # Bases of two inches by one: five inches between their middles are three between them, ten are nine.
    assert here.gap([ONE], [TWO]) == pytest.approx(3.0)
    assert here.gaps([ONE], [TWO, THREE]).tolist() == [[pytest.approx(3.0), pytest.approx(9.0)]]
    assert here.gap([ONE, TWO], [THREE]) == pytest.approx(9.0)
    assert here.gap([], [THREE]) == math.inf


def test_rows_are_copies() -> None:
    here = a_board((10, 10), (15, 10))
    here.of([ONE])[0, X] = 99.0
    here.all_but([TWO])[0, X] = 99.0
    assert here.rows[0, X] == 10.0


def test_everybody_else_comes_in_the_order_of_the_rows() -> None:
    here = a_board((10, 10), (15, 10), (10, 20))
    here.index = {"three": 2, "one": 0, "two": 1}
    assert here.numbers_but([ONE]) == [1, 2]


def test_whoever_is_lifted_is_out_of_reach_and_in_nobody_s_way() -> None:
    here = a_board((10, 10), (15, 10))
    assert here.lift(TWO) == 1
    assert list(here.index) == ["one"]
    row = bodies([(BASE, Place(15, 10))])
    assert here.has_room(row, Lawn())
    assert measure_far(here) > 1000


def measure_far(here: Board) -> float:
    return abs(float(here.rows[1, X] - here.rows[0, X]))


def test_room_ends_at_other_bases_and_at_the_edge() -> None:
    here = a_board((10, 10))
    assert here.has_room(bodies([(BASE, Place(12, 10))]), Lawn())
    assert not here.has_room(bodies([(BASE, Place(11.9, 10))]), Lawn())
    assert here.has_room(bodies([(BASE, Place(11.9, 10))]), Lawn(), ignoring=[ONE])
    assert here.has_room(bodies([(BASE, Place(1, 5))]), Lawn())
    assert not here.has_room(bodies([(BASE, Place(0.9, 5))]), Lawn())


def test_a_board_that_differs_from_the_state_is_found_out() -> None:
    fresh = a_board((10, 10), (15, 10))
    assert list(board_astray(None, fresh)) == []
    assert list(board_astray(a_board((10, 10), (15, 10)), fresh)) == []
    moved = a_board((10, 10), (15, 11))
    assert list(board_astray(moved, fresh)) == ["two: the board does not stand where the state says"]
    assert list(board_astray(a_board((10, 10)), fresh)) == ["two: the board does not know it"]
    kept = a_board((10, 10), (15, 10), (20, 10))
    assert list(board_astray(kept, fresh)) == ["three: the board keeps it although it is gone"]


def test_bases_on_one_another_and_off_the_table_are_found_out() -> None:
    assert list(bases_astray(a_board((10, 10), (12, 10)), Lawn())) == []
    assert list(bases_astray(a_board((10, 10), (11, 10)), Lawn())) == ["one and two overlap"]
    assert list(bases_astray(a_board((10, 10), (48, 10)), Lawn())) == ["two is off the table"]
    assert list(bases_astray(Board(bodies([(BASE, Place(48, 10))]), {}), Lawn())) == []


def test_names_must_be_those_they_are_kept_under() -> None:
    units = {"a": Platoon("a", {"one": ONE}), "b": Platoon("c", {"one": TWO}), "d": Platoon("d", {})}
    assert list(names_astray(units)) == ["b is misnamed", "one is misnamed", "d has no Teams"]


def test_who_is_near_is_told_by_base() -> None:
    here = a_board((10, 10), (15, 10), (10, 20))
    assert here.near(ONE, [TWO, THREE], 3.0) == [TWO]
    assert here.near(ONE, [TWO, THREE], 9.0) == [TWO, THREE]
    assert here.near(ONE, [Stand("gone")], 99.0) == []
    assert here.near(Stand("gone"), [ONE, TWO], 99.0) == []


def test_a_pose_is_stored_in_hundredths_and_tenths() -> None:
    piece = Piece((1.0, 1.0), 90.0)
    set_pose(piece, 2.0049, 3.0)
    assert (piece.at, piece.facing) == ((2.0, 3.0), 90.0)
    set_pose(piece, 2.0, 3.0, 360.04)
    assert piece.facing == 0.0


class Piece(msgspec.Struct):
    at: tuple[float, float] | None
    facing: float
