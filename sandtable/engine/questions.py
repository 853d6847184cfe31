"""Questions: what a person, a bot or a program must choose, and everything one needs to know to choose.

A question validates an answer (a refusal names the rule or the field and says what would be right), lists the
finite answers, proposes candidates for the endless ones, and describes itself as plain data, so that the page,
the terminal and a bot can all ask it. Answers are plain JSON values; a checked answer is in the one form that the
record keeps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice
from math import comb, isfinite
from operator import itemgetter
from random import Random
from typing import Any, Generic, Literal, NamedTuple, TypeVar, overload

import msgspec

from sandtable.engine.cards import Preview
from sandtable.engine.events import several
from sandtable.engine.tokens import plain
from sandtable.table.scene import Area

T = TypeVar("T")

Answer = Any
"""A plain JSON value in the form that its question checked."""

MANY = 256
"""More answers than this are not listed: bots and pages work from candidates instead."""


class Refusal(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Why an answer was not taken.

    `malformed`: not the shape the question asks for; `unknown`: names something that is not there;
    `illegal`: understood, but a rule forbids it; `unasked`: nobody asked this seat.
    """

    kind: Literal["malformed", "unknown", "illegal", "unasked"]
    message: str
    rule: str | None = None
    field: str | None = None
    legal: str = ""

    def __str__(self) -> str:
        rule = f" ({self.rule})" if self.rule else ""
        where = f"{self.field}: " if self.field else ""
        right = f" {self.legal}" if self.legal else ""
        return plain(f"{where}{self.message}{rule}{right}")


def illegal(rule: str, message: str, *, field: str | None = None, legal: str = "") -> Refusal:
    return Refusal("illegal", message, rule, field, legal)


