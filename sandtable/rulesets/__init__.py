"""The games. One package a game, one module a chapter of its rulebook; they share the table and the engine only.

A game of one's own may lie in a file outside the package (`engine.places`).
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from sandtable.engine.places import UnknownRuleset, add, added, folder, in_the_making, known, names
from sandtable.engine.ruleset import Ruleset

__all__ = ["UnknownRuleset", "add", "folder", "in_the_making", "known", "load", "names"]


def load(name: str) -> Ruleset:
    if name not in known():
        raise UnknownRuleset(f"there is no ruleset {name!r}; known: {', '.join(names())}")
    outside = added().get(name)
    if outside is None:
        ruleset = importlib.import_module(f"sandtable.rulesets.{name}").RULESET
    else:
        ruleset = getattr(module_of(outside), "RULESET", None)
        if not isinstance(ruleset, Ruleset) or ruleset.name != name:
            raise UnknownRuleset(f"{outside}: it must define RULESET, a Ruleset with name={name!r}")
    assert isinstance(ruleset, Ruleset)
    return ruleset


def module_of(path: Path) -> ModuleType:
    """The module of a file outside the package, run once."""
    module = f"sandtable_ruleset_{path.stem}"
    if module not in sys.modules:
        spec = importlib.util.spec_from_file_location(module, path)
        assert spec is not None
        assert spec.loader is not None
        # Known before it runs: types that are written as text are looked up by their module.
        sys.modules[module] = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(sys.modules[module])
        except BaseException:
            del sys.modules[module]
            raise
    return sys.modules[module]
