"""Where rulesets lie: in the package, or in a file of one's own that was named to the command line.

A ruleset of one's own is a Python file `NAME.py` with `RULESET`; its data (`rules/`, `scenarios/`, `situations/`) lie
in the folder `NAME/` beside it. Such a file is run as code, so only whoever starts the program names it: by an option,
or in the variable `SANDTABLE_RULESETS`, which hands it on to the processes that a program starts.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from sandtable.engine.errors import SandtableError

VARIABLE = "SANDTABLE_RULESETS"
PACKAGED = Path(__file__).parent.parent / "rulesets"
NAME = re.compile(r"[a-z][a-z0-9]*")
"""A ruleset's name is the first word of its rules' ids."""

UNFINISHED = "in-the-making.md"
"""A ruleset of the package with this file in its folder is not offered to players yet; it says what is missing."""


OFFERED = "SANDTABLE_UNFINISHED"
"""Names in this variable are offered all the same: to whoever builds such a ruleset and wants to play it."""


class UnknownRuleset(SandtableError):
    """A name that no ruleset has, or a file that holds none."""


def packaged() -> list[str]:
    return sorted(path.parent.name for path in PACKAGED.glob("*/__init__.py"))


def in_the_making() -> list[str]:
    """The rulesets of the package that cannot be played to an end yet."""
    return [name for name in packaged() if (PACKAGED / name / UNFINISHED).is_file()]


def added() -> dict[str, Path]:
    """The files of rulesets that lie outside the package, by their names."""
    found: dict[str, Path] = {}
    for path in (Path(each).absolute() for each in os.environ.get(VARIABLE, "").split(os.pathsep) if each):
        name = path.stem
        if path.suffix != ".py" or not path.is_file():
            raise UnknownRuleset(f"{path}: there is no such ruleset; name a Python file, such as skirmish.py")
        if not NAME.fullmatch(name):
            raise UnknownRuleset(f"{path}: a ruleset's name is of small letters and digits, as in skirmish.py")
        if name in packaged() or found.get(name, path) != path:
            raise UnknownRuleset(f"{path}: there is another ruleset called {name!r}; give the file its own name")
        found[name] = path
    return found


def add(path: Path) -> str:
    """Make the ruleset of a file known to this program and to those that it starts; its name."""
    before = os.environ.get(VARIABLE, "")
    os.environ[VARIABLE] = os.pathsep.join([*([before] if before else []), str(path.absolute())])
    try:
        added()
    except UnknownRuleset:
        os.environ[VARIABLE] = before
        raise
    return path.stem


def known() -> list[str]:
    """Every ruleset that can be loaded by its name, also those that are in the making."""
    return sorted([*packaged(), *added()])


def names() -> list[str]:
    """The rulesets that players are offered."""
    unfinished = set(in_the_making()) - set(os.environ.get(OFFERED, "").split())
    return [name for name in known() if name not in unfinished]


def folder(name: str) -> Path:
    """Where the data of a ruleset lie."""
    outside = added().get(name)
    return PACKAGED / name if outside is None else outside.with_suffix("")


def sources(folder: Path) -> list[Path]:
    """The code of the ruleset whose data lie in a folder: in it, and for one outside the package beside it."""
    beside = folder.with_suffix(".py")
    return [*sorted(folder.rglob("*.py")), *([beside] if beside.is_file() else [])]
