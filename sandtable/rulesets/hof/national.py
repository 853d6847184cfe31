"""National characteristics that belong to no other chapter: Tactical Initiative, Follow The Leader, Massed Assault."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from sandtable.engine.events import several
from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import Assign, Choose, Option, Refusal, Step, illegal
from sandtable.engine.ruleset import Ask
from sandtable.rulesets.hof import breaking
from sandtable.rulesets.hof.acts import Activation, Order, free_activation
from sandtable.rulesets.hof.board import SLACK, Board, Rows, board, gaps
from sandtable.rulesets.hof.movelaw import ASSAULT_FROM, MOST_ON_ONE, MoveLaw
from sandtable.rulesets.hof.state import Member, Point, State, Team, Unit, find_team, label, other, team_label
from sandtable.table import distance as measure
from sandtable.table.distance import EXACT
from sandtable.table.shapes import X, Y, heading

TACTICAL_INITIATIVE = 1
"""hof.national.de-tactical-initiative"""

MASSED = "hof.national.su-massed-assault"
CALL = "massed-assault"

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
    if not game.setup.options.national or not game.state.companies[side].heroes:
        return []
    if next(targets(game, side), None) is None:
        return []
    return [Option(CALL, "Massed Assault: Infantry of any Units together (a Hero Point)", (MASSED,))]


def soviets(game: Game[State], side: str) -> list[Member]:
    """The Infantry Teams that a Hero Point may send forward; Small Teams do not assault."""
    return [
        (unit, team)
        for unit in game.state.units.values()
        if unit.side == side and unit.nation == "soviet"
        for team in unit.teams.values()
        if team.at is not None and not team.locked and not team.watching
        if team.kind.category == "infantry" and not team.kind.small
    ]


def targets(game: Game[State], side: str) -> Iterator[Unit]:
    """The enemy Units that some Soviet Infantry Team within 12 inches has a way into contact with."""
    members = soviets(game, side)
    enemies = board(game).side(other(side))
    if not members or not enemies.members:
        return
    near = gaps(game, [team for _, team in members], enemies.teams) <= ASSAULT_FROM + EXACT
    found: set[str] = set()
    for second, first in zip(*(index.tolist() for index in np.nonzero(near.T)), strict=True):
        unit, foe = enemies.members[second]
        if unit.id not in found and contact_spot(game, [], members[first], foe, []) is not None:
            found.add(unit.id)
            yield unit


def answer_call(game: Game[State], side: str, answer: str) -> Flow[bool]:
    """hof.national.su-massed-assault: one Hero Point, any Infantry, one enemy Unit. False if it was another call.

    It is one activation of them all, so one movement roll serves them all.
    """
    if answer != CALL:
        return False
    from sandtable.rulesets.hof import activation
    from sandtable.rulesets.hof.orders import spend_hero_point

    enemy = yield from choose_target(game, side)
    chosen = yield from choose_assaulters(game, side, enemy)
    spend_hero_point(game, side, f"Massed Assault on {label(enemy)}", MASSED, "hof.orders.hero-normal-use")
    members = [member for member in soviets(game, side) if member[1].id in chosen]
    order = Order("move", "move", members, steps=chosen)
    act = Activation(side=side, paid="hero", unit=members[0][0], members=members, orders=[order])
    activation.mark_activated(game, act)
    text = f"{several(len(members), 'Team')} of {side} together: an assault on {label(enemy)}."
    names = [team.id for _, team in members]
    game.tell("massed-assault", text, MASSED, "hof.activation.four-steps", seat=side, teams=names, target=enemy.id)
    yield from activation.rally_and_resolve(game, act)
    yield from activation.carry_out(game, act)
    yield from activation.finish(game, act)
    breaking.update_control(game)
    return True


def choose_target(game: Game[State], side: str) -> Flow[Unit]:
    found = list(targets(game, side))
    if len(found) == 1:
        return found[0]
    options = [Option(unit.id, label(unit)) for unit in found]
    answer = yield Ask(side, Choose("massed-target", "Which enemy Unit is assaulted?", options, rules=(MASSED,)))
    return next(unit for unit in found if unit.id == answer)


def choose_assaulters(game: Game[State], side: str, enemy: Unit) -> Flow[dict[str, Step]]:
    """Who goes, and for which Team of the enemy Unit: each is given the nearest free place in contact with it."""
    foes = [team for team in enemy.teams.values() if team.at is not None]
    members = soviets(game, side)
    near = gaps(game, [team for _, team in members], foes) <= ASSAULT_FROM + EXACT
    items: dict[str, list[Option]] = {}
    for number, (_, team) in enumerate(members):
        reachable = [foes[index] for index in np.flatnonzero(near[number]).tolist()]
        if reachable:
            items[team.id] = [Option(foe.id, team_label(foe)) for foe in reachable]
    sent = {team.id: (unit, team) for unit, team in members}

    def legal(answer: dict[str, str]) -> Refusal | None:
        for foe in foes:
            against = [name for name, goal in answer.items() if goal == foe.id]
            if len(against) > MOST_ON_ONE:
                message = f"{len(against)} Teams for {team_label(foe)}."
                words = f"Send at most {MOST_ON_ONE} against one."
                return illegal("hof.assaults.two-per-enemy", message, field=against[-1], legal=words)
        steps = places(game, sent, answer)
        missing = next((name for name in answer if name not in steps), None)
        if missing is not None:
            message = f"{team_label(sent[missing][1])} finds no room in contact with the enemy."
            return illegal("hof.assaults.two-per-enemy", message, field=missing, legal="Send it elsewhere.")
        members = [sent[name] for name in steps]
        return MoveLaw(game, free_activation(members), side, members, one_goal=False).refuse(steps)

    def barred(item: str, choice: str) -> Refusal | None:
        found = find_team(game.state, choice)
        if item not in sent or found is None or found[0].side == side or found[1].at is None:
            return None
        if found[0] is not enemy:
            message = f"{team_label(found[1])} is not of {label(enemy)}."
            return illegal(MASSED, message, field=item, legal="Assault one Unit.")
        message = f"{team_label(sent[item][1])} is farther than {ASSAULT_FROM:g} inches from {team_label(found[1])}."
        return illegal("hof.assaults.within-12", message, field=item)

    question = Assign(
        "massed-assault",
        f"Who assaults which Team of {label(enemy)}?",
        items,
        rules=(MASSED, "hof.assaults.within-12", "hof.assaults.two-per-enemy"),
        facts={"target": enemy.id},
        legal=legal,
        barred=barred,
        proposals=lambda most: propose(game, sent, items, legal)[:most],
        chance=lambda random: random.choice(propose(game, sent, items, legal)),
        needed=True,
    )
    answer = yield Ask(side, question)
    return places(game, sent, answer)


def propose(
    game: Game[State],
    sent: dict[str, Member],
    items: dict[str, list[Option]],
    legal: Callable[[dict[str, str]], Refusal | None],
) -> list[dict[str, str]]:
    """As many as there is room for; and one alone."""
    here = board(game)
    foes = {member[1].id: member[1] for member in here.members}
    taken: list[Rows] = []
    everybody: dict[str, str] = {}
    for name, options in items.items():
        for option in options:
            full = list(everybody.values()).count(option.id) >= MOST_ON_ONE
            mates = [sent[mate] for mate in everybody]
            spot = None if full else contact_spot(game, mates, sent[name], foes[option.id], taken)
            if spot is not None:
                everybody[name] = option.id
                taken.append(spot.reshape(1, 8))
                break
    alone = [{name: goal} for name, goal in everybody.items()]
    return [each for each in (everybody, *alone[:1]) if legal(each) is None] or alone[:1]


# Where they go.


def places(game: Game[State], sent: dict[str, Member], answer: dict[str, str]) -> dict[str, Step]:
    """For each Team the nearest free place in contact with the enemy it goes for, the nearest Teams first."""
    here = board(game)
    goals = {team.id: team for team in here.side(other(next(iter(sent.values()))[0].side)).teams}
    mates = [sent[name] for name in answer]
    order = sorted(answer, key=lambda name: gaps(game, [sent[name][1]], [goals[answer[name]]])[0, 0])
    taken: list[Rows] = []
    steps: dict[str, Step] = {}
    for name in order:
        spot = contact_spot(game, mates, sent[name], goals[answer[name]], taken)
        if spot is not None:
            steps[name] = Step((float(spot[X]), float(spot[Y])))
            taken.append(spot.reshape(1, 8))
    return steps


def contact_spot(game: Game[State], mates: list[Member], member: Member, foe: Team, taken: list[Rows]) -> Rows | None:
    """The nearest place in contact with an enemy where a Team may go straight.

    `mates` are those who go with it, `taken` the places of some of them.
    """
    here = board(game)
    unit, team = member
    law = MoveLaw(game, free_activation([member, *mates]), unit.side, [member])
    row = here.of([team])[0]
    for x, y in contact_points(here, team, foe):
        spot: Rows = row.copy()
        spot[X], spot[Y] = x, y
        if taken and measure.overlaps(spot.reshape(1, 8), np.vstack(taken), SLACK).any():
            continue
        if law.refuse({team.id: Step((round(x, 2), round(y, 2)))}) is None:
            return spot
    return None


def contact_points(here: Board, team: Team, foe: Team) -> list[Point]:
    """Where all round an enemy a Team would touch it, the nearest first; they are the same until something moves."""
    key = ("contact", team.id, foe.id)
    known: tuple[int, list[Point]] | None = here.memo.get(key)
    if known is None or known[0] != here.version:
        row, goal = here.of([team, foe])
        away = math.degrees(math.atan2(row[X] - goal[X], row[Y] - goal[Y]))
        found = [measure.contact_move(row, goal)]
        probe = row.copy()
        for turn in range(15, 360, 15):
            sin, cos = heading(away + turn)
            probe[X], probe[Y] = goal[X] + PROBE * sin, goal[Y] + PROBE * cos
            found.append(measure.contact_move(probe, goal))
        found.sort(key=lambda at: math.hypot(at[0] - row[X], at[1] - row[Y]))
        known = here.memo[key] = here.version, found
    return known[1]
