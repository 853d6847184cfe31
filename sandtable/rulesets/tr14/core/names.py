"""What people call Units and Teams: the field's names, for the Teams of this game."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.field.names import TeamNames
from sandtable.field.names import label as label
from sandtable.field.names import of_unit as of_unit
from sandtable.field.names import unit_name as unit_name
from sandtable.field.names import unit_option as unit_option
from sandtable.field.names import unit_token as unit_token
from sandtable.field.page_words import PageWords
from sandtable.field.troops import numbered
from sandtable.rulesets.tr14.core.arsenal import profile
from sandtable.rulesets.tr14.core.state import State, Team, find_team

PAGE = PageWords.beside(__file__)
"""The words of this game, on a page and in its choices."""

ROLES = {"pl": "Platoon Leader", "cc": "Company Commander", "fo": "Forward Observer"}


def spoken(role: str, key: str, team_id: str) -> str:
    return f"{ROLES[role]} ({profile(key).name})" if role in ROLES else numbered(profile(key).name, team_id)


NAMES = TeamNames(spoken)
team_name, team_label, team_on = NAMES.name, NAMES.label, NAMES.on
team_option = NAMES.mate_option


def name_of(state: State, team_id: str) -> str:
    """A Team in a text whose id is known; the id of one that is gone."""
    found = find_team(state, team_id)
    return NAMES.label(*found) if found is not None else team_id


def alike(teams: Sequence[Team]) -> bool:
    """Whether it is all one which of some Teams is meant: the same kind in the same state."""
    return len({(team.profile, team.role, team.markers, team.dug_in) for team in teams}) == 1
