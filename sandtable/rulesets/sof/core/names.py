"""What people call units and figures: the field's names, for the figures of this game."""

from __future__ import annotations

from sandtable.field.names import TeamNames
from sandtable.field.names import label as label
from sandtable.field.names import of_unit as of_unit
from sandtable.field.names import unit_name as unit_name
from sandtable.field.names import unit_option as unit_option
from sandtable.field.troops import numbered
from sandtable.rulesets.sof.core.arsenal import weapons
from sandtable.rulesets.sof.core.state import State, find_figure

FIGURE = "figure"
"""What one piece is called where pieces are counted."""

ROLES = {
    "officer": "Officer",
    "senior-nco": "Senior NCO",
    "nco": "NCO",
    "loader": "Loader",
    "crew": "Crew",
    "medic": "Medic",
    "farrier": "Farrier",
    "chaplain": "Chaplain",
    "musician": "Musician",
    "staff-officer": "Staff officer",
    "aide": "Aide",
    "handler": "Handler",
    "standard-bearer": "Standard bearer",
    "communication-1": "Communication specialist",
    "communication-2": "Communication specialist",
    "communication-3": "Communication specialist",
}


def spoken(role: str, profile: str, figure_id: str) -> str:
    # What the charts print in brackets after a name tells a reader of a battle nothing.
    name = weapons()[profile].name.split(" (")[0]
    return f"{ROLES[role]} ({name})" if role in ROLES else numbered(name, figure_id)


NAMES = TeamNames(spoken)
figure_name, figure_option = NAMES.name, NAMES.mate_option


def name_of(state: State, figure_id: str) -> str:
    """A figure in a text whose id is known; the id of one that is gone."""
    found = find_figure(state, figure_id)
    return NAMES.label(*found) if found is not None else figure_id
