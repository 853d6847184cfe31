"""Optional rules: each is a switch of a set-up (`core.state.Options`), and joins the steps of the game that it changes.

What a set-up can say, or a Team can be, stands in `core`; what an optional rule does stands here. A few are so much
part of a step that it names them: Riders, who share the fate of their tank, and trenches and obstacles as terrain.
"""

from sandtable.rulesets.hof.activation import AT_END, BEFORE_ORDERS, INSTEAD_OF_ORDERS, SPECIAL_ORDERS, SpecialOrder
from sandtable.rulesets.hof.battle import AFTER_OBJECTIVES, BEFORE_DEPLOYMENT, SET_DOWN
from sandtable.rulesets.hof.firing import MODIFIERS, OUTRIGHT, VEHICLE_HIT, WHEN_FIRED, Outright
from sandtable.rulesets.hof.morale import PRESENCES, Presence
from sandtable.rulesets.hof.moving import BARS, CHECK_FAILED, DROPPED_DICE, HAZARDS, INTERRUPTIONS, Interruption
from sandtable.rulesets.hof.optional import (
    air,
    bombardment,
    commander,
    direct_smoke,
    engineers,
    expanded_recon,
    fieldworks,
    flame,
    form_on_me,
    fortifications,
    interruption,
    obstacles,
    riders,
    snipers,
    terrain_expansion,
)
from sandtable.rulesets.hof.rfp_rally import COVERS, MARKS
from sandtable.rulesets.hof.terrain import CONCEALERS, Concealer
from sandtable.rulesets.hof.turn import HERO_DIE_SHOWN, IN_COMMAND, TURN_BEGINS

# Before the battle.
AFTER_OBJECTIVES.join(fieldworks.lay)
BEFORE_DEPLOYMENT.join(bombardment.markers)
SET_DOWN.join(bombardment.on_set_down)

# A turn.
TURN_BEGINS.join(commander.renew_point)
HERO_DIE_SHOWN.join(air.hero_die_shown)
IN_COMMAND.join(commander.activate)

# An activation.
INSTEAD_OF_ORDERS.join(form_on_me.instead_of_orders)
BEFORE_ORDERS.join(expanded_recon.eyes_on)
AT_END.join(snipers.overrun, engineers.after_activation)
SPECIAL_ORDERS.join(
    SpecialOrder("smoke", direct_smoke, {"smoke": ("fires smoke", "fire smoke")}, with_fire=True),
    SpecialOrder("obstacles", obstacles, {"clear": ("clears the way", "clear the way")}),
    SpecialOrder("engineers", engineers, engineers.DOES),
    SpecialOrder("terrain", terrain_expansion, {"unbog": ("digs itself out", "dig themselves out")}),
    SpecialOrder("snipers", snipers, {"snipe": ("takes aim", "take aim"), "displace": ("slips away", "slip away")}),
)

# Moving.
BARS.join(terrain_expansion.refuse_infantry, obstacles.refuse)
DROPPED_DICE.join(terrain_expansion.dropped_dice)
HAZARDS.join(obstacles.on_the_way)
INTERRUPTIONS.join(Interruption(interruption.interrupt, interruption.lapse, interruption.fire))
CHECK_FAILED.join(terrain_expansion.bog_down)

# Firing, and what it does.
CONCEALERS.join(Concealer(fortifications.WORKS, ("bunker",), fortifications.conceal, fortifications.why))
MODIFIERS["bunker"] = fortifications.BUNKER_IS_HARD
WHEN_FIRED.join(flame.when_fired)
VEHICLE_HIT.join(riders.tank_hit)
OUTRIGHT.join(Outright(fortifications.bust_dice, fortifications.busted))
COVERS.join(fortifications.entrenched)
MARKS.join(snipers.resolve)

# Morale.
PRESENCES.join(Presence(commander.beside, commander.stake, commander.flee))
