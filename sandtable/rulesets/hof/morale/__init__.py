"""Morale: what the loss of Teams means for their Units and, by Break Points, for their force."""

from sandtable.rulesets.hof.morale.morale import (
    PRESENCES,
    WHEN_LOST,
    Presence,
    break_roll,
    end_battle,
    rout_test,
    verdict_on,
)
