"""`tr14`: Brandon Fraley's test rules of January 2014. Units, Training Checks, alternating Initiatives."""

from sandtable.engine.ruleset import Ruleset
from sandtable.rulesets.tr14 import forces, views
from sandtable.rulesets.tr14.arsenal import Arsenal
from sandtable.rulesets.tr14.board import prepare
from sandtable.rulesets.tr14.display import DISPLAY
from sandtable.rulesets.tr14.force_tools import TOOLS
from sandtable.rulesets.tr14.playing import play
from sandtable.rulesets.tr14.set_ups import problems
from sandtable.rulesets.tr14.state import SIDES, Setup, State, begin
from sandtable.rulesets.tr14.terrain import Kinds

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
    scenarios=forces.SCENARIOS.names,
    scenario=forces.set_up,
    problems=problems,
    invariants=views.invariants,
    guards=views.guards,
    muster=forces.MUSTER,
    forces=TOOLS,
    formats={
        "sandtable.tr14.arsenal": Arsenal,
        "sandtable.tr14.force": forces.Force,
        "sandtable.tr14.scenario": forces.Scenario,
        "sandtable.tr14.terrain": Kinds,
    },
    display=DISPLAY,
)
