"""A drop that is refused: the whole unit goes less far, as one body, before single pieces are held back."""

from __future__ import annotations

from collections.abc import Callable

from sandtable.engine.questions import MovePieces, Piece, Refusal, Step, illegal, plain_to_steps
from sandtable.field.plan import amended
from sandtable.field.troops import Point

Law = Callable[[dict[str, Step]], Refusal | None]
Ends = dict[str, Point]

ROW = {"one": (10.0, 10.0), "two": (12.0, 10.0), "three": (14.0, 10.0)}


def planned(law: Law, by: Point, facing: float | None = None) -> tuple[Ends, set[str], Refusal | None]:
    pieces = [Piece(name, name, at, 0.0, 12.0) for name, at in ROW.items()]
    question = MovePieces("move", "Where?", list(ROW), lambda: pieces, law, lambda most: [{}])
    wanted = {name: Step((x + by[0], y + by[1]), facing) for name, (x, y) in ROW.items()}
    answer, held, refusal = amended(question, pieces, wanted)
    return {name: step.to for name, step in plain_to_steps(answer).items()}, set(held), refusal


def no_farther_than(limit: float, *names: str) -> Law:
    def law(steps: dict[str, Step]) -> Refusal | None:
        far = next((n for n, step in steps.items() if n in (names or ROW) and step.to[1] > limit), None)
        return illegal("toy.river", f"{far} would be in the river.", field=far) if far else None

    return law


def test_what_is_legal_stays_as_it_is() -> None:
    ends, held, refusal = planned(no_farther_than(30.0), (0.0, 8.0))
    assert ends == {name: (x, 18.0) for name, (x, _) in ROW.items()}
    assert not held
    assert refusal is None


def test_all_go_less_far_as_one_body_though_only_one_is_stopped() -> None:
    ends, held, refusal = planned(no_farther_than(15.0, "two"), (0.0, 8.0))
    # Five of eight inches, by all three: they keep their places beside one another.
    assert ends == {name: (x, 15.0) for name, (x, _) in ROW.items()}
    assert held == set(ROW)
    assert refusal is None


def test_who_cannot_move_at_all_is_left_behind_and_the_others_go() -> None:
    def bogged(steps: dict[str, Step]) -> Refusal | None:
        return illegal("toy.bogged", "two is bogged.", field="two") if "two" in steps else None

    ends, held, refusal = planned(bogged, (0.0, 8.0))
    assert ends == {"one": (10.0, 18.0), "three": (14.0, 18.0)}
    assert held == {"two"}
    assert refusal is None


def test_a_facing_is_given_up_before_a_way_is_shortened() -> None:
    def driving(steps: dict[str, Step]) -> Refusal | None:
        turned = next((name for name, step in steps.items() if step.facing is not None), None)
        return illegal("toy.pivots", "It may not turn there.", field=turned) if turned else None

    ends, _, refusal = planned(driving, (0.0, 8.0), facing=90.0)
    assert ends == {name: (x, 18.0) for name, (x, _) in ROW.items()}
    assert refusal is None


def test_where_nobody_may_go_the_drop_carries_its_refusal() -> None:
    def never(steps: dict[str, Step]) -> Refusal | None:
        return illegal("toy.never", "Nobody moves.", field=next(iter(steps))) if steps else None

    ends, held, refusal = planned(never, (0.0, 8.0))
    assert ends == {name: (x, 18.0) for name, (x, _) in ROW.items()}
    assert not held
    assert refusal is not None
    assert refusal.rule == "toy.never"


def test_a_unit_that_comes_onto_the_table_is_set_aside_as_one_body() -> None:
    pieces = [Piece(name, name, None, 0.0) for name in ROW]
    law = no_farther_than(9.2)
    question = MovePieces("deploy", "Where?", list(ROW), lambda: pieces, law, lambda most: [{}])
    wanted = {name: Step(at) for name, at in ROW.items()}
    answer, held, refusal = amended(question, pieces, wanted)
    # An inch to the south, all of them.
    ends = {name: step.to for name, step in plain_to_steps(answer).items()}
    assert ends == {name: (x, 9.0) for name, (x, _) in ROW.items()}
    assert held.keys() == ROW.keys()
    assert refusal is None
