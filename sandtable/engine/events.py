"""What happened, with its numbers, its dice and the rules that made it so: log, page, statistics and tests read it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal

import msgspec

from sandtable.engine.dice import Throw
from sandtable.engine.numbers import Whole


class Modifier(msgspec.Struct, frozen=True, gc=False):
    """One reason why a number is what it is. Modifiers are listed and summed, never added in passing."""

    amount: Whole
    rule: str
    words: str


class Event(msgspec.Struct, omit_defaults=True, gc=False):
    """One thing that happened.

    `data` is all of it for programs, by id: who (`unit`, `team`), to whom (`target`, `victim`), where (`at`, `ways`),
    with what (`weapon`), the number `needed`, and what came of it (`hits`, `passed`, `failed`, `outcome`). What `gain`,
    `falls` and `LAPSED` add to it a page shows by itself. `text` says the same to people, with a token for each name
    (`engine.tokens`); nothing reads it back.
    `only` names the seats that see it in this form; everybody else sees `others`, or nothing. `reveals` marks
    a secret that came out: nothing before it can be undone.
    """

    kind: str
    text: str
    rules: list[str] = []
    seat: str = ""
    dice: list[Throw] = []
    modifiers: list[Modifier] = []
    data: dict[str, Any] = {}
    only: list[str] | None = None
    others: Event | None = None
    reveals: bool = False


@lru_cache(maxsize=1024, typed=True)
def several(number: int, noun: str, plural: str = "") -> str:
    """So many of them, in words: 1 Team, 2 Teams; 1 die, 2 dice."""
    return f"{number} {noun}" if number == 1 else f"{number} {plural or noun + 's'}"


def inches(length: float) -> str:
    """A length as short as it can be said: 1 inch, 2.5 inches."""
    return f"{length:g} inch" if length == 1 else f"{length:g} inches"


def gain(side: str, what: str, number: int) -> dict[str, Any]:
    """The field of an event by which a side gains points: a page announces them where the event happened.

    `what` is what the status calls them.
    """
    return {"gain": {"side": side, "what": what, "number": number}}


LAPSED: dict[str, Any] = {"lapsed": True}
"""The field of an event by which a part of an order is not carried out: a page says so at its Unit, and why."""


def falls(what: Literal["shells", "smoke"], at: Any, **size: float) -> dict[str, Any]:
    """The fields of an event by which something comes down on the table: a page shows it where it falls.

    `at` is its middle, or those of several alike; its size is a `radius`, or the `size` of a square and its `facing`.
    """
    return {"falls": what, "at": at, **size}


def seen_by(event: Event, seat: str | None) -> Event | None:
    """The form of an event that a seat may know; None as a seat is a watcher, who knows what everybody knows."""
    while event.only is not None and seat not in event.only:
        if event.others is None:
            return None
        event = event.others
    if event.only is None and event.others is None:
        return event
    return msgspec.structs.replace(event, only=None, others=None)


def total(modifiers: list[Modifier]) -> int:
    return sum([modifier.amount for modifier in modifiers])
