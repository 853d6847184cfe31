"""Who may assault whom, and which Teams a charge would bring into contact."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sandtable.engine.questions import Refusal, illegal
from sandtable.field.closing import Closing, way_in
from sandtable.rulesets.tr14.core.board import Battle, Rows, board, sees
from sandtable.rulesets.tr14.core.names import label, team_label
from sandtable.rulesets.tr14.core.state import Member, Team, Unit, is_led, members_of, other, units_of
from sandtable.rulesets.tr14.firing import Target
from sandtable.table import moves
from sandtable.table.hairs import EXACT, within

CHARGE = 12.0
"""tr14.assaults.charge"""


@dataclass(slots=True)
class Fight:
    """One assault: who attacks, who is attacked, and what each had before the first shot of it."""

    attacker: Unit
    target: Target
    before: dict[str, int]

    @property
    def defender(self) -> Unit:
        return self.target.unit

    def sides(self, unit: Unit) -> tuple[list[Member], list[Member]]:
        """The Teams of a Unit that fight, and those of its opponent; guests of the defender fight with it."""
        mine = [(u, t) for u, t in members_of(self.attacker)]
        theirs = [(u, t) for u, t in self.target.members if t.id in u.teams]
        return (mine, theirs) if unit is self.attacker else (theirs, mine)


def may_charge(team: Team) -> bool:
    """tr14.assaults.divide-unit: Gun Teams stay behind."""
    return team.kind.type != "gun"


def may_assault_team(charger: Team, enemy: Team) -> bool:
    """tr14.assaults.no-tank-vs-tank"""
    return not (charger.kind.type == "tank" and enemy.kind.type == "tank")


def assault_targets(game: Battle, unit: Unit) -> list[Unit]:
    """Enemy Units that some Team of the Unit could charge."""
    here = board(game)
    if not moves.any_within(here.rows, here.squad(unit).charging, here.side(other(unit.side)).rows, CHARGE + EXACT):
        return []
    enemies = units_of(game.state, other(unit.side))
    return [enemy for enemy in enemies if next(able_to_reach(game, unit, enemy), None) is not None]


def able_to_reach(game: Battle, unit: Unit, enemy: Unit) -> Iterator[Team]:
    """The Teams that a charge would bring into contact with an enemy Unit, the nearest first."""
    chargers = board(game).squad(unit).chargers
    foes = list(enemy.teams.values())
    far = board(game).gaps(chargers, foes).min(axis=1).tolist()
    for number in sorted(range(len(chargers)), key=far.__getitem__):
        if within(far[number], CHARGE) and can_reach(game, unit, chargers[number], foes):
            yield chargers[number]


def why_no_assault(game: Battle, unit: Unit, enemies: list[Unit]) -> Refusal | None:
    """Why a Unit can assault none of some enemy Units."""
    if unit.apart:
        return illegal("tr14.playing.action-assault", f"{label(unit)} stands apart and does not assault alone.")
    if any(next(able_to_reach(game, unit, enemy), None) is not None for enemy in enemies):
        return None
    chargers = [team for team in unit.teams.values() if may_charge(team)]
    if not chargers:
        return illegal("tr14.assaults.divide-unit", f"{label(unit)} has no Team that may charge; guns stay behind.")
    foes = [team for each in enemies for team in each.teams.values()]
    near = [(charger, foe) for charger in chargers for foe in foes if within(board(game).gap([charger], [foe]), CHARGE)]
    if not near:
        return illegal("tr14.assaults.charge", f"no Team of {label(unit)} is within {CHARGE:g} inches of it.")
    if not any(may_assault_team(charger, foe) for charger, foe in near):
        return illegal("tr14.assaults.no-tank-vs-tank", "Tank Teams may not assault Tank Teams.")
    if not is_led(unit):
        return illegal("tr14.leaders.leaderless", f"{label(unit)} has no Platoon Leader to take it towards the enemy.")
    return illegal("tr14.assaults.charge", f"no Team of {label(unit)} finds a way into contact.")


def why_stays(game: Battle, unit: Unit, team: Team, foes: list[Team]) -> Refusal | None:
    """Why a Team cannot be among the chargers."""
    if not may_charge(team):
        return illegal(
            "tr14.assaults.divide-unit", f"{team_label(unit, team)} is a Gun Team and must stay.", field=team.id
        )
    if not any(may_assault_team(team, foe) for foe in foes):
        message = f"{team_label(unit, team)} is a Tank Team and may not assault Tank Teams."
        return illegal("tr14.assaults.no-tank-vs-tank", message, field=team.id)
    if not is_led(unit) and not len(closing_in(game, unit, team, foes, board(game).rows[:0], CHARGE).goals):
        message = f"{team_label(unit, team)} sees the enemy and has no Platoon Leader to take it there."
        return illegal("tr14.leaders.leaderless", message, field=team.id)
    return None


def closing_in(game: Battle, unit: Unit, team: Team, enemies: list[Team], standing: Rows, reach: float) -> Closing:
    """A Team of a Unit that closes in on enemies, among those who stand in its way.

    tr14.leaders.leaderless: without a Platoon Leader it goes for nobody whom it sees, nor nearer to any such.
    """
    here = board(game)
    row = here.of([team])
    goals = here.of([enemy for enemy in enemies if may_assault_team(team, enemy)])
    others = here.enemy_rows(unit.side)
    shunned = others[:0]
    if not is_led(unit):
        goals = goals[~sees(here, row, goals)[0]]
        shunned = others[sees(here, row, others)[0]]
    return Closing(row[0], goals, standing, others, shunned, here.ground.width, here.ground.depth, reach)


def can_reach(game: Battle, unit: Unit, team: Team, enemies: list[Team]) -> bool:
    """Whether a charge would bring a Team into contact with one of these enemies."""
    closing = closing_in(game, unit, team, enemies, board(game).all_but([team]), CHARGE)
    return len(closing.goals) > 0 and way_in(closing) is not None
