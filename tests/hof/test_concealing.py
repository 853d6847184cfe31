"""What veils bases from one another, and looking out of a house."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import assume, given
from hypothesis import strategies as st

from sandtable.rulesets.hof.kernels.concealing import (
    AREA,
    BETWEEN,
    LINE,
    NARROWED,
    NONE,
    OCCUPIED,
    SHELTER,
    THING,
    known_veils,
    shielded,
    veil,
    veiling,
)
from sandtable.table.shapes import CIRCLE, Floats, Footprint, Ints, Mask, Place, bodies, body, point_body
from sandtable.table.sight import crossed, crossings
from sandtable.table.terrain import Feature, Terrain
from tests.table.strategies import as_shapely, bases, coordinates, feature_shape, hedges, law, stars

WOOD = Feature("wood", "wood", [(10, 10), (20, 10), (20, 20), (10, 20)])
WALL = Feature("wall", "wall", [(15, 0), (15, 30)], closed=False)
WRECK = Feature("wreck", "wreck", [(14, 14), (16, 14), (16, 16), (14, 16)])
# A house round a yard that is open to the north.
YARD = Feature("yard", "house", [(10, 10), (22, 10), (22, 22), (19, 22), (19, 13), (13, 13), (13, 22), (10, 22)])
STAND = Footprint(1, 1)
TOUCH = 0.1


def at(*points: tuple[float, float], size: Footprint = STAND) -> Floats:
    return bodies([(size, Place(x, y)) for x, y in points])


def through(
    feature: Feature, kind: int, watcher: tuple[float, float], target: tuple[float, float], narrow: bool = False
) -> int:
    """The flags that one feature gives to one pair of stands."""
    table = Terrain([feature], 48, 36)
    return int(veil(table, np.array([kind]), np.array([narrow]), at(watcher), at(target), TOUCH)[0, 0])


# An area


def test_a_wood_in_between() -> None:
    assert through(WOOD, AREA, (5, 15), (25, 15)) == BETWEEN
    assert through(WOOD, AREA, (5, 15), (5, 30)) == 0
    assert through(WOOD, NONE, (5, 15), (25, 15)) == 0


def test_partly_behind_a_wood() -> None:
    # Given a stand mostly past the wood's south edge: only lines to its upper corners run through the wood.
    assert through(WOOD, AREA, (5, 9.8), (25, 9.8)) == BETWEEN
    assert crossings(Terrain([WOOD], 48, 36), 5, 9.8, 25, 9.8) == []
    # Then a hair lower none does, and running along the edge is not running through.
    assert through(WOOD, AREA, (5, 9.5), (25, 9.5)) == 0
    flat = at((5, 10), (25, 10), size=Footprint(0, 0))
    assert not veil(Terrain([WOOD], 48, 36), np.array([AREA]), np.array([False]), flat[:1], flat[1:], TOUCH).any()


def test_a_target_in_a_wood() -> None:
    assert through(WOOD, AREA, (5, 15), (15, 15)) == OCCUPIED
    # Any part of it is enough, also with the centre outside.
    assert through(WOOD, AREA, (5, 15), (9.6, 15)) == OCCUPIED


def test_both_in_the_same_wood() -> None:
    assert through(WOOD, AREA, (12, 15), (18, 15)) == OCCUPIED
    assert through(WOOD, AREA, (9.6, 15), (20.4, 15)) == OCCUPIED


def test_a_target_touching_the_wood_from_outside() -> None:
    # Seen from outside it is veiled, whichever side it is on; from inside it is not.
    assert through(WOOD, AREA, (5, 15), (20.6, 15)) == OCCUPIED
    assert through(WOOD, AREA, (30, 15), (20.6, 15)) == OCCUPIED
    assert through(WOOD, AREA, (15, 15), (20.6, 15)) == 0
    assert through(WOOD, AREA, (9.6, 15), (20.6, 15)) == 0
    # A little farther off it no longer touches.
    assert through(WOOD, AREA, (30, 15), (20.61, 15)) == 0
    assert through(WOOD, AREA, (5, 15), (20.61, 15)) == BETWEEN


def test_a_wood_does_not_veil_from_those_inside() -> None:
    assert through(WOOD, AREA, (15, 15), (30, 15)) == 0
    assert through(WOOD, AREA, (9.6, 15), (30, 15)) == 0
    # The watcher who only touches it is outside.
    assert through(WOOD, AREA, (9.5, 15), (30, 15)) == BETWEEN


def test_the_arms_of_a_concave_area() -> None:
    # From one arm of the house to the yard and beyond: the watcher is in the same area.
    assert through(YARD, AREA, (11.5, 20), (16, 20)) == 0
    assert through(YARD, AREA, (11.5, 20), (30, 20)) == 0
    assert through(YARD, AREA, (16, 20), (30, 20)) == BETWEEN
    assert through(YARD, AREA, (16, 16), (16, 30)) == 0


# A line


def test_a_wall_in_between() -> None:
    assert through(WALL, LINE, (5, 15), (25, 15)) == BETWEEN
    assert through(WALL, LINE, (5, 15), (10, 15)) == 0
    # Only a corner is behind the wall's end.
    assert through(WALL, LINE, (5, 30.2), (25, 30.2)) == BETWEEN
    assert through(WALL, LINE, (5, 30.6), (25, 30.6)) == 0


def test_a_wall_touched_by_the_target() -> None:
    assert through(WALL, LINE, (5, 15), (15.6, 15)) == OCCUPIED | SHELTER
    assert through(WALL, LINE, (5, 15), (15.61, 15)) == BETWEEN
    # On the near side of the wall nothing crosses it.
    assert through(WALL, LINE, (5, 15), (14.4, 15)) == 0


def test_a_wall_touched_by_the_watcher_only() -> None:
    assert through(WALL, LINE, (14.4, 15), (25, 15)) == 0
    assert through(WALL, LINE, (15, 15), (25, 15)) == 0


def test_a_wall_touched_by_both() -> None:
    assert through(WALL, LINE, (14.4, 15), (15.6, 15)) == OCCUPIED | SHELTER
    assert through(WALL, LINE, (14.4, 15), (15.6, 25)) == OCCUPIED | SHELTER
    assert through(WALL, LINE, (14.4, 15), (14.4, 25)) == 0


def test_no_shelter_when_the_centres_see_past_the_end() -> None:
    # Given a target at the wall's end, a corner of it behind the wall and its centre past it.
    assert through(WALL, LINE, (5, 30.2), (15.55, 30.2)) == OCCUPIED
    # Given a target astride the wall, its centre on the watcher's side: lines to its far corners cross the wall.
    assert through(WALL, LINE, (5, 15), (14.8, 15)) == OCCUPIED
    assert through(WALL, LINE, (5, 15), (15.2, 15)) == OCCUPIED | SHELTER


# A thing


def test_a_wreck_in_between() -> None:
    assert through(WRECK, THING, (5, 15), (25, 15)) == BETWEEN
    assert through(WRECK, THING, (5, 16.3), (25, 16.3)) == BETWEEN
    assert through(WRECK, THING, (5, 17), (25, 17)) == 0


def test_touching_a_wreck_changes_nothing() -> None:
    assert through(WRECK, THING, (5, 15), (16.5, 15)) == BETWEEN
    assert through(WRECK, THING, (13.5, 15), (25, 15)) == BETWEEN
    assert through(WRECK, THING, (25, 15), (16.5, 15)) == 0


def test_a_wreck_under_a_base_veils_nothing() -> None:
    assert through(WRECK, THING, (5, 15), (16.4, 15)) == 0
    assert through(WRECK, THING, (13.6, 15), (25, 15)) == 0
    assert through(WRECK, THING, (5, 15), (15, 15)) == 0
    # Also when the base is larger than the wreck.
    table = Terrain([WRECK], 48, 36)
    big = at((15, 15.5), size=Footprint(4, 4))
    assert veil(table, np.array([THING]), np.array([False]), at((5, 15)), big, TOUCH)[0, 0] == 0


# A narrow line


def test_forty_five_degrees_through_a_narrow_wall() -> None:
    # Given a watcher at the wall, then 45 degrees exactly is still a view, and a little more is not.
    assert through(WALL, LINE, (14.5, 10), (19.5, 15), narrow=True) == 0
    assert through(WALL, LINE, (14.5, 10), (19.5, 5), narrow=True) == 0
    assert through(WALL, LINE, (14.5, 10), (19.5, 15.01), narrow=True) == NARROWED
    assert through(WALL, LINE, (14.5, 10), (19.5, 4.99), narrow=True) == NARROWED
    assert through(WALL, LINE, (14.5, 10), (19.5, 15.01)) == 0


def test_a_narrow_wall_works_both_ways() -> None:
    assert through(WALL, LINE, (19.5, 15), (14.5, 10), narrow=True) == OCCUPIED | SHELTER
    assert through(WALL, LINE, (19.5, 15.01), (14.5, 10), narrow=True) == OCCUPIED | SHELTER | NARROWED


def test_a_narrow_wall_that_nobody_touches() -> None:
    assert through(WALL, LINE, (13, 10), (19.5, 25), narrow=True) == BETWEEN


def test_a_narrow_wall_that_the_centres_do_not_look_through() -> None:
    assert through(WALL, LINE, (14.4, 10), (14.4, 20), narrow=True) == 0
    assert through(WALL, LINE, (14.8, 10), (14.8, 20), narrow=True) == OCCUPIED


@pytest.mark.parametrize("degrees", [0, 17, 45, 90, 133.7, 200, 301])
def test_forty_five_degrees_whichever_way_the_wall_runs(degrees: float) -> None:
    sin, cos = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))

    def spot(u: float, v: float) -> tuple[float, float]:
        return 20 + u * cos + v * sin, 18 - u * sin + v * cos

    wall = Feature("wall", "wall", [spot(0, -12), spot(0, 12)], closed=False)
    assert through(wall, LINE, spot(-0.2, 0), spot(5.8, 6), narrow=True) == 0
    assert through(wall, LINE, spot(-0.2, 0), spot(5.8, 6.0001), narrow=True) == NARROWED


def test_the_edge_that_is_crossed_decides() -> None:
    # Given a wall with a right angle, when the line leaves by the other leg, then that leg's perpendicular counts.
    angle = Feature("wall", "wall", [(15, 5), (15, 15), (30, 15)], closed=False)
    assert through(angle, LINE, (15.5, 14.5), (17, 25), narrow=True) == 0
    assert through(angle, LINE, (15.5, 14.5), (5, 13), narrow=True) == 0
    assert through(angle, LINE, (15.5, 14.5), (28, 17), narrow=True) == NARROWED
    # Exactly over a bend the straighter of the two counts, however the wall was drawn.
    bend = [(15.0, 5.0), (15.0, 15.0), (25.0, 25.0)]
    for points in (bend, bend[::-1]):
        wall = Feature("wall", "wall", points, closed=False)
        assert through(wall, LINE, (14.5, 15), (25, 15), narrow=True) == 0
        assert through(wall, LINE, (14.5, 15.5), (19.5, 10.5), narrow=True) == 0
    slight = Feature("wall", "wall", [(15, 5), (15, 15), (17, 25)], closed=False)
    assert through(slight, LINE, (14.5, 14), (17.5, 20), narrow=True) == NARROWED


def test_one_slanting_crossing_of_several_is_enough() -> None:
    # Given a wall that doubles back: the line leaves it straight and meets its far leg at a slant.
    hook = Feature("wall", "wall", [(15, 5), (15, 20), (20, 20), (35, 14)], closed=False)
    assert through(hook, LINE, (14.5, 15), (40, 15), narrow=True) == NARROWED
    assert through(hook, LINE, (14.5, 15), (30, 15), narrow=True) == 0


# Several features and several bases


def test_the_flags_add_up() -> None:
    table = Terrain([WOOD, Feature("fence", "wall", [(25, 0), (25, 30)], closed=False)], 48, 36)
    kinds, narrow = np.array([AREA, LINE]), np.zeros(2, dtype=np.bool_)
    flags = veil(table, kinds, narrow, at((5, 15), (15, 15)), at((22, 15), (25.5, 15), (15, 15)), TOUCH)
    assert flags.tolist() == [
        [BETWEEN, BETWEEN | OCCUPIED | SHELTER, OCCUPIED],
        [0, OCCUPIED | SHELTER, OCCUPIED],
    ]
    assert flags.dtype == np.int64


def test_whoever_looks_over_a_feature_finds_veiled_only_what_is_in_it_or_at_it() -> None:
    table = Terrain([WOOD, WALL], 48, 36)
    kinds, narrow = np.array([AREA, LINE]), np.array([False, True])
    a, b = at((5, 15), (5, 16)), at((15.2, 15), (25, 15))
    full = veil(table, kinds, narrow, a, b, TOUCH)
    assert full.tolist() == [[OCCUPIED | SHELTER, BETWEEN]] * 2
    spared_a = np.array([[True, False], [True, True]])
    assert veil(table, kinds, narrow, a, b, TOUCH, exempt_a=spared_a).tolist() == [[6, 1], [6, 0]]
    spared_b = np.array([[False, True], [True, True]])
    assert veil(table, kinds, narrow, a, b, TOUCH, exempt_b=spared_b).tolist() == [[6, 0], [6, 0]]
    both = veil(table, kinds, narrow, a, b, TOUCH, exempt_a=spared_a, exempt_b=spared_b)
    assert both.tolist() == [[6, 0], [6, 0]]


def test_what_is_known_is_the_same_as_what_is_asked_and_is_not_asked_again() -> None:
    table = Terrain([WOOD, WALL], 48, 36)
    kinds, narrow = np.array([AREA, LINE]), np.array([False, False])
    rows = at((5, 15), (15.2, 15), (25, 15))
    a, b, known = np.array([0]), np.array([1, 2]), np.full(9, -1, dtype=np.int16)
    full = veil(table, kinds, narrow, rows[a], rows[b], TOUCH)
    assert known_veils(table, kinds, narrow, rows, known, a, b, TOUCH).tolist() == full.tolist()
    assert known.tolist() == [-1, *full[0].tolist(), -1, -1, -1, -1, -1, -1]
    known[2] = SHELTER
    assert known_veils(table, kinds, narrow, rows, known, a, b, TOUCH)[0, 1] == SHELTER


def test_what_veils_whom() -> None:
    table = Terrain([WOOD, WALL], 48, 36)
    choices, narrow = np.array([[AREA, NONE], [NONE, LINE], [NONE, NONE]]), np.array([False, False])
    a, b = at((5, 15)), at((12, 15))
    assert veiling(table, choices, narrow, a, b, OCCUPIED, TOUCH) == [True, False, False]
    assert veiling(table, choices, narrow, a, at((25, 15)), BETWEEN, TOUCH) == [True, True, False]


def test_nothing_that_is_looked_over_narrows_the_view() -> None:
    table = Terrain([WALL], 48, 36)
    kinds, narrow = np.array([LINE]), np.array([True])
    a, b = at((10, 5)), at((15.2, 15))
    assert veil(table, kinds, narrow, a, b, TOUCH).tolist() == [[OCCUPIED | SHELTER | NARROWED]]
    over = np.array([[True]])
    assert veil(table, kinds, narrow, a, b, TOUCH, exempt_a=over).tolist() == [[OCCUPIED | SHELTER]]


def test_only_the_wanted_pairs_are_answered() -> None:
    table = Terrain([WOOD], 48, 36)
    wanted = np.array([[True, False], [False, True]])
    a, b = at((5, 15), (5, 16)), at((25, 15), (15, 15))
    flags = veil(table, np.array([AREA]), np.array([False]), a, b, TOUCH, wanted=wanted)
    assert flags.tolist() == [[BETWEEN, 0], [0, OCCUPIED]]


def test_a_feature_of_the_wrong_shape_veils_nothing() -> None:
    assert through(WOOD, LINE, (5, 15), (25, 15)) == 0
    assert through(WALL, AREA, (5, 15), (15.2, 15)) == 0
    assert through(WALL, THING, (5, 15), (25, 15)) == 0


def test_an_empty_table_and_nobody_on_it() -> None:
    bare, none = Terrain([], 48, 36), np.zeros(0, dtype=np.bool_)
    assert veil(bare, np.zeros(0, dtype=np.int64), none, at((1, 1)), at((5, 5), (6, 6)), TOUCH).tolist() == [[0, 0]]
    assert veil(bare, np.zeros(0, dtype=np.int64), none, at(), at((5, 5)), TOUCH).shape == (0, 1)
    assert shielded(bare, none, at((1, 1)), at((5, 5)), TOUCH).tolist() == [[False]]


def test_bases_on_the_same_spot() -> None:
    assert through(WALL, LINE, (15, 15), (15, 15)) == OCCUPIED
    assert through(WOOD, AREA, (5, 5), (5, 5)) == 0


# Out of a house


def fires(feature: Feature, base: tuple[float, float], target: tuple[float, float]) -> bool:
    table = Terrain([feature], 48, 36)
    return not shielded(table, np.array([True]), at(base), at(target), TOUCH)[0, 0]


def both_ways(feature: Feature) -> list[Feature]:
    return [feature, Feature("reverse", feature.kind, feature.points[::-1])]


@pytest.mark.parametrize("house", both_ways(WOOD))
def test_firing_out_of_a_house(house: Feature) -> None:
    # From the middle nothing outside is reached, from a wall what lies beyond it, from a corner two sides.
    assert not fires(house, (15, 15), (30, 15))
    assert fires(house, (19.4, 15), (30, 15))
    assert not fires(house, (19.39, 15), (30, 15))
    assert fires(house, (19.4, 15), (30, 35))
    assert not fires(house, (19.4, 15), (15, 30))
    assert not fires(house, (19.4, 15), (5, 15))
    assert fires(house, (19.5, 19.5), (15, 30))
    assert fires(house, (19.5, 19.5), (30, 15))
    assert not fires(house, (19.5, 19.5), (5, 15))
    # A base across the wall is at it.
    assert fires(house, (19.9, 15), (30, 15))


@pytest.mark.parametrize("house", both_ways(WOOD))
def test_a_target_in_line_with_the_wall_is_not_beyond_it(house: Feature) -> None:
    assert not fires(house, (19.5, 15), (20, 30))
    assert fires(house, (19.5, 15), (20.01, 30))


def test_targets_in_the_same_house_and_bases_outside() -> None:
    assert fires(WOOD, (15, 15), (12, 12))
    assert fires(WOOD, (15, 15), (20.4, 15))
    assert not fires(WOOD, (15, 15), (20.5, 15))
    assert fires(WOOD, (5, 15), (30, 15))
    # Its centre is outside, though a part of it is in.
    assert fires(WOOD, (9.9, 15), (30, 15))


@pytest.mark.parametrize("house", both_ways(YARD))
def test_firing_into_the_yard_of_a_house(house: Feature) -> None:
    # Given a base in the west wing: its east wall looks on the yard, its west wall does not.
    assert fires(house, (12.5, 18), (16, 18))
    assert not fires(house, (10.5, 18), (16, 18))
    assert fires(house, (10.5, 18), (5, 18))
    assert not fires(house, (12.5, 18), (5, 18))
    # The wall of the other wing that faces the yard has its outer side to the west.
    assert fires(house, (19.5, 18), (16, 18))
    assert not fires(house, (19.5, 18), (30, 18))


def test_only_marked_houses_count_and_each_for_itself() -> None:
    barn = Feature("barn", "house", [(30, 10), (36, 10), (36, 16), (30, 16)])
    table = Terrain([WOOD, barn, WALL], 48, 36)
    rows, targets = at((15, 15), (33, 13)), at((15, 12), (33, 15), (5, 33))
    marks: list[tuple[list[bool], list[list[bool]]]] = [
        ([True, True, True], [[False, True, True], [True, False, True]]),
        ([True, False, False], [[False, True, True], [False, False, False]]),
        ([False, False, True], [[False] * 3, [False] * 3]),
    ]
    for marked, expected in marks:
        assert shielded(table, np.array(marked), rows, targets, TOUCH).tolist() == expected


def test_a_room_within_a_house_must_be_left_too() -> None:
    room = Feature("room", "house", [(12, 12), (18, 12), (18, 18), (12, 18)])
    table = Terrain([WOOD, room], 48, 36)
    assert shielded(table, np.array([True, True]), at((17.5, 15)), at((30, 15), (19, 15)), TOUCH).tolist() == [
        [True, False]
    ]


# Against slow versions


@st.composite
def scenes(draw: st.DrawFn) -> tuple[Terrain, Ints, Mask]:
    """A few features of all kinds."""
    areas = [draw(stars(f"star-{k}")) for k in range(draw(st.integers(0, 3)))]
    walls = [draw(hedges(f"hedge-{k}")) for k in range(draw(st.integers(0, 3)))]
    kinds = [draw(st.sampled_from([AREA, AREA, THING, NONE])) for _ in areas]
    kinds += [draw(st.sampled_from([LINE, LINE, LINE, NONE])) for _ in walls]
    narrow = [draw(st.booleans()) for _ in kinds]
    return Terrain([*areas, *walls], 48, 36), np.array(kinds, dtype=np.int64), np.array(narrow, dtype=np.bool_)


groups = st.lists(bases(), min_size=1, max_size=3)
touches = st.floats(0.01, 2.0)


def sample_points(row: Floats) -> list[tuple[float, float]]:
    shape, x, y, sin, cos, hw, hd, _ = row.tolist()
    hw, hd = hw - min(0.01, hw / 2), hd - min(0.01, hd / 2)
    if shape == CIRCLE:
        offsets = [(hw * math.sin(k * math.pi / 4), hw * math.cos(k * math.pi / 4)) for k in range(8)]
    else:
        offsets = [(u * hw, v * hd) for u in (-1, 0, 1) for v in (-1, 0, 1) if (u, v) != (0, 0)]
    return [(x, y), *((x + u * cos + v * sin, y - u * sin + v * cos) for u, v in offsets)]


def sample_lines(a: Floats, b: Floats) -> Floats:
    """All of them; the first is the one from centre to centre."""
    return np.array([[*p, *q] for p in sample_points(a) for q in sample_points(b)])


def off_perpendicular(feature: Feature, line: Floats) -> list[float]:
    """Degrees between the line and the perpendicular of each edge that it meets."""
    x0, y0, x1, y1 = line.tolist()
    ruler = shapely.LineString([(x0, y0), (x1, y1)])
    found = []
    for (ax, ay), (bx, by) in zip(feature.points, feature.points[1:], strict=False):
        if ruler.intersects(shapely.LineString([(ax, ay), (bx, by)])):
            between = math.atan2(by - ay, bx - ax) - math.atan2(y1 - y0, x1 - x0)
            found.append(math.degrees(math.asin(min(1.0, abs(math.cos(between))))))
    return found


@law
@given(scenes(), groups, groups, touches)
def test_the_flags_are_what_the_sample_lines_say(
    scene: tuple[Terrain, Ints, Mask], left: list[Floats], right: list[Floats], touch: float
) -> None:
    # The plain reading: every feature, every line, no shortcut.
    terrain, kinds, narrow = scene
    a, b = np.array(left), np.array(right)
    flags = veil(terrain, kinds, narrow, a, b, touch)
    over_a, over_b = terrain.overlapping(a), terrain.overlapping(b)
    touch_a, touch_b = terrain.touching(a, touch), terrain.touching(b, touch)
    for i in range(len(a)):
        for j in range(len(b)):
            lines = sample_lines(a[i], b[j])
            cut = crossed(terrain, lines)
            some, centre = np.logical_or.reduce(cut), cut[0]
            expected = 0
            unsure = 0
            for f, kind in enumerate(kinds):
                w_in, t_in, w_at, t_at = over_a[i, f], over_b[j, f], touch_a[i, f], touch_b[j, f]
                if kind == AREA:
                    if t_in:
                        expected |= OCCUPIED
                    elif not w_in:
                        expected |= OCCUPIED if t_at else BETWEEN if some[f] else 0
                elif kind == LINE and some[f]:
                    if t_at:
                        expected |= OCCUPIED | (SHELTER if centre[f] else 0)
                    elif not w_at:
                        expected |= BETWEEN
                    if narrow[f] and (w_at or t_at) and centre[f]:
                        angles = off_perpendicular(terrain.features[f], lines[0])
                        expected |= NARROWED if any(angle > 45 for angle in angles) else 0
                        # Through a bend, along an edge or within rounding of 45 degrees Shapely may see it otherwise.
                        met = sum(c.feature == f for c in crossings(terrain, *lines[0]))
                        if met != len(angles) or any(abs(angle - 45) < 1e-6 for angle in angles):
                            unsure = NARROWED
                elif kind == THING and some[f] and not w_in and not t_in:
                    expected |= BETWEEN
            assert flags[i, j] | unsure == expected | unsure


@law
@given(scenes(), bases(), bases())
def test_what_lies_between_as_shapely_says(scene: tuple[Terrain, Ints, Mask], a: Floats, b: Floats) -> None:
    # Without any touch, seen feature by feature, with a margin of error about every outline.
    terrain, kinds, narrow = scene
    watcher, target = as_shapely(a), as_shapely(b)
    lines = shapely.linestrings(sample_lines(a, b).reshape(-1, 2, 2))
    for f, feature in enumerate(terrain.features):
        shape = feature_shape(feature)
        if min(shape.distance(watcher), shape.distance(target)) < 0.02:
            continue
        alone = np.where(np.arange(len(kinds)) == f, kinds, NONE)
        flags = veil(terrain, alone, narrow, a, b, 0.01)[0, 0]
        if kinds[f] == NONE or not shapely.intersects(lines, shape.buffer(1e-6)).any():
            assert flags == 0
        elif feature.closed and shapely.intersects(lines, shape.buffer(-1e-6)).any():
            assert flags == BETWEEN
        elif not feature.closed and len(feature.points) == 2:
            ends = shapely.MultiPoint(feature.points)
            if any(line.crosses(shape) and line.distance(ends) > 1e-6 for line in lines):
                assert flags == BETWEEN


@law
@given(scenes(), groups, groups, st.data())
def test_exemptions_and_wishes_leave_the_other_answers_alone(
    scene: tuple[Terrain, Ints, Mask], left: list[Floats], right: list[Floats], data: Any
) -> None:
    terrain, kinds, narrow = scene
    a, b = np.array(left), np.array(right)

    def mask(rows: int, columns: int) -> Mask:
        size = rows * columns
        drawn = data.draw(st.lists(st.booleans(), min_size=size, max_size=size))
        return np.array(drawn, dtype=np.bool_).reshape(rows, columns)

    spare_a, spare_b, wanted = mask(len(a), len(kinds)), mask(len(b), len(kinds)), mask(len(a), len(b))
    flags = veil(terrain, kinds, narrow, a, b, 0.5, exempt_a=spare_a, exempt_b=spare_b, wanted=wanted)
    for i in range(len(a)):
        for j in range(len(b)):
            over = spare_a[i] | spare_b[j]
            alone = veil(terrain, np.where(over, NONE, kinds), narrow, a[i], b[j], 0.5)[0, 0]
            spared = veil(terrain, np.where(over, kinds, NONE), narrow, a[i], b[j], 0.5)[0, 0] & (OCCUPIED | SHELTER)
            assert flags[i, j] == (alone | spared if wanted[i, j] else 0)


@law
@given(stars(), st.booleans(), groups, groups, touches)
def test_shielded_as_shapely_says(
    house: Feature, reverse: bool, left: list[Floats], right: list[Floats], touch: float
) -> None:
    if reverse:
        house = Feature(house.id, house.kind, house.points[::-1])
    terrain = Terrain([house], 48, 36)
    shape = feature_shape(house)
    ring = house.points if shape.exterior.is_ccw else house.points[::-1]
    assume(shape.is_valid and shape.area > 0.01)
    answers = shielded(terrain, np.array([True]), np.array(left), np.array(right), touch)
    for row, line in zip(left, answers.tolist(), strict=True):
        centre = shapely.Point(row[1], row[2])
        for target, answer in zip(right, line, strict=True):
            depth = shape.intersects(as_shapely(target).buffer(-0.02)), shape.intersects(as_shapely(target))
            if shape.boundary.distance(centre) < 1e-6 or depth[0] != depth[1]:
                continue
            surely = maybe = not shape.contains(centre) or depth[0]
            for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]], strict=True):
                gap = shapely.LineString([(ax, ay), (bx, by)]).distance(as_shapely(row))
                outer = (by - ay) * (target[1] - ax) - (bx - ax) * (target[2] - ay)
                surely |= gap < touch - 1e-3 and outer > 1e-6
                maybe |= gap < touch + 1e-3 and outer > -1e-6
            if surely:
                assert not answer
            if not maybe:
                assert answer


@law
@given(stars(), coordinates, coordinates, st.floats(0.0, 360.0))
def test_a_base_over_the_whole_house_is_at_every_wall(house: Feature, x: float, y: float, facing: float) -> None:
    # Whatever lies beyond some wall's line is reached; from a star's middle everything outside does.
    terrain = Terrain([house], 48, 36)
    centre = np.mean(house.points, axis=0)
    assume(terrain.inside_point(*centre)[0] and not terrain.inside_point(x, y)[0])
    assume(feature_shape(house).distance(shapely.Point(x, y)) > 1e-6)
    big = body(Footprint(40, 40), Place(float(centre[0]), float(centre[1]), facing))
    assert not shielded(terrain, np.array([True]), big, point_body(x, y), TOUCH)[0, 0]
