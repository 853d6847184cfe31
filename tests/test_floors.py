"""The floors of the house (docs/house.md): a floor knows the floors below it, a chapter the chapters before it.

The sources are read, not run: every `import` counts, wherever it stands, also one that only a type checker follows.
An import inside a function hides an edge from a reader and from the start of the program, so below the command line it
is allowed only where this page says why.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

import sandtable

FLOORS = ("table", "engine", "field", "rulesets", "bots", "lab", "server", "testing", "cli")
"""From the ground up."""

LATE = {
    "sandtable.bots": "a bot is loaded when it is chosen",
    "sandtable.field.set_ups": "compiled kernels are loaded when a set-up with bases is checked",
    "sandtable.lab.cold": "the client of a server is a tool of developers, and need not be installed",
    "sandtable.lab.bench": "each measurement loads what it measures; catanatron need not be installed",
    "sandtable.server.chores": "drawing is loaded when a picture is due",
    "sandtable.server.lease": "fcntl is on POSIX alone",
    "sandtable.server.workers": "runs in the child process, which loads the rules there",
    "sandtable.table.compiled.cache": "fcntl is on POSIX alone, and the modules of kernels register themselves",
    "sandtable.table.compiled.switch": "the compiler is large: loaded when something is compiled",
    "sandtable.testing.traffic": "shadows the name of the client's own function",
}
"""Modules below the command line that import inside functions, and why they may."""


class Import(NamedTuple):
    """One `import`: from which module, of what, on which line, and whether it stands inside a function."""

    source: str
    target: str
    line: int
    late: bool
    typing: bool

    def __str__(self) -> str:
        return f"{self.source}:{self.line} imports {self.target}"


def sources_of_the_house() -> dict[str, str]:
    """Every module of the package by its dotted name; a package's own name stands for its `__init__`."""
    top = Path(sandtable.__file__).parent
    found = {}
    for path in sorted(top.rglob("*.py")):
        parts = path.relative_to(top.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path.read_text("utf-8")
    return found


def imports_of(sources: Mapping[str, str]) -> list[Import]:
    packages = {name.rpartition(".")[0] for name in sources}
    return [found for name, text in sources.items() for found in _imports(name, text, sources, packages)]


def _imports(name: str, text: str, sources: Mapping[str, str], packages: set[str]) -> Iterator[Import]:
    def visit(node: ast.AST, late: bool, typing: bool) -> Iterator[Import]:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            late = True
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            typing = True
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(name, alias.name, node.lineno, late, typing)
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            if node.level:
                here = name.split(".") if name in packages else name.split(".")[:-1]
                module = ".".join([*here[: len(here) - node.level + 1], *([module] if module else [])])
            for alias in node.names:
                inner = f"{module}.{alias.name}"
                yield Import(name, inner if inner in sources else module, node.lineno, late, typing)
        for child in ast.iter_child_nodes(node):
            yield from visit(child, late, typing)

    yield from visit(ast.parse(text), False, False)


def floor(name: str) -> int:
    """How high a module lives. The package's own `__init__` is the ground; `__main__` is the roof."""
    parts = name.split(".")
    if len(parts) == 1:
        return -1
    return FLOORS.index(parts[1]) if parts[1] in FLOORS else len(FLOORS)


def ruleset_of(name: str) -> str:
    parts = name.split(".")
    return parts[2] if len(parts) > 2 and parts[1] == "rulesets" else ""


def upward(imports: Iterable[Import]) -> list[str]:
    """Imports of a higher floor, and those by which one ruleset knows another."""
    amiss = []
    for each in imports:
        if each.target.split(".")[0] != "sandtable":
            continue
        if floor(each.target) > floor(each.source):
            amiss.append(f"{each}: a floor knows nothing above itself")
        mine, theirs = ruleset_of(each.source), ruleset_of(each.target)
        if mine and theirs and mine != theirs:
            amiss.append(f"{each}: rulesets do not know one another")
    return amiss


def declared_chapters(source: str) -> tuple[str, ...] | None:
    """The tuple CHAPTERS of a ruleset's `__init__`, or None if there is none."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.AnnAssign) and node.value is not None:
            names, value = [node.target], node.value
        elif isinstance(node, ast.Assign):
            names, value = node.targets, node.value
        else:
            continue
        if any(isinstance(name, ast.Name) and name.id == "CHAPTERS" for name in names):
            return tuple(ast.literal_eval(value))
    return None


def out_of_order(ruleset: str, sources: Mapping[str, str], imports: Iterable[Import]) -> list[str]:
    """What stands against the order of a ruleset's chapters, which its `__init__` declares from the bottom up."""
    door = f"sandtable.rulesets.{ruleset}"
    chapters = declared_chapters(sources[door])
    if chapters is None:
        return [f"{door} declares no CHAPTERS"]
    there = {name.split(".")[3] for name in sources if name.startswith(f"{door}.")}
    amiss = [f"{door}: {name} is no declared chapter" for name in sorted(there - set(chapters))]
    amiss += [f"{door}: there is no chapter {name}" for name in sorted(set(chapters) - there)]
    if amiss:
        return amiss

    def height(name: str) -> int:
        parts = name.split(".")
        return chapters.index(parts[3]) if len(parts) > 3 else len(chapters)

    for each in imports:
        inside = ruleset_of(each.source) == ruleset == ruleset_of(each.target)
        if inside and height(each.target) > height(each.source):
            amiss.append(f"{each}: its chapter comes later")
    return amiss


def circles(sources: Mapping[str, str], imports: Iterable[Import]) -> list[list[str]]:
    """Groups of modules each of which needs all others of its group before it can be loaded.

    To import a module loads the packages around it, too, but for those that are being loaded already. What only a type
    checker follows loads nothing.
    """
    edges: dict[str, set[str]] = {name: set() for name in sources}
    for each in imports:
        if each.source not in sources or each.typing:
            continue
        parts = each.target.split(".")
        for length in range(1, len(parts) + 1):
            package = ".".join(parts[:length])
            around = length < len(parts) and f"{each.source}.".startswith(f"{package}.")
            if package in sources and package != each.source and not around:
                edges[each.source].add(package)
    return sorted(sorted(group) for group in _components(edges) if len(group) > 1)


def _components(edges: Mapping[str, set[str]]) -> Iterator[list[str]]:
    """The strongly connected components of a graph (Tarjan)."""
    index: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(name: str) -> None:
        index[name] = lowest[name] = len(index)
        stack.append(name)
        for to in sorted(edges[name]):
            if to not in index:
                visit(to)
                lowest[name] = min(lowest[name], lowest[to])
            elif to in stack:
                lowest[name] = min(lowest[name], index[to])
        if lowest[name] == index[name]:
            at = stack.index(name)
            found.append(stack[at:])
            del stack[at:]

    for name in edges:
        if name not in index:
            visit(name)
    yield from found


def late(imports: Iterable[Import]) -> list[Import]:
    """Imports inside functions, below the command line."""
    return [each for each in imports if each.late and floor(each.source) < FLOORS.index("cli")]


SOURCES = sources_of_the_house()
IMPORTS = imports_of(SOURCES)
RULESETS = sorted({ruleset_of(name) for name in SOURCES} - {""})


def test_no_floor_knows_what_is_above_it() -> None:
    assert upward(IMPORTS) == []


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_chapter_knows_only_those_before_it(ruleset: str) -> None:
    assert out_of_order(ruleset, SOURCES, IMPORTS) == []


def test_nothing_outside_the_rulesets_imports_in_a_circle() -> None:
    assert [group for group in circles(SOURCES, IMPORTS) if not all(map(ruleset_of, group))] == []


@pytest.mark.parametrize("ruleset", RULESETS)
def test_no_ruleset_imports_in_a_circle(ruleset: str) -> None:
    assert [group for group in circles(SOURCES, IMPORTS) if ruleset in map(ruleset_of, group)] == []


def test_imports_stand_at_the_head_of_a_module() -> None:
    found = late(IMPORTS)
    assert [str(each) for each in found if each.source not in LATE and not ruleset_of(each.source)] == []
    assert set(LATE) - {each.source for each in found} == set(), "named here, but imports nothing inside a function"


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_imports_of_a_ruleset_stand_at_the_head_of_a_module(ruleset: str) -> None:
    found = [each for each in late(IMPORTS) if ruleset_of(each.source) == ruleset]
    assert [str(each) for each in found if each.source not in LATE] == []


# The checks themselves: each finds the edge that is planted for it in a little house that is sound without it.

HOUSE = {
    "sandtable": "",
    "sandtable.table": "",
    "sandtable.table.shapes": "import math",
    "sandtable.engine": "",
    "sandtable.engine.game": "from sandtable.table import shapes",
    "sandtable.rulesets": "from sandtable.engine import game",
    "sandtable.rulesets.hof": 'CHAPTERS = ("core", "firing")\nfrom sandtable.rulesets.hof.firing import lines',
    "sandtable.rulesets.hof.core": "",
    "sandtable.rulesets.hof.core.state": "from sandtable.engine.game import Game",
    "sandtable.rulesets.hof.firing": "from sandtable.rulesets.hof.firing import lines",
    "sandtable.rulesets.hof.firing.lines": "from sandtable.rulesets.hof.core import state",
    "sandtable.rulesets.tr14": "CHAPTERS = ()",
    "sandtable.cli": "def play():\n    from sandtable import rulesets",
}


def complaints(planted: Mapping[str, str]) -> list[str]:
    sources = {name: f"{text}\n{planted.get(name, '')}" for name, text in HOUSE.items()}
    imports = imports_of(sources)
    return [
        *upward(imports),
        *(line for name in ("hof", "tr14") for line in out_of_order(name, sources, imports)),
        *(f"{' '.join(group)} in a circle" for group in circles(sources, imports)),
        *(f"{each} inside a function" for each in late(imports)),
    ]


def test_a_sound_house_is_not_complained_of() -> None:
    assert complaints({}) == []


@pytest.mark.parametrize(
    ("where", "line", "complaint"),
    [
        ("sandtable.table.shapes", "from sandtable.engine.game import Game", "a floor knows nothing above itself"),
        ("sandtable.table.shapes", "from ..engine import game", "sandtable.engine.game: a floor knows nothing above"),
        ("sandtable.engine.game", "import sandtable.cli", "a floor knows nothing above itself"),
        ("sandtable.rulesets.tr14", "from sandtable.rulesets.hof.core import state", "do not know one another"),
        ("sandtable.rulesets.hof.core.state", "from sandtable.rulesets.hof.firing import lines", "comes later"),
        ("sandtable.rulesets.hof.core.state", "from ..firing.lines import reach", "comes later"),
        (
            "sandtable.rulesets.hof.core.state",
            "if TYPE_CHECKING:\n    from sandtable.rulesets.hof.firing import lines",
            "comes later",
        ),
        ("sandtable.rulesets.hof.core.state", "from sandtable.rulesets import hof", "comes later"),
        (
            "sandtable.rulesets.hof.firing.lines",
            "from sandtable.rulesets.hof.firing import reach",
            "sandtable.rulesets.hof.firing sandtable.rulesets.hof.firing.lines in a circle",
        ),
        (
            "sandtable.rulesets.hof.core.state",
            "def reach():\n    from sandtable.rulesets.hof.core import board",
            "inside a function",
        ),
        ("sandtable.rulesets.hof.core.state", "class A:\n    def b(self):\n        import re", "inside a function"),
    ],
)
def test_a_planted_edge_is_noticed(where: str, line: str, complaint: str) -> None:
    found = complaints({where: line})
    assert any(complaint in each for each in found), found


def test_a_pair_that_imports_one_another_is_a_circle() -> None:
    sources = {"a": "import b", "b": "import c", "c": "def late():\n    import b"}
    assert circles(sources, imports_of(sources)) == [["b", "c"]]


def test_chapters_must_be_declared_and_there() -> None:
    sources = {**HOUSE, "sandtable.rulesets.hof": 'CHAPTERS = ("core", "moving")'}
    assert out_of_order("hof", sources, imports_of(sources)) == [
        "sandtable.rulesets.hof: firing is no declared chapter",
        "sandtable.rulesets.hof: there is no chapter moving",
    ]
    sources["sandtable.rulesets.hof"] = ""
    assert out_of_order("hof", sources, imports_of(sources)) == ["sandtable.rulesets.hof declares no CHAPTERS"]
