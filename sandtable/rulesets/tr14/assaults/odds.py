"""The exact odds of close combat: one strike, and the first strikes of an assault that lands."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from sandtable.engine.cards import PreviewLine
from sandtable.engine.chance import Chances, at_least, mixed, sure
from sandtable.field.outcomes import Harm
from sandtable.rulesets.tr14.assaults.charge import HALT_HITS, HALT_RESULTS, comes_home, plan_charge
from sandtable.rulesets.tr14.assaults.combat import in_reach, strike_checks
from sandtable.rulesets.tr14.assaults.reach import CHARGE, Fight
from sandtable.rulesets.tr14.core.board import Battle
from sandtable.rulesets.tr14.core.checks import check_chance, check_number
from sandtable.rulesets.tr14.core.names import team_label, team_on
from sandtable.rulesets.tr14.core.state import Team, Unit, find_team, members_of
from sandtable.rulesets.tr14.fates import GONE, Fate, Fates, Risk, damage_risk
from sandtable.rulesets.tr14.firing import aimed_at, reaction_odds
from sandtable.rulesets.tr14.moving import Course, mark_moved, rolls_due


@dataclass
class Strikes:
    """The odds of some strikes: each throw, and what they do."""

    lines: list[PreviewLine]
    harm: Chances[Harm]
    halted: float | None = None
    """How likely the defender's own fire would halt the charge, if it can fire."""


def strike_risk(unit: Unit, team: Team, enemy: Team) -> Risk:
    """What a strike of a Team does to an enemy, if nobody has a Check rolled again."""
    passes = check_chance(unit)
    checks = strike_checks(team, enemy)
    if not enemy.kind.armored:
        return Risk(1.0 - (1.0 - passes) ** checks)
    return damage_risk(checks, passes * (1.0 - at_least(enemy.kind.flank)))


def strike_line(unit: Unit, team: Team, enemy: Team, side: str) -> PreviewLine:
    words = f"{team_label(unit, team)} strikes at {team_on(side, enemy)}"
    return PreviewLine(words, strike_checks(team, enemy), check_number(unit, []))


def strike_odds(game: Battle, unit: Unit, team_id: str, victim: str) -> Strikes:
    """The odds of one strike. `game` is a copy that is used up."""
    striker, struck = find_team(game.state, team_id), find_team(game.state, victim)
    assert striker is not None
    assert struck is not None
    team, (owner, enemy) = striker[1], struck
    fates = Fates(game, members_of(owner))
    ends = struck_by(fates, unit, team, [fates.members.index(struck)], fates.start)
    return Strikes([strike_line(unit, team, enemy, owner.side)], ends.mapped(fates.harm))


def clash_odds(game: Battle, unit: Unit, enemy: Unit, chosen: list[str]) -> Strikes | None:
    """The odds of the first strikes of an assault, if nobody fires at the charge. `game` is a copy that is used up.

    None if a tank must roll for rough ground on its way: where the charge ends then is open.
    """
    fight = Fight(unit, aimed_at(game, enemy), {})
    members = fight.target.members
    courses = plan_charge(
        game, unit, [(unit, unit.teams[name]) for name in chosen], [team for _, team in members], CHARGE
    )
    if any(rolls_due(game, course.team, course.path) for course in courses):
        return None
    for course in courses:
        mark_moved(course)
    under_fire = [replace(course) for course in courses]
    if not comes_home(game, unit, courses, fight):
        return Strikes([], sure(Harm()))
    fates = Fates(game, members)
    reach = [(team, [members.index(each) for each in in_reach(game, team, members)]) for team in unit.teams.values()]
    found: Chances[Fate] = sure(fates.start)
    for team, positions in reach:
        found = found.then(partial(struck_by, fates, unit, team, positions))
    lines = [strike_line(unit, team, members[near[0]][1], enemy.side) for team, near in reach if near]
    harm = found.mapped(fates.harm)
    fates.set_up(fates.start)
    return Strikes(lines, harm, halting(game, unit, under_fire, fight))


def halting(game: Battle, unit: Unit, courses: list[Course], fight: Fight) -> float | None:
    """How likely the fire of the Unit that is assaulted halts the charge; None if it cannot fire."""
    fire = reaction_odds(game, unit, courses, fight.defender)
    if fire is None:
        return None
    if all(course.team.kind.armored for course in courses):
        # Nobody who charges was suppressed before: each marker is a result.
        return fire.harm.chance(lambda harm: harm.destroyed + harm.marked >= HALT_RESULTS)
    return fire.hits.chance(lambda hits: hits >= HALT_HITS)


def struck_by(fates: Fates, unit: Unit, team: Team, positions: list[int], fate: Fate) -> Chances[Fate]:
    """A Team strikes at the first of those in its reach who still stand."""
    standing = [position for position in positions if fate.marks[position] != GONE]
    if not standing or fate.over:
        return sure(fate)
    risk = strike_risk(unit, team, fates.members[standing[0]][1])
    return mixed((sure(after), chance) for after, chance in fates.saved(fate, standing[0], *risk))
