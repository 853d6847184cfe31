"""A chapter of a ruleset has one door: others import what its folder offers, not its rooms. `core` is open."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path

import pytest

from sandtable import rulesets


def package(ruleset: str) -> str:
    return f"{rulesets.__name__}.{ruleset}"


def chapter_of(path: Path, home: Path) -> str:
    return path.relative_to(home).with_suffix("").parts[0]


def past_a_door(source: str, ruleset: str, chapter: str) -> list[str]:
    """The rooms of other chapters that a module imports."""
    home = f"{package(ruleset)}."
    found = [node.module or "" for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)]
    rooms = [name.removeprefix(home).split(".") for name in found if name.startswith(home)]
    return [".".join(room) for room in rooms if len(room) > 1 and room[0] not in ("core", chapter)]


@pytest.mark.parametrize("ruleset", rulesets.known())
def test_chapters_are_entered_by_their_doors(ruleset: str) -> None:
    home = rulesets.folder(ruleset)
    for path in home.rglob("*.py"):
        assert past_a_door(path.read_text(), ruleset, chapter_of(path, home)) == [], path


def test_a_room_that_is_entered_otherwise_is_noticed() -> None:
    home = package("tr14")
    entered = (
        f"from {home}.firing.shots import Shot\n"
        f"from {home}.core.state import Unit\n"
        f"from {home}.moving.law import MoveLaw"
    )
    assert past_a_door(entered, "tr14", "moving") == ["firing.shots"]


@pytest.mark.parametrize("ruleset", rulesets.known())
def test_a_door_offers_what_it_names(ruleset: str) -> None:
    for chapter in import_module(package(ruleset)).CHAPTERS:
        module = import_module(f"{package(ruleset)}.{chapter}")
        for name in getattr(module, "__all__", ()):
            assert hasattr(module, name), f"{chapter} has no {name}"
