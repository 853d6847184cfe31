"""Firing: who may fire at what, the To Hit roll and what hits do, and fire in reaction to a move."""

from sandtable.rulesets.tr14.firing.fire_table import HALF_CIRCLE, read_order
from sandtable.rulesets.tr14.firing.odds import Fire, fire_odds, reaction_odds
from sandtable.rulesets.tr14.firing.orders import ask_fire, fire_at
from sandtable.rulesets.tr14.firing.reaction import reaction_fire
from sandtable.rulesets.tr14.firing.shooting import Outcome, fire_orders, volley
from sandtable.rulesets.tr14.firing.shots import Manner, Salvo
from sandtable.rulesets.tr14.firing.targets import (
    Target,
    aimed_at,
    gone_to_ground,
    may_go_to_ground,
    offer_to_ground,
    to_ground_rules,
)
