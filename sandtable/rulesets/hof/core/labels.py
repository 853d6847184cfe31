"""What people call Units and Teams."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from sandtable.field.troops import numbered
from sandtable.rulesets.hof.core.arsenal import profile
from sandtable.rulesets.hof.core.state import Member, State, Team, Unit, find_team


def label(unit: Unit) -> str:
    return unit.name or unit.id


ROLES = {"pl": "Platoon Leader", "fo": "Forward Observer", "cc": "Company Commander", "sniper": "Sniper"}


def team_label(team: Team) -> str:
    """A Team as people call it: what it is and, if its id ends in one, its number within the Unit.

    The number is part of the Team's own name, so it tells nothing of mates that are still hidden.
    """
    return spoken(team.role, team.profile, team.id)


@lru_cache(maxsize=4096)
def spoken(role: str, key: str, team_id: str) -> str:
    if role in ROLES:
        return ROLES[role]
    return numbered(profile(key).name, team_id)


def full_label(unit: Unit, team: Team) -> str:
    """A Team with its Unit; a sniper, who is a Unit by himself, is named once."""
    name, platoon = team_label(team), label(unit)
    return name if name == platoon else f"{name} of {platoon}"


def spoken_list(members: Sequence[Member]) -> str:
    """Some Teams with their Units, each Unit named once."""
    units: dict[str, tuple[Unit, list[str]]] = {}
    for unit, team in members:
        units.setdefault(unit.id, (unit, []))[1].append(team_label(team))
    groups = ((", ".join(names), label(unit)) for unit, names in units.values())
    return "; ".join(names if names == platoon else f"{names} of {platoon}" for names, platoon in groups)


def spoken_of(state: State, name: str) -> str:
    """Whatever an order is about: a Team with its Unit, or a structure."""
    found = find_team(state, name)
    return full_label(*found) if found is not None else name.replace("-", " ")
