"""Activation: a Team, or a leader and his Unit, in four steps (`activation`).

`participants` come along, `order_menu` says what they may be told, `special_orders` what optional rules add to it.
"""
