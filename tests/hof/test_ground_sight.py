"""Looking with smoke, hills and thick hedges: the same as asking for each of them by itself."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from sandtable.rulesets.hof.kernels.concealing import LINE, NARROWED, NONE, veil
from sandtable.rulesets.hof.kernels.ground_sight import (
    Lens,
    Places,
    arrive,
    lens_on,
    put,
    seen,
    seen_known,
    stops_seen,
    ways_seen,
)
from sandtable.table.distance import distances, overlaps
from sandtable.table.moves import Paths, together
from sandtable.table.shapes import Floats, Footprint, Ints, Mask, Place, Z, bodies, heading
from sandtable.table.sight import AREA, BARRIER, CLEAR, Opacity, sight
from sandtable.table.terrain import Feature, Terrain
from tests.table.strategies import bases, law, terrains

TOUCH = 0.1
MODES = {"wood": AREA, "house": AREA, "smoke": BARRIER, "hedge": CLEAR}
groups = st.lists(bases(), min_size=1, max_size=4).map(np.array)
heights = st.lists(st.sampled_from([0.0, 0.0, 1.5, 3.0]), min_size=8, max_size=8)


def lens_of(terrain: Terrain) -> Lens:
    opacity = Opacity([MODES[feature.kind] for feature in terrain.features])
    none = terrain.of_kind(())
    return lens_on(terrain, opacity, terrain.of_kind(["smoke"]), terrain.of_kind(["hedge"]), none, TOUCH)


def places_of(rows: Floats, known: NDArray[np.int8], veils: NDArray[np.int16] | None = None) -> Places:
    """Rows of which this is known; everybody counts as being where he stands."""
    count = len(rows)
    return Places(rows, known, np.full(count * count, -1, dtype=np.int16) if veils is None else veils, np.arange(count))


def by_parts(terrain: Terrain, a: Floats, b: Floats) -> Mask:
    """Sight, smoke and hedges, one after the other."""
    over_a, over_b = terrain.top[None, :] < a[:, None, Z], terrain.top[None, :] < b[:, None, Z]
    smoke, hedge = terrain.of_kind(["smoke"]), terrain.of_kind(["hedge"])
    modes = np.array([MODES[feature.kind] for feature in terrain.features])

    def look(shown: Ints) -> Mask:
        return sight(terrain, Opacity(shown), a, b, exempt_a=over_a, exempt_b=over_b, touch=TOUCH)

    fog_a = ((terrain.touching(a, TOUCH) | terrain.overlapping(a)) & smoke).astype(np.int64)
    fog_b = ((terrain.touching(b, TOUCH) | terrain.overlapping(b)) & smoke).astype(np.int64)
    shared = fog_a @ fog_b.T > 0
    smoky = (fog_a.sum(axis=1)[:, None] + fog_b.sum(axis=1)[None, :]) > 0
    result = (look(modes) & ~smoky) | (look(np.where(smoke, CLEAR, modes)) & shared)
    kinds = np.where(hedge, LINE, NONE)
    narrowed = veil(terrain, kinds, hedge, a, b, TOUCH, exempt_a=over_a, exempt_b=over_b) & NARROWED
    found: Mask = result & (narrowed == 0)
    return found


@law
@given(terrains(), groups, groups, heights)
def test_all_at_once_is_one_after_the_other(terrain: Terrain, a: Floats, b: Floats, high: list[float]) -> None:
    a[:, Z], b[:, Z] = high[: len(a)], high[4 : 4 + len(b)]
    expected = by_parts(terrain, a, b)
    lens = lens_of(terrain)
    assert seen(lens, a, b).tolist() == expected.tolist()
    wanted = np.arange(expected.size).reshape(expected.shape) % 2 == 0
    assert seen(lens, a, b, wanted).tolist() == (expected & wanted).tolist()


@law
@given(terrains(), groups)
def test_what_is_known_is_not_asked_again(terrain: Terrain, rows: Floats) -> None:
    lens = lens_of(terrain)
    count = len(rows)
    numbers = np.arange(count)
    known = np.zeros(count * count, dtype=np.int8)
    first = seen_known(lens, places_of(rows, known), numbers[:1], numbers)
    assert first.tolist() == seen(lens, rows[:1], rows).tolist()
    assert known[:count].tolist() == [2 if sees else 1 for sees in first[0]]
    assert known[::count].tolist() == known[:count].tolist()
    lies = np.full(count * count, 2, dtype=np.int8)
    assert seen_known(lens, places_of(rows, lies), numbers, numbers).all()


def on_the_way(
    lens: Lens, rows: Floats, points: Floats, starts: Ints, uptos: list[float], known: NDArray[np.int8] | None = None
) -> list[bool]:
    """Whether the first of the rows sees the others where they are, or on their ways; nobody turns."""
    count = len(rows)
    numbers = np.arange(count)
    poses = np.column_stack([rows[1:, 3:5], uptos])
    found = np.zeros(count * count, dtype=np.int8) if known is None else known
    return ways_seen(lens, places_of(rows, found), numbers[:1], numbers[1:], poses, Paths(points, starts), 1.0)


def test_a_way_past_a_wood() -> None:
    wood = Feature("wood", "wood", [(10, 0), (12, 0), (12, 10), (10, 10)])
    terrain = Terrain([wood], 48, 36)
    lens = lens_of(terrain)
    rows = bodies([(Footprint(1, 1), Place(5, 6)), *[(Footprint(1, 1), Place(20, 2))] * 3])
    points = np.array([(20.0, 2.0), (20.0, 20.0), (20.0, 2.0), (30.0, 2.0), (20.0, 2.0), (30.0, 2.0), (30.0, 30.0)])
    starts = np.array([0, 2, 4, 7])
    assert on_the_way(lens, rows, points, starts, [18.0, 10.0, 38.0]) == [True, False, True]
    assert on_the_way(lens, rows, points, starts, [5.0, 10.0, 10.0]) == [False, False, False]


def test_a_way_that_starts_in_sight() -> None:
    wood = Feature("wood", "wood", [(10, 0), (12, 0), (12, 10), (10, 10)])
    lens = lens_of(Terrain([wood], 48, 36))
    rows = bodies([(Footprint(1, 1), Place(5, 6)), (Footprint(1, 1), Place(20, 20)), (Footprint(1, 1), Place(20, 2))])
    points = np.array([(20.0, 20.0), (20.0, 2.0), (20.0, 2.0), (30.0, 2.0)])
    known = np.zeros(9, dtype=np.int8)
    assert on_the_way(lens, rows, points, np.array([0, 2, 4]), [18.0, 10.0], known) == [True, False]
    assert known.tolist() == [0, 2, 1, 2, 0, 0, 1, 0, 0]
    lies = np.full(9, 2, dtype=np.int8)
    assert on_the_way(lens, rows, points, np.array([0, 2, 4]), [18.0, 10.0], lies) == [True, True]


def test_a_way_over_a_hill() -> None:
    wood = Feature("wood", "wood", [(10, 0), (12, 0), (12, 10), (10, 10)], height=1.0)
    hill = Feature("hill", "hill", [(20, 0), (24, 0), (24, 10), (20, 10)], height=2.0)
    terrain = Terrain([wood, hill], 48, 36)
    none = terrain.of_kind(())
    lens = lens_on(terrain, Opacity([AREA, CLEAR]), none, none, terrain.of_kind(["hill"]), TOUCH)
    rows = bodies([(Footprint(1, 1), Place(5, 5)), (Footprint(1, 1), Place(30, 5))])
    points = np.array([(30.0, 5.0), (15.0, 5.0)])
    starts = np.array([0, 2])
    assert on_the_way(lens, rows, points, starts, [15.0]) == [True]
    assert on_the_way(lens, rows, points, starts, [5.0]) == [False]


def test_a_base_is_set_down_elsewhere() -> None:
    hill = Feature("hill", "hill", [(20, 0), (24, 0), (24, 10), (20, 10)], height=2.0)
    terrain = Terrain([hill], 48, 36)
    none = terrain.of_kind(())
    lens = lens_on(terrain, Opacity([CLEAR]), none, none, terrain.of_kind(["hill"]), TOUCH)
    rows = bodies([(Footprint(1, 1), Place(x, 5)) for x in (5, 10, 30)])
    known, veils = np.full(9, 2, dtype=np.int8), np.full(9, 4, dtype=np.int16)
    put(lens, places_of(rows, known, veils), 1, (22.0, 5.0), (1.0, 0.0), 1.0)
    assert rows[1].tolist() == [0, 22, 5, 1, 0, 0.5, 0.5, 3]
    assert known.reshape(3, 3).tolist() == [[2, 0, 2], [0, 0, 0], [2, 0, 2]]
    assert veils.reshape(3, 3).tolist() == [[4, -1, 4], [-1, -1, -1], [4, -1, 4]]
    put(lens, places_of(rows, known, veils), 1, (12.0, 5.0), (0.0, 1.0))
    assert rows[1].tolist() == [0, 12, 5, 0, 1, 0.5, 0.5, 0]


@law
@given(terrains(), groups)
def test_the_stops_of_a_way(terrain: Terrain, rows: Floats) -> None:
    lens = lens_of(terrain)
    path = np.array([rows[0, 1:3], rows[0, 1:3] + 4.0])
    stops, slack = np.array([1.0, 3.0]), 0.02
    eyes = np.arange(1, len(rows))
    reaches = np.full(len(eyes), 12.0)
    found = stops_seen(lens, rows, 0, (0.0, 1.0), path, stops, slack, eyes, reaches, False)
    there = np.repeat(rows[:1], 2, axis=0)
    there[:, 1:3] += stops[:, None] * math.sqrt(0.5)
    there[:, 3:5] = 0.0, 1.0
    free = ~overlaps(there, rows[1:], slack).any(axis=1)
    near = distances(rows[1:], there) <= 12.0
    assert found.tolist() == (seen(lens, rows[1:], there) & near & free).tolist()
    once = stops_seen(lens, rows, 0, (0.0, 1.0), path, stops, slack, eyes, reaches, True)
    assert once.sum() == found.any()
    assert not (once & ~found).any()


@law
@given(terrains(), groups, st.floats(0, 360), st.floats(0.1, 12))
def test_a_way_is_seen_where_one_of_its_steps_is(terrain: Terrain, rows: Floats, facing: float, length: float) -> None:
    lens = lens_of(terrain)
    start = rows[1:, 1:3].repeat(2, axis=0)
    start[1::2] += np.array(heading(facing)) * length
    count = max(1, math.ceil(length))
    expected = []
    for row in rows[1:]:
        steps = row[None].repeat(count + 1, axis=0)
        steps[:, 1:3] += np.arange(count + 1)[:, None] * np.array(heading(facing)) * length / count
        expected.append(bool(seen(lens, rows[:1], steps).any()))
    starts = 2 * np.arange(len(rows))
    assert on_the_way(lens, rows, start, starts, [length] * (len(rows) - 1)) == expected


def test_setting_bases_down_where_they_come_freely() -> None:
    hill = Feature("hill", "wood", [(20, 0), (24, 0), (24, 10), (20, 10)], height=2.0)
    terrain = Terrain([hill], 48, 36)
    none = terrain.of_kind(())
    lens = lens_on(terrain, Opacity([AREA]), none, none, ~none, TOUCH)
    rows = bodies([(Footprint(1, 1), Place(5, 5)), (Footprint(1, 1), Place(30, 5)), (Footprint(1, 1), Place(40, 30))])
    known, veils = np.full(9, 2, dtype=np.int8), np.full(9, 3, dtype=np.int16)

    def come(x: float) -> bool:
        ends, paths = np.array([(x, 5.0, 1.0, 0.0, 1.0, x - 5.0)]), together([[(5.0, 5.0), (x, 5.0)]])
        places, enemies = places_of(rows, known, veils), np.array([1])
        return arrive(lens, places, np.array([0]), ends, paths, enemies, (48.0, 36.0), 0.05, 0.02)

    before = rows.copy()
    assert not come(29.5), "on the enemy"
    assert (rows == before).all()
    assert known.tolist() == [2] * 9
    assert come(22.0)
    assert rows[0].tolist() == [0.0, 22.0, 5.0, 1.0, 0.0, 0.5, 0.5, 3.0]
    assert (rows[1:] == before[1:]).all()
    assert known.tolist() == [0, 0, 0, 0, 2, 2, 0, 2, 2]
    assert veils.tolist() == [-1, -1, -1, -1, 3, 3, -1, 3, 3]
