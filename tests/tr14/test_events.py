"""What an event of the test rules tells in words, its fields tell as well: who, at whom, the number needed."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from sandtable import rulesets
from sandtable.engine.dice import SeededDice
from sandtable.engine.events import Event
from sandtable.engine.game import Game
from sandtable.engine.tokens import Token, parts, plain
from sandtable.testing.situations import find_files, try_file

RULES = rulesets.load("tr14")
SITUATIONS = find_files([rulesets.folder("tr14") / "situations"])
NEEDS = ("activation", "strike", "save", "terrain-roll", "morale", "counter-check", "range-in", "barrage-hits")


class Watch:
    """Every event and every text of the questions of some games."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def __getattr__(self, name: str) -> Any:
        return lambda *args: None

    def happened(self, game: Game[Any], event: Event) -> None:
        self.events.append(event)


def leaves(value: Any) -> Iterator[Any]:
    """Everything in an event's data, the keys of its dictionaries too: some are by Team."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from leaves(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from leaves(inner)
    else:
        yield value


def named(text: str) -> list[Token]:
    return [part for part in parts(text) if isinstance(part, Token)]


@pytest.fixture(scope="module")
def events() -> list[Event]:
    watch = Watch()
    for path in SITUATIONS:
        try_file(path, observers=(watch,))  # type: ignore[arg-type]
    return watch.events


def test_whoever_is_named_in_the_text_is_in_the_fields(events: list[Event]) -> None:
    assert len(events) > 1000
    for event in events:
        known = set(map(str, leaves(event.data)))
        for each in named(event.text):
            told = each.id in known or (each.kind == "place" and "at" in event.data)
            assert told, f"{event.kind} names {each.id} but has only {event.data}"


def test_the_number_that_was_needed_is_a_field(events: list[Event]) -> None:
    seen = {event.kind for event in events}
    for event in events:
        if event.kind in NEEDS:
            assert event.data["needed"] >= 1, event
        if event.kind == "shooting":
            assert all(shot["needed"] for shot in event.data["shots"]), event
    assert seen.issuperset({*NEEDS, "shooting"})


def test_a_name_says_whose_it_is(events: list[Event]) -> None:
    """So that nobody fires at itself, where both sides call a Unit the same."""
    shots = [event for event in events if event.kind == "shooting"]
    for event in shots:
        who, whom = (token.name for token in named(event.text)[:2])
        assert {who.split()[0], whom.split()[0]} == {"Red", "Blue"}, event.text


def test_questions_and_choices_name_their_pieces() -> None:
    setup = RULES.scenario("crossroads")
    ids = {*setup.units, *(team for unit in setup.units.values() for team in unit.teams)}
    game: Game[Any] = Game(RULES, setup, SeededDice(5))
    random = Random(5)
    chosen = set()
    for _ in range(300):
        if game.ask is None:
            break
        described = game.ask.question.describe()
        offered = [
            *described.get("options", []),
            *(each for some in described.get("items", {}).values() for each in some),
        ]
        for option in offered:
            assert set(option.get("pieces", ())) <= ids
            assert plain(option["label"]) == option["label"]
            if option["id"] in ids:
                assert list(option["pieces"]) == [option["id"]], described["topic"]
            chosen.add(described["topic"]) if option.get("pieces") else None
        assert not any(word in ids for word in plain(described["words"]).split())
        game.accept(game.ask.question.sample(random))
    assert {"activate", "fire", "react"} <= chosen
