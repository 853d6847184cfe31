"""The question where Teams move to: what bots and the page may propose, and moves by chance."""

from __future__ import annotations

import math
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np

from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import Answer, MovePieces, Piece, Step, plain_to_steps, steps_to_plain
from sandtable.engine.ruleset import Ask
from sandtable.rulesets.hof.core.board import board
from sandtable.rulesets.hof.core.labels import team_name
from sandtable.rulesets.hof.core.state import Point, State, Team, other
from sandtable.rulesets.hof.moving.legality import ASSAULT_FROM, MoveLaw, immovable, reach
from sandtable.table import distance as measure
from sandtable.table import moves
from sandtable.table.hairs import CONTACT, EXACT, SLACK
from sandtable.table.shapes import X, Y, bearing, face, heading, snap

OFTEN = 0.2
"""How often a move by chance goes for a near enemy, if one is there."""


def turns(team: Team) -> bool:
    """Guns and Vehicles face where they go; a stand's facing means nothing."""
    return team.kind.category != "infantry"


def how_far(law: MoveLaw, team: Team) -> float:
    """How far a Team may go at most."""
    limit = law.limits.get(team.id)
    if limit is None:
        return reach(team)
    return 0.0 if immovable(team) else limit[0]


def shifted(game: Game[State], law: MoveLaw, teams: list[Team], dx: float, dy: float) -> dict[str, Step]:
    """Some Teams that can go somewhere shifted together, each as far as it has room.

    Empty where the law would refuse it.
    """
    here = board(game)
    index = here.index
    facing = round(bearing(0.0, 0.0, dx, dy), 1) % 360.0
    ends, verdict = moves.shift(
        here.rows,
        np.array([index[team.id] for team in teams]),
        here.turning,
        heading(facing),
        (dx, dy),
        here.side(other(law.side)).rows,
        CONTACT + EXACT,
        here.ground.terrain,
        law.barring_ground(teams),
        SLACK,
    )
    if verdict == moves.WRONG:
        return {}
    steps = {
        team.id: Step((x, y), facing if turns(team) else None)
        for team, (x, y) in zip(teams, ends, strict=True)
        if (x, y) != team.at
    }
    if not steps:
        return {}
    if verdict == moves.UNCLEAR or law.extra is not None or law.ways:
        return {} if law.refuse(steps) is not None else steps
    if verdict == moves.CROSSING:
        for team in teams:
            step = steps.get(team.id)
            if step is not None and team.at is not None and law.refuse_crossing(here, team, [team.at, step.to]):
                return {}
    return steps


def able(law: MoveLaw) -> list[Team]:
    """Those who can go anywhere at all."""
    return [team for _, team in law.members if how_far(law, team) > 0]


# By chance.


def chance_move(game: Game[State], law: MoveLaw, random: Random) -> dict[str, Step]:
    """Any move: now all Teams together, now one, now nobody, and now and then into contact with a near enemy."""
    teams = []
    farthest = math.inf
    for _, team in law.members:
        far = how_far(law, team)
        if far > 0:
            teams.append(team)
            farthest = min(farthest, far)
    if not teams:
        return required(game, law)
    what = random.random()
    if what < OFTEN:
        steps = chance_contact(game, law, teams, random)
        if steps:
            return steps
    if what < 0.35:
        return required(game, law)
    if what < 0.5:
        teams = [teams[int(random.random() * len(teams))]]
        farthest = how_far(law, teams[0])
    angle = random.random() * 2 * math.pi
    length = farthest * (0.3 + 0.7 * random.random())
    dx, dy = length * math.sin(angle), length * math.cos(angle)
    return shifted(game, law, teams, dx, dy) or required(game, law)


def required(game: Game[State], law: MoveLaw) -> dict[str, Step]:
    """Staying put; if that is not allowed, the first move that is."""
    if law.extra is None or law.extra({}) is None:
        return {}
    return next(iter(every_move(game, law)), {})


