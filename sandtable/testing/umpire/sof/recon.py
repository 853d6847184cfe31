"""Recon: the points of each force, what they are exchanged for, and what that does."""

from __future__ import annotations

import math
from typing import Any

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.sof.before import bad_ground, briefing, core_of
from sandtable.testing.umpire.sof.log import answer, course
from sandtable.testing.umpire.sof.rulebook import book
from sandtable.testing.umpire.sof.table import HAIR, enemy, figures

COSTS = {
    "additional-ambush": 5,
    "delay-reserves": 3,
    "scout-move": 3,
    "reroll": 1,
    "activation-die": 3,
    "redeploy-objective": 6,
    "trigger-ambush": 5,
}
LATE = 2
OBJECTIVE_MOVES = 3.0
DICE_TURNS = 2


@book.on("recon-points")
def recon_points_are_totalled(watch: Watch, event: Event) -> None:
    """Those of the core battlegroup's command unit and of single units; the better force adds 1, or 2 if three times
    better."""
    watch.count("recon totals")
    state, side = watch.state, event.seat
    totals = {
        each: core_of(state, each).recon + sum(unit.recon for unit in state.units.values() if unit.side == each)
        for each in ("red", "blue")
    }
    mine, theirs = totals[side], totals[enemy(side)]
    more = 0 if mine <= theirs else 2 if mine >= 3 * theirs else 1
    if event.data["own"] != mine or event.data["points"] != mine + more or state.recon.get(side, 0) != mine + more:
        rule = "sof.recon.bonus-triple" if more == 2 else "sof.recon.bonus-higher" if more else "sof.recon.points"
        watch.object_to(rule, f"{side} has {event.data['points']} recon points, and not {mine} and {more}")
    watch.memory["sof.recon"] = {**watch.memory.get("sof.recon", {}), side: mine + more}


def left(watch: Watch, side: str) -> int:
    """How many points a side has left, by the umpire's own account."""
    kept: dict[str, int] = watch.memory.setdefault("sof.recon", {})
    if side not in kept:
        kept[side] = int(watch.earlier.recon.get(side, 0))
    return kept[side]


def pay(watch: Watch, side: str, points: int, rule: str) -> None:
    have = left(watch, side)
    watch.memory["sof.recon"][side] = have - points
    if have < points or watch.state.recon.get(side, 0) != have - points:
        watch.object_to(rule, f"{side} spends {points} of {have} recon points and has {watch.state.recon.get(side, 0)}")


@book.on("deploys-late")
def units_will_deploy_late(watch: Watch, event: Event) -> None:
    watch.count("units deployed late", len(event.data["units"]))
    rule, side = "sof.recon.scout-enemy-position", event.seat
    pay(watch, side, LATE * len(event.data["units"]), rule)
    for name in event.data["units"]:
        unit = watch.state.units[name]
        if unit.side != side or unit.reserve or figures(unit) or not unit.late:
            watch.object_to(rule, f"{name} may not deploy late")
    if side != watch.state.attacker and any(told.kind == "deployed" for told in watch.told):
        watch.object_to(rule, "it is chosen after deployment has begun")


@book.on("recon")
def an_advantage_is_bought(watch: Watch, event: Event) -> None:
    watch.count(f"advantages: {event.data['advantage']}")
    kept, state, side = course(watch), watch.earlier, event.seat
    name, rules = event.data["advantage"], briefing(watch)
    watch.memory.pop("sof.recon unit", None)
    rule = f"sof.recon.{name}"
    if name not in COSTS or event.data["points"] != COSTS[name]:
        watch.object_to(rule, f"{name} costs {event.data['points']}")
    pay(watch, side, COSTS.get(name, 0), rule)
    if kept.turn != 1 or kept.stage != "turn":
        watch.object_to("sof.recon.exchange", f"{side} buys {name} in turn {kept.turn}, after {kept.stage}")
    if side == state.attacker and watch.memory.get("sof.defender bought"):
        watch.object_to("sof.recon.exchange", "the attacker buys after the defender")
    watch.memory["sof.defender bought"] = side != state.attacker
    had = list(state.advantages.get(side, []))
    if list(watch.state.advantages.get(side, [])) != [*had, name]:
        watch.object_to(rule, f"{side} has {watch.state.advantages.get(side)} after buying {name}")
    if name == "reroll" and (name in had or side in state.rerolls):
        watch.object_to(rule, f"{side} buys a second re-roll")
    ambush = rules.ambush if rules is not None else None
    if name == "additional-ambush" and (ambush is None or side == state.attacker):
        watch.object_to(rule, f"{side} may have no ambush")
    foes = [unit for unit in state.units.values() if unit.side != side]
    if name == "trigger-ambush" and not any(unit.ambush for unit in foes):
        watch.object_to(rule, "there is no ambush to trigger")
    if name == "delay-reserves" and not any(unit.reserve == "tactical" for unit in foes):
        watch.object_to(rule, "there are no reserves to delay")


