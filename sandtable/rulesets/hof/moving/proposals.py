"""The question where Teams move to: what bots and the page may propose, and moves by chance."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random
from typing import Any

import numpy as np

from sandtable.engine.cards import Preview
from sandtable.engine.game import Flow
from sandtable.engine.questions import Step
from sandtable.engine.ruleset import Ask
from sandtable.field.move_hints import Charging, not_ahead_of, shift_to_mates, turned_to_enemies
from sandtable.field.moving import Moving, Steps, by_nearness, middles, nearest
from sandtable.rulesets.hof.core.board import Battle, board
from sandtable.rulesets.hof.core.labels import team_name
from sandtable.rulesets.hof.core.state import Team
from sandtable.rulesets.hof.kernels import passage
from sandtable.rulesets.hof.moving.courses import course_of, paths_of
from sandtable.rulesets.hof.moving.distance import watched_ways
from sandtable.rulesets.hof.moving.legality import ASSAULT_FROM, MOST_ON_ONE, MoveLaw
from sandtable.table.hairs import CONTACT, EXACT, SLACK
from sandtable.table.shapes import bearing, heading

OFTEN = 0.2
"""How often a move by chance goes for a near enemy, if one is there."""

NEAR_COVER = 4
PARTS = (1.0, 0.5)
"""As far as they may, and half as far, for a short dash is surer."""


def ask_move(
    game: Battle,
    law: MoveLaw,
    topic: str,
    words: str,
    rules: tuple[str, ...],
    facts: dict[str, Any],
    gamble: Callable[[Steps], Preview | None] | None = None,
) -> Flow[Steps]:
    """Ask where each Team goes; nobody need move."""
    moving = Moving([team for _, team in law.members], law.how_far, law.refuse, partial(shifted, game, law))
    question = moving.question(
        topic,
        words,
        team_name,
        lambda: careful_first(game, law, every_move(game, law, moving)),
        lambda random: chance_move(game, law, moving, random),
        rules,
        purposes=partial(moves_by_purpose, game, law, moving),
        gamble=gamble,
        **facts,
    )
    return moving.steps((yield Ask(law.side, question)))


def turns(team: Team) -> bool:
    """Guns and Vehicles face where they go; a stand's facing means nothing."""
    return team.kind.category != "infantry"


def shifted(game: Battle, law: MoveLaw, teams: Sequence[Team], dx: float, dy: float) -> Steps:
    """Some Teams that can go somewhere shifted together, each as far as it has room.

    Empty where the law would refuse it.
    """
    here = board(game)
    index = here.index
    facing = round(bearing(0.0, 0.0, dx, dy), 1) % 360.0
    numbers = np.array([index[team.id] for team in teams])
    ends, verdict = passage.shift(
        here.ground.terrain,
        law.barring_ground(teams),
        here.rows,
        passage.Movers(numbers, here.turning, here.enemies(law.side).rows),
        heading(facing),
        (dx, dy),
        CONTACT + EXACT,
        SLACK,
    )
    if verdict == passage.WRONG:
        return {}
    steps = {
        team.id: Step((x, y), facing if turns(team) else None)
        for team, (x, y) in zip(teams, ends, strict=True)
        if (x, y) != team.at
    }
    if not steps:
        return {}
    if verdict == passage.UNCLEAR or law.extra is not None or law.ways:
        return {} if law.refuse(steps) is not None else steps
    if verdict == passage.CROSSING:
        for team in teams:
            step = steps.get(team.id)
            if step is not None and team.at is not None and law.refuse_crossing(here, team, [team.at, step.to]):
                return {}
    return steps


# By chance.


def chance_move(game: Battle, law: MoveLaw, moving: Moving[Team], random: Random) -> Steps:
    """Any move: now all Teams together, now one, now nobody, and now and then into contact with a near enemy."""
    steps: Steps = {}
    if teams := moving.able():
        what = random.random()
        if what < OFTEN:
            enemies = board(game).enemies(law.side)
            fighters = [team for team in teams if fights(law, team)]
            steps = charging(game, law).by_chance(fighters, enemies.teams, enemies.rows, random)
        elif what >= 0.35:
            steps = moving.by_chance(random, what, alone=0.5)
    if steps or law.extra is None or law.extra({}) is None:
        return steps
    return next(every_move(game, law, moving), {})


def charging(game: Battle, law: MoveLaw) -> Charging[Team]:
    """Teams that go straight into contact with enemies near them."""
    return Charging(
        board(game), law.refuse, ASSAULT_FROM, turns, lambda team, foe: not (team.kind.vehicle and foe.kind.vehicle)
    )


def fights(law: MoveLaw, team: Team) -> bool:
    return team is not law.act.leader and team.kind.category != "gun" and not team.kind.small


def assaults(game: Battle, law: MoveLaw, teams: list[Team]) -> Iterator[Steps]:
    """The nearest Teams, two if they can, into contact with each near enemy that one of them sees."""
    here = board(game)
    enemies = here.enemies(law.side).teams
    fighters = [team for team in teams if fights(law, team) and not team.suppressed]
    if enemies and fighters:
        seen = here.sees(fighters, enemies)
        yield from charging(game, law).nearest(fighters, enemies, seen, law.how_far, MOST_ON_ONE)


# Proposals.


