"""Where rules are named: in the code of a ruleset, in its situations, in the marks of tests.

Code is read, not run, so that a report costs no imports and sees what a test never reaches.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from sandtable.engine import data
from sandtable.engine.ledger import RULE_ID
from sandtable.engine.places import sources
from sandtable.engine.toml_lines import Steps, locate


class Citation(NamedTuple):
    """A place that names a rule. `name` is that of the test, where there is one."""

    rule: str
    file: Path
    line: int
    name: str = ""

    @property
    def place(self) -> str:
        place = f"{shown(self.file)}:{self.line}"
        return f"{place} {self.name}" if self.name else place


class Variant(msgspec.Struct):
    rules: list[str] = []


class Situation(msgspec.Struct):
    """Of a situation only what coverage needs; what else it holds is the business of those who run it."""

    rules: list[str] = []
    variant: list[Variant] = []
    must_fail: bool = False


def shown(path: Path) -> str:
    """A path as a person would type it from where he is."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def in_code(folder: Path, ruleset: str) -> Iterator[Citation]:
    """Every string in a ruleset's modules, and in the data that they read, that has the form of one of its rule ids."""
    for path in sources(folder):
        for node in _strings(_tree(path)):
            if RULE_ID.fullmatch(node.value) and node.value.startswith(f"{ruleset}."):
                yield Citation(node.value, path, node.lineno)
    for path in sorted((folder / "data").glob("*.toml")):
        text = data.read_text(path)
        for value, steps in _values(data.parse_toml(text, shown(path))):
            if RULE_ID.fullmatch(value) and value.startswith(f"{ruleset}."):
                yield Citation(value, path, locate(text, steps))


def in_situations(folder: Path) -> Iterator[tuple[Citation, bool]]:
    """Every rule that a situation or a variant of it says it checks, and whether that counts as a test.

    A situation that must fail proves that the checker can fail, not that a rule holds.
    """
    for path in sorted(folder.rglob("*.toml")):
        text = data.read_text(path)
        situation = data.parse(text, Situation, shown(path))
        named = [(rule, f"rules[{number}]") for number, rule in enumerate(situation.rules)]
        for index, variant in enumerate(situation.variant):
            named += [(rule, f"variant[{index}].rules[{number}]") for number, rule in enumerate(variant.rules)]
        for rule, where in named:
            yield Citation(rule, path, locate(text, where)), not situation.must_fail


def in_tests(folder: Path) -> Iterator[Citation]:
    """Every rule that a test is marked with: a function, a class, or a whole module through `pytestmark`."""
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(_tree(path)):
            marks: list[ast.expr] = []
            name = ""
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                marks, name = node.decorator_list, node.name
            elif isinstance(node, ast.Assign) and any(
                isinstance(target, ast.Name) and target.id == "pytestmark" for target in node.targets
            ):
                marks = node.value.elts if isinstance(node.value, ast.List | ast.Tuple) else [node.value]
            for mark in marks:
                if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.rule":
                    yield from (_argument(arg, path, name) for arg in mark.args)


def _argument(arg: ast.expr, path: Path, name: str) -> Citation:
    if isinstance(arg, ast.Constant) and isinstance(arg.value, str):
        return Citation(arg.value, path, arg.lineno, name)
    problem = "a rule mark must write its ids out, so that they are found without running the test"
    raise data.DataError(shown(path), arg.lineno, name, problem)


def _tree(path: Path) -> ast.Module:
    try:
        return ast.parse(data.read_text(path), str(path))
    except SyntaxError as error:
        raise data.DataError(shown(path), error.lineno or 0, "", f"not valid Python: {error.msg}") from None


def _values(value: object, steps: Steps = ()) -> Iterator[tuple[str, Steps]]:
    """All strings in the data of a file, with their places; a key is one, too."""
    if isinstance(value, str):
        yield value, steps
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield key, (*steps, key)
            yield from _values(inner, (*steps, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _values(inner, (*steps, number))


class _Text(NamedTuple):
    value: str
    lineno: int


def _strings(tree: ast.Module) -> Iterator[_Text]:
    """String literals that do something, unlike a docstring or any text that is a statement of its own."""
    idle = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in idle:
            yield _Text(node.value, node.lineno)
