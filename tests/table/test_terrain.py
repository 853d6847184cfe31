"""Bases on terrain, checked against Shapely."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
import shapely
from hypothesis import assume, given
from hypothesis import strategies as st

from sandtable.table.shapes import Floats, Footprint, Place, bodies, body
from sandtable.table.terrain import Feature, Terrain

from .strategies import as_shapely, bases, coordinates, feature_shape, law, terrains

BOX = Feature("wood", "wood", [(10, 10), (20, 10), (20, 20), (10, 20)], height=2)
# A house round a yard that is open to the north.
YARD = Feature("yard", "house", [(30, 10), (42, 10), (42, 22), (39, 22), (39, 13), (33, 13), (33, 22), (30, 22)])
HEDGE = Feature("hedge", "hedge", [(10, 30), (20, 30), (20, 34)], closed=False, height=1)
TABLE = Terrain([BOX, YARD, HEDGE], 48, 48)
STAND = Footprint(2, 2)


def at(x: float, y: float) -> Floats:
    return bodies([(STAND, Place(x, y))])


def test_the_compiled_arrays() -> None:
    assert TABLE.index == {"wood": 0, "yard": 1, "hedge": 2}
    assert TABLE.offsets.tolist() == [0, 4, 12, 14]
    assert TABLE.owner.tolist() == [0] * 4 + [1] * 8 + [2] * 2
    assert TABLE.closed.tolist() == [True, True, False]
    assert TABLE.bounds[2].tolist() == [10, 30, 20, 34]
    assert TABLE.top.tolist() == [2, 0, 1]


def test_a_base_entering_a_wood_step_by_step() -> None:
    # Outside, touching, across the edge with the centre out, centre in, wholly in.
    rows = np.concatenate([at(x, 15) for x in (8, 9, 9.5, 10.5, 11)])
    assert TABLE.inside(rows)[:, 0].tolist() == [False, False, False, True, True]
    assert TABLE.overlapping(rows)[:, 0].tolist() == [False, False, True, True, True]
    assert TABLE.within(rows)[:, 0].tolist() == [False, False, False, False, True]
    assert TABLE.touching(rows)[:, 0].tolist() == [False, True, True, True, True]
    assert not TABLE.touching(at(15, 15))[0, 0]
    assert TABLE.gaps(rows)[:, 0].tolist() == [1, 0, 0, 0, 0]


def test_the_yard_is_not_the_house() -> None:
    # Given one who stands in the yard, then he is not in the walls, but two inches from three of them.
    assert not TABLE.inside(at(36, 18))[0, 1]
    assert not TABLE.overlapping(at(36, 18))[0, 1]
    assert TABLE.gaps(at(36, 18))[0, 1] == pytest.approx(2)
    assert TABLE.inside(at(31.5, 18))[0, 1]
    # A base across the yard's mouth is not within, though its corners may be.
    wide = bodies([(Footprint(9, 1), Place(36, 20))])
    assert not TABLE.within(wide)[0, 1]
    assert TABLE.overlapping(wide)[0, 1]


def test_line_obstacles_contain_nothing_but_can_be_touched() -> None:
    assert not TABLE.inside(at(15, 30))[0, 2]
    assert TABLE.overlapping(at(15, 30))[0, 2]
    assert TABLE.touching(at(15, 28.95))[0, 2]
    assert not TABLE.touching(at(15, 28.8))[0, 2]


def test_the_outline_belongs_to_the_area() -> None:
    for x, y in [(10, 15), (10, 10), (20, 20), (15, 20)]:
        assert TABLE.inside_point(x, y)[0]
    assert not TABLE.inside_point(9.99, 15)[0]


def test_smoke_is_added_to_a_new_terrain() -> None:
    smoky = TABLE.with_features([Feature("smoke", "smoke", [(0, 0), (2, 0), (2, 2)])])
    assert smoky.index["smoke"] == 3
    assert len(TABLE.features) == 3
    assert smoky.inside_point(1.5, 0.5).tolist() == [False, False, False, True]
    anew = Terrain(smoky.features, 48, 48)
    for name in ("edges", "table", "owner"):
        assert getattr(smoky, name).tolist() == getattr(anew, name).tolist()
    with pytest.raises(ValueError, match="two terrain features are called 'smoke'"):
        smoky.with_features([Feature("smoke", "smoke", [(0, 0), (2, 0), (2, 2)])])


@law
@given(terrains(), st.lists(bases(), min_size=1, max_size=4))
def test_any_of_some_features(terrain: Terrain, some: list[Floats]) -> None:
    rows, features = np.array(some), np.arange(0, len(terrain.features), 2)
    assert terrain.over_any(rows, features).tolist() == terrain.overlapping(rows)[:, ::2].any(axis=1).tolist()
    assert terrain.touching_any(rows, features).tolist() == terrain.touching(rows)[:, ::2].any(axis=1).tolist()


def test_mistakes_are_named() -> None:
    with pytest.raises(ValueError, match="two terrain features are called 'wood'"):
        Terrain([BOX, BOX], 48, 48)
    with pytest.raises(ValueError, match="'bad' is an area and needs at least 3 points"):
        Terrain([Feature("bad", "wood", [(0, 0), (1, 1)])], 48, 48)


def test_an_empty_table_answers_too() -> None:
    bare = Terrain([], 48, 48)
    assert bare.inside(at(1, 1)).shape == (1, 0)
    assert bare.gaps(at(1, 1)).shape == (1, 0)


def test_features_survive_json() -> None:
    assert msgspec.json.decode(msgspec.json.encode(YARD), type=Feature) == YARD


@law
@given(terrains(), coordinates, coordinates)
def test_points_inside_as_shapely_says(terrain: Terrain, x: float, y: float) -> None:
    point = shapely.Point(x, y)
    shapes = [feature_shape(feature) for feature in terrain.features]
    assume(all(shape.boundary.distance(point) > 1e-6 for shape in shapes if shape.area))
    expected = [bool(shape.area) and bool(shape.contains(point)) for shape in shapes]
    assert terrain.inside_point(x, y).tolist() == expected


@law
@given(terrains(), bases())
def test_bases_on_terrain_as_shapely_says(terrain: Terrain, row: Floats) -> None:
    base = as_shapely(row)
    rows = row.reshape(1, 8)
    for f, feature in enumerate(terrain.features):
        shape = feature_shape(feature)
        outline = shape.boundary if feature.closed else shape
        assert terrain.gaps(rows)[0, f] == pytest.approx(shape.distance(base), abs=1e-3)
        if outline.distance(base) < 0.099:
            assert terrain.touching(rows)[0, f]
        if outline.distance(base) > 0.101:
            assert not terrain.touching(rows)[0, f]
            assert terrain.overlapping(rows)[0, f] == terrain.within(rows)[0, f] == shape.contains(base)
        if shape.intersects(base.buffer(-0.02)):
            assert terrain.overlapping(rows)[0, f]
        if feature.closed and not shape.buffer(0.02).contains(base):
            assert not terrain.within(rows)[0, f]


def test_a_small_feature_wholly_under_a_base() -> None:
    table = Terrain([Feature("well", "well", [(5, 5), (5.2, 5), (5.1, 5.2)])], 48, 48)
    big = body(Footprint(4, 4), Place(6, 6)).reshape(1, 8)
    assert table.overlapping(big)[0, 0]
    assert table.gaps(big)[0, 0] == 0
    assert not table.within(big)[0, 0]
