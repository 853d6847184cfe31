"""The second umpire: it follows a game from outside, recomputes what the rulebook says, and objects.

The rules of a game are tested by situations, which check what their authors thought of. A second umpire checks whole
games. It is written from the source text alone, in plain Python and Shapely, and never calls the code or the kernels
that it checks: of a ruleset it reads the state (plain fields, never a property or a method), the events and the data
files. Each check is a function that is told of one kind of event:

    @book.on("move", "charge")
    def no_farther_than_the_dice_allow(watch: Watch, event: Event) -> None: ...

A check counts what it looked at (`watch.count("moves")`), so that one can tell a quiet umpire from a blind one, and
calls `watch.object_to(rule, words)` where the game broke a rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import msgspec

from sandtable.engine.events import Event
from sandtable.engine.game import ENCODER, Entry, Game, Observer

Check = Callable[["Watch", Event], None]
Look = Callable[["Watch"], None]


class Objection(msgspec.Struct, frozen=True):
    """What the second umpire says against a game: after how many answers, at which event, by which rule, and why."""

    answers: int
    event: str
    rule: str
    words: str

    def __str__(self) -> str:
        return f"after {self.answers} answers, at {self.event or 'the end of the answer'}: {self.words} ({self.rule})"


class Book:
    """The checks of one ruleset, by the kind of event that they look at, in the order in which they were written."""

    def __init__(self) -> None:
        self.by_kind: dict[str, list[Check]] = {}
        self.always: list[Check] = []
        self.each_answer: list[Look] = []
        self.begins: list[Look] = []
        self.ends: list[Look] = []

    def on(self, *kinds: str) -> Callable[[Check], Check]:
        """A check that looks at events of these kinds; without any, at every event."""

        def enter(check: Check) -> Check:
            for kind in kinds:
                self.by_kind.setdefault(kind, []).append(check)
            if not kinds:
                self.always.append(check)
            return check

        return enter

    def at_start(self, look: Look) -> Look:
        self.begins.append(look)
        return look

    def after_answer(self, look: Look) -> Look:
        """A check that looks at the game when an answer has been carried out."""
        self.each_answer.append(look)
        return look

    def at_end(self, look: Look) -> Look:
        self.ends.append(look)
        return look


class Watch(Observer):
    """One game as the second umpire follows it.

    `state` is a copy of the state as it was when the present event was told, `earlier` when the event before it was,
    and `asked` when the present answer was given. `entry` is that answer and `told` are the events of it so far.
    `asking` is the topic of the question that follows the present answer, empty when the game is over.
    `memory` is for the checks: each keeps what it must remember under a name of its own.
    """

    def __init__(self, book: Book) -> None:
        self.book = book
        self.objections: list[Objection] = []
        self.counts: Counter[str] = Counter()
        self.memory: dict[str, Any] = {}
        self.entry: Entry | None = None
        self.told: list[Event] = []
        self.answers = 0
        self.asking = ""
        self.carried_out = True
        self.event: Event | None = None
        self.setup: Any = None
        self.state: Any = None
        self.earlier: Any = None
        self.asked: Any = None
        self.halfway: Any = None
        """Set by a check after an answer: what the next event is to find as the state before it."""

    def count(self, what: str, number: int = 1) -> None:
        self.counts[what] += number

    def object_to(self, rule: str, words: str) -> None:
        kind = self.event.kind if self.event is not None else ""
        self.objections.append(Objection(self.answers, kind, rule, words))

    # What the game tells.

    def before(self, game: Game[Any]) -> None:
        self.setup = game.setup
        self.state = self.earlier = self.asked = copied(game)
        for look in self.book.begins:
            look(self)

    def happened(self, game: Game[Any], event: Event) -> None:
        if len(game.record) != self.answers:
            self.answers = len(game.record)
            self.entry = game.record[-1]
        self.event = event
        self.earlier, self.halfway = self.halfway or self.state, None
        self.state = copied(game)
        self.told.append(event)
        for check in self.book.by_kind.get(event.kind, ()):
            check(self, event)
        for check in self.book.always:
            check(self, event)
        self.event = None

    def answered(self, game: Game[Any], entry: Entry) -> None:
        self.answers = len(game.record)
        self.entry = entry
        self.earlier, self.state = self.state, copied(game)
        self.carried_out = False

    def asks(self, game: Game[Any]) -> None:
        if self.entry is None and self.carried_out:
            # What happens before the first question is nobody's answer.
            self.asked = self.state = copied(game)
        if game.ask is not None:
            self.look_at_the_answer(game.ask.question.topic)

    def after(self, game: Game[Any]) -> None:
        self.look_at_the_answer("")
        for look in self.book.ends:
            look(self)

    def look_at_the_answer(self, asking: str) -> None:
        """An answer has been carried out, and the next question is known."""
        if self.carried_out:
            return
        self.asking, self.carried_out = asking, True
        for look in self.book.each_answer:
            look(self)
        self.asked = self.state
        self.earlier = self.halfway or self.state
        self.told = []


def copied(game: Game[Any]) -> Any:
    """The state as it is now; the game goes on changing its own."""
    return msgspec.msgpack.decode(ENCODER.encode(game.state), type=game.rules.state_type)


def has_umpire(ruleset: str) -> bool:
    """Whether a ruleset has a second umpire."""
    return find_spec(f"{__name__}.{ruleset}") is not None


def second_umpire(ruleset: str) -> Watch:
    """A second umpire for one game of a ruleset: give it to the game as an observer."""
    book: Book = import_module(f"{__name__}.{ruleset}").book
    return Watch(book)
