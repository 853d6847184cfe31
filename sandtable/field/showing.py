"""Units as a page shows them where nothing is hidden: their cards on the roster, and their bases in the picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeVar

from sandtable.engine.cards import TeamCard, UnitCard
from sandtable.field.rosters import own_first
from sandtable.field.troops import Named
from sandtable.table.scene import Badge, Piece
from sandtable.table.shapes import Place


class Unit(Named, Protocol):
    """A unit of a side; its pieces are `troops.Standing`, with the name of their kind as `profile`."""

    @property
    def side(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def teams(self) -> Mapping[str, Any]: ...


U = TypeVar("U", bound=Unit)


def unit_cards(
    before: Mapping[str, U],
    now: Mapping[str, U],
    seat: str | None,
    name: Callable[[Any], str],
    badges: Callable[[U], tuple[Badge, ...]] = lambda _: (),
) -> list[UnitCard]:
    """The roster: every unit of the set-up, with who is left of it and who is lost; a seat's own first.

    `name` is what people call a piece whose id is its own; `badges` are the signs of a unit that is still there.
    """
    found = []
    for unit_id, began in before.items():
        unit = now.get(unit_id)
        living = unit.teams if unit is not None else {}
        teams = [TeamCard(team_id, name(team), team.profile) for team_id, team in living.items()]
        teams += [
            TeamCard(team_id, name(team), team.profile, lost=True)
            for team_id, team in began.teams.items()
            if team_id not in living
        ]
        signs = badges(unit) if unit is not None else ()
        strength = (len(living), len(began.teams))
        found.append(UnitCard(unit_id, began.side, began.name, "", strength, signs, tuple(teams)))
    return own_first(found, seat)


def bases(
    units: Mapping[str, U],
    name: Callable[[Any], str],
    look: Callable[[Any], str],
    badges: Callable[[U], tuple[Badge, ...]] = lambda _: (),
) -> list[Piece]:
    """Every piece on the table as it is drawn; `look` is how its kind is."""
    return [
        Piece(
            team.id,
            team.kind.base,
            Place(team.at[0], team.at[1], team.facing),
            unit.side,
            look(team),
            unit.name,
            badges=badges(unit),
            title=f"{name(team)}, {unit.name}",
            unit=unit.id,
        )
        for unit in units.values()
        for team in unit.teams.values()
        if team.at is not None
    ]
