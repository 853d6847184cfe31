"""The names in a situation that its ruleset must know, topics, events, rules and seats: a slip is told by its line."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cache
from typing import TYPE_CHECKING

from sandtable import rulesets
from sandtable.engine import reference
from sandtable.engine.data_words import did_you_mean
from sandtable.engine.ledger import Ledger
from sandtable.engine.places import sources
from sandtable.engine.toml_lines import Steps

if TYPE_CHECKING:
    from sandtable.testing.situations.files import Expect, Happened, Situation, Step, Variant

Named = Iterator[tuple[Steps, str]]
"""Where a name stands, and what is wrong with it."""


@cache
def words_of_code(ruleset: str) -> frozenset[str]:
    """Every short text that the code of a ruleset writes: among them its topics and kinds of events."""
    code = "".join(path.read_text(encoding="utf-8") for path in sources(rulesets.folder(ruleset)))
    return frozenset(re.findall(r'"([a-z][a-z0-9-]*)"', code))


class Names:
    """What a ruleset calls things."""

    def __init__(self, ruleset: str) -> None:
        known = reference.load(ruleset)
        self.ruleset = ruleset
        self.seats = rulesets.load(ruleset).seats
        self.topics: Collection[str] = known.topics
        self.kinds: Collection[str] = known.events
        self.rules = Ledger.load(ruleset).rules

    def topic(self, name: str, *steps: str | int) -> Named:
        yield from self.listed(name, self.topics, "topic", steps)

    def kind(self, name: str, *steps: str | int) -> Named:
        yield from self.listed(name, self.kinds, "kind of event", steps)

    def listed(self, name: str, known: Collection[str], noun: str, steps: Steps) -> Named:
        # The reference is made from games; what is newer than it stands in the code.
        if name and name not in known and name not in words_of_code(self.ruleset):
            where = f"`sandtable rules topics {self.ruleset}` lists them"
            yield steps, f"there is no {noun} {name!r}; {did_you_mean(name, known)}{where}"

    def rule(self, name: str, *steps: str | int) -> Named:
        if name and name not in self.rules:
            hint = did_you_mean(name, self.rules) + "`sandtable rules find WORD` looks for one"
            yield steps, f"there is no rule {name!r}; {hint}"

    def each_rule(self, names: list[str], *steps: str | int) -> Named:
        for number, name in enumerate(names):
            yield from self.rule(name, *steps, number)

    def seat(self, name: str, *steps: str | int) -> Named:
        if name and name not in self.seats:
            yield steps, f"there is no seat {name!r}; known: {', '.join(self.seats)}"


def unknown_names(situation: Situation) -> Named:
    """Every name in a situation that its ruleset does not know."""
    names = Names(situation.ruleset)
    parts: list[tuple[Situation | Variant, Steps]] = [(situation, ())]
    parts += [(variant, ("variant", number)) for number, variant in enumerate(situation.variant)]
    for part, steps in parts:
        yield from names.each_rule(part.rules, *steps, "rules")
        yield from names.each_rule(part.not_cited, *steps, "not_cited")
        for topic in part.answers:
            yield from names.topic(topic, *steps, "answers", topic)
        yield from of_expect(names, part.expect, (*steps, "expect"))
        for number, step in enumerate(part.step):
            yield from of_step(names, step, (*steps, "step", number))


def of_step(names: Names, step: Step, steps: Steps) -> Named:
    yield from names.seat(step.seat, *steps, "seat")
    yield from names.topic(step.topic, *steps, "topic")
    yield from of_expect(names, step.expect, (*steps, "expect"))


def of_expect(names: Names, expect: Expect | None, steps: Steps) -> Named:
    if expect is None:
        return
    if expect.asked is not None:
        yield from names.seat(expect.asked.seat, *steps, "asked", "seat")
        yield from names.topic(expect.asked.topic, *steps, "asked", "topic")
        yield from names.rule(expect.asked.rule, *steps, "asked", "rule")
    if expect.refused is not None:
        yield from names.rule(expect.refused.rule, *steps, "refused", "rule")
    yield from names.each_rule(expect.not_cited, *steps, "not_cited")
    for key, events in (("events", expect.events), ("no_events", expect.no_events)):
        for number, event in enumerate(events):
            yield from of_event(names, event, (*steps, key, number))
    for seat in expect.views:
        yield from names.seat(seat, *steps, "views", seat)


def of_event(names: Names, event: Happened, steps: Steps) -> Named:
    yield from names.kind(event.kind, *steps, "kind")
    yield from names.each_rule(event.rules, *steps, "rules")
    yield from names.each_rule(event.lacks, *steps, "lacks")
    for number, (_, rule) in enumerate(event.modifiers or []):
        yield from names.rule(rule, *steps, "modifiers", number)
    yield from names.seat(event.seat, *steps, "seat")
    yield from names.seat(event.seen_by, *steps, "seen_by")
