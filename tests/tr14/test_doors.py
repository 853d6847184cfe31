"""A chapter of the test rules has one door: others import what its folder offers, not its rooms. `core` is open."""

from __future__ import annotations

import ast
from pathlib import Path

from sandtable import rulesets
from sandtable.rulesets.tr14 import CHAPTERS

HOME = rulesets.folder("tr14")
NAME = "sandtable.rulesets.tr14."


def chapter_of(path: Path) -> str:
    return path.relative_to(HOME).with_suffix("").parts[0]


def past_a_door(source: str, chapter: str) -> list[str]:
    """The rooms of other chapters that a module imports."""
    found = [node.module or "" for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)]
    rooms = [name.removeprefix(NAME).split(".") for name in found if name.startswith(NAME)]
    return [".".join(room) for room in rooms if len(room) > 1 and room[0] not in ("core", chapter)]


def test_chapters_are_entered_by_their_doors() -> None:
    for path in HOME.rglob("*.py"):
        assert past_a_door(path.read_text(), chapter_of(path)) == [], path


def test_a_room_that_is_entered_otherwise_is_noticed() -> None:
    entered = (
        f"from {NAME}firing.shots import Shot\nfrom {NAME}core.state import Unit\nfrom {NAME}moving.law import MoveLaw"
    )
    assert past_a_door(entered, "moving") == ["firing.shots"]


def test_a_door_offers_what_it_names() -> None:
    for chapter in CHAPTERS:
        module = __import__(NAME + chapter, fromlist=["*"])
        for name in getattr(module, "__all__", ()):
            assert hasattr(module, name), f"{chapter} has no {name}"
