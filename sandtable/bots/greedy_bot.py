"""`greedy`: it plays its plans out in fair copies of the game and keeps what leaves it best off.

Written against questions alone: whatever a ruleset asks, its ideas and its `worth` are enough to play it. A plan is an
answer and, where that leads to more questions of its own order (what, where, at whom), the answers to those.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

from sandtable.engine.dice import SERIES
from sandtable.engine.questions import Answer, Choose, Idea, Question, Refusal
from sandtable.engine.seat import Moment, Seat


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
    few: int = 4
    """So few plans are all carried further."""

    def hurried(self) -> Care:
        """The same in a turn that has been long already; where nothing may be done, no answer is left out."""
        fewer = self._replace(followed=min(self.followed, 1), branches=min(self.branches, 3), few=2)
        return fewer if self.others else fewer._replace(ideas=self.ideas * 2 // 3, tries=min(self.tries, 2))


CARE = {
    "who": Care(6, 0, 0, 0, 2, 1),
    "what": Care(10, 2, 1, 3, 2, 2),
    "where": Care(8, 0, 0, 0, 2, 3),
    "whom": Care(6, 0, 0, 0, 2, 3),
    "deploy": Care(8, 0, 0, 0, 0, 0),
}
A_DETAIL = Care(4, 0, 0, 0, 1, 3)
"""Of whatever else is asked: what is proposed, unless something else seems better, and does so by other dice, too."""

ACT_OR_NOT = Care(10, 2, 2, 4, 2, 6, others=40)
"""Of a large question that may also be answered by doing nothing: what could be done is thought through."""

PLANNED_TRIES = ACT_OR_NOT.tries
"""How often the rest of a plan and what else could be done are tried when nothing has come between."""

REACT_OR_NOT = Care(8, 1, 2, 3, 2, 2)
"""Of such a question in the enemy's turn: it is asked often, and seldom is there much to do."""

GAIN = 0.1
"""What an answer that does something must promise more than one that leaves everything as it is."""

DOUBT, LAST_DOUBT = 0.2, 1.0
"""How much worse than doing nothing an answer may seem at first and still be tried again; and before nothing is done:
one throw of the dice that fell badly for all is no reason to leave them all alone.
"""

MANY_LOOKS = 300
"""After so many looks in a turn less is thought about each question that is left.

Never by the clock: the same seed must give the same game.
"""

HOPELESS = 4.0
"""How much worse than the best a plan may be at first and still be carried further."""

FAR_BEHIND, LAST_BEHIND = 0.6, 3.0
"""How much worse than the best a plan may be by one throw of the dice and still be tried again, half by two; and before
nothing is done: fire that misses costs something at once, and is worth much more when it hits.
"""

TOLD = 0.05
MOST_TOLD = 3
"""What a gain must be to be told as a reason, and how many are."""

PLANNED = "as planned"

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
        """Answers to the first question that it says nothing of, and which part of an order that settles."""
        self.asks = ""
        self.certain = False
        """Whether no die was thrown in it."""
        self.course: list[Answer] = []
        """The answers of the last look that a plan settles: its own, and what was proposed where it says nothing."""
        self.answered_back = False
        """Whether the enemy reacted in the last look, and need not have."""
        self.holds = False
        """Whether all of it did better in the last tries than its first answer with what then seems best."""

    @property
    def value(self) -> float:
        return sum(self.parts.values())


class Way:
    """What is asked after some answers and some dice: every look that gives and throws them meets the same questions.

    So it is found out but once what is proposed there, whether an answer is legal, and which are worth a look.
    """

    __slots__ = ("_checked", "_ideas", "_likely", "_proposed", "_then")

    def __init__(self) -> None:
        self._proposed: list[Answer] = []
        self._likely: list[Answer] = []
        self._ideas: list[Idea] = []
        self._checked: dict[int, tuple[Answer, Answer | Refusal]] = {}
        self._then: dict[tuple[int | str, ...], tuple[Answer, Way]] = {}
        """By an answer, or its identity if it is no mere word, and the dice; whose identity it is is kept with it."""

    def proposed(self, question: Question) -> Answer:
        self._proposed = self._proposed or question.candidates(1)[:1]
        return self._proposed[0]

    def likely(self, question: Question) -> Answer:
        self._likely = self._likely or [likely_reply(question)]
        return self._likely[0]

    def ideas(self, question: Question, most: int) -> list[Idea]:
        self._ideas = self._ideas or question.ideas(most)
        return self._ideas[:most]

    def checked(self, question: Question, answer: Answer) -> Answer | Refusal:
        found = self._checked.get(id(answer))
        if found is None:
            found = self._checked[id(answer)] = answer, question.check(answer)
        return found[1]

    def then(self, answer: Answer, dice: Sequence[int] = ()) -> Way:
        key = (answer if isinstance(answer, str) else id(answer), *dice)
        found = self._then.get(key)
        if found is None:
            found = self._then[key] = answer, Way()
        return found[1]


