"""Whether what a situation expects is so: the state, the question, the refusal, the events."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from sandtable.engine.data_words import did_you_mean
from sandtable.engine.events import Event, seen_by
from sandtable.engine.game import Game
from sandtable.engine.questions import Question, Refusal
from sandtable.engine.tokens import plain
from sandtable.testing.situations.files import Asked, Expect, Happened, Refused

TOLERANCE = 0.011
"""Numbers agree when they differ by no more than the rounding of positions."""

PARTS_OF_A_LIST = ("has", "lacks", "count")
INDEX = re.compile(r"-?\d+")


class Failed(Exception):
    """Something that a situation says is not so."""

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(problem)
        self.where = where
        self.problem = problem


def full(value: Any) -> Any:
    """The state as plain data with its defaults written out, so that `overwatch = false` can be expected."""
    if isinstance(value, msgspec.Struct):
        return {name: full(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, dict):
        return {key: full(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [full(each) for each in value]
    return value


def lookup(place: Any, path: str) -> Any:
    for key in path.split("."):
        place = place.get(key) if isinstance(place, dict) else None
    return place


def same(wanted: Any, found: Any) -> bool:
    if isinstance(wanted, bool) or isinstance(found, bool):
        return wanted is found
    if isinstance(wanted, int | float) and isinstance(found, int | float):
        return abs(wanted - found) <= TOLERANCE
    if isinstance(wanted, list) and isinstance(found, list | tuple):
        return len(wanted) == len(found) and all(same(a, b) for a, b in zip(wanted, found, strict=True))
    return bool(wanted == found)


def compare(wanted: Any, found: Any, where: str) -> None:
    """Everything that is wanted must be found; what is not mentioned may be anything."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        for key, value in wanted.items():
            if key not in found:
                raise Failed(f"{where}.{key}", f"there is no such thing; {did_you_mean(key, found)}".rstrip("; "))
            compare(value, found[key], f"{where}.{key}")
    elif isinstance(wanted, dict) and isinstance(found, list | tuple):
        compare_list(wanted, list(found), where)
    elif not same(wanted, found):
        raise Failed(where, f"expected {wanted!r}, found {found!r}{in_part(wanted)}")


def in_part(wanted: Any) -> str:
    """For whoever wrote only a part of each table of a list: how that is said."""
    if not isinstance(wanted, list) or not any(isinstance(one, dict) for one in wanted):
        return ""
    return "; a list is compared whole: for parts of it write `{ has = […] }`, or give the number of an element"


def compare_list(wanted: dict[str, Any], found: list[Any], where: str) -> None:
    """A list in part: what it has, what it lacks, how many it holds, or the element of a number."""
    for key, value in wanted.items():
        here = f"{where}.{key}"
        if key == "count":
            if value != len(found):
                raise Failed(here, f"expected {value!r}, found {len(found)}: {found!r}")
        elif key == "has":
            left = list(found)
            for one in as_list(value, here):
                match = next((each for each in left if agrees(one, each)), None)
                if match is None:
                    raise Failed(here, f"{one!r} is not among {left!r}")
                left.remove(match)
        elif key == "lacks":
            for one in as_list(value, here):
                if any(agrees(one, each) for each in found):
                    raise Failed(here, f"{one!r} is among {found!r}")
        elif INDEX.fullmatch(key):
            if not -len(found) <= int(key) < len(found):
                raise Failed(here, f"there is no such element in {found!r}")
            compare(value, found[int(key)], here)
        else:
            parts = ", ".join(PARTS_OF_A_LIST)
            raise Failed(here, f"a list stands here: give it whole, or by {parts} or the number of an element")


