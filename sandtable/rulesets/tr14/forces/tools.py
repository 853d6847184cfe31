"""Forces of this game as files: how one is begun and shown."""

from __future__ import annotations

import msgspec

from sandtable.engine.data import read_text
from sandtable.engine.events import several
from sandtable.engine.ruleset import ForceSheet, ForceTools
from sandtable.field import forces
from sandtable.rulesets.tr14.core.arsenal import profile, profiles
from sandtable.rulesets.tr14.core.names import ROLES
from sandtable.rulesets.tr14.forces.armies import FORCES, HERE, LEADERS, Force, ForceUnit

NATIONS = ("us", "german")


def first(nation: str) -> str:
    """A first force: two rifle platoons and their commander."""
    units: dict[str, dict[str, forces.Value]] = {
        "cc": {"name": "Company Commander", "training": "veteran", "leader": "smg", "apart": "cc"}
    }
    for number in (1, 2):
        rifles: dict[str, forces.Value] = {"leader": "rifle", "teams": {"rifle": 6}}
        units[f"rifles-{number}"] = {"name": f"Rifle Platoon {number}", "training": "veteran", **rifles}
    return forces.first_text("sandtable.tr14.force", nation, units)


def annotated(text: str, nation: str) -> str:
    """The profiles are the same for every nation."""
    keys = read_text(HERE / "data" / "force-keys.txt")
    return forces.annotated(keys, text, {"": {key: kind.name for key, kind in profiles().items()}})


def sheet(name: str, force: Force) -> ForceSheet:
    platoons = sum(not unit.apart for unit in force.units.values())
    teams = sum(1 + sum(unit.teams.values()) for unit in force.units.values())
    return ForceSheet(
        force.title,
        ("Unit", "Teams", "Training", ""),
        tuple(row_of(force, unit) for unit in force.units.values()),
        force.about,
        (f"{several(platoons, 'Unit')} and those who stand apart, {several(teams, 'Team')} in all.",),
        (LEADERS,),
        {"name": name, **msgspec.to_builtins(force), "unit_count": platoons, "rules": [LEADERS]},
    )


def row_of(force: Force, unit: ForceUnit) -> tuple[str, ...]:
    leader = f"{ROLES[unit.apart or 'pl']} ({profile(unit.leader).name})"
    teams = [leader, *forces.counted(unit.teams, lambda key: profile(key).name)]
    remark = f"observes for {force.units[unit.battery].name}" if unit.battery else ""
    return (unit.name, "\n".join(teams), unit.training, remark)


TOOLS = ForceTools(FORCES.names, FORCES.load, FORCES.path, NATIONS, first, annotated, sheet)
