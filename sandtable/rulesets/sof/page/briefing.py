"""What each side is told before the battle: who attacks, how it is won and lost, and what ends it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from sandtable.engine.cards import Briefing, Fact, UnitCard
from sandtable.engine.events import several
from sandtable.field import rosters
from sandtable.field.facts import amid, in_a_row
from sandtable.rulesets.sof.core.board import Battle
from sandtable.rulesets.sof.core.state import Side, other
from sandtable.rulesets.sof.missions import BY_AN_OBJECTIVE


def briefing(roster: Callable[[Battle, str | None], list[UnitCard]], game: Battle, seat: str | None) -> Briefing:
    """Nothing is hidden in this game."""
    attacker = game.setup.attacker.capitalize()
    lines = Fact("Who attacks", f"{attacker}.", "sof.turn.start-order"), end(game)
    rules = ("sof.mission-core.control-most-units", "sof.morale.battlegroup-removed")
    return rosters.briefing(seat, lines, partial(win, game), rules, partial(task, game), partial(roster, game, seat))


def task(game: Battle, side: Side) -> str:
    places = [amid(each.name or name) for name, each in game.setup.objectives.items()]
    enemy = other(side).capitalize()
    if not places:
        return f"Break {enemy}."
    return f"Control more than {enemy} of {in_a_row(places)}."


def win(game: Battle, side: Side) -> str:
    """How a side wins: by what it controls at the end, or because the other has nobody left."""
    enemy = other(side).capitalize()
    broken = f"{enemy}'s battlegroups are broken"
    if not game.setup.objectives:
        return f"{broken}."
    near = f"more of its units than {enemy}'s are within {BY_AN_OBJECTIVE:g} inches of it, infantry of the core first"
    return f"At the end it controls more objectives: {near}. Or {broken}."


def end(game: Battle) -> Fact:
    words = f"The Start Phase after {several(game.setup.turns, 'turn')}, or a side that is broken. Equal is a draw."
    return Fact("What ends it", words, "sof.mission-core.end-timing")
