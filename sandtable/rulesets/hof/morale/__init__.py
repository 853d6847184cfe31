"""Morale: what the loss of Teams means for their Units (`morale`) and, by `break_points`, for their force."""

from sandtable.rulesets.hof.morale.break_points import break_roll, end_battle, rout_test
from sandtable.rulesets.hof.morale.morale import PRESENCES, WHEN_LOST, Presence
