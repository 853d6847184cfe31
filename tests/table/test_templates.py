"""Templates on bases, checked against Shapely."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sandtable.table.shapes import Floats, Footprint, Place, bodies
from sandtable.table.templates import (
    rectangle,
    under,
    under_square,
)

from .strategies import as_shapely, bases, coordinates, facings, law, sizes

ROWS = bodies([(Footprint(1, 1), Place(x, 10)) for x in (8, 10, 12.5, 13)])


def test_partly_under_counts_touching_does_not() -> None:
    # Given a 4 inch square about (10, 10): its east edge at 12 touches the third stand and misses the fourth.
    assert under_square(ROWS, 10, 10, 4).tolist() == [True, True, False, False]
    assert under_square(ROWS, 10.1, 10, 4).tolist() == [True, True, True, False]
    assert under(ROWS, rectangle(10, 12, 20, 3)).tolist() == [False] * 4
    assert under(ROWS, rectangle(10, 12, 3, 20, 90)).tolist() == [False] * 4
    assert under(ROWS, rectangle(10, 12, 3, 20)).tolist() == [False, True, False, False]


@law
@given(st.lists(bases(), min_size=1, max_size=5), coordinates, coordinates, sizes, sizes, facings)
def test_rectangles_as_shapely_lays_them(
    rows: list[Floats], x: float, y: float, width: float, depth: float, facing: float
) -> None:
    agrees(np.array(rows), rectangle(x, y, width, depth, facing))


def agrees(rows: Floats, template: Floats) -> None:
    laid = as_shapely(template)
    for row, hit in zip(rows, under(rows, template), strict=True):
        assert hit or laid.intersection(as_shapely(row)).area < 1e-3
        assert not hit or laid.distance(as_shapely(row)) < 1e-3
