"""Pieces are set down: in ranks over a zone, each for itself where ranks do not fit, and refused with a reason."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest

from sandtable.engine.questions import MovePieces, Refusal, illegal, plain_to_steps
from sandtable.field.board import Board
from sandtable.field.deploying import Deploying, grid, moved, spread, zone_of
from sandtable.field.troops import Point, Table
from sandtable.table.shapes import Floats, Footprint, X, Y
from sandtable.table.terrain import Feature, Terrain

TABLE = Table(48.0, 48.0)
ZONE = zone_of([(0.0, 0.0), (48.0, 0.0), (48.0, 12.0), (0.0, 12.0)], TABLE)
LAKE = Feature("lake", "lake", [(20.0, 4.0), (28.0, 4.0), (28.0, 8.0), (20.0, 8.0)])


class Meadow:
    terrain = Terrain([LAKE], 48.0, 48.0)
    width = 48.0
    depth = 48.0


class Kind(msgspec.Struct, frozen=True):
    base: Footprint = Footprint(2.0, 1.0)


class Stand(msgspec.Struct):
    id: str
    at: Point | None = None
    facing: float = 0.0
    kind: Kind = Kind()


def deploying(*standing: Stand, zone: Terrain | None = ZONE, **more: Any) -> Deploying[Stand]:
    pieces = [Stand("one"), Stand("two"), Stand("three")]
    here = Board.with_pieces(standing)
    return Deploying(here, Meadow(), pieces, 0.0, str.upper, "toy.deploy", zone=zone, **more)


def steps(**places: Point) -> dict[str, Any]:
    return {name: {"to": list(to)} for name, to in places.items()}


def says(down: Deploying[Stand], answer: dict[str, Any]) -> str:
    refused = question_of(down).check(answer)
    assert isinstance(refused, Refusal)
    return f"{refused.field}: {refused.message} ({refused.rule})"


def question_of(down: Deploying[Stand]) -> MovePieces:
    ranks, points = down.ranks(2, 0.5), grid(ZONE, 8, 3)
    return down.question(
        "deploy",
        "Where?",
        lambda stand: stand.id,
        lambda most: down.proposals(ranks, points, most),
        lambda random: down.by_chance(ranks, (0.0, 0.0, 48.0, 12.0), random) or down.proposals(ranks, points, 1)[0],
        unit="platoon",
    )


GOOD: dict[str, Point] = {"one": (5.0, 5.0), "two": (8.0, 5.0), "three": (11.0, 5.0)}


def test_all_are_set_down_where_there_is_room() -> None:
    question = question_of(deploying())
    assert question.check(steps(**GOOD)) == steps(**GOOD)
    assert question.facts == {"unit": "platoon"}
    assert question.rules == ("toy.deploy",)


@pytest.mark.parametrize(
    ("there", "refusal"),
    [
        ((48.0, 5.0), "three: THREE would be off the table, in whole or in part. (toy.deploy)"),
        ((8.5, 5.5), "two: TWO and THREE would stand on each other. (toy.deploy)"),
        ((11.0, 11.8), "three: THREE would stand outside your zone. (toy.deploy)"),
        ((40.5, 5.0), "three: THREE would stand on OTHER. (toy.deploy)"),
        ((24.0, 6.0), "three: nobody can stand where THREE would. (toy.water)"),
    ],
)
def test_a_place_is_refused_by_name(there: Point, refusal: str) -> None:
    down = deploying(Stand("other", (40.0, 5.0)), barring=(np.array([0]), "toy.water"))
    assert says(down, steps(**{**GOOD, "three": there})) == refusal


def test_nobody_is_left_out_unless_that_is_allowed() -> None:
    assert says(deploying(), steps(one=(5.0, 5.0))) == "two: TWO is not placed. (toy.deploy)"
    some = question_of(deploying(everybody=False))
    assert some.check(steps(one=(5.0, 5.0))) == steps(one=(5.0, 5.0))
    assert some.check({}) == {}


def test_who_is_set_down_takes_no_way_there() -> None:
    answer = steps(**GOOD)
    answer["two"]["via"] = [[9.0, 9.0]]
    assert says(deploying(), answer) == "two: TWO is set down, and takes no way there. (toy.deploy)"


def test_a_base_may_be_wholly_in_the_zone_or_only_its_centre() -> None:
    answer = steps(**{**GOOD, "three": (11.0, 11.8)})
    assert question_of(deploying(wholly=False)).check(answer) == answer


def test_whatever_else_refuses_it_is_asked_with_all_rows() -> None:
    def apart(pieces: list[Stand], rows: Floats) -> Refusal | None:
        far = int(rows[:, X].argmax())
        return illegal("toy.near", "Too far east.", field=pieces[far].id) if rows[far, X] > 10.0 else None

    down = deploying(checks=(apart,))
    assert says(down, steps(**GOOD)) == "three: Too far east. (toy.near)"
    # Neither proposals nor chance offer it.
    question = question_of(down)
    for answer in [*question.candidates(), *(question.sample(Random(n)) for n in range(20))]:
        assert question.check(answer) == answer


def test_proposals_stand_in_ranks_all_over_the_zone() -> None:
    question = question_of(deploying(barring=(np.array([0]), "toy.water")))
    found = question.candidates(12)
    assert len(found) == 12
    assert len(question.candidates(3)) == 3
    for answer in [*found, *(question.sample(Random(n)) for n in range(20))]:
        assert question.check(answer) == answer
    one, two, three = (found[0][name]["to"] for name in ("one", "two", "three"))
    assert one[1] == two[1] > three[1]
    assert two[0] - one[0] == 2.5


def test_where_ranks_do_not_fit_each_looks_for_room_itself() -> None:
    # A strip as deep as one base leaves room for one rank only.
    strip = zone_of([(0.0, 0.0), (48.0, 0.0), (48.0, 1.2), (0.0, 1.2)], TABLE)
    down = deploying(zone=strip)
    ranks, points = down.ranks(2, 0.5), grid(strip, 8, 3)
    assert all(down.all_at(ranks, at) is None for at in points)
    (only,) = down.proposals(ranks, points, 12)
    assert down.refuse(plain_to_steps(only)) is None
    assert down.by_chance(ranks, (0.0, 0.0, 48.0, 1.2), Random(1)) is None


def test_rows_are_moved_to_places_as_they_are_stored() -> None:
    ranks = deploying().ranks(2, 0.5)
    rows = moved(ranks, 10.004, 5.0)
    assert rows[:, X].tolist() == pytest.approx([round(x + 10.004, 2) for x in ranks[:, X].tolist()])
    assert ranks[:, Y].tolist() != rows[:, Y].tolist()


def test_a_zone_without_points_is_the_whole_table() -> None:
    assert zone_of((), TABLE).bounds[0].tolist() == [0.0, 0.0, 48.0, 48.0]
    assert grid(ZONE, 3, 1) == [(24.0, 6.0), (12.0, 6.0), (36.0, 6.0)]


def test_in_ranks_the_nearest_to_a_goal_and_the_least_crowded_come_first() -> None:
    spots = spread(ZONE, [(40.0, 12.0)], [])
    assert spots[0][0] > 36.0
    crowded = spread(ZONE, [(40.0, 12.0)], [spots[0]] * 3)
    assert crowded[0] != spots[0]
    down = deploying()
    box = (2.0, 2.0, 46.0, 10.0)
    question = down.question_in_ranks(
        "deploy", "Where?", lambda stand: stand.id, down.ranks(2, 0.5), lambda: spots, box, unit="platoon"
    )
    for answer in (*question.candidates(3), *(question.sample(Random(seed)) for seed in range(10))):
        assert not isinstance(question.check(answer), Refusal)
    assert question.facts == {"unit": "platoon"}
