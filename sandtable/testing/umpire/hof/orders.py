"""Activation: whom a leader brings along, how many orders he gives, what his loss means, and who takes his place."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import shapely

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.hof import book
from sandtable.testing.umpire.hof.acts import Act, Step, under_way
from sandtable.testing.umpire.hof.sight import sees, spot_of, view
from sandtable.testing.umpire.hof.table import (
    CONTACT,
    HAIR,
    base,
    base_at,
    counts,
    enemy,
    find,
    gap,
    kind_of,
    members,
    standing,
)
from sandtable.testing.umpire.hof.ways import bearing, legs

PROMOTION = 4.0
KEEP_AWAY = 12.0


# Orders.


@book.on("activation")
def one_order_or_two(watch: Watch, event: Event) -> None:
    orders = set(event.data["orders"].values())
    unit = watch.state.units[event.data["unit"]]
    if {"smoke", "fire"} <= orders:
        orders.discard("smoke")
    if len(orders) > 2:
        watch.object_to("hof.activation.one-or-two-orders", f"{unit.id} is given {len(orders)} orders: {orders}")
    if "form" in orders and len(orders) > 1:
        watch.object_to("hof.optional.form-on-me", f"Form On Me is split with {orders}")
    options = watch.setup.options
    if options.national and options.follow_the_leader and unit.nation == "soviet" and len(orders) > 1:
        watch.object_to("hof.national.su-follow-the-leader", f"{unit.id} splits its orders: {orders}")


@book.on("activation")
def the_leader_sees_whom_he_activates(watch: Watch, event: Event) -> None:
    act, state = under_way(watch), watch.state
    unit = state.units[event.data["unit"]]
    first = event.data["team"]
    others = [name for name in event.data["orders"] if name not in (first, act.leader)]
    watch.count("teams brought along", len(others))
    if not others:
        return
    if act.leader:
        caller = unit.teams[act.leader]
    else:
        caller = unit.teams[first]
        if not may_lead(unit, caller):
            watch.object_to(
                "hof.activation.vehicle-leader-limit", f"{first} of {unit.id} leads nobody, and leads {others}"
            )
            return
    if "form" in event.data["orders"].values():
        return
    for name in others:
        mate = unit.teams.get(name)
        if mate is None:
            watch.object_to("hof.activation.pl-brings-unit", f"{name} is not of {unit.id}")
        elif (
            mate.role != "fo"
            and not aboard_together(caller, mate)
            and sees(watch, (unit, caller), (unit, mate)) is False
        ):
            watch.object_to("hof.activation.pl-brings-unit", f"{caller.id} does not see {name}, which he activates")


def aboard_together(one: Any, other: Any) -> bool:
    """In one Transport, or one of them in the other."""
    return bool(one.carrier and one.carrier in (other.carrier, other.id)) or bool(
        other.carrier and other.carrier == one.id
    )


def may_lead(unit: Any, team: Any) -> bool:
    """A Vehicle is nominated while fewer than half of its Unit's starting Teams are Suppressed or destroyed."""
    if not (unit.vehicles or unit.kind == "riders") or not counts(team):
        return False
    sound = sum(counts(mate) and not mate.suppressed for mate in unit.teams.values())
    return bool(2 * (unit.starting - sound) < unit.starting)


@book.on("activation")
def one_order_one_direction(watch: Watch, event: Event) -> None:
    """The Teams of one Move order all come nearer to some point."""
    act = under_way(watch)
    for order in ("move", "move-2"):
        names = [name for name, given in act.orders.items() if given == order and name != act.leader]
        steps = [act.declared[name] for name in names if name in act.declared]
        ways = [step for step in steps if math.dist(step.path[0], step.path[-1]) > 0.01]
        if len(ways) > 1:
            watch.count("directions")
            if not common_goal(watch, ways):
                watch.object_to("hof.activation.split-combinations", f"{names} move in different directions")


def common_goal(watch: Watch, ways: list[Step]) -> bool:
    """Each way leaves the half of the plane that is nearer to its end; have they something in common?"""
    far = 10_000.0
    left = shapely.box(-far, -far, far, far)
    for way in ways:
        (x0, y0), (x1, y1) = way.path[0], way.path[-1]
        length = math.hypot(x1 - x0, y1 - y0)
        ux, uy = (x1 - x0) / length, (y1 - y0) / length
        mx, my = (x0 + x1) / 2 - ux * 0.01, (y0 + y1) / 2 - uy * 0.01
        a, b = (mx - uy * 3 * far, my + ux * 3 * far), (mx + uy * 3 * far, my - ux * 3 * far)
        half = shapely.Polygon(
            [a, b, (b[0] + ux * 3 * far, b[1] + uy * 3 * far), (a[0] + ux * 3 * far, a[1] + uy * 3 * far)]
        )
        left = left.intersection(half)
    return not left.is_empty


