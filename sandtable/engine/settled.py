"""What was answered without whoever is asked: as a line that can be opened and changed."""

from __future__ import annotations

from typing import Any

import msgspec

from sandtable.engine.game import STANDING, Entry, Game
from sandtable.engine.questions import Choose, Option, Question
from sandtable.engine.standing import answer_words, fits

SHAPING = ("detail", "deploy")
"""The parts of an order in which it is asked how a Unit shall stand."""

DEPLOYED = "Deployed"
"""What was answered about deploying is called so, whichever of its questions it was."""


class Settled(msgspec.Struct, frozen=True, omit_defaults=True):
    """An answer that a seat did not have to give itself, as a line of an order's card: "Pay: An Order Point".

    `number` is its question's. It was left as a habit or another standing answer, or it was the only one (`by`).
    `changes`: it can still be taken back and answered otherwise. Where it was asked how a Unit stands, `shapes` are
    the options, and `chosen` the one that was taken; such a line is kept of one's own answer, too (`by` is empty).
    """

    number: int
    title: str
    said: str
    by: str
    habit: str = ""
    changes: bool = False
    shapes: tuple[Option, ...] = ()
    chosen: str = ""
    unit: str = ""
    """The unit that it was about, if it was about one."""


def settled(game: Game[Any], entry: Entry) -> Settled:
    """The line of an answer that has just been given, while its question still stands: observers hear of it then."""
    assert game.ask is not None
    question = game.ask.question
    left = [each for each in game.standing if each.seat == entry.seat and fits(each, question)]
    habits = game.rules.habits
    habit = None
    if entry.by == STANDING and left:
        habit = next((each for each in habits if each.standing(entry.seat) == left[0]), None)
    title = habit.title if habit is not None and habit.title else titled(question)
    said = answer_words(question, entry.answer) or str(entry.answer)
    shapes = shapes_of(question)
    return Settled(
        len(game.record) - 1,
        title,
        said,
        entry.by,
        habit.id if habit is not None else "",
        shapes=shapes,
        chosen=entry.answer if shapes else "",
        unit=str(question.facts.get("unit") or ""),
    )


def titled(question: Question) -> str:
    """What an answer is called that no habit has a title for."""
    return DEPLOYED if question.step == "deploy" else question.topic.replace("-", " ").capitalize()


def shapes_of(question: Question) -> tuple[Option, ...]:
    """The options of a question that say how a Unit shall stand."""
    if not isinstance(question, Choose) or question.step not in SHAPING:
        return ()
    return tuple(option for option in question.options if option.shape)
