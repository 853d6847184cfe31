"""What the board keeps between questions is what a board made anew would say."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
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


@pytest.mark.parametrize("scenario", HOF.scenarios())
def test_a_copy_that_begins_where_another_began_has_the_same_board(scenario: str) -> None:
    """Who has moved, come or been lost in the copy before it is no matter to the next."""
    assert HOF.switched is not None
    game: Game[State] = Game(HOF, HOF.switched(scenario, some_switches(HOF, 6)), SeededDice(6))
    random, shared, changed = Random(6), 0, 0
    while game.ask is not None:
        if game.ask.checkpoint and random.random() < 0.2:
            first = game.fork(1)
            start = board(first)
            for _ in range(12):
                if first.ask is not None:
                    first.accept(first.ask.question.sample(random))
            second = game.fork(2)
            here = board(second)
            shared += here.line_up is start.line_up
            changed += not np.array_equal(here.rows, start.rows, equal_nan=True)
            kept, second.scratch, second.kin.scratch = told(second), None, None
            anew = board(second)
            assert anew.line_up is not here.line_up
            assert told(second) == kept, f"after {len(game.record)} answers"
            assert np.array_equal(anew.rows, here.rows, equal_nan=True)
            assert (anew.index, anew.slots, anew.motorised) == (here.index, here.slots, here.motorised)
            assert anew.flags.tolist() == here.flags.tolist()
        game.accept(game.ask.question.sample(random))
    assert shared > 10
    assert changed > 5


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
