"""A unit shifted as one body: shorter where the law forbids the whole, towards its goals first, and by chance."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from sandtable.engine.questions import MovePieces, Refusal, Step, illegal
from sandtable.field import shifts
from sandtable.field.troops import Point
from sandtable.table.shapes import Footprint

STARTS = {"one": (10.0, 10.0), "two": (12.0, 10.0)}


def anywhere(steps: dict[str, Step]) -> Refusal | None:
    return None


def nowhere(steps: dict[str, Step]) -> Refusal | None:
    return illegal("toy.move.never", "Nobody moves.") if steps else None


def not_beyond_thirteen(steps: dict[str, Step]) -> Refusal | None:
    far = any(step.to[1] > 13.0 for step in steps.values())
    return illegal("toy.move.river", "There is a river.") if far else None


def test_a_refused_shift_is_tried_shorter_by_all() -> None:
    steps = shifts.as_far_as_legal(STARTS, 0.0, 6.0, not_beyond_thirteen)
    # All six inches and three quarters of them are too far; half of them is not.
    assert {name: step.to for name, step in steps.items()} == {"one": (10.0, 13.0), "two": (12.0, 13.0)}
    assert shifts.as_far_as_legal(STARTS, 0.0, 6.0, nowhere) == {}


def test_a_unit_goes_to_its_goal_or_so_many_inches_nearer() -> None:
    assert shifts.middle(STARTS.values()) == (11.0, 10.0)
    assert shifts.towards((11.0, 10.0), (11.0, 30.0), 6.0) == (0.0, 6.0)
    assert shifts.towards((11.0, 10.0), (14.0, 14.0), 6.0) == (3.0, 4.0)
    assert shifts.towards((11.0, 10.0), (11.0, 10.4), 6.0) == (0.0, 0.0)


def test_proposals_begin_with_the_first_goal_and_end_with_nowhere() -> None:
    found = shifts.proposals(STARTS, [(11.0, 30.0), (31.0, 10.0)], 6.0, anywhere, 24)
    assert found[0] == {"one": {"to": [10.0, 16.0]}, "two": {"to": [12.0, 16.0]}}
    assert found[1] == {"one": {"to": [16.0, 10.0]}, "two": {"to": [18.0, 10.0]}}
    assert found[-1] == {}
    # North and east lie round the compass, too, and are proposed once.
    assert len(found) == 9
    assert shifts.proposals(STARTS, [(11.0, 30.0)], 6.0, anywhere, 1) == found[:1]
    assert len(shifts.proposals(STARTS, [(11.0, 30.0)], 6.0, anywhere, 3)) == 3
    assert shifts.proposals(STARTS, [(11.0, 30.0)], 6.0, nowhere, 24) == [{}]


def test_chance_keeps_the_law_and_moves_all_or_one_or_nobody() -> None:
    random = Random(1)
    sizes = []
    for _ in range(200):
        answer = shifts.by_chance(STARTS, 6.0, not_beyond_thirteen, random)
        assert all(step["to"][1] <= 13.0 for step in answer.values())
        sizes.append(len(answer))
    assert set(sizes) == {0, 1, 2}


class Kind(msgspec.Struct, frozen=True):
    base: Footprint = Footprint(1.0, 1.0)


class Stand(msgspec.Struct):
    id: str
    at: Point | None
    facing: float = 0.0
    kind: Kind = Kind()


@pytest.fixture
def question() -> MovePieces:
    teams = [Stand(name, at) for name, at in STARTS.items()]
    return shifts.ask_move(
        "move", "Where?", teams, 6.0, not_beyond_thirteen, [(11.0, 30.0)], str.upper, ("toy.move.river",), "platoon"
    )


def test_the_question_for_a_unit_proposes_only_what_it_takes(question: MovePieces) -> None:
    assert question.describe()["pieces"][0]["label"] == "ONE"
    assert question.facts == {"unit": "platoon"}
    for answer in [*question.candidates(), question.sample(Random(2))]:
        assert question.check(answer) == answer
    assert isinstance(question.check({"one": {"to": [10, 14]}}), Refusal)
