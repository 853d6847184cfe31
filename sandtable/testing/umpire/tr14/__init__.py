"""The second umpire of `tr14`, written from the source text and our readings of it, chapter by chapter.

It knows three answers: yes, no, and too close to call. It objects only where the game says yes to a plain no, or no to
a plain yes; so a hair's breadth of rounding never counts as a fault, and everything beyond it does.
"""

from sandtable.testing.umpire.tr14 import (
    assaults,
    battle,
    charges,
    firing,
    indirect,
    leaders,
    moving,
    playing,
    saves,
    suppression,
)
from sandtable.testing.umpire.tr14.rulebook import book

__all__ = [
    "assaults",
    "battle",
    "book",
    "charges",
    "firing",
    "indirect",
    "leaders",
    "moving",
    "playing",
    "saves",
    "suppression",
]
