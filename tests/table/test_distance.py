"""Distances, overlaps, contact and arcs, checked against Shapely."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from hypothesis import assume, given
from hypothesis import strategies as st

from sandtable.table.distance import arcs, contact_move, distance, distances, group_gaps, in_arc, overlaps, to_points
from sandtable.table.hairs import SLACK
from sandtable.table.shapes import COLUMNS, Floats, Footprint, Place, bodies, body, moved, outline, point_body

from .strategies import as_shapely, bases, coordinates, facings, law, spun

TANK = Footprint(2, 3)
STAND = Footprint(1, 1, "circle")


def overlap(a: Floats, b: Floats, slack: float = SLACK) -> bool:
    return bool(overlaps(a, b, slack)[0, 0])


def point_distance(a: Floats, point: Floats) -> float:
    return float(to_points(a, point)[0, 0])


def test_bases_are_measured_edge_to_edge() -> None:
    # Given two tanks abreast, centres 10 apart, each 2 wide; then 8 inches lie between them.
    assert distance(body(TANK, Place(0, 0)), body(TANK, Place(10, 0))) == pytest.approx(8)
    # One behind the other, each 3 deep: 7 inches.
    assert distance(body(TANK, Place(0, 0)), body(TANK, Place(0, 10))) == pytest.approx(7)
    # Corner to corner.
    assert distance(body(TANK, Place(0, 0)), body(TANK, Place(5, 7))) == pytest.approx(5)


@law
@given(st.lists(bases(), min_size=1, max_size=3), st.lists(st.tuples(bases(), st.integers(0, 2)), max_size=6))
def test_groups_are_as_far_as_their_nearest(ours: list[Floats], theirs: list[tuple[Floats, int]]) -> None:
    a, b = np.array(ours).reshape(-1, COLUMNS), np.array([base for base, _ in theirs]).reshape(-1, COLUMNS)
    groups = np.array([group for _, group in theirs], dtype=np.int64)
    for number, gap in enumerate(group_gaps(a, b, groups, 3).tolist()):
        assert gap == min((distance(one, base) for one in a for base in b[groups == number]), default=math.inf)


def test_touching_is_not_overlapping() -> None:
    left, right = body(TANK, Place(0, 0)), body(TANK, Place(2, 0))
    assert distance(left, right) == 0
    assert not overlap(left, right)
    assert overlap(left, moved(right, -0.02, 0))


def test_one_base_wholly_within_another() -> None:
    big, small = body(Footprint(6, 6), Place(5, 5)), body(STAND, Place(5.5, 5))
    assert distance(big, small) == 0
    assert overlap(big, small)
    assert overlap(small, big)


def test_two_long_bases_crossing_without_corners_inside() -> None:
    a, b = body(Footprint(10, 1), Place(5, 5)), body(Footprint(10, 1), Place(5, 5, 90))
    assert overlap(a, b)


@law
@given(bases(), bases())
def test_distance_as_shapely_measures(a: Floats, b: Floats) -> None:
    assert distance(a, b) == pytest.approx(as_shapely(a).distance(as_shapely(b)), abs=1e-4)


@law
@given(bases(), bases())
def test_distance_is_symmetric(a: Floats, b: Floats) -> None:
    assert distance(a, b) == pytest.approx(distance(b, a), abs=1e-9)
    assert distance(a, a) == 0


@law
@given(bases(), bases(), facings, coordinates, coordinates)
def test_turning_and_shifting_the_table_changes_no_distance(
    a: Floats, b: Floats, degrees: float, dx: float, dy: float
) -> None:
    spun_distance = distance(spun(a, degrees, dx, dy), spun(b, degrees, dx, dy))
    assert spun_distance == pytest.approx(distance(a, b), abs=1e-8)


@law
@given(bases(), bases())
def test_overlap_as_shapely_sees_it(a: Floats, b: Floats) -> None:
    shape_a, shape_b = as_shapely(a), as_shapely(b)
    if overlap(a, b, slack=0.001):
        assert shape_a.intersects(shape_b)
    if not overlap(a, b, slack=0.0):
        assert shape_a.intersection(shape_b).area < 1e-3


@law
@given(bases(), bases())
def test_pushing_by_the_slack_ends_the_overlap(a: Floats, b: Floats) -> None:
    # Given bases that interpenetrate, when one is moved to contact, then they no longer do.
    assume(overlap(a, b))
    x, y = contact_move(a, b)
    there = moved(a, x - a[1], y - a[2])
    assert not overlap(there, b)
    assert distance(there, b) <= 0.02


@law
@given(bases(), bases())
def test_a_move_into_contact_just_touches(a: Floats, b: Floats) -> None:
    assume(not overlap(a, b, 0.0))
    x, y = contact_move(a, b)
    there = moved(a, x - a[1], y - a[2])
    assert not overlap(there, b)
    assert distance(there, b) <= 0.02
    assert (x, y) == (round(x, 2), round(y, 2))
    assert math.hypot(x - a[1], y - a[2]) <= distance(a, b) + 0.02


def test_who_already_touches_stays() -> None:
    a, b = body(TANK, Place(0, 0)), body(TANK, Place(2.01, 0))
    assert contact_move(a, b) == (0, 0)


@law
@given(bases(), coordinates, coordinates)
def test_distance_to_a_point(a: Floats, x: float, y: float) -> None:
    expected = as_shapely(a).distance(shapely.Point(x, y))
    assert point_distance(a, np.array((x, y))) == pytest.approx(expected, abs=1e-4)


@law
@given(st.lists(bases(), max_size=4), st.lists(bases(), max_size=4))
def test_batches_say_what_single_queries_say(left: list[Floats], right: list[Floats]) -> None:
    a, b = np.array(left).reshape(-1, 8), np.array(right).reshape(-1, 8)
    assert distances(a, b).tolist() == [[distance(p, q) for q in right] for p in left]
    assert overlaps(a, b).tolist() == [[overlap(p, q) for q in right] for p in left]
    assert to_points(a, b[:, 1:3]).tolist() == [[point_distance(p, q[1:3]) for q in right] for p in left]


def test_views_and_columns_are_accepted() -> None:
    rows = bodies([(TANK, Place(k, 0)) for k in range(6)])
    assert distances(rows[::2], rows[0]).shape == (3, 1)


ARC_CASES = [
    # A base dead ahead, behind, and straddling the edge of a 90 degree arc to the north.
    (0, 90, Place(0, 10), True),
    (0, 90, Place(0, -10), False),
    (0, 90, Place(10.5, 9), True),
    (0, 90, Place(12, 9), False),
    # Behind a 270 degree arc, within it, and across its edge.
    (0, 270, Place(0, -10), False),
    (0, 270, Place(10, 0), True),
    (0, 270, Place(8.5, -10), True),
    # All round, and the apex inside the base.
    (0, 360, Place(0, -10), True),
    (180, 10, Place(0.2, 0.2), True),
    # No width at all: a ray.
    (90, 0, Place(10, 0.5), True),
    (90, 0, Place(10, 3), False),
]


@pytest.mark.parametrize(("facing", "width", "place", "expected"), ARC_CASES)
def test_arcs(facing: float, width: float, place: Place, expected: bool) -> None:
    assert in_arc(0, 0, facing, width, body(Footprint(2, 2), place)) is expected


@law
@given(bases(), facings, st.floats(1, 359))
def test_any_part_in_the_arc_counts(target: Floats, facing: float, width: float) -> None:
    # Given points all over the base, when one is well within the arc, then the base is; and if the base is
    # not, no point is.
    centre = target[1:3]
    rim = outline(target, 64)
    points = np.concatenate([centre + part * (rim - centre) for part in (0.999, 0.66, 0.33, 0.0)])
    angles = np.degrees(np.arctan2(points[:, 0] - 18, points[:, 1] - 18))
    off = np.abs((angles - facing + 180) % 360 - 180)
    far = np.hypot(points[:, 0] - 18, points[:, 1] - 18) > 1e-6
    if (far & (off < width / 2 - 1e-6)).any():
        assert in_arc(18, 18, facing, width, target)
    watcher = point_body(18, 18)
    assert arcs(watcher, np.array([facing]), width, target)[0, 0] == in_arc(18, 18, facing, width, target)


@law
@given(bases(), facings, st.floats(1, 179))
def test_arcs_against_a_polygon_of_the_arc(target: Floats, facing: float, width: float) -> None:
    angles = np.radians(np.linspace(facing - width / 2, facing + width / 2, 90))
    ring = [(18.0, 18.0), *zip(18 + 500 * np.sin(angles), 18 + 500 * np.cos(angles), strict=True)]
    gap = shapely.Polygon(ring).distance(as_shapely(target))
    if gap > 1e-3:
        assert not in_arc(18, 18, facing, width, target)
    if shapely.Polygon(ring).intersection(as_shapely(target)).area > 1e-3:
        assert in_arc(18, 18, facing, width, target)