@book.on("move")
def only_who_was_told_to_moves(watch: Watch, event: Event) -> None:
    act = under_way(watch)
    if act.paid == "arrival" or not act.orders:
        return
    for name in event.data["ways"]:
        if act.orders.get(name, "").removesuffix("-2") not in ("move", "form"):
            watch.object_to("hof.activation.order-is-move-or-fire", f"{name} moves by the order {act.orders.get(name)}")


# Form On Me.


@book.on("activation")
def they_form_on_their_leader(watch: Watch, event: Event) -> None:
    if "form" not in event.data["orders"].values():
        return
    watch.count("forming up")
    act, state = under_way(watch), watch.state
    unit = state.units[act.unit]
    leader = unit.teams.get(act.leader)
    if leader is None or leader.role != "pl" or leader.at is None or not watch.setup.options.form_on_me:
        watch.object_to("hof.optional.form-on-me", f"{act.leader} orders Form On Me")
        return
    here = view(watch, state)
    foes = [base(team) for _, team in standing(state, enemy(act.side))]
    for name in event.data["orders"]:
        team, step = unit.teams[name], act.declared.get(name)
        if step is None or step.topic != "form-move":
            continue
        end, facing = step.path[-1], faces(team, step)
        if all(here.sees(eye, spot_of(team, end, facing)) is False for eye in eyes_of(watch, unit, leader)):
            watch.object_to("hof.optional.form-on-me-move", f"{name} goes where {leader.id} does not see it")
        near = min((base_at(team, end, facing).distance(foe) for foe in foes), default=99.0)
        if near < KEEP_AWAY - HAIR and sees(watch, (unit, leader), (unit, team)) is True:
            watch.object_to("hof.optional.form-on-me-move", f"{name} starts in sight and ends {near:.2f} from an enemy")


def faces(team: Any, step: Step) -> float:
    """How a Team faces at the end of a way: as declared, or a Vehicle as it drives."""
    if step.facing is None and kind_of(team).vehicle and legs(step.path):
        return round(bearing(*legs(step.path)[-1]), 1)
    return float(team.facing if step.facing is None else step.facing)


def eyes_of(watch: Watch, unit: Any, leader: Any) -> list[Any]:
    """Where a Leader looks from: his own place, or that of a Team that he touches."""
    beside = [mate for mate in unit.teams.values() if mate is not leader and mate.at is not None]
    return [spot_of(leader), *(spot_of(mate) for mate in beside if gap(leader, mate) <= CONTACT)]


@book.on("leader-move")
def a_leader_who_calls_his_men_stays(watch: Watch, event: Event) -> None:
    act = under_way(watch)
    if "form" in act.orders.values() and event.data["team"] == act.leader:
        watch.object_to("hof.optional.form-on-me", f"{act.leader} moves though he ordered Form On Me")


# Leader abilities.


@book.on("leader-ability")
def one_ability_of_an_unsuppressed_leader(watch: Watch, event: Event) -> None:
    watch.count("leader abilities")
    act, data = under_way(watch), event.data
    leader, helped = find(watch.state, data["leader"]), find(watch.state, data["team"])
    if leader is None or helped is None or leader[1].at is None or helped[1].at is None:
        watch.object_to("hof.leaders.ability-once", f"{data['leader']} helps {data['team']} from nowhere")
        return
    if leader[1].suppressed:
        watch.object_to("hof.leaders.ability-once", f"{data['leader']} is Suppressed and uses an ability")
    if data["leader"] in act.helped:
        watch.object_to("hof.leaders.ability-once", f"{data['leader']} uses a second ability")
    if "form" in act.orders.values() and data["leader"] == act.leader:
        watch.object_to("hof.optional.form-on-me", f"{data['leader']} ordered Form On Me and uses an ability")
    chief = leader[1].role == "cc" and watch.setup.options.commander
    if not (leader[0].id == helped[0].id or (chief and leader[0].side == helped[0].side)):
        watch.object_to("hof.leaders.ability-once", f"{data['team']} is not under {data['leader']}'s command")
    if chief and leader[0].id != helped[0].id and kind_of(helped[1]).vehicle:
        watch.object_to("hof.optional.cc-abilities", f"{data['team']} is a Vehicle")
    if data["ability"] in ("rally", "direct-fire") and gap(leader[1], helped[1]) > CONTACT + HAIR:
        watch.object_to("hof.leaders.rally", f"{data['leader']} does not touch {data['team']}")


# Losing a Leader, and finding another.


@book.on("lost")
def a_leader_falls(watch: Watch, event: Event) -> None:
    """If it is the one who gave the orders, and nobody has acted yet, only one Team may."""
    act = under_way(watch)
    if not act.leader or event.data["team"] != act.leader:
        return
    since = watch.memory.get("since-call", ())
    carried_out = any(told.kind in ("move", "fire", "fire-smoke", "turn-in-place", "assault") for told in since)
    if not carried_out:
        act.leaderless = True


