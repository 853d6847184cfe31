"""Templates on bases, checked against Shapely."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from hypothesis import assume, given
from hypothesis import strategies as st

from sandtable.table import templates
from sandtable.table.shapes import Floats, Footprint, Place, bodies
from sandtable.table.templates import (
    template_polygon,
    under,
    under_band,
    under_circle,
    under_line,
    under_rectangle,
    under_square,
)

from .strategies import as_shapely, bases, coordinates, facings, law, sizes

ROWS = bodies([(Footprint(1, 1), Place(x, 10)) for x in (8, 10, 12.5, 13)])


def test_partly_under_counts_touching_does_not() -> None:
    # Given a 4 inch square about (10, 10): its east edge at 12 touches the third stand and misses the fourth.
    assert under_square(ROWS, 10, 10, 4).tolist() == [True, True, False, False]
    assert under_square(ROWS, 10.1, 10, 4).tolist() == [True, True, True, False]
    assert under_circle(ROWS, 10, 10, 2).tolist() == [True, True, False, False]
    assert under_rectangle(ROWS, 10, 12, 20, 3).tolist() == [False] * 4
    assert under_rectangle(ROWS, 10, 12, 3, 20, 90).tolist() == [False] * 4
    assert under_rectangle(ROWS, 10, 12, 3, 20).tolist() == [False, True, False, False]


def test_lines_and_bands() -> None:
    assert under_line(ROWS, 0, 10, 11, 10).tolist() == [True, True, False, False]
    assert under_line(ROWS, 0, 10.5, 20, 10.5).tolist() == [False] * 4
    assert under_band(ROWS, 0, 11, 20, 11, 1).tolist() == [False] * 4
    assert under_band(ROWS, 0, 11, 20, 11, 1.1).tolist() == [True] * 4


def test_a_line_without_length_lies_on_nobody() -> None:
    assert under_line(ROWS, 30, 30, 30, 30).tolist() == [False] * 4


def test_polygons_for_drawing() -> None:
    assert template_polygon(templates.square(10, 10, 4)) == [(12, 12), (12, 8), (8, 8), (8, 12)]
    ring = template_polygon(templates.circle(10, 10, 3), 12)
    assert [math.dist(p, (10, 10)) for p in ring] == pytest.approx([3] * 12)


@law
@given(st.lists(bases(), min_size=1, max_size=5), coordinates, coordinates, sizes, sizes, facings)
def test_rectangles_as_shapely_lays_them(
    rows: list[Floats], x: float, y: float, width: float, depth: float, facing: float
) -> None:
    agrees(np.array(rows), templates.rectangle(x, y, width, depth, facing))


@law
@given(st.lists(bases(), min_size=1, max_size=5), coordinates, coordinates, sizes)
def test_circles_as_shapely_lays_them(rows: list[Floats], x: float, y: float, radius: float) -> None:
    agrees(np.array(rows), templates.circle(x, y, radius))


@law
@given(st.lists(bases(), min_size=1, max_size=5), st.tuples(*[coordinates] * 4), st.floats(0.1, 4))
def test_bands_as_shapely_lays_them(rows: list[Floats], line: tuple[float, float, float, float], width: float) -> None:
    assume(math.dist(line[:2], line[2:]) > 0.01)
    strip = shapely.LineString([line[:2], line[2:]]).buffer(width / 2, cap_style="flat")
    for row, hit in zip(rows, under_band(np.array(rows), *line, width), strict=True):
        area = strip.intersection(as_shapely(row)).area
        assert hit or area < 1e-3
        assert not hit or strip.distance(as_shapely(row)) < 1e-3


@law
@given(st.lists(bases(), min_size=1, max_size=5), st.tuples(*[coordinates] * 4))
def test_lines_as_shapely_draws_them(rows: list[Floats], line: tuple[float, float, float, float]) -> None:
    ruler = shapely.LineString([line[:2], line[2:]])
    for row, hit in zip(rows, under_line(np.array(rows), *line), strict=True):
        inner = as_shapely(row).buffer(-1e-3)
        assert hit or not ruler.intersects(inner)
        assert not hit or ruler.distance(as_shapely(row)) < 1e-3


def agrees(rows: Floats, template: Floats) -> None:
    laid = as_shapely(template)
    for row, hit in zip(rows, under(rows, template), strict=True):
        assert hit or laid.intersection(as_shapely(row)).area < 1e-3
        assert not hit or laid.distance(as_shapely(row)) < 1e-3
