"""Close combat: blow for blow until one side breaks."""

from __future__ import annotations

from typing import Any

from sandtable.engine.events import several
from sandtable.engine.game import Flow, choose_one, decide
from sandtable.engine.questions import Choices, ChooseSome, Option
from sandtable.engine.ruleset import Ask
from sandtable.rulesets.tr14.assaults.breaking_off import break_off
from sandtable.rulesets.tr14.assaults.charge import plan_charge
from sandtable.rulesets.tr14.assaults.reach import Fight, may_assault_team, why_stays
from sandtable.rulesets.tr14.core.board import Battle, board
from sandtable.rulesets.tr14.core.checks import training_check
from sandtable.rulesets.tr14.core.names import label, team_label, team_option
from sandtable.rulesets.tr14.core.state import Member, Team, Unit
from sandtable.rulesets.tr14.moving import get_up, set_out, take_courses
from sandtable.rulesets.tr14.saves import tell_saves, vehicle_damage
from sandtable.rulesets.tr14.suppression import destroy_team
from sandtable.table.hairs import in_contact

STRIKE = 2.0
"""tr14.assaults.attackers-strike, tr14.assaults.counter-strike"""

COUNTER, BREAK = Option("counter", "Counter-attack"), Option("break", "Break off")

COUNTER_MOVE = 4.0
"""tr14.assaults.counter-move"""


def close_combat(game: Battle, fight: Fight) -> Flow[None]:
    """The attackers strike; then the two Units counter-attack in turn until one breaks off or is wiped out."""
    striking, struck = fight.attacker, fight.defender
    yield from strike(game, fight, striking, "tr14.assaults.attackers-strike")
    rounds = 0
    while all(fight.sides(fight.attacker)):
        striking, struck = struck, striking
        rounds += 1
        rules = ["tr14.assaults.counter-or-break"] + (["tr14.assaults.back-and-forth"] if rounds > 1 else [])
        words = f"{label(striking)} may counter-attack {label(struck)} or break off."
        asked, facts = tuple(rules), {"unit": striking.id}
        if (yield from decide(striking.side, "counter-or-break", words, COUNTER, BREAK, rules=asked, facts=facts)):
            check = yield from training_check(game, striking, "counter", "its Check to counter-attack")
            text = f"{label(striking)} needs {check.needed}+ to counter-attack, rolls {check.throw.value}."
            check.tell(
                game, "counter-check", text, "tr14.assaults.counter-check", *rules, unit=striking.id, target=struck.id
            )
            if check.passed:
                yield from counter_move(game, fight, striking)
                yield from strike(game, fight, striking, "tr14.assaults.counter-strike")
                continue
        losers, winners = fight.sides(striking)
        yield from break_off(game, striking, losers, struck, winners)
        return


def strike(game: Battle, fight: Fight, unit: Unit, rule: str) -> Flow[None]:
    """Each Team with an enemy within two inches makes its Check; every success removes one of them."""
    for owner, team in fight.sides(unit)[0]:
        if team.id not in owner.teams:
            continue
        victims = in_reach(game, team, fight.sides(unit)[1])
        if victims:
            yield from strike_with(game, unit, team, victims, rule)


def in_reach(game: Battle, team: Team, enemies: list[Member]) -> list[Member]:
    """Those at whom a Team may strike."""
    enemies = [each for each in enemies if may_assault_team(team, each[1])]
    near = board(game).near(team, [enemy for _, enemy in enemies], STRIKE)
    return [member for member in enemies if member[1] in near]


def against_tank(team: Team, enemy: Team) -> bool:
    return enemy.kind.type == "tank" and team.kind.type != "tank"


def strike_checks(team: Team, enemy: Team) -> int:
    """How many Checks a Team makes in a strike at an enemy: against tanks its Tank Assault."""
    return max(1, team.kind.ta) if against_tank(team, enemy) else 1


def strike_with(game: Battle, unit: Unit, team: Team, victims: list[Member], rule: str) -> Flow[None]:
    choices = Choices({member[1].id: member for member in victims}, lambda member: team_option(member[1]))
    words = f"Whom does {team_label(unit, team)} strike?"
    facts = {"unit": unit.id, "team": team.id}
    victim = yield from choose_one(unit.side, "strike", words, choices, rules=(rule,), facts=facts)
    enemy = victim[1]
    striker, struck = team_label(unit, team), team_label(victim[0], enemy)
    rules = [rule, "tr14.assaults.vs-tanks"] if against_tank(team, enemy) else [rule]
    checks = strike_checks(team, enemy)
    check = yield from training_check(
        game, unit, "strike", f"{striker}'s strike at {struck}", checks, teams=[team.id, enemy.id]
    )
    verb = "succeeds" if check.passes == 1 else "succeed"
    text = f"{striker} strikes at {struck}: needs {check.needed}+, {check.passes} of {checks} {verb}."
    data: dict[str, Any] = {"team": team.id, "victim": enemy.id, "needed": check.needed, "passes": check.passes}
    game.tell("strike", text, *rules, seat=unit.side, dice=[check.throw], **data)
    if not check.passes:
        return
    if not enemy.kind.armored:
        yield from destroy_team(game, victim, "struck down", *rules)
        return
    throw = yield from game.throw(victim[0].side, check.passes, f"{struck}'s flank armor")
    failed = tell_saves(game, victim, throw, enemy.kind.flank, "tr14.assaults.vs-tanks")
    yield from vehicle_damage(game, unit, victim, failed)


def counter_move(game: Battle, fight: Fight, unit: Unit) -> Flow[None]:
    """tr14.assaults.counter-move: up to four inches into contact or as near as can be; guns stay, and whoever shall."""
    mine, theirs = fight.sides(unit)
    enemies = [team for _, team in theirs]
    going = [
        (owner, team)
        for owner, team in mine
        if not in_contact(board(game).gap([team], enemies)) and why_stays(game, unit, team, enemies) is None
    ]
    if not going:
        return
    options = [team_option(team) for _, team in going]
    words = f"Which Teams of {label(unit)} do not close in? The others go up to {COUNTER_MOVE:g} inches into contact."
    question = ChooseSome("hold-back", words, options, 0, len(going), rules=("tr14.assaults.counter-move",))
    held = yield Ask(unit.side, question)
    going = [member for member in going if member[1].id not in held]
    ways = {}
    for member in going:
        for course in plan_charge(game, unit, [member], enemies, COUNTER_MOVE):
            ways[course.team.id] = [list(point) for point in course.path]
            yield from set_out(game, [course])
            take_courses(game, [course])
    if not going:
        return
    verb = "closes" if len(going) == 1 else "close"
    get_up(game, [unit, *(owner for owner, _ in going)], "moved", "tr14.firing.mod-gone-to-ground")
    text = f"{several(len(going), 'Team')} of {label(unit)} {verb} in, up to {COUNTER_MOVE:g} inches."
    data: dict[str, Any] = {"unit": unit.id, "teams": [team.id for _, team in going], "inches": COUNTER_MOVE}
    game.tell("counter-move", text, "tr14.assaults.counter-move", seat=unit.side, ways=ways, **data)
