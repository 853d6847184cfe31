"""Who can fire at whom: the same as distances, sight, arcs and friends in the way asked one by one."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sandtable.rulesets.hof.kernels.concealing import shielded
from sandtable.rulesets.hof.kernels.fire import (
    FREE,
    OVER,
    THROUGH,
    Fire,
    Friends,
    Targets,
    fire_about,
    fire_gain,
    fire_over,
    fire_table,
)
from sandtable.rulesets.hof.kernels.ground_sight import Lens, Places, lens_on, seen
from sandtable.table.distance import arcs, distances
from sandtable.table.shapes import Floats, Footprint, Ints, Mask, Place, Z, bodies
from sandtable.table.sight import AREA, BARRIER, Opacity, sight
from sandtable.table.terrain import Feature, Terrain
from tests.table.strategies import bases, law, terrains

TOUCH, SPILL, WIDTH = 0.1, 4.0, 90.0
PROOFS: Floats = np.array([-math.inf, 1.0, 0.0, -math.inf, 1.0])
STAND = Footprint(1, 1)
OPEN = Terrain([Feature("far", "house", [(40, 30), (42, 30), (42, 32)])], 48, 36)
groups = st.lists(bases(), min_size=2, max_size=4).map(np.array)


def lens_of(terrain: Terrain) -> Lens:
    modes = [AREA if feature.closed else BARRIER for feature in terrain.features]
    none = terrain.of_kind(())
    return lens_on(terrain, Opacity(modes), none, none, none, TOUCH)


class Found:
    """A table of fire with its marks by name."""

    def __init__(self, fire: Fire) -> None:
        self.gap, self.aim, marks, self.gain, self.some = fire
        self.marks = marks
        self.near, self.sees, self.arc, self.line, self.can, self.free = marks


def ask(terrain: Terrain, ours: Floats, theirs: Floats, firing: Floats, classes: Ints, high: Ints) -> Found:
    rows = np.vstack((ours, theirs))
    count, many = len(ours), len(rows)
    targets = np.arange(count, many)
    houses = terrain.of_kind(["house"])
    known = np.zeros(many * many, dtype=np.int8)
    places = Places(rows, known, np.full(many * many, -1, dtype=np.int16), np.arange(many))
    friends, foes = Friends(np.arange(count), classes), Targets(targets, high, PROOFS[: len(theirs)])
    fire = fire_table(lens_of(terrain), places, friends, firing, foes, houses if houses.any() else None, WIDTH, SPILL)
    again = fire_gain(fire.marks[4], rows, firing, targets, PROOFS[: len(theirs)], SPILL)
    assert fire.gain.tolist() == again.tolist()
    return Found(fire)


def simple(reach: float, *facings: float) -> Floats:
    return np.array([(number, facing, reach, 0.0, 0.0) for number, facing in enumerate(facings)])


def at(*points: tuple[float, float]) -> Floats:
    return bodies([(STAND, Place(x, y)) for x, y in points])


@law
@given(terrains(), groups, groups, st.integers(0, 15), st.integers(0, 15), st.floats(4, 40))
def test_all_at_once_is_one_by_one(
    terrain: Terrain, ours: Floats, theirs: Floats, heavy: int, tall: int, reach: float
) -> None:
    classes = np.array([heavy >> k & 1 for k in range(len(ours))])
    high = np.array([tall >> k & 1 for k in range(len(theirs))])
    facings = np.where(classes == 1, 45.0, math.nan)
    numbers = np.arange(len(ours))
    firing = np.column_stack((numbers, facings, np.full(len(ours), reach), classes, classes)).astype(np.float64)
    found = ask(terrain, ours, theirs, firing, classes, high)
    gap = distances(ours, theirs)
    near = gap <= reach + 1e-9
    assert np.array_equal(found.gap[near], gap[near])
    assert (found.gap[~near] > reach).all()
    sees = seen(lens_of(terrain), ours, theirs)
    line = sees & near & ~shielded(terrain, terrain.of_kind(["house"]), ours, theirs, TOUCH)
    modes = [AREA if feature.closed else BARRIER for feature in terrain.features]
    passing: Mask = np.zeros_like(line)
    for column, tall_one in enumerate(high):
        passing[:, column : column + 1] = sight(
            terrain, Opacity(modes), ours, theirs[column : column + 1], blockers=ours, own=numbers,
            classes=classes, over=np.maximum(classes, tall_one), touch=TOUCH,
        )  # fmt: skip
    line &= passing
    arc = arcs(ours, facings, WIDTH, theirs)
    assert found.near.tolist() == near.tolist()
    assert found.line.tolist() == line.tolist()
    assert (found.sees & near).tolist() == (sees & near).tolist()
    assert (found.arc & near).tolist() == (arc & near).tolist()
    close = distances(theirs, theirs) <= SPILL + 1e-9
    for row in range(len(ours)):
        for column in range(len(theirs)):
            able = line[row, column] and arc[row, column]
            others = [k for k in range(len(theirs)) if line[row, k] and close[column, k]]
            if not sees[row, column] and others:
                best = min(others, key=lambda k: gap[row, k])
                assert found.aim[row, column] == best
                able = arc[row, best]
            assert found.can[row, column] == able


def test_a_friend_is_in_the_way() -> None:
    ours, theirs = at((10, 10), (10, 15)), at((10, 20), (20, 20))
    foot, tall = np.array([0, 0]), np.array([1, 1])
    round_about = simple(30, math.nan, math.nan)
    assert ask(OPEN, ours, theirs, round_about, foot, foot).can.tolist() == [[False, True], [True, True]]
    # Over somebody on foot one fires at what is higher.
    assert ask(OPEN, ours, theirs, round_about, foot, tall).can.all()
    assert ask(OPEN, ours, theirs, round_about, np.array([0, 1]), tall).can.tolist() == [[False, True], [True, True]]


def test_arc_and_reach() -> None:
    ours, theirs = at((10, 10), (30, 10)), at((10, 20), (30, 5))
    found = ask(OPEN, ours, theirs, simple(12, 0.0, 0.0), np.array([0, 0]), np.array([0, 0]))
    assert found.can.tolist() == [[True, False], [False, False]]
    assert found.near.tolist() == [[True, False], [False, True]]


def test_the_nearest_in_sight_close_to_the_target() -> None:
    wall = Terrain([Feature("wall", "wall", [(11.2, 15), (30, 15)], closed=False)], 48, 36)
    ours, theirs = at((10, 10)), at((14, 20), (10.5, 20), (25, 20))
    found = ask(wall, ours, theirs, simple(40, math.nan), np.array([0]), np.array([0, 0, 0]))
    assert found.sees.tolist() == [[False, True, False]]
    assert found.aim.tolist() == [[1, 1, -1]]
    assert found.can.tolist() == [[True, True, False]]


def test_friends_are_fired_over_from_above_or_past_or_through() -> None:
    rows = at((10, 10), (10, 15), (20, 10), (10, 20))
    friends, everybody = Friends(np.arange(3), np.zeros(3, dtype=np.int64)), np.array([True, True, True])
    places = Places(rows, np.zeros(16, dtype=np.int8), np.full(16, -1, dtype=np.int16), np.arange(4))
    firing = simple(30, math.nan, math.nan, math.nan)
    assert fire_over(lens_of(OPEN), places, friends, firing, 3, everybody) == [THROUGH, FREE, FREE]
    rows[0, Z] = 1.0
    assert fire_over(lens_of(OPEN), places, friends, firing, 3, everybody) == [OVER, FREE, FREE]
    assert fire_over(lens_of(OPEN), places, friends, firing, 3, ~everybody) == [FREE, FREE, FREE]
    # One who counts as being where another is stands in nobody's way.
    places.stands[1] = 2
    assert fire_over(lens_of(OPEN), places, friends, firing, 3, everybody) == [FREE, FREE, FREE]


def test_fire_at_what_it_cannot_hurt_is_worth_something_only_near_others() -> None:
    rows = at((10, 10), (12, 10), (10, 20), (13, 20), (30, 20))
    firing = simple(40, math.nan, math.nan)
    firing[:, 4] = -math.inf, 5.0
    targets, proof = np.array([2, 3, 4]), np.array([3.0, -math.inf, 3.0])
    can = np.array([[True, True, True], [True, True, False]])
    found = fire_gain(can, rows, firing, targets, proof, SPILL)
    assert found[:-1, :-1].tolist() == [[True, True, False], [True, True, False]]
    assert found[-1, :-1].tolist() == [True, True, False]
    assert found[:-1, -1].tolist() == [True, True]
    alone = fire_gain(np.array([[False, False, True], [False, False, True]]), rows, firing, targets, proof, SPILL)
    assert alone[:-1, :-1].tolist() == [[False, False, False], [False, False, True]]
    assert alone[:-1, -1].tolist() == [True, True]


def test_about_a_target_are_those_close_to_it_and_it_comes_first() -> None:
    ours, theirs = at((10, 10)), at((30, 20), (10, 20), (13, 20), (20, 30))
    fire = ask(OPEN, ours, theirs, simple(40, math.nan), np.array([0]), np.array([0, 0, 0, 0]))
    rows, targets = np.vstack((ours, theirs)), np.arange(1, 5)
    aim = np.array([[0, 1, 1, 3]])
    picked, gap, part, marks = fire_about(rows, targets, 2, SPILL, fire.gap, aim, fire.marks)
    assert picked.tolist() == [2, 1]
    assert gap.tolist() == fire.gap[:, [2, 1]].tolist()
    assert part.tolist() == [[1, -1]]
    assert marks.tolist() == fire.marks[:, :, [2, 1]].tolist()
