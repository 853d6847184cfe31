"""The exact odds of an attack, asked by a seat: in a copy of the game where what the seat may not know is imagined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from sandtable.engine.cards import Odds
from sandtable.engine.game import Game
from sandtable.engine.questions import Answer, Refusal
from sandtable.engine.seat import Seat
from sandtable.table.shapes import Place

MOST_ANSWERS = 40
"""How many questions may come up between a planned step and the attack that follows it."""

MOST_TARGETS = 2
"""Of so many attacks that could follow a planned move the odds are told with it."""

MOST_DICE = 500
"""More than this fall before no attack."""

PLANNED = "Until then everybody does what is proposed to him, and dice show their best."


class NoEnd(Exception):
    """What is thrown for until one side has more is never settled by dice that are all alike."""


class BestDice:
    """Every die shows its highest face."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.last = count + MOST_DICE

    def draw(self, number: int, sides: int) -> list[int]:
        self.count += number
        if self.count > self.last:
            raise NoEnd
        return [sides] * number


def odds(seat: Seat, answer: object, before: Sequence[object] = ()) -> Odds | Refusal | None:
    """The exact odds of an answer; None where there are none, or if too much is hidden to work them out.

    `before` are answers that are planned first, from the question now asked on: a move, say, for the odds of fire from
    where it ends. Questions that come up between them are taken to be answered as they propose.
    """
    if not before:
        checked = seat.question.check(answer)
        return checked if isinstance(checked, Refusal) else exact_odds(seat, checked)
    game = planned(seat, before)
    if game is None or isinstance(game, Refusal):
        return game
    assert game.ask is not None
    checked = game.ask.question.check(answer)
    if isinstance(checked, Refusal):
        return checked
    found = seat.display.odds(game, seat.name, checked)
    return None if found is None else replace(found, assumes=(PLANNED, *found.assumes))


def planned(seat: Seat, before: Sequence[object]) -> Game[Any] | Refusal | None:
    """A copy of the game at the attack that follows some planned answers; None if none follows."""
    game: Game[Any] | None = seat.look(1)
    if game is None:
        return None
    game.dice = BestDice(game.dice.count)
    try:
        for each in before:
            refused = game.answer(each, seat.name)
            if refused is not None:
                return refused
        return game if to_attack(game, seat) else None
    except NoEnd:
        return None


def odds_from_there(seat: Seat, move: object, most: int = MOST_TARGETS) -> list[Odds]:
    """The odds of the attacks that are proposed after a planned move, from where it ends; none if none follows."""
    found = []
    for number in range(most if seat.display.previews else 0):
        # The copy is used up by the odds of one attack.
        game = planned(seat, [move])
        if game is None or isinstance(game, Refusal) or game.ask is None:
            break
        proposed = game.ask.question.candidates(most)
        if number >= len(proposed):
            break
        exact = seat.display.odds(game, seat.name, proposed[number])
        if exact is not None and exact.lines:
            found.append(replace(exact, assumes=(PLANNED, *exact.assumes)))
    return found


def to_attack(game: Game[Any], seat: Seat) -> bool:
    """Go on with what is proposed until a seat is asked about an attack; False if the game comes to none."""
    for _ in range(MOST_ANSWERS):
        if game.ask is None or game.ask.checkpoint:
            return False
        if game.ask.seat == seat.name and game.ask.question.topic in seat.display.previews:
            return True
        game.accept(game.ask.question.candidates(1)[0])
    return False


def odds_from(seat: Seat, places: Mapping[str, Place], target: str) -> Odds | None:
    """The exact odds of fire at a target by pieces that would stand somewhere else; None where there are none."""
    game: Game[Any] | None = seat.look(1)
    return None if game is None else seat.display.odds_from(game, seat.name, places, target)


def exact_odds(seat: Seat, checked: Answer) -> Odds | None:
    """The odds of an answer that is legal."""
    if seat.question.topic not in seat.display.previews:
        return None
    game: Game[Any] | None = seat.look(1)
    return None if game is None else seat.display.odds(game, seat.name, checked)
