"""Paths with corners: lengths, points along them, legs and corners passed."""

from __future__ import annotations

import pytest

from sandtable.engine.questions import Step
from sandtable.field.paths import corners_passed, leg_at, leg_begins, length_of, path_of, point_at, stations

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