def every_move(game: Battle, law: MoveLaw, moving: Moving[Team]) -> Iterator[Steps]:
    """Into near enemies, towards objectives, cover, friends and the enemy, and away from him."""
    yield from turns_in_place(game, law)
    teams = moving.able()
    if not teams:
        return
    ground = board(game).ground
    # Objectives that are not the side's own first.
    places = game.state.objectives.values()
    goals = nearest(teams, [each.at for each in places if each.holder != law.side])
    goals += nearest(teams, [each.at for each in places if each.holder == law.side])
    yield from moving.towards(teams, goals[:1], PARTS)
    yield from assaults(game, law, teams)
    goals = goals[1:] + nearest(teams, middles(ground.terrain, ground.table.shelter | ground.table.shelter_line), 3)
    # A Team alone finds its way back to those of its Unit that stay.
    going = {team.id for team in teams}
    mates = [team for unit, _ in law.members for team in unit.teams.values() if team.id not in going]
    goals += nearest(teams, [team.at for team in mates], 1)
    goals += nearest(teams, [team.at for team in board(game).enemies(law.side).teams], 2)
    yield from moving.towards(teams, goals, PARTS)
    yield from moving.round_about(teams, PARTS)


def moves_by_purpose(game: Battle, law: MoveLaw, moving: Moving[Team]) -> Iterator[tuple[str, Steps]]:
    """Moves of every kind with what each is for, for programs that look at many."""
    for steps in turns_in_place(game, law):
        yield "turns to the enemy", steps
    teams = moving.able()
    if not teams:
        return
    here = board(game)
    for steps in assaults(game, law, teams):
        yield "assaults", steps
    places = game.state.objectives.items()
    others = by_nearness(teams, [(each.at, each.name or name) for name, each in places if each.holder != law.side])
    own = by_nearness(teams, [(each.at, each.name or name) for name, each in places if each.holder == law.side])
    for goal, name in others[:1]:
        for steps in moving.towards(teams, [goal]):
            yield f"goes for {name}", careful(game, law, steps)
    going = {team.id for team in teams}
    mates = [team for unit, _ in law.members for team in unit.teams.values() if team.id not in going]
    for steps in moving.towards(teams, nearest(teams, [team.at for team in mates], 1)):
        yield "joins its Unit", steps
    ground = here.ground
    shelter = middles(ground.terrain, ground.table.shelter | ground.table.shelter_line)
    enemies = nearest(teams, [team.at for team in here.enemies(law.side).teams], 1)
    yield from moving.by_purpose(teams, [*others, *own], nearest(teams, shelter, NEAR_COVER), enemies)


def turns_in_place(game: Battle, law: MoveLaw) -> Iterator[Steps]:
    """hof.moving.rotate: Teams with a limited arc turn towards the nearest enemy that they have not in it."""
    here = board(game)
    enemies = here.enemies(law.side).teams
    aimed = [team for _, team in law.members if turns(team) and not team.kind.turret and team.at is not None]
    aimed = [team for team in aimed if not team.bogged and not team.immobilised]
    steps = turned_to_enemies(here, aimed, enemies, 90.0) if enemies else {}
    if steps and law.refuse(steps) is None:
        yield steps


def careful_first(game: Battle, law: MoveLaw, ways: Iterator[Steps]) -> Iterator[Steps]:
    """The first of some ways as a careful player would go it, and then all of them."""
    first = next(ways, {})
    yield careful(game, law, first)
    yield first
    yield from ways


NEAR_HIS_MEN = 6.0
"""A Leader who is farther away than this from the nearest of his own is alone, and goes to them."""

BEFORE_HIS_MEN = 5.0
"""As far as this he may stand before them where they leave him no room among them."""


def careful(game: Battle, law: MoveLaw, steps: Steps) -> Steps:
    """What a player wants who only says yes: no Leader goes where his men may not come to stand with him.

    In sight of the enemy they roll, and he does not: then he goes no farther than to where the foremost of them stand.
    Where something stops them on their way and not him, he goes no farther than to where they come.
    """
    leader = law.act.leader
    if law.extra is not None or leader is None or leader.at is None:
        return steps
    if not any(team is leader for _, team in law.members):
        return steps
    men = [(unit, team) for unit, team in law.members if team is not leader and team.id in steps]
    if not men:
        return steps if law.members[1:] else back_to_his_men(game, law, leader)
    if leader.id not in steps:
        return steps
    ways = [course_of(unit, team, steps[team.id]) for unit, team in men]
    if any(watched_ways(game, law.side, ways, paths_of(ways), [way.whole for way in ways])):
        return not_ahead_of(steps, leader, [team.at for _, team in men if team.at is not None], law.refuse)
    ends = [steps[team.id].to for _, team in men]
    if min(math.dist(steps[leader.id].to, end) for end in ends) <= NEAR_HIS_MEN:
        return steps
    return not_ahead_of(steps, leader, ends, law.refuse, BEFORE_HIS_MEN)


def back_to_his_men(game: Battle, law: MoveLaw, leader: Team) -> Steps:
    """A Leader who moves by himself stays, or goes to the nearest of his own if he is far from them."""
    here = board(game)
    mates = [team for unit, team in here.side(law.side).members if team is not leader and unit is law.act.unit]
    mates = mates or [team for team in here.side(law.side).teams if team is not leader]
    shift = shift_to_mates(here, leader, mates, NEAR_HIS_MEN, law.how_far(leader))
    return {} if shift is None else shifted(game, law, [leader], *shift)
