"""The shortest way of a base into contact, against a slow search that tries every direction."""

from __future__ import annotations

import math
from itertools import pairwise
from random import Random

import numpy as np
import pytest

from sandtable.field.closing import Closing, nearest_way, way_in
from sandtable.table import distance as measure
from sandtable.table import moves
from sandtable.table.hairs import CONTACT, SLACK
from sandtable.table.shapes import Floats as Rows
from sandtable.table.shapes import Footprint, Place, X, Y, bodies

BASES = [Footprint(1.5, 1.0), Footprint(1.5, 2.5), Footprint(1.25, 2.5)]
SIZE = 30.0


def melee(seed: int) -> Closing:
    """A base among others that do not lie on each other: two of them goals, two more enemies, the rest friends."""
    random = Random(seed)
    rows: Rows = bodies([(BASES[seed % 3], Place(15.0, 10.0, random.choice([0.0, 20.0, 90.0])))])
    while len(rows) < 9:
        place = Place(
            round(random.uniform(9, 21), 2), round(random.uniform(11, 22), 2), random.choice([0.0, 45.0, 250.0])
        )
        base = bodies([(random.choice(BASES), place)])
        if not measure.overlaps(base, rows, SLACK).any():
            rows = np.vstack([rows, base])
    return Closing(rows[0], rows[1:3], rows[1:], rows[1:5], rows[:0], SIZE, SIZE, 12.0)


def length(path: list[tuple[float, float]]) -> float:
    return sum(math.dist(a, b) for a, b in pairwise(path))


def straight_ways(closing: Closing) -> list[float]:
    """The lengths of all straight ways into contact, a degree and a twentieth of an inch apart."""
    found = []
    for degree in range(360):
        dx, dy = math.sin(math.radians(degree)), math.cos(math.radians(degree))
        for far in np.arange(0.0, closing.reach, 0.05).tolist():
            x, y = closing.start
            spot = (x + dx * far, y + dy * far)
            if closing.gap(spot) <= CONTACT and closing.may_stand([spot])[0]:
                if not closing.in_the_way([closing.start, spot], range(len(closing.enemies))):
                    found.append(far)
                break
    return found


@pytest.mark.rule("tr14.assaults.charge")
@pytest.mark.parametrize("seed", range(12))
def test_no_straight_way_into_contact_is_shorter(seed: int) -> None:
    closing = melee(seed)
    way = way_in(closing)
    others = straight_ways(closing)
    if others:
        assert way is not None
        assert length(way) <= min(others) + 0.06
        assert closing.gap(way[-1]) <= CONTACT


@pytest.mark.rule("tr14.assaults.charge")
@pytest.mark.parametrize("seed", range(40))
def test_a_way_in_passes_over_no_enemy_and_ends_on_nobody(seed: int) -> None:
    closing = melee(seed)
    way = nearest_way(closing)
    ended = closing.row.copy()
    ended[X], ended[Y] = way[-1]
    assert length(way) <= closing.reach + 0.02
    assert moves.sweep(closing.row, np.array(way), closing.enemies, SLACK) == math.inf
    assert not measure.overlaps(ended[None], closing.standing, SLACK).any()
    assert closing.gap(way[-1]) <= closing.gap(closing.start)
