"""Fields of fire, groups that are watched, shelter, and units that keep together."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sandtable.table.distance import distances, nearest
from sandtable.table.shapes import Footprint, Place, bodies, body
from sandtable.table.sight import AREA, BARRIER, CLEAR, Opacity, shelter, sight
from sandtable.table.terrain import Feature, Terrain

from .strategies import bases, law

STAND = Footprint(1.5, 1.0)
GROUND = Terrain(
    [
        Feature("wood", "wood", [(18, 14), (24, 14), (24, 22), (18, 22)], height=3.0),
        Feature("bocage", "bocage", [(6, 18), (14, 18)], closed=False, height=1.5),
        Feature("wall", "wall", [(28, 18), (40, 18)], closed=False, height=0.5),
    ],
    48.0,
    36.0,
)
OPACITY = Opacity([AREA, BARRIER, CLEAR])


def stand(x: float, y: float, facing: float = 0.0) -> np.ndarray:
    return body(STAND, Place(x, y, facing))


@law
@given(st.lists(bases(), min_size=1, max_size=5), st.lists(bases(), min_size=1, max_size=5))
def test_the_nearest_is_the_least_of_all_distances(ours: list[np.ndarray], theirs: list[np.ndarray]) -> None:
    a, b = np.array(ours), np.array(theirs)
    assert np.allclose(nearest(a, b), distances(a, b).min(axis=1))


def test_a_barrier_that_one_touches_does_not_block() -> None:
    behind, beyond = stand(10, 17.45), stand(10, 26)
    away = stand(10, 15)
    assert not sight(GROUND, OPACITY, away, beyond, touch=0.1)[0, 0]
    assert not sight(GROUND, OPACITY, behind, beyond)[0, 0]
    assert sight(GROUND, OPACITY, behind, beyond, touch=0.1)[0, 0]
    assert sight(GROUND, OPACITY, beyond, behind, touch=0.1)[0, 0]


def test_one_looks_over_blockers_of_a_lower_class() -> None:
    watcher, target, between = stand(30, 4), stand(30, 10), body(Footprint(6.0, 1.0), Place(30, 7))
    low = {"blockers": between, "classes": np.array([0])}
    assert not sight(GROUND, OPACITY, watcher, target, **low, over=np.array([0]))[0, 0]
    assert sight(GROUND, OPACITY, watcher, target, **low, over=np.array([1]))[0, 0]


def test_pairs_that_are_not_wanted_are_answered_with_no() -> None:
    rows = bodies([(STAND, Place(30, 4)), (STAND, Place(34, 4))])
    assert sight(GROUND, OPACITY, rows, rows, wanted=np.eye(2, dtype=bool)).tolist() == [[True, False], [False, True]]


def test_shelter_is_the_best_of_areas_and_of_lines_that_are_crossed() -> None:
    values = np.array([1, 1, 2])
    in_wood, at_wall, in_open = stand(21, 18), stand(34, 18.55), stand(34, 24)
    targets = np.array([in_wood, at_wall, in_open])
    south, north = stand(34, 6), stand(34, 33)
    assert shelter(GROUND, values, south, targets, 0.1).tolist() == [[1, 2, 0]]
    # From the wall's own side there is no wall between.
    assert shelter(GROUND, values, north, targets, 0.1).tolist() == [[1, 0, 0]]
