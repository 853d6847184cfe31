"""Movement: rates, what terrain leaves of them, what a move may do, marches in linear order, and falling back."""

from sandtable.rulesets.sof.movement.fall_back import (
    can_fall_back,
    forced_back,
    must_lead_away,
    not_that_way,
    paths_of_shift,
    to_edge,
    ways_back,
)
from sandtable.rulesets.sof.movement.law import IN_PHASE_ZERO, STOPPED, How, MoveLaw, courses_of
from sandtable.rulesets.sof.movement.moves import (
    ON_THE_WAY,
    Gone,
    Meeting,
    advance,
    agility,
    comes_into,
    look,
    move,
    take,
)
from sandtable.rulesets.sof.movement.rates import (
    RATE_RULES,
    RATES,
    Allowance,
    Manner,
    adjustments,
    allowance,
    base_rate,
    rate_of,
)
