"""What lines cross, and who sees whom."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from sandtable.table import line_kernels, sight_kernels
from sandtable.table.shapes import COLUMNS, Floats, Footprint, Place, X, Y, bodies
from sandtable.table.sight import (
    AREA,
    BARRIER,
    CLEAR,
    HAZE,
    Opacity,
    clear_lines,
    crossed,
    crossings,
    lines_past,
    sight,
)
from sandtable.table.terrain import Feature, Terrain

from .strategies import as_shapely, bases, feature_shape, law, lines, terrains

WOOD = Feature("wood", "wood", [(10, 10), (20, 10), (20, 20), (10, 20)], height=2)
HEDGE = Feature("hedge", "hedge", [(25, 5), (25, 25)], closed=False, height=1)
# A horseshoe open to the north: a line across it at y = 20 goes in, out, in and out.
SHOE = Feature("shoe", "wood", [(30, 10), (42, 10), (42, 22), (39, 22), (39, 13), (33, 13), (33, 22), (30, 22)])
TABLE = Terrain([WOOD, HEDGE, SHOE], 48, 36)
INF = math.inf
KINDS = {"wood": (AREA, 4.0), "house": (BARRIER, INF), "hedge": (BARRIER, INF), "smoke": (HAZE, 3.0)}
STAND = Footprint(1, 1)


def one(mode: int, limit: float = INF, feature: Feature = WOOD) -> tuple[Terrain, Opacity]:
    return Terrain([feature], 48, 36), Opacity([mode], [limit])


def free(terrain: Terrain, opacity: Opacity, *line: float) -> bool:
    return bool(clear_lines(terrain, opacity, np.array([line]))[0])


def at(*points: tuple[float, float]) -> Floats:
    return bodies([(STAND, Place(x, y)) for x, y in points])


def test_everything_a_line_crosses_in_order() -> None:
    # When a line runs west to east over the whole table, then: the wood, the hedge, both arms of the shoe.
    found = crossings(TABLE, 0, 18, 48, 18)
    assert [(c.feature, c.enter, c.leave) for c in found] == [
        (0, 10, 20), (1, 25, 25), (2, 30, 33), (2, 39, 42),
    ]  # fmt: skip
    assert [c.length for c in found] == [10, 0, 3, 3]
    assert not any(c.from_inside or c.ends_inside for c in found)


def test_lines_that_start_or_end_inside() -> None:
    (out,) = crossings(TABLE, 15, 15, 5, 15)
    assert (out.enter, out.leave, out.from_inside, out.ends_inside) == (0, 5, True, False)
    (into,) = crossings(TABLE, 5, 15, 15, 15)
    assert (into.enter, into.leave, into.from_inside, into.ends_inside) == (5, 10, False, True)
    (wholly,) = crossings(TABLE, 12, 12, 18, 18)
    assert wholly.from_inside
    assert wholly.ends_inside


def test_degenerate_lines_cross_nothing() -> None:
    assert crossings(TABLE, 15, 15, 15, 15) == []  # no length, though inside
    assert crossings(TABLE, 5, 15, 15, 5) == []  # touches the corner (10, 10)
    assert crossings(TABLE, 5, 10, 23, 10) == []  # runs along the edge
    assert crossings(TABLE, 22, 15, 25, 15) == []  # ends at the hedge
    assert crossings(TABLE, 25, 2, 25, 30) == []  # runs along the hedge
    assert crossings(TABLE, 22, 4, 28, 6) == []  # touches the hedge's end


def test_a_line_through_two_corners_is_inside_between_them() -> None:
    (through,) = crossings(TABLE, 5, 5, 24, 24)
    assert (through.enter, through.leave) == pytest.approx((5 * math.sqrt(2), 15 * math.sqrt(2)), abs=1e-9)


def test_a_hedge_crossed_at_its_bend() -> None:
    bent = Terrain([Feature("h", "hedge", [(10, 0), (12, 10), (10, 20)], closed=False)], 48, 36)
    assert len(crossings(bent, 5, 10, 20, 10)) == 1
    # A line that only touches the bend from outside does not cross.
    assert crossings(bent, 12, 0, 12, 20) == []


def test_batches_of_lines() -> None:
    batch = np.array([[0, 18, 48, 18], [0, 2, 48, 2], [36, 20, 36, 12]])
    assert crossed(TABLE, batch).tolist() == [[True, True, True], [False] * 3, [False, False, True]]


@law
@given(terrains(), lines)
def test_lengths_inside_as_shapely_measures(terrain: Terrain, line: tuple[float, ...]) -> None:
    ruler = shapely.LineString([line[:2], line[2:]])
    found = crossings(terrain, *line)
    for f, feature in enumerate(terrain.features):
        if feature.closed:
            # Lines within a hair of an outline may be counted as running along it.
            low = ruler.intersection(feature_shape(feature).buffer(-1e-6)).length
            high = ruler.intersection(feature_shape(feature).buffer(1e-6)).length
            measured = sum(run.length for run in found if run.feature == f)
            assert low - 1e-3 <= measured <= high + 1e-3


@law
@given(terrains(), lines)
def test_crossings_there_and_back_are_the_same(terrain: Terrain, line: tuple[float, float, float, float]) -> None:
    x0, y0, x1, y1 = line
    length = math.hypot(x1 - x0, y1 - y0)
    there = [(c.feature, c.enter, c.leave, c.from_inside, c.ends_inside) for c in crossings(terrain, *line)]
    back = [
        (c.feature, length - c.leave, length - c.enter, c.ends_inside, c.from_inside)
        for c in crossings(terrain, x1, y1, x0, y0)
    ]
    for a, b in zip(sorted(there), sorted(back), strict=True):
        assert a == pytest.approx(b, abs=1e-6)


def test_clear_features_never_block() -> None:
    assert free(*one(CLEAR), 0, 15, 30, 15)


def test_a_barrier_blocks_what_crosses_it() -> None:
    assert not free(*one(BARRIER), 0, 15, 30, 15)
    assert not free(*one(BARRIER), 15, 15, 30, 15)
    assert free(*one(BARRIER), 12, 15, 18, 15)
    assert free(*one(BARRIER), 0, 10, 30, 10)
    assert not free(*one(BARRIER, feature=HEDGE), 20, 15, 30, 15)


def test_an_area_is_seen_into_and_out_of_but_not_through() -> None:
    assert not free(*one(AREA), 0, 15, 30, 15)
    assert free(*one(AREA), 0, 15, 15, 15)
    assert free(*one(AREA), 15, 15, 0, 15)
    assert free(*one(AREA), 12, 15, 18, 15)
    # From one arm of a horseshoe to the other, over the open middle: out of it and into it.
    assert free(*one(AREA, feature=SHOE), 31, 20, 41, 20)
    assert not free(*one(AREA, feature=SHOE), 31, 20, 47, 20)


def test_the_limit_of_sight_inside_an_area() -> None:
    assert free(*one(AREA, 4), 0, 15, 14, 15)
    assert not free(*one(AREA, 4), 0, 15, 14.1, 15)
    assert free(*one(AREA, 4), 12, 15, 16, 15)
    assert not free(*one(AREA, 4), 12, 15, 17, 15)


def test_haze_is_seen_through_up_to_its_limit() -> None:
    assert free(*one(HAZE, 10), 0, 15, 30, 15)
    assert not free(*one(HAZE, 9.9), 0, 15, 30, 15)


def test_heights_lift_the_line_over() -> None:
    # Given a hedge one inch high halfway between two stands.
    terrain, opacity = one(BARRIER, feature=HEDGE)
    a, b = at((20, 15)), at((30, 15))

    def seen(eye_a: float, eye_b: float) -> bool:
        return bool(sight(terrain, opacity, a, b, np.array([eye_a]), np.array([eye_b]))[0, 0])

    # Then from the ground nothing is seen, over the hedge everything, and from a tower the far side.
    assert not seen(0, 0)
    assert seen(1.1, 1.1)
    assert seen(4, 0)
    assert not seen(1.5, 0)


def test_ground_height_counts_with_the_eyes() -> None:
    terrain, opacity = one(BARRIER, feature=HEDGE)
    low = at((20, 15))
    high = bodies([(STAND, Place(30, 15))], z=4)
    assert sight(terrain, opacity, low, high, np.array([0.5]))[0, 0]
    assert not sight(terrain, opacity, low, at((30, 15)), np.array([0.5]))[0, 0]


def test_a_corner_peeping_out_is_enough() -> None:
    # Given a stand behind a wood, when a quarter of it shows past the edge, then it is seen.
    terrain, opacity = one(AREA)
    watcher = at((5, 15))
    assert not sight(terrain, opacity, watcher, at((25, 15)))[0, 0]
    # Seen past the wood's south edge: from the stand's low corner along y = 9.8 and below.
    assert sight(terrain, opacity, at((5, 9.8)), at((25, 10.3)))[0, 0]


def test_who_touches_the_hedge_sees_over_it() -> None:
    terrain, opacity = one(BARRIER, feature=HEDGE)
    a, b = at((24.4, 15), (20, 15)), at((30, 15))
    assert sight(terrain, opacity, a, b, exempt_a=terrain.touching(a)).tolist() == [[True], [False]]
    assert sight(terrain, opacity, b, a, exempt_b=terrain.touching(a)).tolist() == [[True, False]]


def test_bases_in_the_way() -> None:
    # Given three stands in file on open ground: the middle one hides the far one, but nobody hides himself.
    bare = Terrain([], 48, 36)
    opacity = Opacity([])
    file = at((10, 10), (15, 10), (20, 10))
    own = np.arange(3)
    seen = sight(bare, opacity, file, file, blockers=file, own=own, own_b=own)
    assert seen.tolist() == [[True, True, False], [True, True, True], [False, True, True]]
    assert sight(bare, opacity, file, file).all()


def opacity_of(terrain: Terrain) -> Opacity:
    pairs = [KINDS[feature.kind] for feature in terrain.features]
    return Opacity([mode for mode, _ in pairs], [limit for _, limit in pairs])


@law
@given(terrains(), st.lists(bases(), min_size=1, max_size=3), st.lists(bases(), min_size=1, max_size=3))
def test_whoever_sees_is_seen(terrain: Terrain, left: list[Floats], right: list[Floats]) -> None:
    opacity = opacity_of(terrain)
    a, b = np.array(left), np.array(right)
    assert (sight(terrain, opacity, a, b) == sight(terrain, opacity, b, a).T).all()
    high_a, high_b = np.linspace(0, 3, len(a)), np.linspace(1, 2, len(b))
    there = sight(terrain, opacity, a, b, high_a, high_b, blockers=a)
    assert (there == sight(terrain, opacity, b, a, high_b, high_a, blockers=a).T).all()


@law
@given(terrains(), st.lists(bases(), min_size=1, max_size=3), bases())
def test_sight_is_what_its_sample_lines_say(terrain: Terrain, left: list[Floats], target: Floats) -> None:
    # The plain reading of the method: every line between sample points, no shortcut.
    opacity = opacity_of(terrain)
    seen = sight(terrain, opacity, np.array(left), target)[:, 0]
    for row, answer in zip(left, seen, strict=True):
        batch = [[*p, *q] for p in sample_points(row) for q in sample_points(target)]
        assert answer == clear_lines(terrain, opacity, np.array(batch)).any()


def sample_points(row: Floats) -> list[tuple[float, float]]:
    shape, x, y, sin, cos, hw, hd, _ = row.tolist()
    hw, hd = hw - min(0.01, hw / 2), hd - min(0.01, hd / 2)
    if shape == 1:
        offsets = [(hw * math.sin(k * math.pi / 4), hw * math.cos(k * math.pi / 4)) for k in range(8)]
    else:
        offsets = [(u * hw, v * hd) for u in (-1, 0, 1) for v in (-1, 0, 1) if (u, v) != (0, 0)]
    return [(x, y), *((x + u * cos + v * sin, y - u * sin + v * cos) for u, v in offsets)]


@law
@given(terrains(), lines)
def test_clear_lines_follow_from_crossings(terrain: Terrain, line: tuple[float, float, float, float]) -> None:
    blocked = False
    for f, feature in enumerate(terrain.features):
        mode, limit = KINDS[feature.kind]
        runs = [c for c in crossings(terrain, *line) if c.feature == f]
        if mode == BARRIER:
            blocked |= any(not (c.from_inside and c.ends_inside) for c in runs)
        if mode == AREA:
            blocked |= any(not c.from_inside and not c.ends_inside for c in runs)
        if mode in (AREA, HAZE):
            blocked |= sum(c.length for c in runs) > limit
    assert free(terrain, opacity_of(terrain), *line) is not blocked


def test_no_line_passes_where_the_ground_surely_shuts_two_bases_off() -> None:
    random = np.random.default_rng(5)
    nothing, room = np.empty(0, dtype=np.bool_), np.empty((0, 8))
    shut = 0
    for _ in range(120):
        woods = [
            shapely.Point(x, y).buffer(r, quad_segs=2) for x, y, r in random.uniform((0, 0, 1), (40, 40, 8), (3, 3))
        ]
        features = [Feature(f"wood-{n}", "wood", list(each.exterior.coords)[:-1]) for n, each in enumerate(woods)]
        hedges = random.uniform(0, 40, (3, 3, 2)).tolist()
        features += [
            Feature(f"hedge-{n}", "hedge", [(x, y) for x, y in each], closed=False) for n, each in enumerate(hedges)
        ]
        ground = Terrain(features, 40, 40)
        opacity = Opacity([AREA] * 3 + [BARRIER] * 3).table
        picks, scratch = np.arange(6), np.empty((3, 2 * len(ground.edges) + 2))
        for x, y, facing, width, u, v, turned in random.uniform(0, (40, 40, 360, 12, 40, 40, 360), (30, 7)):
            # A stand, and a base of any width: the lane between them is narrower at the stand.
            a, b = bodies([(STAND, Place(x, y, facing)), (Footprint(width, 1), Place(u, v, turned))])
            if sight_kernels.ground_between(
                ground.arrays, opacity, a, -INF, nothing, b, -INF, nothing, 0.0, picks.copy()
            ) >= 0:  # fmt: skip
                continue
            shut += 1
            ours, theirs = np.empty((9, 2)), np.empty((9, 2))
            counts = sight_kernels.samples(a, ours), sight_kernels.samples(b, theirs)
            assert not sight_kernels.some_line(
                ground.arrays,
                opacity,
                ours,
                counts[0],
                -INF,
                theirs,
                counts[1],
                -INF,
                room,
                picks,
                6,
                scratch,
            )
    assert shut > 500


@law
@given(terrains(), lines)
def test_runs_found_the_short_way_are_the_same(ground: Terrain, ends: tuple[float, float, float, float]) -> None:
    x0, y0, x1, y1 = ends
    length = math.hypot(x1 - x0, y1 - y0)
    if length < 1e-6:
        return
    at = (x0, y0, (x1 - x0) / length, (y1 - y0) / length, length)
    short, long = (np.zeros((3, 2 * len(ground.edges) + 2)) for _ in range(2))
    for f in range(len(ground.features)):
        count = line_kernels.plain_runs(*ground.arrays, f, *at, short)
        if count >= 0:
            assert count == line_kernels.runs(*ground.arrays, f, *at, long)
            assert short[0, : 2 * count].tolist() == long[0, : 2 * count].tolist()


@law
@given(st.lists(bases(), max_size=3), st.lists(bases(), max_size=3), st.lists(bases(), max_size=4), st.data())
def test_lines_keep_clear_of_those_who_count(
    ours: list[Floats], theirs: list[Floats], others: list[Floats], data: st.DataObject
) -> None:
    a, b, c = (np.array(each).reshape(-1, COLUMNS) for each in (ours, theirs, others))
    flags = data.draw(st.lists(st.booleans(), min_size=len(a) * len(c), max_size=len(a) * len(c)))
    counts = np.array(flags, dtype=np.bool_).reshape(len(a), len(c))
    far = data.draw(st.floats(0.01, 3.0))
    past = lines_past(a, b, c, counts, far)
    for i, start in enumerate(a):
        for j, end in enumerate(b):
            line = shapely.LineString([start[X : Y + 1], end[X : Y + 1]])
            gaps = [line.distance(as_shapely(each)) for each, wanted in zip(c, counts[i], strict=True) if wanted]
            if all(abs(gap - far) > 0.01 for gap in gaps):
                assert past[i, j] == all(gap > far for gap in gaps)
