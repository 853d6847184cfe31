"""What people call units and teams. In a text a name says whose it is, and is a token that leads to its piece.

A name says whose it is by the colour of its side, as the rest of the log does: two companies may be of one nation.
`unit_name` and `TeamNames.name` are for where the side is plain already: choices within one question, cards, the map.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Protocol, TypeVar

from sandtable.engine.questions import Option
from sandtable.engine.tokens import token
from sandtable.field.troops import Named


class Unit(Named, Protocol):
    @property
    def side(self) -> str: ...
    @property
    def name(self) -> str: ...


class Team(Named, Protocol):
    """A piece with the name of its kind, and what it is in its unit: nothing, or a leader, an observer …"""

    @property
    def role(self) -> str: ...
    @property
    def profile(self) -> str: ...


U = TypeVar("U", bound=Unit)
T = TypeVar("T", bound=Team)


def unit_name(unit: Unit) -> str:
    return unit.name or unit.id


def label(unit: Unit) -> str:
    """A unit in a text: "Red Rifle Platoon"."""
    return unit_token(unit.side, unit.id, unit.name or unit.id)


def of_unit(unit: Unit) -> str:
    """A unit in a text that has just named a piece of it: whose it is has been said."""
    return unit_token("", unit.id, unit.name or unit.id)


@lru_cache(maxsize=4096)
def unit_token(side: str, unit_id: str, name: str) -> str:
    return token("unit", unit_id, f"{side.capitalize()} {name}" if side else name)


def unit_option(unit: Unit, more: str = "") -> Option:
    """A choice that stands for a unit."""
    return Option(unit.id, unit_name(unit) + more, pieces=(unit.id,))


class TeamNames:
    """The names of a game's teams. `spoken` is how it calls one: from its role, the name of its kind, and its id."""

    def __init__(self, spoken: Callable[[str, str, str], str]) -> None:
        self.spoken = lru_cache(maxsize=4096)(spoken)
        self.token = lru_cache(maxsize=4096)(self._token)
        self.token_of_unit = lru_cache(maxsize=4096)(self._token_of_unit)

    def _token(self, side: str, role: str, profile: str, team_id: str) -> str:
        name = self.spoken(role, profile, team_id)
        return token("team", team_id, f"{side.capitalize()} {name}" if side else name)

    def _token_of_unit(self, side: str, role: str, profile: str, team_id: str, unit_id: str, unit: str) -> str:
        whole = self.token(side, role, profile, team_id)
        return whole if self.spoken(role, profile, team_id) == unit else f"{whole} of {unit_token('', unit_id, unit)}"

    def name(self, team: Team) -> str:
        """A team as people call it: what it is and, if its id ends in one, its number within the unit."""
        return self.spoken(team.role, team.profile, team.id)

    def on(self, side: str, team: Team) -> str:
        """A team in a text, where its side is at hand: "Red Rifle 2". Without a side, if that has just been said."""
        return self.token(side, team.role, team.profile, team.id)

    def label(self, unit: Unit, team: Team) -> str:
        """A team of a unit in a text: "Red Rifle 2"."""
        return self.token(unit.side, team.role, team.profile, team.id)

    def full_name(self, unit: Unit, team: Team) -> str:
        """A team with its unit, where the side is plain; one who is a unit by himself is named once."""
        name, platoon = self.name(team), unit_name(unit)
        return name if name == platoon else f"{name}, {platoon}"

    def full_label(self, unit: Unit, team: Team) -> str:
        """A team with its unit in a text: "Red Rifle 2 of Rifle Platoon"; one who is a unit by himself once."""
        return self.token_of_unit(unit.side, team.role, team.profile, team.id, unit.id, unit.name or unit.id)

    def listed(self, members: Sequence[tuple[U, T]]) -> str:
        """Some teams of one side in a text: "Red Rifle 1, Rifle 2". Whose they are is said once."""
        return ", ".join([self.on("" if number else unit.side, team) for number, (unit, team) in enumerate(members)])

    def listed_by_unit(self, members: Sequence[tuple[U, T]]) -> str:
        """Some teams of one side with their units in a text, each unit named once."""
        units: dict[str, list[tuple[U, T]]] = {}
        for unit, team in members:
            units.setdefault(unit.id, []).append((unit, team))
        return "; ".join(
            self.full_label(*some[0]) if len(some) == 1 else f"{self.listed(some)} of {of_unit(some[0][0])}"
            for some in units.values()
        )

    def option(self, unit: Unit, team: Team, *rules: str) -> Option:
        """A choice that stands for a team of any unit."""
        return Option(team.id, self.full_name(unit, team), rules, pieces=(team.id,))

    def mate_option(self, team: Team, more: str = "", *rules: str) -> Option:
        """A choice that stands for a team, where its unit is plain."""
        return Option(team.id, self.name(team) + more, rules, pieces=(team.id,))
