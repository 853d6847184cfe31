"""`tr14`: Brandon Fraley's test rules of January 2014. Units, Training Checks, alternating Initiatives."""

from sandtable.engine.ruleset import Ruleset
from sandtable.rulesets.tr14.core.board import prepare
from sandtable.rulesets.tr14.core.state import SIDES, Setup, State, begin
from sandtable.rulesets.tr14.forces import armies
from sandtable.rulesets.tr14.forces.set_ups import problems
from sandtable.rulesets.tr14.page import views
from sandtable.rulesets.tr14.page.display import DISPLAY
from sandtable.rulesets.tr14.playing import play

RULESET = Ruleset(
    name="tr14",
    title="Test rules 2014",
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
    scenarios=armies.scenario_names,
    scenario=armies.set_up,
    problems=problems,
    invariants=views.invariants,
    guards=views.guards,
    muster=armies.MUSTER,
    display=DISPLAY,
)
