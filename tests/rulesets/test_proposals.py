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


ALONE = 6.5
"""A Leader is alone who is farther than this from the nearest of his men."""


def away_from_men(game: Game[Any]) -> dict[str, float]:
    """How far each Leader on the table is from the nearest of his men, by Unit."""
    found = {}
    for unit in game.state.units.values():
        if unit.leader is None or unit.leader.at is None:
            continue
        men = [team.at for team in unit.teams.values() if team is not unit.leader and team.at is not None]
        if men:
            found[unit.id] = min(math.dist(unit.leader.at, at) for at in men)
    return found


@pytest.mark.parametrize(("name", "scenario", "seed"), [("hof", "city-block", 0), ("tr14", "crossroads", 1)])
def test_no_proposal_takes_a_leader_away_from_his_men(name: str, scenario: str, seed: int) -> None:
    """In the first something stops the men of a platoon on their way, and not him: he went on alone, 7 inches."""
    rules = rulesets.load(name)
    game = Game(rules, rules.scenario(scenario), SeededDice(seed))
    for seat in rules.seats:
        for habit in rules.habits:
            if habit.usual:
                game.leave(habit.standing(seat))
    while game.ask is not None and rules.turn(game.state) <= 4:
        apart, thrown = away_from_men(game), game.dice.count
        game.accept(game.ask.question.candidates(1)[0])
        if game.dice.count == thrown:
            # Whom dice have stopped or killed is no proposal's doing.
            for unit, far in away_from_men(game).items():
                assert far <= max(ALONE, apart.get(unit, 0.0)), unit
