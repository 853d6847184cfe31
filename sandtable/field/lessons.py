"""Lessons as files: what may be wrong with one that is fought by Units on a table, and all those of a game."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from sandtable.engine.lessons import Lesson, lesson_amiss
from sandtable.field.library import Shelf
from sandtable.field.set_ups import Faults
from sandtable.field.troops import SIDES


def amiss(lesson: Lesson, ruleset: str, setup_amiss: Faults) -> Faults:
    """What is wrong with a lesson and, where its steps stand, with what they point at."""
    yield from lesson_amiss(lesson, SIDES, ruleset)
    for steps, words in setup_amiss:
        yield ("setup", *steps), words
    known = {*lesson.setup.units, *(team for unit in lesson.setup.units.values() for team in unit.teams)}
    for number, step in enumerate(lesson.steps):
        for index, name in enumerate(step.points):
            if name not in known:
                yield ("steps", number, "points", index), f"the set-up has no Unit or Team {name!r}"


def mistakes_of(ruleset: str, setup_amiss: Callable[[Any], Faults]) -> Callable[[Any], Faults]:
    """What a lesson of a game says is wrong with itself; `setup_amiss` says it of a set-up of the game."""

    def mistakes(lesson: Any) -> Faults:
        return amiss(lesson, ruleset, setup_amiss(lesson.setup))

    return mistakes


def all_of(shelf: Shelf[Lesson]) -> Callable[[], dict[str, Lesson]]:
    """The lessons of a game by their names, read once; each battle is called as its lesson is."""

    @cache
    def read() -> dict[str, Lesson]:
        found = {name: shelf.load(name) for name in shelf.names()}
        for name, lesson in found.items():
            lesson.setup.name, lesson.setup.title = name, lesson.title
        return found

    return read
