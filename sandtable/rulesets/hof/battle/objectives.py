"""Objectives: who controls them, and what a round costs whoever has lost his."""

from __future__ import annotations

from typing import Any

import numpy as np

from sandtable.engine.events import gain, several
from sandtable.engine.game import Flow
from sandtable.field.kept import Kept, KeptOne
from sandtable.rulesets.hof.battle.zones import Lurkers
from sandtable.rulesets.hof.core.board import ANYBODY, FOOT, Battle, board
from sandtable.rulesets.hof.core.state import NEAR_OBJECTIVE, SIDES, other
from sandtable.rulesets.hof.kernels import neighbours
from sandtable.rulesets.hof.morale import break_roll, end_battle, rout_test
from sandtable.table.hairs import EXACT, SLACK
from sandtable.table.shapes import Floats

ALONE = {FOOT[side] | ANYBODY[side]: side for side in SIDES}

EVERYBODY = sum(FOOT.values()) + sum(ANYBODY.values())
"""Who is at an objective, as flags: Infantry of one side and nobody of the other, and Infantry of both."""


JUDGED = KeptOne[tuple[int, tuple[object, ...], tuple[str, ...]]]()
"""The board's version, who hid and who had moved when control was judged last."""

PLACES = Kept[tuple[str, ...], Floats]()
"""Where the objectives of these names lie."""


def update_control(game: Battle) -> None:
    """See who controls each objective now, and whether the loss of one, or the enemy's claim, makes a force rout."""
    state = game.state
    if not state.objectives:
        return
    here = board(game)
    hiding = here.force(state, other(state.attacker)).lurking
    now = (here.version, tuple(hiding), tuple(state.moved))
    if JUDGED.of(here) == now:
        return
    JUDGED.keep(here, now)
    for (name, objective), (flags, holder) in zip(state.objectives.items(), holders(game), strict=True):
        was = objective.holder
        if holder == was:
            continue
        objective.holder = holder
        rules = control_rules(flags, holder)
        title = objective.name or name
        text = f"{holder} controls {title}." if holder else f"{was} no longer controls {title}."
        data: dict[str, Any] = {"objective": name, "holder": holder, "was": was, "at": list(objective.at)}
        if holder:
            data |= gain(holder, "Objectives", 1)
        game.tell("objective", text, *rules, seat=holder or was, **data)
        if was:
            rout_test(game, was, f"it has lost control of {title}")
        if holder:
            rout_test(game, other(holder), f"the enemy has claimed {title}")


def holders(game: Battle) -> list[tuple[int, str]]:
    """Of each objective who is near it, as flags, and who controls it as everybody stands."""
    state = game.state
    if not state.objectives:
        return []
    here = board(game)
    defender = other(state.attacker)
    places = PLACES.of(here)
    key = tuple(state.objectives)
    if key not in places:
        places[key] = np.array([objective.at for objective in state.objectives.values()])
    near = neighbours.flags_near(here.rows, here.flags, places[key], NEAR_OBJECTIVE + EXACT)
    hiding = here.force(state, defender).lurking
    lurkers: Lurkers | None = None
    found = []
    for flags, objective in zip(near, state.objectives.values(), strict=True):
        holder = ALONE.get(flags, "")
        if hiding and holder != defender:
            lurkers = lurkers or Lurkers(game)
            holder = defender if lurkers.could_hold(objective.at) else holder
        found.append((flags, holder))
    return found


def from_afar(near: int, holder: str) -> bool:
    """Whether an objective is held by Hidden Teams who could appear there, and by nobody who stands there."""
    return holder != ALONE.get(near, "")


def control_rules(near: int, holder: str) -> tuple[str, ...]:
    """The rules that say who controls an objective."""
    if from_afar(near, holder):
        return ("hof.battle.hidden-hold-objectives",)
    if not holder and near not in (0, EVERYBODY):
        return ("hof.battle.objective-control", "hof.battle.objective-contest", "hof.orders.team-categories")
    return ("hof.battle.objective-control",)


def end_of_round(game: Battle) -> Flow[None]:
    """What the round costs both sides, and the end of the battle after the last of them."""
    update_control(game)
    state = game.state
    attacker, defender = state.attacker, other(state.attacker)
    if any(objective.holder != attacker for objective in state.objectives.values()):
        cause = "it does not control all objectives"
        yield from break_roll(game, attacker, cause, "hof.battle.break-attacker-round")
    if half_invaded(game, defender):
        yield from break_roll(game, defender, "the enemy is on its half", "hof.battle.break-defender-half")
    for name, objective in state.objectives.items():
        if objective.holder != defender:
            cause = f"it does not control {objective.name or name}"
            at = list(objective.at)
            yield from break_roll(game, defender, cause, "hof.battle.break-defender-objectives", objective=name, at=at)
    if state.round >= game.setup.rounds:
        last_round(game)


def half_invaded(game: Battle, defender: str) -> bool:
    """Whether any part of an enemy base lies on the Defender's half of the table."""
    here = board(game)
    middle = here.ground.depth / 2
    south = game.state.edges[defender] == "south"
    line = middle - SLACK if south else middle + SLACK
    return neighbours.any_beyond(here.rows, here.enemies(defender).rows, line, below=south)


def last_round(game: Battle) -> None:
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
