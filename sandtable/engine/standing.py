"""Answers that a seat need not give itself.

Standing ones ("pass until an enemy comes within 16 inches") are part of the record and end themselves loudly. Those to
questions that leave no choice are given for people.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice, product
from math import prod
from typing import Any, Literal

import msgspec

from sandtable.engine.events import several
from sandtable.engine.numbers import Whole
from sandtable.engine.questions import Answer, Assign, MovePieces, Question, Refusal
from sandtable.engine.tokens import token

COMPARED = {"<=": "is at most", ">=": "is at least", "==": "is", "!=": "is not", "in": "is one of"}


class Condition(msgspec.Struct, frozen=True):
    """A comparison with a fact of the question."""

    fact: str
    op: Literal["<=", ">=", "==", "!=", "in"]
    value: Any

    def __post_init__(self) -> None:
        if self.op == "in" and not isinstance(self.value, list):
            raise ValueError(f"{self.fact} in …: give a list of values")
        if self.op in ("<=", ">=") and not is_number(self.value):
            raise ValueError(f"{self.fact} {self.op} …: give a number")

    def words(self) -> str:
        """As people read it: "fired on is not so". A fact of one Unit is called by its name and the Unit's id."""
        name, _, unit = self.fact.partition(":")
        whose = f" of {token('unit', unit, unit)}" if unit else ""
        if isinstance(self.value, bool) and self.op in ("==", "!="):
            says = "is so" if self.value is (self.op == "==") else "is not so"
        else:
            says = f"{COMPARED[self.op]} {self.value}"
        return f"{name.replace('_', ' ')}{whose} {says}"

    def holds(self, facts: Mapping[str, Any]) -> bool:
        if self.fact not in facts:
            return False
        have = facts[self.fact]
        if self.op == "in":
            return have in self.value
        if self.op == "==":
            return bool(have == self.value)
        if self.op == "!=":
            return bool(have != self.value)
        if not is_number(have):
            return False
        return bool(have <= self.value if self.op == "<=" else have >= self.value)


def is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


class Standing(msgspec.Struct, frozen=True, omit_defaults=True):
    """An answer left for all questions of a topic that meet `only`, until one meets `until` or a turn is over.

    Several topics stand with spaces between them; `*` is any. `proposed`: whatever the question proposes first is
    answered. `said` is the answer as people read it, where it was left at a question that could tell.
    """

    seat: str
    topic: str
    answer: Answer
    only: list[Condition] = []
    until: list[Condition] = []
    last_turn: Whole | None = None
    said: str = ""
    proposed: bool = False

    def words(self) -> str:
        limits = [f"only if {condition.words()}" for condition in self.only]
        limits += [f"until {condition.words()}" for condition in self.until]
        if self.last_turn is not None:
            limits.append(f"through turn {self.last_turn}")
        topic = "whatever is asked" if self.topic == ANY else self.topic.replace(" ", ", ").replace("-", " ")
        answer = self.said or ("as proposed" if self.proposed else self.answer)
        return f"{topic}: {answer}" + (f" ({', '.join(limits)})" if limits else "")

    def answer_to(self, question: Question) -> Answer:
        return question.candidates(1)[0] if self.proposed else self.answer


ANY = "*"

OWN_STEPS = ["who", "what", "where", "whom", "detail"]
"""What is asked about one's own orders."""


def deploy_the_rest(seat: str) -> Standing:
    """Whatever is left to be set up is set up as proposed."""
    return Standing(seat, ANY, None, until=[Condition(STEP, "!=", "deploy")], said="deploy as proposed", proposed=True)


def as_proposed(seat: str, turn: int) -> Standing:
    """Orders as proposed to the end of the turn, or until something is asked that is no part of an order."""
    until = [Condition(STEP, "in", ["", "deploy", "reply"])]
    return Standing(seat, ANY, None, until=until, last_turn=turn, said="as proposed", proposed=True)


STEP = "step"
"""The one fact that every question has."""


def holds(condition: Condition, question: Question) -> bool:
    return condition.holds({STEP: question.step} if condition.fact == STEP else question.facts)


def fits(standing: Standing, question: Question) -> bool:
    topics = (ANY,) if standing.topic == ANY else standing.topic.split()
    return (question.topic in topics or ANY in topics) and all(holds(each, question) for each in standing.only)


def ending(standing: Standing, question: Question, turn: int) -> str | None:
    """Why a standing answer is over, or None while it stands."""
    if standing.last_turn is not None and turn > standing.last_turn:
        return f"turn {standing.last_turn} is over"
    for condition in standing.until:
        if holds(condition, question):
            return "something else is asked" if condition.fact == STEP else condition.words()
    return None


MOST_TRIED = 64
"""So many ways to assign are tried at most to find whether there is only one."""


def only_answer(question: Question) -> list[Answer]:
    """The one legal answer in a list; an empty list if there are more, or if that cannot be told cheaply."""
    if isinstance(question, Assign):
        found = assignments(question)
    else:
        found = question.answers()
    return found if found is not None and len(found) == 1 else []


def assignments(question: Assign) -> list[Answer] | None:
    """The first two legal answers of a question that can have few; None if it may have many."""
    items = [(item, [None, *(option.id for option in options)]) for item, options in question.items.items() if options]
    if prod(len(choices) for _, choices in items) > MOST_TRIED:
        return None
    names = [item for item, _ in items]
    ways = (
        {name: choice for name, choice in zip(names, way, strict=True) if choice is not None}
        for way in product(*(choices for _, choices in items))
    )
    return list(islice((way for way in ways if not isinstance(question.check(way), Refusal)), 2))


def answer_words(question: Question, answer: Answer) -> str:
    """An answer as people read it: the labels of its options, or how many move; empty where nothing can be said."""
    spoken = question.spoken(answer)
    if spoken:
        return spoken
    described = question.describe()
    labels = {option["id"]: option["label"] for option in described.get("options", [])}
    if isinstance(answer, str):
        return str(labels.get(answer, ""))
    if isinstance(answer, list) and labels:
        return ", ".join(labels.get(item, "") for item in answer) or "none"
    if isinstance(answer, dict) and "items" in described:
        given = [(item, option) for item, options in described["items"].items() for option in options]
        chosen = dict.fromkeys(option["label"] for item, option in given if answer.get(item) == option["id"])
        return ", ".join(chosen) or "none"
    if isinstance(answer, dict):
        noun = question.noun if isinstance(question, MovePieces) else "Team"
        return several(len(answer), noun) if answer else "nobody"
    return ""