class Option(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One thing that can be chosen: its id goes into the answer, its label is for people.

    `pieces` are the ids of the Teams or Units that it stands for: a click on one of them chooses it. `act` is what
    they do first if it is chosen (`move`, `fire`): a drag, or a click on an enemy, chooses it. `warning` says what
    would come of it that nobody would want.
    """

    id: str
    label: str
    rules: tuple[str, ...] = ()
    pieces: tuple[str, ...] = ()
    act: str = ""
    warning: str = ""


class LaterDict(Mapping[str, T]):
    """A dictionary that is made when somebody looks into it."""

    __slots__ = ("_made", "_make")

    def __init__(self, make: Callable[[], dict[str, T]]) -> None:
        self._make = make
        self._made: dict[str, T] | None = None

    def made(self) -> dict[str, T]:
        if self._made is None:
            self._made = self._make()
        return self._made

    def __getitem__(self, name: str) -> T:
        return self.made()[name]

    def __len__(self) -> int:
        return len(self.made())

    def __iter__(self) -> Iterator[str]:
        return iter(self.made())


class Once(Generic[T]):
    """What a function gives, found out when somebody first asks."""

    __slots__ = ("_found", "_function")

    def __init__(self, function: Callable[[], T]) -> None:
        self._function = function
        self._found: T | None = None

    def __call__(self) -> T:
        if self._found is None:
            self._found = self._function()
        return self._found


Why = Refusal | Callable[[], Refusal | None] | None
"""Why something may not be chosen: a refusal, or who makes one where that takes a closer look. None: it may."""


def said(why: Why) -> Refusal | None:
    return why() if callable(why) else why


class Choices(Sequence[Option], Generic[T]):
    """The one description of what may be chosen: things that look choosable by their ids, and why one may not be.

    What `why_not` lets pass is offered, and of the rest it says what bars it; chance draws from the same. `quick` finds
    the ids of what it lets pass another way, all at once. `hint` ranks what is offered: no rule, but what a program
    should try first. The options are made when somebody looks at them: what a game by chance seldom does.
    """

    __slots__ = ("_allowed", "_hint", "_made", "_quick", "option", "things", "why_not")

    def __init__(
        self,
        things: Mapping[str, T],
        option: Callable[[T], Option],
        why_not: Callable[[T], Why] | None = None,
        *,
        quick: Callable[[], Sequence[str]] | None = None,
        hint: Callable[[T], Any] | None = None,
    ) -> None:
        self.things = things
        self.option = option
        self.why_not = why_not
        self._quick = quick
        self._hint = hint
        self._allowed: Sequence[str] | None = None
        self._made: list[Option] | None = None

    def allowed(self) -> Sequence[str]:
        """The ids of what may be chosen."""
        if self._allowed is None:
            law = self.why_not
            if self._quick is not None:
                self._allowed = self._quick()
            elif law is None:
                self._allowed = list(self.things)
            else:
                self._allowed = [name for name, thing in self.things.items() if law(thing) is None]
        return self._allowed

    def made(self) -> list[Option]:
        if self._made is None:
            found = [self.things[name] for name in self.allowed()]
            if self._hint is not None:
                found.sort(key=self._hint)
            self._made = [self.option(thing) for thing in found]
        return self._made

    @overload
    def __getitem__(self, index: int) -> Option: ...
    @overload
    def __getitem__(self, index: slice) -> list[Option]: ...
    def __getitem__(self, index: int | slice) -> Option | list[Option]:
        return self.made()[index]

    def __len__(self) -> int:
        return len(self.allowed())

    def __iter__(self) -> Iterator[Option]:
        return iter(self.made())

    def barred(self, name: str) -> Refusal | None:
        """Why a thing may not be chosen; None if it may, or if nothing of that name looks choosable."""
        return None if name not in self.things or self.why_not is None else said(self.why_not(self.things[name]))

    def pick(self, random: Random) -> str:
        allowed = self.allowed()
        return allowed[int(random.random() * len(allowed))]

    def draw(self, random: Random) -> str:
        """One of what may be chosen, each as likely as any other: for a law that takes long, asked of few of them."""
        law, known = self.why_not, self._allowed
        if self._quick is not None or law is None:
            return self.pick(random)
        names = list(self.things)
        while names:
            # The same name for the same chance, whether or not somebody has looked at what may be chosen.
            name = names.pop(int(random.random() * len(names)))
            if law(self.things[name]) is None if known is None else name in known:
                return name
        raise LookupError("nothing may be chosen")


class Joined(Choices[Any]):
    """Choices of several kinds as one, made when somebody looks; `order` says how what they offer is listed."""

    __slots__ = ("_make", "_order", "_parts")

    def __init__(
        self, make: Callable[[], Sequence[Choices[Any]]], order: Callable[[Sequence[Choices[Any]]], Sequence[str]]
    ) -> None:
        self._make = make
        self._order = order
        self._parts: Sequence[Choices[Any]] | None = None
        self._made = None

    def parts(self) -> Sequence[Choices[Any]]:
        if self._parts is None:
            self._parts = self._make()
        return self._parts

    @property
    def things(self) -> dict[str, Any]:  # type: ignore[override]
        return {name: thing for part in self.parts() for name, thing in part.things.items()}

    def allowed(self) -> Sequence[str]:
        return self._order(self.parts())

    def made(self) -> list[Option]:
        if self._made is None:
            offered = {name: part for part in self.parts() for name in part.allowed()}
            self._made = [offered[name].option(offered[name].things[name]) for name in self.allowed()]
        return self._made

    def barred(self, name: str) -> Refusal | None:
        return next((part.barred(name) for part in self.parts() if name in part.things), None)


def one_after_the_other(parts: Sequence[Choices[Any]]) -> list[str]:
    return [name for part in parts for name in part.allowed()]


FIRST, SECOND = itemgetter(0), itemgetter(1)


def or_none(
    none: Option, things: Mapping[str, T], option: Callable[[T], Option], why_not: Callable[[T], Why] | None = None
) -> Choices[T | None]:
    """The choice of one of some things or, which is listed first and never barred, of none."""
    return Choices(
        {none.id: None, **things},
        lambda thing: none if thing is None else option(thing),
        lambda thing: None if thing is None or why_not is None else why_not(thing),
    )


def options_of(*choices: tuple[Option, Why]) -> Choices[tuple[Option, Why]]:
    """Choices that are few: each option with what bars it, if anything does."""
    found = Choices({choice[0].id: choice for choice in choices}, FIRST, SECOND)
    found._allowed = [option.id for option, why in choices if why is None]
    return found


def shown(value: object, most: int = 60) -> str:
    """A stranger's value as it may stand in a message: never long."""
    text = value if isinstance(value, str) else f"{type(value).__name__}"
    # Half a character (a lone surrogate) can neither be printed nor sent.
    text, cut = text[:most].encode("utf-8", "backslashreplace").decode(), len(text) > most
    return text + "…" if cut else text


def names(ids: Iterable[str], most: int = 8) -> str:
    listed = list(islice(ids, most + 1))
    return ", ".join(listed[:most]) + (", …" if len(listed) > most else "")


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


class Piece(msgspec.Struct, frozen=True, omit_defaults=True):
    """A base that may be moved or set down, as the page must know it; `base` is its width and depth.

    `ground` is the kind of terrain that it becomes, if it is no base of troops: a trench is drawn as a trench.
    """

    id: str
    label: str
    at: tuple[float, float] | None
    facing: float
    reach: float | None = None
    base: tuple[float, float] | None = None
    ground: str | None = None


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

    def check(self, raw: object) -> Answer | Refusal:
        try:
            steps = msgspec.convert(raw, dict[str, Step])
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
    return {name: msgspec.convert(entry, Step) for name, entry in answer.items()}


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
