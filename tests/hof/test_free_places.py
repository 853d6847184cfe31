"""Places with room, far from eyes or hidden: the same as asking one by one."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sandtable.field.deploying import moved
from sandtable.rulesets.hof.kernels.free_places import (
    COVERED,
    COVERED_SEEN,
    EXPOSED,
    NEWLY_SEEN,
    UNSEEN,
    UNWANTED,
    inset,
    lairs,
    lines,
    ring,
    shelters,
)
from sandtable.rulesets.hof.kernels.ground_sight import Lens, all_watched, lens_on, seen
from sandtable.table.distance import distances, nearest
from sandtable.table.moves import on_table
from sandtable.table.placement import room
from sandtable.table.shapes import Floats, Footprint, Place, X, Y, bodies, body
from sandtable.table.sight import AREA, Opacity
from sandtable.table.terrain import Feature, Terrain
from tests.table.strategies import bases, coordinates, law

STAND = Footprint(1.5, 1)
NOBODY = np.empty((0, 8))


AREAS = [[(8.0, 8.0), (14.0, 8.0), (14.0, 14.0), (8.0, 14.0)], [(18.0, 4.0), (22.0, 4.0), (22.0, 24.0), (18.0, 24.0)]]


def two_areas() -> tuple[Terrain, Lens]:
    terrain = Terrain([Feature(f"f{n}", "area", points) for n, points in enumerate(AREAS)], 30, 30)
    none = np.zeros(2, dtype=np.bool_)
    return terrain, lens_on(terrain, Opacity([AREA, AREA]), none, none, none, 0.05)


@law
@given(st.lists(bases(), min_size=1, max_size=3), st.lists(bases(), min_size=1, max_size=4), st.floats(0.0, 12.0))
def test_lines_are_where_all_may_stand_far_from_the_enemy(
    mine: list[Floats], others: list[Floats], apart: float
) -> None:
    terrain, _ = two_areas()
    about, there, barring, xs = np.array(mine), np.array(others), np.array([0]), np.linspace(-15, 15, 7)
    found = lines(terrain, barring, about, xs, there, np.array([0]), apart, width=30, depth=30, slack=0.01)
    expected = []
    for x in xs.tolist():
        rows = moved(about, x, 0.0)
        free = room(rows, there, 30, 30) & ~terrain.over_any(rows, barring)
        if free.all() and (distances(rows, there[:1]) >= apart).all():
            expected.append(rows.tolist())
    assert found.tolist() == expected


def test_a_ring_is_a_base_moved_and_rounded() -> None:
    row = body(STAND, Place(3.0, 4.0, 90.0))
    found = ring(row, np.array([(0.0, 1.0), (1 / 3, -1.0)]), 2.0)
    assert found[:, X : Y + 1].tolist() == [[3.0, 6.0], [3.67, 2.0]]
    assert (np.delete(found, [X, Y], axis=1) == np.delete(row, [X, Y])).all()


@law
@given(st.lists(bases(), min_size=2, max_size=6), st.lists(bases(), min_size=2, max_size=4), bases(), st.booleans())
def test_how_hidden_a_lair_is(wanted: list[Floats], there: list[Floats], start: Floats, moved: bool) -> None:
    terrain, lens = two_areas()
    places, rows = np.array(wanted), np.array(there)
    # The first sees from where the last stands.
    stands = np.array([len(rows) - 1, *range(1, len(rows))])
    before = np.array([start, *there[1:]]) if moved else NOBODY
    asked = np.arange(len(places)) > 0
    apart = np.linspace(4.0, 12.0, len(rows))
    eyes, areas, outlines = np.arange(len(rows)), np.array([0]), np.array([1])
    covered = terrain.over_any(places, areas) | terrain.touching_any(places, outlines, 0.05)
    covered &= (distances(places, rows) >= apart - 1e-9).all(axis=1)
    now = seen(lens, rows[stands], places).any(axis=0)
    earlier = seen(lens, before, places).any(axis=0) if moved else now
    assert all_watched(lens, rows[stands], places) == now.all()
    expected = np.where(covered, COVERED, np.where(~now, UNSEEN, np.where(earlier, EXPOSED, NEWLY_SEEN)))
    if moved:
        expected[covered & now] = COVERED_SEEN
    expected[~asked] = UNWANTED
    assert lairs(lens, places, asked, areas, outlines, rows, stands, eyes, apart, before) == expected.tolist()


@law
@given(st.lists(bases(), min_size=1, max_size=6), st.lists(bases(), min_size=3, max_size=6))
def test_a_shelter_is_free_near_a_mate_and_out_of_sight(wanted: list[Floats], there: list[Floats]) -> None:
    terrain, lens = two_areas()
    places, rows = np.array(wanted), np.array(there)
    barring, mates, eyes = np.array([0]), np.array([0]), np.arange(1, len(rows))
    # The second sees from where the last stands.
    stands = np.array([0, len(rows) - 1, *range(2, len(rows))])
    found = shelters(lens, places, rows, barring, mates, 9.0, stands, eyes, 12.0, width=30, depth=30, slack=0.01)
    free = room(places, rows, 30, 30) & ~terrain.over_any(places, barring)
    close = nearest(places, rows[:1]) <= 9.0
    watched = (seen(lens, rows[stands][1:], places) & (distances(rows[1:], places) <= 12.0)).any(axis=0)
    assert found.tolist() == (free & close & ~watched).tolist()


@law
@given(st.lists(bases(), min_size=1, max_size=4), coordinates, coordinates)
def test_whoever_lies_in_a_box_has_his_middle_in_its_inset(mine: list[Floats], x: float, y: float) -> None:
    rows = np.array(mine)
    west, south, east, north = inset((0.0, 0.0, 30.0, 30.0), rows)
    moved = rows.copy()
    moved[:, X] += x
    moved[:, Y] += y
    if on_table(moved, 30, 30).all():
        assert west - 0.05 <= x <= east + 0.05
        assert south - 0.05 <= y <= north + 0.05


def test_a_box_too_small_for_somebody_is_left_as_it_is() -> None:
    assert inset((0.0, 0.0, 4.0, 4.0), bodies([(Footprint(5, 5), Place(0, 0))])) == (0.0, 0.0, 4.0, 4.0)
