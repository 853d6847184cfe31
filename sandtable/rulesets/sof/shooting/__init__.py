"""Shooting: who may fire at whom, the target's status, volume, accuracy, suppression and damage; grenades with it."""

from sandtable.rulesets.sof.shooting.beaten_zone import beaten_zones
from sandtable.rulesets.sof.shooting.closing import closing_volley
from sandtable.rulesets.sof.shooting.effect import resolve
from sandtable.rulesets.sof.shooting.fire import hit_the_dirt, shoot, why_not_fire
from sandtable.rulesets.sof.shooting.status import status_of
