"""How many questions a person answers: one turn of a battle, played by somebody who keeps the usual habits.

    python -m sandtable.testing.as_a_person hof city-block 8
    python -m sandtable.testing.as_a_person tr14 crossroads 1 --every

He gives every Unit an order before any has a second, and otherwise does what the reference bot would, which stays as it
is, so that figures can be compared over the years. With `--every` each question is printed. `--bare` leaves out habits
and puts every question, also those with one legal answer.
"""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any

import msgspec

from sandtable import rulesets
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Entry, Game, Observer
from sandtable.engine.questions import Answer, Choose
from sandtable.engine.ruleset import Ruleset
from sandtable.engine.seat import Seat
from sandtable.engine.standing import answer_words, only_answer
from sandtable.engine.tokens import plain
from sandtable.lab.reference import ReferenceBot

USAGE = "python -m sandtable.testing.as_a_person RULESET SCENARIO SEED [--every] [--bare]"
AIMED = ("where", "whom")


class Asked(msgspec.Struct):
    """A question that a person answered himself, and whether it belongs to the gesture that answered the one before.

    Dragging a Unit says that it moves, and where; clicking on an enemy says that it fires, and at whom.
    """

    topic: str
    step: str
    words: str
    said: str
    one_answer: bool
    same_gesture: bool


class Tally(Observer):
    """What one seat was asked in a turn, order by order; what was asked in the other side's orders is a reply."""

    def __init__(self, seat: str) -> None:
        self.seat = seat
        self.activations = 0
        self.orders: list[list[Asked]] = []
        self.replies: list[Asked] = []
        self.given = Counter[str]()
        self._aimed = False
        self._dice = self._dice_before = 0

    def asks(self, game: Game[Any]) -> None:
        self._dice_before, self._dice = self._dice, game.dice.count

    def answered(self, game: Game[Any], entry: Entry) -> None:
        assert game.ask is not None
        question = game.ask.question
        if entry.seat != self.seat:
            self._aimed = False
            return
        if question.step == "who" and isinstance(question, Choose):
            chosen = next(option for option in question.options if option.id == entry.answer)
            self.activations += bool(chosen.pieces)
        if entry.by:
            self.given[f"{entry.by}: {question.topic}"] += 1
            return
        same = self._aimed and question.step in AIMED and self._dice == self._dice_before
        self._aimed = question.step == "what"
        alone = bool(only_answer(question))
        said = answer_words(question, entry.answer)
        asked = Asked(question.topic, question.step, plain(question.words), plain(said), alone, same)
        if question.step == "who":
            self.orders.append([])
        if question.step == "reply" or not self.orders:
            self.replies.append(asked)
        else:
            self.orders[-1].append(asked)

    @property
    def asked(self) -> list[Asked]:
        return [*(asked for order in self.orders for asked in order), *self.replies]

    def answers(self, asked: list[Asked]) -> int:
        """How many answers a person gave, a drag or a click on an enemy being one."""
        return sum(not each.same_gesture for each in asked)


class Person:
    """Gives every Unit an order before any has a second; else as the reference bot."""

    def __init__(self, rules: Ruleset, seed: int) -> None:
        self.rules = rules
        self.bot = ReferenceBot(seed)
        self.ordered: set[str] = set()

    def choose(self, game: Game[Any], seat: Seat) -> Answer:
        question = seat.question
        if question.step != "who" or not isinstance(question, Choose):
            return self.bot.choose(seat)
        cards = self.rules.display.roster(game, seat.name)
        units = {team.id: card.id for card in cards for team in card.teams} | {card.id: card.id for card in cards}
        if not any(option.pieces for option in question.options):
            return question.candidates(1)[0]
        fresh = [option for option in question.options if not self.ordered.issuperset(self.of(option.pieces, units))]
        answer = fresh[0].id if fresh else self.bot.choose(seat)
        chosen = next(option for option in question.options if option.id == answer)
        self.ordered.update(self.of(chosen.pieces, units))
        return answer

    @staticmethod
    def of(pieces: tuple[str, ...], units: dict[str, str]) -> set[str]:
        return {units[piece] for piece in pieces if piece in units}


def play_turn(name: str, scenario: str, seed: int, seat: str = "red", *, bare: bool = False) -> Tally:
    """The first turn after deployment, both sides'; what the other side does is the reference bot's choice."""
    rules = rulesets.load(name)
    game: Game[Any] = Game(rules, rules.scenario(scenario), SeededDice(seed))
    while game.ask is not None and game.ask.question.step in ("deploy", ""):
        game.accept(game.ask.question.candidates(1)[0])
    tally = Tally(seat)
    game.observers = (tally,)
    if not bare:
        game.spares = lambda ask: ask.seat == seat
        for habit in rules.habits:
            if habit.usual:
                game.leave(habit.standing(seat))
    person, other = Person(rules, 3), ReferenceBot(1)
    turn = rules.turn(game.state)
    while game.ask is not None and rules.turn(game.state) == turn:
        asked = Seat(game, game.ask.seat)
        answer = person.choose(game, asked) if asked.name == seat else other.choose(asked)
        game.answer(answer)
    return tally


def report(tally: Tally, every: bool) -> str:
    lines = []
    count = max(1, tally.activations)
    for number, order in enumerate(tally.orders, 1):
        lines += [f"order {number}: {tally.answers(order)}"] if every else []
        lines += [f"    {each.topic}: {each.words} {each.said}" for each in order] if every else []
    lines += [f"reply: {each.topic}: {each.words} {each.said}" for each in tally.replies] if every else []
    own = [asked for order in tally.orders for asked in order]
    alone = sum(each.one_answer for each in tally.asked)
    lines.append(f"{len(own)} questions about orders, {len(tally.replies)} in reply, {alone} with one legal answer")
    lines.append(
        f"{count} activations: {len(own) / count:.2f} questions and {tally.answers(own) / count:.2f} answers each, "
        f"{len(tally.asked) / count:.2f} and {tally.answers(tally.asked) / count:.2f} with replies"
    )
    lines.append(f"answers of each order: {[tally.answers(order) for order in tally.orders]}")
    lines.append(f"asked: {dict(Counter(each.topic for each in tally.asked))}")
    lines.append(f"given for him: {dict(tally.given)}")
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    words = [word for word in arguments if not word.startswith("--")]
    if len(words) != 3 or not words[2].isdecimal():
        print(USAGE, file=sys.stderr)
        return 2
    tally = play_turn(words[0], words[1], int(words[2]), bare="--bare" in arguments)
    print(report(tally, "--every" in arguments))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
