"""The second umpire of Storm of Fire, chapter by chapter as the rulebook has them.

`stock` knows what the data files say of weapons and ground, `table`, `lines` and `cover` measure, `log` remembers, and
every other module is a chapter of checks. A chapter that is imported here is on duty.

What he does not recompute he counts as "not judged". Thin are: all that comes before the first turn (deployment,
reserves, recon, Scout Moves, ambushes); dice and re-rolls bought with recon points; salvoes beyond their own target;
marches of a march column along a road; mounting and dismounting; tall obstacles' Agility and limits; whether a unit
that was removed for want of a way back had one; and how several models share out an obstacle between them.
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
