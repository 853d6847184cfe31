"""What msgspec says of wrong data, in words for the person who wrote the file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from typing import Any, NamedTuple

from msgspec import inspect

from sandtable.engine.toml_lines import SOME, Steps, parse_path

_MESSAGE = re.compile(r"(.*?)(?: - at (`key` in )?`(\$.*)`)?", re.DOTALL)
_FIELD = re.compile(r"Object (contains unknown|missing required) field `(.*)`", re.DOTALL)
_QUOTED = re.compile(r"`([^`]*)`")
_KINDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
    "null": "nothing",
    "datetime": "a date and time",
    "date": "a date",
    "time": "a time of day",
}


class Fault(NamedTuple):
    """One thing wrong: where, in words, and the key that is missing if that is what is wrong."""

    steps: Steps
    problem: str
    missing: str | None = None


def explain(message: str, data: Any, type_: type[Any], known: Steps = ()) -> Fault:
    """Read a message of msgspec about `data`; `known` is the beginning of its path where we know better."""
    whole = _MESSAGE.fullmatch(message)
    assert whole is not None
    what, in_key, path = whole.groups()
    steps = parse_path(path or "$")
    if in_key:
        steps = (*steps, SOME)
    steps = (*known, *steps[len(known) :])
    field = _FIELD.fullmatch(what)
    if field and field[1] == "missing required":
        wanting = _wanting(_types_at(type_, data, steps), value_at(data, steps)) or [field[2]]
        words = f"the key `{wanting[0]}` is" if len(wanting) == 1 else f"the keys `{'`, `'.join(wanting)}` are"
        return Fault(steps, f"{words} missing", field[2])
    if field:
        keys = _keys(_types_at(type_, data, steps), value_at(data, steps))
        return Fault((*steps, field[2]), f"unknown key `{field[2]}`; {_known(field[2], keys, 'keys')}")
    if what.startswith("Invalid "):
        named = [each for each in _choices(type_, data, steps) if each != ""]
        value = value_at(data, steps)
        return Fault(steps, f"{_show(value)} is not known here; {_known(value, named, 'values')}")
    return Fault(steps, _in_words(what, None if in_key else value_at(data, steps)))


def value_at(data: Any, steps: Steps) -> Any:
    """The value at a path, or None where there is none."""
    for step in steps:
        inside = range(len(data)) if isinstance(data, list) else data if isinstance(data, dict) else ()
        if step not in inside:
            return None
        data = data[step]
    return data


def _in_words(what: str, value: Any) -> str:
    def kinds(found: re.Match[str]) -> str:
        names = found[1].split(" | ")
        wanted = [name for name in names if name != "null"] or names
        return " or ".join(_KINDS.get(name, name) for name in wanted)

    text = _QUOTED.sub(kinds, what)
    if not text.startswith("Expected "):
        return text
    text = text[0].lower() + text[1:]
    if isinstance(value, str | int | float):
        return f"{text} ({_show(value)})" if ", got " in text else f"{text}, got {_show(value)}"
    return text


def _show(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 40 else f"{text[:37]}..."


def _known(given: Any, known: Iterable[Any], noun: str) -> str:
    names = sorted({str(name) for name in known})
    if not names:
        return f"no {noun} are known here"
    return f"{did_you_mean(given, names)}known {noun}: {', '.join(names)}"


def did_you_mean(given: Any, names: Iterable[str]) -> str:
    """The nearest of some names as a question with a space after it, or nothing if none is near."""
    near = get_close_matches(str(given), names, n=1)
    return f"did you mean `{near[0]}`? " if near else ""


def _types_at(type_: type[Any], data: Any, steps: Steps) -> list[inspect.Type]:
    """The types that the value at a path may have."""
    types = list(_plain(inspect.type_info(type_)))
    for depth, step in enumerate(steps):
        value = value_at(data, steps[:depth])
        types = [plain for one in types for inner in _within(one, step, value) for plain in _plain(inner)]
    return types


def _plain(info: inspect.Type) -> Iterator[inspect.Type]:
    if isinstance(info, inspect.UnionType):
        for one in info.types:
            yield from _plain(one)
    elif isinstance(info, inspect.Metadata):
        yield from _plain(info.type)
    else:
        yield info


def _within(info: inspect.Type, step: str | int, value: Any) -> Iterator[inspect.Type]:
    if isinstance(info, inspect.StructType):
        if _tagged_so(info, value):
            yield from (field.type for field in info.fields if field.encode_name == step)
    elif isinstance(info, inspect.DictType):
        yield info.value_type
    elif isinstance(info, inspect.ListType | inspect.SetType | inspect.FrozenSetType | inspect.VarTupleType):
        yield info.item_type
    elif isinstance(info, inspect.TupleType) and isinstance(step, int) and step < len(info.item_types):
        yield info.item_types[step]


def _tagged_so(info: inspect.StructType, value: Any) -> bool:
    return info.tag_field is None or (isinstance(value, dict) and value.get(info.tag_field) == info.tag)


def _keys(types: list[inspect.Type], value: Any) -> Iterator[str]:
    for info in types:
        if isinstance(info, inspect.StructType) and _tagged_so(info, value):
            yield from (field.encode_name for field in info.fields)
            if info.tag_field is not None:
                yield info.tag_field


def _wanting(types: list[inspect.Type], value: Any) -> list[str]:
    """The keys that a table needs and does not have, if only one structure may stand there."""
    structures = [info for info in types if isinstance(info, inspect.StructType) and _tagged_so(info, value)]
    if len(structures) != 1 or not isinstance(value, dict):
        return []
    return [field.encode_name for field in structures[0].fields if field.required and field.encode_name not in value]


def _choices(type_: type[Any], data: Any, steps: Steps) -> Iterator[Any]:
    """The values that an enumeration, a literal or the tag of a structure may have."""
    for info in _types_at(type_, data, steps):
        if isinstance(info, inspect.EnumType):
            yield from (member.value for member in info.cls)
        elif isinstance(info, inspect.LiteralType):
            yield from info.values
    for info in _types_at(type_, data, steps[:-1]):
        if isinstance(info, inspect.StructType) and steps and info.tag_field == steps[-1]:
            yield info.tag
