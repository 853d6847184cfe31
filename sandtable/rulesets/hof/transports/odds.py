"""Who of those aboard a Transport outlives it, before any die is thrown."""

from __future__ import annotations

from sandtable.engine.chance import Chances, sure, together
from sandtable.rulesets.hof.core.board import Battle
from sandtable.rulesets.hof.core.riding import passengers
from sandtable.rulesets.hof.core.state import Team, Unit
from sandtable.rulesets.hof.rfp_rally import odds as rfp
from sandtable.rulesets.hof.transports.transports import BAILED_OUT_RFPS, LOST_TO_RFPS


def bailed_out(game: Battle, unit: Unit, transport: Team, cause: str) -> Chances[tuple[str, ...]]:
    """Which passengers are lost with their Transport: see `transports.bail_out`. All are taken to find a place."""
    found: Chances[tuple[str, ...]] = sure(())
    if not transport.kind.transport or transport.at is None:
        return found
    for team in passengers(unit, transport):
        fate = rfp.fates(game, unit, team, BAILED_OUT_RFPS, hard=cause in LOST_TO_RFPS)
        gone = fate.mapped(lambda end, name=team.id: (name,) if end == "killed" else ())  # type: ignore[misc]
        found = together(found, gone, tuple.__add__)
    return found
