"""Order Dice: who gives one, and the Order Points that they make."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandtable.engine.events import gain, several
from sandtable.engine.game import Flow, Game
from sandtable.field.kept import Kept
from sandtable.field.moments import Moment
from sandtable.rulesets.hof.core.board import Board, board
from sandtable.rulesets.hof.core.state import State, Team, Unit, counts_for_strength

ORDER_NEEDED = 4


EXTRA_POINT = 1


NO_DICE = ("sniper", "bunker", "riders")
"""Kinds of Units that give no Order Dice."""


AWAY = ("reserve", "off-board")


EXTRA_POINTS: Moment[Callable[[Game[State], str], tuple[int, list[str]]]] = Moment()
"""Order Points that a side has besides those of its dice, and by which rules."""


def dice_givers(game: Game[State], side: str) -> tuple[list[str], list[str]]:
    """For each who gives an Order Die the rule: Platoon Leaders, Vehicle Units, and whoever counts as one.

    And the rules by which others give none because of what the enemy did to them.
    """
    found: list[str] = []
    under_fire = shaken = False
    here = board(game)
    force = here.force(game.state, side)
    for unit in force.units:
        if not unit.vehicles:
            continue
        teams = fighting(here, unit)
        if vehicle_unit_shaken(unit, teams):
            shaken = True
        elif unit.kind not in NO_DICE:
            # hof.battle.reserve-no-dice, hof.artillery.fo-order-die: its Forward Observer may be there without it.
            for team in teams:
                if team.where not in AWAY:
                    found.append("hof.orders.order-dice")
                    break
    for unit, team in force.heads:
        role = team.role
        if team.rfps:
            under_fire = under_fire or (not unit.vehicles and unit.leader is team)
        elif unit.kind in NO_DICE or team.where in AWAY:
            continue
        elif role == "pl":
            found.append("hof.orders.order-dice")
        elif role == "cc" and game.setup.options.commander:
            found.append("hof.optional.cc-order-die")
        elif role == "fo" and unit.off_board:
            found.append("hof.artillery.fo-order-die")
    silenced = ["hof.orders.pl-with-rfp-no-die"] if under_fire else []
    return found, [*silenced, "hof.orders.vehicle-unit-no-die"] if shaken else silenced


FIGHTING = Kept[tuple[str, ...], list[Team]]()
"""By the ids of a Unit's Teams."""


def fighting(here: Board, unit: Unit) -> list[Team]:
    """The Teams of a Unit that count for its strength: found once, until one is lost."""
    key = tuple(unit.teams)
    return FIGHTING.once(here, key, lambda: [team for team in unit.teams.values() if counts_for_strength(team)])


def vehicle_unit_shaken(unit: Unit, teams: list[Team]) -> bool:
    """hof.orders.vehicle-unit-no-die: half or more of its starting Teams destroyed, Suppressed or under fire."""
    sound = [team for team in teams if not team.suppressed and not team.rfps]
    return 2 * len(sound) <= unit.starting


def roll_order_dice(game: Game[State], side: str) -> Flow[int]:
    """Roll the Order Dice; the first of them is the Hero Die. Returns what it shows, 0 without any die."""
    state = game.state
    company = state.companies[side]
    givers, silent = dice_givers(game, side)
    throw = yield from game.throw(side, len(givers), "Order Dice")
    points = sum([value >= ORDER_NEEDED for value in throw.values])
    bonus = EXTRA_POINT
    rules = ["hof.orders.order-dice", "hof.orders.order-plus-one", *givers]
    for extra in EXTRA_POINTS:
        points_more, cited = extra(game, side)
        bonus += points_more
        rules += cited
    company.order_points = points + bonus
    hero = throw.values[0] if givers else 0
    if givers:
        rules.append("hof.orders.hero-die-is-order-die")
    rules += silent
    made = several(company.order_points, "Order Point")
    text = f"{side} rolls {several(len(givers), 'Order Die', 'Order Dice')}: {points} and {bonus} more make {made}."
    data: dict[str, Any] = {"points": company.order_points, "hero_die": hero}
    data |= gain(side, "Order Points", company.order_points)
    game.tell("order-dice", text, *dict.fromkeys(rules), seat=side, dice=[throw], **data)
    return hero
