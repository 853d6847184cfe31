"""A chapter of a ruleset has one door: others import what its folder offers, not its rooms. `core` is open."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import cache
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


def borrowed(source: str, made: Callable[[str], set[str] | None]) -> list[str]:
    """The names that a module takes from another that has them from elsewhere itself.

    `made` gives the names that a module makes; None for a door, which is there to hand things on.
    """
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and (own := made(node.module or "")) is not None:
            found += [f"{node.module}.{each.name}" for each in node.names if each.name not in own]
    return found


def made_in(source: str) -> set[str]:
    """The names that a module makes, and those that it says by `as` that it hands on."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.ImportFrom):
            found |= {each.name for each in node.names if each.asname == each.name}
    return found


@cache
def made_in_module(name: str) -> set[str] | None:
    """The names that a module of a ruleset makes; None for a door, and for whatever is no module of one."""
    path = Path(rulesets.__file__).parents[2] / Path(*name.split(".")).with_suffix(".py")
    return made_in(path.read_text()) if name.startswith(f"{rulesets.__name__}.") and path.is_file() else None


@pytest.mark.parametrize("ruleset", rulesets.known())
def test_names_come_from_where_they_are_made_or_from_a_door(ruleset: str) -> None:
    for path in rulesets.folder(ruleset).rglob("*.py"):
        assert borrowed(path.read_text(), made_in_module) == [], path


def test_a_name_that_is_taken_from_elsewhere_is_noticed() -> None:
    law = f"{package('tr14')}.moving.law"
    assert borrowed(f"from {law} import MoveLaw, board", made_in_module) == [f"{law}.board"]


@pytest.mark.parametrize("ruleset", rulesets.known())
def test_a_door_offers_only_what_somebody_asks_for(ruleset: str) -> None:
    home = rulesets.folder(ruleset)
    asked = {(module, name) for path in home.rglob("*.py") for module, name, _ in taken(path.read_text())}
    for door in home.glob("*/__init__.py"):
        module, source = f"{package(ruleset)}.{door.parent.name}", door.read_text()
        used = {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}
        idle = [here for _, name, here in taken(source) if (module, name) not in asked and here not in used]
        assert idle == [], module


def taken(source: str) -> Iterator[tuple[str, str, str]]:
    """What a module takes from others: from which, its name there, and its name here."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", each.name, each.asname or each.name) for each in node.names)
