"""Assaults: the charge, close combat, and breaking off."""

from sandtable.rulesets.tr14.assaults.assaulting import assault
from sandtable.rulesets.tr14.assaults.odds import clash_odds, strike_odds
from sandtable.rulesets.tr14.assaults.reach import assault_targets, why_no_assault
