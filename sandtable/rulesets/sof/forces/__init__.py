"""Battles that come with the game, and what may be wrong with a set-up."""

from sandtable.rulesets.sof.forces.set_ups import Scenario, problems, scenario, scenarios
