"""Firing, at foot and at `vehicles`: `fire_orders` are given along `fire_lines` and roll `fire_dice`.

Hits are dealt by `hit_allocation` and do what `hit_effects` says. `weapons` tells what a Team may fire with, `why_not`
why it may not.
"""
