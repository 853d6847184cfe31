"""The kinds of data file, by the `format` that each names in its first lines."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import msgspec

from sandtable.engine.data import DataError, mistake, parse_toml, problems_in, read_text

# Types are named by "module:Type" and imported when a file of theirs is read.
FORMATS: dict[str, str] = {
    "sandtable.hof.arsenal": "sandtable.rulesets.hof.core.arsenal:Arsenal",
    "sandtable.hof.force": "sandtable.rulesets.hof.forces.forces:Force",
    "sandtable.hof.random-table": "sandtable.rulesets.hof.forces.random_battle:Charts",
    "sandtable.hof.scenario": "sandtable.rulesets.hof.forces.scenarios:Scenario",
    "sandtable.hof.terrain": "sandtable.rulesets.hof.core.terrain:Kinds",
    "sandtable.rules": "sandtable.engine.ledger:RuleFile",
    "sandtable.setup": "sandtable.testing.situations:SetupFile",
    "sandtable.situation": "sandtable.testing.situations:Situation",
    "sandtable.tr14.arsenal": "sandtable.rulesets.tr14.arsenal:Arsenal",
    "sandtable.tr14.force": "sandtable.rulesets.tr14.forces:Force",
    "sandtable.tr14.scenario": "sandtable.rulesets.tr14.forces:Scenario",
    "sandtable.tr14.terrain": "sandtable.rulesets.tr14.terrain:Kinds",
}


def type_of(format_: str) -> type[Any]:
    """The structure that reads files of a format; a `KeyError` for an unknown one."""
    module, name = FORMATS[format_].split(":")
    found: type[Any] = getattr(import_module(module), name)
    return found


def check(path: str) -> list[DataError]:
    """Every mistake of a data file of any known format."""
    try:
        text = read_text(path)
        data = parse_toml(text, path)
    except DataError as error:
        return [error]
    format_ = data.get("format")
    known = ", ".join(sorted(FORMATS))
    if format_ is None:
        return [mistake(text, path, "", f"the key `format` is missing; known formats: {known}")]
    if not isinstance(format_, str) or format_ not in FORMATS:
        said = msgspec.json.encode(format_).decode()
        return [mistake(text, path, "format", f"{said} is not a known format; known formats: {known}")]
    return problems_in(text, type_of(format_), path)
