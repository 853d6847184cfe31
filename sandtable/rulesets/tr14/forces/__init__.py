"""Forces, scenarios and set-ups as data that a player can write. The forces lie beside this file."""

from sandtable.rulesets.tr14.forces.armies import MUSTER, SCENARIOS, TOOLS, Force, Scenario, set_up
from sandtable.rulesets.tr14.forces.lessons import LESSONS, GuidedBattle
from sandtable.rulesets.tr14.forces.set_ups import problems
