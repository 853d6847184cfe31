"""Lessons: a small battle with a guide, who says at some questions what to look at, which answer to try, and why.

A lesson is a file of a ruleset: a set-up and steps. The rules are the real ones, and nothing waits for the guide: a
step belongs to a question, and is over when that is answered in whatever way. A step that does not fit what is asked,
or whose answer could not be given, is not shown. Only what the guided seat is asked and sees decides about that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any

import msgspec

from sandtable.engine.events import Event
from sandtable.engine.game import Entry, Game, Observer
from sandtable.engine.ledger import Ledger
from sandtable.engine.numbers import Whole
from sandtable.engine.questions import Answer, Assign, MovePieces, Question, Refusal
from sandtable.engine.standing import ANY, Condition, answer_words, holds
from sandtable.engine.toml_lines import Steps
from sandtable.table.scene import Point


class Happened(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Something that has happened since the guided seat last answered: an event of a kind, whose data meet conditions.

    Its seat is one of the data, as `seat`.
    """

    kind: str
    only: list[Condition] = []

    def fits(self, event: Event) -> bool:
        facts = {**event.data, "seat": event.seat}
        return event.kind == self.kind and all(condition.holds(facts) for condition in self.only)


class LessonStep(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """What is said at a question: a title and a few sentences, what they point at, an answer to try, the rules behind.

    It belongs to the first question of its `topic` (several with spaces; any, if none is named) whose facts meet
    `only`, from the first to the last of its `turns`, and `after` something has happened. `points` are Units or Teams,
    `places` points on the table. The answer to try is given as it is; or as the proposal that ends `near` a place; or
    it is what is `proposed` first.
    For a question that gives each of several things an option, the name of one option means: to all who may have it.
    An `aside` comes whenever it fits, or never; it is not counted among the steps of the lesson.
    """

    title: str
    says: str
    topic: str = ANY
    only: list[Condition] = []
    turns: tuple[int, int] | None = None
    after: Happened | None = None
    points: list[str] = []
    places: list[Point] = []
    answer: Answer = None
    near: Point | None = None
    proposed: bool = False
    rules: list[str] = []
    aside: bool = False

    @property
    def tries(self) -> bool:
        return self.answer is not None or self.near is not None or self.proposed

    def belongs(self, question: Question, turn: int, news: Sequence[Event]) -> bool:
        topics = self.topic.split()
        if question.topic not in topics and ANY not in topics:
            return False
        if self.turns is not None and not self.turns[0] <= turn <= self.turns[1]:
            return False
        if self.after is not None and not any(self.after.fits(event) for event in news):
            return False
        return all(holds(condition, question) for condition in self.only)

    def answer_to(self, question: Question) -> Answer | None:
        """The answer to try, if the question would take it."""
        if self.proposed:
            return question.candidates(1)[0]
        if self.near is not None:
            return nearest(question, self.near)
        wanted = self.answer
        if isinstance(question, Assign) and isinstance(wanted, str):
            able = [item for item, options in question.items.items() if any(each.id == wanted for each in options)]
            wanted = dict.fromkeys(able, wanted)
            if not wanted:
                return None
        checked = question.check(wanted)
        return None if isinstance(checked, Refusal) else checked


PROPOSALS = 24
"""So many proposals are looked at for the one that ends nearest to a place."""


def nearest(question: Question, place: Point) -> Answer | None:
    """The proposal whose pieces end nearest to a place; None where nothing moves."""
    if not isinstance(question, MovePieces):
        return None

    def far(answer: Answer) -> float:
        ends: list[Point] = [step["to"] for step in answer.values()]
        return sum((x - place[0]) ** 2 + (y - place[1]) ** 2 for x, y in ends) / len(ends)

    moving = [answer for answer in question.candidates(PROPOSALS) if answer]
    return min(moving, key=far) if moving else None


class Lesson(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """The file of a lesson, whatever the game; each adds its own `format` and `setup`.

    `about` is a line for whoever chooses, `learns` what he will have learnt. He plays the `seat` against the `bot`;
    with the `seed`, the dice of a lesson fall alike for everybody who does what it says. `ends` is said when the battle
    is over.
    """

    title: str
    about: str
    learns: list[str] = []
    minutes: Whole
    seat: str
    bot: str
    seed: Whole
    setup: Any
    steps: list[LessonStep]
    ends: str = ""


class GuideStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """A step as it is shown: which of how many it is (0 for an aside), and the answer to try, also in words."""

    number: int
    title: str
    says: str
    points: list[str] = []
    places: list[Point] = []
    answer: Answer = None
    said: str = ""
    rules: list[str] = []


class GuideCard(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the guide says at the question now asked: looks first, and one answer to try at the end.

    When the battle is over, it says `ends`.
    """

    of: int
    steps: list[GuideStep] = []
    ends: str = ""


class Guide(Observer):
    """Follows one game for the seat that a lesson guides. What has been met follows from the record alone."""

    def __init__(self, lesson: Lesson) -> None:
        self.lesson = lesson
        counted = accumulate(not step.aside for step in lesson.steps)
        self._numbers = [0 if step.aside else int(number) for step, number in zip(lesson.steps, counted, strict=True)]
        self.met: list[Sequence[int]] = []
        self._number = -1
        self._now: list[tuple[int, Answer]] = []

    def asks(self, game: Game[Any]) -> None:
        # Found out before anything is answered: afterwards the state is another.
        self._number = -1
        self._look(game)

    def answered(self, game: Game[Any], entry: Entry) -> None:
        number = len(game.record) - 1
        # A question that the game went back to is the one that was put before.
        before = self.met[number] if number < len(self.met) else ()
        shown = [step for step, _ in self._now] if self._number == number else before
        own = entry.seat == self.lesson.seat and not entry.by
        self.met = [*self.met[:number], *[()] * (number - len(self.met)), shown if own else ()]

    def card(self, game: Game[Any]) -> GuideCard | None:
        """What is said now; None if there is nothing to say."""
        ask = game.ask
        if ask is None:
            return self.farewell()
        found = self._look(game)
        if not found:
            return None
        steps = []
        for index, answer in found:
            step, number = self.lesson.steps[index], self._numbers[index]
            said = answer_words(ask.question, answer) if answer is not None else ""
            steps.append(GuideStep(number, step.title, step.says, step.points, step.places, answer, said, step.rules))
        return GuideCard(max(self._numbers), steps)

    def farewell(self) -> GuideCard | None:
        """What is said when the battle is over."""
        return GuideCard(max(self._numbers), ends=self.lesson.ends) if self.lesson.ends else None

    def _look(self, game: Game[Any]) -> list[tuple[int, Answer]]:
        """What fits the question now asked; a game that went back is looked at anew."""
        if self._number != len(game.record):
            self._number = len(game.record)
            self._now = list(self._find(game))
        return self._now

    def _find(self, game: Game[Any]) -> Iterator[tuple[int, Answer]]:
        """The steps that fit the question, up to the first with an answer to try."""
        ask, seat = game.ask, self.lesson.seat
        if ask is None or ask.seat != seat:
            return
        met = {step for steps in self.met[: len(game.record)] for step in steps}
        turn, news = game.rules.turn(game.state), game.seen(seat, self._heard(game))
        for number, step in enumerate(self.lesson.steps):
            if number in met or not step.belongs(ask.question, turn, news):
                continue
            answer = step.answer_to(ask.question) if step.tries else None
            if step.tries and answer is None:
                continue
            yield number, answer
            if step.tries:
                return

    def _heard(self, game: Game[Any]) -> int:
        """How many events the seat knew when it last answered itself."""
        for number in range(len(game.record) - 1, -1, -1):
            entry = game.record[number]
            if entry.seat == self.lesson.seat and not entry.by:
                return game.marks[number]
        return 0


# What may be wrong with one.


def lesson_amiss(lesson: Lesson, seats: Sequence[str], ruleset: str) -> Iterator[tuple[Steps, str]]:
    """What is wrong with a lesson of any game, but for its set-up."""
    if lesson.seat not in seats:
        yield ("seat",), f"there is no seat {lesson.seat!r}; known: {', '.join(seats)}"
    if not lesson.steps:
        yield ("steps",), "a lesson has at least one step"
    if lesson.minutes < 1:
        yield ("minutes",), "give the minutes that it takes, from 1 on"
    known = Ledger.load(ruleset).rules
    for number, step in enumerate(lesson.steps):
        here: Steps = ("steps", number)
        for name in ("title", "says"):
            if not getattr(step, name).strip():
                yield (*here, name), "say something"
        if (step.answer is not None) + (step.near is not None) + step.proposed > 1:
            yield here, "give one of `answer`, `near` and `proposed`"
        if step.turns is not None and step.turns[0] > step.turns[1]:
            yield (*here, "turns"), "give the first turn and the last"
        for index, rule in enumerate(step.rules):
            if rule not in known:
                yield (*here, "rules", index), f"there is no rule {rule!r}"
