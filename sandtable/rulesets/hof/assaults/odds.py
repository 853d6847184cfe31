"""An Assault Check before its die: what it needs, what rolls it again, and what it may do."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.engine.chance import Chances, either, sure
from sandtable.rulesets.hof.assaults.assault_checks import Assault, needed_by, punch_at, second_chance
from sandtable.rulesets.hof.core import riding
from sandtable.rulesets.hof.core.board import Battle
from sandtable.rulesets.hof.core.odds import passes
from sandtable.rulesets.hof.core.state import Member
from sandtable.rulesets.hof.firing import odds


class Blow(NamedTuple):
    """An Assault Check before its die: what it needs, the rule that rolls it again if it fails, and what it may do."""

    needed: int
    again: str
    ends: Chances[odds.Suffered]


def strike_odds(game: Battle, fight: Assault, member: Member, victim: Member) -> Blow:
    """One Team strikes at another: see `assault_checks.strike`."""
    unit, team = member
    needed, again = needed_by(game, team), second_chance(game, unit, team)
    hits = passes(unit.quality, needed, second_chance=bool(again))
    return Blow(needed, again, either(hits, struck_home(game, fight, member, victim), sure(odds.UNHURT)))


def struck_home(game: Battle, fight: Assault, member: Member, victim: Member) -> Chances[odds.Suffered]:
    """What a Check that has succeeded does: see `assault_checks.strike_home`."""
    owner, enemy = victim
    shield = riding.riders_on(game, enemy)
    if shield:
        return sure(odds.Suffered(lost=tuple(rider.id for _, rider in shield)))
    punch = punch_at(game, fight, member, enemy)
    if punch is None:
        return odds.lost_by(game, owner, enemy, "assault")
    roll = odds.penetration(punch.at, enemy, True, member[0].quality, punch.rfps_only)
    return odds.penetrated(roll, odds.lost_by(game, owner, enemy, "penetration"), punch.fp)
