"""Standing answers: "pass until an enemy comes within 16 inches". Part of the record, and ending themselves loudly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from sandtable.engine.numbers import Whole
from sandtable.engine.questions import Answer, Question


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
    """An answer left for all questions of a topic that meet `only`, until one meets `until` or a turn is over."""

    seat: str
    topic: str
    answer: Answer
    only: list[Condition] = []
    until: list[Condition] = []
    last_turn: Whole | None = None

    def words(self) -> str:
        limits = [f"only if {c.fact} {c.op} {c.value}" for c in self.only]
        limits += [f"until {c.fact} {c.op} {c.value}" for c in self.until]
        if self.last_turn is not None:
            limits.append(f"through turn {self.last_turn}")
        return f"{self.topic}: {self.answer}" + (f" ({', '.join(limits)})" if limits else "")


def fits(standing: Standing, question: Question) -> bool:
    return standing.topic == question.topic and all(c.holds(question.facts) for c in standing.only)


def ending(standing: Standing, question: Question, turn: int) -> str | None:
    """Why a standing answer is over, or None while it stands."""
    if standing.last_turn is not None and turn > standing.last_turn:
        return f"turn {standing.last_turn} is over"
    for condition in standing.until:
        if condition.holds(question.facts):
            return f"{condition.fact} {condition.op} {condition.value}"
    return None
