"""`greedy`: it plays its plans out in fair copies of the game and keeps what leaves it best off.

Written against questions alone: whatever a ruleset asks, its ideas and its `worth` are enough to play it. A plan is an
answer and, where that leads to more questions of its own order (what, where, at whom), the answers to those.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from random import Random
from typing import NamedTuple

from sandtable.engine.questions import Answer, Choose, Idea, Question, Refusal
from sandtable.engine.seat import Seat


class Care(NamedTuple):
    """How much a question is thought over."""

    ideas: int
    """How many answers to it are looked at."""
    followed: int
    """How many plans, the best so far, are carried further."""
    steps: int
    """By how many questions."""
    branches: int
    """How many answers are looked at there."""
    short_list: int
    """How many plans, the best, are tried again with other dice, and how often."""
    tries: int
    others: int = 0
    """How many answers in all are looked at before nothing is done."""


CARE = {
    "who": Care(6, 0, 0, 0, 2, 1),
    "what": Care(10, 2, 1, 3, 2, 1),
    "where": Care(8, 0, 0, 0, 2, 1),
    "whom": Care(6, 0, 0, 0, 2, 1),
    "deploy": Care(8, 0, 0, 0, 0, 0),
}
A_DETAIL = Care(4, 0, 0, 0, 0, 0)
"""Of whatever else is asked."""

ACT_OR_NOT = Care(12, 2, 2, 4, 2, 4, others=48)
"""Of a large question that may also be answered by doing nothing: what could be done is thought through."""

REACT_OR_NOT = Care(8, 1, 2, 3, 2, 2)
"""Of such a question in the enemy's turn: it is asked often, and seldom is there much to do."""

GAIN = 0.1
"""What an answer that does something must promise more than one that leaves everything as it is."""

DOUBT = 0.4
"""How much worse than doing nothing an answer may seem at first and still be tried again."""

TOLD = 0.05
MOST_TOLD = 3
"""What a gain must be to be told as a reason, and how many are."""

MOST_ANSWERS = 60
"""How far a look follows the game to the end of what the answer sets going."""

BY_CHOICE = ("what", "where", "whom")
"""The parts of an order that a plan settles by choice."""


class Plan:
    """Answers to give one after the other, what they are for, and what came of them in looks."""

    def __init__(self, answers: list[Answer], purpose: str) -> None:
        self.answers = answers
        self.purpose = purpose
        self.parts: dict[str, float] = {}
        """What the position was made of after the last look."""
        self.more: list[Idea] = []

    @property
    def value(self) -> float:
        return sum(self.parts.values())


