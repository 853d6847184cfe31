"""Forces, points, battles and set-ups as data that a player can write. The forces lie beside this file."""

from sandtable.rulesets.sof.forces.armies import Force
from sandtable.rulesets.sof.forces.books import Book
from sandtable.rulesets.sof.forces.lessons import LESSONS, GuidedBattle
from sandtable.rulesets.sof.forces.scenarios import MUSTER, SCENARIOS, Scenario, scenario, scenarios
from sandtable.rulesets.sof.forces.set_ups import faults
from sandtable.rulesets.sof.forces.tools import TOOLS
