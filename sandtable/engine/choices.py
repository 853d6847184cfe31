"""What may be chosen: options with their labels, what bars the rest, and the refusal that says so.

One description of a choice serves all who look at it: what is offered, why something else is not, what is tried first,
and a choice by chance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from operator import itemgetter
from random import Random
from typing import Any, Generic, Literal, TypeVar, overload

import msgspec

from sandtable.engine.tokens import plain

T = TypeVar("T")


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
    they do first if it is chosen (`move`, `fire`): a drag, or a click on an enemy, chooses it. Of several that move,
    `goes` says how many inches, and a long drag chooses one that goes so far. `warning` says what would come of it
    that nobody would want. `shape` is how it has a Unit stand (`line`, `loose`): a page draws it as a handle at the
    Unit. `then` is what may be chosen next, for one gesture to choose both; the first comes unasked.
    """

    id: str
    label: str
    rules: tuple[str, ...] = ()
    pieces: tuple[str, ...] = ()
    act: str = ""
    warning: str = ""
    shape: str = ""
    then: tuple[Option, ...] = ()
    goes: float = 0.0


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


Why = Refusal | Callable[[], Refusal | None] | None
"""Why something may not be chosen: a refusal, or who makes one where that takes a closer look. None: it may."""


def said(why: Why) -> Refusal | None:
    return why() if callable(why) else why


class Choices(Sequence[Option], Generic[T]):
    """The one description of what may be chosen: things that look choosable by their ids, and why one may not be.

    What `why_not` lets pass is offered, and of the rest it says what bars it; chance draws from the same. `quick` finds
    the ids of what it lets pass another way, all at once. `hint` ranks what is offered: no rule, but what a program
    should try first. `besides` says of things that are never chosen here what bars them, should somebody ask for one.
    The options are made when somebody looks at them: what a game by chance seldom does.
    """

    __slots__ = ("_allowed", "_besides", "_hint", "_made", "_quick", "option", "things", "why_not")

    def __init__(
        self,
        things: Mapping[str, T],
        option: Callable[[T], Option],
        why_not: Callable[[T], Why] | None = None,
        *,
        quick: Callable[[], Sequence[str]] | None = None,
        hint: Callable[[T], Any] | None = None,
        besides: Mapping[str, Why] | None = None,
    ) -> None:
        self.things = things
        self.option = option
        self.why_not = why_not
        self._besides = {} if besides is None else besides
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
        if name in self.things:
            return None if self.why_not is None else said(self.why_not(self.things[name]))
        return said(self._besides.get(name))

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
