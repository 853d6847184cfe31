"""Where bots think of having Hidden Teams appear."""

from __future__ import annotations

import math

from sandtable import rulesets
from sandtable.bots.steady_bot import SteadyBot
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.engine.questions import Idea
from sandtable.engine.seat import Seat
from sandtable.rulesets.hof.battle.hidden import OUTPOST
from sandtable.rulesets.hof.core.state import State, units_of


def about_to_appear() -> tuple[Game[State], list[Idea]]:
    """The Defender of the patrol when the Attacker has acted for the first time, and whom he may think of revealing."""
    rules = rulesets.load("hof")
    game: Game[State] = Game(rules, rules.scenario("patrol"), SeededDice(3))
    steady = SteadyBot()
    while game.ask is not None and game.ask.question.topic != "react":
        game.accept(steady.choose(Seat(game, game.ask.seat)))
    game.accept("reveal")
    return game, Seat(game, "blue").question.ideas(12)


def test_an_outpost_may_appear_while_its_unit_stays_hidden() -> None:
    game, ideas = about_to_appear()
    rifles = next(unit for unit in units_of(game.state, "blue") if len(unit.teams) > OUTPOST + 2)
    numbers = {len(idea.answer) for idea in ideas if set(idea.answer) <= set(rifles.teams) and idea.answer}
    assert OUTPOST in numbers
    assert max(numbers) > OUTPOST
    leader = rifles.leader
    assert leader is not None
    assert all(leader.id not in idea.answer for idea in ideas if len(idea.answer) == OUTPOST)


def test_the_objective_to_which_the_enemy_is_nearest_is_thought_of_first() -> None:
    game, ideas = about_to_appear()
    enemies = [team.at for unit in units_of(game.state, "red") for team in unit.teams.values() if team.at is not None]
    near = {
        f"appears at {goal.name}": min(math.dist(at, goal.at) for at in enemies)
        for goal in game.state.objectives.values()
    }
    told = list(dict.fromkeys(idea.purpose for idea in ideas if idea.purpose in near))
    assert len(told) > 1
    assert told == sorted(told, key=lambda words: near[words])


def test_nobody_need_appear_and_whoever_does_may() -> None:
    game, ideas = about_to_appear()
    question = Seat(game, "blue").question
    assert ideas[0].answer == {}
    for idea in ideas:
        assert question.check(idea.answer) == idea.answer
