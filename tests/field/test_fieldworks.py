"""Lengths laid on the table: on their owner's half, on nothing that is there, and not on one another."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Any

import numpy as np
import pytest

from sandtable.engine.questions import Refusal, plain_to_steps
from sandtable.field.fieldworks import Laying, free_names
from sandtable.table.shapes import Floats, Mask, X, Y


def on_the_pond(rows: Floats) -> Mask:
    """A pond of four inches about (20, 10)."""
    near: Mask = np.hypot(rows[:, X] - 20.0, rows[:, Y] - 10.0) < 4.0
    return near


LAYING = Laying("wire", "wire", ["a", "b"], (8.0, 2.0), (0.0, 0.0, 48.0, 18.0), 0.0, "toy.wire", on_the_pond)


def says(answer: dict[str, Any]) -> str:
    refused = LAYING.question("lay", "Where?", list).check(answer)
    return refused.message if isinstance(refused, Refusal) else ""


@pytest.mark.parametrize(
    ("to", "words"),
    [
        ([30.0, 9.0], ""),
        ([30.0, 17.5], "would not lie on your half"),
        ([21.0, 10.0], "cannot lie there"),
        ([12.0, 5.0], "cannot lie there"),
    ],
)
def test_a_length_lies_on_ones_half_and_on_nothing(to: list[float], words: str) -> None:
    assert words in says({"a": {"to": [10.0, 5.0]}, "b": {"to": to}})
    assert bool(says({"a": {"to": [10.0, 5.0]}, "b": {"to": to}})) == bool(words)


def test_a_length_takes_no_way_and_may_stay_at_home() -> None:
    assert "takes no way" in says({"a": {"to": [10.0, 5.0], "via": [[9.0, 9.0]]}})
    assert says({}) == ""


def test_lines_are_proposed_end_to_end_and_last_of_all_nothing() -> None:
    question = LAYING.question("lay", "Where?", lambda: [(10.0, 5.0), (20.0, 10.0)])
    line, some, nothing = question.candidates(3)
    (west, south), (east, north) = (step.to for step in plain_to_steps(line).values())
    assert (west, east) == pytest.approx((6.0, 14.0), abs=0.02)
    assert south == north == 5.0
    assert nothing == {}
    assert some != line
    for answer in (line, some, *(question.sample(Random(seed)) for seed in range(20))):
        assert not isinstance(question.check(answer), Refusal)


def test_what_is_laid_becomes_ground() -> None:
    (wire,) = LAYING.features(plain_to_steps({"a": {"to": [10.0, 5.0]}}))
    assert (wire.id, wire.kind) == ("a", "wire")
    assert sorted(wire.points) == [(6.0, 4.0), (6.0, 6.0), (14.0, 4.0), (14.0, 6.0)]


def test_names_that_are_taken_are_passed_over() -> None:
    assert list(islice(free_names("pl", {"pl-2"}), 2)) == ["pl-1", "pl-3"]
    assert next(free_names("pl", {"pl-2"}, first=2)) == "pl-3"
