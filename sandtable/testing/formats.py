"""Every kind of data file that there is: those of the rulesets, and rules, situations and set-ups."""

from __future__ import annotations

from typing import Any

from sandtable import rulesets
from sandtable.engine.data import DataError
from sandtable.engine.formats import check_as
from sandtable.engine.later import Later
from sandtable.engine.ledger import RuleFile
from sandtable.testing.situations import SetupFile, Situation


def every_format() -> dict[str, type[Any]]:
    """The structure that reads the files of each format; each ruleset declares its own."""
    found: dict[str, type[Any]] = {
        "sandtable.later": Later,
        "sandtable.rules": RuleFile,
        "sandtable.setup": SetupFile,
        "sandtable.situation": Situation,
    }
    for name in rulesets.known():
        found |= rulesets.load(name).formats
    return dict(sorted(found.items()))


def check(path: str) -> list[DataError]:
    """Every mistake of a data file of any format."""
    return check_as(path, every_format())
