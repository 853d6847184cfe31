"""What happens in a situation, line by line: each question with its answer, the dice, the events, what has changed.

Values are written as a situation writes them, so that a line can be copied into what is expected.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from sandtable.engine.events import Event
from sandtable.engine.game import Game, Observer
from sandtable.engine.questions import Refusal
from sandtable.engine.reference import shortened
from sandtable.engine.ruleset import Ask
from sandtable.engine.tokens import plain
from sandtable.engine.toml_text import toml_key, toml_value
from sandtable.testing.situations.checking import choices_of

MOST_CHOICES = 12


class Trace(Observer):
    """Lines for a person who wonders why a situation goes another way than he thought."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def asking(self, ask: Ask) -> None:
        question = ask.question
        self.lines.append(f"{ask.seat} is asked {question.topic}: {plain(question.words)}")
        choices = choices_of(question)
        if choices:
            more = f", … ({len(choices)} in all)" if len(choices) > MOST_CHOICES else ""
            self.lines.append(f"  choices: {', '.join(choices[:MOST_CHOICES])}{more}")

    def waiting(self, ask: Ask) -> None:
        """The question that the file does not answer yet, with all that one needs to answer it."""
        self.asking(ask)
        described = ask.question.describe()
        self.lines += [f"  {line}" for piece in described.get("pieces", []) for line in about_piece(piece)]
        if described["form"] == "choose-some":
            self.lines.append(f"  how many: {described['least']} to {described['most']}")
        if described["rules"]:
            self.lines.append(f"  rules: {', '.join(described['rules'])}")
        proposed = ask.question.candidates(MOST_CHOICES)
        example = next((answer for answer in proposed if answer not in ({}, [])), proposed[0])
        self.lines.append(f"  for example: answer = {toml_value(example)}")

    def answering(self, ask: Ask, answer: Any, told: str) -> None:
        self.asking(ask)
        self.lines.append(f"  {told}{toml_value(answer) if answer is not None else 'no answer'}")

    def refused(self, refusal: Refusal) -> None:
        self.lines.append(f"  refused ({refusal.kind}): {refusal}")

    def changed(self, before: Any, now: Any) -> None:
        self.lines += [f"    now {line}" for line in changes(before, now)]

    def happened(self, game: Game[Any], event: Event) -> None:
        self.lines.append(f"    {event.kind}: {plain(event.text)}")
        for throw in event.dice:
            again = "".join(f", {old} re-rolled" for old in throw.before.values())
            self.lines.append(f"      dice {throw.values} for {plain(throw.why)}{again}")
        for modifier in event.modifiers:
            self.lines.append(f"      {modifier.amount:+d} {plain(modifier.words)} ({modifier.rule})")
        if event.data:
            self.lines.append(f"      data = {toml_value(msgspec.to_builtins(event.data))}")
        if event.rules:
            self.lines.append(f"      {', '.join(event.rules)}")
        if event.only is not None:
            self.lines.append(f"      seen so by {', '.join(event.only) or 'nobody'} alone")


def about_piece(piece: dict[str, Any]) -> Iterator[str]:
    """Where a piece stands, how large its base is, and how far it may go."""
    parts = [f"at {toml_value(piece['at'])}"] if piece.get("at") else []
    if piece.get("base"):
        wide, deep = piece["base"]
        parts.append(f"base {wide:g} by {deep:g}")
    if piece.get("reach") is not None:
        parts.append(f"up to {piece['reach']:g} inches")
    if parts:
        yield f"{piece['id']}: {', '.join(parts)}"


def changes(before: dict[str, Any], now: dict[str, Any], path: str = "") -> Iterator[str]:
    """What is different in the state, table by table, as `expect.state` writes it."""
    plain: dict[str, Any] = {}
    for key, value in now.items():
        here = f"{path}.{toml_key(key)}" if path else toml_key(key)
        old = before.get(key)
        if isinstance(old, dict) and isinstance(value, dict):
            yield from changes(old, value, here)
        elif key not in before or old != value:
            if value is None:
                yield f"{here} is empty"
            else:
                plain[key] = value
    if path and len(plain) > 1:
        yield f"{path} = {shortened(plain)}"
    else:
        yield from (f"{path}.{toml_key(key)} = {shortened(value)}".lstrip(".") for key, value in plain.items())
    yield from (f"{path}.{toml_key(key)} is gone".lstrip(".") for key in before if key not in now)
