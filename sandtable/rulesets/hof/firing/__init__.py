"""Firing, at foot and at `vehicles`: `fire_orders` name `targets` along `fire_lines` and roll Fire Dice.

Hits are dealt by `hit_allocation` and do what `hit_effects` says. `weapons` tells what a Team may fire with.
"""

from sandtable.rulesets.hof.firing.fire_lines import ARC, FireTable, all_round, enemies_of, kept_table, near_enemy
from sandtable.rulesets.hof.firing.fire_orders import CANNOT, MODIFIERS, WHEN_FIRED
from sandtable.rulesets.hof.firing.hit_effects import OUTRIGHT, VEHICLE_HIT, Outright
from sandtable.rulesets.hof.firing.vehicles import give_rfps, penetrate
from sandtable.rulesets.hof.firing.weapons import CLOSE_RANGE, CLOSE_ROF, farthest, is_flame, weapons_of
