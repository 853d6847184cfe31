"""What an event tells in words, its fields tell as well: who, at whom, the number needed."""

from __future__ import annotations

import re
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

NEEDS = {
    "tr14": ("activation", "strike", "save", "terrain-roll", "morale", "counter-check", "range-in", "barrage-hits"),
    "hof": (
        *("fire", "assault-check", "terrain-check", "morale", "replacement", "fire-smoke", "spot", "reserves-check"),
        *("recon-reaction", "mission-tactics", "mike-target", "clearing", "unbog", "charge"),
    ),
    "sof": (
        *("shooting", "avoids", "lethality", "blows", "aggression", "tenacity", "rally", "triage", "agility"),
        *("encourage", "charges", "reserve-roll"),
    ),
}
"""What happens by dice that need a number."""

LOWERED = {"sof"}
"""Where modifiers come off the number itself, and may leave less than any die shows."""

WITH_UNITS = {"hof"}
"""Whose texts name a Team with its Unit, "Red Rifle 2 of 1st Platoon": whoever knows the Team knows the Unit."""

SHOTS = {"tr14": "shooting", "hof": "fire", "sof": "shooting"}
CHOSEN = {
    "tr14": ("crossroads", {"activate", "fire", "react"}),
    "hof": ("patrol", {"activate", "target", "respond"}),
    "sof": ("clash", {"activate", "target", "wounded"}),
}
"""A scenario, and some of its questions that offer pieces."""


NAMESAKES = {("lances", "others")}
"""A choice that is called as a unit is with which situations begin."""


class Watch:
    """Every event of some games, in every form in which somebody sees it, with the ids that its fields tell."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.told: list[tuple[Event, set[str]]] = []
        self.unnamed: set[str] = set()
        """Choices whose id holds that of a piece which they do not name, or whose label is no plain text."""
        self.hidden: list[Event] = []
        """What is told to those who may not know all of it."""

    def __getattr__(self, name: str) -> Any:
        return lambda *args: None

    def asks(self, game: Game[Any]) -> None:
        assert game.ask is not None
        described = game.ask.question.describe()
        ids = {*game.setup.units, *(team for unit in game.setup.units.values() for team in unit.teams)}
        for option in offered(described):
            within = ids.intersection(re.split("[:>#@]", option["id"]))
            if (described["topic"], option["id"]) in NAMESAKES:
                continue
            if not within <= set(option.get("pieces", ())) or plain(option["label"]) != option["label"]:
                self.unnamed.add(f"{described['topic']}: {option}")

    def happened(self, game: Game[Any], event: Event) -> None:
        form: Event | None = event
        while form is not None:
            known = set(map(str, leaves(form.data)))
            if game.rules.name in WITH_UNITS:
                known |= {name for name, unit in game.setup.units.items() if not known.isdisjoint(unit.teams)}
            self.events.append(form)
            self.told.append((form, known))
            form = form.others
            self.hidden += [] if form is None else [form]


def offered(described: dict[str, Any]) -> list[dict[str, Any]]:
    """Every choice of a question."""
    return [*described.get("options", []), *(each for some in described.get("items", {}).values() for each in some)]


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


@pytest.fixture(scope="module", params=rulesets.names())
def seen(request: pytest.FixtureRequest) -> tuple[str, Watch]:
    """Whatever happens in the situations of a ruleset."""
    watch = Watch()
    for path in find_files([rulesets.folder(request.param) / "situations"]):
        try_file(path, observers=(watch,))  # type: ignore[arg-type]
    return request.param, watch


def test_whoever_is_named_in_the_text_is_in_the_fields(seen: tuple[str, Watch]) -> None:
    _, watch = seen
    assert len(watch.told) > 1000
    wrong = set()
    for event, known in watch.told:
        for each in named(event.text):
            if each.id not in known and not (each.kind == "place" and "at" in event.data):
                wrong.add(f"{event.kind} names a {each.kind} and has only {sorted(event.data)}: {event.text}")
    assert not wrong, "\n".join(sorted(wrong))


def test_the_number_that_was_needed_is_a_field(seen: tuple[str, Watch]) -> None:
    ruleset, watch = seen
    kinds = {event.kind for event in watch.events}
    for event in watch.events:
        if event.kind in NEEDS[ruleset]:
            eased = ruleset in LOWERED and sum(modifier.amount for modifier in event.modifiers)
            assert event.data["needed"] + max(eased, 0) >= 1, event
        if event.kind == "shooting" and "shots" in event.data:
            assert all(shot["needed"] for shot in event.data["shots"]), event
    assert kinds.issuperset({*NEEDS[ruleset], SHOTS[ruleset]})


def test_a_name_says_whose_it_is(seen: tuple[str, Watch]) -> None:
    """So that nobody fires at itself, where both sides call a Unit the same."""
    ruleset, watch = seen
    shots = [event for event in watch.events if event.kind == SHOTS[ruleset]]
    for event in shots:
        sides = {each.name.split()[0] for each in named(event.text)}
        assert sides >= {"Red", "Blue"}, event.text


def test_whoever_may_not_know_all_of_it_is_told_no_id(seen: tuple[str, Watch]) -> None:
    ruleset, watch = seen
    assert bool(watch.hidden) == (ruleset == "hof")
    # How many Break Points there are is hidden, and not whose loss they are for.
    told = {event.kind: event.text for event in watch.hidden if named(event.text) and event.kind != "break"}
    assert told == {}


def test_a_choice_names_the_pieces_that_it_stands_for(seen: tuple[str, Watch]) -> None:
    _, watch = seen
    assert not watch.unnamed, "\n".join(sorted(watch.unnamed))


@pytest.mark.parametrize("ruleset", rulesets.names())
def test_questions_and_choices_name_their_pieces(ruleset: str) -> None:
    rules = rulesets.load(ruleset)
    scenario, wanted = CHOSEN[ruleset]
    setup = rules.scenario(scenario)
    of = {team: name for name, unit in setup.units.items() for team in unit.teams}
    ids = {*setup.units, *of}
    game: Game[Any] = Game(rules, setup, SeededDice(5))
    random = Random(5)
    chosen = set()
    for _ in range(300):
        if game.ask is None:
            break
        described = game.ask.question.describe()
        for option in offered(described):
            assert set(option.get("pieces", ())) <= ids
            assert plain(option["label"]) == option["label"]
            if option["id"] in ids:
                # Who brings his Unit along stands for all of it.
                whole = [option["id"], of.get(option["id"])]
                assert list(option["pieces"]) in (whole[:1], whole), described["topic"]
            chosen.add(described["topic"]) if option.get("pieces") else None
        assert not any(word in ids for word in plain(described["words"]).split())
        game.accept(game.ask.question.sample(random))
    assert wanted <= chosen