def chance_contact(game: Game[State], law: MoveLaw, teams: list[Team], random: Random) -> dict[str, Step]:
    """One Team into contact with one of the enemies near it."""
    here = board(game)
    enemies = here.side(other(law.side))
    fighters = [team for team in teams if fights(law, team)]
    if not enemies.teams or not fighters:
        return {}
    index = here.index
    pairs = moves.pairs_within(here.rows, np.array([index[team.id] for team in fighters]), enemies.rows, ASSAULT_FROM)
    if not pairs:
        return {}
    first, second = pairs[int(random.random() * len(pairs))]
    return contact(game, law, fighters[first], enemies.teams[second])


# Into contact.


def fights(law: MoveLaw, team: Team) -> bool:
    return team is not law.leader and team.kind.category != "gun" and not team.kind.small


def contact(game: Game[State], law: MoveLaw, team: Team, enemy: Team) -> dict[str, Step]:
    """A Team straight into contact with an enemy; empty where the law would refuse it."""
    if team.kind.vehicle and enemy.kind.vehicle:
        return {}
    here = board(game)
    row, target = here.rows[here.index[team.id]].copy(), here.rows[here.index[enemy.id]]
    x0, y0 = float(row[X]), float(row[Y])
    facing: float | None = None
    x, y = float(target[X]), float(target[Y])
    for _ in range(2):
        if turns(team):
            facing = round(bearing(x0, y0, x, y), 1) % 360.0
            face(row, facing)
        x, y = measure.contact_move(row, target)
    if (x, y) == (x0, y0):
        return {}
    steps = {team.id: Step((snap(x), snap(y)), facing)}
    return steps if law.refuse(steps) is None else {}


def assaults(game: Game[State], law: MoveLaw, teams: list[Team]) -> Iterator[dict[str, Step]]:
    """The nearest Teams, two if they can, into contact with each near enemy that one of them sees."""
    here = board(game)
    enemies = here.side(other(law.side)).teams
    fighters = [team for team in teams if fights(law, team) and not team.suppressed]
    if not enemies or not fighters:
        return
    gaps = measure.distances(here.of(fighters), here.of(enemies))
    seen = here.sees(fighters, enemies)
    for second in np.argsort(gaps.min(axis=0)).tolist():
        if gaps[:, second].min() > ASSAULT_FROM or not seen[:, second].any():
            continue
        steps: dict[str, Step] = {}
        for first in np.argsort(gaps[:, second]).tolist():
            if gaps[first, second] > min(ASSAULT_FROM, how_far(law, fighters[first])) or len(steps) == 2:
                break
            more = contact(game, law, fighters[first], enemies[second])
            if more and (not steps or law.refuse({**steps, **more}) is None):
                steps.update(more)
        if steps:
            yield steps


# Proposals.


def proposed_moves(game: Game[State], law: MoveLaw, most: int) -> list[dict[str, Step]]:
    """Into near enemies, towards objectives, cover and the enemy, away from him; last of all, staying put."""
    found: list[dict[str, Step]] = []
    for steps in every_move(game, law):
        if len(found) >= max(1, most - 1):
            break
        if steps not in found:
            found.append(steps)
    if law.extra is None or law.extra({}) is None or not found:
        found.append({})
    return found[:most]


def every_move(game: Game[State], law: MoveLaw) -> Iterator[dict[str, Step]]:
    teams = able(law)
    yield from turns_in_place(game, law)
    if not teams:
        return
    goals = list(objectives(game, law, teams))
    yield from towards(game, law, teams, goals[:1])
    yield from assaults(game, law, teams)
    yield from towards(game, law, teams, goals[1:])
    yield from towards(game, law, teams, list(cover(game, teams)))
    yield from towards(game, law, teams, list(friends(game, law, teams)))
    yield from towards(game, law, teams, list(foes(game, law, teams)))
    farthest = min(how_far(law, team) for team in teams)
    for length in (farthest, farthest / 2):
        for number in range(8):
            angle = math.radians(45.0 * number)
            steps = shifted(game, law, teams, length * math.sin(angle), length * math.cos(angle))
            if steps:
                yield steps


def middle(game: Game[State], teams: list[Team]) -> Point:
    x, y = board(game).of(teams)[:, X : Y + 1].mean(axis=0).tolist()
    return x, y


def by_distance(points: list[Point], centre: Point) -> list[Point]:
    return sorted(points, key=lambda at: math.dist(at, centre))


