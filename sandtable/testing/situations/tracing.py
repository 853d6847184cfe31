"""What happens in a situation, line by line: each question with its answer, the dice, the events and their rules."""

from __future__ import annotations

import json
from typing import Any

from sandtable.engine.events import Event
from sandtable.engine.game import Game, Observer
from sandtable.engine.questions import Refusal
from sandtable.engine.ruleset import Ask
from sandtable.engine.tokens import plain
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

    def answering(self, ask: Ask, answer: Any, told: str) -> None:
        self.asking(ask)
        self.lines.append(f"  {told}{json.dumps(answer, ensure_ascii=False, default=str)}")

    def refused(self, refusal: Refusal) -> None:
        self.lines.append(f"  refused ({refusal.kind}): {refusal}")

    def happened(self, game: Game[Any], event: Event) -> None:
        self.lines.append(f"    {event.kind}: {plain(event.text)}")
        for throw in event.dice:
            again = "".join(f", {old} re-rolled" for old in throw.before.values())
            self.lines.append(f"      dice {throw.values} for {plain(throw.why)}{again}")
        for modifier in event.modifiers:
            self.lines.append(f"      {modifier.amount:+d} {plain(modifier.words)} ({modifier.rule})")
        if event.rules:
            self.lines.append(f"      {', '.join(event.rules)}")
        if event.only is not None:
            self.lines.append(f"      seen so by {', '.join(event.only) or 'nobody'} alone")
