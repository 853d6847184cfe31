"""How large a battle out of a stranger's file may be; what is more is refused, and the refusal says how much may be."""

from __future__ import annotations

from typing import Any

from sandtable.engine.questions import Refusal
from sandtable.engine.record import Saved
from sandtable.field.set_ups import LARGEST_TABLE
from sandtable.server.room import MOST_NOTES

MOST_ANSWERS = 5_000
MOST_FEATURES = 500
MOST_POINTS = 200
"""Corners of one piece of terrain."""

ALL_POINTS = 5_000
"""Corners of all of them."""

MOST_GROUND = 4.0
"""All terrain together covers at most so many tables."""

MOST_UNITS = 60
MOST_TEAMS = 400
LONGEST_TEXT = 500
LARGEST_NUMBER = 1e6
MOST_STANDING = 40


def refuse(setup: Any, saved: Saved) -> Refusal | None:
    """What is too much of a saved game."""
    problem = too_large(setup) or too_long(saved) or odd_value(saved.setup)
    return Refusal("malformed", problem) if problem else None


def too_large(setup: Any) -> str:
    """What is too large in a set-up; every ruleset's has a table, terrain and Units with Teams."""
    if not (0 < setup.table.width <= LARGEST_TABLE and 0 < setup.table.depth <= LARGEST_TABLE):
        return f"The table in this file is too large; it may measure {LARGEST_TABLE:g} inches."
    if len(setup.terrain) > MOST_FEATURES:
        return f"There are {len(setup.terrain)} pieces of terrain; there may be {MOST_FEATURES}."
    for feature in setup.terrain:
        if len(feature.points) > MOST_POINTS:
            return f"A piece of terrain has {len(feature.points)} points; it may have {MOST_POINTS}."
    corners = sum(len(feature.points) for feature in setup.terrain)
    if corners > ALL_POINTS:
        return f"The terrain has {corners} points; it may have {ALL_POINTS}."
    covered = sum(extent(feature.points) for feature in setup.terrain)
    if covered > MOST_GROUND * setup.table.width * setup.table.depth:
        return f"The terrain covers more than {MOST_GROUND:g} times the table."
    if len(setup.units) > MOST_UNITS:
        return f"There are {len(setup.units)} Units; there may be {MOST_UNITS}."
    teams = sum(len(unit.teams) for unit in setup.units.values())
    return f"There are {teams} Teams; there may be {MOST_TEAMS}." if teams > MOST_TEAMS else ""


def extent(points: list[tuple[float, float]]) -> float:
    """The area of the box round some points."""
    xs, ys = zip(*points, strict=True) if points else ((0.0,), (0.0,))
    return float((max(xs) - min(xs)) * (max(ys) - min(ys)))


def too_long(saved: Saved) -> str:
    for what, found, most in (
        ("answers", len(saved.entries), MOST_ANSWERS),
        ("standing answers", len(saved.standing), MOST_STANDING),
        ("notes", len(saved.notes), MOST_NOTES),
    ):
        if found > most:
            return f"There are {found} {what} in this file; there may be {most}."
    return ""


def odd_value(value: Any) -> str:
    """A text that is too long or cannot be printed, or a number beyond all measure, anywhere in a set-up."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            waiting += [*each.keys(), *each.values()]
        elif isinstance(each, list):
            waiting += each
        elif isinstance(each, str):
            if len(each) > LONGEST_TEXT:
                return f"A text in this file has {len(each)} characters; it may have {LONGEST_TEXT}."
            if not printable(each):
                return "A text in this file holds signs that cannot be printed."
        elif isinstance(each, int | float) and not abs(each) <= LARGEST_NUMBER:
            return f"A number in this file is beyond {LARGEST_NUMBER:g}."
    return ""


def printable(text: str) -> bool:
    """Whether a text is one of words: no NUL or other sign that databases and terminals stumble over."""
    return all(sign.isprintable() or sign in "\n\t" for sign in text)
