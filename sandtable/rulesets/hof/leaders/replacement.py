"""Where a Leader stands: in base contact with a Team; what his loss means in an activation, and who takes command."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import numpy as np

from sandtable.engine.game import Flow, choose_one
from sandtable.engine.questions import (
    Choices,
    MovePieces,
    Piece,
    Refusal,
    Step,
    illegal,
    plain_to_steps,
    steps_to_plain,
)
from sandtable.engine.ruleset import Ask
from sandtable.field.beside import places_touching
from sandtable.field.deploying import rows_of
from sandtable.field.fieldworks import free_names
from sandtable.rulesets.hof.core import checks, riding
from sandtable.rulesets.hof.core.acts import Activation, alive
from sandtable.rulesets.hof.core.board import Battle, board, muster, set_down
from sandtable.rulesets.hof.core.ground import Mask, Rows
from sandtable.rulesets.hof.core.labels import label, mate_option, team_label, team_list, team_name
from sandtable.rulesets.hof.core.state import Team, Unit, all_teams
from sandtable.table import distance as measure
from sandtable.table import placement
from sandtable.table.hairs import CONTACT, SLACK
from sandtable.table.shapes import Place, bodies


def ask_place(
    game: Battle,
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
    names = team_list([(unit, team) for team in beside])
    question = MovePieces(
        topic,
        f"Where does the Leader of {label(unit)} stand? In base contact with {names}.",
        [leader.id],
        lambda: [Piece(leader.id, team_name(leader), leader.at, leader.facing, base=leader.kind.base.size)],
        legal,
        lambda most: list(proposals[:most]),
        rules=(rule,),
    )
    answer = yield Ask(unit.side, question)
    return plain_to_steps(answer)[leader.id]


def refuse_place(
    game: Battle, unit: Unit, leader: Team, beside: list[Team], steps: dict[str, Step], rule: str
) -> Refusal | None:
    if leader.id not in steps:
        return illegal(rule, "the Leader is not placed.", field=leader.id)
    rows = rows_of([leader], steps, leader.facing)
    if measure.beyond(measure.distances(rows, board(game).of(beside)).min(), CONTACT):
        names = team_list([(unit, team) for team in beside])
        return illegal(rule, "he would touch none of them.", field=leader.id, legal=f"Place him touching {names}.")
    if not may_stand(game, unit, leader, rows)[0]:
        legal = "On the table, on no other base, and touching no enemy."
        return illegal("hof.orders.base-sizes", "there is no room for his base.", field=leader.id, legal=legal)
    return None


def may_stand(game: Battle, unit: Unit, leader: Team, rows: Rows) -> Mask:
    """Which of some places have room for a Leader and touch no enemy."""
    here = board(game)
    ground, others = here.ground, here.all_but([leader])
    free = placement.room(rows, others, ground.width, ground.depth, SLACK) & here.clear_of_enemies(unit.side, rows)
    return free & ~ground.terrain.over_any(rows, ground.table.barring(False, False))


def room_beside(game: Battle, unit: Unit, leader: Team, beside: list[Team], last: Step | None = None) -> list[Step]:
    """Places round the bases of some Teams, behind them first, where a Leader has room; `last` is one more to try."""
    base = leader.kind.base
    found = [*places_touching(base, beside), *([last] if last is not None else [])]
    rows = bodies((base, Place(*step.to, step.facing or 0.0)) for step in found)
    good = may_stand(game, unit, leader, rows) & measure.within(measure.nearest(rows, board(game).of(beside)), CONTACT)
    return [found[number] for number in np.flatnonzero(good).tolist()]


def lost_in_activation(game: Battle, act: Activation) -> Flow[None]:
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
    chosen = []
    if ordered:
        choices = Choices({e[1][1].id: e for e in ordered}, lambda e: mate_option(e[1][1], f": {e[0].name}"))
        words, rules = "The Leader is lost. Which one Team acts?", ("hof.leaders.killed-mid-activation",)
        chosen = [(yield from choose_one(act.side, "one-acts", words, choices, rules=rules))]
    act.orders = [msgspec.structs.replace(order, members=[member]) for order, member in chosen]
    act.leader = None
    names = team_list([member for _, member in chosen]) or "nobody"
    text = f"{label(unit)} has lost its Leader: {names} acts."
    teams = [team.id for _, (_, team) in chosen]
    game.tell("leader-lost", text, "hof.leaders.killed-mid-activation", seat=act.side, unit=unit.id, teams=teams)


def stand_in(game: Battle, act: Activation, unit: Unit, successor: Team) -> None:
    """hof.national.de-mission-tactics: a new Leader was there at once, and all orders stand."""
    act.leader = successor
    act.leader_lost = False
    act.leader_step = None
    act.members.append((unit, successor))
    if successor.at is not None:
        act.starts[successor.id] = (successor.at, successor.facing)
    successor.activated = act.paid == "order"
    successor.locked = act.paid == "hero"
    text = f"{team_label(unit, successor)} stands in for the Leader of {label(unit)}: all orders stand."
    game.tell("stand-in", text, "hof.national.de-mission-tactics", seat=act.side, unit=unit.id, team=successor.id)


def appoint(game: Battle, act: Activation, team: Team) -> Flow[None]:
    """A Team of a Unit without Leader is given orders: perhaps there is a new one, who orders the rest about."""
    unit = act.unit
    if act.leader is not None or unit.kind or not unit.led or unit.leader is not None:
        return
    if unit.promotion:
        act.leader = yield from promote(game, unit, team)
        return
    check = yield from checks.check(game, unit, f"a new Leader for {label(unit)}")
    outcome = "finds a new Leader" if check.passed else f"finds no Leader: {team_label(unit, team)} acts alone"
    check.tell(game, "replacement", f"{label(unit)} {outcome}.", "hof.leaders.replacement", unit=unit.id, team=team.id)
    if check.passed:
        act.leader = yield from install(game, unit, [team], "hof.leaders.replacement")


def promote(game: Battle, unit: Unit, team: Team) -> Flow[Team | None]:
    """hof.national.de-mission-tactics: a Team activates, and with it comes the Leader for whom its Unit waits."""
    if not unit.promotion or unit.leader is not None:
        return None
    return (yield from install(game, unit, [team], "hof.national.de-mission-tactics"))


def install(game: Battle, unit: Unit, beside: list[Team], rule: str) -> Flow[Team | None]:
    """Place a new Platoon Leader in base contact with one of some Teams, or in the Transport of the only one.

    None if there is no room for him.
    """

    name = next(free_names(f"{unit.id}-pl", {team.id for _, team in all_teams(game.state)}, first=2))
    leader = Team("leader", id=name, role="pl", traits=("recon",) if unit.recon else ())
    first = beside[0]
    if first.at is None:
        if riding.full(unit, unit.teams[first.carrier]):
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
    text = f"{team_label(unit, leader)} takes command of {label(unit)}."
    game.tell("new-leader", text, rule, seat=unit.side, unit=unit.id, team=leader.id, at=leader.at)
    return leader


def tell_no_room(game: Battle, unit: Unit, *rules: str) -> None:
    game.tell("no-room", f"There is no room for a new Leader of {label(unit)}.", *rules, seat=unit.side, unit=unit.id)
