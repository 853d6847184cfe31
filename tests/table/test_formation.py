"""A unit dropped at a place stands there: in formation, along a wall, and never on anybody."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.table.distance import overlaps
from sandtable.table.formation import Stand, land, nearest_wall
from sandtable.table.moves import on_table
from sandtable.table.shapes import Footprint, Place, bodies
from sandtable.table.terrain import Feature

WIDTH, DEPTH = 48.0, 36.0
NOBODY = np.empty((0, 8))
SQUAD = Footprint(1.5, 1.0)
WALL = Feature("wall", "wall", [(10.0, 20.0), (30.0, 20.0)], closed=False, height=0.5)
HOUSE = Feature("house", "building", [(10.0, 10.0), (16.0, 10.0), (16.0, 15.0), (10.0, 15.0)], height=3.0)

# No deadline: the first call of a kernel compiles it.
law = settings(max_examples=80)


def standing(*spots: tuple[float, float], facing: float = 0.0, reach: float | None = None) -> list[Stand]:
    return [Stand(SQUAD, Place(x, y, facing), facing, reach) for x, y in spots]


def dropped(stands: list[Stand], to: tuple[float, float], **more: object) -> list[Place]:
    return land(stands, to, width=WIDTH, depth=DEPTH, **{"obstacles": NOBODY, **more})  # type: ignore[arg-type]


def rows(stands: list[Stand], places: list[Place]) -> np.ndarray:
    return bodies(zip((stand.base for stand in stands), places, strict=True))


@st.composite
def units(draw: st.DrawFn) -> list[Stand]:
    """Up to eight bases, on the table in a loose grid, or nowhere yet."""
    count = draw(st.integers(1, 8))
    nowhere = draw(st.booleans())
    reach = draw(st.sampled_from([None, 0.0, 6.0, 18.0]))
    found = []
    for number in range(count):
        base = Footprint(draw(st.floats(0.5, 2.5)), draw(st.floats(0.5, 2.5)))
        facing = draw(st.floats(0.0, 359.0))
        # Four inches apart: whichever way they face, no base lies on another.
        place = Place(8.0 + 4.0 * (number % 4), 8.0 + 4.0 * (number // 4), round(facing, 1))
        found.append(Stand(base, None if nowhere else place, facing, None if nowhere else reach))
    return found


@given(
    units(), st.floats(-2.0, WIDTH + 2), st.floats(-2.0, DEPTH + 2), st.none() | st.floats(0.0, 359.9), st.booleans()
)
@law
def test_nobody_stands_on_anybody_or_beyond_the_edge(
    stands: list[Stand], x: float, y: float, facing: float | None, walls: bool
) -> None:
    others = bodies([(Footprint(3.0, 3.0), Place(24.0, 18.0, 30.0)), (SQUAD, Place(30.0, 19.0))])
    features = [WALL, HOUSE] if walls else []
    places = dropped(stands, (x, y), obstacles=others, walls=features, facing=facing)
    landed = rows(stands, places)
    clash = overlaps(landed, landed, 0.03)
    np.fill_diagonal(clash, False)
    assert not clash.any()
    assert not overlaps(landed, others, 0.03).any()
    assert on_table(landed, WIDTH, DEPTH).all()


@given(units(), st.floats(2.0, 46.0), st.floats(2.0, 34.0))
@law
def test_nobody_goes_farther_than_he_can(stands: list[Stand], x: float, y: float) -> None:
    for stand, place in zip(stands, dropped(stands, (x, y)), strict=True):
        if stand.place is not None and stand.reach is not None:
            assert math.dist((stand.place.x, stand.place.y), (place.x, place.y)) <= stand.reach + 1e-9


def test_a_formation_is_shifted_as_it_stands() -> None:
    stands = standing((10, 10), (12, 10), (14, 10), facing=90.0)
    assert [(p.x, p.y, p.facing) for p in dropped(stands, (20, 15))] == [(18, 15, 90), (20, 15, 90), (22, 15, 90)]


def test_the_piece_that_is_held_comes_to_the_place() -> None:
    stands = standing((10, 10), (12, 10))
    assert [(p.x, p.y) for p in dropped(stands, (20, 15), lead=0)] == [(20, 15), (22, 15)]


def test_with_a_facing_the_formation_turns() -> None:
    stands = standing((10, 10), (13, 10))
    places = dropped(stands, (20, 15), lead=0, facing=90.0)
    assert [(p.x, p.y, p.facing) for p in places] == [(20, 15, 90), (20, 12, 90)]


def test_who_is_nowhere_yet_stands_in_ranks_an_inch_apart() -> None:
    stands = [Stand(SQUAD, None) for _ in range(4)]
    places = dropped(stands, (20, 15))
    across = sorted({p.x for p in places})
    assert across[1] - across[0] == SQUAD.width + 1.0
    assert len({p.y for p in places}) == 2


def test_dropped_at_a_wall_a_unit_lines_it_and_faces_across() -> None:
    stands = standing((16, 10), (18, 10), (20, 10))
    places = dropped(stands, (20.0, 19.0), walls=[WALL])
    assert all(place.facing == 0.0 for place in places)
    # The front of each base is at the wall, on the side of the drop, and they keep their order.
    assert all(abs(place.y + SQUAD.depth / 2 - 20.0) <= 0.1 for place in places)
    assert [place.x for place in places] == sorted(place.x for place in places)
    beyond = dropped(stands, (20.0, 21.0), walls=[WALL])
    assert all(place.facing == 180.0 and place.y > 20.0 for place in beyond)


def test_a_short_wall_is_lined_in_ranks() -> None:
    short = Feature("wall", "wall", [(20.0, 20.0), (24.0, 20.0)], closed=False, height=0.5)
    stands = standing(*((14 + 2 * n, 10) for n in range(5)))
    places = dropped(stands, (22.0, 19.5), walls=[short])
    assert len({place.y for place in places}) > 1
    assert all(place.y < 20.0 for place in places)


def test_inside_a_house_one_faces_out_and_outside_one_has_it_at_the_back() -> None:
    inside = nearest_wall([HOUSE], (13.0, 14.5))
    outside = nearest_wall([HOUSE], (13.0, 15.5))
    assert inside is not None
    assert inside.facing == 0.0
    assert outside is not None
    assert outside.facing == 0.0
    standing_out = dropped(standing((13, 25)), (13.0, 15.5), walls=[HOUSE])[0]
    assert standing_out.y > 15.0
    standing_in = dropped(standing((13, 25)), (13.0, 14.5), walls=[HOUSE])[0]
    assert standing_in.y < 15.0


def test_far_from_a_wall_nobody_lines_it() -> None:
    assert nearest_wall([WALL], (20.0, 17.0)) is None