def as_list(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise Failed(where, f"give a list, not {value!r}")
    return value


def agrees(wanted: Any, found: Any) -> bool:
    try:
        compare(wanted, found, "")
    except Failed:
        return False
    return True


def check_refusal(wanted: Refused, refused: Refusal | None, where: str) -> None:
    if refused is None:
        raise Failed(where, "the answer was accepted")
    for name, value, found in (
        ("rule", wanted.rule, refused.rule),
        ("kind", wanted.kind, refused.kind),
        ("field", wanted.field, refused.field),
    ):
        if value and value != found:
            raise Failed(f"{where}.{name}", f"expected {value!r}, refused with {found!r}: {refused}")
    if wanted.says and wanted.says not in str(refused):
        raise Failed(f"{where}.says", f"the refusal reads: {refused}")


def choices_of(question: Question) -> list[str]:
    """What a question offers, as `options`, `offers` and `lacks` name it."""
    described = question.describe()
    choices = [str(option["id"]) for option in described.get("options", [])]
    for item, options in described.get("items", {}).items():
        choices += [f"{item}: {option['id']}" for option in options]
    return choices + [str(piece["id"]) for piece in described.get("pieces", [])]


def check_asked(wanted: Asked, game: Game[Any], where: str) -> None:
    ask = game.ask
    if ask is None or wanted.nothing:
        if wanted.nothing != (ask is None):
            raise Failed(where, "nothing is asked" if ask is None else f"{ask.question.topic!r} is asked of {ask.seat}")
        return
    found = f"{ask.question.topic!r} is asked of {ask.seat}"
    if wanted.seat and wanted.seat != ask.seat:
        raise Failed(f"{where}.seat", found)
    if wanted.topic and wanted.topic != ask.question.topic:
        raise Failed(f"{where}.topic", found)
    if wanted.rule and wanted.rule not in ask.question.rules:
        raise Failed(f"{where}.rule", f"the question names {', '.join(ask.question.rules) or 'no rule'}")
    choices = choices_of(ask.question)
    if wanted.options is not None and sorted(wanted.options) != sorted(choices):
        raise Failed(f"{where}.options", f"the choices are {choices}")
    for choice in wanted.offers:
        if choice not in choices:
            raise Failed(f"{where}.offers", f"{choice!r} is not among {choices}")
    for choice in wanted.lacks:
        if choice in choices:
            raise Failed(f"{where}.lacks", f"{choice!r} is among {choices}")


def check_events(expect: Expect, happened: list[Event], where: str) -> None:
    at = 0
    for number, wanted in enumerate(expect.events):
        problems = []
        for position in range(at, len(happened)):
            problem = differs(wanted, happened[position])
            if problem is None:
                at = position + 1
                break
            if happened[position].kind == wanted.kind:
                problems.append(problem)
        else:
            told = ", ".join(event.kind for event in happened[at:]) or "nothing"
            why = problems[0] if problems else f"there followed: {told}"
            raise Failed(f"{where}.events[{number}]", f"no such {wanted.kind!r} event: {why}")
    for number, unwanted in enumerate(expect.no_events):
        for event in happened:
            if differs(unwanted, event) is None:
                raise Failed(f"{where}.no_events[{number}]", f"it happened: {plain(event.text)}")


def differs(wanted: Happened, event: Event) -> str | None:
    """What an event lacks of what is wanted, or None."""
    if wanted.seen_by:
        seen = seen_by(event, wanted.seen_by)
        if seen is None:
            return f"{wanted.seen_by} does not see it"
        event = seen
    if event.kind != wanted.kind:
        return f"it is {event.kind!r}"
    if wanted.seat and event.seat != wanted.seat:
        return f"it is {event.seat}'s"
    cited = [*event.rules, *(modifier.rule for modifier in event.modifiers)]
    for rule in wanted.rules:
        if rule not in cited:
            return f"it does not cite {rule} but {', '.join(cited)}"
    for rule in wanted.lacks:
        if rule in cited:
            return f"it cites {rule}"
    if wanted.says and wanted.says not in plain(event.text):
        return f"it reads: {plain(event.text)}"
    if wanted.dice is not None and wanted.dice != [throw.values for throw in event.dice]:
        return f"its dice show {[throw.values for throw in event.dice]}"
    if wanted.modifiers is not None:
        found = sorted((modifier.amount, modifier.rule) for modifier in event.modifiers)
        if sorted(wanted.modifiers) != found:
            return f"its modifiers are {found}"
    try:
        compare(wanted.data, msgspec.to_builtins(event.data), "data")
    except Failed as failed:
        return f"{failed.where}: {failed.problem}"
    return None
