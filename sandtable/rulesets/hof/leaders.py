"""Platoon Leaders: what they do for one Team in an activation, what their loss means, and who takes their place."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import (
    Choose,
    MovePieces,
    Option,
    Piece,
    Refusal,
    Step,
    illegal,
    plain_to_steps,
    steps_to_plain,
)
from sandtable.engine.ruleset import Ask
from sandtable.rulesets.hof import checks, moving, received, spots
from sandtable.rulesets.hof.acts import Activation, Losses, Order, alive
from sandtable.rulesets.hof.board import Mask, Rows, board, gaps, muster, place, set_down
from sandtable.rulesets.hof.state import Member, State, Team, Unit, all_teams, label, other, team_label
from sandtable.table import distance as measure
from sandtable.table import moves
from sandtable.table.hairs import A_HAIR, CONTACT, SLACK
from sandtable.table.shapes import Place, bodies, heading

MOVE_UP = 3.0
"""hof.leaders.move-up"""

ABILITY = "hof.leaders.ability-once"
OFFSETS = (0.0, 0.5, -0.5, 0.95, -0.95)
"""Where along a side of a base another one may stand, from its middle to its corners."""


# Leader abilities.


def may_help(act: Activation) -> bool:
    """hof.leaders.ability-once: an unsuppressed Leader on the table, once in an activation."""
    leader = act.leader
    if leader is None or act.ability or leader.suppressed or leader.at is None:
        return False
    return alive(act.unit, leader)


def commands(game: Game[State], act: Activation, unit: Unit, team: Team) -> bool:
    """Whether a Team is under the Leader's command: of his Unit; for the Company Commander any foot of the company."""
    leader = act.leader
    if leader is None or team is leader:
        return False
    if leader.role == "cc" and game.setup.options.commander:
        return unit.side == act.side and not team.kind.vehicle
    return unit is act.unit


def in_touch(game: Game[State], act: Activation, members: Sequence[Member]) -> list[Member]:
    """Those of some Teams that the Leader commands and is in base contact with."""
    leader = act.leader
    under = [member for member in members if member[1].at is not None and commands(game, act, *member)]
    if leader is None or not under:
        return []
    near = measure.within(gaps(game, [leader], [team for _, team in under])[0], CONTACT)
    return [under[number] for number in np.flatnonzero(near).tolist()]


def ask_help(act: Activation, topic: str, words: str, members: Sequence[Member], rule: str) -> Flow[Member | None]:
    options = [Option("none", "Nobody")]
    options += [Option(team.id, f"{team_label(team)}, {label(unit)}", (rule,)) for unit, team in members]
    answer = yield Ask(act.side, Choose(topic, words, options, rules=(rule, ABILITY)))
    return next((member for member in members if member[1].id == answer), None)


def tell_ability(game: Game[State], act: Activation, ability: str, words: str, team: Team, *rules: str) -> None:
    act.ability = ability
    assert act.leader is not None
    rule = [ABILITY, "hof.optional.cc-abilities"] if act.leader.role == "cc" else [ABILITY]
    text = f"{team_label(act.leader)} {words} {team_label(team)}."
    data: dict[str, Any] = {"ability": ability, "leader": act.leader.id, "team": team.id}
    game.tell("leader-ability", text, *rules, *rule, seat=act.side, **data)


def rally_ability(game: Game[State], act: Activation) -> Flow[None]:
    """hof.leaders.rally: one more Rally Check for a Team that he touches, RFPs or not."""
    if not may_help(act):
        return
    here = board(game)
    down = [member for member in here.side(act.side).members if member[1].suppressed and member[1].role != "rider"]
    choices = in_touch(game, act, down)
    if not choices:
        return
    found = yield from ask_help(act, "leader-rally", "Whom does the Leader rally?", choices, "hof.leaders.rally")
    if found is None:
        return
    unit, team = found
    tell_ability(game, act, "rally", "sees to", team, "hof.leaders.rally")
    if (yield from received.rally(game, unit, team, "the Leader's Rally Check", "hof.leaders.rally")):
        act.rallied = team


def direct_fire(game: Game[State], act: Activation, members: Sequence[Member]) -> Flow[Team | None]:
    """hof.leaders.direct-fire: one more die for a firing Team that he, or the Commander above him, touches now."""
    found = yield from direct(game, act, members)
    if found is None and act.above is not None:
        found = yield from direct(game, act.above, members)
    return found


