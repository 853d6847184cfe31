"""The second umpire works by himself: he imports no code of the rules, and none of the geometry that they use."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandtable.testing import umpire

MODULES = sorted(Path(umpire.__file__).parent.rglob("*.py"))
MAY_KNOW = ("sandtable.engine", "sandtable.testing")
WHERE_DATA_LIE = "sandtable.rulesets"
MAKE_BATTLES = ("tables.py", "duels.py")
"""Set-ups to be judged are made with the ruleset's own types; nothing is judged there."""


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Everything that runs: what stands under TYPE_CHECKING is for the type checker alone."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            continue
        yield node
        yield from statements(node)


def imported(path: Path) -> set[str]:
    found: set[str] = set()
    for node in statements(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return {name for name in found if name.split(".")[0] == "sandtable"}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: "/".join(path.parts[-2:]))
def test_nothing_of_the_rules_is_called(path: Path) -> None:
    if path.name in MAKE_BATTLES:
        return
    for name in imported(path):
        assert name == WHERE_DATA_LIE or name.startswith(MAY_KNOW), f"{path.name} imports {name}"
