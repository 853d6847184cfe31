"""Lessons played as they are told, or by chance: `python -m sandtable.testing.lessons RULESET [LESSON] [SEED]`.

It prints every question of the guided seat, what the guide says there and what was answered; with a seed of its own it
shows how the lesson would go with other dice.
"""

from __future__ import annotations

import sys
from random import Random
from typing import Any

import msgspec

from sandtable import bots, rulesets
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.engine.lessons import Guide, GuideCard, Lesson
from sandtable.engine.questions import Answer, Question
from sandtable.engine.ruleset import Ruleset
from sandtable.engine.seat import Seat
from sandtable.engine.standing import answer_words
from sandtable.engine.tokens import plain

MOST_QUESTIONS = 3000


class Shown(msgspec.Struct):
    """A question that was put to the guided seat, after so many events: what the guide said, and what was answered."""

    turn: int
    topic: str
    words: str
    events: int
    card: GuideCard | None
    said: str


class Played(msgspec.Struct):
    """A lesson that was played to its end; `last` is whose order was the last of the battle."""

    lesson: Lesson
    game: Game[Any]
    shown: list[Shown] = []
    last: str = ""

    @property
    def met(self) -> list[int]:
        """The steps that were shown, in their order; without asides."""
        return [step.number for each in self.shown if each.card for step in each.card.steps if step.number]


def begun(rules: Ruleset, lesson: Lesson, seed: int | None = None) -> tuple[Game[Any], Guide]:
    """A lesson's battle at its first question; a person's usual habits are on."""
    guide = Guide(lesson)
    dice = SeededDice(lesson.seed if seed is None else seed)
    game: Game[Any] = Game(rules, lesson.setup, dice, observers=(guide,))
    game.spares = lambda ask: ask.seat == lesson.seat
    for habit in rules.habits:
        if habit.usual:
            game.leave(habit.standing(lesson.seat))
    game.settle()
    return game, guide


def play(rules: Ruleset, lesson: Lesson, seed: int | None = None, chance: Random | None = None) -> Played:
    """A lesson from its first question to its end: as told, and as proposed where nothing is told; or by chance."""
    game, guide = begun(rules, lesson, seed)
    bot = bots.make(lesson.bot, lesson.seed)
    played = Played(lesson, game)
    while game.ask is not None:
        if len(game.record) >= MOST_QUESTIONS:
            raise AssertionError("the lesson does not end")
        seat, question = game.ask.seat, game.ask.question
        if question.step != "reply":
            played.last = seat
        if seat != lesson.seat:
            game.accept(bot.choose(Seat(game, seat)))
            game.settle()
            continue
        card = guide.card(game)
        answer = question.sample(chance) if chance is not None else as_told(card, question)
        said = plain(answer_words(question, answer) or str(answer))
        turn = rules.turn(game.state)
        played.shown.append(Shown(turn, question.topic, plain(question.words), len(game.events), card, said))
        refused = game.answer(answer)
        assert refused is None, f"{question.topic}: {refused}"
    return played


def as_told(card: GuideCard | None, question: Question) -> Answer:
    tried = card.steps[-1].answer if card is not None else None
    return question.candidates(1)[0] if tried is None else tried


def report(played: Played) -> str:
    lines, heard = [], 0
    game, seat = played.game, played.lesson.seat
    for each in played.shown:
        lines += [f"      {plain(event.text)}" for event in game.seen(seat, heard)[: each.events - heard]]
        heard = each.events
        lines.append(f"\nturn {each.turn}, {each.topic}: {each.words}")
        if each.card is not None:
            lines += [f"    {s.number or 'aside'} of {each.card.of}. {s.title}: {s.says}" for s in each.card.steps]
        lines.append(f"  > {each.said}")
    lines += [f"      {plain(event.text)}" for event in game.seen(seat, heard)]
    lines.append(f"\n{len(played.shown)} questions, the last order was {played.last}'s, steps met: {played.met}")
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    if not 1 <= len(arguments) <= 3:
        print("usage: python -m sandtable.testing.lessons RULESET [LESSON] [SEED]", file=sys.stderr)
        return 2
    rules = rulesets.load(arguments[0])
    known = rules.lessons()
    names = arguments[1:2] or list(known)
    for name in names:
        print(f"{known[name].title}")
        print(report(play(rules, known[name], int(arguments[2]) if len(arguments) == 3 else None)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
