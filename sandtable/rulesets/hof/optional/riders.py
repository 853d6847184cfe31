"""Tank Riders: infantry on tanks. A Rider is aboard its tank and has no place of its own: it is where its tank is."""

from __future__ import annotations

from sandtable.engine.game import Flow
from sandtable.rulesets.hof.core.acts import Losses
from sandtable.rulesets.hof.core.board import Battle
from sandtable.rulesets.hof.core.labels import team_on
from sandtable.rulesets.hof.core.riding import riders_on
from sandtable.rulesets.hof.core.state import Team
from sandtable.rulesets.hof.rfp_rally import rfp


def tank_hit(game: Battle, tank: Team, front: bool, losses: Losses) -> Flow[None]:
    """hof.optional.riders-tank-hit: whoever rides on a tank that is hit resolves 1 RFP at once."""
    for unit, team in riders_on(game, tank):
        rules, why = ("hof.optional.riders-tank-hit", "hof.optional.riders-cover"), f"{team_on(unit.side, tank)} is hit"
        yield from rfp.resolve(game, unit, team, 1, losses, hard=front, rules=rules, why=why)
