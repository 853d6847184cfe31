"""Assaults: dividing the Unit, suppressive fire, the charge, defensive fire, and blow for blow until one breaks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import Choose, ChooseSome, Option, Refusal, illegal
from sandtable.engine.ruleset import Ask
from sandtable.rulesets.tr14.board import SLACK, Rows, board, gap, gaps, place, sees
from sandtable.rulesets.tr14.checks import training_check
from sandtable.rulesets.tr14.firing import ask_fire
from sandtable.rulesets.tr14.moving import (
    Course,
    MoveLaw,
    ask_move,
    courses_of,
    mark_moved,
    roll_for_terrain,
    take_courses,
    untangle,
)
from sandtable.rulesets.tr14.reaction import reaction_fire
from sandtable.rulesets.tr14.saves import vehicle_damage
from sandtable.rulesets.tr14.shooting import Outcome, Target, aimed_at, volley
from sandtable.rulesets.tr14.state import Member, State, Team, Unit, label, other, team_label, units_of
from sandtable.rulesets.tr14.suppression import add_markers, destroy_team, members_of
from sandtable.table import distance as measure
from sandtable.table import moves
from sandtable.table.distance import EXACT
from sandtable.table.shapes import X, Y

CHARGE = 12.0
CONTACT = 0.05
STRIKE = 2.0
COUNTER_MOVE = 4.0
GAP = 2.0
SIDEWAYS = (0.0, -20.0, 20.0, -40.0, 40.0, -60.0, 60.0)
PARTS = (1.0, 0.8, 0.6, 0.4, 0.2)
"""Where a Team looks for room when the shortest way is blocked: turned from it in degrees, and parts of it."""

HALT_HITS = 5
HALT_RESULTS = 2


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
    chargers, enemies = squad.chargers, theirs.members
    rows, goals = here.rows.take(squad.charging, axis=0), here.rows.take(theirs.rows, axis=0)
    near = measure.distances(rows, goals) <= CHARGE + EXACT
    if unit.leader is None:
        # tr14.leaders.leaderless: a charge is a move towards the enemy.
        near &= ~sees(here, rows, goals)
    found: dict[str, Unit] = {}
    for first, second in zip(*(index.tolist() for index in np.nonzero(near)), strict=True):
        enemy, team = enemies[second]
        if enemy.id not in found and may_assault_team(chargers[first], team):
            found[enemy.id] = enemy
    return list(found.values())


def why_no_assault(game: Game[State], unit: Unit, enemy: Unit | None = None) -> Refusal | None:
    chargers = [team for team in unit.teams.values() if may_charge(team)]
    if unit.apart:
        return illegal("tr14.playing.action-assault", f"{label(unit)} stands apart and does not assault alone.")
    if not chargers:
        return illegal("tr14.assaults.divide-unit", f"{label(unit)} has no Team that may charge; guns stay behind.")
    enemies = [enemy] if enemy is not None else units_of(game.state, other(unit.side))
    near = [each for each in enemies if gap(game, chargers, list(each.teams.values())) <= CHARGE + EXACT]
    if not near:
        return illegal("tr14.assaults.charge", f"no Team of {label(unit)} is within {CHARGE:g} inches of it.")
    if unit.leader is None:
        return illegal("tr14.leaders.leaderless", f"{label(unit)} has no Platoon Leader to take it towards the enemy.")
    return illegal("tr14.assaults.no-tank-vs-tank", "Tank Teams may not assault Tank Teams.")


def assault(game: Game[State], unit: Unit) -> Flow[None]:
    """tr14.playing.action-assault, from first to last."""
    fight, chargers = yield from declare(game, unit)
    staying = [team for team in unit.teams.values() if team not in chargers]
    in_reach = way_to_go(game, chargers, fight) <= CHARGE + EXACT
    yield from suppressive_fire(game, unit, staying, fight)
    if fight.sides(unit)[1]:
        landed = yield from charge(game, unit, chargers, fight, in_reach)
        if landed:
            yield from close_combat(game, fight)
    yield from count_the_cost(game, fight)


def declare(game: Game[State], unit: Unit) -> Flow[tuple[Fight, list[Team]]]:
    targets = assault_targets(game, unit)
    options = [Option(enemy.id, label(enemy)) for enemy in targets]

    def barred(choice: str) -> Refusal | None:
        enemy = game.state.units.get(choice)
        return why_no_assault(game, unit, enemy) if enemy is not None and enemy.side != unit.side else None

    words = f"Which Unit does {label(unit)} assault?"
    answer = yield Ask(
        unit.side, Choose("assault", words, options, rules=("tr14.playing.action-assault",), barred=barred)
    )
    enemy = game.state.units[answer]
    foes = list(enemy.teams.values())
    able = [
        team for team in unit.teams.values() if may_charge(team) and any(may_assault_team(team, foe) for foe in foes)
    ]
    options = [Option(team.id, team_label(team)) for team in able]

    def stays(choice: str) -> Refusal | None:
        team = unit.teams.get(choice)
        if team is not None and not may_charge(team):
            return illegal(
                "tr14.assaults.divide-unit", f"{team_label(team)} is a Gun Team and must stay.", field=choice
            )
        if team is not None:
            message = f"{team_label(team)} is a Tank Team and may not assault Tank Teams."
            return illegal("tr14.assaults.no-tank-vs-tank", message, field=choice)
        return None

    words = "Which Teams charge? The others stay and give suppressive fire."
    question = ChooseSome("chargers", words, options, 1, len(able), rules=("tr14.assaults.divide-unit",), barred=stays)
    # Everybody who can charge comes first among the answers: it is what most assaults want.
    foes = list(enemy.teams.values())
    question.options = sorted(question.options, key=lambda option: gap(game, [unit.teams[option.id]], foes))
    chosen = yield Ask(unit.side, question)
    target = aimed_at(game, enemy)
    before = {each.id: each.casualties for each in [unit, *(owner for owner, _ in target.members)]}
    chargers = [unit.teams[team_id] for team_id in chosen]
    behind = len(unit.teams) - len(chargers)
    text = f"{label(unit)} assaults {label(target.unit)} with {len(chargers)} Teams; {behind} stay behind."
    rules = ("tr14.playing.action-assault", "tr14.assaults.divide-unit")
    game.tell("assault", text, *rules, seat=unit.side, unit=unit.id, target=target.unit.id, chargers=chosen)
    return Fight(unit, target, before), chargers


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
    text = f"Their targets shot away, the chargers go {throw.value} inches further."
    game.tell("extra-charge", text, "tr14.assaults.extra-charge", seat=unit.side, dice=[throw])
    return throw.value


def charge(game: Game[State], unit: Unit, chargers: list[Team], fight: Fight, in_reach: bool) -> Flow[bool]:
    """The charge, and the fire that meets it. True if the assault lands."""
    reach = CHARGE
    chargers = [team for team in chargers if team.id in unit.teams]
    enemies = [team for _, team in fight.sides(unit)[1]]
    rules = ["tr14.assaults.charge"]
    if in_reach and way_to_go(game, chargers, fight) > CHARGE + EXACT:
        reach += yield from extra_charge(game, unit)
    courses = plan_charge(game, unit, chargers, enemies, reach)
    for course in courses:
        yield from roll_for_terrain(game, course)
        mark_moved(course)
    text = f"{len(courses)} Teams of {label(unit)} charge, up to {reach:g} inches."
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
    untangle(game, courses, back=0.02)
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
        what = f"{outcome.results} results" if armored else f"{outcome.hits} hits"
        text = f"Defensive fire of {what} {'halts' if halted else 'does not halt'} {label(unit)}."
        game.tell("defensive-fire", text, "tr14.assaults.defensive-fire", rule, seat=unit.side, halted=halted)
    return rule if halted else None


def plan_charge(game: Game[State], unit: Unit, chargers: list[Team], enemies: list[Team], reach: float) -> list[Course]:
    """The shortest ways into contact, nearest Teams first, each as near as it can where contact is out of reach."""
    here = board(game)
    blocked = [here.all_but(chargers)]
    courses = []
    order = sorted(chargers, key=lambda team: gap(game, [team], enemies))
    waiting = {team.id: here.of([team]) for team in order}
    for team in order:
        row = waiting.pop(team.id)[0]
        goals = [here.of([enemy])[0] for enemy in enemies if may_assault_team(team, enemy)]
        obstacles = np.vstack([*blocked, *waiting.values()])
        x, y = closing_spot(here.ground.width, here.ground.depth, row, goals, obstacles, reach)
        path = [(float(row[X]), float(row[Y])), (x, y)]
        ended = row.copy()
        ended[X], ended[Y] = x, y
        blocked.append(ended[None])
        turret = team.facing if team.turret is not None else None
        courses.append(Course(unit, team, path, math.dist(*path), team.facing, turret))
    return courses


def closing_spot(
    width: float, depth: float, row: Rows, goals: Sequence[Rows], obstacles: Rows, reach: float
) -> tuple[float, float]:
    """Where a base ends that goes for the nearest of its goals: in contact if it can, as near as it can if not."""
    start = (float(row[X]), float(row[Y]))
    best: tuple[float, float, float, float] | None = None
    for goal in sorted(goals, key=lambda each: measure.distance(row, each)):
        for x, y in spots_around(row, goal, reach):
            length = math.hypot(x - start[0], y - start[1])
            spot = row.copy()
            spot[X], spot[Y] = round(x, 2), round(y, 2)
            if length > reach + 0.011 or not free(spot, obstacles, width, depth):
                continue
            rank = (measure.distance(spot, goal), length, float(spot[X]), float(spot[Y]))
            if best is None or (round(rank[0], 2), rank[1]) < (round(best[0], 2), best[1]):
                best = rank
        if best is not None and best[0] <= CONTACT:
            break
    return (best[2], best[3]) if best is not None else start


def spots_around(row: Rows, goal: Rows, reach: float) -> list[tuple[float, float]]:
    """Points on the shortest way to a base and to either side of it, and contact at other sides of the base."""
    start = (float(row[X]), float(row[Y]))
    x, y = measure.contact_move(row, goal)
    length = math.hypot(x - start[0], y - start[1])
    part = min(1.0, reach / length) if length > 0 else 1.0
    dx, dy = (x - start[0]) * part, (y - start[1]) * part
    spots = []
    for turn in SIDEWAYS:
        sin, cos = math.sin(math.radians(turn)), math.cos(math.radians(turn))
        spots += [(start[0] + (dx * cos + dy * sin) * p, start[1] + (dy * cos - dx * sin) * p) for p in PARTS]
    if length > reach + EXACT:
        return spots
    for step in range(1, 12):
        angle = math.radians(30.0 * step)
        probe = row.copy()
        away = 6.0
        base_angle = math.atan2(start[0] - goal[X], start[1] - goal[Y])
        probe[X] = goal[X] + away * math.sin(base_angle + angle)
        probe[Y] = goal[Y] + away * math.cos(base_angle + angle)
        spots.append(measure.contact_move(probe, goal))
    return spots


def free(spot: Rows, obstacles: Rows, width: float, depth: float) -> bool:
    if not moves.on_table(spot[None], width, depth)[0]:
        return False
    return not len(obstacles) or not bool(measure.overlaps(spot[None], obstacles, SLACK).any())


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
    """Halted Teams in contact move back to leave a gap of two inches."""
    here = board(game)
    enemies = [team for _, team in fight.sides(fight.attacker)[1]]
    for course in courses:
        team = course.team
        if team.id not in course.unit.teams or gap(game, [team], enemies) > CONTACT:
            continue
        start = course.path[0]
        row = here.of([team])[0]
        others = here.all_but([team])
        away = (float(start[0] - row[X]), float(start[1] - row[Y]))
        if away == (0.0, 0.0):
            nearest = min(here.of(enemies), key=lambda enemy: measure.distance(row, enemy))
            away = (float(row[X] - nearest[X]), float(row[Y] - nearest[Y]))
        length = math.hypot(*away) or 1.0
        for far in np.arange(GAP, length + 4.0, 0.05):
            spot = row.copy()
            spot[X] = round(float(row[X]) + away[0] / length * float(far), 2)
            spot[Y] = round(float(row[Y]) + away[1] / length * float(far), 2)
            goals = here.of(enemies)
            if measure.distances(spot[None], goals).min() >= GAP - EXACT and free(
                spot, others, here.ground.width, here.ground.depth
            ):
                place(game, team, float(spot[X]), float(spot[Y]))
                break


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
        yield from break_off(game, fight, striking, struck)
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
    text = (
        f"{team_label(team)} strikes at {team_label(enemy)}: needs {check.needed}+, {check.passes} of {checks} succeed."
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
    text = f"{team_label(enemy)} saves on {enemy.kind.flank}+: {failed} of {check.passes} fail."
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
        if may_charge(team) and gap(game, [team], enemies) > CONTACT and any(may_assault_team(team, e) for e in enemies)
    ]
    if not going or (unit.leader is None and not unit.apart):
        # tr14.leaders.leaderless: the enemy is in plain view.
        return
    options = [Option(team.id, team_label(team)) for _, team in going]
    words = f"Which Teams of {label(unit)} do not close in? The others go up to {COUNTER_MOVE:g} inches into contact."
    question = ChooseSome("hold-back", words, options, 0, len(going), rules=("tr14.assaults.counter-move",))
    held = yield Ask(unit.side, question)
    going = [member for member in going if member[1].id not in held]
    for owner, team in going:
        for course in plan_charge(game, owner, [team], enemies, COUNTER_MOVE):
            yield from roll_for_terrain(game, course)
            if course.cut:
                untangle(game, [course])
            mark_moved(course)
            take_courses(game, [course])
    text = f"{len(going)} Teams of {label(unit)} close in, up to {COUNTER_MOVE:g} inches."
    game.tell("counter-move", text, "tr14.assaults.counter-move", seat=unit.side, teams=[team.id for _, team in going])


def break_off(game: Game[State], fight: Fight, breaking: Unit, winning: Unit) -> Flow[None]:
    """The beaten Unit moves away, the other may follow, and whoever is caught is lost."""
    losers, winners = fight.sides(breaking)
    throw = yield from game.throw(breaking.side, 1, "breaking off")
    text = f"{label(breaking)} breaks off, {throw.value} inches."
    game.tell("break-off", text, "tr14.assaults.break-off-move", seat=breaking.side, dice=[throw], unit=breaking.id)
    for member in losers:
        if may_charge(member[1]):
            yield from move_away(game, member, [enemy for _, enemy in winners], float(throw.value))
    throw = yield from game.throw(winning.side, 1, "following up")
    members = [member for member in winners if may_charge(member[1])]
    if members:
        reach = {team.id: float(throw.value) for _, team in members}
        law = MoveLaw(game, winning, members, reach, pl_free=False, cohesion=False)
        text = f"{label(winning)} may follow, {throw.value} inches."
        game.tell("follow-up", text, "tr14.assaults.break-off-move", seat=winning.side, dice=[throw], unit=winning.id)
        steps = yield from ask_move(game, law, f"{label(winning)} may follow up to {throw.value} inches.", "follow-up")
        courses = courses_of(law, steps)
        for course in courses:
            yield from roll_for_terrain(game, course)
            mark_moved(course)
        if any(course.cut for course in courses):
            untangle(game, courses)
        take_courses(game, courses)
    enemies = [enemy for _, enemy in winners]
    escaped = [team for _, team in losers if team.kind.type == "tank" and not team.markers]
    caught = [
        member for member in losers if member[1] not in escaped and gap(game, [member[1]], enemies) <= STRIKE + EXACT
    ]
    for member in caught:
        yield from destroy_team(game, member, "caught breaking off", "tr14.assaults.caught")


def move_away(game: Game[State], member: Member, enemies: list[Team], far: float) -> Flow[None]:
    """Straight away from the nearest enemy, as far as there is room and the ground lets a tank pass."""
    owner, team = member
    here = board(game)
    row = here.of([team])[0]
    rows = here.of(enemies)
    nearest = rows[int(measure.distances(row[None], rows)[0].argmin())]
    dx, dy = float(row[X] - nearest[X]), float(row[Y] - nearest[Y])
    length = math.hypot(dx, dy) or 1.0
    others = here.all_but([team])
    shift = (dx / length * far, dy / length * far)
    fractions, ends = moves.slide(row[None], *shift, others, here.ground.width, here.ground.depth, SLACK)
    end = ends[0]
    if fractions[0] > 0:
        path = [(float(row[X]), float(row[Y])), (float(end[X]), float(end[Y]))]
        course = Course(owner, team, path, math.dist(*path), team.facing, team.turret)
        yield from roll_for_terrain(game, course)
        if course.cut:
            untangle(game, [course])
        mark_moved(course)
        take_courses(game, [course])


def count_the_cost(game: Game[State], fight: Fight) -> Flow[None]:
    """tr14.assaults.casualty-suppression: a marker for each Team that a Unit lost in the assault."""
    owners = {owner.id: owner for owner in [fight.attacker, *(owner for owner, _ in fight.target.members)]}
    for unit_id, unit in owners.items():
        lost = unit.casualties - fight.before[unit_id]
        if lost > 0 and unit.id in game.state.units:
            takers = [member for member in members_of(unit) if member[1].role != "fo"]
            yield from add_markers(game, takers, lost, set(), "tr14.assaults.casualty-suppression")
