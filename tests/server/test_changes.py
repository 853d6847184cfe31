"""States are sent as changes, and what a client makes of them is the state."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from random import Random
from typing import Any

import pytest

from sandtable.server.changes import Frame, changed, merged, part_change
from sandtable.testing.laws import first_difference
from tests.server.table import PATIENCE, Person, Served, play

THINGS = {"a": b'{"id":"a"}', "b": b'{"id":"b"}', "c": b'{"id":"c"}'}


@pytest.mark.parametrize(
    ("now", "told"),
    [
        (THINGS, None),
        ({**THINGS, "b": b'{"id":"b","n":1}'}, {"put": [], "change": [{"id": "b", "n": 1}]}),
        ({**THINGS, "d": b'{"id":"d"}'}, {"ids": ["a", "b", "c", "d"], "put": [{"id": "d"}]}),
        ({"a": THINGS["a"], "c": THINGS["c"]}, {"ids": ["a", "c"], "put": []}),
        ({"c": THINGS["c"], "a": THINGS["a"], "b": THINGS["b"]}, {"ids": ["c", "a", "b"], "put": []}),
        ({}, {"ids": [], "put": []}),
    ],
    ids=["same", "changed", "new", "gone", "reordered", "empty"],
)
def test_a_list_tells_what_is_new_and_who_is_left(now: dict[str, bytes], told: dict[str, Any] | None) -> None:
    change = part_change(now, THINGS)
    assert (None if change is None else json.loads(change)) == told


def test_of_a_thing_only_what_differs_is_told_and_what_it_has_no_more() -> None:
    before = {"a": b'{"id":"a","name":"Squad","note":"loose","badges":[1]}'}
    now = {"a": b'{"id":"a","name":"Squad","note":"line"}'}
    change = json.loads(part_change(now, before) or b"")
    assert change == {"put": [], "change": [{"id": "a", "note": "line", "less": ["badges"]}]}
    known = {"roster": [json.loads(before["a"])]}
    assert merged(known, {"roster": change})["roster"] == [json.loads(now["a"])]


def test_an_empty_list_is_told_at_first() -> None:
    first = json.loads(b"{%b}" % changed(Frame(1, {"roster": {}}, {"pieces": {}}), None))
    assert merged({}, first) == {"roster": [], "scene": {"pieces": []}}


@pytest.mark.parametrize(("ruleset", "scenario"), [("hof", "city-block"), ("tr14", "crossroads"), ("sof", "clash")])
def test_changes_add_up_to_the_state(served: Served, ruleset: str, scenario: str) -> None:
    made = served.new(ruleset, scenario)
    keys = made["keys"]
    red, blue = (served.sit(made["id"], keys[seat], seat) for seat in ("red", "blue"))
    watcher = served.sit(made["id"])
    for stop in range(6):
        play([red, blue], Random(stop), 12)
        # A way back changes much at once.
        red.do(t="undo")
        for person in (red, blue, watcher):
            anew = served.sit(made["id"], person.key, person.seat)
            alike(person, anew)
            anew.drop()
    # Once everything was told, little is told anew.
    assert len(red.raw[-1]) < len(red.raw[1]) / 2


def alike(one: Person, other: Person) -> None:
    """Both hear all that there is to hear, and then they know the same."""
    ends = time.monotonic() + PATIENCE
    while shown(one) != shown(other) or one.log != other.log:
        assert time.monotonic() < ends, first_difference(shown(one), shown(other))
        for person in (one, other):
            with suppress(TimeoutError):
                person.hear(0.2)


def shown(person: Person) -> dict[str, Any]:
    """A state without what each message has of its own, and without who is here just now."""
    return {name: value for name, value in person.state.items() if name not in ("events", "from", "present")}
