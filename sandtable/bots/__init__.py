"""Players that are programs. They see what a player sees: a view and a question, never the truth behind it."""

from __future__ import annotations

from collections.abc import Callable

from sandtable.engine.errors import SandtableError
from sandtable.engine.seat import Player


class UnknownBot(SandtableError):
    """A name that no bot has."""


def _random(seed: int) -> Player:
    from sandtable.bots.random_bot import RandomBot

    return RandomBot(seed)


def _greedy(seed: int) -> Player:
    from sandtable.bots.greedy_bot import GreedyBot

    return GreedyBot(seed)


def _steady(seed: int) -> Player:
    from sandtable.bots.steady_bot import SteadyBot

    return SteadyBot()


BOTS: dict[str, Callable[[int], Player]] = {"random": _random, "greedy": _greedy, "steady": _steady}


def make(name: str, seed: int) -> Player:
    if name not in BOTS:
        raise UnknownBot(f"there is no bot {name!r}; known: {', '.join(BOTS)}, or program:COMMAND for your own")
    return BOTS[name](seed)
