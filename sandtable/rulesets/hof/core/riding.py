"""Who rides in or on what: passengers of Transports, and Riders on tanks."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.rulesets.hof.core.board import Battle
from sandtable.rulesets.hof.core.state import Member, Team, Unit, find_team

BESIDE = 4.0
"""hof.transports.load, hof.transports.unload, hof.transports.return"""


def riders(game: Battle) -> Iterator[Member]:
    """All Riders, where they are played with."""
    if game.setup.options.riders:
        for unit in game.state.units.values():
            if unit.kind == "riders":
                yield from ((unit, team) for team in unit.teams.values())


def riders_of(game: Battle, side: str) -> list[Member]:
    """The Riders of a side whose tanks are on the table."""
    return [(unit, team) for unit, team in riders(game) if unit.side == side and tank_of(game, team)]


def riders_on(game: Battle, tank: Team) -> list[Member]:
    """The Riders on a tank."""
    if not game.setup.options.riders:
        return []
    return [member for member in riders(game) if member[1].carrier == tank.id]


def tank_of(game: Battle, team: Team) -> Team | None:
    """The tank on the table that carries a Rider."""
    if team.role != "rider":
        return None
    found = find_team(game.state, team.carrier)
    return found[1] if found is not None and found[1].at is not None else None


def passengers(unit: Unit, transport: Team) -> list[Team]:
    """The Teams in a Transport, and the Gun behind it."""
    return [team for team in unit.teams.values() if team.where == "aboard" and team.carrier == transport.id]


def rides_inside(team: Team) -> bool:
    """Infantry and Man-Portable Guns ride inside (hof.special-rules.man-portable-ride); other Guns are towed."""
    return team.kind.category == "infantry" or team.kind.mobility == "man-portable"


def full(unit: Unit, transport: Team) -> bool:
    """hof.transports.capacity: whether nobody else has a place inside a Transport."""
    return sum(rides_inside(each) for each in passengers(unit, transport)) >= transport.kind.carries
