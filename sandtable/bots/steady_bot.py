"""`steady`: answers what the question proposes first. No chance and no looking ahead: the gentle opponent of lessons."""

from __future__ import annotations

from sandtable.engine.questions import Answer
from sandtable.engine.seat import Seat


class SteadyBot:
    def choose(self, seat: Seat) -> Answer:
        return seat.question.candidates(1)[0]
