"""Whether exact odds are what happens: attacks met in random games, each played out many times with other dice."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from sandtable.engine.cards import Odds
from sandtable.engine.dice import Dice, SeededDice
from sandtable.engine.game import Game
from sandtable.engine.odds import odds
from sandtable.engine.questions import Answer
from sandtable.engine.ruleset import Ruleset
from sandtable.engine.seat import Seat
from sandtable.testing.situations.checking import Failed
from sandtable.testing.situations.files import find_files, load
from sandtable.testing.situations.playing import play_variant, variants

ERRORS = 4.0
"""So many standard errors may lie between what is computed and what happens."""

IMPOSSIBLE = 1e-9


@dataclass
class Attack:
    """A game at the question that an attack answers, the answer, and its exact odds."""

    game: Game[Any]
    seat: str
    answer: Answer
    odds: Odds


def attacks(
    rules: Ruleset[Any, Any, Any], setup: Any, seed: int, most: int, topics: Collection[str] = ()
) -> Iterator[Attack]:
    """Attacks met in a random game, each to be played out before the next is asked for: at most so many.

    `topics` are the questions to look at, or all that have odds.
    """
    game: Game[Any] = Game(rules, setup, SeededDice(seed))
    random = Random(seed)
    while game.ask is not None and most:
        if game.ask.question.topic in (topics or rules.display.previews):
            seat = Seat(game, game.ask.seat)
            answer = random.choice(game.ask.question.candidates(6))
            found = odds(seat, answer)
            if isinstance(found, Odds) and len(found.chances) > 1:
                most -= 1
                yield Attack(game, game.ask.seat, answer, found)
        assert game.ask is not None
        game.accept(game.ask.question.sample(random))


def attacks_of(game: Game[Any]) -> Iterator[Attack]:
    """The attacks in the record of a game that have odds, the last first; each is to be used before the next."""
    for number, entry in reversed(list(enumerate(game.record))):
        if entry.topic in game.rules.display.previews:
            game.rewind(number)
            found = odds(Seat(game, entry.seat), entry.answer)
            if isinstance(found, Odds) and found.chances:
                yield Attack(game, entry.seat, entry.answer, found)


def look_in_situations(folder: Path, look: Callable[[Attack], None], each: int) -> Counter[str]:
    """Play the situations of a folder and show at most so many attacks that answer a question of each topic.

    Returns how many they were, by topic. Attacks are found there that games by chance seldom come to.
    """
    seen: Counter[str] = Counter()

    def watch(game: Game[Any]) -> None:
        assert game.ask is not None
        question, seat = game.ask.question, game.ask.seat
        if question.topic not in game.rules.display.previews or seen[question.topic] >= each:
            return
        answer = Random(len(game.record)).choice(question.candidates(6))
        found = odds(Seat(game, seat), answer)
        if isinstance(found, Odds) and found.chances:
            seen[question.topic] += 1
            look(Attack(game, seat, answer, found))

    for path in find_files([folder]):
        situation, text = load(path)
        moments = situation.moments(text, str(path))
        for variant, number in variants(situation):
            with suppress(Failed):
                # That situations hold is looked at elsewhere.
                play_variant(situation, variant, number, moments[number + 1], watch=watch)
    return seen


@dataclass
class Played:
    """What came of many plays of an attack: how often it ended in which words, and what its numbers were."""

    plays: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    numbers: dict[str, Counter[int]] = field(default_factory=dict)


class NotedDice:
    """The dice of a copy, with a note of every throw after they were handed over: how many dice, of how many sides."""

    def __init__(self, dice: Dice) -> None:
        self.dice = dice
        self.throws: list[tuple[int, int]] = []
        self.faces: list[int] = []

    @property
    def count(self) -> int:
        return self.dice.count

    @count.setter
    def count(self, count: int) -> None:
        self.dice.count = count

    def draw(self, number: int, sides: int) -> list[int]:
        faces = self.dice.draw(number, sides)
        assert faces is not None, "a copy throws its own dice"
        self.throws.append((number, sides))
        self.faces += faces
        return faces


class End(msgspec.Struct, frozen=True):
    """How an attack ended, and its numbers."""

    words: str
    numbers: Mapping[str, int]


class Tree:
    """What came of an attack by the dice that fell, one after the other: more are thrown then, or it ends.

    A game is a function of its dice. So an attack whose dice have all fallen before, one by one, in another play of it,
    ends as that play did and is not gone through again.
    """

    def __init__(self) -> None:
        self.after: dict[tuple[int, ...], tuple[int, int] | End] = {}

    def end(self, dice: SeededDice) -> End | None:
        """How the attack ends with these dice, if it has come to that end before."""
        faces: tuple[int, ...] = ()
        found = self.after.get(faces)
        while found is not None and not isinstance(found, End):
            faces += tuple(dice.draw(*found))
            found = self.after.get(faces)
        return found

    def keep(self, dice: NotedDice, end: End) -> None:
        at = 0
        for number, sides in dice.throws:
            self.after[tuple(dice.faces[:at])] = number, sides
            at += number
        self.after[tuple(dice.faces)] = end


def play_out(attack: Attack, plays: int, seed: int = 0) -> Played:
    """Play an attack many times: from its answer on, until something is asked that comes after it."""
    played = Played(plays)
    tree = Tree()
    for number in range(plays):
        end = tree.end(SeededDice(seed + number))
        if end is None:
            end, dice = play_once(attack, seed + number)
            tree.keep(dice, end)
        played.ends[end.words] += 1
        for name, value in end.numbers.items():
            played.numbers.setdefault(name, Counter())[value] += 1
    return played


def play_once(attack: Attack, seed: int) -> tuple[End, NotedDice]:
    """Play an attack with the dice of a seed."""
    display, given = attack.game.rules.display, attack.odds.given
    twin = attack.game.fork(seed)
    twin.dice = dice = NotedDice(twin.dice)
    told = len(twin.events)
    twin.accept(attack.answer)
    while twin.ask is not None and not twin.ask.checkpoint and twin.ask.question.topic in attack.odds.taken:
        topic = twin.ask.question.topic
        twin.accept(given[topic] if topic in given else twin.ask.question.candidates(1)[0])
    events = twin.seen(attack.seat, told)
    return End(display.outcome(events), display.tally(events)), dice


def disagreements(attack: Attack, played: Played) -> list[str]:
    """Where odds and play differ by more than four standard errors, in words."""
    exact = {chance.words: chance.share for chance in attack.odds.chances}
    found = list(apart("ends", exact, played.ends, played.plays))
    for spread in attack.odds.spreads:
        counted = played.numbers.get(spread.name, Counter())
        found += apart(spread.name, dict(spread.chances), counted, played.plays)
    return found


def apart(name: str, exact: dict[Any, float], counted: Counter[Any], plays: int) -> Iterator[str]:
    """The outcomes whose share of the plays is not their chance."""
    total = math.fsum(exact.values())
    if abs(total - 1.0) > IMPOSSIBLE:
        yield f"{name}: the chances add up to {total}"
    for outcome in counted:
        if exact.get(outcome, 0.0) < IMPOSSIBLE:
            yield f"{name}: {outcome!r} cannot happen, and did {counted[outcome]} times in {plays}"
    for outcome, chance in exact.items():
        # A whole play more or less is no disagreement where hardly any is expected.
        room = ERRORS * math.sqrt(plays * chance * max(0.0, 1.0 - chance)) + 1.0
        if abs(counted[outcome] - plays * chance) > room:
            yield f"{name}: {outcome!r} should happen {chance:.6f}, did {counted[outcome]} times in {plays}"
