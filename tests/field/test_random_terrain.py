"""Random tables from a chart."""

from __future__ import annotations

import random
from collections.abc import Callable

import msgspec
import shapely
from hypothesis import given
from hypothesis import strategies as st

from sandtable.field.random_terrain import Chart, ChartRow, random_table
from sandtable.table.terrain import Terrain
from tests.table.strategies import feature_shape, law

CHART = Chart(
    die=6,
    pieces=(6, 12),
    rows=[
        ChartRow([1, 2], "wood", (4, 10), "blob", 2.0),
        ChartRow([3], "house", (3, 6), "box", 3.0),
        ChartRow([4], "hedge", (4, 8), "line", 1.0),
        ChartRow([5], "road", (2, 2), "road"),
    ],
)


def dice(seed: int) -> Callable[[int], int]:
    rng = random.Random(seed)
    return lambda sides: rng.randint(1, sides)


def test_the_same_rolls_lay_the_same_table() -> None:
    assert random_table(CHART, 72, 48, dice(7)) == random_table(CHART, 72, 48, dice(7))
    assert random_table(CHART, 72, 48, dice(7)) != random_table(CHART, 72, 48, dice(8))


@law
@given(st.integers(0, 10_000))
def test_pieces_lie_on_the_table_and_apart(seed: int) -> None:
    features = random_table(CHART, 72, 48, dice(seed))
    Terrain(features, 72, 48)
    table = shapely.box(-0.01, -0.01, 72.01, 48.01)
    shapes = [feature_shape(feature) for feature in features]
    assert all(table.contains(shape) and shape.is_valid for shape in shapes)
    assert all(a.distance(b) >= 0.49 for k, a in enumerate(shapes) for b in shapes[:k])


def test_pieces_are_spread_over_the_quarters() -> None:
    woods = Chart(6, (8, 8), [ChartRow([1, 2, 3, 4, 5, 6], "wood", (4, 6))])
    features = random_table(woods, 72, 48, dice(3))
    middles = [feature_shape(feature).centroid for feature in features]
    quarters = [(middle.x > 36, middle.y > 24) for middle in middles]
    assert len(features) == 8
    assert all(quarters.count(quarter) == 2 for quarter in set(quarters))


def test_a_table_too_small_gets_fewer_pieces() -> None:
    # Given woods that fill a quarter each, when twelve are asked for, then only a few fit and nothing hangs.
    big = Chart(6, (12, 12), [ChartRow([1, 2, 3, 4, 5, 6], "wood", (12, 12))])
    assert 1 <= len(random_table(big, 24, 24, dice(1))) <= 4


def test_faces_without_a_row_are_open_ground() -> None:
    assert random_table(CHART, 72, 48, lambda sides: min(6, sides)) == []


def test_charts_are_data() -> None:
    assert msgspec.json.decode(msgspec.json.encode(CHART), type=Chart) == CHART
