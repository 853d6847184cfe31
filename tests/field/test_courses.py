"""Ways with corners, and their ends: who has no room stops earlier or steps aside; what is refused on a way."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from sandtable.engine.questions import Refusal, Step
from sandtable.field import courses
from sandtable.field.board import Board
from sandtable.field.courses import (
    Path,
    corners_passed,
    leg_at,
    leg_begins,
    length_of,
    path_of,
    point_at,
    stations,
)
from sandtable.field.troops import Point
from sandtable.table.shapes import COS, Floats, Footprint, Place, X, Y, bodies
from sandtable.table.terrain import Terrain

BASE = Footprint(1.0, 1.0)


class Lawn:
    terrain = Terrain([], 48.0, 36.0)
    width = 48.0
    depth = 36.0


class Kind(msgspec.Struct, frozen=True):
    base: Footprint = BASE


class Stand(msgspec.Struct):
    id: str
    at: Point
    facing: float = 0.0
    kind: Kind = Kind()


Walk = courses.Course[str, Stand]


def table(*stands: Stand) -> Board:
    rows = bodies((BASE, Place(*stand.at)) for stand in stands)
    return Board(rows, {stand.id: number for number, stand in enumerate(stands)})


def walk(stand: Stand, *to: Point) -> Walk:
    path = [stand.at, *to]
    return Walk("unit", stand, path, length_of(path), None)


def test_a_course_ends_where_it_is_cut_and_faces_as_was_told_or_as_before() -> None:
    one = Stand("one", (5, 5), facing=90.0)
    going = walk(one, (5, 10), (8, 10))
    here = table(one)
    assert (going.start, going.end) == ((5, 5), (8, 10))
    assert going.faces() == 90.0
    assert going.shorten(4.0)
    assert going.end == (5, 9)
    going.facing = 180.0
    assert going.row(here)[[X, Y, COS]].tolist() == [5.0, 9.0, -1.0]
    assert going.shorten(5.0)
    assert going.end == going.start
    assert not going.shorten(1.0), "it has not left its place"
    going.stand_at((7, 7))
    assert going.end == (7, 7)


def test_whoever_has_room_goes_all_the_way() -> None:
    one, two = Stand("one", (5, 5)), Stand("two", (10, 5))
    going = [walk(one, (5, 10)), walk(two, (10, 10))]
    courses.untangle(table(one, two), Lawn(), going)
    assert [each.length for each in going] == [5.0, 5.0]


def test_whoever_would_end_on_a_base_stops_before_it() -> None:
    one, two = Stand("one", (5, 5)), Stand("two", (10, 5))
    going = [walk(one, (10, 5))]
    courses.untangle(table(one, two), Lawn(), going)
    # Four inches on, their bases touch.
    assert going[0].length == 4.0


def test_who_comes_least_far_has_the_first_right_and_who_was_stopped_before_all() -> None:
    one, two = Stand("one", (5, 5)), Stand("two", (10, 5))
    near, far = walk(one, (6.5, 5)), walk(two, (6.5, 5))
    courses.untangle(table(one, two), Lawn(), [far, near])
    assert near.length == 1.5
    assert far.length == 2.5
    near, far = walk(one, (6.5, 5)), walk(two, (6.5, 5))
    far.cut = True
    courses.untangle(table(one, two), Lawn(), [far, near])
    assert far.length == 3.5
    assert near.length == 0.5


def test_whoever_finds_a_base_where_it_came_from_steps_aside() -> None:
    one, two = Stand("one", (5, 5)), Stand("two", (5.2, 5))
    going = walk(one, (5, 5))
    here = table(one, two)
    courses.untangle(here, Lawn(), [going])
    assert going.start != (5, 5)
    here.rows[0] = going.row(here)
    assert here.has_room(going.row(here).reshape(1, 8), Lawn(), ignoring=[one])


def test_a_move_onto_another_base_is_refused_by_name() -> None:
    one, two, three = Stand("one", (5, 5)), Stand("two", (10, 5)), Stand("three", (20, 5))
    here = table(one, two, three)

    def ends(*places: Point) -> Floats:
        return bodies((BASE, Place(*place)) for place in places)

    def refused(pieces: list[Stand], rows: Floats, leaves: tuple[str, ...] = ()) -> str | None:
        found = courses.refuse_overlap(here, pieces, rows, str.capitalize, lambda name, _: name in leaves)
        return None if found is None else f"{found.field}: {found.message}"

    assert refused([one], ends((9, 5))) is None
    assert refused([one], ends((9.1, 5))) == "one: One would stand on Two."
    assert refused([one], ends((9.1, 5)), leaves=("two",)) is None
    assert refused([one, two], ends((9.1, 5), (9.5, 5.5))) == "one: One and Two would stand on each other."
    assert refused([one, two], ends((20, 5.5), (30, 5)), leaves=("two",)) == "one: One would stand on Three."


def say(refusal: Refusal | None) -> str:
    return str(refusal or "")


def test_nobody_leaves_the_table_not_even_on_his_way() -> None:
    one = Stand("one", (3.0, 3.0))
    here = Board.with_pieces([one])
    end = here.at([one], {"one": (3.0, 9.0)})
    straight: dict[str, Path] = {"one": [(3.0, 3.0), (3.0, 9.0)]}
    outside: dict[str, Path] = {"one": [(3.0, 3.0), (-2.0, 6.0), (3.0, 9.0)]}
    assert courses.refuse_off_table(Lawn(), [one], straight, end, str.title) is None
    assert "One would leave the table." in say(courses.refuse_off_table(Lawn(), [one], outside, end, str.title))


def test_nobody_passes_over_an_enemy() -> None:
    one, foe = Stand("one", (3.0, 3.0)), Stand("foe", (3.0, 6.0))
    here = Board.with_pieces([one, foe])
    rows, enemies = here.of([one]), here.of([foe])
    over: dict[str, Path] = {"one": [(3.0, 3.0), (3.0, 9.0)]}
    beside: dict[str, Path] = {"one": [(3.0, 3.0), (5.0, 6.0), (3.0, 9.0)]}
    assert "One would pass over an enemy base." in say(courses.refuse_passing([one], over, rows, enemies, str.title))
    assert courses.refuse_passing([one], beside, rows, enemies, str.title) is None
    assert courses.refuse_passing([one], over, rows, np.empty((0, 8)), str.title) is None
    # Who is set down anywhere has no way.
    assert courses.refuse_passing([one], {}, rows, enemies, str.title) is None


BENT = [(0.0, 0.0), (3.0, 0.0), (3.0, 4.0)]


def test_a_step_leads_by_its_corners() -> None:
    assert path_of((0.0, 0.0), Step((3.0, 4.0), via=[(3.0, 0.0)])) == BENT
    assert length_of(BENT) == 7.0
    assert length_of([(0.0, 0.0), (3.0, 4.0)]) == 5.0


@pytest.mark.parametrize(
    ("inches", "point"), [(0.0, (0.0, 0.0)), (2.0, (2.0, 0.0)), (3.0, (3.0, 0.0)), (5.0, (3.0, 2.0)), (9.0, (3.0, 4.0))]
)
def test_a_point_is_found_along_the_path(inches: float, point: tuple[float, float]) -> None:
    assert point_at(BENT, inches) == point


def test_at_a_corner_one_is_still_on_the_leg_that_leads_there() -> None:
    first, second = (BENT[0], BENT[1]), (BENT[1], BENT[2])
    assert leg_at(BENT, 3.0) == first
    assert leg_at(BENT, 3.01) == second
    assert leg_at(BENT, 99.0) == second
    assert leg_begins(BENT, 3.0) == 0.0
    assert leg_begins(BENT, 3.01) == 3.0


def test_a_path_that_stands_still_has_a_leg_all_the_same() -> None:
    still = [(1.0, 1.0)] * 3
    assert leg_at(still, 0.0) == ((1.0, 1.0), (1.0, 1.0))
    assert point_at(still, 2.0) == (1.0, 1.0)


def test_a_corner_counts_once_it_is_passed() -> None:
    assert corners_passed(BENT, 3.0) == []
    assert corners_passed(BENT, 3.01) == [(3.0, 0.0)]
    assert corners_passed([(0.0, 0.0), (3.0, 0.0)], 3.0) == []


def test_stations_have_both_ends_and_no_longer_steps_than_asked() -> None:
    assert stations(1.0, 0.25) == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert stations(1.1, 0.5) == pytest.approx([0.0, 1.1 / 3, 2.2 / 3, 1.1])
    assert stations(0.0, 0.25) == [0.0, 0.0]


def test_ways_have_a_goal_in_common_unless_they_lead_apart() -> None:
    north, east = ((0.0, 0.0), (0.0, 6.0)), ((4.0, 0.0), (10.0, 0.0))
    south = ((4.0, 0.0), (4.0, -6.0))
    assert courses.has_common_goal([north, east])
    assert not courses.has_common_goal([north, south])
    assert courses.has_common_goal([north, ((4.0, 0.0), (4.0, 0.0))])


def test_a_trail_is_a_base_at_every_inch_of_its_way() -> None:
    (row,) = bodies([(BASE, Place(10.0, 12.5))])
    trail = courses.trail(row, (10.0, 10.0))
    assert trail[:, Y].tolist() == [10.83, 11.67, 12.5]
    assert courses.trail(row, (10.0, 12.5))[:, Y].tolist() == [12.5]


def test_who_comes_upon_an_enemy_stops_before_it() -> None:
    one, two, foe = Stand("one", (10.0, 10.0)), Stand("two", (20.0, 10.0)), Stand("foe", (10.0, 20.0))
    here = table(one, two, foe)
    enemies = here.of([foe])
    through = walk(one, (10.0, 30.0))
    beside = walk(two, (20.0, 20.0))
    courses.stop_at_enemies(here, [through, beside], enemies)
    assert (through.cut, beside.cut) == (True, False)
    assert through.length == pytest.approx(9.0, abs=0.1)
    assert courses.ending_in_contact(here, [through, beside], enemies) == [through]
    courses.stop_short(here, [through], enemies, 0.5)
    assert through.length == pytest.approx(8.4, abs=0.25)
    assert courses.ending_in_contact(here, [through], enemies) == []
