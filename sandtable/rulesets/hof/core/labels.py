"""What people call Units and Teams: the field's names, for the Teams of this game."""

from __future__ import annotations

from sandtable.field.names import TeamNames
from sandtable.field.names import label as label
from sandtable.field.names import unit_name as unit_name
from sandtable.field.names import unit_option as unit_option
from sandtable.field.page_words import PageWords
from sandtable.field.troops import numbered
from sandtable.rulesets.hof.core.arsenal import profile
from sandtable.rulesets.hof.core.state import State, find_team

PAGE = PageWords.beside(__file__)
"""The words of this game, on a page and in its choices."""

ROLES = {"pl": "Platoon Leader", "fo": "Forward Observer", "cc": "Company Commander", "sniper": "Sniper"}


def spoken(role: str, key: str, team_id: str) -> str:
    """The number is part of the Team's own id, so it tells nothing of mates that are still hidden."""
    return ROLES[role] if role in ROLES else numbered(profile(key).name, team_id)


NAMES = TeamNames(spoken)
team_name, full_name = NAMES.name, NAMES.full_name
team_label, full_label, team_on = NAMES.label, NAMES.full_label, NAMES.on
team_list, spoken_list = NAMES.listed, NAMES.listed_by_unit
team_option, mate_option = NAMES.option, NAMES.mate_option


def spoken_of(state: State, name: str) -> str:
    """Whatever an order is about: a Team with its Unit, or a structure."""
    found = find_team(state, name)
    return full_label(*found) if found is not None else name.replace("-", " ")