def direct(game: Game[State], act: Activation, members: Sequence[Member]) -> Flow[Team | None]:
    if not may_help(act):
        return None
    choices = in_touch(game, act, members)
    if not choices:
        return None
    words = "Whose fire does the Leader direct?"
    found = yield from ask_help(act, "direct-fire", words, choices, "hof.leaders.direct-fire")
    if found is None:
        return None
    tell_ability(game, act, "direct-fire", "directs the fire of", found[1], "hof.leaders.direct-fire")
    return found[1]


def move_up(game: Game[State], act: Activation, unit: Unit, team: Team) -> Flow[bool]:
    """hof.leaders.move-up: up to 3 inches more for a Team that ends its move in contact with the Leader."""
    if not may_help(act) or not commands(game, act, unit, team):
        return False
    words = f"Does the Leader bring {team_label(team)} up, {MOVE_UP:g} inches farther?"
    found = yield from ask_help(act, "move-up", words, [(unit, team)], "hof.leaders.move-up")
    if found is None:
        return False
    tell_ability(game, act, "move-up", "brings up", team, "hof.leaders.move-up")
    return True


def goes_along(act: Activation) -> bool:
    """hof.leaders.rally-move-along: whether the Leader must go with the Team that he rallied and not his own way."""
    return act.rallied is not None and any(
        order.kind == "move" and any(team is act.rallied and alive(unit, team) for unit, team in order.members)
        for order in act.orders
    )


def move_along(game: Game[State], act: Activation, unit: Unit, team: Team, losses: Losses) -> Flow[None]:
    """The Team that he rallied has moved: the Leader ends in base contact with it."""
    leader = act.leader
    if leader is None or team is not act.rallied or team.at is None or leader.at is None:
        return
    if not alive(act.unit, leader) or not alive(unit, team):
        return
    start = leader.at
    if measure.beyond(gaps(game, [leader], [team])[0, 0], CONTACT):
        rule = "hof.leaders.rally-move-along"
        (x, y), _ = act.starts[team.id]
        as_before = Step((round(start[0] + team.at[0] - x, 2), round(start[1] + team.at[1] - y, 2)), leader.facing)

        def barred(step: Step) -> Refusal | None:
            return refuse_along(game, act.unit, leader, step)

        step = yield from ask_place(game, act.unit, leader, [team], "leader-along", rule, as_before, barred)
        if step is None:
            moving.held_back(game, act.unit, leader, as_before)
            return
        step = yield from moving.past_obstacles(game, act.unit, leader, step, losses)
        if step is None:
            return
        place(game, leader, *step.to, step.facing)
        moving.mark_moved(act, leader, math.dist(start, step.to))
    text = f"{team_label(leader)} moves along with {team_label(team)}."
    rules = ("hof.leaders.rally-move-along", "hof.leaders.move-12")
    game.tell("leader-move", text, *rules, seat=act.side, team=leader.id, ways={leader.id: [start, leader.at]})


def refuse_along(game: Game[State], unit: Unit, leader: Team, step: Step) -> Refusal | None:
    """hof.leaders.move-12 and hof.rfp-rally.suppressed-effects hold for him when he goes along, too."""
    assert leader.at is not None
    inches = math.dist(leader.at, step.to)
    if inches > moving.LEADER + A_HAIR:
        message = f"{team_label(leader)} would move {inches:.1f} inches."
        legal = f"He may move up to {moving.LEADER:g} inches."
        return illegal("hof.leaders.move-12", message, field=leader.id, legal=legal)
    if leader.suppressed and moving.goes_nearer(game, unit.side, leader, step.to):
        message = f"{team_label(leader)} is Suppressed and would come nearer to an enemy that he sees."
        legal = "Choose a place beside the Team that is no nearer."
        return illegal("hof.rfp-rally.suppressed-effects", message, field=leader.id, legal=legal)
    return None


# Losing him.


def lost_in_activation(game: Game[State], act: Activation) -> Flow[None]:
    """hof.leaders.killed-mid-activation: only one of the Teams that he gave orders to carries its order out.

    If some have done so before his RFPs, or a mine on his way, killed him, nobody else does.
    """
    unit = act.unit
    if unit.id not in game.state.units:
        return
    act.leader_lost = True
    successor = unit.leader
    if successor is not None:
        stand_in(game, act, unit, successor)
        return
    ordered = [(order, member) for order in act.orders for member in order.members if alive(*member)]
    if act.acted:
        ordered = []
    chosen = ordered[:1]
    if len(ordered) > 1:
        options = [Option(team.id, f"{team_label(team)}: {order.name}") for order, (_, team) in ordered]
        rules = ("hof.leaders.killed-mid-activation",)
        question = Choose("one-acts", "The Leader is lost. Which one Team acts?", options, rules=rules)
        answer = yield Ask(act.side, question)
        chosen = [entry for entry in ordered if entry[1][1].id == answer]
    act.orders = [Order(order.name, order.kind, [member], order.target, order.steps) for order, member in chosen]
    act.leader = None
    names = ", ".join(team_label(team) for _, (_, team) in chosen) or "nobody"
    text = f"{label(unit)} has lost its Leader: {names} acts."
    teams = [team.id for _, (_, team) in chosen]
    game.tell("leader-lost", text, "hof.leaders.killed-mid-activation", seat=act.side, unit=unit.id, teams=teams)


