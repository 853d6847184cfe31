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
INSTEAD_OF_ORDERS.join(form_on_me.declare)
BEFORE_ORDERS.join(expanded_recon.eyes_on)
AT_END.join(snipers.overrun, engineers.after_activation)
SPECIAL_ORDERS.join(
    SpecialOrder(
        "smoke",
        {"smoke": ("fires smoke", "fire smoke")},
        direct_smoke.options,
        direct_smoke.proposable,
        direct_smoke.declare,
        direct_smoke.carry_out,
        with_fire=True,
    ),
    SpecialOrder(
        "obstacles",
        {"clear": ("clears the way", "clear the way")},
        obstacles.options,
        obstacles.proposable,
        obstacles.declare,
        obstacles.carry_out,
    ),
    SpecialOrder(
        "engineers",
        {
            "charge": ("places a charge", "place charges"),
            "detonate": ("sets its charge off", "set their charges off"),
        },
        engineers.options,
        engineers.proposable,
        engineers.declare,
        engineers.carry_out,
    ),
    SpecialOrder(
        "terrain",
        {"unbog": ("digs itself out", "dig themselves out")},
        terrain_expansion.options,
        terrain_expansion.proposable,
        terrain_expansion.declare,
        terrain_expansion.carry_out,
    ),
    SpecialOrder(
        "snipers",
        {"snipe": ("takes aim", "take aim"), "displace": ("slips away", "slip away")},
        snipers.options,
        snipers.proposable,
        snipers.declare,
        snipers.carry_out,
    ),
    SpecialOrder(
        "form_on_me",
        {"form": ("forms up", "form up")},
        form_on_me.options,
        form_on_me.proposable,
        form_on_me.declared,
        form_on_me.carry_out,
    ),
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
