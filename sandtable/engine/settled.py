"""What was answered without whoever is asked: as a line that can be opened and changed."""

from __future__ import annotations

from typing import Any

import msgspec

from sandtable.engine.game import STANDING, Entry, Game
from sandtable.engine.standing import answer_words, fits


class Settled(msgspec.Struct, frozen=True, omit_defaults=True):
    """An answer that a seat did not have to give itself, as a line of an order's card: "Pay: An Order Point".

    `number` is its question's. It was left as a habit or another standing answer, or it was the only one (`by`).
    `changes`: it can still be taken back and answered otherwise.
    """

    number: int
    title: str
    said: str
    by: str
    habit: str = ""
    changes: bool = False


def settled(game: Game[Any], entry: Entry) -> Settled:
    """The line of an answer that has just been given, while its question still stands: observers hear of it then."""
    assert game.ask is not None
    question = game.ask.question
    left = [each for each in game.standing if each.seat == entry.seat and fits(each, question)]
    habits = game.rules.habits
    habit = None
    if entry.by == STANDING and left:
        habit = next((each for each in habits if each.standing(entry.seat) == left[0]), None)
    title = habit.title if habit is not None and habit.title else question.topic.replace("-", " ").capitalize()
    said = answer_words(question, entry.answer) or str(entry.answer)
    return Settled(len(game.record) - 1, title, said, entry.by, habit.id if habit is not None else "")