def stand_in(game: Game[State], act: Activation, unit: Unit, successor: Team) -> None:
    """hof.national.de-mission-tactics: a new Leader was there at once, and all orders stand."""
    act.leader = successor
    act.leader_lost = False
    act.leader_step = None
    act.members.append((unit, successor))
    if successor.at is not None:
        act.starts[successor.id] = (successor.at, successor.facing)
    successor.activated = act.paid == "order"
    successor.locked = act.paid == "hero"
    text = f"{team_label(successor)} stands in for the Leader of {label(unit)}: all orders stand."
    game.tell("stand-in", text, "hof.national.de-mission-tactics", seat=act.side, unit=unit.id, team=successor.id)


def on_leader_lost(game: Game[State], unit: Unit) -> Flow[None]:
    """hof.national.de-mission-tactics: a German Unit that has lost its Leader tries at once to find another."""
    if not (game.setup.options.national and unit.nation == "german") or unit.kind or not unit.teams:
        return
    check = yield from checks.check(game, unit, f"Mission Tactics of {label(unit)}")
    unit.promotion = True
    text = f"{label(unit)} {'finds a new Leader at once' if check.passed else 'will have a new Leader when it acts'}."
    rules = ("hof.national.de-mission-tactics", *check.rules)
    game.tell("mission-tactics", text, *rules, seat=unit.side, dice=[check.throw], unit=unit.id, passed=check.passed)
    beside = [team for team in unit.teams.values() if team.at is not None]
    if check.passed and beside:
        yield from install(game, unit, beside, "hof.national.de-mission-tactics")


# Another in his place.


def appoint(game: Game[State], act: Activation, team: Team) -> Flow[None]:
    """A Team of a Unit without Leader is given orders: perhaps there is a new one, who orders the rest about."""
    unit = act.unit
    if act.leader is not None or unit.kind or not unit.led or unit.leader is not None:
        return
    if unit.promotion:
        act.leader = yield from promote(game, unit, team)
        return
    check = yield from checks.check(game, unit, f"a new Leader for {label(unit)}")
    text = (
        f"{label(unit)} {'finds a new Leader' if check.passed else f'finds no Leader: {team_label(team)} acts alone'}."
    )
    rules = ("hof.leaders.replacement", *check.rules)
    data: dict[str, Any] = {"unit": unit.id, "team": team.id, "passed": check.passed}
    game.tell("replacement", text, *rules, seat=unit.side, dice=[check.throw], **data)
    if check.passed:
        act.leader = yield from install(game, unit, [team], "hof.leaders.replacement")


def promote(game: Game[State], unit: Unit, team: Team) -> Flow[Team | None]:
    """hof.national.de-mission-tactics: a Team activates, and with it comes the Leader for whom its Unit waits."""
    if not unit.promotion or unit.leader is not None:
        return None
    return (yield from install(game, unit, [team], "hof.national.de-mission-tactics"))


def install(game: Game[State], unit: Unit, beside: list[Team], rule: str) -> Flow[Team | None]:
    """Place a new Platoon Leader in base contact with one of some Teams, or in the Transport of the only one.

    None if there is no room for him.
    """
    from sandtable.rulesets.hof import transports

    leader = Team("leader", id=free_name(game, unit), role="pl", traits=("recon",) if unit.recon else ())
    first = beside[0]
    if first.at is None:
        if transports.full(unit, unit.teams[first.carrier]):
            tell_no_room(game, unit, rule, "hof.transports.capacity")
            return None
        leader.where, leader.carrier = first.where, first.carrier
    else:
        step = yield from ask_place(game, unit, leader, beside, "new-leader", rule)
        if step is None:
            tell_no_room(game, unit, rule)
            return None
        leader.level = first.level
    unit.teams[leader.id] = leader
    muster(game)
    unit.promotion = False
    if first.at is not None:
        assert step is not None
        set_down(game, leader, *step.to, step.facing)
    text = f"{team_label(leader)} takes command of {label(unit)}."
    game.tell("new-leader", text, rule, seat=unit.side, unit=unit.id, team=leader.id, at=leader.at)
    return leader


