"""What each side is told before the battle: who attacks, how it is won and lost, and what ends it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from sandtable.engine.cards import Briefing, Fact, UnitCard
from sandtable.engine.events import several
from sandtable.field import rosters
from sandtable.field.facts import amid, in_a_row
from sandtable.rulesets.hof.battle import OBJECTIVES
from sandtable.rulesets.hof.core.board import Battle
from sandtable.rulesets.hof.core.state import Side, other


def briefing(roster: Callable[[Battle, str | None], list[UnitCard]], game: Battle, seat: str | None) -> Briefing:
    """Made from the set-up and the Break Limits, which everybody may know; the force is the seat's own."""
    defender, rules = other(game.setup.attacker).capitalize(), ("hof.battle.rout", "hof.battle.rout")
    roles = Fact("Who attacks", f"{attack(game)}. {defender} defends.", "hof.battle.roles")
    lines, cards = (roles, end(game)), partial(roster, game, seat)
    return rosters.briefing(seat, lines, partial(win, game), rules, partial(task, game), cards)


def attack(game: Battle) -> str:
    attacker = game.setup.attacker
    if game.setup.phase == "objectives" and not game.setup.objectives:
        # The Defender has still to choose his edge.
        return attacker.capitalize()
    return f"{attacker.capitalize()}, from the {game.setup.edges[attacker]}"


def task(game: Battle, side: Side) -> str:
    enemy = other(side).capitalize()
    places = prizes(game)
    if not places:
        return f"Break {enemy}."
    if side == game.setup.attacker:
        return f"Take {places}, and break {enemy}."
    return f"Hold {places} until {enemy} breaks."


def prizes(game: Battle) -> str:
    """The objectives in words; empty if the battle has none."""
    named = [amid(objective.name or name) for name, objective in game.setup.objectives.items()]
    if not named and game.setup.phase == "objectives":
        return f"the {OBJECTIVES} objectives that are declared first"
    return in_a_row(named)


def win(game: Battle, side: Side) -> str:
    """How a side wins: the other one breaks."""
    enemy = other(side)
    attacks = enemy == game.setup.attacker
    name, limit = enemy.capitalize(), game.state.companies[enemy].break_limit
    moments, causes = ["Morale Check", "destroyed Unit"], ["for Units below half strength or destroyed"]
    if prizes(game):
        moments += ["lost objective", f"objective that {side.capitalize()} claims"]
        every = "while it does not hold all objectives" if attacks else "for every objective that it does not hold"
        causes.append(f"each round {every}")
    if not attacks:
        causes.append("each round with an enemy on its half")
    return (
        f"{name} routs: above {limit} Break Points, at its next {in_a_row(moments, 'or')}. "
        f"It gains them {in_a_row(causes)}."
    )


def end(game: Battle) -> Fact:
    words = (
        f"A rout, or the loss of a side's last Team. After {several(game.setup.rounds, 'round')} the side farther from "
        f"its Break Limit wins, and {other(game.setup.attacker).capitalize()} if they are equally far."
    )
    return Fact("What ends it", words, "hof.field.round-limit")
