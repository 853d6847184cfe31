"""Questions: what a person, a bot or a program must choose, and everything one needs to know to choose.

A question validates an answer (a refusal names the rule or the field and says what would be right), lists the
finite answers, proposes candidates for the endless ones, and describes itself as plain data, so that the page,
the terminal and a bot can all ask it. Answers are plain JSON values; a checked answer is in the one form that the
record keeps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, islice
from math import comb, isfinite
from random import Random
from typing import Any, NamedTuple

import msgspec

from sandtable.engine.cards import Preview
from sandtable.engine.choices import Choices as Choices
from sandtable.engine.choices import Joined as Joined
from sandtable.engine.choices import LaterDict as LaterDict
from sandtable.engine.choices import Option as Option
from sandtable.engine.choices import Refusal as Refusal
from sandtable.engine.choices import Why as Why
from sandtable.engine.choices import illegal as illegal
from sandtable.engine.choices import names as names
from sandtable.engine.choices import one_after_the_other as one_after_the_other
from sandtable.engine.choices import options_of as options_of
from sandtable.engine.choices import or_none as or_none
from sandtable.engine.choices import said as said
from sandtable.engine.choices import shown as shown
from sandtable.engine.events import several
from sandtable.table.scene import Area

Answer = Any
"""A plain JSON value in the form that its question checked."""

MANY = 256
"""More answers than this are not listed: bots and pages work from candidates instead."""


class Idea(NamedTuple):
    """An answer worth a look, and in a few words what it is for: "to cover", "towards the mill"."""

    answer: Answer
    purpose: str = ""


class Topic(msgspec.Struct):
    """What is asked: a stable name, and words for people."""

    topic: str
    words: str


STEPS = ("deploy", "who", "what", "where", "whom", "detail", "reply")
"""What a question is a part of: setting up, an order of one's own, or a reply to what the other side does."""


class Question(Topic, kw_only=True):
    """What every question has. `facts` is what a standing answer may look at.

    `step` is the part of an order that it settles, one of `STEPS`. `commits`: a die falls at once, so that the answer
    cannot be taken back. `veiled`: how many answers there are would tell the other side what it may not know, so it is
    asked of whoever has nothing to choose as well.
    `areas` are where the answer may lie, for a page to draw: made for the seat that is asked, and only when it looks.
    `rest` is the answer that leaves everything as it is, where there is one.
    `about` is what the ruleset has under way when it asks, for its own use: nobody is shown it.
    """

    rules: tuple[str, ...] = ()
    facts: Mapping[str, Any] = {}
    step: str = ""
    commits: bool = False
    veiled: bool = False
    areas: Callable[[], list[Area]] | None = None
    rest: Answer = None
    about: Any = None

    def check(self, raw: object) -> Answer | Refusal:
        raise NotImplementedError

    def answers(self) -> list[Answer] | None:
        """Every answer, or None when there are too many to list."""
        return None

    def candidates(self, most: int = 24) -> list[Answer]:
        """Good answers, the default first; never empty."""
        raise NotImplementedError

    def ideas(self, most: int = 24) -> list[Idea]:
        """Answers of every kind that the question knows, each with its purpose: all of them, if they are few."""
        listed = self.answers()
        return [Idea(answer) for answer in (listed if listed and len(listed) <= most else self.candidates(most))]

    def sample(self, random: Random) -> Answer:
        """Some legal answer by chance."""
        return random.choice(self.candidates())

    def spoken(self, answer: Answer) -> str:
        """An answer in words, where the question knows better than its options; empty if it does not."""
        return ""

    def describe(self) -> dict[str, Any]:
        more: dict[str, Any] = {"step": self.step} if self.step else {}
        more |= {"commits": True} if self.commits else {}
        return {"topic": self.topic, "words": self.words, "rules": list(self.rules), "facts": dict(self.facts), **more}


