"""Setting down whole units."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sandtable.table.distance import overlaps
from sandtable.table.moves import on_table
from sandtable.table.placement import in_ranks, near, raster, room
from sandtable.table.shapes import Floats, Footprint, Place, bodies, body, rounded

from .strategies import bases, coordinates, facings, law

STAND = Footprint(1.5, 1)
NOBODY = np.empty((0, 8))


def is_legal(footprints: list[Footprint], places: list[Place], obstacles: Floats) -> bool:
    rows = bodies(zip(footprints, places, strict=True))
    apart = not (overlaps(rows, rows) & ~np.eye(len(rows), dtype=bool)).any()
    return apart and not overlaps(rows, obstacles).any() and bool(on_table(rows, 48, 36).all())


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


def test_a_raster_covers_the_table_to_its_edges() -> None:
    spots = raster(2.2, 1.0)
    assert sorted(set(spots[:, 0].tolist())) == [0.0, 0.5, 1.0, 1.5, 2.0, 2.2]
    assert sorted(set(spots[:, 1].tolist())) == [0.0, 0.5, 1.0]
    assert {tuple(spot) for spot in spots.tolist()} >= {(0.0, 0.0), (2.2, 1.0), (1.5, 0.5)}


@law
@given(st.lists(bases(), min_size=1, max_size=5), st.lists(bases(), max_size=4))
def test_room_is_on_the_table_and_on_nobody(mine: list[Floats], others: list[Floats]) -> None:
    rows, there = np.array(mine), np.array(others).reshape(-1, 8)
    free = on_table(rows, 30, 30) & ~overlaps(rows, there).any(axis=1)
    apart = ~(overlaps(rows, rows) & ~np.eye(len(rows), dtype=bool)).any(axis=1)
    assert room(rows, there, 30, 30).tolist() == free.tolist()
    assert room(rows, there, 30, 30, together=True).tolist() == (free & apart).tolist()
