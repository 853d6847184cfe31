"""Fields of fire, groups that are watched, and volleys: the same as asking one by one."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sandtable.rulesets.tr14.kernels.fire import (
    UNSEEN,
    Places,
    Troops,
    aim,
    fields,
    groups_of,
    lens_on,
    places_of,
    watch,
)
from sandtable.table.distance import arcs, distances
from sandtable.table.shapes import COS, Footprint, Place, X, body
from sandtable.table.sight import AREA, BARRIER, CLEAR, Opacity, shelter, sight
from sandtable.table.terrain import Feature, Terrain
from tests.table.strategies import bases, law

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
LENS = lens_on(GROUND, OPACITY, 0.1)


def stand(x: float, y: float, facing: float = 0.0) -> np.ndarray:
    return body(STAND, Place(x, y, facing))


@law
@given(st.lists(bases(), min_size=1, max_size=4), st.lists(bases(), min_size=1, max_size=4), st.floats(0, 359))
def test_fields_are_arcs_within_reach(ours: list[np.ndarray], theirs: list[np.ndarray], facing: float) -> None:
    a, b = np.array(ours), np.array(theirs)
    facings = np.array([[facing, math.nan]] * len(a))
    reaches = np.array([[12.0, 6.0]] * len(a))
    distance, inside, some = fields(a, facings, reaches, 180.0, b)
    assert np.allclose(distance, distances(a, b))
    assert (inside[0] == (arcs(a, facings[:, 0].copy(), 180.0, b) & (distance <= 12.0))).all()
    assert (inside[1] == (distance <= 6.0)).all()
    assert (some == inside.any(axis=0)).all()


@law
@given(st.lists(bases(), min_size=1, max_size=4), st.lists(bases(), min_size=2, max_size=6), st.floats(0, 359))
def test_a_group_is_watched_when_one_of_it_is_seen(
    ours: list[np.ndarray], theirs: list[np.ndarray], facing: float
) -> None:
    # Given watchers, two groups of targets, and other bases in the way,
    a, b = np.array(ours), np.array(theirs)
    n = len(a)
    facings = np.full((n, 1), facing)
    reaches = np.full((n, 1), 20.0)
    own, classes, over = np.arange(n), np.arange(n) % 2, np.zeros(n, dtype=np.int64)
    starts, moving = np.array([0, 1, len(b)]), np.array([1, len(b) - 1])
    # when a group is watched, then just because one of its bases is in the field, near and in sight.
    limits = np.full(n, 18.0)
    troops, groups = Troops(own, classes, over, reaches), groups_of(b, starts, moving)
    watched = watch(LENS, places_of(a, facings), troops, own, limits, groups, 180.0)
    distance, inside, _ = fields(a, facings, reaches, 180.0, b)
    seen = sight(GROUND, OPACITY, a, b, blockers=a, own=own, classes=classes, over=over, touch=0.1) & inside[0]
    for group in range(2):
        part = slice(starts[group], starts[group + 1])
        near = (distance[:, part] <= 18.0).any(axis=1)
        assert (watched[:, group] == (seen[:, part].any(axis=1) & near)).all()


@law
@given(st.lists(bases(), min_size=3, max_size=5), st.lists(bases(), min_size=1, max_size=5), st.floats(0, 359))
def test_a_volley_is_aimed_by_fields_sight_and_shelter(
    ours: list[np.ndarray], theirs: list[np.ndarray], facing: float
) -> None:
    # Given all bases of both sides, of whom all of ours but the last two fire, and the last but one looks on,
    a, b = np.array(ours), np.array(theirs)
    n, m = len(a), len(b)
    firing, rows = np.arange(n - 2), np.concatenate((a, b))
    facings = np.array([[facing, math.nan]] * (n + m))
    reaches = np.array([[12.0, 6.0]] * n)
    classes, over, values = np.arange(n) % 2, np.arange(n) % 3, np.array([1, 2, 1])
    troops = Troops(np.arange(n), classes, over, reaches)
    # when they aim,
    distance, marks, stands = aim(
        LENS, values, places_of(rows, facings), troops, firing, np.array([n - 2]), n + np.arange(m), 180.0
    )
    # then all that is known of it is what the single questions say.
    shooters = a[: n - 2]
    far, inside, _ = fields(shooters, facings[: n - 2].copy(), reaches[: n - 2].copy(), 180.0, b)
    line = sight(
        GROUND, OPACITY, shooters, b, blockers=a, own=firing, classes=classes, over=over[: n - 2].copy(), touch=0.1
    )
    seen = sight(GROUND, OPACITY, a[: n - 1], b, touch=0.1)
    assert (distance == far).all()
    assert (marks[:, :2].transpose(1, 0, 2) == (inside & line)).all()
    assert (marks[:, 2] == np.where(seen[:-1], shelter(GROUND, values, shooters, b, 0.1), UNSEEN)).all()
    assert (stands[0] == seen.any(axis=0)).all()
    assert (stands[1] == GROUND.inside(b)[:, 0]).all()


@law
@given(
    st.lists(bases(), min_size=2, max_size=5),
    st.lists(bases(), min_size=2, max_size=5),
    st.lists(st.tuples(st.integers(0, 9), bases()), max_size=4),
)
def test_a_memory_changes_no_answer(
    ours: list[np.ndarray], theirs: list[np.ndarray], steps: list[tuple[int, np.ndarray]]
) -> None:
    # Given a memory that is kept while one base after another goes elsewhere,
    rows = np.array(ours + theirs)
    n, m = len(ours), len(theirs)
    facings, none = np.full((n + m, 1), math.nan), np.empty(0, dtype=np.int64)
    memory = places_of(rows, facings)

    def all_asked(places: Places) -> list[object]:
        answers: list[object] = []
        sides = (np.arange(n), n + np.arange(m))
        for own, others in (sides, sides[::-1], sides):
            k = len(own)
            side = Troops(own, np.zeros(k, dtype=np.int64), np.zeros(k, dtype=np.int64), np.full((k, 1), 30.0))
            everybody, limits = np.arange(k), np.full(k, math.inf)
            ends = np.arange(len(others) + 1), np.ones(len(others), dtype=np.int64)
            groups = groups_of(rows[others], *ends, others)
            watched = watch(LENS, places, side, everybody, limits, groups, 180.0)
            marks = aim(LENS, np.array([1, 2, 1]), places, side, everybody, none, others, 180.0)[1]
            answers += [watched.tolist(), marks.tolist()]
        return answers

    # when the same is asked again and again, then it is answered as without a memory.
    for who, row in [(0, rows[0].copy()), *steps]:
        rows[who % (n + m), X : COS + 1] = row[X : COS + 1]
        assert all_asked(memory) == all_asked(places_of(rows, facings))
