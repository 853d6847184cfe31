"""Activation: a Team, or a leader and his Unit, in four steps: declare, rally, resolve RFPs, carry out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandtable.engine.events import several
from sandtable.engine.game import Flow
from sandtable.engine.questions import Choose, Option
from sandtable.engine.ruleset import Ask
from sandtable.field.moments import Moment
from sandtable.rulesets.hof.activation.order_menu import NAMES, Menu, goes_with_fire, kind_of, rule_of
from sandtable.rulesets.hof.activation.participants import begin, followers, may_nominate
from sandtable.rulesets.hof.assaults import assaults, contact
from sandtable.rulesets.hof.core.acts import WHEN_ACTED, Activation, Losses, Order, Paid, living, starts_of
from sandtable.rulesets.hof.core.board import Battle, board
from sandtable.rulesets.hof.core.labels import full_label, label, spoken_of, team_label
from sandtable.rulesets.hof.core.state import Member, Moved, Team, Unit
from sandtable.rulesets.hof.firing import fire_orders, targets
from sandtable.rulesets.hof.leaders import abilities, replacement
from sandtable.rulesets.hof.morale import morale
from sandtable.rulesets.hof.moving import move_orders
from sandtable.rulesets.hof.rfp_rally import rally, rfp
from sandtable.rulesets.hof.transports import transports

DOES = {"move": ("moves", "move"), "fire": ("fires", "fire")}
"""What one Team does by an order, and what several do; special orders say it themselves."""

TOLD = (
    "hof.activation.four-steps",
    "hof.activation.declare-specifics",
    "hof.activation.one-or-two-orders",
    "hof.orders.one-activation-at-a-time",
    "hof.activation.order-is-move-or-fire",
)

INSTEAD_OF_ORDERS: Moment[Callable[[Battle, Activation], Flow[bool]]] = Moment()
"""What a leader may do in place of giving orders; true if he does."""

BEFORE_ORDERS: Moment[Callable[[Battle, Activation, Team | None], Flow[None]]] = Moment()
"""What comes before anybody of a Recon Unit carries out an order. A Vehicle may have been nominated as its leader."""

AT_END: Moment[Callable[[Battle, Activation], Flow[None]]] = Moment()
"""What comes when all is done in an activation."""


def activate(
    game: Battle, unit: Unit, team: Team, paid: Paid, above: Activation | None = None, with_others: bool = False
) -> Flow[Activation]:
    """One activation from beginning to end; `above` is the Company Commander's that it is part of.

    `with_others`: another Unit is activated with it.
    """
    act = begin(unit, team, paid)
    act.above, act.with_others = above, with_others
    if act.leader is None:
        yield from replacement.appoint(game, act, team)
    # The Vehicle that is nominated as leader is so when orders are declared, whatever befalls the others then.
    nominated = team if unit.recon and act.leader is None and may_nominate(unit, team) else None
    yield from declare(game, act, team)
    yield from rally_and_resolve(game, act)
    for first in BEFORE_ORDERS if unit.recon else ():
        yield from first(game, act, nominated)
    yield from carry_out(game, act)
    yield from finish(game, act)
    return act


def move_on(game: Battle, unit: Unit, members: list[Member], paid: Paid) -> Flow[None]:
    """A Unit that comes onto the table at its edge moves on at once, and does nothing else."""
    leader = next((team for _, team in members if team.role in ("pl", "cc")), None)
    act = Activation(side=unit.side, paid=paid, unit=unit, members=members, leader=leader)
    act.orders = [Order("move", "move", [(each, team) for each, team in members if team is not leader])]
    mark_activated(game, act)
    yield from move_orders.declare(game, act, act.orders[0])
    yield from carry_out(game, act)
    yield from finish(game, act)


# Step 1: declare orders.


def declare(game: Battle, act: Activation, first: Team) -> Flow[None]:
    """hof.activation.declare-specifics: who does what, with targets and destinations, before any die is rolled."""
    unit = act.unit
    mates = followers(game, act, first)
    for instead in INSTEAD_OF_ORDERS:
        if (yield from instead(game, act)):
            return
    candidates = ([] if act.leader is first else [first]) + mates
    answer: dict[str, str] = {}
    if candidates:
        # A Leader with nobody to order about is asked only where he moves himself.
        answer = yield Ask(unit.side, Menu(game, act, first, candidates).question())
    groups: dict[str, list[Member]] = {}
    members: list[Member] = [(unit, first)]
    if act.leader is not None and act.leader is not first:
        members.insert(0, (unit, act.leader))
    for name, order in answer.items():
        member = unit, unit.teams[name]
        groups.setdefault(order, []).append(member)
        if name != first.id:
            members.append(member)
    act.orders = [Order(name, kind_of(name), group) for name, group in groups.items()]
    act.members = members
    mark_activated(game, act)
    moves = False
    for each in act.orders:
        # The target of a Fire order, the destinations of a Move order, or what a special order needs.
        if each.kind == "move":
            moves = True
            yield from move_orders.declare(game, act, each)
        elif each.kind == "fire":
            yield from targets.declare(game, act, each)
        else:
            yield from rule_of(each).chapter.declare(game, act, each)
    if act.leader is not None and act.leader.at is not None and not moves:
        yield from move_orders.declare_leader(game, act)
    tell_orders(game, act, first)


def mark_activated(game: Battle, act: Activation) -> None:
    """hof.orders.order-point-once-per-turn and hof.orders.hero-lock, for everybody swept along too."""
    state = game.state
    paid = act.paid
    own_turn = state.active == act.side
    turn = state.companies[act.side].turns
    for _, team in act.members:
        if paid == "order":
            team.activated = True
        elif paid == "hero":
            team.locked = True
        if own_turn:
            team.acted = turn
    act.starts = starts_of(act.members)


def tell_orders(game: Battle, act: Activation, first: Team) -> None:
    unit, leader = act.unit, act.leader
    together = len(act.members) > 1
    who = label(unit) if together else full_label(unit, first)
    rules = [*TOLD]
    if act.paid == "order":
        rules.append("hof.orders.spend-order-point")
    if leader is not None:
        rules.append("hof.activation.pl-brings-unit")
        if leader.suppressed:
            rules.append("hof.leaders.suppressed-commands")
        here = board(game)
        if leader.id in here.index and here.host(leader) is not leader:
            rules.append("hof.leaders.position-abstracted")
    elif together:
        rules += ("hof.activation.vehicle-leader", "hof.activation.vehicle-leader-no-abilities")
    else:
        rules.append("hof.activation.single-team")
    if len(act.orders) > 1:
        rules.append("hof.activation.split-combinations")
    if together:
        rules.append("hof.activation.steps-together")
    ordered = [(team, order.name) for order in act.orders for _, team in order.members]
    targets = {order.name: order.target for order in act.orders if order.target}
    parts = []
    for order in act.orders:
        goal = f" at {spoken_of(game.state, order.target)}" if order.target else ""
        does = (DOES.get(order.kind) or rule_of(order).does[order.kind])[len(order.members) > 1]
        parts.append(f"{several(len(order.members), 'Team')} {does}{goal}")
    if any(team.suppressed for team, _ in ordered):
        rules.append("hof.activation.suppressed-may-be-ordered")
    if together and any(team.role == "fo" for _, team in act.members):
        rules.append("hof.artillery.fo-activation")
    text = f"{who} is activated: {', '.join(parts) or 'its leader moves'}."
    data: dict[str, Any] = {"orders": {team.id: name for team, name in ordered}, "targets": targets}
    game.tell("activation", text, *rules, seat=act.side, **data, unit=unit.id, team=first.id, paid=act.paid)


# Steps 2 and 3.


def rally_and_resolve(game: Battle, act: Activation) -> Flow[None]:
    """hof.activation.steps-together: all rally, then all resolve their RFPs."""
    if untroubled(act.members):
        if act.leader is not None:
            yield from abilities.rally_ability(game, act)
        return
    losses = Losses()
    rally.fall_back(game, act, "starts out of sight of the enemy", "hof.rfp-rally.fall-back-start")
    yield from rally.rally_step(game, act)
    yield from abilities.rally_ability(game, act)
    yield from rfp.received_fire_step(game, act, losses)
    yield from morale.settle(game, losses)
    if act.leader in losses.by_rfps:
        yield from replacement.lost_in_activation(game, act)


def untroubled(members: list[Member]) -> bool:
    """Whether there is nothing for them to rally from, and nothing to resolve."""
    return True not in [team.suppressed or team.rfps > 0 or team.sniped for _, team in members]


# Step 4: carry out orders.


def carry_out(game: Battle, act: Activation) -> Flow[list[Team]]:
    """hof.activation.four-steps: Transports first, then the Leader's own move, then the orders one after the other.

    Returns the Teams that RFPs have killed meanwhile.
    """
    if not living(act.members):
        return []
    if len(act.starts) < len(act.members):
        yield from transports.after_bailing_out(game, act)
    motorised = board(game).motorised
    if motorised and not motorised.isdisjoint([unit.id for unit, _ in act.members]):
        yield from transports.before_acting(game, act)
    if act.leader_step is not None:
        yield from move_orders.move_leader(game, act)
    return (yield from carry_out_orders(game, act))


def carry_out_orders(game: Battle, act: Activation) -> Flow[list[Team]]:
    """The orders alone. Returns the Teams that RFPs have killed meanwhile."""
    fallen: list[Team] = []
    order_list = [order for order in act.orders if living(order.members)]
    if len(order_list) > 1:
        order_list = yield from choose_sequence(act, order_list)
    for order in order_list:
        if order not in act.orders:
            continue
        order.members = living(order.members)
        if not order.members:
            continue
        losses = Losses()
        if order.kind == "fire":
            yield from fire_orders.carry_out(game, act, order, losses)
        elif order.kind == "move":
            yield from assaults.move_into_contact(game, act, order, losses)
        else:
            yield from rule_of(order).chapter.carry_out(game, act, order, losses)
        yield from morale.settle(game, losses)
        fallen += losses.by_rfps
        if act.leader in losses.by_rfps:
            yield from replacement.lost_in_activation(game, act)
    return fallen


def choose_sequence(act: Activation, orders: list[Order]) -> Flow[list[Order]]:
    """hof.activation.steps-together: the player chooses; but what goes with fire comes just before it."""
    before_fire = [order for order in orders if goes_with_fire(order.kind)]
    others = [order for order in orders if not goes_with_fire(order.kind)]
    with_fire = bool(before_fire) and any(order.kind == "fire" for order in others)
    choices = others if with_fire else orders
    if len(choices) > 1:
        options = [Option(order.name, f"First: {NAMES.get(order.name, (order.name, ''))[0]}") for order in choices]
        rules = ("hof.activation.steps-together",)
        first = min(choices, key=lambda order: order.kind != "fire").name
        question = Choose("sequence", "Which order first?", options, rules=rules, default=lambda: first, step="detail")
        answer = yield Ask(act.side, question)
        choices = sorted(choices, key=lambda order: order.name != answer)
    if not with_fire:
        return choices
    before = next(number for number, order in enumerate(choices) if order.kind == "fire")
    return [*choices[:before], *before_fire, *choices[before:]]


def finish(game: Battle, act: Activation) -> Flow[None]:
    """The end of an activation: out of sight suppression goes, barrages bite, whoever fought regroups."""
    if True in [team.suppressed for _, team in act.members]:
        rally.fall_back(game, act, "ends out of sight of the enemy", "hof.rfp-rally.fall-back-end")
    for rule in WHEN_ACTED:
        rule(game, act)
    touched = contact.contacts(game, act.side) if act.fought else {}
    for unit, team in living(act.members) if act.fought else ():
        if team.id in act.fought and team.id not in touched:
            rally.mark_suppressed(game, team)
            text = f"{team_label(unit, team)} regroups and is Suppressed."
            game.tell("regroup", text, "hof.assaults.regroup", seat=unit.side, team=team.id)
    game.state.moved = {
        name: Moved(start, facing, act.inches.get(name, 0.0))
        for name, (start, facing) in act.starts.items()
        if name in act.moved
    }
    game.state.balked = []
    for last in AT_END:
        yield from last(game, act)
