"""National characteristics that belong to no other chapter: Tactical Initiative, Follow The Leader, Massed Assault."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import Assign, Choose, Option, Refusal, Step, illegal
from sandtable.engine.ruleset import Ask
from sandtable.rulesets.hof import breaking
from sandtable.rulesets.hof.acts import Activation, Order
from sandtable.rulesets.hof.board import SLACK, Board, Rows, board, gaps
from sandtable.rulesets.hof.state import Member, State, Team, Unit, label, other, team_label, teams_of
from sandtable.table import distance as measure
from sandtable.table import moves
from sandtable.table.shapes import X, Y, heading

TACTICAL_INITIATIVE = 1
"""hof.national.de-tactical-initiative"""

MASSED = "hof.national.su-massed-assault"
CALL = "massed-assault"

ASSAULT_REACH = 12.0
"""hof.assaults.within-12"""

MOST_PER_ENEMY = 2
"""hof.assaults.two-per-enemy"""

PROBE = 6.0
"""From how far round an enemy places in contact with it are looked for, in inches."""


# Follow The Leader.


def may_not_split(game: Game[State], unit: Unit) -> bool:
    """hof.national.su-follow-the-leader"""
    options = game.setup.options
    return options.national and options.follow_the_leader and unit.nation == "soviet"


def refuse_split(game: Game[State], unit: Unit, kinds: set[str]) -> Refusal | None:
    """Why a Unit's orders may not be divided."""
    if len(kinds) < 2 or not may_not_split(game, unit):
        return None
    message = f"{label(unit)} may not split orders."
    words = "Give all its Teams the same order."
    return illegal("hof.national.su-follow-the-leader", message, field="orders", legal=words)


# Massed Assault.


def calls(game: Game[State], side: str) -> list[Option]:
    """The Massed Assault, if there is a Hero Point for it and somebody to take part."""
    from sandtable.rulesets.hof.orders import hero_points

    company = game.state.companies[side]  # type: ignore[index]
    if not game.setup.options.national or not hero_points(company) or not targets(game, side):
        return []
    return [Option(CALL, "Massed Assault: Infantry of any Units together (a Hero Point)", (MASSED,))]


def soviets(game: Game[State], side: str) -> list[Member]:
    """The Infantry Teams that a Hero Point may send forward."""
    return [
        (unit, team)
        for unit, team in teams_of(game.state, side)
        if unit.nation == "soviet"
        and team.kind.category == "infantry"
        and team.at is not None
        and not team.locked
        and not team.watching
        and unit.kind != "sniper"
    ]


def targets(game: Game[State], side: str) -> dict[str, Unit]:
    """The enemy Units with a Team within 12 inches of Soviet Infantry."""
    mine = [team for _, team in soviets(game, side)]
    enemies = board(game).side(other(side))
    if not mine or not enemies.members:
        return {}
    near = (gaps(game, mine, enemies.teams) <= ASSAULT_REACH).any(axis=0)
    return {enemies.members[number][0].id: enemies.members[number][0] for number in np.flatnonzero(near).tolist()}


def answer_call(game: Game[State], side: str, answer: str) -> Flow[bool]:
    """hof.national.su-massed-assault: one Hero Point, any Infantry, one enemy Unit. False if it was another call."""
    from sandtable.rulesets.hof import activation
    from sandtable.rulesets.hof.orders import spend_hero_point

    if answer != CALL:
        return False
    enemy = yield from choose_target(game, side)
    chosen = yield from choose_assaulters(game, side, enemy)
    spend_hero_point(game, side, f"Massed Assault on {label(enemy)}", MASSED, "hof.orders.hero-normal-use")
    members = [member for member in soviets(game, side) if member[1].id in chosen]
    order = Order("move", "move", members, steps=chosen)
    act = Activation(side=side, paid="hero", unit=members[0][0], members=members, orders=[order])
    activation.mark_activated(game, act)
    text = f"{len(members)} Teams rise together to assault {label(enemy)}."
    names = [team.id for _, team in members]
    game.tell("massed-assault", text, MASSED, "hof.activation.four-steps", seat=side, teams=names, target=enemy.id)
    yield from activation.rally_and_resolve(game, act)
    yield from activation.carry_out(game, act)
    yield from activation.finish(game, act)
    yield from breaking.update_control(game)
    return True


def choose_target(game: Game[State], side: str) -> Flow[Unit]:
    found = targets(game, side)
    if len(found) == 1:
        return next(iter(found.values()))
    options = [Option(unit.id, label(unit)) for unit in found.values()]
    answer = yield Ask(side, Choose("massed-target", "Which enemy Unit is assaulted?", options, rules=(MASSED,)))
    return found[answer]


