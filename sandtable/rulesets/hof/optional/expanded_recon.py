"""Expanded reconnaissance: forward deployment (see `battle.zones`), and Eyes On: spotting a concealed enemy."""

from __future__ import annotations

import numpy as np

from sandtable.engine.game import Flow, choose_one
from sandtable.engine.questions import Option, or_none
from sandtable.rulesets.hof.core.acts import Activation, alive
from sandtable.rulesets.hof.core.board import Battle, board
from sandtable.rulesets.hof.core.checks import check
from sandtable.rulesets.hof.core.labels import label, mate_option, team_on
from sandtable.rulesets.hof.core.state import Team, other
from sandtable.rulesets.hof.terrain import CONCEALED, flags

SPOT = "hof.optional.recon-spot"


def concealed_enemies(game: Battle, side: str, watcher: Team) -> list[Team]:
    """The concealed enemy Teams that a Team sees."""
    here = board(game)
    enemies = here.enemies(side)
    if not enemies.teams or watcher.at is None:
        return []
    found = here.sees([watcher], enemies.teams)[0] & (flags(game, [watcher], enemies.members)[0] & CONCEALED != 0)
    return [enemies.teams[number] for number in np.flatnonzero(found).tolist()]


def eyes_on(game: Battle, act: Activation, nominated: Team | None) -> Flow[None]:
    """hof.optional.recon-spot: before anybody moves or fires, the leader of a Recon Unit may spot one enemy.

    That is the Platoon Leader, or the Vehicle nominated when orders were declared, if he has outlived his RFPs.
    """
    unit = act.unit
    leader = act.leader or nominated
    if not game.setup.options.recon or leader is None or not alive(unit, leader):
        return
    targets = [team for team in concealed_enemies(game, unit.side, leader) if not team.spotted]
    if not targets:
        return
    choices = or_none(Option("none", "Nobody"), {team.id: team for team in targets}, mate_option)
    target = yield from choose_one(unit.side, "spot", f"Whom does {label(unit)} try to spot?", choices, rules=(SPOT,))
    if target is None:
        return
    result = yield from check(game, unit, "Eyes On")
    target.spotted = result.passed
    whom = team_on(other(unit.side), target)
    text = f"{label(unit)} needs {result.needed}+ to spot {whom}, rolls {result.throw.value}."
    result.tell(game, "spot", text, SPOT, "hof.optional.recon-spotted-effect", unit=unit.id, target=target.id)
