"""Setting down whole units."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.table.distance import distances, nearest, overlaps
from sandtable.table.look import Lens, all_watched, seen
from sandtable.table.moves import on_table
from sandtable.table.placement import (
    COVERED,
    COVERED_SEEN,
    EXPOSED,
    NEWLY_SEEN,
    UNSEEN,
    UNWANTED,
    along,
    in_ranks,
    inset,
    lairs,
    lines,
    near,
    raster,
    ring,
    room,
    shelters,
    stand,
)
from sandtable.table.shapes import Floats, Footprint, Place, X, Y, bodies, body, forward_offset, rounded
from sandtable.table.sight import AREA, Opacity
from sandtable.table.terrain import Feature, Terrain

from .strategies import bases, coordinates, facings, law

STAND = Footprint(1.5, 1)
NOBODY = np.empty((0, 8))


def is_legal(footprints: list[Footprint], places: list[Place], obstacles: Floats) -> bool:
    rows = bodies(zip(footprints, places, strict=True))
    apart = not (overlaps(rows, rows) & ~np.eye(len(rows), dtype=bool)).any()
    return apart and not overlaps(rows, obstacles).any() and bool(on_table(rows, 48, 36).all())


@law
@given(st.lists(bases(), min_size=1, max_size=5), st.lists(bases(), max_size=4))
def test_room_is_on_the_table_and_on_nobody(mine: list[Floats], others: list[Floats]) -> None:
    rows, there = np.array(mine), np.array(others).reshape(-1, 8)
    free = on_table(rows, 30, 30) & ~overlaps(rows, there).any(axis=1)
    apart = ~(overlaps(rows, rows) & ~np.eye(len(rows), dtype=bool)).any(axis=1)
    assert room(rows, there, 30, 30).tolist() == free.tolist()
    assert room(rows, there, 30, 30, together=True).tolist() == (free & apart).tolist()


AREAS = [[(8.0, 8.0), (14.0, 8.0), (14.0, 14.0), (8.0, 14.0)], [(18.0, 4.0), (22.0, 4.0), (22.0, 24.0), (18.0, 24.0)]]


def two_areas() -> tuple[Terrain, Lens]:
    terrain = Terrain([Feature(f"f{n}", "area", points) for n, points in enumerate(AREAS)], 30, 30)
    none = np.zeros(2, dtype=np.bool_)
    return terrain, Lens(terrain, Opacity([AREA, AREA]), none, none, none, 0.05)


@law
@given(st.lists(bases(), min_size=1, max_size=4), coordinates, coordinates, st.lists(bases(), max_size=4))
def test_whoever_stands_has_room_in_the_zone(mine: list[Floats], x: float, y: float, others: list[Floats]) -> None:
    terrain, _ = two_areas()
    zone = Terrain([Feature("zone", "zone", [(0, 0), (30, 0), (30, 18), (0, 18)])], 30, 30)
    about, there, barring = np.array(mine), np.array(others).reshape(-1, 8), np.array([0])
    rows, good = stand(terrain, barring, zone, about, x - 15, y - 15, there, width=30, depth=30, slack=0.01)
    assert np.abs(rows[:, X] - about[:, X] - x + 15).max() < 0.006
    assert np.abs(rows[:, Y] - about[:, Y] - y + 15).max() < 0.006
    free = room(rows, there, 30, 30) & ~terrain.over_any(rows, barring)
    assert good.tolist() == (free & zone.within(rows)[:, 0]).tolist()


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
        rows, good = stand(terrain, barring, None, about, x, 0.0, there, width=30, depth=30, slack=0.01)
        if good.all() and (distances(rows, there[:1]) >= apart).all():
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


def test_ranks_stand_front_first_from_left_to_right() -> None:
    # Given five stands facing east in files of three, then the front rank is in the east and left is north.
    places = in_ranks([STAND] * 5, 20, 20, 90, files=3, spacing=0.5)
    xs, ys = [round(p.x, 6) for p in places], [round(p.y, 6) for p in places]
    assert xs == [20.75] * 3 + [19.25] * 2
    assert ys == [22, 20, 18, 21, 19]
    assert {p.facing for p in places} == {90}


def test_a_unit_on_open_ground_stands_in_ranks() -> None:
    places = near([STAND] * 6, 20, 20, 0, width=48, depth=36, obstacles=NOBODY)
    assert places == [rounded(place) for place in in_ranks([STAND] * 6, 20, 20, 0, 4, 0.5)]


def test_a_base_without_room_steps_aside() -> None:
    tank = body(Footprint(3, 4), Place(20, 20)).reshape(1, 8)
    places = near([STAND] * 6, 20, 20, 0, width=48, depth=36, obstacles=tank)
    assert places is not None
    assert is_legal([STAND] * 6, places, tank)


def test_a_full_table_takes_nobody() -> None:
    full = body(Footprint(48, 36), Place(24, 18)).reshape(1, 8)
    assert near([STAND], 20, 20, 0, width=48, depth=36, obstacles=full) is None


def test_zones_are_kept() -> None:
    places = near([STAND] * 8, 24, 12.5, 0, width=48, depth=36, obstacles=NOBODY, allowed=lambda place: place.y <= 12)
    assert places is not None
    assert all(place.y <= 12 for place in places)
    assert is_legal([STAND] * 8, places, NOBODY)


@law
@given(st.integers(1, 10), coordinates, coordinates, facings, st.lists(bases(), max_size=5))
def test_whoever_is_placed_is_placed_legally(n: int, x: float, y: float, facing: float, others: list[Floats]) -> None:
    obstacles = np.array(others).reshape(-1, 8)
    footprints = [STAND if k % 3 else Footprint(2, 2, "circle") for k in range(n)]
    places = near(footprints, x, y, facing, width=48, depth=36, obstacles=obstacles)
    assert places is None or is_legal(footprints, places, obstacles)


def test_a_unit_lines_a_wall() -> None:
    # Given a wall running east, when four stands line its right hand (south), then they face north over it.
    places = along([STAND] * 4, (10, 20), (30, 20), side=1, width=48, depth=36, obstacles=NOBODY)
    assert places is not None
    assert {place.facing for place in places} == {0}
    assert all(place.y + 0.5 == pytest.approx(19.95) for place in places)
    assert sum(place.x for place in places) / 4 == pytest.approx(20, abs=0.01)
    other = along([STAND] * 4, (10, 20), (30, 20), side=-1, width=48, depth=36, obstacles=NOBODY)
    assert other is not None
    assert {place.facing for place in other} == {180}
    assert all(place.y > 20 for place in other)


def test_a_wall_with_someone_at_it() -> None:
    tank = body(Footprint(3, 4), Place(20, 18)).reshape(1, 8)
    places = along([STAND] * 4, (10, 20), (30, 20), side=1, width=48, depth=36, obstacles=tank)
    assert places is not None
    assert is_legal([STAND] * 4, places, tank)


def test_a_short_wall_is_closed_up_or_refused() -> None:
    closed_up = along([STAND] * 4, (10, 20), (16.2, 20), side=1, width=48, depth=36, obstacles=NOBODY)
    assert closed_up is not None
    assert is_legal([STAND] * 4, closed_up, NOBODY)
    assert along([STAND] * 4, (10, 20), (15, 20), side=1, width=48, depth=36, obstacles=NOBODY) is None
    assert along([STAND], (10, 20), (10, 20), side=1, width=48, depth=36, obstacles=NOBODY) is None


@law
@given(facings, st.sampled_from([1, -1]))
def test_every_wall_is_faced(direction: float, side: int) -> None:
    end = in_ranks([STAND], 24, 18, direction, 1)[0]
    tip = (end.x + 8 * np.sin(np.radians(direction)), end.y + 8 * np.cos(np.radians(direction)))
    places = along([STAND] * 3, (24, 18), tip, side=side, width=48, depth=36, obstacles=NOBODY)
    assert places is not None
    for place in places:
        assert forward_offset(place.x, place.y, place.facing, 24, 18) == pytest.approx(0.55, abs=0.05)


def test_a_raster_covers_the_table_to_its_edges() -> None:
    spots = raster(2.2, 1.0)
    assert sorted(set(spots[:, 0].tolist())) == [0.0, 0.5, 1.0, 1.5, 2.0, 2.2]
    assert sorted(set(spots[:, 1].tolist())) == [0.0, 0.5, 1.0]
    assert {tuple(spot) for spot in spots.tolist()} >= {(0.0, 0.0), (2.2, 1.0), (1.5, 0.5)}
