"""A Check that has been thrown: what it needed, what spoke for and against it, and whether it passed."""

from __future__ import annotations

from dataclasses import dataclass, field

from sandtable.engine.dice import Throw
from sandtable.engine.events import Modifier


@dataclass(slots=True)
class Check:
    """One die, or several thrown together. `rules` are those that had a say in it."""

    throw: Throw
    needed: int
    modifiers: list[Modifier] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)

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
