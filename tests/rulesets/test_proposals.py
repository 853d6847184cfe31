"""Whoever only says yes: what a question proposes first must be safe."""

from __future__ import annotations

import math
from typing import Any

import pytest

from sandtable import rulesets
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game

TURNS = 3
AHEAD = 3.0
"""A Leader is ahead of his men who is nearer to the enemy than all of them by more than this."""


def alone_ahead(game: Game[Any], side: str, first: dict[str, int]) -> list[str]:
    """The Leaders of a side who stand before their men, where at least half of them are left."""
    units = game.state.units.values()
    enemies = [team.at for unit in units if unit.side != side for team in unit.teams.values() if team.at is not None]
    found = []
    for unit in units:
        if unit.side != side or unit.leader is None or unit.leader.at is None or not enemies:
            continue
        leader = unit.leader.at
        men = [team.at for team in unit.teams.values() if team is not unit.leader and team.at is not None]
        near = [min(math.dist(at, enemy) for enemy in enemies) for at in men]
        own = min(math.dist(leader, enemy) for enemy in enemies)
        nearest = min((math.dist(leader, at) for at in men), default=0.0)
        if 2 * len(men) >= first[unit.id] and own + AHEAD < min(near) and nearest > AHEAD:
            found.append(unit.id)
    return found


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(("name", "scenario"), [("hof", "city-block"), ("hof", "ridge"), ("tr14", "crossroads")])
def test_who_always_says_yes_never_sends_leaders_forward_alone(name: str, scenario: str, seed: int) -> None:
    rules = rulesets.load(name)
    game = Game(rules, rules.scenario(scenario), SeededDice(seed))
    turn, before = rules.turn(game.state), ""
    first = {unit.id: len(unit.teams) for unit in game.state.units.values()}
    while game.ask is not None and rules.turn(game.state) <= TURNS:
        asked = game.ask
        if asked.question.step == "who" and (asked.seat, rules.turn(game.state)) != (before, turn):
            # Somebody else is about to act: whoever acted before has ended his turn, or an Initiative.
            if before:
                assert alone_ahead(game, before, first) == []
            before, turn = asked.seat, rules.turn(game.state)
        game.accept(asked.question.candidates(1)[0])
    assert rules.turn(game.state) > 1