def choose_assaulters(game: Game[State], side: str, enemy: Unit) -> Flow[dict[str, Step]]:
    """Who goes, and for which Team of the enemy Unit: each is given the nearest free place in contact with it."""
    foes = [team for team in enemy.teams.values() if team.at is not None]
    members = soviets(game, side)
    near = gaps(game, [team for _, team in members], foes) <= ASSAULT_REACH
    items: dict[str, list[Option]] = {}
    for number, (_, team) in enumerate(members):
        reachable = [foes[index] for index in np.flatnonzero(near[number]).tolist()]
        if reachable:
            items[team.id] = [Option(foe.id, team_label(foe)) for foe in reachable]
    teams = {team.id: team for _, team in members}

    def legal(answer: dict[str, str]) -> Refusal | None:
        for foe in foes:
            sent = [name for name, goal in answer.items() if goal == foe.id]
            if len(sent) > MOST_PER_ENEMY:
                message = f"{len(sent)} Teams for {team_label(foe)}."
                words = f"Send at most {MOST_PER_ENEMY} against one."
                return illegal("hof.assaults.two-per-enemy", message, field=sent[-1], legal=words)
        steps = places(game, teams, answer)
        missing = next((name for name in answer if name not in steps), None)
        if missing is not None:
            message = f"{missing} finds no room in contact with {answer[missing]}."
            return illegal("hof.assaults.two-per-enemy", message, field=missing, legal="Send it elsewhere.")
        return None

    def barred(item: str, choice: str) -> Refusal | None:
        if item in teams and choice in enemy.teams:
            message = f"{item} is farther than {ASSAULT_REACH:g} inches from {choice}."
            return illegal("hof.assaults.within-12", message, field=item)
        if item in teams and any(choice in unit.teams for unit in game.state.units.values() if unit.side != side):
            found = next(t for u in game.state.units.values() for t in u.teams.values() if t.id == choice)
            if found.at is not None:
                return illegal(MASSED, f"{choice} is not of {label(enemy)}.", field=item, legal="Assault one Unit.")
        return None

    question = Assign(
        "massed-assault",
        f"Who assaults which Team of {label(enemy)}?",
        items,
        rules=(MASSED, "hof.assaults.within-12", "hof.assaults.two-per-enemy"),
        facts={"target": enemy.id},
        legal=legal,
        barred=barred,
        proposals=lambda most: propose(items, legal, most),
        chance=lambda random: random.choice(propose(items, legal, 2)),
        needed=True,
    )
    answer = yield Ask(side, question)
    return places(game, teams, answer)


def propose(
    items: dict[str, list[Option]], legal: Callable[[dict[str, str]], Refusal | None], most: int
) -> list[dict[str, str]]:
    """As many as there is room for, one after the other; then only the first of them."""
    found: list[dict[str, str]] = []
    everybody: dict[str, str] = {}
    for name, options in items.items():
        for option in options:
            trial = {**everybody, name: option.id}
            if legal(trial) is None:
                everybody = trial
                break
    if everybody:
        found.append(everybody)
        first = dict([next(iter(everybody.items()))])
        if first != everybody:
            found.append(first)
    return found[:most]


# Where they go.


def places(game: Game[State], teams: dict[str, Team], answer: dict[str, str]) -> dict[str, Step]:
    """For each Team the nearest free place in contact with the enemy it goes for, the nearest Teams first."""
    here = board(game)
    goals = {name: here.rows[here.index[goal]] for name, goal in answer.items()}
    order = sorted(answer, key=lambda name: measure.distance(here.rows[here.index[name]], goals[name]))
    taken: list[Rows] = []
    steps: dict[str, Step] = {}
    for name in order:
        spot = contact_spot(here, teams[name], goals[name], taken, {answer[name]})
        if spot is not None:
            steps[name] = Step((float(spot[X]), float(spot[Y])))
            taken.append(spot.reshape(1, 8))
    return steps


def contact_spot(here: Board, team: Team, goal: Rows, taken: list[Rows], foes: set[str]) -> Rows | None:
    """The nearest free place in contact with one enemy and with no other, which a straight way leads to."""
    row = here.rows[here.index[team.id]]
    start = np.array([[row[X], row[Y]]])
    away = math.degrees(math.atan2(row[X] - goal[X], row[Y] - goal[Y]))
    others = np.vstack([here.all_but([team]), *taken])
    found: list[tuple[float, Rows]] = []
    for turn in range(0, 360, 15):
        spot = row.copy()
        if turn:
            sin, cos = heading(away + turn)
            spot[X], spot[Y] = goal[X] + PROBE * sin, goal[Y] + PROBE * cos
        spot[X], spot[Y] = measure.contact_move(spot, goal)
        line = spot.reshape(1, 8)
        if not moves.on_table(line, here.ground.width, here.ground.depth)[0]:
            continue
        if measure.overlaps(line, others, SLACK).any():
            continue
        found.append((float(np.hypot(*(spot[X : Y + 1] - start[0]))), spot))
    for _, spot in sorted(found, key=lambda each: each[0]):
        path = np.vstack([start, spot[X : Y + 1].reshape(1, 2)])
        if math.isinf(moves.sweep(row, path, here.all_but([team]), SLACK)):
            return spot
    return None
