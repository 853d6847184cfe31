"""Making a move: who goes where, what may be proposed for that, Agility on the way, and what is told of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any, NamedTuple

import numpy as np

from sandtable.engine.events import inches
from sandtable.engine.game import Flow
from sandtable.engine.questions import LaterDict, Piece, Step
from sandtable.engine.ruleset import Ask
from sandtable.field import courses as ends
from sandtable.field.bodies import March, MoveBody, march_of
from sandtable.field.courses import Path, length_of
from sandtable.field.formations import Leg, Marched, Pose, gone_by, march, stopped_after
from sandtable.field.moments import Moment
from sandtable.field.moving import Moving, Steps, nearest
from sandtable.rulesets.sof.core.board import (
    Battle,
    base_gap,
    board,
    enemies_of,
    nearest_enemy,
    pitch_of,
    place_all,
    pose,
)
from sandtable.rulesets.sof.core.checks import check
from sandtable.rulesets.sof.core.names import FIGURE, figure_name, label
from sandtable.rulesets.sof.core.state import Figure, Unit
from sandtable.rulesets.sof.formations import BETWEEN, alignment_rule, files_of
from sandtable.rulesets.sof.movement.law import FORMING, STOPPED, Course, MoveLaw, courses_of, shifted_pose
from sandtable.rulesets.sof.movement.rates import RATE_RULES, Allowance, agility_number
from sandtable.rulesets.sof.units import command_distance
from sandtable.table import moves
from sandtable.table.hairs import A_HAIR, GRID, beyond
from sandtable.table.shapes import X, Y, bearing, heading, snap

WHEELS = (0.0, -30.0, 30.0, -60.0, 60.0)
"""Wheels that may be proposed to a body, in degrees."""

PARTS = (1.0, 0.5, 0.25)
"""How much of a march is tried, one after the other."""


class Meeting(NamedTuple):
    """What a unit meets on its way: after how many inches, and what happens then."""

    inches: float
    happens: Callable[[], Flow[None]]


Gone = Callable[[str, float], float]
"""How far a unit has gone when one of its figures has gone so many inches."""

ON_THE_WAY: Moment[Callable[[Battle, Unit, Mapping[str, Path], Gone], Meeting | None]] = Moment()
"""What may lie in wait on the ways of a unit's figures."""

FINE_PARTS = 32
MOVING_RULES = ("sof.movement.each-model", "sof.movement.end-in-command", "sof.basics.premeasure")


def move(game: Battle, law: MoveLaw, words: str, *rules: str, checkpoint: bool = False) -> Flow[bool]:
    """A unit moves, as its formation has it. True if it did."""
    if law.unit.formation == "linear":
        return (yield from march_body(game, law, words, *rules, checkpoint=checkpoint))
    return (yield from move_figures(game, law, words, *rules, checkpoint=checkpoint))


# Open order.


def move_figures(game: Battle, law: MoveLaw, words: str, *rules: str, checkpoint: bool) -> Flow[bool]:
    moving: Moving[Figure] = Moving(law.figures, lambda _: law.rate, law.refuse, law.shift, FIGURE)
    ways = partial(usual, game, law, moving)
    question = moving.question(
        "move",
        words,
        figure_name,
        ways,
        lambda random: moving.now_and_then(random) or back(law),
        rules=(*rules, *MOVING_RULES),
        lets=law.lets,
        unit=law.unit.id,
        manner=law.manner,
    )
    if law.unit.formation != law.before[0]:
        question.apart = BETWEEN[law.unit.formation]
    steps = moving.steps((yield Ask(law.unit.side, question, checkpoint)))
    if not steps:
        return False
    yield from go(game, law, steps, *rules)
    return True


