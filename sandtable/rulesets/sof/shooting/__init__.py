"""Shooting: who may fire at whom, the target's status, volume, accuracy, suppression and damage; grenades with it."""

from sandtable.rulesets.sof.shooting.beaten_zone import beaten_zones, silenced
from sandtable.rulesets.sof.shooting.charges import use_charges, why_no_charges
from sandtable.rulesets.sof.shooting.closing import closing_volley
from sandtable.rulesets.sof.shooting.effect import resolve
from sandtable.rulesets.sof.shooting.fire import armed, hit_the_dirt, may_react, shoot, weapon_proposals, why_not_fire
from sandtable.rulesets.sof.shooting.firers import DIRECT, FIXED_ARC, LINEAR_ARC, firers
from sandtable.rulesets.sof.shooting.odds import Fire, Harm, fire_odds
from sandtable.rulesets.sof.shooting.status import status_of
from sandtable.rulesets.sof.shooting.volume import Volley
