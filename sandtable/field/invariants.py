"""What must hold in every state of every game on a table: each line that is yielded tells of a breach."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Protocol

from sandtable.field.board import Board, Ground
from sandtable.field.troops import Named
from sandtable.table import distance as measure
from sandtable.table import moves
from sandtable.table.hairs import CONTACT, EXACT


class Mustered(Named, Protocol):
    """A unit with its pieces."""

    @property
    def teams(self) -> Mapping[str, Named]: ...


def astray(kept: Board | None, fresh: Board, ground: Ground, units: Mapping[str, Mustered], over: bool) -> list[str]:
    """All that holds in every game: a board that agrees with the state, true names, and bases that have room.

    A battle that ends in the midst of a move leaves pieces on their way, where they may pass through friends.
    """
    bases = () if over else bases_astray(fresh, ground)
    return [*board_astray(kept, fresh), *names_astray(units), *bases]


def board_astray(kept: Board | None, fresh: Board) -> Iterator[str]:
    """Where the board that a game keeps differs from one made afresh from its state."""
    if kept is None:
        return
    for name, number in fresh.index.items():
        if name not in kept.index:
            yield f"{name}: the board does not know it"
        elif (abs(kept.rows[kept.index[name]] - fresh.rows[number]) >= EXACT).any():
            yield f"{name}: the board does not stand where the state says"
    for name in sorted(kept.index.keys() - fresh.index.keys()):
        yield f"{name}: the board keeps it although it is gone"


def bases_astray(here: Board, ground: Ground) -> Iterator[str]:
    """Bases that lie on one another, or not on the table."""
    if not here.index:
        return
    names = list(here.index)
    rows = here.rows.take(list(here.index.values()), axis=0)
    clash = measure.overlaps(rows, rows, CONTACT)
    for first, second in combinations(range(len(names)), 2):
        if clash[first, second]:
            yield f"{names[first]} and {names[second]} overlap"
    on = moves.on_table(rows, ground.width, ground.depth)
    yield from (f"{name} is off the table" for name, inside in zip(names, on, strict=True) if not inside)


def names_astray(units: Mapping[str, Mustered]) -> Iterator[str]:
    """Units and pieces that are not called what they are kept under, and units of nobody."""
    for unit_id, unit in units.items():
        if unit.id != unit_id:
            yield f"{unit_id} is misnamed"
        if not unit.teams:
            yield f"{unit_id} has no Teams"
        yield from (f"{name} is misnamed" for name, team in unit.teams.items() if team.id != name)
