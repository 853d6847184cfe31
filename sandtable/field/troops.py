"""The words that all games on a table share: two sides, bases that belong to units, and how they are named."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Generic, Literal, Protocol, TypeVar

import msgspec

from sandtable.table.shapes import Footprint

Side = Literal["red", "blue"]
SIDES: tuple[Side, Side] = ("red", "blue")
Point = tuple[float, float]


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    width: float
    depth: float


class Named(Protocol):
    """Whatever has an id of its own."""

    @property
    def id(self) -> str: ...


class Based(Protocol):
    """A kind of piece that stands on a base."""

    @property
    def base(self) -> Footprint: ...


class Standing(Named, Protocol):
    """A piece that may stand on the table: where, how it faces, and on what base."""

    @property
    def at(self) -> Point | None: ...
    @property
    def facing(self) -> float: ...
    @property
    def kind(self) -> Based: ...


class Ranked(Protocol):
    """A unit of a side."""

    @property
    def side(self) -> str: ...
    @property
    def teams(self) -> Mapping[str, Any]: ...


U = TypeVar("U", bound=Ranked)
U_co = TypeVar("U_co", covariant=True)
T = TypeVar("T", bound=Standing)


class Fielded(Protocol[U_co]):
    """A state, or a set-up, with its units."""

    @property
    def units(self) -> Mapping[str, U_co]: ...


class Ranks(Generic[U, T]):
    """Who is who among a game's own types of unit and team: `Ranks[Unit, Team]()`."""

    def units_of(self, state: Fielded[U], side: str) -> list[U]:
        return [unit for unit in state.units.values() if unit.side == side]

    def all_teams(self, state: Fielded[U]) -> Iterator[tuple[U, T]]:
        for unit in state.units.values():
            for team in unit.teams.values():
                yield unit, team

    def teams_of(self, state: Fielded[U], side: str) -> Iterator[tuple[U, T]]:
        for unit in state.units.values():
            if unit.side == side:
                for team in unit.teams.values():
                    yield unit, team

    def find_team(self, state: Fielded[U], team_id: str) -> tuple[U, T] | None:
        for unit in state.units.values():
            if team_id in unit.teams:
                return unit, unit.teams[team_id]
        return None

    def on_table(self, state: Fielded[U], side: str, names: Collection[str]) -> list[tuple[U, T]]:
        """Some teams of one unit of a side; nobody, unless they are just that, and all on the table."""
        found = [member for name in names if (member := self.find_team(state, name)) is not None]
        sound = len(found) == len(names) and all(unit is found[0][0] and team.at is not None for unit, team in found)
        return found if sound and all(unit.side == side for unit, _ in found) else []


def other(side: str) -> Side:
    return "blue" if side == "red" else "red"


def numbered(noun: str, piece_id: str) -> str:
    """A piece as people call it: what it is and, if its id ends in one, its number within the unit.

    The number is part of the piece's own id, so it tells nothing of mates that are still hidden.
    """
    number = re.search(r"\d+$", piece_id)
    if number is None:
        return noun
    # "ISU-152 1" would read as one number.
    return f"{noun} no. {number[0]}" if noun[-1].isdigit() else f"{noun} {number[0]}"
