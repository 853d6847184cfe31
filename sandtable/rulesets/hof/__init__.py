"""`hof`: Hail of Fire. Company-level battles of 1944-45: Order Points, Received Fire Points, and things unseen."""

from sandtable.engine.ruleset import Ruleset
from sandtable.field.page_rooms import seen_by

# Loaded so that they join the steps that they change.
from sandtable.rulesets.hof import national, optional
from sandtable.rulesets.hof.core.arsenal import Arsenal
from sandtable.rulesets.hof.core.ground import prepare
from sandtable.rulesets.hof.core.set_ups import faults
from sandtable.rulesets.hof.core.state import Setup, State, begin
from sandtable.rulesets.hof.core.terrain import Kinds
from sandtable.rulesets.hof.forces import LESSONS, MUSTER, TOOLS, Charts, Force, GuidedBattle, scenarios
from sandtable.rulesets.hof.page import DISPLAY, PAGE, WORTH, views
from sandtable.rulesets.hof.turn import play

CHAPTERS = (
    "kernels",
    "core",
    "orders",
    "terrain",
    "morale",
    "rfp_rally",
    "leaders",
    "moving",
    "firing",
    "assaults",
    "transports",
    "activation",
    "battle",
    "artillery",
    "turn",
    "optional",
    "national",
    "forces",
    "page",
)
"""From the bottom up: a chapter knows those before it. Optional rules and national characteristics join its steps."""

RULESET = Ruleset(
    name="hof",
    title="Hail of Fire",
    setup_type=Setup,
    state_type=State,
    prepare=prepare,
    begin=begin,
    flow=play,
    **seen_by(views),
    imagine=views.imagine,
    imagines=views.imagines,
    told=views.told,
    worth=WORTH,
    scenarios=scenarios.SCENARIOS.names,
    scenario=scenarios.set_up,
    faults=faults,
    **PAGE.of_ruleset(Arsenal, Force, GuidedBattle, Charts, scenarios.Scenario, Kinds),
    muster=MUSTER,
    forces=TOOLS,
    lessons=LESSONS,
    display=DISPLAY,
)
