"""What is near, or far from all: the same as measuring one by one."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sandtable.rulesets.hof.kernels.neighbours import flags_near, some_apart
from sandtable.table.distance import distances, to_points
from sandtable.table.shapes import Floats
from tests.table.strategies import bases, coordinates, law


@law
@given(st.lists(bases(), min_size=1, max_size=4), st.lists(bases(), min_size=1, max_size=4), st.floats(0.0, 20.0))
def test_somebody_as_far_from_all_as_each_demands(some: list[Floats], others: list[Floats], inches: float) -> None:
    rows, eyes = np.array(some), np.array(others)
    apart = np.linspace(inches, 2 * inches, len(eyes))
    far = (distances(rows, eyes) >= apart - 1e-9).all(axis=1)
    assert some_apart(rows, np.empty((0, 8)), eyes, apart) == far.any()


@law
@given(st.lists(bases(), min_size=1, max_size=4), st.lists(st.tuples(coordinates, coordinates), min_size=1, max_size=3))
def test_flags_of_whoever_is_near(some: list[Floats], points: list[tuple[float, float]]) -> None:
    rows, places = np.array(some), np.array(points)
    near = to_points(rows, places) <= 4
    expected = [sum(2**number for number in np.flatnonzero(column).tolist()) for column in near.T]
    assert flags_near(rows, 2 ** np.arange(len(rows)), places, 4.0) == expected
