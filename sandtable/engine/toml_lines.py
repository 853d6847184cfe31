"""Where a value stands in a TOML text: what tomllib does not tell, and what a person needs to mend a mistake.

The scan is light: it trusts that tomllib has read the text already, and only notes on which line each key,
table and array element begins.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import count

Steps = tuple[str | int, ...]

# A step of a written path: a quoted key, an index, an index that nobody knows, or a plain key.
_STEP = re.compile(r'"((?:[^"\\]|\\.)*)"|\[(\d+)\]|(\[\.\.\.\])|([^.\[\]"]+)')
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_SPACE = re.compile(r"[ \t]*")
_BLANK = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")
_SCALAR = re.compile(r"[^,\]}#\n]*")
_STRINGS = (
    re.compile(r'"""(?:[^\\]|\\.)*?"{3,5}(?!")', re.DOTALL),
    re.compile(r"'''.*?'{3,5}(?!')", re.DOTALL),
    re.compile(r'"(?:[^"\\\n]|\\.)*"'),
    re.compile(r"'[^'\n]*'"),
)
# The unknown step of a path: "some value of this table", as msgspec writes it.
SOME = "[...]"


def parse_path(text: str) -> Steps:
    """Read a path as msgspec or a person writes it: `$.unit[0].teams."r 1".at`."""
    steps: list[str | int] = []
    for quoted, index, some, key in _STEP.findall(text.removeprefix("$")):
        if index:
            steps.append(int(index))
        elif some:
            steps.append(SOME)
        elif key:
            steps.append(key)
        else:
            steps.append(quoted.replace('\\"', '"').replace("\\\\", "\\"))
    return tuple(steps)


def write_path(path: Sequence[str | int]) -> str:
    """Write a path for a person: the reverse of `parse_path`."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        elif step == SOME:
            text += SOME
        elif _BARE_KEY.fullmatch(step):
            text += f".{step}"
        else:
            escaped = step.replace("\\", "\\\\").replace('"', '\\"')
            text += f'."{escaped}"'
    return text.removeprefix(".")


_PROBLEM = re.compile(r'((?:"(?:[^"\\]|\\.)*"|[^"])*?): (.*)', re.DOTALL)


def problem_at(path: Sequence[str | int], words: str) -> str:
    """One thing wrong with a value, as `Ruleset.problems` tells it: the path of the fault, and what is wrong."""
    return f"{write_path(path)}: {words}"


def read_problem(problem: str) -> tuple[Steps, str]:
    """The path and the words of what `problem_at` wrote; a problem without a path is one of the whole."""
    found = _PROBLEM.fullmatch(problem)
    return (parse_path(found[1]), found[2]) if found else ((), problem)


def locate(text: str, path: str | Sequence[str | int]) -> int:
    """The line of the value at `path`, or of the nearest thing around it; 1 where nothing of it is found."""
    steps = parse_path(path) if isinstance(path, str) else tuple(path)
    lines = _lines(text)
    while steps and steps not in lines:
        steps = steps[:-1]
    return lines.get(steps, 1)


@lru_cache(maxsize=8)
def _lines(text: str) -> dict[Steps, int]:
    scan = _Scan(text)
    scan.document()
    return scan.lines


class _Scan:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.lines: dict[Steps, int] = {}
        self.tables_in: dict[Steps, int] = {}
        self.starts = [0, *(found.end() for found in re.finditer("\n", text))]

    def line(self) -> int:
        return bisect_right(self.starts, self.at)

    def skip(self, pattern: re.Pattern[str]) -> None:
        found = pattern.match(self.text, self.at)
        if found:
            self.at = found.end()

    def take(self, sign: str) -> bool:
        if self.text.startswith(sign, self.at):
            self.at += len(sign)
            return True
        return False

    def mark(self, path: Steps, line: int) -> None:
        self.lines.setdefault(path, line)

    def document(self) -> None:
        table: Steps = ()
        while True:
            self.skip(_BLANK)
            if self.at >= len(self.text):
                return
            before = self.at
            line = self.line()
            if self.take("[["):
                table = self.header(self.key(), line, element=True)
                self.take("]]")
            elif self.take("["):
                table = self.header(self.key(), line, element=False)
                self.take("]")
            else:
                self.pair(table)
            if self.at == before:
                # Not TOML. tomllib says so; here it is enough to come to an end.
                self.at += 1

    def header(self, keys: list[str], line: int, *, element: bool) -> Steps:
        """Enter a table; a name that is an array of tables means its latest element."""
        path: Steps = ()
        for number, key in enumerate(keys, 1):
            path += (key,)
            if element and number == len(keys):
                self.mark(path, line)
                path += (self.tables_in.get(path, 0),)
                self.tables_in[path[:-1]] = self.tables_in.get(path[:-1], 0) + 1
            elif path in self.tables_in:
                path += (self.tables_in[path] - 1,)
            self.mark(path, line)
        # A table first met through a table inside it gets its own line once its header comes.
        self.lines[path] = line
        return path

    def key(self) -> list[str]:
        keys: list[str] = []
        while True:
            self.skip(_SPACE)
            bare = _BARE_KEY.match(self.text, self.at)
            if bare:
                keys.append(bare.group())
                self.at = bare.end()
            else:
                start = self.at
                self.string()
                if self.at == start:
                    return keys
                keys.append(_unquote(self.text[start : self.at]))
            self.skip(_SPACE)
            if not self.take("."):
                return keys

    def pair(self, table: Steps) -> None:
        line = self.line()
        path = table
        for key in self.key():
            path += (key,)
            self.mark(path, line)
        self.skip(_SPACE)
        if self.take("="):
            self.skip(_SPACE)
            self.value(path)

    def value(self, path: Steps) -> None:
        if self.take("["):
            for number in self.elements("]"):
                self.mark((*path, number), self.line())
                self.value((*path, number))
        elif self.take("{"):
            for _ in self.elements("}"):
                self.pair(path)
        else:
            start = self.at
            self.string()
            if self.at == start:
                self.skip(_SCALAR)

    def elements(self, end: str) -> Iterator[int]:
        """Stand at each element of an array or inline table in turn, until its closing bracket."""
        for number in count():
            self.skip(_BLANK)
            while self.take(","):
                self.skip(_BLANK)
            if self.take(end) or self.at >= len(self.text):
                return
            before = self.at
            yield number
            if self.at == before:
                # Not TOML, as in `document`.
                self.at += 1

    def string(self) -> None:
        for pattern in _STRINGS:
            found = pattern.match(self.text, self.at)
            if found:
                self.at = found.end()
                return


def _unquote(key: str) -> str:
    try:
        return str(tomllib.loads(f"key = {key}")["key"])
    except tomllib.TOMLDecodeError:
        return key[1:-1]
