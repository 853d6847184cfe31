"""Assaults: dividing the Unit, suppressive fire, the charge, defensive fire, and blow for blow until one breaks."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from sandtable.engine.events import several
from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import Choose, ChooseSome, Option, Refusal, illegal
from sandtable.engine.ruleset import Ask
from sandtable.rulesets.tr14.assaults.breaking_off import COMPASS, break_off
from sandtable.rulesets.tr14.assaults.closing import Closing, nearest_way, way_in
from sandtable.rulesets.tr14.core.board import Rows, board, gap, gaps, place, sees
from sandtable.rulesets.tr14.core.checks import training_check
from sandtable.rulesets.tr14.core.state import Member, State, Team, Unit, is_led, label, other, team_label, units_of
from sandtable.rulesets.tr14.firing.orders import ask_fire
from sandtable.rulesets.tr14.firing.reaction import reaction_fire
from sandtable.rulesets.tr14.firing.volley import Outcome, Target, aimed_at, volley
from sandtable.rulesets.tr14.moving.law import (
    Course,
    get_up,
    length_of,
    mark_moved,
    roll_for_terrain,
    take_courses,
    untangle,
)
from sandtable.rulesets.tr14.saves import how_many_fail, vehicle_damage
from sandtable.rulesets.tr14.suppression import add_markers, destroy_team, members_of
from sandtable.table import distance as measure
from sandtable.table import moves
from sandtable.table.hairs import CONTACT, EXACT, SLACK
from sandtable.table.shapes import X, Y

CHARGE = 12.0
"""tr14.assaults.charge"""

STRIKE = 2.0
"""tr14.assaults.attackers-strike, tr14.assaults.counter-strike"""

COUNTER_MOVE = 4.0
"""tr14.assaults.counter-move"""

GAP = 2.0
HALT_HITS = 5
HALT_RESULTS = 2
"""tr14.assaults.halted-by-five, tr14.assaults.halting-tanks"""

STEP_BACK = 0.05
"""How finely a halted Team looks for the spot where its gap is wide enough."""


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


def assault_targets(game: Game[State], unit: Unit) -> list[Unit]:
    """Enemy Units that some Team of the Unit could charge."""
    here = board(game)
    squad = here.squad(unit)
    theirs = here.side(other(unit.side))
    if not moves.any_within(here.rows, squad.charging, theirs.rows, CHARGE + EXACT):
        return []
    enemies = units_of(game.state, other(unit.side))
    return [enemy for enemy in enemies if next(able_to_reach(game, unit, enemy), None) is not None]


def able_to_reach(game: Game[State], unit: Unit, enemy: Unit) -> Iterator[Team]:
    """The Teams that a charge would bring into contact with an enemy Unit, the nearest first."""
    chargers = board(game).squad(unit).chargers
    foes = list(enemy.teams.values())
    far = gaps(game, chargers, foes).min(axis=1).tolist()
    for number in sorted(range(len(chargers)), key=far.__getitem__):
        if far[number] <= CHARGE + EXACT and can_reach(game, unit, chargers[number], foes):
            yield chargers[number]


def why_no_assault(game: Game[State], unit: Unit, enemy: Unit | None = None) -> Refusal | None:
    chargers = [team for team in unit.teams.values() if may_charge(team)]
    if unit.apart:
        return illegal("tr14.playing.action-assault", f"{label(unit)} stands apart and does not assault alone.")
    if not chargers:
        return illegal("tr14.assaults.divide-unit", f"{label(unit)} has no Team that may charge; guns stay behind.")
    enemies = [enemy] if enemy is not None else units_of(game.state, other(unit.side))
    foes = [team for each in enemies for team in each.teams.values()]
    near = [(charger, foe) for charger in chargers for foe in foes if gap(game, [charger], [foe]) <= CHARGE + EXACT]
    if not near:
        return illegal("tr14.assaults.charge", f"no Team of {label(unit)} is within {CHARGE:g} inches of it.")
    if not any(may_assault_team(charger, foe) for charger, foe in near):
        return illegal("tr14.assaults.no-tank-vs-tank", "Tank Teams may not assault Tank Teams.")
    if not is_led(unit):
        return illegal("tr14.leaders.leaderless", f"{label(unit)} has no Platoon Leader to take it towards the enemy.")
    return illegal("tr14.assaults.charge", f"no Team of {label(unit)} finds a way into contact.")


def assault(game: Game[State], unit: Unit) -> Flow[None]:
    """tr14.playing.action-assault, from first to last."""
    fight, chargers = yield from declare(game, unit)
    staying = [team for team in unit.teams.values() if team not in chargers]
    yield from suppressive_fire(game, unit, staying, fight)
    if fight.sides(unit)[1]:
        landed = yield from charge(game, unit, chargers, fight)
        if landed:
            yield from close_combat(game, fight)
    yield from count_the_cost(game, fight)


def declare(game: Game[State], unit: Unit) -> Flow[tuple[Fight, list[Team]]]:
    """Whom the Unit assaults, and with which of its Teams."""
    options = [Option(enemy.id, label(enemy)) for enemy in assault_targets(game, unit)]

    def barred(choice: str) -> Refusal | None:
        enemy = game.state.units.get(choice)
        return why_no_assault(game, unit, enemy) if enemy is not None and enemy.side != unit.side else None

    words = f"Which Unit does {label(unit)} assault?"
    answer = yield Ask(
        unit.side, Choose("assault", words, options, rules=("tr14.playing.action-assault",), barred=barred)
    )
    enemy = game.state.units[answer]
    chosen = yield from choose_chargers(game, unit, enemy)
    target = aimed_at(game, enemy)
    before = {each.id: each.casualties for each in [unit, *(owner for owner, _ in target.members)]}
    behind = len(unit.teams) - len(chosen)
    staying = "nobody stays" if not behind else "1 stays" if behind == 1 else f"{behind} stay"
    text = f"{label(unit)} assaults {label(target.unit)} with {several(len(chosen), 'Team')}; {staying} behind."
    rules = ("tr14.playing.action-assault", "tr14.assaults.divide-unit")
    game.tell("assault", text, *rules, seat=unit.side, unit=unit.id, target=target.unit.id, chargers=chosen)
    return Fight(unit, target, before), [unit.teams[team_id] for team_id in chosen]


def choose_chargers(game: Game[State], unit: Unit, enemy: Unit) -> Flow[list[str]]:
    """tr14.assaults.divide-unit; tr14.assaults.charge: at least one who charges must be able to reach the enemy."""
    foes = list(enemy.teams.values())
    able = {team.id for team in able_to_reach(game, unit, enemy)}
    going = [team for team in unit.teams.values() if why_stays(game, unit, team, foes) is None]

    def barred(choice: str) -> Refusal | None:
        team = unit.teams.get(choice)
        return why_stays(game, unit, team, foes) if team is not None else None

    def legal(chosen: list[str]) -> Refusal | None:
        if able.intersection(chosen):
            return None
        legal = f"Send at least one of these: {', '.join(team_label(unit.teams[name]) for name in sorted(able))}."
        return illegal(
            "tr14.assaults.charge", f"none of these can reach {label(enemy)}.", field="chargers", legal=legal
        )

    # Those who are nearest come first: it is what most assaults want.
    options = [Option(t.id, team_label(t)) for t in sorted(going, key=lambda team: gap(game, [team], foes))]
    words = "Which Teams charge? The others stay and give suppressive fire."
    rules = ("tr14.assaults.divide-unit",)
    question = ChooseSome("chargers", words, options, 1, len(going), legal=legal, barred=barred, rules=rules)
    chosen: list[str] = yield Ask(unit.side, question)
    return chosen


def why_stays(game: Game[State], unit: Unit, team: Team, foes: list[Team]) -> Refusal | None:
    """Why a Team cannot be among the chargers."""
    if not may_charge(team):
        return illegal("tr14.assaults.divide-unit", f"{team_label(team)} is a Gun Team and must stay.", field=team.id)
    if not any(may_assault_team(team, foe) for foe in foes):
        message = f"{team_label(team)} is a Tank Team and may not assault Tank Teams."
        return illegal("tr14.assaults.no-tank-vs-tank", message, field=team.id)
    if not is_led(unit) and not len(closing_in(game, unit, team, foes, board(game).rows[:0], CHARGE).goals):
        message = f"{team_label(team)} sees the enemy and has no Platoon Leader to take it there."
        return illegal("tr14.leaders.leaderless", message, field=team.id)
    return None


def suppressive_fire(game: Game[State], unit: Unit, staying: list[Team], fight: Fight) -> Flow[None]:
    """tr14.assaults.suppressive-fire"""
    if not staying:
        return
    words = f"Which Teams fire at {label(fight.defender)} before the charge?"
    owners = list({id(owner): owner for owner, _ in fight.target.members}.values())
    fire = yield from ask_fire(
        game, unit, words, "tr14.assaults.suppressive-fire", teams=staying, at=owners, topic="suppressive-fire"
    )
    if fire:
        yield from volley(game, unit, fire, fight.target, "assault")


def way_to_go(game: Game[State], chargers: list[Team], fight: Fight) -> float:
    """How far the nearest enemy is that a charger may assault."""
    enemies = [team for _, team in fight.sides(fight.attacker)[1]]
    return min((gap(game, [c], [e for e in enemies if may_assault_team(c, e)]) for c in chargers), default=math.inf)


def extra_charge(game: Game[State], unit: Unit) -> Flow[int]:
    """tr14.assaults.extra-charge: the chargers may go on for those who have been shot away before them."""
    words = f"The targets of {label(unit)} are shot away. Shall its chargers go up to a die further?"
    options = [Option("yes", "Yes"), Option("no", "No")]
    question = Choose("extra-charge", words, options, rules=("tr14.assaults.extra-charge",), facts={"unit": unit.id})
    if (yield Ask(unit.side, question)) == "no":
        return 0
    throw = yield from game.throw(unit.side, 1, "the extra charge")
    text = f"Their targets shot away, the chargers go {several(throw.value, 'inch', 'inches')} further."
    game.tell("extra-charge", text, "tr14.assaults.extra-charge", seat=unit.side, dice=[throw])
    return throw.value


def charge(game: Game[State], unit: Unit, chargers: list[Team], fight: Fight) -> Flow[bool]:
    """The charge, and the fire that meets it. True if the assault lands."""
    reach = CHARGE
    chargers = [team for team in chargers if team.id in unit.teams]
    enemies = [team for _, team in fight.sides(unit)[1]]
    rules = ["tr14.assaults.charge"]
    if way_to_go(game, chargers, fight) > CHARGE + EXACT:
        reach += yield from extra_charge(game, unit)
    courses = plan_charge(game, unit, [(unit, team) for team in chargers], enemies, reach)
    for course in courses:
        yield from roll_for_terrain(game, course)
        mark_moved(course)
    verb = "charges" if len(courses) == 1 else "charge"
    text = f"{several(len(courses), 'Team')} of {label(unit)} {verb}, up to {reach:g} inches."
    ways = {course.team.id: [list(point) for point in course.path] for course in courses}
    game.tell("charge", text, *rules, seat=unit.side, unit=unit.id, ways=ways)
    if any(course.cut for course in courses):
        untangle(game, courses)
    outcome, moment = yield from reaction_fire(game, unit, courses, [owner for owner, _ in fight.target.members])
    rule = halted_by(game, unit, courses, outcome)
    if rule is not None:
        halt(game, [course for course in courses if course.team.id in unit.teams], moment, fight, rule)
        return False
    # Guns that fired have turned: a hair's breadth back, and whoever was in contact still is.
    courses = [course for course in courses if course.team.id in unit.teams]
    untangle(game, courses, back=SLACK)
    take_courses(game, courses)
    left = [course.team for course in courses if course.team.id in unit.teams]
    enemies = [team for _, team in fight.sides(unit)[1]]
    if gap(game, left, enemies) > CONTACT:
        game.tell(
            "no-contact", "Nobody comes into contact: the assault is over.", "tr14.assaults.charge", seat=unit.side
        )
        return False
    return True


def halted_by(game: Game[State], unit: Unit, courses: list[Course], outcome: Outcome) -> str | None:
    """Five hits halt a charge; armored tanks only two results of suppression or destruction. The rule, if halted."""
    armored = all(course.team.kind.armored for course in courses)
    rule = "tr14.assaults.halting-tanks" if armored else "tr14.assaults.halted-by-five"
    halted = outcome.results >= HALT_RESULTS if armored else outcome.hits >= HALT_HITS
    if outcome.hits or outcome.results:
        what = several(outcome.results, "result") if armored else several(outcome.hits, "hit")
        text = f"Defensive fire of {what} {'halts' if halted else 'does not halt'} {label(unit)}."
        game.tell("defensive-fire", text, "tr14.assaults.defensive-fire", rule, seat=unit.side, halted=halted)
    return rule if halted else None


def plan_charge(
    game: Game[State], unit: Unit, chargers: list[Member], enemies: list[Team], reach: float
) -> list[Course]:
    """The shortest ways into contact, nearest Teams first, each as near as it can where contact is out of reach."""
    here = board(game)
    standing = [here.all_but([team for _, team in chargers])]
    order = sorted(chargers, key=lambda member: gap(game, [member[1]], enemies))
    waiting = {team.id: here.of([team]) for _, team in order}
    courses = []
    for owner, team in order:
        ended = waiting.pop(team.id)
        closing = closing_in(game, unit, team, enemies, np.vstack([*standing, *waiting.values()]), reach)
        path = nearest_way(closing) if len(closing.goals) else [closing.start]
        ended[0, X : Y + 1] = path[-1]
        standing.append(ended)
        turret = team.facing if team.turret is not None else None
        path = [path[0], *(path[1:] or path)]
        courses.append(Course(owner, team, path, length_of(path), team.facing, turret))
    return courses


def closing_in(game: Game[State], unit: Unit, team: Team, enemies: list[Team], standing: Rows, reach: float) -> Closing:
    """A Team of a Unit that closes in on enemies, among those who stand in its way.

    tr14.leaders.leaderless: without a Platoon Leader it goes for nobody whom it sees, nor nearer to any such.
    """
    here = board(game)
    row = here.of([team])
    goals = here.of([enemy for enemy in enemies if may_assault_team(team, enemy)])
    others = here.all_of(here.sides[other(unit.side)])
    shunned = others[:0]
    if not is_led(unit):
        goals = goals[~sees(here, row, goals)[0]]
        shunned = others[sees(here, row, others)[0]]
    return Closing(row[0], goals, standing, others, shunned, here.ground.width, here.ground.depth, reach)


def can_reach(game: Game[State], unit: Unit, team: Team, enemies: list[Team]) -> bool:
    """Whether a charge would bring a Team into contact with one of these enemies."""
    closing = closing_in(game, unit, team, enemies, board(game).all_but([team]), CHARGE)
    return len(closing.goals) > 0 and way_in(closing) is not None


def halt(game: Game[State], courses: list[Course], moment: float, fight: Fight, rule: str) -> None:
    """The chargers stop where the fire caught them, a little short of that where they would stand on another base."""
    for course in courses:
        course.length *= moment
    untangle(game, courses)
    take_courses(game, courses)
    step_back(game, courses, fight)
    unit = fight.attacker
    game.tell("halted", f"The charge of {label(unit)} is halted.", rule, seat=unit.side, unit=unit.id)


def step_back(game: Game[State], courses: list[Course], fight: Fight) -> None:
    """Halted Teams in contact leave a gap of two inches: back the way they came, on beyond its start, or aside."""
    enemies = [team for _, team in fight.sides(fight.attacker)[1]]
    for course in courses:
        team = course.team
        if team.id in course.unit.teams and gap(game, [team], enemies) <= CONTACT:
            ways = chain(way_back(game, course, enemies), all_round(game, course.unit, team))
            spot = next((spot for spot in ways if clears(game, team, spot, enemies)), None)
            if spot is not None:
                place(game, team, *spot)


def way_back(game: Game[State], course: Course, enemies: list[Team]) -> Iterator[tuple[float, float]]:
    """Spots along the way back of a Team that charged, and then straight on from where it began."""
    here = board(game)
    for far in np.arange(GAP, course.length, STEP_BACK).tolist():
        yield course.at(1.0 - far / course.length)
    (x, y), (x1, y1) = course.path[0], course.path[1]
    away = (x - x1, y - y1)
    if away == (0.0, 0.0):
        row, rows = here.of([course.team]), here.of(enemies)
        nearest = rows[int(measure.distances(row, rows)[0].argmin())]
        away = (x - float(nearest[X]), y - float(nearest[Y]))
    length = math.hypot(*away) or 1.0
    for far in np.arange(0.0, 2 * GAP, STEP_BACK).tolist():
        yield x + away[0] / length * far, y + away[1] / length * far


def all_round(game: Game[State], unit: Unit, team: Team) -> Iterator[tuple[float, float]]:
    """Spots round a Team, the nearest first, to which it may go straight without passing over an enemy."""
    assert team.at is not None
    here = board(game)
    row = here.of([team])[0]
    enemies = here.all_of(here.sides[other(unit.side)])
    x, y = team.at
    for far in np.arange(STEP_BACK, 3 * GAP, STEP_BACK).tolist():
        for degrees in COMPASS:
            turn = math.radians(degrees)
            spot = (x + far * math.sin(turn), y + far * math.cos(turn))
            if moves.sweep(row, np.array([team.at, spot]), enemies, SLACK) == math.inf:
                yield spot


def clears(game: Game[State], team: Team, spot: tuple[float, float], enemies: list[Team]) -> bool:
    """Whether a Team has room at a spot, two inches from the enemy."""
    here = board(game)
    row = here.of([team])
    row[0, X : Y + 1] = [round(value, 2) for value in spot]
    if measure.distances(row, here.of(enemies)).min() < GAP - EXACT:
        return False
    if not moves.on_table(row, here.ground.width, here.ground.depth)[0]:
        return False
    return not measure.overlaps(row, here.all_but([team]), SLACK).any()


def close_combat(game: Game[State], fight: Fight) -> Flow[None]:
    """The attackers strike; then the two Units counter-attack in turn until one breaks off or is wiped out."""
    striking, struck = fight.attacker, fight.defender
    yield from strike(game, fight, striking, "tr14.assaults.attackers-strike")
    rounds = 0
    while both_stand(game, fight):
        striking, struck = struck, striking
        rounds += 1
        rules = ["tr14.assaults.counter-or-break"] + (["tr14.assaults.back-and-forth"] if rounds > 1 else [])
        words = f"{label(striking)} may counter-attack {label(struck)} or break off."
        options = [Option("counter", "Counter-attack"), Option("break", "Break off")]
        answer = yield Ask(
            striking.side, Choose("counter-or-break", words, options, rules=tuple(rules), facts={"unit": striking.id})
        )
        if answer == "counter":
            check = yield from training_check(game, striking, "its Check to counter-attack")
            text = f"{label(striking)} needs {check.needed}+ to counter-attack, rolls {check.throw.value}."
            game.tell(
                "counter-check",
                text,
                "tr14.assaults.counter-check",
                *rules,
                seat=striking.side,
                dice=[check.throw],
                passed=check.passed,
            )
            if check.passed:
                yield from counter_move(game, fight, striking)
                yield from strike(game, fight, striking, "tr14.assaults.counter-strike")
                continue
        losers, winners = fight.sides(striking)
        yield from break_off(game, striking, losers, struck, winners)
        return


def both_stand(game: Game[State], fight: Fight) -> bool:
    mine, theirs = fight.sides(fight.attacker)
    return bool(mine) and bool(theirs)


def strike(game: Game[State], fight: Fight, unit: Unit, rule: str) -> Flow[None]:
    """Each Team with an enemy within two inches makes its Check; every success removes one of them."""
    for member in fight.sides(unit)[0]:
        owner, team = member
        if team.id not in owner.teams:
            continue
        enemies = [each for each in fight.sides(unit)[1] if may_assault_team(team, each[1])]
        if not enemies:
            continue
        near = gaps(game, [team], [enemy for _, enemy in enemies])[0]
        victims = [enemy for enemy, far in zip(enemies, near, strict=True) if far <= STRIKE + EXACT]
        if victims:
            yield from strike_with(game, unit, team, victims, rule)


def strike_with(game: Game[State], unit: Unit, team: Team, victims: list[Member], rule: str) -> Flow[None]:
    victim = victims[0]
    if len(victims) > 1:
        options = [Option(enemy.id, team_label(enemy)) for _, enemy in victims]
        words = f"Whom does {team_label(team)} strike?"
        answer = yield Ask(unit.side, Choose("strike", words, options, rules=(rule,), facts={"team": team.id}))
        victim = next(member for member in victims if member[1].id == answer)
    enemy = victim[1]
    against_tank = enemy.kind.type == "tank" and team.kind.type != "tank"
    rules = [rule, "tr14.assaults.vs-tanks"] if against_tank else [rule]
    checks = max(1, team.kind.ta) if against_tank else 1
    check = yield from training_check(game, unit, f"{team_label(team)}'s strike at {team_label(enemy)}", checks)
    verb = "succeeds" if check.passes == 1 else "succeed"
    text = (
        f"{team_label(team)} strikes at {team_label(enemy)}: needs {check.needed}+, {check.passes} of {checks} {verb}."
    )
    data: dict[str, Any] = {"team": team.id, "victim": enemy.id, "passes": check.passes}
    game.tell("strike", text, *rules, seat=unit.side, dice=[check.throw], **data)
    if not check.passes:
        return
    if not enemy.kind.armored:
        yield from destroy_team(game, victim, "struck down", *rules)
        return
    throw = yield from game.throw(victim[0].side, check.passes, f"{team_label(enemy)}'s flank armor")
    failed = sum(value < enemy.kind.flank for value in throw.values)
    text = f"{team_label(enemy)} saves on {enemy.kind.flank}+: {how_many_fail(failed, check.passes)}."
    data = {"team": enemy.id, "needed": enemy.kind.flank, "failed": failed}
    game.tell("save", text, "tr14.assaults.vs-tanks", seat=victim[0].side, dice=[throw], **data)
    yield from vehicle_damage(game, unit, victim, failed)


def counter_move(game: Game[State], fight: Fight, unit: Unit) -> Flow[None]:
    """tr14.assaults.counter-move: up to four inches into contact or as near as can be; guns stay, and whoever shall."""
    mine, theirs = fight.sides(unit)
    enemies = [team for _, team in theirs]
    going = [
        (owner, team)
        for owner, team in mine
        if gap(game, [team], enemies) > CONTACT and why_stays(game, unit, team, enemies) is None
    ]
    if not going:
        return
    options = [Option(team.id, team_label(team)) for _, team in going]
    words = f"Which Teams of {label(unit)} do not close in? The others go up to {COUNTER_MOVE:g} inches into contact."
    question = ChooseSome("hold-back", words, options, 0, len(going), rules=("tr14.assaults.counter-move",))
    held = yield Ask(unit.side, question)
    going = [member for member in going if member[1].id not in held]
    ways = {}
    for member in going:
        for course in plan_charge(game, unit, [member], enemies, COUNTER_MOVE):
            ways[course.team.id] = [list(point) for point in course.path]
            yield from roll_for_terrain(game, course)
            if course.cut:
                untangle(game, [course])
            mark_moved(course)
            take_courses(game, [course])
    verb = "closes" if len(going) == 1 else "close"
    if not going:
        return
    get_up(game, [unit, *(owner for owner, _ in going)], "moved", "tr14.firing.mod-gone-to-ground")
    text = f"{several(len(going), 'Team')} of {label(unit)} {verb} in, up to {COUNTER_MOVE:g} inches."
    names = [team.id for _, team in going]
    game.tell("counter-move", text, "tr14.assaults.counter-move", seat=unit.side, teams=names, ways=ways)


def count_the_cost(game: Game[State], fight: Fight) -> Flow[None]:
    """tr14.assaults.casualty-suppression: a marker for each Team that a Unit lost in the assault."""
    owners = {owner.id: owner for owner in [fight.attacker, *(owner for owner, _ in fight.target.members)]}
    for unit_id, unit in owners.items():
        lost = unit.casualties - fight.before[unit_id]
        if lost > 0 and unit.id in game.state.units:
            takers = [member for member in members_of(unit) if member[1].role != "fo"]
            yield from add_markers(game, takers, lost, set(), "tr14.assaults.casualty-suppression")
