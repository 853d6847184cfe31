"""Missions: the briefing, what comes before the first turn, reserves and ambushes, and who has won."""

from sandtable.rulesets.sof.actions import EFFECTS
from sandtable.rulesets.sof.missions.ambush import in_wait, spring, walked_into
from sandtable.rulesets.sof.missions.briefing import Missions, mission_of, missions, planned
from sandtable.rulesets.sof.missions.objectives import BY_AN_OBJECTIVE, controls, held, judged, won_at_once
from sandtable.rulesets.sof.missions.recon import bought, exchange
from sandtable.rulesets.sof.missions.reserves import (
    HURRY,
    enter,
    may_enter,
    reinforcements,
    return_unused,
    why_not_enter,
)
from sandtable.rulesets.sof.missions.set_up import set_up
from sandtable.rulesets.sof.movement import ON_THE_WAY

ON_THE_WAY.join(in_wait)

EFFECTS.join(HURRY)
