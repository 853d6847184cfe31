"""A Check that has been thrown: what it needed, what spoke for and against it, and whether it passed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sandtable.engine.dice import Throw
from sandtable.engine.events import Modifier
from sandtable.engine.game import Game


@dataclass(slots=True)
class Check:
    """One die, or several thrown together. `rules` are those that had a say in it."""

    throw: Throw
    needed: int
    modifiers: list[Modifier] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)

    def tell(self, game: Game[Any], kind: str, text: str, *rules: str, **data: Any) -> None:
        """Tell what came of it, by which rules besides those that had a say in the dice."""
        told = {**data, "needed": self.needed, "passed": self.passed}
        cited = dict.fromkeys((*rules, *self.rules))
        game.tell(kind, text, *cited, seat=self.throw.seat, dice=[self.throw], modifiers=self.modifiers, **told)

    @property
    def passes(self) -> int:
        return sum(value >= self.needed for value in self.throw.values)

    @property
    def passed(self) -> bool:
        return max(self.throw.values) >= self.needed

    @property
    def failed(self) -> list[int]:
        """Which dice have failed."""
        return [index for index, value in enumerate(self.throw.values) if value < self.needed]
