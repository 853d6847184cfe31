"""Break Points, rout, and how a battle ends."""

from __future__ import annotations

from typing import Any

from sandtable.engine.events import Event, gain, several
from sandtable.engine.game import Flow, Game
from sandtable.engine.ruleset import Result
from sandtable.field.reckoning import BattleOver
from sandtable.rulesets.hof.core.state import State, other, teams_of

BREAK_POINTS = {1: 1, 2: 1, 3: 1, 4: 2, 5: 2, 6: 3}
"""hof.battle.break-roll"""


# Break Points.


def break_roll(game: Game[State], side: str, cause: str, *rules: str, **of: Any) -> Flow[None]:
    """The opponent rolls, and the force gains Break Points. With hidden totals nobody learns how many.

    `of` is what the cause names, for programs.
    """
    company = game.state.companies[side]
    throw = yield from game.throw(other(side), 1, "Break Points")
    points = BREAK_POINTS[throw.value]
    company.break_points += points
    company.break_rolls += 1
    cited = ["hof.battle.break-roll", "hof.battle.break-limit", *rules]
    text = f"{side} gains {several(points, 'Break Point')}, {cause}: {company.break_points} of {company.break_limit}."
    data = {"side": side, "points": points, "total": company.break_points, "limit": company.break_limit, **of}
    data |= gain(side, "Break Points", points)
    event = Event("break", text, cited, side, [throw], [], data)
    if game.setup.options.hidden_break_points:
        event.only = []
        event.others = Event("break", f"{side} gains Break Points, {cause}.", cited, side, data={"side": side, **of})
    game.tell_event(event)


def rout_test(game: Game[State], side: str, moment: str) -> None:
    """hof.battle.rout: above its Break Limit, and not merely at it, at one of the moments that the rule names.

    `moment` holds no token: how a battle ended is kept in the state, and is no line of the log.
    """
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
