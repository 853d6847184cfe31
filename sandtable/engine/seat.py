"""A seat at the table: all that a player, human or program, is given. The truth behind it stays out of reach."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from sandtable.engine.events import Event
from sandtable.engine.game import Astray, Entry, Game, Snapshot
from sandtable.engine.questions import Answer, Question

if TYPE_CHECKING:
    from sandtable.engine.ruleset import Display, Guard, Habit
    from sandtable.engine.standing import Standing
    from sandtable.engine.worth import Term
    from sandtable.table.scene import Scene


class Moment(NamedTuple):
    """When a seat is asked: since which checkpoint, after how many answers, and after how many dice."""

    seat: str
    checkpoint: object
    answers: int
    dice: int

    def follows(self, other: Moment) -> bool:
        """Whether this is the next question after another, and no die has fallen between them."""
        alike = self.seat == other.seat and self.checkpoint is other.checkpoint and self.dice == other.dice
        return alike and self.answers == other.answers + 1


class Seat:
    """One side's window on a game."""

    def __init__(self, game: Game[Any], name: str) -> None:
        self._game = game
        self.name = name
        self._followed: tuple[Snapshot | None, list[Entry]] = (None, [])
        """A checkpoint, and the answers since that could be given in what was imagined from it."""

    @property
    def ruleset(self) -> str:
        return self._game.rules.name

    @property
    def question(self) -> Question:
        """The question now asked of this seat."""
        ask = self._game.ask
        assert ask is not None, "nothing is asked"
        assert ask.seat == self.name, "a seat sees only its own questions"
        return ask.question

    @property
    def at_checkpoint(self) -> bool:
        """Whether the question now asked is one of the large ones, at which the game can be taken up again."""
        return self._game.ask is not None and self._game.ask.checkpoint

    @property
    def moment(self) -> Moment:
        """The last checkpoint, and what has happened since, as numbers."""
        game = self._game
        entries = 0 if game.checkpoint is None else game.checkpoint.entries
        return Moment(self.name, game.checkpoint, len(game.record) - entries, len(game.fallen))

    def view(self) -> dict[str, Any]:
        return self._game.view(self.name)

    def guards(self) -> list[Guard]:
        """What is undone or amiss for this seat, in the ruleset's words."""
        return self._game.rules.guards(self._game, self.name)

    @property
    def habits(self) -> tuple[Habit, ...]:
        """Standing answers that players of this game like to leave."""
        return self._game.rules.habits

    @property
    def standing(self) -> list[Standing]:
        """The standing answers that this seat has left."""
        return [each for each in self._game.standing if each.seat == self.name]

    @property
    def display(self) -> Display:
        """What a page shows beside the picture."""
        return self._game.rules.display

    @property
    def turn(self) -> int:
        return self._game.rules.turn(self._game.state)

    def scene(self) -> Scene:
        """The table as it may be drawn for this seat."""
        return self._game.rules.scene(self._game, self.name)

    def events(self, since: int = 0) -> list[Event]:
        return self._game.seen(self.name, since)

    @property
    def event_count(self) -> int:
        return len(self._game.events)

    def look(self, seed: int, *, even: bool = False) -> Game[Any] | None:
        """A copy to try things in: what is hidden from this seat is imagined, and the dice are others.

        `even`: they fall as they do in the long run, each face as often as every other.
        None while too much is hidden to imagine it, or if what has happened since the last checkpoint does not agree
        with what was imagined there.
        """
        self._game.keep_checkpoints()
        rules = self._game.rules
        imagined = rules.imagine(self._game, self.name)
        if imagined is not None and not rules.imagines(imagined, self.name):
            return None
        snapshot = self._game.checkpoint
        since = [] if snapshot is None else self._game.record[snapshot.entries :]
        before, answers = self._followed
        # The same is imagined from the same checkpoint every time.
        known = before is snapshot and len(answers) == len(since) and all(map(operator.is_, answers, since))
        try:
            twin = self._game.fork(seed, imagined, even=even, followed=known)
        except Astray:
            return None
        self._followed = snapshot, since
        return twin

    def worth(self, game: Game[Any]) -> float:
        """What such a copy is worth to this seat."""
        return self._game.rules.worth(game, self.name)

    def parts(self, game: Game[Any], weights: Mapping[str, float] | None = None) -> dict[str, float]:
        """The same by what it is made of; with other weights than the ruleset's, if any are given."""
        return self._game.rules.worth.parts(game, self.name, weights)

    @property
    def terms(self) -> Mapping[str, Term]:
        """What a position is judged by."""
        return self._game.rules.worth.terms


class Player(Protocol):
    """Whoever answers for a seat."""

    def choose(self, seat: Seat) -> Answer: ...


def drive(game: Game[Any], players: Mapping[str, Player], most: int = 1_000_000) -> int:
    """Let players play a game to its end; they propose legal answers. Returns how many they gave."""
    seats = {name: Seat(game, name) for name in players}
    count = 0
    while game.ask is not None and count < most:
        name = game.ask.seat
        game.accept(players[name].choose(seats[name]))
        count += 1
    return count