def go(game: Battle, law: MoveLaw, steps: Steps, *rules: str) -> Flow[None]:
    """The figures go, if no Agility check on the way halts them."""
    paths = {each.id: ends.way_of(each, steps[each.id]) for each in law.figures if each.id in steps}
    looks = {each.id: look(each, steps[each.id]) for each in law.figures if each.id in steps}
    allowed = law.allowed(paths)
    going = courses_of(law, paths, list(looks.values()))
    cited = [
        *rules,
        *MOVING_RULES[:2],
        *law.passed(paths),
        *turning(law.unit, [steps[each.id] for each in law.figures if each.id in steps]),
    ]
    tell_move(game, law, allowed, max(map(length_of, paths.values())), paths, *cited)
    halt = yield from agility(game, law.unit, allowed, paths)
    if halt is not None:
        for course in going:
            course.length = min(course.length, halt)
            course.cut = True
        ends.untangle(board(game), game.prepared, going)
    for waits in ON_THE_WAY:
        cut = LaterDict(lambda: {each.team.id: ends.cut(each.path, each.length) for each in going})
        met = waits(game, law.unit, cut, alike)
        if met is not None:
            yield from meet(game, law, going, met)
    take(game, going)


def alike(figure: str, inches: float) -> float:
    """In open order nobody waits for anybody: all come to a halt after as many inches."""
    return inches


def in_step(order: Sequence[Figure], done: Marched) -> Gone:
    """In ranks all come to a halt at one moment: in a wheel some have gone less by then than others."""
    numbers = {each.id: number for number, each in enumerate(order)}
    return lambda figure, inches: gone_by(done, numbers[figure], inches)


def meet(game: Battle, law: MoveLaw, going: list[Course], met: Meeting) -> Flow[None]:
    """A unit meets something on its way: it comes so far, and then goes on as far as what it met leaves it."""
    law.look_round()
    whole = [course.length for course in going]
    for course in going:
        course.length = min(course.length, met.inches)
    ends.untangle(board(game), game.prepared, going)
    take(game, going)
    begun = [course.length for course in going]
    yield from met.happens()
    law.look_again()
    for part in PARTS:
        for course, short, long in zip(going, begun, whole, strict=True):
            course.length = short + part * (long - short)
        paths = zip(going, begun, strict=True)
        ways = {each.team.id: ends.cut(each.path, each.length, short) for each, short in paths}
        rows = {each.team.id: Step(each.end, facing=each.facing) for each in going}
        if law.lets_ways(ways, law.ends(rows)):
            return
    for course, short in zip(going, begun, strict=True):
        course.length = short


def turning(unit: Unit, steps: list[Step]) -> list[str]:
    """The rules by which figures that are told how to face may turn."""
    if all(step.facing is None for step in steps):
        return []
    fixed = any(figure.kind.weapon.has("fixed") for figure in unit.teams.values())
    return ["sof.movement.pivot-fixed"] if unit.type == "weapon" and fixed else ["sof.movement.pivot-free"]


def look(figure: Figure, step: Step) -> float:
    """sof.movement.pivot-free: how a figure faces after a step; unless told, along its way."""
    if step.facing is not None:
        return step.facing
    assert figure.at is not None
    last = [figure.at, *step.via][-1]
    return bearing(*last, *step.to) if math.dist(last, step.to) > GRID else figure.facing


def take(game: Battle, going: list[Course]) -> None:
    place_all(game, [(each.team, each.end, each.facing) for each in going])


def usual(game: Battle, law: MoveLaw, moving: Moving[Figure]) -> Iterator[Steps]:
    """Towards objectives and the nearest enemies, and round the compass."""
    spots = [each.at for each in game.state.objectives.values()]
    enemies = [each.at for unit in enemies_of(game.state, law.unit) for each in unit.teams.values()]
    yield from moving.usual([*spots, *nearest(law.figures, enemies, 2)])
    if law.must_go is not None:
        yield back(law)


def back(law: MoveLaw) -> Steps:
    """The way that a unit goes for sure which may not stay; nobody's, of one that may."""
    return {} if law.must_go is None else law.shifted(*law.must_go)


# Linear order.


