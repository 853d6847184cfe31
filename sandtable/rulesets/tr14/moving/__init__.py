"""Moving: what a Move allows, the ways that Teams take, and moves that may be proposed."""

from sandtable.rulesets.tr14.moving.courses import (
    TANK_CROSSES,
    Course,
    get_up,
    mark_moved,
    rolls_due,
    set_out,
    take_courses,
    untangle,
)
from sandtable.rulesets.tr14.moving.law import MoveLaw, heavy_gun, in_cohesion
from sandtable.rulesets.tr14.moving.moves import (
    ask_move,
    begin_move,
    courses_of,
    end_move,
    may_place_leader,
    place_leader,
)
