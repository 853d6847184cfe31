"""Ways of bases: the same as asking for each step by itself."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.rulesets.hof.kernels.passage import (
    CROSSING,
    UNCLEAR,
    WELL,
    WRONG,
    Movers,
    arrive_freely,
    first_off,
    gaps_along,
    shift,
    touch_between,
)
from sandtable.table.moves import (
    slide,
    sweep,
    together,
)
from sandtable.table.shapes import Floats, Footprint, Place, bodies, body, point_body
from sandtable.table.terrain import Feature, Terrain
from tests.table.strategies import Path, bases, coordinates, law, terrains

WOOD = Feature("wood", "wood", [(10, 10), (20, 10), (20, 20), (10, 20)])


HEDGE = Feature("hedge", "hedge", [(25, 5), (25, 25)], closed=False)


TABLE = Terrain([WOOD, HEDGE], 48, 36)


points = st.lists(st.tuples(coordinates, coordinates), min_size=2, max_size=4).map(np.array)


def path_length(path: Floats | Path) -> float:
    return sum(math.dist(a, b) for a, b in pairwise(path))


def point_along(path: Floats | Path, inches: float) -> tuple[float, float]:
    """The point so many inches along a path; its end, when that is beyond."""
    for (x0, y0), (x1, y1) in pairwise(path):
        leg = math.dist((x0, y0), (x1, y1))
        if inches <= leg and leg > 0:
            return x0 + (x1 - x0) * inches / leg, y0 + (y1 - y0) * inches / leg
        inches -= leg
    return path[-1][0], path[-1][1]


STAND = Footprint(1, 1)


def table_of(*spots: tuple[float, float], base: Footprint = STAND) -> Floats:
    return bodies([(base, Place(*spot)) for spot in spots])


def shifted(
    rows: Floats, count: int, dx: float, dy: float, turning: bool = False, barring: tuple[int, ...] = ()
) -> tuple[list[list[float]], int]:
    numbers, enemies = np.arange(count), np.arange(count, len(rows))
    bars = np.array(barring, dtype=np.int64)
    movers = Movers(numbers, np.full(count, turning), enemies)
    return shift(TABLE, bars, rows, movers, (1.0, 0.0), (dx, dy), 0.05)


@law
@given(terrains(), points, st.floats(0, 20), st.floats(0, 20))
def test_near_terrain_along_a_path(terrain: Terrain, path: Floats, low: float, more: float) -> None:
    numbers = np.arange(len(terrain.features))
    far = np.full(len(numbers), 1.0)
    high = min(low + more, path_length(path))

    def gap(at: float) -> float:
        return float(terrain.gaps(point_body(*point_along(path, at))).min())

    if low > high:
        return
    off = first_off(terrain, numbers, far, path, low, high)
    last = high if off is None else off
    for part in np.linspace(0, 1, 25) if last > low + 1e-6 else []:
        assert gap(low + part * (last - low)) <= 1.0 + 1e-6
    if off is not None:
        assert low - 1e-9 <= off <= high + 1e-9
        assert gap(off) >= 1.0 - 1e-6
    here = first_off(terrain, numbers, far, path, low, low)
    assert (here is None) == (gap(low) <= 1.0) or abs(gap(low) - 1.0) < 1e-9


@law
@given(terrains(), bases(), points, st.floats(0.1, 40))
def test_gaps_along_a_path(terrain: Terrain, row: Floats, path: Floats, upto: float) -> None:
    distances = [0.0, upto / 2, upto]
    rows = np.array([row] * 3)
    rows[:, 1:3] = [point_along(path, inches) for inches in distances]
    for feature in range(len(terrain.features)):
        found = gaps_along(terrain, feature, row, path, distances)
        assert found == pytest.approx(terrain.gaps(rows)[:, feature].tolist(), abs=1e-9)


def test_where_a_base_comes_into_touch() -> None:
    row, path = body(Footprint(1, 1), Place(5, 15)), np.array([(5.0, 15.0), (15.0, 15.0)])
    at = touch_between(TABLE, 0, row, path, 0.0, 10.0, 0.05, 20)
    assert at == pytest.approx(4.45, abs=1e-4)


@law
@given(st.lists(bases(), min_size=3, max_size=5), st.floats(-8, 8), st.floats(-8, 8))
def test_a_shift_ends_where_a_slide_does(rows: list[Floats], dx: float, dy: float) -> None:
    everyone = np.array(rows)
    ends, verdict = shifted(everyone, 2, dx, dy)
    slid = slide(everyone[:2], dx, dy, everyone[2:], 48, 36).ends
    assert ends == slid[:, 1:3].tolist()
    gone = [k for k in range(2) if ends[k] != everyone[k, 1:3].tolist()]
    paths = [np.array([everyone[k, 1:3], ends[k]]) for k in gone]
    over = any(sweep(everyone[k], path, everyone[2:]) < math.inf for k, path in zip(gone, paths, strict=True))
    assert (verdict == WRONG) == over


def test_what_is_to_be_said_of_a_shift() -> None:
    rows = table_of((5, 5), (8, 5), (5, 12))
    assert shifted(rows, 2, 3, 3) == ([[8, 8], [11, 8]], WELL)
    assert shifted(rows, 2, 0, 6) == ([[5, 11], [8, 11]], UNCLEAR)
    assert shifted(rows, 2, 0, 9)[1] == WRONG
    assert shifted(table_of((5, 15), (8, 15)), 2, 4, 0)[1] == WELL
    assert shifted(table_of((5, 15), (8, 15)), 2, 4, 0, barring=(0,))[1] == CROSSING
    assert shifted(table_of((0.5, 15), (8, 5)), 2, -3, 0)[1] == WELL
    assert shifted(table_of((0.5, 15), (8, 5)), 2, -3, 0, turning=True)[1] == UNCLEAR


def test_who_arrives_freely() -> None:
    rows = table_of((5, 5), (8, 5), (5, 12))

    def free(end: tuple[float, float], *path: tuple[float, float], inches: float = 30.0) -> bool:
        ends = np.array([(*end, 0.0, 1.0)])
        numbers, enemies = np.array([0]), np.array([2])
        return arrive_freely(rows, numbers, ends, together([path]), np.array([inches]), enemies, (48, 36), 0.05)

    assert free((5, 8), (5, 5), (5, 8))
    assert not free((5, 11), (5, 5), (5, 11)), "in contact with the enemy"
    assert not free((5, 14), (5, 5), (5, 14)), "over the enemy"
    assert free((5, 8), (5, 5), (5, 14), inches=3.0), "it stops before it"
    assert free((5, 14), (5, 5), (2, 9), (2, 14), (5, 14)), "round the enemy"
    assert not free((8.5, 5), (5, 5), (8.5, 5)), "on a friend"
    assert not free((5, 0.2), (5, 5), (5, 0.2)), "off the table"
