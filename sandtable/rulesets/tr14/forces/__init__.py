"""Forces, scenarios and set-ups as data that a player can write. The forces lie beside this file."""

from sandtable.rulesets.tr14.forces.armies import MUSTER, load_scenario, scenario_names, set_up
from sandtable.rulesets.tr14.forces.set_ups import problems

__all__ = ["MUSTER", "load_scenario", "problems", "scenario_names", "set_up"]
