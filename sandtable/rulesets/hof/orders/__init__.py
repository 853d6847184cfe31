"""Orders: `order_dice` make Order Points, which are spent like Hero Points (`points`). The turn itself is in `turn`."""

from sandtable.rulesets.hof.orders.order_dice import EXTRA_POINTS, roll_order_dice
from sandtable.rulesets.hof.orders.points import (
    HERO_POINT,
    ORDER_POINT,
    choose_payment,
    choose_payment_for_unit,
    renew_hero_points,
    roll_hero_points,
    spend_hero_point,
    spend_order_point,
    used_up,
)
