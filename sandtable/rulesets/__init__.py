"""The games. One package a game, one module a chapter of its rulebook; they share the table and the engine only."""

from __future__ import annotations

import importlib
from pathlib import Path

from sandtable.engine.errors import SandtableError
from sandtable.engine.ruleset import Ruleset


class UnknownRuleset(SandtableError):
    """A name that no ruleset has."""


def folder(name: str) -> Path:
    """Where a ruleset's code and data lie."""
    return Path(__file__).parent / name


def names() -> list[str]:
    return sorted(path.parent.name for path in Path(__file__).parent.glob("*/__init__.py"))


def load(name: str) -> Ruleset:
    if name not in names():
        raise UnknownRuleset(f"there is no ruleset {name!r}; known: {', '.join(names())}")
    module = importlib.import_module(f"sandtable.rulesets.{name}")
    ruleset = module.RULESET
    assert isinstance(ruleset, Ruleset)
    return ruleset
