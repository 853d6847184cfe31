"""What players agree on or leave said: the optional rules as switches, and the standing answers of this game."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.engine.ruleset import Army, Habit, Muster, Switch
from sandtable.engine.standing import Condition
from sandtable.rulesets.hof.core.state import Options, Setup
from sandtable.rulesets.hof.forces import FORCES, RANDOM, SCENARIOS, set_up

SWITCHES: tuple[Switch, ...] = (
    Switch("national", "National characteristics", "Each nation has strengths of its own.",
           ("hof.national.de-tactical-initiative",), club=True),
    Switch("follow_the_leader", "Follow the leader", "With national characteristics: Soviet Units do not split orders.",
           ("hof.national.su-follow-the-leader",), club=True),
    Switch("commander", "Company Commander", "A commander who brings a platoon along and gives a Hero Point a turn.",
           ("hof.optional.cc-unit",), club=True),
    Switch("smoke", "Direct fire smoke", "Teams with smoke rounds may fire one at an enemy Team.",
           ("hof.optional.smoke-instead-of-fire",), club=True),
    Switch("form_on_me", "Form On Me", "A leader who stays put may call in Teams that he cannot see.",
           ("hof.optional.form-on-me",), club=True),
    Switch("recon", "Expanded reconnaissance", "Forward deployment for the Defender, and spotting for all.",
           ("hof.optional.recon-spot",), club=True),
    Switch("engineers", "Engineers", "Demolition charges, and a better chance against Vehicles.",
           ("hof.optional.demolition-place",), club=True),
    Switch("flame", "Flame-throwers", "One shot at short range that spares nobody.",
           ("hof.optional.flame-fire",), club=True),
    Switch("fortifications", "Fortifications", "Bunkers and trenches.",
           ("hof.optional.bunker-unit", "hof.optional.trench-cover"), club=True),
    Switch("obstacles", "Obstacles", "Anti-tank obstacles, minefields and wire, and how they are cleared.",
           ("hof.optional.obstacle-set",), club=True),
    Switch("riders", "Tank Riders", "Infantry on the backs of tanks.",
           ("hof.optional.riders-mounted",)),
    Switch("snipers", "Snipers", "A hidden marksman who keeps a platoon's heads down.",
           ("hof.optional.sniper-fire",)),
    Switch("air", "Air support", "Aircraft come when the Hero Die shows 1; guns may drive them off.",
           ("hof.optional.air-trigger",)),
    Switch("bombardment", "Preliminary bombardment", "Artillery marks the ground before anybody deploys.",
           ("hof.optional.bombardment-markers",)),
    Switch("interruption", "Hero Point interruption", "A Hero Point fires at a Vehicle in the midst of its move.",
           ("hof.optional.interrupt-fire",)),
    Switch("terrain", "Terrain movement expansion", "Rough ground slows Vehicles, and bogs them down.",
           ("hof.optional.terrain-x-difficult",)),
    Switch("hidden_break_points", "Hidden Break Points", "Nobody knows how near a force is to breaking.",
           ("hof.battle.break-roll",)),
    Switch("gun_or_mgs", "Main gun or machine guns", "Vehicles whose arsenal says so fire one or the other, not both.",
           ("hof.firing.main-gun-or-mgs",), core=True),
)  # fmt: skip

HABITS: tuple[Habit, ...] = (
    Habit("react-if-fired-on", "React to the enemy only when a Unit of yours has been fired on.",
          "react", "pass", (Condition("fired_on", "==", False),), usual=True),
    Habit("react-never", "Never react in the enemy's turn.", "react", "pass"),
    Habit("react-if-near", "React only when fired on, or when the enemy has come within 16 inches.",
          "react", "pass", (Condition("fired_on", "==", False), Condition("enemy_near", ">=", 16.0))),
    Habit("orders-first", "Pay with an Order Point whenever one is left.",
          "pay", "order", (Condition("payable", "==", True),), usual=True),
)  # fmt: skip
"""The chance to react comes after every enemy activation: without a habit it would be forty questions a battle."""


def switched(name: str, chosen: frozenset[str]) -> Setup:
    """The set-up of a scenario with just these optional rules."""
    return set_up(name, options=Options(**{switch.id: switch.id in chosen for switch in SWITCHES}))


def mustered(name: str, own: Mapping[str, str], chosen: frozenset[str] | None) -> Setup:
    """The set-up of a scenario with other forces for some sides, and with just these optional rules."""
    options = None if chosen is None else Options(**{switch.id: switch.id in chosen for switch in SWITCHES})
    # Whoever names the scenario's own force means the scenario as it is, with its handicap.
    others = {side: force for side, force in own.items() if force != usual_forces(name).get(side)}
    return set_up(name, red=others.get("red"), blue=others.get("blue"), options=options)


def armies() -> list[Army]:
    return [Army(name, FORCES.load(name).title) for name in FORCES.names()]


def usual_forces(scenario: str) -> dict[str, str]:
    """A table laid by chance chooses its forces itself."""
    if scenario.startswith(RANDOM):
        return {}
    return {str(side): name for side, name in SCENARIOS.load(scenario).forces.items()}


MUSTER = Muster(armies, usual_forces, mustered)
