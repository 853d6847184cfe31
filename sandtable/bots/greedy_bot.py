"""`greedy`: it plays its plans out in fair copies of the game and keeps what leaves it best off.

Written against questions alone: whatever a ruleset asks, its ideas and its `worth` are enough to play it. A plan is an
answer and, where that leads to more questions of its own order (what, where, at whom), the answers to those.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from sandtable.engine.questions import Answer, Idea, Refusal
from sandtable.engine.seat import Seat

IDEAS = 20
"""How many answers to a question are looked at."""

FOLLOWED = 3
"""How many plans, the best so far, are carried one question further."""

DEPTH = 2
"""How many further questions of an order a plan answers by choice; the rest are answered at first thought."""

BRANCHES = 12
"""How many answers are looked at in each of these."""

SHORT_LIST = 4
"""How many plans, the best, are tried again with other dice."""

TRIES = 3
"""How often."""

MOST_ANSWERS = 60
"""How far a look follows the game to the end of what the answer sets going."""

BY_CHOICE = ("what", "where", "whom")
"""The parts of an order that a plan settles by choice."""

GAIN = 0.15
"""An answer that does something must promise so much more than one that does nothing."""


class Plan:
    """Answers to give one after the other, what they are for, and what came of them in looks."""

    def __init__(self, answers: list[Answer], purpose: str) -> None:
        self.answers = answers
        self.purpose = purpose
        self.value = 0.0
        self.more: list[Idea] = []


class GreedyBot:
    def __init__(self, seed: int, weights: Mapping[str, float] | None = None) -> None:
        self.random = Random(seed)
        self.weights = weights

    def choose(self, seat: Seat) -> Answer:
        ideas = seat.question.ideas(IDEAS)
        if len(ideas) == 1:
            return ideas[0].answer
        seed = self.random.getrandbits(32)
        plans = [Plan([idea.answer], idea.purpose) for idea in ideas]
        for plan in plans:
            if not self.look(seat, plan, seed):
                return ideas[0].answer
        best = self.carry_on(seat, plans, seed)
        return self.try_again(seat, best).answers[0]

    def carry_on(self, seat: Seat, plans: list[Plan], seed: int) -> list[Plan]:
        """The best plan for each first answer, after the most promising have been thought through."""
        found = {number: plan for number, plan in enumerate(plans)}
        for _ in range(DEPTH):
            leading = sorted((number for number in found if found[number].more), key=lambda n: -found[n].value)
            for number in leading[:FOLLOWED]:
                plan = found[number]
                ideas, plan.more = plan.more, []
                for idea in ideas:
                    longer = Plan([*plan.answers, idea.answer], idea.purpose)
                    self.look(seat, longer, seed)
                    if longer.value > found[number].value or (found[number] is plan and longer.value == plan.value):
                        found[number] = longer
        return list(found.values())

    def try_again(self, seat: Seat, plans: list[Plan]) -> Plan:
        """The best of the most promising by other dice than those by which they were found."""
        ranked = sorted(plans, key=lambda plan: -plan.value)[:SHORT_LIST]
        seeds = [self.random.getrandbits(32) for _ in range(TRIES)]
        values = [sum(self.value(seat, plan.answers, seed) for seed in seeds) / TRIES for plan in ranked]
        best = max(range(len(ranked)), key=lambda number: values[number])
        return ranked[best]

    def value(self, seat: Seat, answers: list[Answer], seed: int) -> float:
        plan = Plan(answers, "")
        self.look(seat, plan, seed)
        return plan.value

    def look(self, seat: Seat, plan: Plan, seed: int) -> bool:
        """Note what the position is worth when a plan has run its course; false if it cannot be imagined.

        The enemy replies as he proposes to first, or as he does next, whichever is worse for the seat.
        """
        found = self.run(seat, plan, seed, 0)
        if found is None:
            return False
        plan.value, replied = found
        if replied:
            other = self.run(seat, plan, seed, 1)
            if other is not None:
                plan.value = min(plan.value, other[0])
        return True

    def run(self, seat: Seat, plan: Plan, seed: int, manner: int) -> tuple[float, bool] | None:
        """What comes of a plan if the enemy replies in such a manner, and whether he had a choice."""
        twin = seat.look(seed)
        if twin is None:
            return None
        replied = False
        waiting = iter(plan.answers[1:])
        following: Answer = next(waiting, None)
        twin.accept(plan.answers[0])
        for _ in range(MOST_ANSWERS):
            ask = twin.ask
            if ask is None or ask.checkpoint:
                break
            question = ask.question
            if ask.seat != seat.name:
                replies = question.candidates(2)
                replied = replied or len(replies) > 1
                twin.accept(replies[min(manner, len(replies) - 1)])
                continue
            answer: Answer = None
            if question.step in BY_CHOICE:
                if following is not None:
                    checked = question.check(following)
                    following = next(waiting, None)
                    answer = None if isinstance(checked, Refusal) else checked
                elif not plan.more and manner == 0 and len(plan.answers) <= DEPTH:
                    plan.more = question.ideas(BRANCHES)
            twin.accept(question.candidates(1)[0] if answer is None else answer)
        return sum(seat.parts(twin, self.weights).values()), replied