class GreedyBot:
    def __init__(self, seed: int, weights: Mapping[str, float] | None = None) -> None:
        self.random = Random(seed)
        self.weights = weights
        self.why = ""
        """Why it chose as it did last, in a sentence: from what it weighed, and from nothing else."""

    def choose(self, seat: Seat) -> Answer:
        self.why = ""
        care = care_for(seat)
        ideas = seat.question.ideas(care.ideas)
        if len(ideas) == 1:
            return ideas[0].answer
        seed = self.random.getrandbits(32)
        plans = [Plan([idea.answer], idea.purpose) for idea in ideas]
        for plan in plans:
            if not self.look(seat, plan, seed, care.branches):
                return seat.question.candidates(1)[0]
        self.carry_on(seat, plans, seed, care)
        chosen = self.try_again(seat, plans, care)
        if care.others and chosen.answers[0] == seat.question.rest:
            # Before nothing is done: the answers that were left out, and another throw of the dice for all.
            known = [idea.answer for idea in ideas]
            others = [idea for idea in seat.question.ideas(care.others) if idea.answer not in known]
            more = [Plan([idea.answer], idea.purpose) for idea in others]
            for plan in more:
                self.look(seat, plan, seed)
            plans += more
            chosen = self.try_again(seat, plans, care)
        self.why = reasons(seat, chosen, plans)
        return chosen.answers[0]

    def carry_on(self, seat: Seat, plans: list[Plan], seed: int, care: Care) -> None:
        """Think the most promising plans through, a few questions further."""
        leading = sorted((plan for plan in plans if plan.more), key=lambda plan: -plan.value)
        for plan in leading[: care.followed]:
            last = best = plan
            for step in range(care.steps):
                longer = [Plan([*last.answers, idea.answer], plan.purpose) for idea in last.more]
                if not longer:
                    break
                for each in longer:
                    self.look(seat, each, seed, care.branches if step + 1 < care.steps else 0)
                last = max(longer, key=lambda each: each.value)
                best = max(best, last, key=lambda each: each.value)
            plan.answers, plan.parts = best.answers, best.parts

    def try_again(self, seat: Seat, plans: list[Plan], care: Care) -> Plan:
        """The best of the most promising by other dice than those by which they were found."""
        ranked = sorted(plans, key=lambda plan: -plan.value)
        rest = next((plan for plan in plans if plan.answers[0] == seat.question.rest), None)
        if not care.tries:
            return ranked[0] if rest is None or ranked[0].value > rest.value + GAIN else rest
        seeds = [self.random.getrandbits(32) for _ in range(care.tries)]
        best, most = ranked[0], -math.inf
        if rest is not None:
            ranked.remove(rest)
            best, most = rest, self.on_average(seat, rest, seeds) + GAIN
        for number, plan in enumerate(ranked):
            # To do nothing is settled on only when no plan is better that seemed to be, or nearly so.
            if number >= care.short_list and (best is not rest or plan.value < best.value - DOUBT):
                break
            value = self.on_average(seat, plan, seeds)
            if value > most:
                best, most = plan, value
        return best

    def on_average(self, seat: Seat, plan: Plan, seeds: list[int]) -> float:
        value = sum(self.value(seat, plan.answers, seed) for seed in seeds) / len(seeds)
        if len(plan.answers) > 1:
            # What follows will be thought over again: the first thought may still be the better one.
            value = max(value, sum(self.value(seat, plan.answers[:1], seed) for seed in seeds) / len(seeds))
        return value

    def value(self, seat: Seat, answers: list[Answer], seed: int) -> float:
        plan = Plan(answers, "")
        self.look(seat, plan, seed)
        return plan.value

    def look(self, seat: Seat, plan: Plan, seed: int, branches: int = 0) -> bool:
        """Note what the position is worth when a plan has run its course; false if it cannot be imagined.

        Where the plan says nothing of a question of its own order, up to so many answers to it are noted.
        """
        twin = seat.look(seed, even=True)
        if twin is None:
            return False
        waiting = plan.answers[1:]
        thrown = twin.dice.count
        if seat.at_checkpoint and plan.answers[0] == seat.question.rest:
            # What comes of doing nothing comes anyway, whatever is done before: chance need not have a say in it.
            plan.parts = seat.parts(twin, self.weights)
            return True
        twin.accept(plan.answers[0])
        for _ in range(MOST_ANSWERS):
            ask = twin.ask
            if ask is None or (ask.checkpoint and (ask.seat != seat.name or twin.dice.count != thrown)):
                break
            question = ask.question
            if ask.seat != seat.name:
                twin.accept(likely_reply(question))
                continue
            answer: Answer = None
            if question.step in BY_CHOICE:
                if waiting:
                    checked = question.check(waiting[0])
                    waiting = waiting[1:]
                    answer = None if isinstance(checked, Refusal) else checked
                elif branches and not plan.more:
                    plan.more = question.ideas(branches)
            elif question.rest is not None:
                # What the plan says nothing of is left as it is.
                answer = question.rest
            twin.accept(question.candidates(1)[0] if answer is None else answer)
        plan.parts = seat.parts(twin, self.weights)
        return True


def care_for(seat: Seat) -> Care:
    if seat.at_checkpoint and seat.question.rest is not None:
        return REACT_OR_NOT if seat.question.step == "reply" else ACT_OR_NOT
    return CARE.get(seat.question.step, A_DETAIL)


def reasons(seat: Seat, chosen: Plan, plans: list[Plan]) -> str:
    """What a plan is for, and what it was found to gain over doing nothing, or else over the other plans on average."""
    what = chosen.purpose or seat.question.topic
    rest = seat.question.rest
    if rest is not None and chosen.answers[0] == rest:
        return f"{what}: nothing else promised more."
    idle = [plan for plan in plans if rest is not None and plan.answers[0] == rest]
    others = idle or [plan for plan in plans if plan is not chosen]
    gains = {
        name: part - sum(plan.parts.get(name, 0.0) for plan in others) / len(others)
        for name, part in chosen.parts.items()
    }
    best = sorted((name for name in gains if gains[name] >= TOLD), key=lambda name: -gains[name])[:MOST_TOLD]
    told = ", ".join(f"{seat.terms[name].words} ({gains[name]:+.1f})" for name in best)
    return f"{what}: {told or 'as good as anything else'}."


def likely_reply(question: Question) -> Answer:
    """What the enemy is taken to answer: whoever of his may act does, and for the rest he says what is proposed."""
    if isinstance(question, Choose) and question.step == "reply":
        for option in question.options:
            if option.pieces:
                return option.id
    return question.candidates(1)[0]
