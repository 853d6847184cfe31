"""`hof`: Hail of Fire. Company-level battles of 1944-45: Order Points, Received Fire Points, and things unseen."""

from sandtable.engine.ruleset import Ruleset
from sandtable.rulesets.hof import forces, views
from sandtable.rulesets.hof.arsenal import Arsenal
from sandtable.rulesets.hof.board import prepare
from sandtable.rulesets.hof.display import DISPLAY
from sandtable.rulesets.hof.force_tools import TOOLS
from sandtable.rulesets.hof.options import HABITS, MUSTER, SWITCHES, switched
from sandtable.rulesets.hof.orders import play
from sandtable.rulesets.hof.randombattle import Charts
from sandtable.rulesets.hof.set_ups import problems
from sandtable.rulesets.hof.state import SIDES, Setup, State, begin
from sandtable.rulesets.hof.terrain import Kinds

RULESET = Ruleset(
    name="hof",
    title="Hail of Fire",
    version="1",
    seats=SIDES,
    setup_type=Setup,
    state_type=State,
    prepare=prepare,
    begin=begin,
    flow=play,
    view=views.view,
    imagine=views.imagine,
    result=views.result,
    turn=views.turn,
    worth=views.worth,
    summary=views.summary,
    scene=views.scene,
    scenarios=forces.SCENARIOS.names,
    scenario=forces.set_up,
    problems=problems,
    invariants=views.invariants,
    guards=views.guards,
    imagines=views.imagines,
    told=views.told,
    switches=SWITCHES,
    switched=switched,
    habits=HABITS,
    muster=MUSTER,
    forces=TOOLS,
    formats={
        "sandtable.hof.arsenal": Arsenal,
        "sandtable.hof.force": forces.Force,
        "sandtable.hof.random-table": Charts,
        "sandtable.hof.scenario": forces.Scenario,
        "sandtable.hof.terrain": Kinds,
    },
    display=DISPLAY,
)
