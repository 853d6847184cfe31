"""Who rides in what: seats of some kinds in some carriers, filled in order, and the question who takes which."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Generic, TypeVar

from sandtable.engine.questions import Assign, Option, Refusal
from sandtable.field.troops import Named

P = TypeVar("P", bound=Named)


@dataclass(slots=True)
class Seats(Generic[P]):
    """Pieces that would ride. `room` says how many seats of each kind a carrier has, `needs` which kind a piece takes.

    `full` says why a piece may not be one more in a carrier.
    """

    riding: Sequence[P]
    room: Mapping[str, Mapping[str, int]]
    needs: Callable[[P], str]
    full: Callable[[str, P], Refusal]

    def filled(self, pieces: Sequence[P]) -> dict[str, str]:
        """The carriers filled in order, as far as there is room."""
        left = {carrier: dict(seats) for carrier, seats in self.room.items()}
        found: dict[str, str] = {}
        for piece in pieces:
            kind = self.needs(piece)
            carrier = next((name for name, seats in left.items() if seats.get(kind)), None)
            if carrier is not None:
                left[carrier][kind] -= 1
                found[piece.id] = carrier
        return found

    def usual(self) -> dict[str, str]:
        return self.filled(self.riding)

    def by_chance(self, random: Random) -> dict[str, str]:
        some = list(self.riding)
        random.shuffle(some)
        return self.filled(some)

    def refuse(self, answer: Mapping[str, str]) -> Refusal | None:
        """Why these may not ride like this: the first carrier that is too full."""
        by_id = {piece.id: piece for piece in self.riding}
        for carrier, seats in self.room.items():
            aboard = [by_id[name] for name, to in answer.items() if to == carrier]
            for kind, number in seats.items():
                taking = [piece for piece in aboard if self.needs(piece) == kind]
                if len(taking) > number:
                    return self.full(carrier, taking[number])
        return None

    def question(
        self, topic: str, words: str, carriers: Sequence[Option], rules: tuple[str, ...], **facts: Any
    ) -> Assign:
        """Who rides in which carrier; whoever is left out goes by himself."""
        return Assign(
            topic,
            words,
            {piece.id: carriers for piece in self.riding},
            rules=rules,
            facts=facts,
            legal=self.refuse,
            proposals=lambda most: [self.usual()],
            chance=self.by_chance,
            needed=True,
            step="deploy",
        )
