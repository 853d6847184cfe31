"""Hero Point vehicle interruption: a Team fires at a Vehicle in the midst of its move."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np

from sandtable.engine.events import several
from sandtable.engine.game import Flow, choose_one
from sandtable.engine.questions import Choices, Choose, Option, Refusal, illegal
from sandtable.engine.ruleset import Ask
from sandtable.rulesets.hof.activation import activation, participants
from sandtable.rulesets.hof.core.acts import Losses, Order, alive
from sandtable.rulesets.hof.core.board import Battle, board, place
from sandtable.rulesets.hof.core.labels import team_label, team_option
from sandtable.rulesets.hof.core.state import Member, find_team, other
from sandtable.rulesets.hof.firing import targets
from sandtable.rulesets.hof.kernels import ground_sight
from sandtable.rulesets.hof.leaders import replacement
from sandtable.rulesets.hof.moving import Course, leave_place
from sandtable.rulesets.hof.orders import spend_hero_point
from sandtable.rulesets.hof.turn import idle
from sandtable.table import distance as measure
from sandtable.table.hairs import EXACT, NOTHING, SLACK
from sandtable.table.shapes import heading, snap

RULE = "hof.optional.interrupt-fire"
STEP = 1.0
"""Points of a path are offered so many inches apart."""


def interrupt(game: Battle, course: Course, busy: Sequence[Member] = ()) -> Flow[tuple[Member, float] | None]:
    """hof.optional.interrupt-fire: after the roll, the other player may have one Team fire at a point of the path.

    Which Team, and at which point; None if he lets the Vehicle drive on.

    Whether he is asked depends only on what everybody sees; how many Hero Points he has left, nobody learns from it.
    """
    if not game.setup.options.interruption:
        return None
    side = other(course.unit.side)
    heroes = game.state.companies[side].heroes
    watching = watchers(game, side, course, busy, once=not heroes)
    if not watching:
        return None
    able = [watching[number][0] for number in sorted(who_could_fire(game, side, course, watching))] if heroes else []
    options = [Option("pass", "Let it drive on"), *(team_option(unit, team, RULE) for unit, team in able)]
    left = several(heroes, "Hero Point")
    question = Choose(
        "interrupt",
        f"{team_label(course.unit, course.team)} drives {course.length:.1f} inches. {left}. Do you interrupt it?",
        options,
        rules=(RULE,),
        facts={"vehicle": course.team.id, "hero_points": heroes},
        why_not=lambda choice: bar(game, choice),
        step="reply",
        veiled=True,
        rest="pass",
        about=(course, {member[1].id: (member, points) for member, points in watching}),
    )
    answer = yield Ask(side, question)
    if answer == "pass":
        return None
    member, points = next(each for each in watching if each[0][1].id == answer)
    at = yield from choose_point(game, side, course, member, points)
    return member, at


def bar(game: Battle, choice: str) -> Refusal | None:
    """hof.optional.bogged: what a Bogged Vehicle is activated for is to work itself free."""
    found = find_team(game.state, choice)
    if found is None or not found[1].bogged:
        return None
    return illegal("hof.optional.bogged", f"{team_label(*found)} is Bogged.", field=choice)


def lapse(game: Battle, course: Course, member: Member) -> None:
    """What lies on its way has stopped the Vehicle before the chosen point: nobody fires, and no point is spent."""
    text = f"{team_label(course.unit, course.team)} does not come to where {team_label(*member)} would fire at it."
    game.tell("not-interrupted", text, RULE, seat=member[0].side, team=member[1].id, target=course.team.id)


def watchers(
    game: Battle, side: str, course: Course, busy: Sequence[Member] = (), *, once: bool = False
) -> list[tuple[Member, list[float]]]:
    """The Teams that may be activated by Hero Point, each with the points of the path that it sees within reach.

    Those who are `busy` may not. With `once` one of them and one point are enough.
    """
    if measure.negligible(course.length):
        return []
    here = board(game)
    eyes = [
        entry
        for entry in here.side(side).entries
        if entry[2].reach and not idle(entry[0][1]) and not entry[0][1].bogged and entry[0] not in busy
    ]
    if not eyes:
        return []
    points = stops(course)
    mover, path = here.index[course.team.id], np.array(course.path)
    looking = np.array([number for _, number, _ in eyes])
    reaches = np.array([kind.reach + EXACT for _, _, kind in eyes])
    found = [
        ground_sight.stops_seen(
            here.ground.lens, here.rows, mover, heading(facing), path, np.array(leg), SLACK, looking, reaches, once
        )
        for facing, leg in legs(course, points)
    ]
    seen = found[0] if len(found) == 1 else np.hstack(found)
    return [
        (member, [at for at, sees in zip(points, row, strict=True) if sees])
        for (member, _, _), row in zip(eyes, seen.tolist(), strict=True)
        if True in row
    ]


def legs(course: Course, points: list[float]) -> list[tuple[float, list[float]]]:
    """The points of a path by how the Vehicle faces there, in order."""
    if len(course.path) == 2:
        return [(course.faces(), points)]
    return [(facing, list(leg)) for facing, leg in groupby(points, course.faces)]


def stops(course: Course) -> list[float]:
    """The points of a path that may be chosen, in inches from its start."""
    found = [STEP * number for number in range(1, int(course.length / STEP + NOTHING) + 1)]
    return found if found and course.length - found[-1] < 0.1 else [*found, course.length]


def who_could_fire(game: Battle, side: str, course: Course, watching: list[tuple[Member, list[float]]]) -> set[int]:
    """The numbers of those who could really fire at the Vehicle somewhere on its path."""
    found: set[int] = set()
    for at in sorted({at for _, points in watching for at in points}):
        asked = [n for n, (_, points) in enumerate(watching) if n not in found and at in points]
        if asked:
            firing_at = could_fire(game, side, course, [watching[number][0] for number in asked], at)
            found.update(number for number in asked if watching[number][0][1].id in firing_at)
    return found


def could_fire(game: Battle, side: str, course: Course, members: list[Member], at: float) -> list[str]:
    """Who of some Teams could fire at the Vehicle at one place of its path; each of them alone."""
    team = course.team
    start, facing = team.at, team.facing
    assert start is not None
    place(game, team, *course.at(at), course.faces(at))
    found = targets.who_may_fire(game, side, members, (course.unit, team))
    place(game, team, *start, facing)
    return found


def points_to_fire(game: Battle, course: Course, member: Member, points: list[float]) -> list[float]:
    """Those of some points of its path at which a Team could really fire at the Vehicle."""
    return [at for at in points if could_fire(game, member[0].side, course, [member], at)]


def choose_point(game: Battle, side: str, course: Course, member: Member, points: list[float]) -> Flow[float]:
    able = points_to_fire(game, course, member, points)
    words = f"Where on its way does {team_label(*member)} fire at {team_label(course.unit, course.team)}?"
    choices = Choices({f"{at:g}": at for at in able}, lambda at: Option(f"{at:g}", f"After {at:.1f} inches"))
    about = (course, member, choices.things)
    return (yield from choose_one(side, "interrupt-at", words, choices, rules=(RULE,), about=about))


def halt(game: Battle, course: Course, at: float) -> None:
    """The Vehicle has come so far on its way."""
    place(game, course.team, *course.at(at), course.faces(at))
    leave_place(course.team)


def fire(game: Battle, course: Course, member: Member, losses: Losses) -> Flow[bool]:
    """The Team goes through a whole activation and fires at the Vehicle, which has come to the chosen point.

    True if it is hit, and stays there. The losses are those of the order that is interrupted.
    """
    unit, team = member
    target = course.team
    start, facing = target.at, target.facing
    assert start is not None
    at = course.length
    halt(game, course, at)
    before = target.rfps
    words = f"{team_label(unit, team)} interrupts {team_label(course.unit, target)}"
    spend_hero_point(game, unit.side, words, RULE, team=team.id, target=target.id)
    text = f"{team_label(unit, team)} fires at {team_label(course.unit, target)} after {at:.1f} inches of its move."
    game.tell("interrupt", text, RULE, seat=unit.side, team=team.id, target=target.id, at=snap(at))
    act = participants.begin(unit, team, "hero")
    yield from replacement.appoint(game, act, team)
    # One Team acts: a new Leader orders nobody about, and helps nobody.
    act.leader = None
    act.orders = [Order("fire", "fire", [member], target.id)]
    activation.mark_activated(game, act)
    yield from activation.rally_and_resolve(game, act)
    # It is activated to fire: nobody gets into a Transport, or out of one, meanwhile.
    losses.by_rfps += yield from activation.carry_out_orders(game, act)
    yield from activation.finish(game, act)
    hurt = not alive(course.unit, target) or target.rfps > before
    outcome = "stays there" if hurt else "drives on"
    text = f"{team_label(course.unit, target)} {outcome}."
    game.tell("interrupted", text, "hof.optional.interrupt-result", seat=unit.side, target=target.id, stopped=hurt)
    if alive(course.unit, target):
        place(game, target, *start, facing)
    course.cut = course.cut or hurt
    return hurt
