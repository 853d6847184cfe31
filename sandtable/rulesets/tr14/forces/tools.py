"""Forces of this game as files: how one is begun and shown."""

from __future__ import annotations

import msgspec

from sandtable.engine.events import several
from sandtable.engine.ruleset import ForceSheet, ForceTools
from sandtable.rulesets.tr14.core.arsenal import profile, profiles
from sandtable.rulesets.tr14.forces.armies import FORCES, LEADERS, Force, ForceUnit

KEYS = """\
# A force for the test rules of 2014. `sandtable force check FILE` looks for mistakes, `sandtable force show FILE`
# shows it.
#
# One table a Unit, [units.KEY]. What a Unit may say, besides its name:
#   training = "veteran"         or "green", "elite"
#   leader = "PROFILE"           the Team of its leader; all profiles stand below
#   teams = { PROFILE = 6 }      how many other Teams of each profile
#   apart = "cc"                 the Company Commander, who stands alone; "fo": a Forward Observer
#   battery = "KEY"              for a Forward Observer: the Unit that he observes for
"""
NATIONS = ("us", "german")


def first(nation: str) -> str:
    """A first force: two rifle platoons and their commander."""
    return "\n".join(
        [
            'format = "sandtable.tr14.force"',
            'title = ""',
            f'nation = "{nation}"',
            'about = ""',
            "",
            "[units.cc]",
            'name = "Company Commander"',
            'training = "veteran"',
            'leader = "smg"',
            'apart = "cc"',
            *rifles("1"),
            *rifles("2"),
        ]
    )


def rifles(number: str) -> list[str]:
    return [
        "",
        f"[units.rifles-{number}]",
        f'name = "Rifle Platoon {number}"',
        'training = "veteran"',
        'leader = "rifle"',
        "teams = { rifle = 6 }",
    ]


def annotated(text: str, nation: str) -> str:
    """The text of a force between what its keys mean and all profiles; they are the same for every nation."""
    rows = [f"#   {key}: {kind.name}" for key, kind in profiles().items()]
    return "\n".join([KEYS, text.rstrip(), "", "# Profiles:", *rows, ""])


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
    leader = {"cc": "Company Commander", "fo": "Forward Observer", "": "Platoon Leader"}[unit.apart]
    teams = [f"{leader} ({profile(unit.leader).name})"]
    teams += [f"{count} × {profile(key).name}" for key, count in unit.teams.items()]
    remark = f"observes for {force.units[unit.battery].name}" if unit.battery else ""
    return (unit.name, "\n".join(teams), unit.training, remark)


TOOLS = ForceTools(FORCES.names, FORCES.load, FORCES.path, NATIONS, first, annotated, sheet)
