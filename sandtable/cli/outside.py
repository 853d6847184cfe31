"""The option by which a command is told of rulesets outside the package."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sandtable.engine import places


def make_known(files: list[Path] | None) -> list[Path] | None:
    for file in files or ():
        places.add(file)
    return files


RulesetFiles = Annotated[
    list[Path] | None,
    typer.Option(
        "--ruleset-file",
        metavar="FILE",
        callback=make_known,
        help="A ruleset of your own, as skirmish.py (repeat it for several). It is run as code.",
    ),
]


def chosen(ruleset: str) -> str:
    """The name of a ruleset that was given by its name, or as a file."""
    return places.add(Path(ruleset)) if ruleset.endswith(".py") else ruleset
