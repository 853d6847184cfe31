"""Sight by levels: higher ground looks over lower, one way; inches of thick ground are added up."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.rulesets.sof.kernels import levels
from sandtable.rulesets.sof.kernels.levels import Levels, compiled_levels
from sandtable.table import sight
from sandtable.table.shapes import COLUMNS, Floats, Footprint, Place, X, Y, bodies
from sandtable.table.terrain import Feature, Terrain
from tests.table.strategies import bases, law, terrains

BASE = Footprint(1.0, 1.0, "circle")


def block(name: str, x0: float, x1: float) -> Feature:
    return Feature(name, "block", [(x0, 0), (x1, 0), (x1, 20), (x0, 20)])


def at(*xs: float) -> Floats:
    return bodies((BASE, Place(x, 10.0)) for x in xs)


def sees(terrain: Terrain, ground: Levels, a: float, b: float, level: float = 1.0) -> bool:
    return bool(levels.sight_by_levels(terrain, ground, at(a), at(b), np.array([level]))[0, 0])


HILL = Terrain([block("house", 10, 14)], 40, 20)
TALL = compiled_levels([2.0], [True], [-1], [])


def test_what_is_tall_hides_what_lies_beyond_but_not_who_is_in_it() -> None:
    assert not sees(HILL, TALL, 5, 20)
    assert sees(HILL, TALL, 5, 12)
    assert sees(HILL, TALL, 12, 20)


@pytest.mark.parametrize(("level", "seen"), [(1.0, False), (2.0, False), (3.0, True)])
def test_whoever_is_higher_looks_over_it_and_an_equal_height_blocks(level: float, seen: bool) -> None:
    assert sees(HILL, TALL, 5, 20, level) is seen


def test_it_is_not_the_same_both_ways() -> None:
    assert sees(HILL, TALL, 5, 20, 3.0)
    assert not sees(HILL, TALL, 20, 5, 1.0)


WOODS = Terrain([block("a", 10, 13), block("b", 15, 18.5), block("c", 17, 18)], 40, 20)


@pytest.mark.parametrize(("limit", "seen"), [(6.5, True), (6.49, False)])
def test_inches_of_all_pieces_are_added_and_what_overlaps_counts_once(limit: float, seen: bool) -> None:
    ground = compiled_levels([2.0] * 3, [False] * 3, [0] * 3, [limit])
    assert sees(WOODS, ground, 5, 30) is seen


def test_thick_ground_counts_from_where_one_stands_in_it() -> None:
    ground = compiled_levels([2.0] * 3, [False] * 3, [0] * 3, [2.0])
    assert sees(WOODS, ground, 11, 14)
    assert not sees(WOODS, ground, 10.5, 14)


def test_two_kinds_of_thick_ground_are_not_added() -> None:
    ground = compiled_levels([2.0] * 3, [False] * 3, [0, 1, -1], [4.0, 4.0])
    assert sees(WOODS, ground, 5, 30)


def test_what_hides_is_named() -> None:
    ground = compiled_levels([2.0, 0.5, 2.0], [True, False, False], [-1] * 3, [])
    found = levels.hides(sight.crossings(WOODS, 5, 10, 30, 10), ground, 1.0)
    assert found is not None
    assert WOODS.features[found.feature].id == "a"
    assert levels.hides(sight.crossings(WOODS, 14, 10, 30, 10), ground, 1.0) is None


def test_no_lines_and_no_terrain() -> None:
    nothing = Terrain([], 40, 20)
    assert sees(nothing, compiled_levels([], [], [], []), 5, 30)
    assert levels.sight_by_levels(nothing, compiled_levels([], [], [], []), at(), at(1), np.empty(0)).shape == (0, 1)


@law
@given(terrains(), st.lists(bases(), max_size=4), st.lists(bases(), max_size=4), st.data())
def test_all_at_once_is_the_same_as_line_by_line(
    terrain: Terrain, ours: list[Floats], theirs: list[Floats], data: st.DataObject
) -> None:
    def one_each(values: list[Any], count: int = len(terrain.features)) -> list[Any]:
        return data.draw(st.lists(st.sampled_from(values), min_size=count, max_size=count))

    ground = compiled_levels(one_each([0.5, 1.0, 2.0]), one_each([True, False]), one_each([-1, 0, 1]), [6.0, 2.0])
    a, b = (np.array(each).reshape(-1, COLUMNS) for each in (ours, theirs))
    watchers = np.array(one_each([1.0, 2.0], len(a)), dtype=np.float64)
    found = levels.sight_by_levels(terrain, ground, a, b, watchers)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            met = sight.crossings(terrain, *x[X : Y + 1].tolist(), *y[X : Y + 1].tolist())
            assert found[i, j] == (levels.hides(met, ground, watchers[i]) is None)
