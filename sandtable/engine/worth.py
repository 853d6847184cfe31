"""What a position is worth to a side: some things that decide battles, each counted, and how much each weighs.

A ruleset says what it counts (`weigh`) and names the weights (`terms`); bots add up, and tell by the same names why
they chose. Whoever looks ahead counts in an imagined game, so nothing is counted there that its seat may not know.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from sandtable.engine.game import Game


class Term(NamedTuple):
    """One thing that counts: how much one of it weighs, and in words what it is to have more of it.

    `passing`: it says what may come of a position, and is gone with the next move; the account of a battle leaves it
    out.
    """

    weight: float
    words: str
    passing: bool = False


@dataclass(frozen=True)
class Worth:
    """What a position is worth. `weigh` counts each term for a seat, its own less the enemy's."""

    weigh: Callable[[Game[Any], str], Mapping[str, float]]
    terms: Mapping[str, Term]

    def parts(self, game: Game[Any], seat: str, weights: Mapping[str, float] | None = None) -> dict[str, float]:
        """What each term adds; `weights` are other weights than the usual, by name."""
        usual = self.terms
        if weights:
            return {
                name: count * weights.get(name, usual[name].weight) for name, count in self.weigh(game, seat).items()
            }
        return {name: count * usual[name].weight for name, count in self.weigh(game, seat).items()}

    def __call__(self, game: Game[Any], seat: str) -> float:
        return sum(self.parts(game, seat).values())

    def lasting(self, game: Game[Any], seat: str) -> dict[str, float]:
        """What each term adds that is there to stay: troops, ground and points, not who might fire at whom."""
        return {name: part for name, part in self.parts(game, seat).items() if not self.terms[name].passing}
