"""`sof`: Storm of Fire, platoons of the Great War. Single figures, activation dice by phase, formations.

A chapter of the rules is a module or a folder, and its name is the second word of its rules' ids. To read them as a
player does, begin with `turn`. The charts and the ground are in `core`. `later.toml` names what comes later.
"""

from sandtable.engine.ruleset import Ruleset
from sandtable.rulesets.sof.core.arsenal import Charts
from sandtable.rulesets.sof.core.board import prepare
from sandtable.rulesets.sof.core.measure import spoken
from sandtable.rulesets.sof.core.state import Setup, State, begin
from sandtable.rulesets.sof.core.terrain import Kinds
from sandtable.rulesets.sof.forces import (
    LESSONS,
    MUSTER,
    TOOLS,
    Book,
    Force,
    GuidedBattle,
    Scenario,
    faults,
    scenario,
    scenarios,
)
from sandtable.rulesets.sof.missions import Missions
from sandtable.rulesets.sof.page import DISPLAY, PAGE, WORTH, invariants, scene, score, summary, view
from sandtable.rulesets.sof.turn import play

CHAPTERS = (
    "kernels",
    "core",
    "units",
    "formations",
    "leadership",
    "losses",
    "movement",
    "morale",
    "triage",
    "shooting",
    "close_combat",
    "actions",
    "missions",
    "turn",
    "forces",
    "page",
)
"""From the ground up: a chapter knows those before it and none after."""

RULESET = Ruleset(
    name="sof",
    title="Storm of Fire",
    setup_type=Setup,
    state_type=State,
    prepare=prepare,
    begin=begin,
    flow=play,
    view=view,
    turn=lambda state: min(state.turn, state.turns),
    spoken=spoken,
    score=score,
    worth=WORTH,
    summary=summary,
    scene=scene,
    scenarios=scenarios,
    scenario=scenario,
    faults=faults,
    **PAGE.of_ruleset(Book, Force, GuidedBattle, Missions, Scenario, Kinds, Charts),
    invariants=invariants,
    muster=MUSTER,
    forces=TOOLS,
    lessons=LESSONS,
    display=DISPLAY,
)