@book.on("leader-lost")
def one_team_acts_at_most(watch: Watch, event: Event) -> None:
    watch.count("leaders lost")
    act, teams = under_way(watch), event.data["teams"]
    if len(teams) > 1 or (act.orders and any(name not in act.orders for name in teams)):
        watch.object_to("hof.leaders.killed-mid-activation", f"{teams} act, of those with orders {list(act.orders)}")


@book.on("move", "fire", "turn-in-place", "fire-smoke")
def without_a_leader_one_team_acts(watch: Watch, event: Event) -> None:
    act = under_way(watch)
    if not act.leaderless or event.seat != act.side:
        return
    if act.leader in act.orders or any(told.kind == "stand-in" for told in watch.memory.get("since-call", ())):
        return
    data = event.data
    acting = list(data.get("ways", data.get("teams", data.get("firers", [data.get("team")]))))
    if act.only is None:
        watch.object_to("hof.leaders.killed-mid-activation", f"{acting} act though {act.leader} has been lost")
    elif any(name not in act.only for name in acting):
        watch.object_to("hof.leaders.killed-mid-activation", f"{acting} act, and {act.only} alone may")


@book.on("new-leader")
def a_new_leader_stands_by_a_team(watch: Watch, event: Event) -> None:
    watch.count("new leaders")
    unit = watch.state.units[event.data["unit"]]
    leader = unit.teams[event.data["team"]]
    heads = [team.id for team in unit.teams.values() if team.role == "pl"]
    if len(heads) > 1:
        watch.object_to("hof.leaders.replacement", f"{unit.id} has the Leaders {heads}")
    if not unit.led:
        watch.object_to("hof.leaders.replacement", f"{unit.id} never had a Leader")
    if leader.at is None:
        return
    beside = [team for team in unit.teams.values() if team is not leader and team.at is not None]
    touching = [team for team in beside if gap(team, leader) <= CONTACT + HAIR]
    if not touching:
        watch.object_to("hof.leaders.replacement", f"{leader.id} touches no Team of {unit.id}")
    if "hof.optional.cc-promotion" in event.rules:
        watch.count("promotions")
        chiefs = [t for u, t in members(watch.state) if t.role == "cc" and u.side == unit.side and t.at is not None]
        if not any(gap(chief, team) <= PROMOTION + HAIR for chief in chiefs for team in touching):
            watch.object_to(
                "hof.optional.cc-promotion", f"no Commander is within 4 inches of whom {leader.id} stands by"
            )
    foes = [team.id for _, team in standing(watch.state, enemy(unit.side)) if gap(team, leader) <= CONTACT - HAIR]
    if foes:
        watch.object_to("hof.assaults.initiate", f"{leader.id} appears in contact with {foes}")


@book.on("commander")
def the_commander_sees_the_leader(watch: Watch, event: Event) -> None:
    watch.count("leaders brought along")
    act: Act = under_way(watch)
    before = watch.memory.get("state at activation")
    chief, leader = find(watch.state, act.first) or find(before, act.first), find(watch.state, event.data["team"])
    if chief is None or chief[1].role != "cc" or leader is None or leader[1].role != "pl":
        watch.object_to("hof.optional.cc-activates-pl", f"{act.first} brings {event.data['team']} along")
        return
    then = find(before, event.data["team"])
    chief_then = find(before, act.first)
    if then is not None and chief_then is not None and sees(watch, chief_then, then, before) is False:
        watch.object_to("hof.optional.cc-activates-pl", f"{act.first} does not see {event.data['team']}")


@book.on("activation")
def remember_the_table(watch: Watch, event: Event) -> None:
    watch.memory["state at activation"] = watch.state


# Recon.


@book.on("recon-reaction")
def recon_teams_saw_somebody_appear(watch: Watch, event: Event) -> None:
    watch.count("recon reactions")
    unit = watch.state.units[event.data["unit"]]
    if unit.id in watch.memory["reacted"]:
        watch.object_to("hof.battle.recon-no-third", f"{unit.id} reacts again in this turn")
    if event.data["passed"]:
        watch.memory["reacted"].add(unit.id)
    shown = [told for told in watch.memory.get("since-call", ()) if told.kind == "revealed" and told.seat != unit.side]
    if not unit.recon or not shown:
        watch.object_to("hof.battle.recon-reaction", f"{unit.id} reacts, and nobody appeared")
        return
    seen = [find(watch.state, name) for name in shown[-1].data["teams"]]
    eyes = [(unit, team) for team in unit.teams.values() if team.at is not None and "recon" in team.traits]
    if all(sees(watch, eye, other) is False for eye in eyes for other in seen if other is not None):
        watch.object_to("hof.battle.recon-reaction", f"{unit.id} sees nobody of {shown[-1].data['teams']}")


@book.after_answer
def no_unit_has_two_leaders(watch: Watch) -> None:
    for unit in watch.state.units.values():
        heads = [team for team in unit.teams.values() if team.role == "pl"]
        for one, other in combinations(heads, 2):
            watch.object_to("hof.leaders.replacement", f"{one.id} and {other.id} both lead {unit.id}")
