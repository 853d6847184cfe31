"""What each side is told before the battle: who attacks, how it is won and lost, and what ends it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from sandtable.engine.cards import Briefing, Fact, UnitCard
from sandtable.engine.events import several
from sandtable.field import rosters
from sandtable.field.facts import amid, in_a_row
from sandtable.rulesets.tr14.core.board import Battle
from sandtable.rulesets.tr14.core.state import SIDES, Objective, Side, other


def briefing(roster: Callable[[Battle, str | None], list[UnitCard]], game: Battle, seat: str | None) -> Briefing:
    """Nothing is hidden in this game."""
    lines = Fact("Who attacks", attack(game), "tr14.battle.objectives"), end(game)
    rules, cards = ("tr14.battle.end", "tr14.leaders.company-morale"), partial(roster, game, seat)
    return rosters.briefing(seat, lines, partial(win, game), rules, partial(task, game), cards)


def attack(game: Battle) -> str:
    held = {side: [prize(*each) for each in game.setup.objectives.items() if each[1].holder == side] for side in SIDES}
    holding = [
        f"{side.capitalize()} holds {in_a_row(places)} from the start." for side, places in held.items() if places
    ]
    if holding:
        return " ".join(holding)
    taking = " An unsuppressed Team by an objective takes it at the end of a round, if no such enemy is there."
    return f"Both sides.{taking if game.setup.objectives else ''}"


def prize(name: str, objective: Objective) -> str:
    """An objective, and what it is worth if that is more than one."""
    words = amid(objective.name or name)
    return words if objective.worth == 1 else f"{words} (worth {objective.worth})"


def task(game: Battle, side: Side) -> str:
    enemy = other(side).capitalize()
    places = [prize(*each) for each in game.setup.objectives.items()]
    if not places:
        return f"Drive {enemy} from the table."
    return f"Hold more than {enemy} of {in_a_row(places)}."


def win(game: Battle, side: Side) -> str:
    """How a side wins: by what it holds at the end, or because the other company gives up before."""
    enemy = other(side).capitalize()
    gives_up = (
        f"{enemy} gives up: it has no Unit left, or has fewer than half and its Company Commander fails his Check"
    )
    if not game.setup.objectives:
        return f"{gives_up}."
    return f"At the end {side.capitalize()} holds objectives worth more than those of {enemy}. Or {gives_up}."


def end(game: Battle) -> Fact:
    words = f"The last of {several(game.setup.rounds, 'round')}, or a company that gives up. Equal worth is a draw."
    return Fact("What ends it", words, "tr14.battle.end")