def towards(game: Game[State], law: MoveLaw, teams: list[Team], goals: list[Point]) -> Iterator[dict[str, Step]]:
    """All Teams towards a point: as far as they may, and half as far, for a short dash is surer."""
    centre = middle(game, teams)
    farthest = min(how_far(law, team) for team in teams)
    for x, y in goals:
        far = math.dist((x, y), centre)
        if far < 0.5:
            continue
        for length in (min(farthest, far), min(farthest, far) / 2):
            steps = shifted(game, law, teams, (x - centre[0]) * length / far, (y - centre[1]) * length / far)
            if steps:
                yield steps


def objectives(game: Game[State], law: MoveLaw, teams: list[Team]) -> list[Point]:
    """Objectives that are not the side's own first, the nearest of them in front."""
    centre = middle(game, teams)
    places = game.state.objectives.values()
    theirs = [each.at for each in places if each.holder != law.side]
    own = [each.at for each in places if each.holder == law.side]
    return by_distance(theirs, centre) + by_distance(own, centre)


def cover(game: Game[State], teams: list[Team]) -> list[Point]:
    """The middles of the nearest cover."""
    ground = board(game).ground
    covers = [
        feature
        for feature, kind in zip(ground.terrain.features, ground.table.kinds, strict=True)
        if kind.conceals and kind.shape in ("area", "line", "ground")
    ]
    middles: list[Point] = []
    for feature in covers:
        x, y = np.mean(np.array(feature.points), axis=0).tolist()
        middles.append((x, y))
    return by_distance(middles, middle(game, teams))[:3]


def friends(game: Game[State], law: MoveLaw, teams: list[Team]) -> list[Point]:
    """The nearest Teams of the same Unit that stay: a Team alone finds its way back to them."""
    moving = {team.id for team in teams}
    units = {id(unit): unit for unit, _ in law.members}
    places = [
        team.at
        for unit in units.values()
        for team in unit.teams.values()
        if team.id not in moving and team.at is not None
    ]
    return by_distance(places, middle(game, teams))[:1]


def foes(game: Game[State], law: MoveLaw, teams: list[Team]) -> list[Point]:
    places = [team.at for team in board(game).side(other(law.side)).teams if team.at is not None]
    return by_distance(places, middle(game, teams))[:2]


def turns_in_place(game: Game[State], law: MoveLaw) -> Iterator[dict[str, Step]]:
    """hof.moving.rotate: Teams with a limited arc turn towards the nearest enemy that they have not in it."""
    here = board(game)
    enemies = here.side(other(law.side))
    if not enemies.teams:
        return
    steps = {}
    for _, team in law.members:
        kind = team.kind
        if kind.category == "infantry" or kind.turret or team.at is None or team.bogged or team.immobilised:
            continue
        row = here.of([team])
        nearest = enemies.teams[int(measure.distances(row, here.rows.take(enemies.rows, axis=0))[0].argmin())]
        assert nearest.at is not None
        facing = round(bearing(*team.at, *nearest.at), 1) % 360.0
        if not measure.in_arc(*team.at, team.facing, 90.0, here.rows[here.index[nearest.id]]):
            steps[team.id] = Step(team.at, facing)
    if steps and law.refuse(steps) is None:
        yield steps


# The question.


def ask_move(
    game: Game[State], law: MoveLaw, topic: str, words: str, rules: tuple[str, ...], facts: dict[str, Any]
) -> Flow[dict[str, Step]]:
    """Ask where each Team goes; nobody need move."""

    def pieces() -> list[Piece]:
        return [
            Piece(
                team.id,
                team_name(team),
                team.at,
                team.facing,
                law.limits.get(team.id, (reach(team), ""))[0],
                team.kind.base.size,
            )
            for _, team in law.members
        ]

    def chance(random: Random) -> Answer:
        steps = chance_move(game, law, random)
        law.offered = steps_to_plain(steps), steps
        return law.offered[0]

    def proposals(most: int) -> list[Answer]:
        return [steps_to_plain(steps) for steps in proposed_moves(game, law, most)]

    names = [team.id for _, team in law.members]
    question = MovePieces(topic, words, names, pieces, law.refuse, proposals, chance=chance, rules=rules, facts=facts)
    answer = yield Ask(law.side, question)
    if law.offered is not None and answer is law.offered[0]:
        return law.offered[1]
    return plain_to_steps(answer)