@book.on("ambush", "ambush-triggered")
def what_it_was_bought_for(watch: Watch, event: Event) -> None:
    """Whoever was picked is the one whom it happens to."""
    chosen, unit = watch.memory.pop("sof.recon unit", None), event.data["unit"]
    bought = "sof.recon.trigger-ambush" in event.rules or (event.kind == "ambush" and course(watch).stage == "turn")
    if not bought:
        return
    chosen = answer(watch, "recon-unit") or chosen
    if chosen is not None and chosen != unit:
        watch.object_to("sof.recon.exchange", f"{unit} is taken, and {chosen} was chosen")
    advantage = "trigger-ambush" if event.kind == "ambush-triggered" else "additional-ambush"
    side = enemy(event.seat) if event.kind == "ambush-triggered" else event.seat
    if advantage not in watch.state.advantages.get(side, []):
        watch.object_to(f"sof.recon.{advantage}", f"{side} has not bought it")


@book.after_answer
def keep_who_was_picked(watch: Watch) -> None:
    if answer(watch, "recon-unit") is not None:
        watch.memory["sof.recon unit"] = answer(watch, "recon-unit")


@book.on("objective-moved")
def an_objective_is_moved(watch: Watch, event: Event) -> None:
    watch.count("objectives moved")
    rule, name = "sof.recon.redeploy-objective", event.data["objective"]
    before, at = watch.earlier.objectives[name].at, tuple(event.data["at"])
    table, told = watch.setup.table, answer(watch, "move-objective")
    if math.dist(before, at) > OBJECTIVE_MOVES + HAIR or tuple(watch.state.objectives[name].at) != at:
        watch.object_to(rule, f"{name} is moved from {before} to {at}")
    if told is not None and math.dist(tuple(told), at) > HAIR:
        watch.object_to(rule, f"{name} is moved to {at}, and {told} was chosen")
    if bad_ground(watch, at) or not (0 <= at[0] <= table.width and 0 <= at[1] <= table.depth):
        watch.object_to("sof.mission-core.objective-placement", f"{name} may not lie at {at}")
    if "redeploy-objective" not in watch.state.advantages.get(event.seat, []):
        watch.object_to(rule, f"{event.seat} has not bought it")


@book.on("recon-lost")
def points_left_over_are_lost(watch: Watch, event: Event) -> None:
    watch.count("recon points lost")
    have = left(watch, event.seat)
    watch.memory["sof.recon"][event.seat] = 0
    if event.data["points"] != have:
        watch.object_to("sof.recon.exchange", f"{event.seat} gives up {event.data['points']} points of {have}")


@book.on("rally", "triage", "tenacity", "dice")
def the_exchange_is_over(watch: Watch, event: Event) -> None:
    """When the Start Phase goes on nobody has points left, and whoever bought a Scout Move has made it."""
    state, kept = watch.state, course(watch)
    if briefing(watch) is None or kept.turn != 1:
        return
    if any(state.recon.values()):
        watch.object_to("sof.recon.exchange", f"recon points are left over: {dict(state.recon)}")


@book.on("recon-dice")
def recon_gives_dice(watch: Watch, event: Event) -> None:
    """As many as were bought, as they fall, for any unit of the force, in the first two turns."""
    watch.count("dice by recon")
    kept, side, name = course(watch), event.seat, f"force-{event.seat}"
    rule = "sof.recon.activation-die"
    number = list(watch.state.advantages.get(side, [])).count("activation-die")
    values = list(event.dice[0].values)
    if len(values) != number or kept.turn > DICE_TURNS or watch.memory.get("sof.recon dice") == (kept.turn, side):
        watch.object_to(rule, f"{side} rolls {len(values)} dice by recon in turn {kept.turn}, and bought {number}")
    watch.memory["sof.recon dice"] = kept.turn, side
    due = sorted([*kept.dice.get(name, []), *values], reverse=True)
    if list(watch.state.force_dice[side].dice) != due:
        watch.object_to(rule, f"the force of {side} has {list(watch.state.force_dice[side].dice)}, and not {due}")
    kept.dice[name] = due
    watch.memory.setdefault("sof.recon rolled", set()).add((kept.turn, side))


@book.on("initiative")
def bought_dice_are_rolled(watch: Watch, event: Event) -> None:
    kept = course(watch)
    for side in ("red", "blue"):
        number = list(watch.state.advantages.get(side, [])).count("activation-die")
        rolled = (kept.turn, side) in watch.memory.get("sof.recon rolled", set())
        if number and kept.turn <= DICE_TURNS and not rolled:
            watch.object_to("sof.recon.activation-die", f"{side} has bought {number} dice, and does not roll them")


@book.on("recon-reroll")
def a_die_is_rolled_again(watch: Watch, event: Event) -> None:
    """One failed die of a side that has bought this, once in a battle."""
    watch.count("dice rolled again by recon")
    rule, side, die = "sof.recon.reroll", event.seat, event.data["die"]
    throw = event.dice[0]
    if side not in watch.asked.rerolls:
        watch.object_to(rule, f"{side} has no die to roll again")
    if side in watch.state.rerolls or throw.seat != side:
        watch.object_to(rule, f"{side} keeps its re-roll")
    if die not in throw.before:
        watch.object_to(rule, f"die {die} of {throw.values} was not rolled again")
    chosen: Any = answer(watch, "recon-reroll")
    if chosen != f"die-{die + 1}":
        watch.object_to(rule, f"die {die} is rolled again, and {chosen} was chosen")
    watch.memory["sof.again"] = die
    # What the check has changed so far belongs to the event that tells of it.
    watch.state = watch.earlier


@book.after_answer
def a_check_is_interrupted(watch: Watch) -> None:
    if watch.asking == "recon-reroll" and watch.halfway is None:
        watch.halfway = watch.earlier