def march_body(game: Battle, law: MoveLaw, words: str, *rules: str, checkpoint: bool) -> Flow[bool]:
    unit = law.unit
    cited = (*rules, "sof.movement.linear-wheel", "sof.formations.linear-front-arc-only")
    question = MoveBody(
        "march",
        words,
        unit.id,
        law.body,
        law.rate,
        lambda: [
            Piece(p.id, figure_name(p), p.at, p.facing, None, p.kind.base.size, round=p.kind.base.round)
            for p in law.figures
        ],
        law.forming,
        law.ends_of,
        law.refuse_march,
        lambda most: first_marches(game, law, most),
        lambda random: chance_march(game, law, random),
        rules=cited,
        facts={"unit": unit.id, "manner": law.manner, "how": law.how},
        step="where",
    )
    wanted = march_of((yield Ask(unit.side, question, checkpoint)))
    if not wanted.legs and wanted.to is None and law.how != "about":
        return False
    yield from march_on(game, law, wanted, *cited)
    return True


def march_on(game: Battle, law: MoveLaw, wanted: March, *cited: str) -> Flow[None]:
    unit = law.unit
    order, done = law.march_of(wanted)
    paths = {each.id: way for each, way in zip(order, done.ways, strict=True)}
    law.road = law.follows_road(done)
    allowed = law.allowed(paths)
    turned = law.road and any(leg.wheel for leg in wanted.legs)
    cited = (*cited, "sof.formations.linear-ranks", alignment_rule(unit, unit.alignment))
    cited = (*cited, "sof.movement.linear-road") if turned else cited
    tell_move(game, law, allowed, law.inches(wanted, done), paths, *cited)
    halt = yield from agility(game, unit, allowed, paths, in_step(order, done))
    if halt is not None and wanted.legs:
        start = done.start
        legs = stopped_after(start, wanted.legs, len(order), pitch_of(unit), halt)
        done = march(start, legs, len(order), pitch_of(unit))
    for waits in ON_THE_WAY if wanted.to is None else ():
        ways = {each.id: way for each, way in zip(order, done.ways, strict=True)}
        met = waits(game, unit, ways, in_step(order, done))
        if met is not None:
            done = yield from meet_in_ranks(game, law, order, done, wanted, met)
    unit.teams = {each.id: each for each in order}
    pose(game, unit, done.pose)


def meet_in_ranks(
    game: Battle, law: MoveLaw, order: list[Figure], done: Marched, wanted: March, met: Meeting
) -> Flow[Marched]:
    """A body meets something on its march: how it goes on after that."""
    unit, count, pitch = law.unit, len(order), pitch_of(law.unit)
    before = unit.pose
    assert before is not None
    law.look_round()

    def up_to(inches: float) -> tuple[Leg, ...]:
        return tuple(stopped_after(done.start, wanted.legs, count, pitch, min(inches, done.inches)))

    short = march(done.start, up_to(met.inches), count, pitch)
    pose(game, unit, short.pose)
    yield from met.happens()
    law.look_again()
    pose(game, unit, before)
    for part in PARTS:
        legs = up_to(met.inches + part * (done.inches - met.inches))
        if law.lets_march(March(legs)):
            return march(done.start, legs, count, pitch)
    return short


def marches(game: Battle, law: MoveLaw) -> Iterator[March]:
    """Marches that may be proposed, the usual ones first."""
    if law.how in FORMING:
        yield from (March(to=each) for each in poses(game, law))
        return
    if law.how == "about":
        yield March()
    for wheel in WHEELS:
        cost = wheeled(law, wheel)
        for part in PARTS:
            yield within_rate(law, wheel, part, cost)


def wheeled(law: MoveLaw, wheel: float) -> float:
    """How many inches a wheel costs."""
    unit = law.unit
    assert unit.pose is not None
    return march(unit.pose, [Leg(wheel=wheel)] if wheel else [], len(unit.teams), pitch_of(unit)).inches


def within_rate(law: MoveLaw, wheel: float, part: float, cost: float) -> March:
    """A wheel, which costs so many inches, and then ahead, together a part of what the body may go."""
    legs = [Leg(wheel=wheel)] if wheel else []
    left = part * law.rate - cost
    if left > GRID:
        legs.append(Leg(ahead=math.floor(100 * left) / 100))
    return March(tuple(legs))