class Choose(Question):
    """One of several: plain options, or `Choices`, which also say what bars the rest.

    `why_not` says it where there is no end of what could be named. `chance` picks one by chance where looking at all of
    them takes long; what it picks is offered, too.
    `default` is proposed first, wherever it stands among the options.
    """

    options: Sequence[Option]
    why_not: Callable[[str], Why] | None = None
    chance: Callable[[Random], str] | None = None
    default: Callable[[], str] | None = None

    def barred(self, name: str) -> Refusal | None:
        """Why something that looks choosable is not offered."""
        if self.why_not is not None:
            return said(self.why_not(name))
        return self.options.barred(name) if isinstance(self.options, Choices) else None

    def check(self, raw: object) -> Answer | Refusal:
        if not isinstance(raw, str):
            return Refusal("malformed", f"expected the name of one choice, not {shown(raw)}", field=self.topic)
        for option in self.options:
            if option.id == raw:
                return raw
        why = self.barred(raw)
        if why is not None:
            return why
        legal = f"Choose one of: {names(option.id for option in self.options)}."
        return Refusal("unknown", f"{shown(raw)!r} is not one of the choices.", field=self.topic, legal=legal)

    def answers(self) -> list[Answer]:
        return [option.id for option in self.options]

    def candidates(self, most: int = 24) -> list[Answer]:
        listed = [option.id for option in self.options[:most]]
        if self.default is None:
            return listed
        first = self.default()
        return [first, *(name for name in listed if name != first)][:most]

    def ideas(self, most: int = 24) -> list[Idea]:
        """The default, and then the options in their order; what leaves everything as it is among them."""
        labels = {option.id: option.label for option in self.options}
        names = self.candidates(most)
        if self.rest in labels and self.rest not in names:
            names[-1] = self.rest
        return [Idea(name, labels[name]) for name in names]

    def sample(self, random: Random) -> Answer:
        if self.chance is not None:
            return self.chance(random)
        if isinstance(self.options, list):
            return self.options[int(random.random() * len(self.options))].id
        ids = self.options.allowed() if isinstance(self.options, Choices) else self.answers()
        return ids[int(random.random() * len(ids))]

    def describe(self) -> dict[str, Any]:
        return {**Question.describe(self), "form": "choose", "options": msgspec.to_builtins(list(self.options))}


class ChooseSome(Question):
    """Between `least` and `most` of several, in any order."""

    options: Sequence[Option]
    least: int
    most: int
    legal: Callable[[list[str]], Refusal | None] | None = None
    default: list[str] | None = None

    def barred(self, name: str) -> Refusal | None:
        return self.options.barred(name) if isinstance(self.options, Choices) else None

    def check(self, raw: object) -> Answer | Refusal:
        if not isinstance(raw, list) or not all(isinstance(item, str) for item in raw):
            return Refusal("malformed", f"expected a list of names, not {shown(raw)}", field=self.topic)
        known = [option.id for option in self.options]
        for item in raw:
            if item not in known:
                legal = f"Choose from: {names(known)}."
                return self.barred(item) or Refusal(
                    "unknown", f"{shown(item)!r} is not one of the choices.", field=self.topic, legal=legal
                )
        if len(set(raw)) != len(raw):
            return Refusal("malformed", "a choice is named twice", field=self.topic)
        if not self.least <= len(raw) <= self.most:
            rule = self.rules[0] if self.rules else None
            legal = f"Choose {self.least}." if self.least == self.most else f"Choose {self.least} to {self.most}."
            return Refusal("illegal", f"{len(raw)} chosen.", rule, self.topic, legal)
        chosen = sorted(raw, key=known.index)
        refused = self.legal(chosen) if self.legal else None
        return refused if refused is not None else chosen

    def _subsets(self) -> Iterator[list[str]]:
        ids = [option.id for option in self.options]
        for size in range(self.least, self.most + 1):
            for subset in combinations(ids, size):
                chosen = list(subset)
                if self.legal is None or self.legal(chosen) is None:
                    yield chosen

    def answers(self) -> list[Answer] | None:
        count = sum(comb(len(self.options), size) for size in range(self.least, self.most + 1))
        return list(self._subsets()) if count <= MANY else None

    def candidates(self, most: int = 24) -> list[Answer]:
        if self.default is None:
            return list(islice(self._subsets(), most))
        others = (chosen for chosen in self._subsets() if chosen != self.default)
        return [self.default, *islice(others, most - 1)]

    def sample(self, random: Random) -> Answer:
        ids = [option.id for option in self.options]
        for _ in range(8):
            size = random.randint(self.least, self.most)
            chosen = sorted(random.sample(range(len(ids)), size))
            answer = [ids[index] for index in chosen]
            if self.legal is None or self.legal(answer) is None:
                return answer
        return next(self._subsets())

    def describe(self) -> dict[str, Any]:
        return {
            **Question.describe(self),
            "form": "choose-some",
            "options": msgspec.to_builtins(list(self.options)),
            "least": self.least,
            "most": self.most,
        }


