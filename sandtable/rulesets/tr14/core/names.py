"""What people call Units and Teams. In a text a name says whose it is, and is a token that leads to its piece.

`unit_name` and `team_name` are for where the side is plain already: choices within one question, cards, the map.
"""

from __future__ import annotations

from functools import lru_cache

from sandtable.engine.questions import Option
from sandtable.engine.tokens import token
from sandtable.field.troops import numbered
from sandtable.rulesets.tr14.core.arsenal import profile
from sandtable.rulesets.tr14.core.state import State, Team, Unit, find_team

ROLES = {"pl": "Platoon Leader", "cc": "Company Commander", "fo": "Forward Observer"}


def unit_name(unit: Unit) -> str:
    return unit.name or unit.id


def team_name(team: Team) -> str:
    """A Team as people call it: its kind and, if its id ends in one, its number within the Unit."""
    return spoken(team.role, team.profile, team.id)


@lru_cache(maxsize=4096)
def spoken(role: str, key: str, team_id: str) -> str:
    if role in ROLES:
        return f"{ROLES[role]} ({profile(key).name})"
    return numbered(profile(key).name, team_id)


def label(unit: Unit) -> str:
    """A Unit in a text: "Red Rifle Platoon"."""
    return unit_token(unit.side, unit.id, unit.name or unit.id)


def team_label(team: Team, side: str) -> str:
    """A Team of a side in a text: "Red Rifle 2"."""
    return team_token(side, team.role, team.profile, team.id)


def name_of(state: State, team_id: str) -> str:
    """A Team in a text whose id is known; the id of one that is gone."""
    found = find_team(state, team_id)
    return team_label(found[1], found[0].side) if found is not None else team_id


@lru_cache(maxsize=4096)
def unit_token(side: str, unit_id: str, name: str) -> str:
    return token("unit", unit_id, f"{side.capitalize()} {name}")


@lru_cache(maxsize=4096)
def team_token(side: str, role: str, key: str, team_id: str) -> str:
    return token("team", team_id, f"{side.capitalize()} {spoken(role, key, team_id)}")


def of_unit(unit: Unit) -> str:
    """A Unit in a text that has just named a Team of it: whose it is has been said."""
    return token("unit", unit.id, unit_name(unit))


def unit_option(unit: Unit, more: str = "") -> Option:
    return Option(unit.id, unit_name(unit) + more, pieces=(unit.id,))


def team_option(team: Team, more: str = "") -> Option:
    return Option(team.id, team_name(team) + more, pieces=(team.id,))
