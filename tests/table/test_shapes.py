"""Bases, places and compass arithmetic."""

from __future__ import annotations

import subprocess
import sys

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.table.shapes import (
    Footprint,
    Place,
    bearing,
    bodies,
    body,
    corners,
    facing_of,
    forward_offset,
    outline,
    rounded,
    sideways_offset,
    turn,
    turned,
)

from .strategies import law


def test_data_loads_without_the_compiler() -> None:
    # Given a program that only reads tables, when it imports shapes and terrain, then numba stays out.
    code = "import sandtable.table.terrain, sandtable.table.shapes, sys; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    ("x", "y", "compass"),
    [(0, 1, 0), (1, 1, 45), (1, 0, 90), (0, -1, 180), (-1, 0, 270), (-1, 1, 315), (0, 0, 0)],
)
def test_bearings_are_compass_degrees(x: float, y: float, compass: float) -> None:
    assert bearing(0, 0, x, y) == pytest.approx(compass)


def test_the_smallest_turn() -> None:
    assert turn(350, 10) == pytest.approx(20)
    assert turn(10, 350) == pytest.approx(-20)
    assert turn(0, 180) == turn(180, 0) == 180


@law
@given(st.floats(-1000, 1000), st.floats(-1000, 1000))
def test_a_turn_leads_where_it_should(a: float, b: float) -> None:
    assert -180 < turn(a, b) <= 180
    assert abs((a + turn(a, b) - b + 180) % 360 - 180) < 1e-6


def test_offsets_ahead_and_to_the_right() -> None:
    # Given one who looks east, then north of him is his left.
    assert forward_offset(2, 2, 90, 5, 4) == pytest.approx(3)
    assert sideways_offset(2, 2, 90, 5, 4) == pytest.approx(-2)


def test_corners_of_a_base_facing_east() -> None:
    # Given a base 2 wide and 4 deep facing east, then its front edge runs north to south at x = 12.
    row = body(Footprint(2, 4), Place(10, 10, 90))
    assert corners(row).tolist() == [[12, 9], [8, 9], [8, 11], [12, 11]]


def test_outline_points_lie_on_the_rim() -> None:
    ring = outline(body(Footprint(4, 4, "circle"), Place(5, 5)), 16)
    assert np.hypot(ring[:, 0] - 5, ring[:, 1] - 5) == pytest.approx(2)
    assert len(outline(body(Footprint(4, 2), Place(5, 5)), 12)) == 12


def test_stored_places_survive_json_unchanged() -> None:
    place = rounded(Place(1.23456, 2.71828, 359.999, 1, -90.0))
    assert place == Place(1.23, 2.72, 0.0, 1, 270.0)
    assert msgspec.json.decode(msgspec.json.encode(place), type=Place) == place


def test_rows_of_an_empty_unit() -> None:
    assert bodies([]).shape == (0, 8)


@law
@given(st.floats(0, 359.99))
def test_a_row_knows_its_facing(facing: float) -> None:
    row = turned(body(Footprint(1, 2), Place(0, 0, 45)), facing)
    assert abs(turn(facing_of(row), facing)) < 1e-6
