"""Break Points, rout, the objectives, and how a battle ends."""

from __future__ import annotations

import numpy as np

from sandtable.engine.events import Event, several
from sandtable.engine.game import Flow, Game
from sandtable.engine.ruleset import Result
from sandtable.rulesets.hof.battle.zones import Lurkers
from sandtable.rulesets.hof.core.board import ANYBODY, FOOT, board
from sandtable.rulesets.hof.core.state import NEAR_OBJECTIVE, SIDES, State, other, teams_of
from sandtable.table import distance as measure
from sandtable.table.hairs import EXACT, SLACK
from sandtable.table.shapes import Floats

BREAK_POINTS = {1: 1, 2: 1, 3: 1, 4: 2, 5: 2, 6: 3}
"""hof.battle.break-roll"""

ALONE = {FOOT[side] | ANYBODY[side]: side for side in SIDES}
EVERYBODY = sum(FOOT.values()) + sum(ANYBODY.values())
"""Who is at an objective, as flags: Infantry of one side and nobody of the other, and Infantry of both."""


class BattleOver(Exception):
    """The battle has been decided; `state.result` says how."""


# Break Points.


def break_roll(game: Game[State], side: str, cause: str, *rules: str) -> Flow[None]:
    """The opponent rolls, and the force gains Break Points. With hidden totals nobody learns how many."""
    company = game.state.companies[side]
    throw = yield from game.throw(other(side), 1, "Break Points")
    points = BREAK_POINTS[throw.value]
    company.break_points += points
    company.break_rolls += 1
    cited = ["hof.battle.break-roll", "hof.battle.break-limit", *rules]
    text = f"{side} gains {several(points, 'Break Point')}, {cause}: {company.break_points} of {company.break_limit}."
    data = {"side": side, "points": points, "total": company.break_points, "limit": company.break_limit}
    event = Event("break", text, cited, side, [throw], [], data)
    if game.setup.options.hidden_break_points:
        event.only = []
        event.others = Event("break", f"{side} gains Break Points, {cause}.", cited, side, data={"side": side})
    game.tell_event(event)


def rout_test(game: Game[State], side: str, moment: str) -> None:
    """hof.battle.rout: above its Break Limit, and not merely at it, at one of the moments that the rule names."""
    company = game.state.companies[side]
    if company.break_points > company.break_limit:
        points = several(company.break_points, "Break Point")
        reason = f"{side} routs: {moment}, with {points} and a limit of {company.break_limit}"
        end_battle(game, other(side), reason, "hof.battle.rout")


def lose_if_nobody_left(game: Game[State], side: str) -> None:
    """A force that has no Team on the table, and none still to come, has lost."""
    if not any(
        team.at is not None or team.where not in ("rear", "off-board") for _, team in teams_of(game.state, side)
    ):
        end_battle(game, other(side), f"{side} has no Team left", "hof.battle.rout")


def end_battle(game: Game[State], winner: str, reason: str, rule: str) -> None:
    state = game.state
    # Units whose loss would have been settled next: nothing of them is left.
    for unit in [unit for unit in state.units.values() if not unit.teams]:
        del state.units[unit.id]
    state.result = Result(winner, reason, rule)
    state.phase = "over"
    totals = {name: company.break_points for name, company in state.companies.items()}
    game.tell("battle-over", f"{winner} wins: {reason}.", rule, seat=winner, winner=winner, break_points=totals)
    raise BattleOver


# Objectives.


def update_control(game: Game[State]) -> None:
    """See who controls each objective now, and whether the loss of one, or the enemy's claim, makes a force rout."""
    state = game.state
    if not state.objectives:
        return
    here = board(game)
    defender = other(state.attacker)
    hiding = here.force(state, defender).lurking
    table = (here.version, tuple(hiding), tuple(state.moved))
    if here.judged == table:
        return
    here.judged = table
    known: tuple[object, Floats] | None = here.memo.get("objectives")
    if known is None or known[0] is not state.objectives:
        at = np.array([objective.at for objective in state.objectives.values()])
        known = here.memo["objectives"] = state.objectives, at
    near = measure.flags_near(here.rows, here.flags, known[1], NEAR_OBJECTIVE + EXACT)
    lurkers = Lurkers(game) if hiding else None
    for flags, (name, objective) in zip(near, state.objectives.items(), strict=True):
        holder = ALONE.get(flags, "")
        if lurkers is not None and holder != defender and lurkers.could_hold(objective.at):
            holder = defender
        was = objective.holder
        if holder == was:
            continue
        objective.holder = holder
        rules = control_rules(flags, holder)
        title = objective.name or name
        text = f"{holder} controls {title}." if holder else f"{was} no longer controls {title}."
        game.tell("objective", text, *rules, seat=holder or was, objective=name, holder=holder, was=was)
        if was:
            rout_test(game, was, f"it has lost control of {title}")
        if holder:
            rout_test(game, other(holder), f"the enemy has claimed {title}")


def control_rules(near: int, holder: str) -> tuple[str, ...]:
    """The rules that say who controls an objective."""
    if holder != ALONE.get(near, ""):
        return ("hof.battle.hidden-hold-objectives",)
    if not holder and near not in (0, EVERYBODY):
        return ("hof.battle.objective-control", "hof.battle.objective-contest", "hof.orders.team-categories")
    return ("hof.battle.objective-control",)


# The end of a round.


def end_of_round(game: Game[State]) -> Flow[None]:
    """What the round costs both sides, and the end of the battle after the last of them."""
    update_control(game)
    state = game.state
    attacker, defender = state.attacker, other(state.attacker)
    holders = [objective.holder for objective in state.objectives.values()]
    if any(holder != attacker for holder in holders):
        cause = "it does not control all objectives"
        yield from break_roll(game, attacker, cause, "hof.battle.break-attacker-round")
    if half_invaded(game, defender):
        yield from break_roll(game, defender, "the enemy is on its half", "hof.battle.break-defender-half")
    for name, objective in state.objectives.items():
        if objective.holder != defender:
            cause = f"it does not control {objective.name or name}"
            yield from break_roll(game, defender, cause, "hof.battle.break-defender-objectives")
    if state.round >= game.setup.rounds:
        last_round(game)


def half_invaded(game: Game[State], defender: str) -> bool:
    """Whether any part of an enemy base lies on the Defender's half of the table."""
    here = board(game)
    middle = here.ground.depth / 2
    south = game.state.edges[defender] == "south"
    line = middle - SLACK if south else middle + SLACK
    return measure.any_beyond(here.rows, here.side(other(defender)).rows, line, below=south)


def last_round(game: Game[State]) -> None:
    """hof.field.round-limit: the side that has more Break Points left to its limit wins, the Defender on a tie."""
    left = {side: company.break_limit - company.break_points for side, company in game.state.companies.items()}
    attacker = game.state.attacker
    winner = attacker if left[attacker] > left[other(attacker)] else other(attacker)
    standing = [f"{side} is {from_limit(left[side])}" for side in (attacker, other(attacker))]
    reason = f"after {several(game.setup.rounds, 'round')} {' and '.join(standing)}"
    end_battle(game, winner, reason, "hof.field.round-limit")


def from_limit(left: int) -> str:
    """How far from breaking a force is, in words."""
    if left == 0:
        return "at its Break Limit"
    return f"{left} short of its Break Limit" if left > 0 else f"{-left} past its Break Limit"
