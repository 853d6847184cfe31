"""Bodies in ranks and files: who stands where, what a wheel costs, how a body turns about, and chains of bases."""

from __future__ import annotations

import math

import pytest

from sandtable.field import formations
from sandtable.field.formations import Leg, Pose
from sandtable.table.distance import chains
from sandtable.table.hairs import A_HAIR
from sandtable.table.shapes import Footprint, Place, bodies

BASE = Footprint(1.0, 1.0, "circle")


def near(a: tuple[float, float], b: tuple[float, float]) -> bool:
    return math.dist(a, b) < 1e-6


def test_ranks_are_equal_and_the_last_takes_what_is_left() -> None:
    assert formations.ranks_of(10, 3) == [3, 3, 3, 1]
    assert formations.ranks_of(9, 3) == [3, 3, 3]
    assert formations.ranks_of(0, 3) == []


def test_a_short_rank_stands_behind_the_middle() -> None:
    assert formations.slots(4, 3) == [(0, 0), (0, 1), (0, 2), (1, 1)]
    # With an odd one left over it stands on a file, not between two.
    assert formations.slots(5, 3) == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1)]


def test_places_follow_from_the_pose() -> None:
    north = formations.places(Pose((10, 20), 0.0, 3), 4, 1.0)
    assert [near(a, b) for a, b in zip(north, [(9, 20), (10, 20), (11, 20), (10, 19)], strict=True)] == [True] * 4
    # Facing east, the left of the front rank is to the north and the second rank to the west.
    east = formations.places(Pose((10, 20), 90.0, 3), 4, 1.0)
    assert [near(a, b) for a, b in zip(east, [(10, 21), (10, 20), (10, 19), (9, 20)], strict=True)] == [True] * 4


@pytest.mark.parametrize(("degrees", "inner", "outer"), [(90.0, 2, 0), (-90.0, 0, 2)])
def test_a_wheel_turns_about_the_inner_end_of_the_front_rank(degrees: float, inner: int, outer: int) -> None:
    pose = Pose((10, 20), 0.0, 3)
    before = formations.places(pose, 3, 1.0)
    done = formations.march(pose, [Leg(wheel=degrees)], 3, 1.0)
    after = formations.places(done.pose, 3, 1.0)
    assert near(before[inner], after[inner])
    assert not near(before[outer], after[outer])
    assert done.pose.facing == degrees % 360
    # The outermost of three walks a quarter of a circle of two inches.
    assert done.inches == pytest.approx(math.pi)


def test_a_wheel_costs_what_the_figure_walks_that_goes_farthest_also_in_the_rear() -> None:
    # Two abreast and five deep: the outer man of the last rank stands at the end of a diagonal of 4 by 1.
    done = formations.march(Pose((10, 20), 0.0, 2), [Leg(wheel=30.0)], 10, 1.0)
    assert done.inches == pytest.approx(math.radians(30) * math.hypot(4, 1))


def test_the_way_of_one_man_is_added_up_before_the_farthest_is_looked_for() -> None:
    # Right, then left by as much: each flank was the outer one once, so nobody walked both arcs in full.
    legs = [Leg(wheel=30.0), Leg(ahead=2.0), Leg(wheel=-30.0)]
    done = formations.march(Pose((10, 20), 0.0, 5), legs, 5, 1.0)
    assert done.inches == pytest.approx(math.radians(30) * 4 + 2)
    assert done.pose.facing == pytest.approx(0.0)


def test_many_small_wheels_come_back_to_where_they_began() -> None:
    pose = Pose((10.0, 20.0), 0.0, 6)
    there = formations.march(pose, [Leg(wheel=1.0)] * 90, 12, 1.0)
    once = formations.march(pose, [Leg(wheel=90.0)], 12, 1.0)
    assert near(there.pose.at, once.pose.at)
    assert there.inches == pytest.approx(once.inches)


def test_a_body_that_turns_about_covers_the_same_ground() -> None:
    pose = Pose((10, 20), 30.0, 3)
    before = formations.places(pose, 9, 1.0)
    after = formations.places(formations.about_faced(pose, 9, 1.0), 9, 1.0)
    assert all(any(near(a, b) for b in before) for a in after)
    assert near(after[0], before[-1])


def test_a_march_in_part() -> None:
    assert formations.shortened([Leg(ahead=4.0), Leg(wheel=-20.0)], 0.5) == [Leg(ahead=2.0), Leg(wheel=-10.0)]


def test_a_chain_may_have_any_length_but_no_gap() -> None:
    rows = bodies((BASE, Place(5 + 1.5 * number, 5.0)) for number in range(9))
    assert chains(rows, 0.5 + A_HAIR) == [0] * 9
    assert formations.hang_together(rows, 0.5, A_HAIR)
    assert not formations.hang_together(rows, 0.45, A_HAIR)


def test_two_clumps_are_two_groups_although_everybody_has_a_neighbour() -> None:
    rows = bodies((BASE, Place(x, 5.0)) for x in (5.0, 6.2, 9.0, 10.2))
    assert chains(rows, 0.5 + A_HAIR) == [0, 0, 1, 1]
    assert not formations.hang_together(rows, 0.5, A_HAIR)


def test_nobody_and_one_man_hang_together() -> None:
    assert formations.hang_together(bodies([]), 0.5, A_HAIR)
    assert formations.hang_together(bodies([(BASE, Place(5.0, 5.0))]), 0.5, A_HAIR)


def test_open_order_leaves_the_gap_between_bases() -> None:
    spots = formations.places(Pose((20, 20), 0.0, 3), 5, 1.5)
    rows = bodies((BASE, Place(x, y)) for x, y in spots)
    assert formations.hang_together(rows, 0.5, A_HAIR)
    assert not formations.hang_together(rows, 0.4, A_HAIR)


def test_a_march_stops_where_the_farthest_has_gone_so_far_and_does_one_thing_after_the_other() -> None:
    # One leg says both: ahead, and then the wheel. Six of its eight inches straight on are all ahead.
    legs = formations.stopped_after(Pose((10, 20), 0.0, 2), [Leg(8.0, 30.0)], 4, 1.0, 6.0)
    assert legs == [Leg(6.0)]
    arc = math.radians(30) * math.hypot(1, 1)
    legs = formations.stopped_after(Pose((10, 20), 0.0, 2), [Leg(8.0, 30.0)], 4, 1.0, 8.0 + arc / 3)
    assert legs[0] == Leg(8.0)
    assert legs[1].wheel == pytest.approx(10.0)


def test_who_goes_round_the_outside_of_a_wheel_is_ahead_of_the_others() -> None:
    done = formations.march(Pose((10, 20), 0.0, 2), [Leg(wheel=90.0), Leg(4.0)], 4, 1.0)
    arc = math.radians(90) * math.hypot(1, 1)
    # The pivot goes nowhere in the wheel: when it has gone an inch, that is over for everybody.
    assert formations.gone_by(done, 1, 1.0) == pytest.approx(arc + 1.0, abs=0.01)
    assert formations.gone_by(done, 2, arc + 1.0) == pytest.approx(arc + 1.0, abs=0.01)
    assert formations.gone_by(done, 0, math.pi / 4) == pytest.approx(arc / 2, abs=0.01)
    assert formations.gone_by(done, 1, 0.0) == 0.0
    assert formations.gone_by(done, 1, 9.0) == done.inches
