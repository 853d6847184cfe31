"""A short game of each ruleset before anybody comes: what a page may ask for is compiled, or read, beforehand.

On a new machine this takes a minute or two, later a few seconds. `python -m sandtable.server.rehearsal` does only this.
"""

from __future__ import annotations

from random import Random
from typing import Any

from sandtable import rulesets
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.engine.preview import preview
from sandtable.engine.questions import MovePieces
from sandtable.engine.ruleset import Ruleset
from sandtable.engine.seat import Seat
from sandtable.field.plan import plan

ANSWERS = 120
LOOK_EVERY = 12


def rehearse() -> None:
    for name in rulesets.names():
        rules = rulesets.load(name)
        play(rules, rules.scenarios()[0])


def play(rules: Ruleset, scenario: str) -> None:
    game: Game[Any] = Game(rules, rules.scenario(scenario), SeededDice(1))
    random = Random(1)
    for number in range(ANSWERS):
        if game.ask is None:
            return
        question, seat = game.ask.question, game.ask.seat
        moving = isinstance(question, MovePieces)
        if moving or question.topic in rules.display.previews or number % LOOK_EVERY == 0:
            look(game, seat)
        game.accept(question.sample(random))


def look(game: Game[Any], seat: str) -> None:
    """Everything that a page might ask at this moment."""
    display, question = game.rules.display, Seat(game, seat).question
    scene = game.rules.scene(game, seat)
    display.roster(game, seat)
    question.describe()
    question.candidates(4)
    middle = (scene.width / 2, scene.depth / 2)
    for piece in scene.pieces[:2]:
        display.outlook(game, seat, piece.id, None)
        display.side_view(game, seat, piece.id, None, middle)
    if isinstance(question, MovePieces):
        plan(game, seat, question.names, middle, None, None)
    if question.topic in display.previews:
        preview(Seat(game, seat), question.candidates(1)[0], trials=2)


if __name__ == "__main__":
    rehearse()
