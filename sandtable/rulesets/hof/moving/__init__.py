"""Moving: `move_orders` and `leader_moves`, their `legality`, the `distance`, and what is met `on_the_way`.

`courses` are Teams under way; `proposals` ask where they go.
"""

from sandtable.rulesets.hof.moving.courses import Course, course_of, leave_place, passed, untangle
from sandtable.rulesets.hof.moving.distance import DROPPED_DICE
from sandtable.rulesets.hof.moving.legality import (
    ASSAULT_FROM,
    BARS,
    MOST_ON_ONE,
    MoveLaw,
    end_facing,
    immovable,
    most_inches,
    reach,
)
from sandtable.rulesets.hof.moving.on_the_way import CHECK_FAILED, HAZARDS, INTERRUPTIONS, Hazard, Interruption

__all__ = [
    "ASSAULT_FROM",
    "BARS",
    "CHECK_FAILED",
    "DROPPED_DICE",
    "HAZARDS",
    "INTERRUPTIONS",
    "MOST_ON_ONE",
    "Course",
    "Hazard",
    "Interruption",
    "MoveLaw",
    "course_of",
    "end_facing",
    "immovable",
    "leave_place",
    "most_inches",
    "passed",
    "reach",
    "untangle",
]
