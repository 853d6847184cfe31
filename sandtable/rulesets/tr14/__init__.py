"""`tr14`: Brandon Fraley's test rules of January 2014. Units, Training Checks, alternating Initiatives.

A chapter of the rules is a module or a folder, and its name is the second word of its rules' ids. To read them as a
player does, begin with `playing`. The arsenal and the ground are in `core`.
"""

from sandtable.engine.ruleset import Ruleset
from sandtable.field.page_rooms import seen_by
from sandtable.rulesets.tr14.core.arsenal import Arsenal
from sandtable.rulesets.tr14.core.board import prepare
from sandtable.rulesets.tr14.core.state import Setup, State, begin
from sandtable.rulesets.tr14.core.terrain import Kinds
from sandtable.rulesets.tr14.forces import armies, lessons, set_ups
from sandtable.rulesets.tr14.page import DISPLAY, PAGE, WORTH, views
from sandtable.rulesets.tr14.playing import play

CHAPTERS = (
    "kernels",
    "core",
    "leaders",
    "suppression",
    "moving",
    "saves",
    "fates",
    "firing",
    "indirect",
    "assaults",
    "battle",
    "playing",
    "forces",
    "page",
)
"""From the ground up: a chapter knows those before it and none after."""

RULESET = Ruleset(
    name="tr14",
    title="Test rules 2014",
    setup_type=Setup,
    state_type=State,
    prepare=prepare,
    begin=begin,
    flow=play,
    **seen_by(views),
    worth=WORTH,
    scenarios=armies.SCENARIOS.names,
    scenario=armies.set_up,
    faults=set_ups.faults,
    **PAGE.of_ruleset(Arsenal, armies.Force, lessons.GuidedBattle, armies.Scenario, Kinds),
    muster=armies.MUSTER,
    forces=armies.TOOLS,
    lessons=lessons.LESSONS,
    display=DISPLAY,
)
