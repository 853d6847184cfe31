"""The second umpire of Storm of Fire, chapter by chapter as the rulebook has them.

`stock` knows what the data files say of weapons and ground, `table`, `lines` and `cover` measure, `log` remembers, and
every other module is a chapter of checks. A chapter that is imported here is on duty.
"""

from sandtable.testing.umpire.sof import (
    accounts,
    acts,
    battle,
    effect,
    fights,
    leaders,
    log,
    morale,
    moving,
    shooting,
    turn,
)
from sandtable.testing.umpire.sof.rulebook import book

__all__ = [
    "accounts",
    "acts",
    "battle",
    "book",
    "effect",
    "fights",
    "leaders",
    "log",
    "morale",
    "moving",
    "shooting",
    "turn",
]
