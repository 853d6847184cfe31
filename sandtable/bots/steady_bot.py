"""`steady`: answers what the question proposes first, without chance and looking ahead: the gentle one of lessons."""

from __future__ import annotations

from sandtable.engine.questions import Answer
from sandtable.engine.seat import Seat


class SteadyBot:
    def choose(self, seat: Seat) -> Answer:
        return seat.question.candidates(1)[0]
