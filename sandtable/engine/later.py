"""What of a ledger is left for later, and what it waits for: the file `later.toml` beside a ruleset's rules.

A ruleset that plays whole battles may be offered before all of its book is here. What is missing is then named here, so
that nothing is missing by oversight.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec

from sandtable.engine import data
from sandtable.engine.ledger import Ledger

FILE = "later.toml"


class Wait(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Rules, or whole chapters of which nothing is here yet, and what they wait for."""

    what: str
    chapters: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()


class Later(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    format: Literal["sandtable.later"] = "sandtable.later"
    waits: tuple[Wait, ...] = ()

    def mistakes(self) -> Iterator[tuple[str, str]]:
        seen: set[str] = set()
        for number, wait in enumerate(self.waits):
            for name in (*wait.chapters, *wait.rules):
                if name in seen:
                    yield f"waits[{number}]", f'"{name}" stands here a second time'
                seen.add(name)


def left(ledger: Ledger, home: Path) -> dict[str, str]:
    """What each rule that is left for later waits for; nothing, where a ruleset leaves nothing."""
    path = home / FILE
    if not path.is_file():
        return {}
    found: dict[str, str] = {}
    for wait in data.read(path, Later).waits:
        found |= {rule.id: wait.what for rule in ledger.rules.values() if rule.chapter in wait.chapters}
        found |= {ledger[name].id: wait.what for name in wait.rules}
    return found