def tell_no_room(game: Game[State], unit: Unit, *rules: str) -> None:
    text = f"There is no room for a new Leader of {label(unit)}."
    game.tell("no-room", text, *rules, seat=unit.side, unit=unit.id)


def free_name(game: Game[State], unit: Unit) -> str:
    taken = {team.id for _, team in all_teams(game.state)}
    number = 2
    while f"{unit.id}-pl-{number}" in taken:
        number += 1
    return f"{unit.id}-pl-{number}"


def ask_place(
    game: Game[State],
    unit: Unit,
    leader: Team,
    beside: list[Team],
    topic: str,
    rule: str,
    last: Step | None = None,
    barred: Callable[[Step], Refusal | None] | None = None,
) -> Flow[Step | None]:
    """Where in base contact with one of some Teams a Leader stands. None if there is no room at all.

    `last` is one more place to be proposed; `barred` says why he may not go to a place where there is room.
    """
    found = room_beside(game, unit, leader, beside, last)
    if barred is not None:
        found = [step for step in found if barred(step) is None]
    if not found:
        return None

    def legal(steps: dict[str, Step]) -> Refusal | None:
        refusal = refuse_place(game, unit, leader, beside, steps, rule)
        return refusal or (barred(steps[leader.id]) if barred is not None else None)

    proposals = [steps_to_plain({leader.id: step}) for step in found]
    names = ", ".join(team_label(team) for team in beside)
    question = MovePieces(
        topic,
        f"Where does the Leader of {label(unit)} stand? In base contact with {names}.",
        [leader.id],
        lambda: [Piece(leader.id, team_label(leader), leader.at, leader.facing, base=leader.kind.base.size)],
        legal,
        lambda most: list(proposals[:most]),
        rules=(rule,),
    )
    answer = yield Ask(unit.side, question)
    return plain_to_steps(answer)[leader.id]


def refuse_place(
    game: Game[State], unit: Unit, leader: Team, beside: list[Team], steps: dict[str, Step], rule: str
) -> Refusal | None:
    if leader.id not in steps:
        return illegal(rule, "the Leader is not placed.", field=leader.id)
    rows = spots.rows_of([leader], steps, leader.facing)
    here = board(game)
    if measure.beyond(measure.distances(rows, here.of(beside)).min(), CONTACT):
        names = ", ".join(team_label(team) for team in beside)
        return illegal(rule, "he would touch none of them.", field=leader.id, legal=f"Place him touching {names}.")
    if not may_stand(game, unit, leader, rows)[0]:
        legal = "On the table, on no other base, and touching no enemy."
        return illegal("hof.orders.base-sizes", "there is no room for his base.", field=leader.id, legal=legal)
    return None


def may_stand(game: Game[State], unit: Unit, leader: Team, rows: Rows) -> Mask:
    """Which of some places have room for a Leader and touch no enemy."""
    here = board(game)
    free: Mask = moves.on_table(rows, here.ground.width, here.ground.depth) & ~spots.impassable(here, rows)
    others = here.all_but([leader] if leader.id in here.index else [])
    if len(others):
        free &= ~measure.overlaps(rows, others, SLACK).any(axis=1)
    enemies = here.side(other(unit.side)).teams
    if enemies:
        free &= measure.beyond(measure.nearest(rows, here.of(enemies)), CONTACT)
    return free


def room_beside(
    game: Game[State], unit: Unit, leader: Team, beside: list[Team], last: Step | None = None
) -> list[Step]:
    """Places round the bases of some Teams, behind them first, where a Leader has room; `last` is one more to try."""
    base = leader.kind.base
    half = base.width / 2
    found: list[Step] = []
    for team in beside:
        assert team.at is not None
        wide, deep = team.kind.base.width / 2, team.kind.base.depth / 2
        sin, cos = heading(team.facing)
        for offset in OFFSETS:
            for right, ahead in (
                (offset * wide, -deep - half),
                (wide + half, offset * deep),
                (-wide - half, offset * deep),
                (offset * wide, deep + half),
            ):
                x, y = team.at[0] + right * cos + ahead * sin, team.at[1] - right * sin + ahead * cos
                found.append(Step((round(x, 2), round(y, 2)), team.facing))
    if last is not None:
        found.append(last)
    rows = bodies((base, Place(*step.to, step.facing or 0.0)) for step in found)
    touching = measure.within(measure.nearest(rows, board(game).of(beside)), CONTACT)
    good = may_stand(game, unit, leader, rows) & touching
    return [found[number] for number in np.flatnonzero(good).tolist()]
