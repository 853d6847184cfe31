"""On to the battle: `zones`, `deployment`, `hidden` Teams and recon, `reserves` and `objectives`."""

from sandtable.rulesets.hof.battle.deployment import AFTER_OBJECTIVES, BEFORE_DEPLOYMENT, FROM_EDGE, OBJECTIVES
from sandtable.rulesets.hof.battle.zones import FROM_CENTRE, SET_DOWN
