"""The one way to read a data file: TOML into a typed structure, and every mistake by file, line and place.

A structure that reads a file forbids unknown keys (`forbid_unknown_fields=True`): a slip of the pen is an
error and not a silence. What a type cannot say, such as "this name must be one of those above", a structure
says in a method `mistakes()`; see `Checked`, and `CheckedBeside` for one that leans on other files.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Protocol, TypeVar, runtime_checkable

import msgspec

from sandtable.engine.data_words import Fault, explain, value_at
from sandtable.engine.errors import SandtableError
from sandtable.engine.toml_lines import SOME, Steps, locate, parse_path, write_path

T = TypeVar("T")

# A file with more problems than this is better read from its top than from our list.
MOST_PROBLEMS = 100
_TOML_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")


class DataError(SandtableError):
    """A mistake in a data file. Line 0 stands for the file as a whole."""

    def __init__(self, file: str, line: int, where: str, problem: str) -> None:
        super().__init__(file, line, where, problem)
        self.file = file
        self.line = line
        self.where = where
        self.problem = problem

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return ": ".join(part for part in (place, self.where, self.problem) if part)


@runtime_checkable
class Checked(Protocol):
    """A structure that knows more about itself than its types: yields (path in the file, problem)."""

    def mistakes(self) -> Iterable[tuple[str | Steps, str]]: ...


@runtime_checkable
class CheckedBeside(Protocol):
    """A structure that leans on other files: it is told its own file, and its mistakes may stand in those."""

    def mistakes_beside(self, text: str, name: str) -> Iterable[DataError]: ...


def read(path: str | Path, type_: type[T]) -> T:
    """Read a data file; the first mistake in it is raised as a `DataError`."""
    return parse(read_text(path), type_, str(path))


def parse(text: str, type_: type[T], name: str) -> T:
    """Read the text of a data file; `name` is what an error calls it."""
    data = parse_toml(text, name)
    try:
        value = msgspec.convert(data, type_)
    except msgspec.ValidationError as error:
        fault = fault_of(error, data, type_)
        raise mistake(text, name, fault.steps, fault.problem) from None
    for wrong in _beyond_types(value, text, name):
        raise wrong
    return value


def _beyond_types(value: Any, text: str, name: str) -> Iterator[DataError]:
    if isinstance(value, Checked):
        yield from (mistake(text, name, where, problem) for where, problem in value.mistakes())
    if isinstance(value, CheckedBeside):
        yield from value.mistakes_beside(text, name)


def problems(path: str | Path, type_: type[Any]) -> list[DataError]:
    """Every mistake of a data file, in the order of its lines."""
    try:
        text = read_text(path)
    except DataError as error:
        return [error]
    return problems_in(text, type_, str(path))


def problems_in(text: str, type_: type[Any], name: str) -> list[DataError]:
    """Every mistake in the text of a data file."""
    try:
        data = parse_toml(text, name)
    except DataError as error:
        return [error]
    value, faults = convert_all(data, type_)
    found = [mistake(text, name, fault.steps, fault.problem) for fault in faults]
    if value is not None and not found:
        found = list(_beyond_types(value, text, name))
    return sorted(found, key=lambda error: (error.file != name, error.line))


def convert_all(data: dict[str, Any], type_: type[T]) -> tuple[T | None, list[Fault]]:
    """A value of a type, or everything that is wrong: what is wrong is noted, cut out of `data`, and the rest read."""
    cut = _Cutting(data)
    found: list[Fault] = []
    while len(found) < MOST_PROBLEMS:
        try:
            return msgspec.convert(cut.data, type_), found
        except msgspec.ValidationError as error:
            fault = fault_of(error, cut.data, type_)
            if not cut.made(fault):
                found.append(fault._replace(steps=cut.original(fault.steps)))
            if not cut.out(fault.steps):
                break
    return None, found


def mistake(text: str, name: str, where: str | Steps, problem: str) -> DataError:
    """A `DataError` about the value at the path `where` of a TOML text."""
    steps = parse_path(where) if isinstance(where, str) else where
    return DataError(name, locate(text, steps), write_path(steps), problem)


def read_text(path: str | Path) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise DataError(str(path), 0, "", "there is no such file") from None
    except IsADirectoryError:
        raise DataError(str(path), 0, "", "this is a folder, not a data file") from None
    except UnicodeDecodeError:
        raise DataError(str(path), 0, "", "this is not a text file in UTF-8") from None
    except OSError as error:
        raise DataError(str(path), 0, "", f"the file cannot be read ({error.strerror})") from None


def parse_toml(text: str, name: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = _TOML_PLACE.search(str(error))
        line = int(place[1]) if place and place[1] else max(1, len(text.splitlines()))
        problem = str(error)[: place.start()] if place else str(error)
        raise DataError(name, line, "", f"not valid TOML: {problem}") from None
    except RecursionError:
        raise DataError(name, 0, "", "not valid TOML: brackets nested too deeply") from None


def fault_of(error: msgspec.ValidationError, data: Any, type_: type[Any]) -> Fault:
    """What is wrong and where.

    msgspec does not say which entry of a table of entries is wrong; it is found by trying each alone.
    """
    fault = explain(str(error), data, type_)
    for depth, step in enumerate(fault.steps):
        if step != SOME:
            continue
        entries = value_at(data, fault.steps[:depth])
        if not isinstance(entries, dict):
            break
        key = _culprit(entries, data, type_, str(error))
        if key is None:
            break
        fault = explain(str(error), data, type_, (*fault.steps[:depth], key))
    return fault


def _culprit(entries: dict[str, Any], data: Any, type_: type[Any], message: str) -> str | None:
    everything = dict(entries)
    try:
        for key, value in everything.items():
            entries.clear()
            entries[key] = value
            try:
                msgspec.convert(data, type_)
            except msgspec.ValidationError as error:
                if str(error) == message:
                    return key
        return None
    finally:
        entries.clear()
        entries.update(everything)


class _Cutting:
    """Data from which wrong parts are cut, while places go on being named as in the file."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        self.numbers: dict[int, list[int]] = {}
        self.gone: set[Steps] = set()

    def original(self, steps: Steps) -> Steps:
        """The path in the file of a path in what is left."""
        out: list[str | int] = []
        value: Any = self.data
        for step in steps:
            number = step
            if isinstance(step, int) and id(value) in self.numbers:
                number = self.numbers[id(value)][step]
            out.append(number)
            value = value_at(value, (step,))
        return tuple(out)

    def made(self, fault: Fault) -> bool:
        """Whether a fault is there only because something was cut: a missing key, a list grown too short."""
        steps = self.original(fault.steps)
        if fault.missing is not None:
            return (*steps, fault.missing) in self.gone
        return any(gone[:-1] == steps for gone in self.gone)

    def out(self, steps: Steps) -> bool:
        """Cut the value, or the list around it if its elements are no tables; false if nothing can be cut."""
        while steps and isinstance(steps[-1], int) and not isinstance(value_at(self.data, steps), dict):
            steps = steps[:-1]
        if not steps or steps[-1] == SOME:
            return False
        self.gone.add(self.original(steps))
        around = value_at(self.data, steps[:-1])
        last = steps[-1]
        if isinstance(around, list) and isinstance(last, int):
            del self.numbers.setdefault(id(around), list(range(len(around))))[last]
            del around[last]
        elif isinstance(around, dict) and last in around:
            del around[last]
        else:
            return False
        return True
