"""Seats: filled in order, asked for where not all find one, and never more than there are."""

from __future__ import annotations

from random import Random

from sandtable.engine.questions import Option, Refusal, illegal
from sandtable.field.seats import Seats
from tests.field.meadow import Stand

FOOT = [Stand("one"), Stand("two"), Stand("gun"), Stand("cannon")]
CARRIERS = [Option("truck", "Truck"), Option("jeep", "Jeep")]


def seats() -> Seats[Stand]:
    room = {"truck": {"inside": 1, "behind": 1}, "jeep": {"inside": 1}}
    needs = {"gun": "behind", "cannon": "behind"}
    return Seats(
        FOOT,
        room,
        lambda stand: needs.get(stand.id, "inside"),
        lambda carrier, stand: illegal("toy.room", f"{carrier} is full.", field=stand.id),
    )


def test_carriers_are_filled_in_order_by_what_each_needs() -> None:
    assert seats().usual() == {"one": "truck", "two": "jeep", "gun": "truck"}


def test_one_too_many_is_refused_by_name() -> None:
    question = seats().question("embark", "Who rides?", CARRIERS, ("toy.room",))
    assert not isinstance(question.check({"one": "jeep", "gun": "truck"}), Refusal)
    refused = question.check({"gun": "truck", "cannon": "truck"})
    assert isinstance(refused, Refusal)
    assert (refused.message, refused.field) == ("truck is full.", "cannon")
    refused = question.check({"gun": "jeep"})
    assert not isinstance(refused, Refusal) or refused.field == "gun"


def test_whoever_rides_by_chance_has_a_seat() -> None:
    question = seats().question("embark", "Who rides?", CARRIERS, ("toy.room",))
    for seed in range(20):
        answer = question.sample(Random(seed))
        assert len(answer) == 3
        assert not isinstance(question.check(answer), Refusal)
