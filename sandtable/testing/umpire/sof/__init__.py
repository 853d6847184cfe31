"""The second umpire of Storm of Fire, chapter by chapter as the rulebook has them.

`stock` knows what the data files say of weapons and ground, `table`, `lines` and `cover` measure, `log` remembers, and
every other module is a chapter of checks. A chapter that is imported here is on duty.

What he does not recompute he counts as "not judged". He leaves open: whether a unit for which the program found no
room had some, and whether a unit that was removed for want of a way back had one; salvoes beyond their own target; and
how several models share out an obstacle between them in close combat.
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
