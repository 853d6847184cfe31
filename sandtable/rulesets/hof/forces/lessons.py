"""Lessons: small battles that begin with everybody in place, and a guide through them."""

from __future__ import annotations

from typing import Literal

from sandtable.engine.lessons import Lesson
from sandtable.field import lessons
from sandtable.field.library import Shelf
from sandtable.rulesets.hof.core.set_ups import faults
from sandtable.rulesets.hof.core.state import Setup
from sandtable.rulesets.hof.forces.forces import HERE


class GuidedBattle(Lesson, forbid_unknown_fields=True, kw_only=True):
    """The file of a lesson."""

    format: Literal["sandtable.hof.lesson"]
    setup: Setup
    mistakes = lessons.mistakes_of("hof", faults)


LESSONS = lessons.all_of(Shelf(HERE / "lessons", GuidedBattle, "lesson"))
