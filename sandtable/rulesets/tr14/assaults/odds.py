"""The exact odds of close combat: one strike, and the first strikes of an assault that lands."""

from __future__ import annotations

from dataclasses import dataclass

from sandtable.engine.cards import PreviewLine
from sandtable.engine.chance import Chances, at_least
from sandtable.engine.game import Game
from sandtable.rulesets.tr14.assaults.combat import strike_checks
from sandtable.rulesets.tr14.core.checks import check_chance, check_number
from sandtable.rulesets.tr14.core.names import team_label
from sandtable.rulesets.tr14.core.state import State, Team, Unit, find_team, members_of
from sandtable.rulesets.tr14.fates import GONE, Fate, Fates, Harm
from sandtable.rulesets.tr14.saves import Risk, damage_risk


@dataclass
class Strikes:
    """The odds of some strikes: each throw, and what they do."""

    lines: list[PreviewLine]
    harm: Chances[Harm]


def strike_risk(unit: Unit, team: Team, enemy: Team) -> Risk:
    """What a strike of a Team does to an enemy, if nobody has a Check rolled again."""
    passes = check_chance(unit)
    checks = strike_checks(team, enemy)
    if not enemy.kind.armored:
        return Risk(1.0 - (1.0 - passes) ** checks)
    return damage_risk(checks, passes * (1.0 - at_least(enemy.kind.flank)))


def strike_line(unit: Unit, team: Team, enemy: Team, side: str) -> PreviewLine:
    words = f"{team_label(team, unit.side)} strikes at {team_label(enemy, side)}"
    return PreviewLine(words, strike_checks(team, enemy), check_number(unit, []))


def strike_odds(game: Game[State], unit: Unit, team_id: str, victim: str) -> Strikes:
    """The odds of one strike. `game` is a copy that is used up."""
    striker, struck = find_team(game.state, team_id), find_team(game.state, victim)
    assert striker is not None
    assert struck is not None
    team, (owner, enemy) = striker[1], struck
    fates = Fates(game, members_of(owner))
    position = fates.members.index(struck)
    ends = fates.saved(fates.start, position, *strike_risk(unit, team, enemy))
    found: dict[Fate, float] = {}
    for fate, chance in ends:
        found[fate] = found.get(fate, 0.0) + chance
    harm = Chances(found).mapped(lambda fate: done(fates, fate, owner.side))
    return Strikes([strike_line(unit, team, enemy, owner.side)], harm)


def done(fates: Fates, fate: Fate, side: str) -> Harm:
    """What strikes have done to the Teams of a side."""
    lost = fates.lost_units(fate)
    return Harm(False, fate.marks.count(GONE), fate.placed, len(lost), over=side if fate.over else "")
