"""Building `forces`, their `parity`, `scenarios`, and the random battle. The forces themselves lie beside the code."""

from sandtable.rulesets.hof.forces.force_tools import TOOLS
from sandtable.rulesets.hof.forces.forces import Force
from sandtable.rulesets.hof.forces.lessons import LESSONS, GuidedBattle
from sandtable.rulesets.hof.forces.random_battle import Charts
from sandtable.rulesets.hof.forces.scenarios import MUSTER
