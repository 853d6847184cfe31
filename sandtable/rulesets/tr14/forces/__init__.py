"""Forces, scenarios and set-ups as data that a player can write. The forces lie beside this file."""

from sandtable.rulesets.tr14.forces.armies import SCENARIOS
