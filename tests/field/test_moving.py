"""A unit shifted as one body: shorter where the law forbids the whole, towards its goals first, and by chance."""

from __future__ import annotations

from copy import deepcopy
from random import Random

import msgspec
import numpy as np

from sandtable.engine.questions import Refusal, Step, illegal
from sandtable.field.moving import Law, Moving, middle, middles, nearest, shift_towards
from sandtable.field.troops import Point
from sandtable.table.shapes import Footprint
from sandtable.table.terrain import Feature, Terrain


class Kind(msgspec.Struct, frozen=True):
    base: Footprint = Footprint(1.0, 1.0)


class Stand(msgspec.Struct):
    id: str
    at: Point | None
    facing: float = 0.0
    kind: Kind = Kind()
    reach: float = 6.0


STANDS = [Stand("one", (10.0, 10.0)), Stand("two", (12.0, 10.0))]


def anywhere(steps: dict[str, Step]) -> Refusal | None:
    return None


def nowhere(steps: dict[str, Step]) -> Refusal | None:
    return illegal("toy.move.never", "Nobody moves.") if steps else None


def somewhere(steps: dict[str, Step]) -> Refusal | None:
    return None if steps else illegal("toy.move.always", "Somebody moves.")


def not_beyond_thirteen(steps: dict[str, Step]) -> Refusal | None:
    far = any(step.to[1] > 13.0 for step in steps.values())
    return illegal("toy.move.river", "There is a river.") if far else None


def moving(law: Law, *stands: Stand) -> Moving[Stand]:
    return Moving(stands or STANDS, lambda stand: stand.reach, law)


def test_a_refused_shift_is_tried_shorter_by_all() -> None:
    steps = moving(not_beyond_thirteen).shift(STANDS, 0.0, 6.0)
    # All six inches and three quarters of them are too far; half of them is not.
    assert {name: step.to for name, step in steps.items()} == {"one": (10.0, 13.0), "two": (12.0, 13.0)}
    assert moving(nowhere).shift(STANDS, 0.0, 6.0) == {}


def test_a_unit_goes_to_its_goal_or_so_many_inches_nearer() -> None:
    assert middle(STANDS) == (11.0, 10.0)
    assert shift_towards((11.0, 10.0), (11.0, 30.0), 6.0) == (0.0, 6.0)
    assert shift_towards((11.0, 10.0), (14.0, 14.0), 6.0) == (3.0, 4.0)
    assert shift_towards((11.0, 10.0), (11.0, 10.4), 6.0) == (0.0, 0.0)


def test_all_go_as_far_as_the_slowest_and_half_as_far() -> None:
    slow = Stand("slow", (14.0, 10.0), reach=4.0)
    found = list(moving(anywhere, *STANDS, slow).towards([*STANDS, slow], [(12.0, 30.0)], (1.0, 0.5)))
    assert [steps["slow"].to for steps in found] == [(14.0, 14.0), (14.0, 12.0)]


def test_goals_are_places_on_the_table_the_nearest_first() -> None:
    assert nearest(STANDS, [(0.0, 40.0), None, (11.0, 12.0)]) == [(11.0, 12.0), (0.0, 40.0)]
    assert nearest(STANDS, [(0.0, 40.0), (11.0, 12.0)], 1) == [(11.0, 12.0)]
    wood = Feature("wood", "wood", [(0.0, 0.0), (4.0, 0.0), (4.0, 2.0), (0.0, 2.0)])
    pond = Feature("pond", "pond", [(8.0, 8.0), (9.0, 8.0), (9.0, 9.0)])
    assert middles(Terrain([wood, pond], 48.0, 48.0), np.array([True, False])) == [(2.0, 1.0)]


def test_proposals_begin_with_the_first_goal_and_end_with_nowhere() -> None:
    move = moving(anywhere)
    goals = [(11.0, 30.0), (31.0, 10.0)]
    found = move.first_of(move.usual(goals), 24)
    assert found[0] == {"one": {"to": [10.0, 16.0]}, "two": {"to": [12.0, 16.0]}}
    assert found[1] == {"one": {"to": [16.0, 10.0]}, "two": {"to": [18.0, 10.0]}}
    assert found[-1] == {}
    # North and east lie round the compass, too, and are proposed once.
    assert len(found) == 9
    assert move.first_of(move.usual(goals), 1) == found[:1]
    assert len(move.first_of(move.usual(goals), 3)) == 3
    assert moving(nowhere).first_of(moving(nowhere).usual(goals), 24) == [{}]


def test_where_somebody_must_move_staying_is_not_proposed() -> None:
    move = moving(somewhere)
    assert {} not in move.first_of(move.usual([(11.0, 30.0)]), 24)


def test_whoever_cannot_move_is_left_out() -> None:
    held = Stand("held", (20.0, 20.0), reach=0.0)
    assert [stand.id for stand in moving(anywhere, *STANDS, held).able()] == ["one", "two"]
    assert list(moving(anywhere, held).usual([(1.0, 1.0)])) == []
    assert moving(anywhere, held).now_and_then(Random(2)) == {}


def test_chance_keeps_the_law_and_moves_all_or_one_or_nobody() -> None:
    random = Random(1)
    sizes = []
    for _ in range(200):
        steps = moving(not_beyond_thirteen).now_and_then(random)
        assert all(step.to[1] <= 13.0 for step in steps.values())
        sizes.append(len(steps))
    assert set(sizes) == {0, 1, 2}


def test_the_question_for_a_unit_proposes_only_what_it_takes() -> None:
    move = moving(not_beyond_thirteen)
    ways = [(11.0, 30.0)]
    question = move.question(
        "move", "Where?", lambda stand: stand.id.upper(), lambda: move.usual(ways), rules=("toy.move.river",), unit="a"
    )
    piece = question.pieces()[0]
    assert (piece.label, piece.at, piece.reach, piece.base) == ("ONE", (10.0, 10.0), 6.0, (1.0, 1.0))
    assert question.facts == {"unit": "a"}
    for answer in [*question.candidates(), question.sample(Random(2))]:
        assert question.check(answer) == answer
    assert isinstance(question.check({"one": {"to": [10, 14]}}), Refusal)


def test_only_whoever_does_not_go_is_barred() -> None:
    move = moving(anywhere)

    def why(name: str) -> Refusal:
        return illegal("toy.move.stays", f"{name} stays.", field=name)

    question = move.question("move", "Where?", lambda stand: stand.id, lambda: move.usual([]), barred=why)
    assert question.barred is not None
    assert question.barred("one") is None
    assert str(question.check({"three": {"to": [1, 1]}})).startswith("three: three stays.")


def test_a_move_by_chance_need_not_be_judged_again() -> None:
    move = moving(anywhere)
    question = move.question("move", "Where?", lambda stand: stand.id, lambda: move.usual([]))
    assert not move.by_now_judged({})
    answer = question.sample(Random(4))
    # A game hands on a copy of what was answered.
    assert move.by_now_judged(deepcopy(answer))
    assert not move.by_now_judged({**answer, "one": {"to": [1.0, 1.0]}})
