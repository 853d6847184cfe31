"""Units on the march: shifted, kept together, looked at on their way."""

from __future__ import annotations

import numpy as np

from sandtable.rulesets.tr14.kernels.marches import (
    UNCLEAR,
    WELL,
    WRONG,
    Marchers,
    linked,
    march,
    stages,
)
from sandtable.table.shapes import Floats, Footprint, Place, bodies

NOBODY = np.empty((0, 8))
STAND = Footprint(1, 1)
TANK = Footprint(1, 2)


def table_of(*spots: tuple[float, float], base: Footprint = STAND) -> Floats:
    return bodies([(base, Place(*spot)) for spot in spots])


def three(limit: float = 6.0, *, turning: bool = False, bound: bool = True) -> Marchers:
    """The first three rows of a table march, led by the first."""
    numbers = np.arange(3)
    return Marchers(numbers, np.full(3, turning), np.full(3, bound), numbers, 0, np.full(3, float(limit)))


def test_a_unit_marches_as_it_slides() -> None:
    # Given three in line abreast and somebody before the third; then he alone stops short of that base.
    rows = table_of((10, 10), (12, 10), (14, 10), (14, 15.3))
    ends, verdict = march(rows, three(), 0, 0, 6, np.array([], dtype=np.int64), 48, 36)
    assert ends == [[10, 16], [12, 16], [14, 14.2]]
    assert verdict == WELL
    # And one of them alone counts the others where they stand.
    ends, verdict = march(rows, three().alone(0), 90, 4, 0, np.array([], dtype=np.int64), 48, 36)
    assert ends == [[10.8, 10]]
    assert verdict == WELL


def test_a_march_does_not_pass_over_an_enemy() -> None:
    rows = table_of((10, 10), (12, 10), (14, 10), (12, 13))
    enemies = np.array([3])
    assert march(rows, three(), 0, 0, 6, enemies, 48, 36)[1] == WRONG
    assert march(rows, three(bound=False), 0, 0, 6, enemies, 48, 36)[1] == WELL


def test_a_march_keeps_cohesion() -> None:
    rows = table_of((10, 10), (12, 10), (14, 10))
    nobody = np.array([], dtype=np.int64)
    # The last one leaves the others; where he had no cohesion before, somebody must look at the way he took.
    assert march(rows, three().alone(2), 90, 3, 0, nobody, 48, 36)[1] == WELL
    assert march(rows, three().alone(2), 90, 9, 0, nobody, 48, 36)[1] == WRONG
    assert march(table_of((10, 10), (12, 10), (30, 10)), three().alone(2), 90, 3, 0, nobody, 48, 36)[1] == UNCLEAR
    # A leader who is placed freely may leave nobody behind either, if that is more than half.
    assert march(rows, three(2, bound=False).alone(0), 0, 0, 20, nobody, 48, 36)[1] == WRONG


def test_a_base_that_cannot_march_does_not_turn() -> None:
    # Given a tank and one that closes up behind it, both turning; then that is well, unless the first one must stay.
    rows = table_of((10, 35), (10, 32.9), (20, 10), base=TANK)
    ends, verdict = march(rows, three(40, turning=True), 90, 0, 1.0, np.array([], dtype=np.int64), 48, 36)
    assert ends == [[10, 35.5], [10, 33.9], [20, 11]]
    assert verdict == WELL
    rows = table_of((10, 35), (10, 32.9), (20, 10), (10, 36.3), base=TANK)
    ends, verdict = march(rows, three(40, turning=True), 90, 0, 1.0, np.array([], dtype=np.int64), 48, 38)
    assert ends == [[10, 35], [10, 33.9], [20, 11]]
    assert verdict == WRONG


def test_stages_of_a_way() -> None:
    # Wherever it is now, it is looked at on its way, in places as they are stored; who has no way stays.
    rows = table_of((10, 10), (12, 10), (17, 13))
    way = (14.0, 10.0, 18.0, 14.03, 1.0, 0.0)
    found = stages(rows, np.array([2, 0]), np.array([way]), np.array([0.25, 1.0]))
    assert found[:, 1:3].tolist() == [[15, 11.01], [10, 10], [18, 14.03], [10, 10]]
    assert found[:, 3:5].tolist() == [[1, 0], [0, 1], [1, 0], [0, 1]]


def test_a_chain_to_the_leader_has_one_link_at_most() -> None:
    # Gaps of four inches between stands in a row: the leader, one near him, one near that one, one too far.
    rows = bodies([(Footprint(1.5, 1.0), Place(5 + 5.5 * number, 5)) for number in range(4)])
    limits = np.full(4, 4.01)
    assert linked(rows, 0, limits).tolist() == [True, True, True, False]
    assert linked(rows, 1, limits).tolist() == [True, True, True, True]
    assert linked(rows, 0, np.array([4.01, 4.01, 3.9, 4.01])).tolist() == [True, True, False, False]