class GreedyBot:
    def __init__(self, seed: int, weights: Mapping[str, float] | None = None) -> None:
        self.random = Random(seed)
        self.weights = weights
        self.why = ""
        """Why it chose as it did last, in a sentence: from what it weighed, and from nothing else."""
        self.known: dict[tuple[int | None, str], dict[str, float]] = {}
        """What came of plans, by the seed of their dice, while one question is thought over.

        It stands under no seed if none were thrown: then it comes of them every time.
        """
        self.ways = Way()
        """What is asked along the plans that are looked at, from the question that is thought over."""
        self.turn = 0
        self.looks = 0
        """How many looks it has taken in this turn."""
        self.answered: tuple[Moment, Answer] | None = None
        """What it answered last, and when."""
        self.intended: list[Answer] = []
        """The answers that are still to come of the plan that was chosen last, until the next large question."""

    def choose(self, seat: Seat) -> Answer:
        now = seat.moment
        at_once = self.answered is not None and now.follows(self.answered[0])
        self.ways = self.ways.then(self.answered[1]) if self.answered is not None and at_once else Way()
        answer = self.think(seat, at_once)
        # Whoever looks ahead for the first time has the game keep a checkpoint.
        self.answered = seat.moment, answer
        return answer

    def think(self, seat: Seat, at_once: bool) -> Answer:
        """The answer; `at_once`: it is asked in consequence of the last, and nothing has happened between them."""
        self.why = ""
        self.known.clear()
        intended = self.still_intended(seat)
        if seat.turn != self.turn:
            self.turn, self.looks = seat.turn, 0
        unhurried, hurried = care_for(seat), self.looks >= MANY_LOOKS
        care = unhurried.hurried() if hurried else unhurried
        ideas = seat.question.ideas(care.ideas)
        if len(ideas) == 1:
            return ideas[0].answer
        if intended and at_once and seat.question.step == "what":
            # It was tried by other dice before the Unit was chosen, and nothing has come of that choice yet.
            purpose = next((idea.purpose for idea in ideas if idea.answer == intended[0]), "")
            self.why = f"{purpose or seat.question.topic}: {PLANNED}."
            self.intended = intended[1:]
            return intended[0]
        seed = self.random.getrandbits(32)
        plans = [Plan([idea.answer], idea.purpose) for idea in ideas]
        if intended:
            plans = with_intended(plans, intended)
            # What was found good by many throws is not given up for a few.
            care = care._replace(tries=max(care.tries, PLANNED_TRIES if at_once and not hurried else 0))
        for plan in plans:
            if not self.look(seat, plan, seed, care.branches):
                return seat.question.candidates(1)[0]
        self.carry_on(seat, plans, seed, care)
        chosen = self.try_again(seat, plans, care, plans[0] if intended else None)
        if care.others and chosen.answers[0] == seat.question.rest:
            # Before nothing is done: as much thought as ever, the answers that were left out, and other dice for all.
            if hurried:
                plans = [Plan([idea.answer], idea.purpose) for idea in ideas]
                for plan in plans:
                    self.look(seat, plan, seed, unhurried.branches)
                self.carry_on(seat, plans, seed, unhurried)
            known = [idea.answer for idea in ideas]
            others = [idea for idea in seat.question.ideas(care.others) if idea.answer not in known]
            more = [Plan([idea.answer], idea.purpose) for idea in others]
            for plan in more:
                self.look(seat, plan, seed)
            plans += more
            chosen = self.try_again(seat, plans, care, last=True)
        self.why = reasons(seat, chosen, plans)
        if chosen.holds:
            self.intended = chosen.answers[1:]
        return chosen.answers[0]

    def still_intended(self, seat: Seat) -> list[Answer]:
        """What is left of the last plan, if the question now asked is one that it settles; taken out of memory."""
        if seat.at_checkpoint:
            self.intended = []
        if seat.question.step not in BY_CHOICE:
            return []
        intended, self.intended = self.intended, []
        if not intended:
            return []
        checked = seat.question.check(intended[0])
        return [] if isinstance(checked, Refusal) else [checked, *intended[1:]]

    def carry_on(self, seat: Seat, plans: list[Plan], seed: int, care: Care) -> None:
        """Think the most promising plans through, a few questions further.

        So are those that leave open what is to be done: shells or smoke, say, of which the first is but one.
        """
        least = max(plan.value for plan in plans) - HOPELESS
        ranked = sorted((plan for plan in plans if plan.more and plan.value > least), key=lambda plan: -plan.value)
        most = max(care.followed, care.few if care.followed and len(plans) <= care.few else 0)
        open_plans = [plan for plan in ranked[most:] if care.followed and plan.asks == seat.question.step]
        for number, plan in enumerate(ranked[:most] + open_plans):
            steps = care.steps + (plan.asks == seat.question.step)
            best = self.further(seat, plan, seed, care, steps, care.few if number == 0 else 1)
            plan.answers, plan.parts = best.answers, best.parts

    def further(self, seat: Seat, plan: Plan, seed: int, care: Care, steps: int, orders: int) -> Plan:
        """The best of a plan and those that begin with it and say more, by so many questions.

        `orders`: of how many it is followed to where and at whom. An assault, say, only pays by where one moves.
        """
        longer = [Plan([*plan.answers, idea.answer], plan.purpose) for idea in plan.more]
        if not steps or not longer:
            return plan
        for each in longer:
            self.look(seat, each, seed, care.branches if steps > 1 else 0)
        ahead = sorted(longer, key=lambda each: -each.value)[: orders if plan.asks == "what" else 1]
        found = [self.further(seat, each, seed, care, steps - 1, orders) for each in ahead]
        return max([plan, *longer, *found], key=lambda each: each.value)

    def try_again(
        self, seat: Seat, plans: list[Plan], care: Care, intended: Plan | None = None, *, last: bool = False
    ) -> Plan:
        """The best of the most promising by other dice than those by which they were found.

        What was intended stands, or else to leave everything as it is, unless another plan promises more. `last`: else
        nothing is done, and so nothing that could be done is given up lightly.
        """
        doubt, behind = (LAST_DOUBT, LAST_BEHIND) if last else (DOUBT, FAR_BEHIND)
        ranked = sorted(plans, key=lambda plan: -plan.value)
        rest = intended or next((plan for plan in plans if plan.answers[0] == seat.question.rest), None)
        if not care.tries or care is A_DETAIL:
            rest = rest or plans[0]
            better = ranked[0].value > rest.value + GAIN
            if not care.tries or not better:
                return ranked[0] if better else rest
        first = SERIES * self.random.getrandbits(29)
        seeds = [first + number for number in range(care.tries)]
        best, most = ranked[0], -math.inf
        if rest is not None:
            ranked.remove(rest)
            best, most = rest, self.on_average(seat, rest, seeds) + GAIN
        for number, plan in enumerate(ranked):
            # To do nothing is settled on only when no plan is better that seemed to be, or nearly so.
            if number >= care.short_list and (best is not rest or plan.value < best.value - doubt):
                break
            if intended is not None and plan.value < intended.value:
                break
            value = self.on_average(seat, plan, seeds, most, behind)
            if value > most:
                best, most = plan, value
        return best

    def on_average(
        self, seat: Seat, plan: Plan, seeds: list[int], most: float = -math.inf, behind: float = FAR_BEHIND
    ) -> float:
        """What a plan comes to by some dice; given up as soon as it lags far behind the most that is known."""
        plan.holds = len(plan.answers) > 1
        if plan.holds:
            # Looked at first: often the whole is but what is proposed anyway.
            self.value(seat, plan.answers[:1], seeds[0])
        value = self.average(seat, plan.answers, seeds, most, behind)
        if plan.holds:
            # What follows will be thought over again: the first thought may still be the better one.
            first = self.average(seat, plan.answers[:1], seeds, max(most, value), behind)
            plan.holds = value >= first
            value = max(value, first)
        return value

    def average(self, seat: Seat, answers: list[Answer], seeds: list[int], most: float, behind: float) -> float:
        total = 0.0
        for count, seed in enumerate(seeds, 1):
            total += self.value(seat, answers, seed)
            if total / count < most - behind / count:
                return total / count
        return total / len(seeds)

    def value(self, seat: Seat, answers: list[Answer], seed: int) -> float:
        known = self.recall(answers, seed)
        if known is not None:
            return sum(known.values())
        plan = Plan(answers, "")
        self.look(seat, plan, seed)
        return plan.value

    def recall(self, answers: list[Answer], seed: int) -> dict[str, float] | None:
        """What is known already to come of a plan by some dice."""
        words = repr(answers)
        return self.known.get((None, words), self.known.get((seed, words)))

    def remember(self, plan: Plan, seed: int) -> None:
        """Note what came of a plan, and so of all that say outright what was then answered as proposed."""
        for length in range(len(plan.answers), max(len(plan.course), len(plan.answers)) + 1):
            answers = plan.answers if length == len(plan.answers) else plan.course[:length]
            self.known[None if plan.certain else seed, repr(answers)] = plan.parts

    def look(self, seat: Seat, plan: Plan, seed: int, branches: int = 0) -> bool:
        """Note what the position is worth when a plan has run its course; false if it cannot be imagined.

        Where the plan says nothing of a question of its own order, up to so many answers to it are noted. The enemy
        reacts where he may, or lets it pass if that is better for him: a plan gains nothing by what he need not do.
        """
        known = None if branches else self.recall(plan.answers, seed)
        if known is not None:
            plan.parts = known
            return True
        if not self.run(seat, plan, seed, branches):
            return False
        if plan.answered_back:
            quiet = Plan(plan.answers, plan.purpose)
            self.run(seat, quiet, seed, reacts=False)
            if quiet.value < plan.value:
                plan.parts = quiet.parts
            plan.certain = plan.certain and quiet.certain
            if quiet.course != plan.course:
                plan.course = []
        self.remember(plan, seed)
        return True

    def run(self, seat: Seat, plan: Plan, seed: int, branches: int = 0, *, reacts: bool = True) -> bool:
        """One such look; `reacts` says whether the enemy does, where he need not."""
        twin = seat.look(seed, even=True)
        self.looks += 1
        if twin is None:
            return False
        waiting = plan.answers[1:]
        thrown = twin.dice.count
        if seat.at_checkpoint and plan.answers[0] == seat.question.rest:
            # What comes of doing nothing comes anyway, whatever is done before: chance need not have a say in it.
            plan.parts, plan.certain = seat.parts(twin, self.weights), True
            twin.let_go()
            return True
        answer: Answer = plan.answers[0]
        plan.course = [answer]
        way = self.ways
        for _ in range(MOST_ANSWERS):
            before = twin.dice.count
            twin.accept(answer)
            ask = twin.ask
            if ask is None:
                break
            question = ask.question
            if ask.checkpoint and (ask.seat != seat.name or twin.dice.count != thrown or question.rest is None):
                break
            dice = twin.fallen[len(twin.fallen) - (twin.dice.count - before) :]
            way = way.then(answer, dice)
            if ask.seat != seat.name:
                answer = way.likely(question)
                if question.step == "reply" and question.rest is not None and answer != question.rest:
                    plan.answered_back = True
                    answer = answer if reacts else question.rest
                continue
            answer = None
            if question.step in BY_CHOICE:
                if waiting:
                    checked = way.checked(question, waiting[0])
                    waiting = waiting[1:]
                    answer = None if isinstance(checked, Refusal) else checked
                elif branches and not plan.more:
                    plan.more, plan.asks = way.ideas(question, branches), question.step
            elif question.rest is not None:
                # What the plan says nothing of is left as it is.
                answer = question.rest
            if answer is None:
                answer = way.proposed(question)
            if question.step in BY_CHOICE:
                plan.course.append(answer)
        plan.parts = seat.parts(twin, self.weights)
        plan.certain = twin.dice.count == thrown
        twin.let_go()
        return True


def with_intended(plans: list[Plan], intended: list[Answer]) -> list[Plan]:
    """Plans, and first of all what was intended."""
    like = next((plan for plan in plans if plan.answers[0] == intended[0]), None)
    found = Plan(intended, like.purpose if like is not None else PLANNED)
    return [found, *(plan for plan in plans if plan is not like)]


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
