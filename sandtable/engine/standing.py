"""Standing answers: "pass until an enemy comes within 16 inches". Part of the record, and ending themselves loudly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from sandtable.engine.numbers import Whole
from sandtable.engine.questions import Answer, Question
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

    `said` is the answer as people read it, where it was left at a question that could tell.
    """

    seat: str
    topic: str
    answer: Answer
    only: list[Condition] = []
    until: list[Condition] = []
    last_turn: Whole | None = None
    said: str = ""

    def words(self) -> str:
        limits = [f"only if {condition.words()}" for condition in self.only]
        limits += [f"until {condition.words()}" for condition in self.until]
        if self.last_turn is not None:
            limits.append(f"through turn {self.last_turn}")
        return f"{self.topic.replace('-', ' ')}: {self.said or self.answer}" + (
            f" ({', '.join(limits)})" if limits else ""
        )


def fits(standing: Standing, question: Question) -> bool:
    return standing.topic == question.topic and all(c.holds(question.facts) for c in standing.only)


def ending(standing: Standing, question: Question, turn: int) -> str | None:
    """Why a standing answer is over, or None while it stands."""
    if standing.last_turn is not None and turn > standing.last_turn:
        return f"turn {standing.last_turn} is over"
    for condition in standing.until:
        if condition.holds(question.facts):
            return condition.words()
    return None


def answer_words(question: Question, answer: Answer) -> str:
    """The labels of the options in an answer; empty where it is no matter of options."""
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
    return ""
