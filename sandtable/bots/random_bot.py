"""`random`: any legal answer."""

from __future__ import annotations

from random import Random

from sandtable.engine.questions import Answer
from sandtable.engine.seat import Seat


class RandomBot:
    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def choose(self, seat: Seat) -> Answer:
        return seat.question.sample(self.random)
