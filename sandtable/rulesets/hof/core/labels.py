"""What people call Units and Teams. In a text a name says whose it is, and is a token that leads to its piece.

A name says whose it is by the colour of its side, as the rest of the log does and as `tr14` does: two companies may be
of one nation. `unit_name` and `team_name` are for where the side is plain already: choices within one question, cards,
the map.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from sandtable.engine.questions import Option
from sandtable.engine.tokens import token
from sandtable.field.troops import numbered
from sandtable.rulesets.hof.core.arsenal import profile
from sandtable.rulesets.hof.core.state import Member, State, Team, Unit, find_team

ROLES = {"pl": "Platoon Leader", "fo": "Forward Observer", "cc": "Company Commander", "sniper": "Sniper"}


def unit_name(unit: Unit) -> str:
    return unit.name or unit.id


def team_name(team: Team) -> str:
    """A Team as people call it: what it is and, if its id ends in one, its number within the Unit.

    The number is part of the Team's own name, so it tells nothing of mates that are still hidden.
    """
    return spoken(team.role, team.profile, team.id)


@lru_cache(maxsize=4096)
def spoken(role: str, key: str, team_id: str) -> str:
    if role in ROLES:
        return ROLES[role]
    return numbered(profile(key).name, team_id)


def full_name(unit: Unit, team: Team) -> str:
    """A Team with its Unit, where the side is plain; a sniper, who is a Unit by himself, is named once."""
    name, platoon = team_name(team), unit_name(unit)
    return name if name == platoon else f"{name}, {platoon}"


def label(unit: Unit) -> str:
    """A Unit in a text: "Red Rifle Platoon"."""
    return unit_token(unit.side, unit.id, unit.name or unit.id)


def team_label(unit: Unit, team: Team) -> str:
    """A Team of a Unit in a text: "Red Rifle/MG 2"."""
    return team_token(unit.side, team.role, team.profile, team.id)


def team_on(side: str, team: Team) -> str:
    """A Team in a text, where its side is at hand and its Unit is not."""
    return team_token(side, team.role, team.profile, team.id)


def full_label(unit: Unit, team: Team) -> str:
    """A Team with its Unit in a text: "Red Rifle/MG 2 of Rifle Platoon". A sniper is named once."""
    name, platoon = team_name(team), unit_name(unit)
    return team_label(unit, team) if name == platoon else f"{team_label(unit, team)} of {of_unit(unit.id, platoon)}"


@lru_cache(maxsize=4096)
def unit_token(side: str, unit_id: str, name: str) -> str:
    return token("unit", unit_id, f"{side.capitalize()} {name}")


@lru_cache(maxsize=4096)
def team_token(side: str, role: str, key: str, team_id: str) -> str:
    """A Team in a text; without its side, if that has just been said."""
    name = spoken(role, key, team_id)
    return token("team", team_id, f"{side.capitalize()} {name}" if side else name)


@lru_cache(maxsize=4096)
def of_unit(unit_id: str, name: str) -> str:
    """A Unit in a text that has just named a Team of it: whose it is has been said."""
    return token("unit", unit_id, name)


def team_list(members: Sequence[Member]) -> str:
    """Some Teams of one side in a text: "Red Rifle/MG 1, Rifle/MG 2". Whose they are is said once."""
    return ", ".join([team_token("" if n else u.side, t.role, t.profile, t.id) for n, (u, t) in enumerate(members)])


def spoken_list(members: Sequence[Member]) -> str:
    """Some Teams of one side with their Units in a text, each Unit named once."""
    units: dict[str, list[Member]] = {}
    for unit, team in members:
        units.setdefault(unit.id, []).append((unit, team))
    return "; ".join([with_unit(some) for some in units.values()])


def with_unit(members: Sequence[Member]) -> str:
    """Teams of one Unit in a text."""
    unit, team = members[0]
    if len(members) == 1:
        return full_label(unit, team)
    return f"{team_list(members)} of {of_unit(unit.id, unit_name(unit))}"


def spoken_of(state: State, name: str) -> str:
    """Whatever an order is about: a Team with its Unit, or a structure."""
    found = find_team(state, name)
    return full_label(*found) if found is not None else name.replace("-", " ")


def unit_option(unit: Unit) -> Option:
    """A choice that stands for a Unit."""
    return Option(unit.id, unit_name(unit), pieces=(unit.id,))


def team_option(unit: Unit, team: Team, *rules: str) -> Option:
    """A choice that stands for a Team of any Unit."""
    return Option(team.id, full_name(unit, team), rules, pieces=(team.id,))


def mate_option(team: Team, more: str = "", *rules: str) -> Option:
    """A choice that stands for a Team, where its Unit is plain."""
    return Option(team.id, team_name(team) + more, rules, pieces=(team.id,))
