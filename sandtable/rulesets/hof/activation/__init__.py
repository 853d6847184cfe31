"""Activation: a Team, or a leader and his Unit, in four steps (`activation`).

`participants` come along, `order_menu` says what they may be told, `special_orders` what optional rules add to it.
"""

from sandtable.rulesets.hof.activation.activation import AT_END, BEFORE_ORDERS, INSTEAD_OF_ORDERS, activate, move_on
from sandtable.rulesets.hof.activation.order_menu import SPLITS
from sandtable.rulesets.hof.activation.participants import (
    all_in_sight,
    begin,
    eligible,
    followers,
    in_sight,
    may_nominate,
    why_unfit,
)
from sandtable.rulesets.hof.activation.special_orders import SPECIAL_ORDERS, SpecialOrder

__all__ = [
    "AT_END",
    "BEFORE_ORDERS",
    "INSTEAD_OF_ORDERS",
    "SPECIAL_ORDERS",
    "SPLITS",
    "SpecialOrder",
    "activate",
    "all_in_sight",
    "begin",
    "eligible",
    "followers",
    "in_sight",
    "may_nominate",
    "move_on",
    "why_unfit",
]
