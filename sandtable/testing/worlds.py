"""Two worlds that differ only in a secret: played side by side, they must look the same to whoever may not know it.

A seat learns more than its view: the events as they read to it, whose turn it is to answer, how many answers
were given, whether it may take one back and why not. `compare` looks through all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import msgspec

from sandtable.engine.dice import Dice
from sandtable.engine.game import Game
from sandtable.engine.questions import Answer, Refusal
from sandtable.testing.laws import LawBroken

Chooser = Callable[[Game[Any], Game[Any], Random], Answer]
"""What the asked seat answers, given both worlds; None ends the comparison: no answer fits both."""


OUTLOOK_EVERY = 16
"""Answers between two looks at what a piece sees: it takes longer than all the rest."""


class ChangedDice:
    """Another source of dice with some of them turned: the die number `count` shows `changes[count]` instead."""

    def __init__(self, source: Dice, changes: dict[int, int]) -> None:
        self.source = source
        self.changes = changes

    @property
    def count(self) -> int:
        return self.source.count

    @count.setter
    def count(self, value: int) -> None:
        self.source.count = value

    def draw(self, number: int, sides: int) -> list[int] | None:
        first = self.source.count
        values = self.source.draw(number, sides)
        if values is None:
            return None
        return [self.changes.get(first + index, value) for index, value in enumerate(values)]


def all_told(game: Game[Any], seat: str | None, since: int = 0) -> dict[str, Any]:
    """Everything that reaches a seat, of the events those that happened since so many."""
    refused = game.may_undo(seat) if seat is not None else None
    display = game.rules.display
    scene = game.rules.scene(game, seat)
    looking = scene.pieces[:1] if len(game.record) % OUTLOOK_EVERY == 0 else []
    return {
        "view": game.view(seat),
        "events": [msgspec.to_builtins(event) for event in game.seen(seat, since)],
        "answers": len(game.record),
        "asked": game.ask.seat if game.ask is not None else None,
        "undo": str(refused) if refused is not None else None,
        "scene": msgspec.to_builtins(scene),
        "status": msgspec.to_builtins(display.status(game, seat)),
        "roster": msgspec.to_builtins(display.roster(game, seat)),
        "briefing": msgspec.to_builtins(display.briefing(game, seat)),
        "profiles": sorted(display.profiles(game)),
        "outlook": [msgspec.to_builtins(display.outlook(game, seat, piece.id, None)) for piece in looking],
    }


def compare(
    first: Game[Any], second: Game[Any], seats: tuple[str | None, ...], since: tuple[int, int] = (0, 0)
) -> None:
    for seat in seats:
        a, b = all_told(first, seat, since[0]), all_told(second, seat, since[1])
        for name in a:
            if a[name] != b[name]:
                where = difference(a[name], b[name], name)
                raise LawBroken(f"answer {len(first.record)}: {seat or 'a watcher'} can tell two worlds apart: {where}")


def difference(a: Any, b: Any, where: str) -> str:
    """The first place at which two plain values differ."""
    if isinstance(a, dict) and isinstance(b, dict):
        for key in [*a, *(key for key in b if key not in a)]:
            if a.get(key, ...) != b.get(key, ...):
                return difference(a.get(key), b.get(key), f"{where}.{key}")
    if isinstance(a, list) and isinstance(b, list):
        for index, (x, y) in enumerate(zip(a, b, strict=False)):
            if x != y:
                return difference(x, y, f"{where}[{index}]")
    return f"{where} is {str(a)[:80]} here and {str(b)[:80]} there"


def play_both(
    first: Game[Any],
    second: Game[Any],
    seats: tuple[str | None, ...],
    choose: Chooser,
    seed: int,
    most: int = 400,
    until: Callable[[Game[Any]], bool] = lambda game: False,
) -> int:
    """Give the same answers in both worlds and compare `all_told` after each. Returns how many were given.

    When a game is over, or `until` says so, the secret may come out by right: that answer is not looked at.
    """
    random = Random(seed)
    compare(first, second, seats)
    count = 0
    while first.ask is not None and second.ask is not None and count < most:
        answer = choose(first, second, random)
        if answer is None:
            break
        told = len(first.events), len(second.events)
        for game in (first, second):
            refused = game.answer(answer)
            if isinstance(refused, Refusal):
                raise LawBroken(f"answer {count}: the worlds do not take the same answers: {refused}")
        if until(first):
            break
        if first.ask is not None and second.ask is not None:
            compare(first, second, seats, told)
        count += 1
    if (first.ask is None) != (second.ask is None) and not until(first):
        raise LawBroken(f"answer {count}: one world is over and the other is not")
    return count