class Assign(Question):
    """To each of several things one option, or none: who fires at what.

    `why_not` says of a thing and an option why they do not go together: those of `items` do. `legal` judges a whole
    answer; `proposals` are hints for programs, the best first.
    """

    items: Mapping[str, Sequence[Option]]
    legal: Callable[[dict[str, str]], Refusal | None] | None = None
    why_not: Callable[[str, str], Why] | None = None
    proposals: Callable[[int], list[dict[str, str]]] | None = None
    chance: Callable[[Random], dict[str, str]] | None = None
    needed: bool = False

    def barred(self, item: str, name: str) -> Refusal | None:
        return said(self.why_not(item, name)) if self.why_not else None

    def check(self, raw: object) -> Answer | Refusal:
        if not isinstance(raw, dict):
            return Refusal("malformed", f"expected a name for each thing, not {shown(raw)}", field=self.topic)
        for item, choice in raw.items():
            if not isinstance(item, str) or not isinstance(choice, str):
                return Refusal("malformed", "expected names on both sides", field=self.topic)
            if not any(option.id == choice for option in self.items.get(item, ())):
                why = self.barred(item, choice)
                if why is not None:
                    return why
                if item not in self.items:
                    known = f"Known: {names(self.items)}."
                    return Refusal("unknown", f"{shown(item)!r} is not asked about.", field=self.topic, legal=known)
                legal = f"Choose from: {names(option.id for option in self.items[item])}."
                return Refusal("unknown", f"{shown(choice)!r} is not a choice for it.", field=shown(item), legal=legal)
        answer = {item: raw[item] for item in self.items if item in raw}
        if self.needed and not answer:
            return Refusal("malformed", "at least one must be chosen", field=self.topic)
        refused = self.legal(answer) if self.legal else None
        return refused if refused is not None else answer

    def candidates(self, most: int = 24) -> list[Answer]:
        if self.proposals is not None:
            return self.proposals(most)
        return [{item: options[0].id for item, options in self.items.items() if options}]

    def sample(self, random: Random) -> Answer:
        if self.chance is not None:
            return self.chance(random)
        for _ in range(8):
            answer = {}
            for item, options in self.items.items():
                pick = int(random.random() * (len(options) + 1))
                if pick < len(options):
                    answer[item] = options[pick].id
            if (answer or not self.needed) and (self.legal is None or self.legal(answer) is None):
                return answer
        return self.candidates()[0]

    def describe(self) -> dict[str, Any]:
        return {**Question.describe(self), "form": "assign", "items": msgspec.to_builtins(dict(self.items))}


