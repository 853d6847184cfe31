"""Forces of this game as files: how one is begun, shown, and compared with another."""

from __future__ import annotations

from functools import partial
from typing import get_args

import msgspec

from sandtable.engine.data import read_text
from sandtable.engine.events import several
from sandtable.engine.ruleset import ForceSheet, ForceTools
from sandtable.field import forces
from sandtable.rulesets.hof.core.arsenal import profile, profiles
from sandtable.rulesets.hof.core.state import Nation
from sandtable.rulesets.hof.forces.forces import EXAMPLES, FORCES, HERE, SWITCHES, Force, ForceUnit, counted, team_lines
from sandtable.rulesets.hof.forces.parity import compare_aloud

NOT_LISTED = ("leader", "observer", "commander", "sniper")
"""Profiles that come with a key of their own."""


def annotated(text: str, nation: str) -> str:
    """With all profiles that the nation may use."""
    tables: dict[str, dict[str, str]] = {}
    for key, kind in profiles().items():
        if kind.nation in (nation, "any") and key not in NOT_LISTED:
            table = kind.table.removeprefix(f"{nation}-") or "every nation"
            tables.setdefault(table.replace("-", " "), {})[key] = kind.name
    return forces.annotated(read_text(HERE / "data" / "force-keys.txt"), text, tables)


def sheet(name: str, force: Force) -> ForceSheet:
    """A force: its Units and Teams, and its Break Limit."""
    rules = tuple(filter(None, (EXAMPLES.get(name), *force.rules())))
    lines = [f"{several(force.unit_count, 'Unit')}, Break Limit {force.break_limit}."]
    if force.fieldworks:
        sets = ", ".join(f"{several(number, 'set')} of {kind}" for kind, number in force.fieldworks.items())
        lines.append(f"Lays at set-up: {sets}.")
    return ForceSheet(
        force.title,
        ("Unit", "Teams", "Transports", "Quality", ""),
        tuple(row_of(unit) for unit in force.units.values()),
        force.about,
        tuple(lines),
        rules,
        {
            "name": name,
            **{key: msgspec.to_builtins(getattr(force, key)) for key in ("title", "nation", "about", "units")},
            "unit_count": force.unit_count,
            "break_limit": force.break_limit,
            "notes": [{"where": where, "words": words} for where, words in force.warnings()],
            "rules": list(rules),
        },
    )


def row_of(unit: ForceUnit) -> tuple[str, ...]:
    times = f" × {unit.count}" if unit.count > 1 else ""
    teams, transports = "\n".join(team_lines(unit)), "\n".join(counted(unit.transports))
    return (f"{unit.name}{times}", teams, transports, unit.quality, ", ".join(remarks(unit)))


def remarks(unit: ForceUnit) -> list[str]:
    found = ["recon"] * unit.recon + ["off the table"] * unit.off_board
    if unit.kind:
        found.append(f"with the optional rule {SWITCHES[unit.kind]}")
    if unit.riders:
        found.append(f"{profile(unit.riders).name} as Riders, with the optional rule riders")
    return found


first = partial(forces.first_of, HERE)
TOOLS = ForceTools(
    FORCES.names, FORCES.load, FORCES.path, get_args(Nation), first, annotated, sheet, Force.warnings, compare_aloud
)
