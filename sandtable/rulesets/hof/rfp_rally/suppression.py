"""Suppression: how a Team comes by it, and how it goes."""

from __future__ import annotations

from sandtable.engine.game import Game
from sandtable.rulesets.hof.core import riding
from sandtable.rulesets.hof.core.labels import team_label
from sandtable.rulesets.hof.core.state import State, Team, Unit


def suppress(game: Game[State], unit: Unit, team: Team, *rules: str) -> None:
    """A Team becomes Suppressed by something else than its own dice. One that is already stays so."""
    if team.suppressed:
        return
    mark_suppressed(game, team)
    text = f"{team_label(unit, team)} is Suppressed."
    cited = ("hof.rfp-rally.suppressed-effects", *rules)
    game.tell("suppressed", text, *cited, seat=unit.side, unit=unit.id, team=team.id)


def mark_suppressed(game: Game[State], team: Team) -> None:
    """The marker, and hof.optional.riders-suppression: when a tank is Suppressed, so are its Riders."""
    team.suppressed = True
    for unit, rider in riding.riders_on(game, team):
        suppress(game, unit, rider, "hof.optional.riders-suppression")


def recover(game: Game[State], team: Team) -> None:
    """The marker goes; with a tank's, that of its Riders."""
    team.suppressed = False
    for unit, rider in riding.riders_on(game, team):
        if rider.suppressed:
            rider.suppressed = False
            text = f"{team_label(unit, rider)} rallies with the tank."
            rules = ("hof.optional.riders-suppression",)
            game.tell("rally", text, *rules, seat=unit.side, unit=unit.id, team=rider.id, passed=True)
