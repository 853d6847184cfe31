"""The charge, the fire that meets it, and what halts it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from sandtable.engine.events import LAPSED, several
from sandtable.engine.game import Flow, decide
from sandtable.field.closing import Closing, nearest_way
from sandtable.field.courses import Path, length_of
from sandtable.field.kept import Kept
from sandtable.field.retreating import spot_apart
from sandtable.rulesets.tr14.assaults.reach import CHARGE, Fight, closing_in, may_assault_team
from sandtable.rulesets.tr14.core.board import Battle, board, place
from sandtable.rulesets.tr14.core.checks import NO, YES
from sandtable.rulesets.tr14.core.names import label
from sandtable.rulesets.tr14.core.state import Member, Team, Unit
from sandtable.rulesets.tr14.firing import Outcome, reaction_fire
from sandtable.rulesets.tr14.moving import Course, set_out, take_courses, untangle
from sandtable.table.hairs import SLACK, in_contact, within
from sandtable.table.shapes import X, Y

GAP = 2.0
HALT_HITS = 5
HALT_RESULTS = 2
"""tr14.assaults.halted-by-five, tr14.assaults.halting-tanks"""


def way_to_go(game: Battle, chargers: list[Team], fight: Fight) -> float:
    """How far the nearest enemy is that a charger may assault."""
    enemies = [team for _, team in fight.sides(fight.attacker)[1]]
    here = board(game)
    return min((here.gap([c], [e for e in enemies if may_assault_team(c, e)]) for c in chargers), default=math.inf)


def extra_charge(game: Battle, unit: Unit) -> Flow[int]:
    """tr14.assaults.extra-charge: the chargers may go on for those who have been shot away before them."""
    words = f"The targets of {label(unit)} are shot away. Shall its chargers go up to a die further?"
    rules, facts = ("tr14.assaults.extra-charge",), {"unit": unit.id}
    if not (yield from decide(unit.side, "extra-charge", words, YES, NO, rules=rules, facts=facts)):
        return 0
    throw = yield from game.throw(unit.side, 1, "the extra charge")
    further = several(throw.value, "inch", "inches")
    text = f"Their targets shot away, the chargers of {label(unit)} go {further} further."
    data: dict[str, Any] = {"unit": unit.id, "inches": throw.value}
    game.tell("extra-charge", text, "tr14.assaults.extra-charge", seat=unit.side, dice=[throw], **data)
    return throw.value


def charge(game: Battle, unit: Unit, chargers: list[Team], fight: Fight) -> Flow[bool]:
    """The charge, and the fire that meets it. True if the assault lands."""
    reach = CHARGE
    chargers = [team for team in chargers if team.id in unit.teams]
    enemies = [team for _, team in fight.sides(unit)[1]]
    if not within(way_to_go(game, chargers, fight), CHARGE):
        reach += yield from extra_charge(game, unit)
    courses = plan_charge(game, unit, [(unit, team) for team in chargers], enemies, reach)
    ways = {course.team.id: [list(point) for point in course.path] for course in courses}
    yield from set_out(game, courses)
    verb = "charges" if len(courses) == 1 else "charge"
    text = f"{several(len(courses), 'Team')} of {label(unit)} {verb}, up to {reach:g} inches."
    data: dict[str, Any] = {"unit": unit.id, "target": fight.defender.id, "inches": reach, "ways": ways}
    game.tell("charge", text, "tr14.assaults.charge", seat=unit.side, **data)
    outcome, moment = yield from reaction_fire(game, unit, courses, [owner for owner, _ in fight.target.members])
    rule = halted_by(game, unit, courses, outcome)
    if rule is not None:
        halt(game, [course for course in courses if course.team.id in unit.teams], moment, fight, rule)
        return False
    if not comes_home(game, unit, courses, fight):
        text = f"Nobody of {label(unit)} comes into contact: the assault is over."
        game.tell("no-contact", text, "tr14.assaults.charge", seat=unit.side, unit=unit.id, **LAPSED)
        return False
    return True


def comes_home(game: Battle, unit: Unit, courses: list[Course], fight: Fight) -> bool:
    """Those who charge and still stand come to the end of their ways. True if anybody is in contact then."""
    # Guns that fired have turned: a hair's breadth back, and whoever was in contact still is.
    courses = [course for course in courses if course.team.id in unit.teams]
    untangle(game, courses, back=SLACK)
    take_courses(game, courses)
    return in_contact(board(game).gap([course.team for course in courses], [team for _, team in fight.sides(unit)[1]]))


def halted_by(game: Battle, unit: Unit, courses: list[Course], outcome: Outcome) -> str | None:
    """Five hits halt a charge; armored tanks only two results of suppression or destruction. The rule, if halted."""
    armored = all(course.team.kind.armored for course in courses)
    rule = "tr14.assaults.halting-tanks" if armored else "tr14.assaults.halted-by-five"
    halted = outcome.results >= HALT_RESULTS if armored else outcome.hits >= HALT_HITS
    if outcome.hits or outcome.results:
        what = several(outcome.results, "result") if armored else several(outcome.hits, "hit")
        text = f"Defensive fire of {what} {'halts' if halted else 'does not halt'} {label(unit)}."
        data: dict[str, Any] = {"unit": unit.id, "hits": outcome.hits, "results": outcome.results, "halted": halted}
        game.tell("defensive-fire", text, "tr14.assaults.defensive-fire", rule, seat=unit.side, **data)
    return rule if halted else None


def plan_charge(game: Battle, unit: Unit, chargers: list[Member], enemies: list[Team], reach: float) -> list[Course]:
    """The shortest ways into contact, nearest Teams first, each as near as it can where contact is out of reach."""
    here = board(game)
    standing = [here.all_but([team for _, team in chargers])]
    order = sorted(chargers, key=lambda member: board(game).gap([member[1]], enemies))
    waiting = {team.id: here.of([team]) for _, team in order}
    courses = []
    for owner, team in order:
        ended = waiting.pop(team.id)
        closing = closing_in(game, unit, team, enemies, np.vstack([*standing, *waiting.values()]), reach)
        path = way_of(game, closing) if len(closing.goals) else [closing.start]
        ended[0, X : Y + 1] = path[-1]
        standing.append(ended)
        turret = team.facing if team.turret is not None else None
        path = [path[0], *(path[1:] or path)]
        courses.append(Course(owner, team, path, length_of(path), team.facing, turret=turret))
    return courses


WAYS = Kept[tuple[float | bytes, ...], Path](most=1024)
"""Copies that look ahead have the same Teams charge from the same places time and again."""


def way_of(game: Battle, closing: Closing) -> Path:
    """How a charger goes."""
    return WAYS.once(game.kin, closing.key, lambda: nearest_way(closing))


def halt(game: Battle, courses: list[Course], moment: float, fight: Fight, rule: str) -> None:
    """The chargers stop where the fire caught them, a little short of that where they would stand on another base."""
    for course in courses:
        course.length *= moment
    untangle(game, courses)
    take_courses(game, courses)
    step_back(game, courses, fight)
    unit = fight.attacker
    game.tell("halted", f"The charge of {label(unit)} is halted.", rule, seat=unit.side, unit=unit.id)


def step_back(game: Battle, courses: list[Course], fight: Fight) -> None:
    """Halted Teams in contact leave a gap of two inches: back the way they came, on beyond its start, or aside."""
    enemies = [team for _, team in fight.sides(fight.attacker)[1]]
    for course in courses:
        team = course.team
        if team.id in course.unit.teams and in_contact(board(game).gap([team], enemies)):
            here = board(game)
            others = here.enemy_rows(course.unit.side)
            spot = spot_apart(here, here.ground, team, course.path, course.length, enemies, others, GAP)
            if spot is not None:
                place(game, team, *spot)
