"""Activation: a Team, or a leader and his Unit, in four steps (`activation`).

`participants` come along, and `order_menu` says what they may be told.
"""

from sandtable.rulesets.hof.activation.activation import (
    AT_END,
    BEFORE_ORDERS,
    INSTEAD_OF_ORDERS,
    activate,
    move_on,
    untroubled,
)
from sandtable.rulesets.hof.activation.order_menu import SPECIAL_ORDERS, SPLITS, SpecialOrder
from sandtable.rulesets.hof.activation.participants import (
    all_in_sight,
    begin,
    eligible,
    followers,
    in_sight,
    may_nominate,
    why_unfit,
)
