"""Points to aim at: on the table, the first that will do, and markers that lie together."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from sandtable.engine.questions import Refusal, Step, illegal
from sandtable.field.aiming import (
    Cluster,
    Inside,
    chance_near,
    everywhere,
    first_good,
    lattice,
    off_table,
    round_about,
    stored_on,
)
from sandtable.field.troops import Table
from sandtable.table.shapes import Floats

TABLE = Table(12.0, 8.0)


def west_half(x: float, y: float) -> Refusal | None:
    return None if x <= 6.0 else illegal("toy.west", "too far east")


def test_a_point_off_the_table_is_refused_by_its_question() -> None:
    assert off_table(TABLE, 12.0, 8.0, "aim") is None
    refused = off_table(TABLE, 12.1, 8.0, "aim")
    assert refused is not None
    assert refused.field == "aim"


def test_the_first_points_that_will_do_are_taken() -> None:
    def good(points: Floats) -> Floats:
        return points[points[:, 0] > 5.0]

    near, far = np.array([[1.0, 1.0]]), np.array([[6.0, 1.0], [2.0, 2.0], [7.0, 3.0]])
    assert first_good([near, far, near], good) == [(6.0, 1.0), (7.0, 3.0)]
    assert first_good([near, np.empty((0, 2))], good) == []
    assert first_good(everywhere(TABLE), good)[0] == (5.5, 0.0)


def test_a_lattice_is_spread_evenly_and_what_is_stored_is_on_the_table() -> None:
    assert lattice(TABLE, 2).tolist() == [[3.0, 2.0], [9.0, 2.0], [3.0, 6.0], [9.0, 6.0]]
    assert stored_on(TABLE, np.array([[1.004, 2.0], [-0.2, 3.0], [11.0, 8.3]])).tolist() == [[1.0, 2.0]]


def test_chance_and_proposals_keep_to_the_law() -> None:
    pick = chance_near([(5.9, 4.0)], 2.0, west_half)
    found = [pick(Random(seed)) for seed in range(40)]
    assert all(west_half(*point) is None for point in found)
    assert (5.9, 4.0) in found
    assert len(set(found)) > 10
    assert round_about((5.0, 4.0), 2.0, west_half, 20)[0] == (5.0, 4.0)
    assert len(round_about((5.0, 4.0), 2.0, west_half, 20)) == 1 + 5


def test_a_box_has_an_inside() -> None:
    inside = Inside((2.0, 2.0, 10.0, 6.0))
    assert inside.holds(2.01, 5.99)
    assert not inside.holds(2.0, 4.0)
    assert inside.along_middle((0.5, 0.25)) == [(6.0, 4.0), (3.0, 4.0)]
    assert all(inside.holds(*inside.by_chance(Random(seed))) for seed in range(50))


CLUSTER = Cluster(["a", "b", "c"], (6.0, 4.0), 1.5, "toy.smoke", "the mark")


@pytest.mark.parametrize(
    ("spots", "words"),
    [
        ([(3.0, 4.0), (6.0, 4.0), (9.0, 4.0)], ""),
        ([(3.0, 4.0), (6.0, 4.0), (9.5, 4.0)], "c does not touch the others."),
        ([(3.0, 4.0), (6.0, 4.0), (7.0, 4.0)], "markers lie on one another."),
        ([(3.0, 8.0), (6.0, 8.0), (9.0, 8.0)], "no marker touches the mark."),
    ],
)
def test_markers_touch_one_another_and_their_point(spots: list[tuple[float, float]], words: str) -> None:
    refused = CLUSTER.refuse({name: Step(spot) for name, spot in zip(CLUSTER.names, spots, strict=True)})
    assert (refused.message if refused else "") == words


def test_lines_of_markers_are_proposed() -> None:
    question = CLUSTER.question("smoke", "Where?", "Marker", at=[6.0, 4.0])
    for answer in (*question.candidates(8), *(question.sample(Random(seed)) for seed in range(8))):
        assert not isinstance(question.check(answer), Refusal)
    assert isinstance(question.check({"a": {"to": [6.0, 4.0]}}), Refusal)
