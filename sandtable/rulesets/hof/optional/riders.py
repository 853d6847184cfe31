"""Tank Riders: infantry on tanks. A Rider is aboard its tank and has no place of its own: it is where its tank is."""

from __future__ import annotations

from sandtable.engine.game import Flow, Game
from sandtable.rulesets.hof.core.acts import Losses
from sandtable.rulesets.hof.core.state import Member, State, Team, find_team, team_label


def riders_of(game: Game[State], side: str) -> list[Member]:
    """The Riders of a side whose tanks are on the table."""
    if not game.setup.options.riders:
        return []
    return [
        (unit, team)
        for unit in game.state.units.values()
        if unit.kind == "riders" and unit.side == side
        for team in unit.teams.values()
        if tank_of(game, team)
    ]


def tank_of(game: Game[State], team: Team) -> Team | None:
    """The tank on the table that carries a Rider."""
    if team.role != "rider":
        return None
    found = find_team(game.state, team.carrier)
    return found[1] if found is not None and found[1].at is not None else None


def riders_on(game: Game[State], tank: Team) -> list[Member]:
    """The Riders on a tank."""
    if not game.setup.options.riders:
        return []
    return [
        (unit, team)
        for unit in game.state.units.values()
        if unit.kind == "riders"
        for team in unit.teams.values()
        if team.carrier == tank.id
    ]


def tank_hit(game: Game[State], tank: Team, *, front: bool, losses: Losses) -> Flow[None]:
    """hof.optional.riders-tank-hit: whoever rides on a tank that is hit resolves 1 RFP at once."""
    from sandtable.rulesets.hof.rfp_rally import rfp

    for unit, team in riders_on(game, tank):
        rules = ("hof.optional.riders-tank-hit", "hof.optional.riders-cover")
        yield from rfp.resolve(game, unit, team, 1, losses, hard=front, rules=rules, why=f"{team_label(tank)} is hit")
