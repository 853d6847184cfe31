"""Paths, sweeps and sliding units."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
import shapely
import shapely.ops
from hypothesis import given
from hypothesis import strategies as st

from sandtable.table.distance import distance, overlaps
from sandtable.table.hairs import GRID, NOTHING
from sandtable.table.moves import (
    Met,
    Span,
    any_within,
    met,
    on_table,
    pairs_within,
    slide,
    spans,
    stands_free,
    sweep,
    together,
    ways_crossed,
)
from sandtable.table.shapes import Floats, Footprint, Place, bodies, body, moved
from sandtable.table.terrain import Feature, Terrain

from .strategies import Path, bases, coordinates, grid_hedges, grid_paths, grid_stars, law, terrains

WOOD = Feature("wood", "wood", [(10, 10), (20, 10), (20, 20), (10, 20)])
HEDGE = Feature("hedge", "hedge", [(25, 5), (25, 25)], closed=False)
TABLE = Terrain([WOOD, HEDGE], 48, 36)
NOBODY = np.empty((0, 8))
points = st.lists(st.tuples(coordinates, coordinates), min_size=2, max_size=4).map(np.array)


def overlap(a: Floats, b: Floats, slack: float = GRID) -> bool:
    return bool(overlaps(a, b, slack)[0, 0])


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


def crossed_at(terrain: Terrain, *path: tuple[float, float]) -> list[float]:
    """After how many inches a path enters or crosses something."""
    return [span.enter for span in spans(terrain, path) if not span.started]


def test_a_walk_through_the_wood_and_over_the_hedge() -> None:
    # Given a path with a corner inside the wood; then it enters once and leaves once, and crosses the hedge.
    assert spans(TABLE, [(5, 15), (15, 15), (15, 12), (30, 12)]) == [
        Span(0, 5, 18, started=False, ended=False),
        Span(1, 23, 23, started=False, ended=False),
    ]


def test_starting_and_stopping_inside() -> None:
    assert spans(TABLE, [(15, 15), (5, 15)]) == [Span(0, 0, 5, started=True, ended=False)]
    assert spans(TABLE, [(5, 15), (15, 15)]) == [Span(0, 5, 10, started=False, ended=True)]
    assert spans(TABLE, [(12, 15), (15, 15)]) == [Span(0, 0, 3, started=True, ended=True)]


def test_a_corner_of_the_path_on_the_hedge() -> None:
    # Over it, or back: only the one who goes on has crossed, were it after a walk along it.
    assert crossed_at(TABLE, (22, 15), (25, 15), (28, 18)) == [3]
    assert crossed_at(TABLE, (22, 15), (25, 15), (25, 18), (28, 18)) == [3]
    assert crossed_at(TABLE, (22, 15), (25, 15), (22, 18)) == []
    assert crossed_at(TABLE, (22, 15), (25, 15), (25, 18), (22, 18)) == []


def test_who_stops_on_the_hedge_has_crossed_it() -> None:
    # And may go on to either side, as he likes: in two moves it is crossed once.
    assert crossed_at(TABLE, (22, 15), (25, 15)) == [3]
    assert crossed_at(TABLE, (28, 15), (25, 15), (25, 20)) == [3]
    assert crossed_at(TABLE, (25, 15), (28, 15)) == []
    assert crossed_at(TABLE, (25, 15), (22, 15)) == []
    assert crossed_at(TABLE, (25, 15), (25, 20)) == []
    assert crossed_at(TABLE, (25, 15), (22, 15), (28, 15)) == [6]


def test_round_the_end_of_the_hedge() -> None:
    assert crossed_at(TABLE, (22, 25), (28, 25)) == []
    assert crossed_at(TABLE, (22, 15), (25, 15), (25, 30), (28, 30)) == []
    assert crossed_at(TABLE, (22, 22), (25, 25), (28, 22)) == []


def test_the_wall_round_a_yard() -> None:
    # Where the outline begins and ends it is as shut as elsewhere.
    yard = Terrain([Feature("yard", "wall", [(10, 10), (20, 10), (20, 20), (10, 20)]).as_line()], 48, 36)
    assert crossed_at(yard, (7, 6), (10, 10), (14, 13)) == [5]
    assert crossed_at(yard, (7, 6), (13, 14)) == [5]
    assert crossed_at(yard, (7, 13), (13, 7)) == []


def test_from_the_border_of_the_wood() -> None:
    # Given somebody exactly on the border, or within it by the rounding of his place; then going in is an entry.
    for x in (10.0, 10.004, 10.01):
        assert spans(TABLE, [(x, 15), (12, 15)]) == [Span(0, 0.0, pytest.approx(12 - x), started=False, ended=True)]
        assert spans(TABLE, [(x, 15), (5, 15)]) == []
        assert spans(TABLE, [(x, 15), (x, 11), (5, 11)]) == []
    assert spans(TABLE, [(10.02, 15), (12, 15)]) == [Span(0, 0.0, pytest.approx(1.98), True, True)]
    assert spans(TABLE, [(9.99, 15), (12, 15)]) == [
        Span(0, pytest.approx(0.01), pytest.approx(2.01), started=False, ended=True)
    ]
    # From one corner of it to the other, along two borders, and through it.
    assert spans(TABLE, [(10, 10), (20, 10), (20, 20)]) == []
    assert spans(TABLE, [(10, 10), (20, 20)]) == [Span(0, 0.0, pytest.approx(200**0.5), started=False, ended=False)]
    # Whoever stops on the border is outside.
    assert [span.ended for span in spans(TABLE, [(15, 15), (10, 15)])] == [False]
    assert [span.ended for span in spans(TABLE, [(15, 15), (10.02, 15)])] == [True]


def test_out_of_the_wood_and_in_again() -> None:
    # Given a wood like a U, walked through both ways; then both of its arms are entered.
    wood = Feature("wood", "wood", [(10, 10), (22, 10), (22, 20), (18, 20), (18, 14), (14, 14), (14, 20), (10, 20)])
    terrain = Terrain([wood], 48, 36)
    for path in ([(5, 17), (27, 17)], [(27, 17), (5, 17)], [(5, 17), (16, 17), (27, 17)]):
        assert [(span.enter, span.leave) for span in spans(terrain, path)] == [(5, 9), (13, 17)]
    # From the one arm into the other.
    assert [(span.started, span.ended) for span in spans(terrain, [(20, 17), (12, 17)])] == [
        (True, False),
        (False, True),
    ]


def inches_on(path: Path, shape: shapely.Geometry) -> list[tuple[float, float]]:
    """The stretches of a path that lie on a shape, by Shapely: from and to, mostly of no length."""
    found: list[tuple[float, float]] = []
    gone = 0.0
    for a, b in pairwise(path):
        leg = shapely.LineString((a, b))
        met = leg.intersection(shape)
        for part in shapely.get_parts(met) if not met.is_empty else []:
            ends = [leg.project(shapely.Point(point)) for point in part.coords]
            found.append((gone + min(ends), gone + max(ends)))
        gone += leg.length
    merged: list[tuple[float, float]] = []
    for low, high in sorted(found):
        if merged and low - merged[-1][1] < 1e-6:
            low, high = merged[-1][0], max(high, merged.pop()[1])
        merged.append((low, high))
    return merged


def walked_inside(path: Path, area: shapely.Polygon) -> list[tuple[float, float]]:
    """The stretches of a path inside an area, its outline left out, by Shapely."""
    whole = path_length(path)
    corners = [path_length(path[: k + 1]) for k in range(len(path))]
    cuts = sorted({*corners, *(end for stretch in inches_on(path, area.boundary) for end in stretch)})
    found: list[tuple[float, float]] = []
    for low, high in pairwise(cuts):
        middle = shapely.Point(point_along(path, (low + high) / 2))
        if high - low < 1e-6 or not area.contains(middle) or area.boundary.distance(middle) < 1e-9:
            continue
        if found and low - found[-1][1] < 1e-6:
            low = found.pop()[0]
        found.append((low, high))
    assert all(high <= whole for _, high in found)
    return found


@law
@given(grid_stars(), grid_paths)
def test_areas_are_entered_and_left_as_shapely_says(wood: Feature, path: Path) -> None:
    """Concave areas; starts, ends and corners on their borders and corners, and ways along them."""
    area = shapely.Polygon(wood.points)
    there = walked_inside(path, area)
    started = area.contains(shapely.Point(path[0]))
    found = spans(Terrain([wood], 48, 36), path)
    assert [(span.enter, span.leave) for span in found] == [pytest.approx(stretch, abs=1e-6) for stretch in there]
    assert [span.started for span in found] == [started and k == 0 for k in range(len(there))]
    ended = area.contains(shapely.Point(path[-1]))
    assert [span.ended for span in found] == [ended and k == len(there) - 1 for k in range(len(there))]


@law
@given(st.one_of(grid_hedges(), grid_stars().map(Feature.as_line)), grid_paths)
def test_lines_are_crossed_as_shapely_says(hedge: Feature, path: Path) -> None:
    """What a path touches is cut out round about and cut in two by the line: before and behind are two pieces."""
    line = shapely.LineString(hedge.points)
    length = path_length(path)
    expected = []
    for low, high in inches_on(path, line):
        if low < 1e-9:
            continue
        if high > length - 1e-9:
            expected.append(low)
            continue
        along = [
            low,
            *(at for k in range(len(path)) if low < (at := path_length(path[: k + 1])) < high),
            high,
        ]
        touched = shapely.MultiPoint([point_along(path, at) for at in along])
        place = (shapely.LineString(touched.geoms) if high - low > 1e-9 else touched.geoms[0]).buffer(1e-3)
        pieces = list(shapely.ops.split(place, line).geoms)
        before, behind = (
            min(pieces, key=lambda piece: piece.distance(shapely.Point(point_along(path, at))))
            for at in (low - 5e-4, high + 5e-4)
        )
        if before is not behind:
            expected.append(low)
    found = spans(Terrain([hedge], 48, 36), path)
    assert [span.enter for span in found] == [pytest.approx(at, abs=1e-6) for at in expected]
    assert all(span.leave == span.enter and not span.started for span in found)


@law
@given(grid_stars(), grid_hedges(), grid_paths)
def test_in_two_moves_nothing_is_crossed_that_is_not_in_one(wood: Feature, hedge: Feature, path: Path) -> None:
    """Whoever halts at a corner of his way pays at least as much as whoever goes on."""
    terrain = Terrain([wood, hedge], 48, 36)
    for k in range(1, len(path) - 1):
        whole = {span.feature for span in spans(terrain, path) if not span.started}
        parts = [spans(terrain, path[: k + 1]), spans(terrain, path[k:])]
        assert whole <= {span.feature for part in parts for span in part if not span.started}


@law
@given(terrains(), points)
def test_a_path_enters_and_leaves_by_turns(terrain: Terrain, path: Floats) -> None:
    found = spans(terrain, path.tolist())
    assert [span.enter for span in found] == sorted(span.enter for span in found)
    for f, feature in enumerate(terrain.features):
        if feature.closed:
            ends = [end for span in found if span.feature == f for end in (span.enter, span.leave)]
            assert all(a < b for a, b in pairwise(ends))
            assert all(0 <= end <= path_length(path) + 1e-6 for end in ends)


def test_a_tank_stops_at_the_tank_ahead() -> None:
    tank, ahead = body(Footprint(2, 3), Place(5, 5)), body(Footprint(2, 3), Place(5, 15))
    path = np.array([(5, 5), (5, 30)])
    assert sweep(tank, path, ahead) == pytest.approx(7.01)
    assert sweep(tank, np.array([(5, 5), (8, 5), (8, 30)]), ahead) == math.inf
    assert sweep(tank, path, NOBODY) == math.inf
    # Round the corner: eight to the east, then north.
    assert sweep(tank, np.array([(5, 5), (13, 5), (13, 15), (5, 15)]), ahead) == pytest.approx(24.01)


def test_who_stands_in_another_may_walk_out() -> None:
    a, b = body(Footprint(2, 2), Place(5, 5)), body(Footprint(2, 2), Place(6, 5))
    assert sweep(a, np.array([(5, 5), (15, 5)]), b) == math.inf


@law
@given(bases(), bases(), coordinates, coordinates)
def test_sweeps_stop_where_overlapping_begins(a: Floats, b: Floats, x: float, y: float) -> None:
    path = np.array([(a[1], a[2]), (x, y)])
    stop = sweep(a, path, b)
    length = math.dist(*path)

    def there(distance: float) -> Floats:
        px, py = point_along(path, distance)
        return moved(a, px - a[1], py - a[2])

    if overlap(a, b):
        assert stop == math.inf
        return
    clear_until = min(stop, length)
    for part in np.linspace(0, 1, 25):
        assert not overlap(there(part * clear_until), b, slack=0.01 + 1e-7)
    if stop < math.inf:
        assert overlap(there(stop), b, slack=0.01 - 1e-7)


def test_on_the_table() -> None:
    places = [Place(1, 1), Place(0.9, 5), Place(47, 35), Place(24, 35.2), Place(1, 5, 45)]
    rows = bodies((Footprint(2, 2), place) for place in places)
    assert on_table(rows, 48, 36).tolist() == [True, False, True, False, False]


def test_a_unit_slides_until_something_is_in_the_way() -> None:
    # Given two stands abreast and an enemy ahead of the left one.
    unit = bodies([(Footprint(1, 1), Place(10, 10)), (Footprint(1, 1), Place(12, 10))])
    enemy = body(Footprint(1, 1), Place(10, 18))
    # When they advance eight inches, then the left one stops short of him.
    assert slide(unit, 0, 8, enemy, 48, 36).fractions.tolist() == [0.8, 1.0]
    assert slide(unit, 0, 8, NOBODY, 48, 36).fractions.tolist() == [1, 1]
    # Against the table edge; the second could go on, but there stands the first.
    assert slide(unit, -20, 0, NOBODY, 48, 36).fractions.tolist() == [0.4, 0.4]


def test_the_rear_follows_the_front() -> None:
    # Given a file of three: all may step into the places of those ahead, but not through one who is stuck.
    unit = bodies([(Footprint(1, 1), Place(10, y)) for y in (10, 11, 12)])
    assert slide(unit, 0, 1, NOBODY, 48, 36).fractions.tolist() == [1, 1, 1]
    wall = body(Footprint(4, 1), Place(10, 13))
    assert slide(unit, 0, 1, wall, 48, 36).fractions.tolist() == [0, 0, 0]


@law
@given(
    st.integers(1, 8),
    st.lists(bases(), max_size=6),
    st.floats(-12, 12),
    st.floats(-12, 12),
    st.floats(0, 360),
)
def test_no_slid_base_overlaps_anybody(n: int, others: list[Floats], dx: float, dy: float, facing: float) -> None:
    unit = bodies([(Footprint(1.5, 1), Place(12 + 2 * (k % 4), 12 + 2 * (k // 4), facing)) for k in range(n)])
    obstacles = np.array(others).reshape(-1, 8)
    fractions, ends = slide(unit, dx, dy, obstacles, 48, 36)
    gone = fractions > 0
    assert not overlaps(ends, obstacles)[gone].any()
    assert not (overlaps(ends, ends) & ~np.eye(n, dtype=bool))[gone].any()
    assert on_table(ends, 48, 36)[gone].all()


STAND = Footprint(1, 1)


def table_of(*spots: tuple[float, float], base: Footprint = STAND) -> Floats:
    return bodies([(base, Place(*spot)) for spot in spots])


@law
@given(bases(), bases(), st.floats(0, 40))
def test_who_is_within_a_distance(a: Floats, b: Floats, far: float) -> None:
    rows = np.vstack((a, b))
    near = distance(a, b)
    if abs(near - far) > 1e-6:
        assert any_within(rows, np.array([0]), np.array([1]), far) == (near < far)
        assert pairs_within(rows, np.array([0, 1]), np.array([1]), far) == [[0, 0], [1, 0]][near >= far :]


def test_who_stands_free() -> None:
    rows = table_of((10, 10), (10.5, 10), (20, 10), (0.2, 20))
    assert [stands_free(rows, number, 48, 36) for number in range(4)] == [False, False, True, False]


# Past terrain


@law
@given(terrains(), st.lists(st.tuples(coordinates, coordinates, coordinates, coordinates), min_size=1, max_size=4))
def test_which_lines_cross_anything(terrain: Terrain, lines: list[tuple[float, float, float, float]]) -> None:
    numbers = np.arange(len(terrain.features))
    # A way along a hedge leads over it, while a line of sight along it crosses nothing.
    straight = [[(x0, y0), (x1, y1)] for x0, y0, x1, y1 in lines]
    assert ways_crossed(terrain, numbers, together(straight)) == [bool(spans(terrain, way)) for way in straight]
    bent = [(x, y) for line in lines for x, y in (line[:2], line[2:])]
    assert ways_crossed(terrain, numbers, together([bent])) == [bool(spans(terrain, bent))]
    assert ways_crossed(terrain, numbers[:0], together([bent])) == [False]


@law
@given(terrains(), st.lists(points, min_size=1, max_size=4))
def test_what_ways_meet_is_what_one_after_the_other_comes_to(terrain: Terrain, paths: list[Floats]) -> None:
    ways = [[(x, y) for x, y in path.tolist()] for path in paths]
    first: dict[int, Met] = {}
    for number, way in enumerate(ways):
        for span in spans(terrain, way):
            into, out = math.inf if span.started else span.enter, math.inf if span.ended else span.leave
            found = Met(span.enter, span.feature, number, into, out)
            known = first.get(span.feature, found)
            sooner = found if found.inches < known.inches - NOTHING else known
            first[span.feature] = sooner._replace(into=min(into, known.into), out=min(out, known.out))
    assert met(terrain, np.arange(len(terrain.features)), together(ways)) == sorted(first.values())


def test_only_some_features() -> None:
    path = [(5.0, 15.0), (30.0, 15.0)]
    assert [span.feature for span in spans(TABLE, path)] == [0, 1]
    assert [span.feature for span in spans(TABLE, path, np.array([1]))] == [1]
