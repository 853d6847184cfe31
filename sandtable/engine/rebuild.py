"""A game rebuilt from its record: begun anew or from a state that was kept, its answers given once more.

Saves, the server's database, the past of a game and the copies of bots all come back this way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from sandtable.engine.dice import Dice
from sandtable.engine.errors import SandtableError
from sandtable.engine.game import Entry, Game, Observer
from sandtable.engine.questions import Refusal
from sandtable.engine.ruleset import Ruleset


class NotRebuilt(SandtableError):
    """A state that these rules cannot read."""


class Start(msgspec.Struct, frozen=True):
    """Where a game is taken up in its midst: how many dice had fallen, and the state in MessagePack."""

    dice: int
    state: bytes


def begin(
    rules: Ruleset, setup: Any, dice: Dice, start: Start | None = None, observers: tuple[Observer, ...] = ()
) -> Game[Any]:
    """The game before the first answer that will be given again."""
    if start is None:
        return Game(rules, setup, dice, observers=observers)
    try:
        # Not decoded as the type at once: what a state of older rules lacks is told in words that name the field.
        state = msgspec.convert(msgspec.msgpack.decode(start.state), rules.state_type)
    except msgspec.ValidationError as error:
        raise NotRebuilt(str(error)) from None
    dice.count = start.dice
    return Game(rules, setup, dice, observers=observers, state=state)


def give(game: Game[Any], entry: Entry) -> str | None:
    """Give a recorded answer again, if the same is asked and it is legal; else why not."""
    ask = game.ask
    if ask is None:
        return "the game is already over here"
    if (ask.seat, ask.question.topic) != (entry.seat, entry.topic):
        return f"{ask.seat} is asked for {ask.question.topic!r}, the file answers {entry.topic!r} for {entry.seat}"
    checked = ask.question.check(entry.answer)
    if isinstance(checked, Refusal):
        return f"it is refused now: {checked}"
    game.accept(checked, entry.by)
    return None


def differences(game: Game[Any], entries: Iterable[Entry], hashes: Mapping[int, str] | None = None) -> Iterator[str]:
    """Give answers again, one by one, and tell what goes another way than it did; one that is refused ends it.

    `hashes` are those of the state after some numbers of answers. Whoever asks for the first difference alone stops the
    game there.
    """
    known = hashes or {}
    for number, entry in enumerate([None, *entries]):
        problem = None if entry is None else give(game, entry)
        if problem is not None:
            yield f"answer {number}: {problem}"
            return
        if number in known and game.hash() != known[number]:
            yield f"after {number} answers the state is not the one recorded"


def give_all(game: Game[Any], entries: Iterable[Entry]) -> None:
    """Give answers again as long as they are taken."""
    for entry in entries:
        if give(game, entry) is not None:
            return


def follow(game: Game[Any], entries: Iterable[Entry]) -> None:
    """Give answers again that this very game has taken under these very rules: nothing is checked."""
    for entry in entries:
        game.accept(entry.answer, entry.by)
