"""Shooting: who may fire at whom, the target's status, volume, accuracy, suppression and damage; grenades with it."""

from sandtable.rulesets.sof.shooting.beaten_zone import beaten_zones
from sandtable.rulesets.sof.shooting.fire import hit_the_dirt, shoot, targets, why_not_fire

__all__ = ["beaten_zones", "hit_the_dirt", "shoot", "targets", "why_not_fire"]
