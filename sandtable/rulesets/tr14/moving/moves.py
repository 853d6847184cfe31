"""A Move: who goes, where each of them shall go, and what is told of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

from sandtable.engine.events import several
from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import Answer, MovePieces, Piece, Step, plain_to_steps, steps_to_plain
from sandtable.engine.ruleset import Ask
from sandtable.field.paths import length_of
from sandtable.rulesets.tr14.core.arsenal import MOVE, profile
from sandtable.rulesets.tr14.core.checks import use_command
from sandtable.rulesets.tr14.core.names import label, name_of, of_unit, team_label, team_name
from sandtable.rulesets.tr14.core.state import Member, State, Unit
from sandtable.rulesets.tr14.moving.courses import (
    Course,
    mark_moved,
    roll_for_terrain,
    take_courses,
    untangle,
    way_of,
)
from sandtable.rulesets.tr14.moving.law import MoveLaw
from sandtable.rulesets.tr14.moving.proposals import chance_move, proposed_moves


def movers(game: Game[State], unit: Unit) -> list[Member]:
    """Who moves when a Unit moves: its Teams, and its Forward Observer unless he has gone to ground by himself.

    tr14.indirect.fo-activation, tr14.firing.gtg-declare
    """
    found = [(unit, team) for team in unit.teams.values()]
    for each in game.state.units.values():
        if each.battery == unit.id and each.apart == "fo" and not each.held:
            found += [(each, team) for team in each.teams.values()]
    return found


def pieces_of(law: MoveLaw) -> Callable[[], list[Piece]]:
    """Those who may move, as a page must know them; made when somebody looks."""
    return lambda: [
        Piece(team.id, team_name(team), team.at, team.facing, law.reach[team.id], team.kind.base.size)
        for _, team in law.members
    ]


def ask_move(game: Game[State], law: MoveLaw, words: str, topic: str = "move") -> Flow[dict[str, Step]]:
    """Ask where each Team goes."""

    def chance(random: Random) -> Answer:
        steps = chance_move(game, law, random)
        law.offered = steps_to_plain(steps), steps
        return law.offered[0]

    def proposals(most: int) -> list[Answer]:
        return [steps_to_plain(steps) for steps in proposed_moves(game, law, most)]

    rules = ("tr14.moving.distances", "tr14.moving.cohesion")
    facts: dict[str, Any] = {"unit": law.unit.id}
    names = [team.id for _, team in law.members]
    question = MovePieces(
        topic, words, names, pieces_of(law), law.refuse, proposals, chance=chance, rules=rules, facts=facts
    )
    answer = yield Ask(law.unit.side, question)
    if law.offered is not None and answer is law.offered[0]:
        # A shift by chance: judged already, and never on a leader's command.
        law.commanded = {}
        return law.offered[1]
    steps = plain_to_steps(answer)
    if steps != law.judged:
        # An answer out of a record: the law must still note on whose command a Team goes beyond its own reach.
        law.refuse(steps)
    return steps


def courses_of(law: MoveLaw, steps: dict[str, Step]) -> list[Course]:
    courses = []
    for unit, team in law.members:
        step = steps.get(team.id)
        if step is None:
            continue
        path = way_of(team, step)
        free = law.placed_freely(team)
        facing = team.facing if step.facing is None else step.facing
        turret = step.turret if step.turret is not None else (facing if team.turret is not None else None)
        courses.append(Course(unit, team, path, length_of(path), facing, turret, free))
    return courses


@cache
def rules_of_moving(name: str) -> dict[str, None]:
    """The rules by which Teams of a profile move as they do."""
    kind = profile(name)
    found = []
    if kind.type == "infantry":
        found.append("tr14.moving.infantry-terrain")
    if kind.moves_as_infantry:
        found.append("tr14.arsenal.moves-as-infantry")
    if kind.type == "tank" and kind.move != MOVE["tank"]:
        found.append("tr14.arsenal.tank-speeds")
    return dict.fromkeys(found)


def tell_move(game: Game[State], law: MoveLaw, courses: list[Course], *rules: str) -> None:
    unit = law.unit
    farthest = max([course.length for course in courses])
    text = f"{label(unit)} moves {several(len(courses), 'Team')}, up to {farthest:.1f} inches."
    cited = dict.fromkeys((*rules, "tr14.moving.distances"))
    last = ""
    for course in courses:
        if course.team.profile != last:
            last = course.team.profile
            cited.update(rules_of_moving(last))
        if course.free:
            cited["tr14.leaders.pl-placement"] = None
        if course.unit.apart == "fo":
            cited["tr14.indirect.fo-activation"] = None
    ways = {course.team.id: list(map(list, course.path)) for course in courses}
    game.tell("move", text, *cited, seat=unit.side, unit=unit.id, ways=ways, inches=round(farthest, 2))
    for team, leader in law.commanded.items():
        use_command(game, unit.side, leader)
        rules_up = ("tr14.leaders.move-up", "tr14.leaders.once-per-initiative")
        text = f"{name_of(game.state, leader)} has {name_of(game.state, team)} move up."
        game.tell("move-up", text, *rules_up, seat=unit.side, unit=unit.id, team=team, leader=leader)


def may_place_leader(unit: Unit) -> bool:
    leader = unit.leader
    return leader is not None and leader.kind.type == "infantry" and len(unit.teams) > 1


def place_leader(game: Game[State], unit: Unit) -> Flow[None]:
    """tr14.leaders.pl-placement: outside a Move too, whenever his Unit is activated. It is no Move of the Unit."""
    leader = unit.leader
    assert leader is not None
    law = MoveLaw(game, unit, [(unit, leader)], {leader.id: leader.kind.move})
    words = f"Where does the Platoon Leader of {label(unit)} go?"
    steps = yield from ask_move(game, law, words, "place-leader")
    courses = courses_of(law, steps)
    for course in courses:
        mark_moved(course)
        text = f"{team_label(leader, unit.side)} takes his place among {of_unit(unit)}."
        game.tell("leader-placed", text, "tr14.leaders.pl-placement", seat=unit.side, unit=unit.id, team=leader.id)
    take_courses(game, courses)


def begin_move(game: Game[State], unit: Unit, words: str, *rules: str) -> Flow[list[Course]]:
    """A Unit is ordered to move, and its tanks roll for the ground: the courses on which it now is, if any."""
    members = movers(game, unit)
    law = MoveLaw(game, unit, members, {team.id: team.kind.move for _, team in members})
    steps = yield from ask_move(game, law, words)
    if not steps:
        return []
    courses = courses_of(law, steps)
    tell_move(game, law, courses, *rules)
    for course in courses:
        if course.team.kind.type == "tank":
            yield from roll_for_terrain(game, course)
        mark_moved(course)
    if any(course.cut for course in courses):
        untangle(game, courses)
    return courses


def end_move(game: Game[State], courses: list[Course], *, drew_fire: bool) -> None:
    """Whoever is left of those who move comes to the end of his course."""
    if drew_fire:
        # Guns and tanks that fired have turned, and may now stand where somebody was going to.
        courses = [course for course in courses if course.team.id in course.unit.teams]
        untangle(game, courses)
    take_courses(game, courses)