def poses(game: Battle, law: MoveLaw) -> Iterator[Pose]:
    """Poses to form up at: where the unit's front is, or its middle, towards the enemy and round the compass."""
    unit = law.unit
    files = files_of(unit, unit.alignment, len(unit.teams))
    spots = [each.at for each in law.figures if each.at is not None]
    middle = sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots)
    at = middle if unit.pose is None or law.how == "form" else unit.pose.at
    if law.how == "face":
        at = next((each.at for each in unit.ncos if each.at is not None), at)
    enemy = nearest_enemy(game, unit)
    ahead = 0.0
    if enemy is not None:
        target = next(each.at for each in enemy.teams.values() if each.at is not None)
        ahead = bearing(*middle, *target)
    for turn in (0.0, 180.0, 90.0, 270.0, 45.0, 315.0):
        for abreast in files[:2]:
            facing = (ahead + turn) % 360.0
            yield Pose((snap(at[0]), snap(at[1])), round(facing, 1) % 360.0, abreast)
            if law.manner == "fall-back":
                for part in PARTS:
                    away = math.radians(ahead + 180.0 + turn)
                    far = part * law.rate
                    spot = at[0] + far * math.sin(away), at[1] + far * math.cos(away)
                    yield Pose((snap(spot[0]), snap(spot[1])), round(facing, 1) % 360.0, abreast)


def first_marches(game: Battle, law: MoveLaw, most: int) -> list[March]:
    """The first few marches that the law allows; last of all staying put, where that is one."""
    found: list[March] = []
    for wanted in marches(game, law):
        if len(found) >= max(1, most - 1):
            break
        if wanted not in found and law.lets_march(wanted):
            found.append(wanted)
    last = march_back(law)
    if last not in found:
        found.append(last)
    return found[: max(1, most)]


def march_back(law: MoveLaw) -> March:
    """To stay, or the way that a body goes for sure which may not."""
    return March() if law.must_go is None else March(to=shifted_pose(law.unit, *law.must_go))


def chance_march(game: Battle, law: MoveLaw, random: Random) -> March:
    """Some legal march by chance: now a wheel, now straight on, now nothing."""
    if law.how in FORMING:
        left = list(marches(game, law)) if random.random() < 0.9 else []
        while left:
            # One after the other in any order: so each that is allowed is as likely as any other.
            wanted = left.pop(int(random.random() * len(left)))
            if law.lets_march(wanted):
                return wanted
        return march_back(law)
    if random.random() < 0.9:
        wheel = random.choice((0.0, round(120.0 * random.random() - 60.0, 1)))
        for part in PARTS:
            wanted = within_rate(law, wheel, part * (0.3 + 0.7 * random.random()), wheeled(law, wheel))
            if law.lets_march(wanted):
                return wanted
    return March()


# Straight at the enemy.


def advance(game: Battle, law: MoveLaw, enemy: Unit, *rules: str) -> Flow[None]:
    """A unit goes as one body as far as it may towards an enemy; it stays if it may not at all."""
    here = board(game)
    theirs = here.on(enemy.teams.values())
    if law.unit.formation == "linear":
        farthest = [march for wheel in WHEELS if (march := farthest_march(law, wheel)) is not None]
        if farthest:
            best = min(farthest, key=lambda each: snap(base_gap(law.end_of(each), here.of(theirs))))
            yield from march_on(game, law, best, *rules)
        return
    mine = law.figures
    gaps = here.gaps(mine, theirs)
    first, target = divmod(int(gaps.argmin()), len(theirs))
    start, goal = mine[first].at, theirs[target].at
    assert start is not None
    assert goal is not None
    sin, cos = heading(bearing(*start, *goal))
    shifts = [(quarter / 4 * sin, quarter / 4 * cos) for quarter in range(int(4 * law.rate), 0, -1)]
    ends = here.rows_of(law.unit)[:, X : Y + 1] + np.array(shifts).reshape(-1, 1, 2)
    spots = next(law.allowed_ends(ends, [True] * len(mine)), None)
    if spots is not None:
        yield from go(game, law, {each.id: Step(spot) for each, spot in zip(mine, spots, strict=True)}, *rules)


