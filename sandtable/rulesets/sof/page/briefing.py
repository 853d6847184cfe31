"""What each side is told before the battle: who attacks, how it is won and lost, and what ends it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from sandtable.engine.cards import Briefing, Fact, UnitCard
from sandtable.engine.events import several
from sandtable.field import rosters
from sandtable.field.facts import amid, in_a_row
from sandtable.rulesets.sof.core.board import Battle
from sandtable.rulesets.sof.core.names import FIGURE
from sandtable.rulesets.sof.core.state import Side, other
from sandtable.rulesets.sof.missions import BY_AN_OBJECTIVE, mission_of


def briefing(roster: Callable[[Battle, str | None], list[UnitCard]], game: Battle, seat: str | None) -> Briefing:
    """Nothing is hidden in this game."""
    mission = mission_of(game)
    won = mission.rules["victory"] if mission is not None else "sof.mission-core.control-most-units"
    rules = (won, "sof.morale.battlegroup-removed")
    lines = attack(game), end(game)
    cards = partial(roster, game, seat)
    return rosters.briefing(seat, lines, partial(win, game), rules, partial(task, game), cards, FIGURE)


def attack(game: Battle) -> Fact:
    """Who attacks, in which mission, and which special rules are in force."""
    mission = mission_of(game)
    if mission is None:
        return Fact("Who attacks", f"{game.setup.attacker.capitalize()}.", "sof.turn.start-order")
    rolled = game.state.phase != "attacker"
    who = game.state.attacker.capitalize() if rolled else "A die decides, with the attack modifiers"
    return Fact("Who attacks", f"{who}. {mission.title}: {in_a_row(mission.special())}.", mission.rules["special"])


def task(game: Battle, side: Side) -> str:
    enemy = other(side).capitalize()
    goals = game.state.objectives
    mission = mission_of(game)
    if not goals and mission is not None:
        return f"Control more objectives than {enemy}: {several(len(mission.objectives), 'objective')} will be placed."
    if not goals:
        return f"Break {enemy}."
    return f"Control more than {enemy} of {in_a_row([amid(each.name or name) for name, each in goals.items()])}."


def win(game: Battle, side: Side) -> str:
    """How a side wins: by what it controls at the end, or because the other has nobody left."""
    enemy = other(side).capitalize()
    broken = f"{enemy}'s battlegroups are broken"
    mission = mission_of(game)
    if not game.state.objectives and mission is None:
        return f"{broken}."
    own = side.capitalize()
    near = f"An objective is controlled by more units within {BY_AN_OBJECTIVE:g} inches, core infantry first."
    at_once = (
        f" Or {own} controls all of them at the end of any turn." if mission is not None and mission.at_once else ""
    )
    return f"{own} controls more objectives than {enemy} at the end. {near}{at_once} Or {broken}."


def end(game: Battle) -> Fact:
    words = f"The Start Phase after {several(game.setup.turns, 'turn')}, or a side that is broken. Equal is a draw."
    return Fact("What ends it", words, "sof.mission-core.end-timing")
