"""Assaults: how one goes (`assaults`), who is in `contact`, and `assault_checks`."""

from sandtable.rulesets.hof.assaults.odds import Blow, strike_odds
