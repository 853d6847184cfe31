"""Turns: whose move it is, and what a player may choose (`turns`)."""

from sandtable.rulesets.hof.turn.turns import (
    HERO_DIE_SHOWN,
    IN_COMMAND,
    SPECIAL_CALLS,
    TURN_BEGINS,
    SpecialCall,
    idle,
    play,
)
