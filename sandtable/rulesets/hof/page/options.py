"""What players agree on or leave said: the optional rules as switches, and the standing answers of this game."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.engine.ruleset import Habit, Muster, Switch
from sandtable.engine.standing import Condition
from sandtable.field import scenarios
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
          "pay", "order", (Condition("payable", "==", True),), usual=True, title="Pay"),
    Habit("all-move", "Move the whole Unit when nobody in it could do anything else.",
          "orders", None, (Condition("only_move", "==", True),), usual=True, proposed=True, title="Order"),
    Habit("leader-stays", "Leaders stay with their men who fire.",
          "leader-move", None, (Condition("led", "==", True),), usual=True, proposed=True, title="Leader"),
    Habit("commander-with", "The Company Commander acts with the nearest Platoon Leader who can.",
          "commander", None, usual=True, proposed=True, title="With him"),
    Habit("fire-first", "Of two orders, Fire comes before Move.",
          "sequence", None, usual=True, proposed=True, title="First"),
    Habit("ambushers-wait", "End the turn when no points are left; hidden Teams wait.",
          "activate", "end", (Condition("order_points", "==", 0), Condition("hero_points", "==", 0)),
          usual=True, title="Hidden Teams"),
    Habit("no-form-on-me", "Give Move and Fire orders; Form On Me is not called.",
          "form-on-me", "no", usual=True, title="Form On Me"),
    Habit("direct-fire", "A Leader directs the fire of a Team beside him.",
          "direct-fire", None, usual=True, proposed=True, title="Leader"),
    Habit("move-up", "A Leader brings up a Team that falls short beside him.",
          "move-up", None, usual=True, proposed=True, title="Leader"),
    Habit("weapons", "Every Team fires the weapon that promises most at full rate.",
          "weapons", None, usual=True, proposed=True, title="Weapons"),
    Habit("vulnerable-first", "Demand that the less protected enemies are hit first.",
          "vulnerable-first", "yes", usual=True, title="Hits"),
    Habit("equal-hits", "Which of your equal Teams takes a hit does not matter to you.",
          "allocate", None, (Condition("alike", "==", True),), usual=True, proposed=True, title="Hits"),
    Habit("hits-as-proposed", "Your Teams take hits as proposed, the best protected first.",
          "allocate", None, proposed=True, title="Hits"),
)  # fmt: skip
"""The chance to react comes after every enemy activation: without a habit it would be forty questions a battle. What a
careful player would answer nearly always is usual; it stands on the order's card and can be changed there.
"""


def switched(name: str, chosen: frozenset[str]) -> Setup:
    """The set-up of a scenario with just these optional rules."""
    return set_up(name, options=Options(**{switch.id: switch.id in chosen for switch in SWITCHES}))


def mustered(name: str, own: Mapping[str, str], chosen: frozenset[str] | None) -> Setup:
    """The set-up of a scenario with other forces for some sides, and with just these optional rules."""
    options = None if chosen is None else Options(**{switch.id: switch.id in chosen for switch in SWITCHES})
    # Whoever names the scenario's own force means the scenario as it is, with its handicap.
    others = {side: force for side, force in own.items() if force != usual_forces(name).get(side)}
    return set_up(name, red=others.get("red"), blue=others.get("blue"), options=options)


def usual_forces(scenario: str) -> dict[str, str]:
    """A table laid by chance chooses its forces itself."""
    return {} if scenario.startswith(RANDOM) else scenarios.usual_forces(SCENARIOS, scenario)


MUSTER = Muster(lambda: scenarios.armies(FORCES), usual_forces, mustered)
