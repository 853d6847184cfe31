"""The markers of the table: what each stands for in the state, and its colour."""

from __future__ import annotations

from operator import attrgetter
from typing import Literal, NamedTuple

from sandtable.rulesets.sof.core.state import State

RULE = "sof.basics.markers"


class Marker(NamedTuple):
    """A marker: its colour, and the field of a unit or of a figure that it shows; none for what is not here yet."""

    colour: str
    of: Literal["unit", "figure", ""] = ""
    field: str = ""


MARKERS: dict[str, Marker] = {
    "suppression": Marker("black", "unit", "suppression"),
    "wound": Marker("yellow", "figure", "wounds"),
    "permanent-wound": Marker("red", "figure", "permanent"),
    "hit-the-dirt": Marker("brown", "unit", "hit_the_dirt"),
    "ambush": Marker("blue", "unit", "ambush"),
    "jam": Marker("clear", "figure", "jammed"),
    "range-in": Marker("green"),
    "shelter": Marker("two brown"),
}


def on_table(state: State) -> dict[str, int]:
    """How many markers of each kind lie on the table; kinds of which there are none are left out."""
    found = {}
    units = state.units.values()
    figures = [each for unit in units for each in unit.teams.values()]
    for name, marker in MARKERS.items():
        bearers = units if marker.of == "unit" else figures
        if marker.field:
            found[name] = sum(map(number_of, filter(None, map(attrgetter(marker.field), bearers))))
    return {name: number for name, number in found.items() if number}


def number_of(value: object) -> int:
    """Markers are counted; a state that holds or does not is one marker or none."""
    return value if isinstance(value, int) else int(bool(value))
