"""Moving: `move_orders`, Leaders among them, their `legality` and the `distance`.

`courses` are Teams under way and what they meet there; `proposals` ask where they go.
"""

from sandtable.rulesets.hof.moving.courses import (
    CHECK_FAILED,
    HAZARDS,
    INTERRUPTIONS,
    Course,
    Hazard,
    Interruption,
    course_of,
    leave_place,
    passed,
    untangle,
)
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
