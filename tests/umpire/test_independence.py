"""The second umpire works by himself: he imports no code of the rules, and none of the geometry that they use."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from sandtable.testing import umpire

MODULES = sorted(Path(umpire.__file__).parent.rglob("*.py"))
MAY_KNOW = ("sandtable.engine", "sandtable.testing")
MAKES_BATTLES = "tables.py"
"""Set-ups to be judged are made with the ruleset's own types; nothing is judged there."""


def imported(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return {name for name in found if name.split(".")[0] == "sandtable"}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: "/".join(path.parts[-2:]))
def test_nothing_of_the_rules_is_called(path: Path) -> None:
    if path.name == MAKES_BATTLES:
        return
    for name in imported(path):
        assert name.startswith(MAY_KNOW), f"{path.name} imports {name}"
