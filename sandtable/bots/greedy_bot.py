"""`greedy`: one look ahead. It tries each candidate in fair copies of the game and keeps what leaves it best off.

Written against questions alone: whatever a ruleset asks, its candidates and its `worth` are enough to play it.
"""

from __future__ import annotations

from random import Random

from sandtable.engine.questions import Answer
from sandtable.engine.seat import Seat

CANDIDATES = 7
"""How many answers are tried where the game turns: whose Unit acts next."""

SHORT_LIST = 2
"""How many of those, the best, are tried again with other dice."""

DETAILS = 3
"""How many candidates of a question that settles a detail are tried, once each."""

MOST_ANSWERS = 40
"""How far a look follows the game to the end of what the answer sets going."""


class GreedyBot:
    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def choose(self, seat: Seat) -> Answer:
        question = seat.question
        turning = seat.at_checkpoint
        most = CANDIDATES if turning else DETAILS
        listed = question.answers()
        answers = listed if listed is not None and len(listed) <= most else question.candidates(most)
        if len(answers) == 1:
            return answers[0]
        first, second = self.random.getrandbits(32), self.random.getrandbits(32)
        values = {number: self.look(seat, answer, first) for number, answer in enumerate(answers)}
        ranked = sorted(values, key=lambda number: -values[number])
        if turning:
            again = {
                number: values[number] + self.look(seat, answers[number], second) for number in ranked[:SHORT_LIST]
            }
            ranked = sorted(again, key=lambda number: -again[number])
        return answers[ranked[0]]

    def look(self, seat: Seat, answer: Answer, seed: int) -> float:
        """What the position is worth when this answer has run its course, all others answering at first thought."""
        twin = seat.look(seed)
        if twin is None:
            return 0.0
        twin.accept(answer)
        for _ in range(MOST_ANSWERS):
            if twin.ask is None or twin.ask.checkpoint:
                break
            twin.accept(twin.ask.question.candidates(1)[0])
        return seat.worth(twin)