class Step(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """Where one piece goes: by way of some points to its end, and how it faces there."""

    to: tuple[float, float]
    facing: float | None = None
    turret: float | None = None
    via: list[tuple[float, float]] = []


NAMED_STEPS = dict[str, Step]


class Piece(msgspec.Struct, frozen=True, omit_defaults=True):
    """A base that may be moved or set down, as the page must know it; `base` is its width and depth.

    `ground` is the kind of terrain that it becomes, if it is no base of troops: a trench is drawn as a trench.
    A base that is `round` is as deep as wide.
    """

    id: str
    label: str
    at: tuple[float, float] | None
    facing: float
    reach: float | None = None
    base: tuple[float, float] | None = None
    ground: str | None = None
    round: bool = False


UNREADABLE = (msgspec.ValidationError, RecursionError, UnicodeError)
"""What a stranger's value may cause on its way into a type: a wrong shape, a bottomless one, half a character."""


def unread(raw: object, error: Exception) -> str:
    """Why a place, or places, cannot be read: a word says nothing of where, anything else has a fault somewhere."""
    if isinstance(raw, str):
        return f"{shown(raw)!r} is no place."
    return f"{shown(str(error), 200)}."


MOST_POINTS = 16
FAR = 10_000.0


def finite(step: Step) -> bool:
    numbers = [*step.to, *(value for point in step.via for value in point)]
    numbers += [value for value in (step.facing, step.turret) if value is not None]
    # As they will be stored: what is taken now must be taken again in a replay.
    return all(isfinite(value) and abs(round(value, 2)) < FAR for value in numbers)


def hundredths(step: Step) -> Step:
    """Positions as they are stored: rounded to 0.01 inch, facings to 0.1 degree within a circle."""
    return Step(
        to=(round(step.to[0], 2), round(step.to[1], 2)),
        facing=None if step.facing is None else round(step.facing % 360.0, 1) % 360.0,
        turret=None if step.turret is None else round(step.turret % 360.0, 1) % 360.0,
        via=[(round(x, 2), round(y, 2)) for x, y in step.via],
    )


class MovePieces(Question):
    """Where each of several pieces goes; a piece that is not named stays where it is.

    There are endless answers: the ruleset gives the law, some proposals and a way to pick one by chance. `pieces` is
    called only when somebody must see them. `purposes` are more proposals, for programs that look at many: each with
    what it is for.
    """

    names: list[str]
    pieces: Callable[[], list[Piece]]
    legal: Callable[[dict[str, Step]], Refusal | None]
    proposals: Callable[[int], list[Answer]]
    chance: Callable[[Random], Answer] | None = None
    barred: Callable[[str], Refusal | None] | None = None
    purposes: Callable[[int], list[Idea]] | None = None
    gamble: Callable[[dict[str, Step]], Preview | None] | None = None
    """What dice some steps depend on, and the exact chances that the pieces come where they are sent."""
    lets: Callable[[dict[str, Step]], bool] | None = None
    """Whether the law lets some steps pass, where a game knows that sooner than why it does not."""
    elsewhere: Callable[[dict[str, Step]], Iterator[dict[str, Step]]] | None = None
    """Where pieces that come onto the table may stand instead, what is nearest first; `check` has the last word."""

    def is_refused(self, steps: dict[str, Step]) -> bool:
        """Whether some steps are known to be refused; if not, `check` has the last word."""
        return self.lets is not None and not self.lets({name: hundredths(step) for name, step in steps.items()})

    apart: float | None = None
    """How far apart they form up anew when they are dropped as one; None: they keep as they stand."""

    noun: str = "Team"
    """What a game calls one of them, where they are counted."""

    def check(self, raw: object) -> Answer | Refusal:
        try:
            steps = msgspec.convert(raw, NAMED_STEPS)
        except UNREADABLE as error:
            text = unread(raw, error)
            return Refusal("malformed", text, field=self.topic, legal='Give {"piece": {"to": [x, y]}} in inches.')
        known = self.names
        for name, step in steps.items():
            if name not in known:
                why = self.barred(name) if self.barred else None
                legal = f"Choose from: {names(known)}."
                return why or Refusal(
                    "unknown", f"{shown(name)!r} may not be moved here.", field=self.topic, legal=legal
                )
            if not finite(step):
                return Refusal("malformed", "a place must be given in finite inches", field=name)
            if len(step.via) > MOST_POINTS:
                return Refusal("malformed", f"a path has at most {MOST_POINTS} corners", field=name)
        steps = {name: hundredths(steps[name]) for name in self.names if name in steps}
        refused = self.legal(steps)
        return refused if refused is not None else steps_to_plain(steps)

    def candidates(self, most: int = 24) -> list[Answer]:
        return self.proposals(most)

    def ideas(self, most: int = 24) -> list[Idea]:
        return Question.ideas(self, most) if self.purposes is None else self.purposes(most)

    def sample(self, random: Random) -> Answer:
        return self.chance(random) if self.chance else random.choice(self.candidates())

    def describe(self) -> dict[str, Any]:
        told = {**Question.describe(self), "form": "move", "pieces": msgspec.to_builtins(self.pieces())}
        told |= {"noun": self.noun} if self.noun != MovePieces.noun else {}
        return {**told, "gamble": True} if self.gamble is not None else told


def steps_to_plain(steps: Mapping[str, Step]) -> dict[str, Any]:
    plain: dict[str, Any] = {}
    for name, step in steps.items():
        entry: dict[str, Any] = {"to": [step.to[0], step.to[1]]}
        if step.facing is not None:
            entry["facing"] = step.facing
        if step.turret is not None:
            entry["turret"] = step.turret
        if step.via:
            entry["via"] = [[x, y] for x, y in step.via]
        plain[name] = entry
    return plain


def plain_to_steps(answer: Mapping[str, Any]) -> dict[str, Step]:
    steps: dict[str, Step] = msgspec.convert(answer, NAMED_STEPS)
    return steps


class ChoosePoint(Question):
    """A point on the table."""

    legal: Callable[[float, float], Refusal | None]
    proposals: Callable[[int], list[tuple[float, float]]]
    chance: Callable[[Random], tuple[float, float]] | None = None

    def check(self, raw: object) -> Answer | Refusal:
        try:
            x, y = msgspec.convert(raw, tuple[float, float])
        except UNREADABLE as error:
            return Refusal("malformed", unread(raw, error), field=self.topic, legal="Give [x, y] in inches.")
        x, y = round(x, 2), round(y, 2)
        if not (isfinite(x) and isfinite(y) and abs(x) < FAR and abs(y) < FAR):
            return Refusal("malformed", "a place must be given in finite inches", field=self.topic)
        refused = self.legal(x, y)
        return refused if refused is not None else [x, y]

    def candidates(self, most: int = 24) -> list[Answer]:
        return [[x, y] for x, y in self.proposals(most)]

    def sample(self, random: Random) -> Answer:
        return list(self.chance(random)) if self.chance else random.choice(self.candidates())

    def describe(self) -> dict[str, Any]:
        return {**Question.describe(self), "form": "point"}


class ChooseNumber(Question):
    """A whole number from `low` to `high`."""

    low: int
    high: int

    def check(self, raw: object) -> Answer | Refusal:
        if not isinstance(raw, int) or isinstance(raw, bool):
            return Refusal("malformed", f"expected a whole number, not {shown(raw)}", field=self.topic)
        if not self.low <= raw <= self.high:
            legal = f"Choose {self.low} to {self.high}."
            return Refusal(
                "illegal", "that number is out of bounds.", self.rules[0] if self.rules else None, self.topic, legal
            )
        return raw

    def answers(self) -> list[Answer] | None:
        return list(range(self.low, self.high + 1)) if self.high - self.low < MANY else None

    def candidates(self, most: int = 24) -> list[Answer]:
        return list(range(self.low, min(self.high, self.low + most - 1) + 1))

    def sample(self, random: Random) -> Answer:
        return random.randint(self.low, self.high)

    def describe(self) -> dict[str, Any]:
        return {**Question.describe(self), "form": "number", "low": self.low, "high": self.high}


class EnterDice(Question):
    """What the dice at a real table show."""

    number: int
    sides: int

    def check(self, raw: object) -> Answer | Refusal:
        if not isinstance(raw, list) or not all(isinstance(v, int) and not isinstance(v, bool) for v in raw):
            return Refusal("malformed", f"expected a list of {several(self.number, 'die', 'dice')}", field=self.topic)
        if len(raw) != self.number or not all(1 <= value <= self.sides for value in raw):
            legal = f"Give {several(self.number, 'number')} from 1 to {self.sides}."
            return Refusal("malformed", "these dice do not fit the throw.", field=self.topic, legal=legal)
        return raw

    def candidates(self, most: int = 24) -> list[Answer]:
        return [[(self.sides + 1) // 2] * self.number]

    def sample(self, random: Random) -> Answer:
        return [random.randint(1, self.sides) for _ in range(self.number)]

    def describe(self) -> dict[str, Any]:
        return {**Question.describe(self), "form": "dice", "number": self.number, "sides": self.sides}
