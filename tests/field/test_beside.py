"""Places beside bases: all of them touch, and several pieces together stand on nobody."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest

from sandtable.engine.questions import plain_to_steps
from sandtable.field.beside import Together, places_touching, points_touching, steps_to
from sandtable.table import distance as measure
from sandtable.table.hairs import CONTACT
from sandtable.table.shapes import Footprint, Place, X, Y, bodies, body
from tests.field.meadow import Stand, board_of


@pytest.mark.parametrize("facing", [0.0, 90.0])
def test_all_places_round_a_base_touch_it(facing: float) -> None:
    host = Stand("host", (20.0, 20.0), facing)
    base = Footprint(1.0, 1.0)
    places = list(places_touching(base, [host]))
    assert len(places) == 20
    rows = bodies((base, Place(*step.to, step.facing or 0.0)) for step in places)
    gaps = measure.nearest(rows, board_of(host).rows)
    assert (gaps <= CONTACT).all()
    assert not measure.overlaps(rows, board_of(host).rows, 0.02).any()


def test_points_round_an_enemy_come_nearest_first() -> None:
    row, goal = board_of(Stand("one", (20.0, 12.0)), Stand("foe", (20.0, 20.0))).rows
    points = points_touching(row, goal)
    far = [math.dist(point, (20.0, 12.0)) for point in points]
    assert far == sorted(far)
    assert points[0] == pytest.approx((20.0, 19.0), abs=0.05)
    for x, y in points:
        there = row.copy()
        there[X], there[Y] = x, y
        assert measure.distance(there, goal) <= CONTACT


def test_several_are_set_down_on_nobody_in_different_ways() -> None:
    spots = bodies((Footprint(1.0, 1.0), Place(x, 5.0)) for x in (5.0, 5.5, 8.0))
    steps = steps_to(spots, 90.0)
    ways = Together([Stand("one"), Stand("two")], [(spots, steps), (spots, steps)], 3)
    first = plain_to_steps(ways.way(0))
    assert [step.to for step in first.values()] == [(5.0, 5.0), (8.0, 5.0)]
    assert first["one"].facing == 90.0
    found = ways.first_of(5)
    assert len(found) == len({repr(way) for way in found}) == 3
    assert ways.by_chance(Random(1)) in found


def test_without_room_for_all_there_is_no_way() -> None:
    spot = body(Footprint(1.0, 1.0), Place(5.0, 5.0))[None]
    ways = Together([Stand("one"), Stand("two")], [(spot, steps_to(spot, 0.0))] * 2, 4)
    assert ways.way(0) is None
    assert ways.first_of(3) == []
    assert np.array(list(ways.ways())).size == 0
