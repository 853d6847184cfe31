"""Movement: rates, what terrain leaves of them, what a move may do, marches in linear order, and falling back."""

from sandtable.rulesets.sof.movement.fall_back import can_fall_back, forced_back
from sandtable.rulesets.sof.movement.law import STOPPED, How, MoveLaw
from sandtable.rulesets.sof.movement.moves import move
from sandtable.rulesets.sof.movement.rates import RATES, Manner, base_rate, rate_of

__all__ = [
    "RATES",
    "STOPPED",
    "How",
    "Manner",
    "MoveLaw",
    "base_rate",
    "can_fall_back",
    "forced_back",
    "move",
    "rate_of",
]
