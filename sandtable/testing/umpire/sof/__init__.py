"""The second umpire of Storm of Fire, chapter by chapter as the rulebook has them.

`stock` knows what the data files say of weapons and ground, `table`, `lines` and `cover` measure, `log` remembers, and
every other module is a chapter of checks. A chapter that is imported here is on duty.

An event that no check is for he counts as "not judged"; there is none. He leaves open how several models share out an
obstacle between them in close combat. Where the program says that a unit finds no room or no way back he looks for a
plain one, over open ground: what is narrower than that he takes on trust.
"""

from sandtable.testing.umpire.sof import (
    accounts,
    acts,
    arriving,
    battle,
    before,
    effect,
    fights,
    leaders,
    log,
    morale,
    moving,
    recon,
    riders,
    searches,
    shooting,
    turn,
)
from sandtable.testing.umpire.sof.rulebook import book

__all__ = [
    "accounts",
    "acts",
    "arriving",
    "battle",
    "before",
    "book",
    "effect",
    "fights",
    "leaders",
    "log",
    "morale",
    "moving",
    "recon",
    "riders",
    "searches",
    "shooting",
    "turn",
]