def farthest_march(law: MoveLaw, wheel: float) -> March | None:
    """A wheel and then as far ahead as the law allows, in parts of what the body may go."""
    cost = wheeled(law, wheel)
    for part in range(FINE_PARTS, 0, -1):
        wanted = within_rate(law, wheel, part / FINE_PARTS, cost)
        if wanted.legs and law.lets_march(wanted):
            return wanted
    return None


# On the way.


def tell_move(game: Battle, law: MoveLaw, allowed: Allowance, far: float, paths: dict[str, Path], *rules: str) -> None:
    unit = law.unit
    unit.dug_in = unit.dug_in and far <= GRID
    text = f"{label(unit)} moves up to {inches(round(far, 1))}, of {inches(snap(allowed.inches))}."
    changes = [each.rule for each in law.changes]
    cited = dict.fromkeys((*rules, *kept(law, allowed, far, paths), *RATE_RULES, *changes, *allowed.rules))
    ways = {name: [[snap(x), snap(y)] for x, y in path] for name, path in paths.items()}
    data: dict[str, Any] = {"manner": law.manner, "inches": snap(far), "allowed": snap(allowed.inches)}
    game.tell("move", text, *cited, seat=unit.side, modifiers=law.changes, unit=unit.id, ways=ways, **data)


def kept(law: MoveLaw, allowed: Allowance, far: float, paths: dict[str, Path]) -> list[str]:
    """The rules about this move that it keeps to, or that let it go farther than it else might."""
    unit, ground, found = law.unit, law.game.prepared, []
    if beyond(far, allowed.inches, A_HAIR):
        found += ["sof.actions.fall-back-gap"] if law.manner == "fall-back" else []
        found += ["sof.terrain-low-obstacle.not-enough-move"] if law.all_across(paths, allowed.inches) else []
    if not law.as_it_stands and len(unit.teams) > 1:
        found += ["sof.units.in-command", command_distance(unit)[1]]
    found += ["sof.shooting.wound-effect"] if len(unit.able) < len(unit.teams) else []
    found += ["sof.turn.phase-zero-no-closer"] if law.zero else []
    found += ["sof.movement.suppressed-no-closer"] if unit.suppression >= STOPPED else []
    if len(ground.not_to_stop_on):
        over = [met for path in paths.values() for met in moves.spans(ground.terrain, path, ground.not_to_stop_on)]
        found += [rule for met in over if (rule := ground.rule(met.feature, "movement"))]
    return found


def agility(
    game: Battle, unit: Unit, allowed: Allowance, paths: dict[str, Path], gone: Gone = alike
) -> Flow[float | None]:
    """Agility checks in the order of the way: after how many inches the unit halts, if one fails."""
    number = agility_number(unit)
    if number is None:
        return None
    for entry in allowed.agility:
        feature = game.prepared.terrain.features[entry.feature]
        done = yield from check(game, unit.side, 1, number, f"{label(unit)} into {feature.spoken.lower()}")
        text = f"{label(unit)} needs {done.needed}+ for {feature.spoken.lower()}, rolls {done.throw.value}."
        rules = ("sof.terrain.agility-check", game.prepared.agility_rule(entry.feature, unit.type))
        data: dict[str, Any] = {"terrain": feature.id, "needed": done.needed, "passed": done.ok}
        game.tell("agility", text, *rules, seat=unit.side, dice=done.throws, unit=unit.id, **data)
        if not done.ok:
            halves = {each.id: each.kind.base.width / 2 for each in unit.teams.values()}
            edges = [(name, max(0.0, at - halves[name])) for name, at in comes_into(game, entry.feature, paths)]
            return min(gone(name, inches) for name, inches in edges)
    return None


def comes_into(game: Battle, feature: int, ways: Mapping[str, Path]) -> Iterator[tuple[str, float]]:
    """Each figure whose way leads into a feature, and after how many inches."""
    for name, way in ways.items():
        found = moves.spans(game.prepared.terrain, way, np.array([feature])) if length_of(way) > GRID else []
        if found:
            yield name, found[0].enter
