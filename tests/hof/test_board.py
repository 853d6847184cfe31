"""What the board keeps between questions is what a board made anew would say."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from sandtable import rulesets
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.rulesets.hof.battle.zones import Lurkers
from sandtable.rulesets.hof.core.board import Board, board, ground_changed
from sandtable.rulesets.hof.core.state import State, other
from sandtable.rulesets.hof.firing.fire_lines import FireTable
from sandtable.testing.soak import some_switches

HOF = rulesets.load("hof")


def told(game: Game[State]) -> list[Any]:
    """Who sees and may fire at whom, who waits, and which objectives Hidden Teams could hold."""
    found: list[Any] = []
    here = board(game)
    for side in HOF.seats:
        ours, theirs = here.side(side), here.side(other(side))
        force = here.force(game.state, side)
        found.append(([team.id for team in force.teams], [team.id for _, team in force.hidden]))
        if ours.teams and theirs.teams:
            found.append(here.sees(ours.teams, theirs.teams).tolist())
            table = FireTable(game, side, ours.members)
            found.append([] if table.empty else table.can.tolist())
    if game.state.phase in ("orders", "gap"):
        lurkers = Lurkers(game)
        found.append([lurkers.could_hold(objective.at) for objective in game.state.objectives.values()])
    return found


@pytest.mark.parametrize("scenario", HOF.scenarios())
def test_what_is_kept_is_what_would_be_found_anew(scenario: str) -> None:
    assert HOF.switched is not None
    game: Game[State] = Game(HOF, HOF.switched(scenario, some_switches(HOF, 5)), SeededDice(5))
    random = Random(5)
    compared = 0
    while game.ask is not None:
        if game.ask.checkpoint and random.random() < 0.2:
            before = told(game)
            kept, last = game.scratch, game.kin.scratch
            game.scratch = game.kin.scratch = None
            assert told(game) == before, f"after {len(game.record)} answers"
            assert isinstance(kept, Board)
            game.scratch, game.kin.scratch = kept, last
            compared += 1
        game.accept(game.ask.question.sample(random))
    assert compared > 10


def test_a_board_made_anew_is_not_taken_for_an_older_one() -> None:
    """What an activation has looked up on one board must not seem to hold on the next, which has other rows."""
    game: Game[State] = Game(HOF, HOF.scenario("patrol"), SeededDice(1))
    versions = set()
    for _ in range(3):
        game.scratch = None
        versions.add(board(game).version)
        ground_changed(game)
        versions.add(board(game).version)
    assert len(versions) == 6
