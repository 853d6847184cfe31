"""Snipers: one marks a Team, is found when the enemy comes near, and may slip away."""

from __future__ import annotations

import numpy as np

from sandtable.engine.events import LAPSED
from sandtable.engine.game import Flow
from sandtable.engine.questions import Choose, Option, Refusal, illegal
from sandtable.engine.ruleset import Ask
from sandtable.field.courses import trail
from sandtable.rulesets.hof.core.acts import Activation, Losses, Order
from sandtable.rulesets.hof.core.board import Battle, board, muster, take_off
from sandtable.rulesets.hof.core.labels import team_label, team_list, team_on, team_option
from sandtable.rulesets.hof.core.nearby import standpoint
from sandtable.rulesets.hof.core.state import Member, Team, Unit, find_team, teams_of
from sandtable.rulesets.hof.firing import enemies_of, near_enemy
from sandtable.rulesets.hof.morale import morale
from sandtable.rulesets.hof.rfp_rally import rally, rfp
from sandtable.rulesets.hof.terrain import CONCEALED, flags
from sandtable.table import distance as measure

RFPS = 1
"""hof.optional.sniper-resolve"""

RANGE = 20.0
"""hof.optional.sniper-fire"""

NEIGHBOURS = 4.0
"""hof.optional.sniper-survived, hof.optional.sniper-killed"""

FOUND = 4.0
"""hof.optional.sniper-overrun"""

FIRE = "hof.optional.sniper-fire"
DISPLACE = "hof.optional.sniper-displace"


# The sniper's orders.


def options(game: Battle, act: Activation, team: Team) -> list[Option]:
    """Besides moving, a sniper may mark a Team, once a turn, or leave the table."""
    if act.unit.kind != "sniper" or team.at is None:
        return []
    found = [Option("displace", "Leave the table", (DISPLACE,))]
    if not act.unit.reacted and targets(game, act.unit, team):
        found.insert(0, Option("snipe", "Sniper fire", (FIRE,)))
    return found


def proposable(game: Battle, act: Activation, team: Team) -> tuple[str, ...]:
    return ("snipe", "displace") if act.unit.kind == "sniper" else ()


def targets(game: Battle, unit: Unit, sniper: Team) -> list[Member]:
    """The enemy Teams, Small ones too, that a sniper sees within 20 inches and that nobody has marked yet."""
    unmarked = [member for member in enemies_of(game, unit.side) if not member[1].sniped]
    if not unmarked:
        return []
    teams = [standpoint(game, team) or team for _, team in unmarked]
    open_to = board(game).sees([sniper], teams)[0] & measure.within(board(game).gaps([sniper], teams)[0], RANGE)
    found = [unmarked[number] for number in np.flatnonzero(open_to).tolist()]
    return [member for member in found if not spared(game, unit, sniper, member)]


def spared(game: Battle, unit: Unit, sniper: Team, target: Member) -> bool:
    """hof.artillery.fo-targeting: whether a target is an observer whom terrain conceals and nobody is near."""
    if target[1].role != "fo":
        return False
    here = board(game)
    concealed = bool(flags(game, [sniper], [target])[0, 0] & CONCEALED)
    return concealed and not near_enemy(here, unit.side, np.array([here.index[target[1].id]]))


def declare(game: Battle, act: Activation, order: Order) -> Flow[None]:
    if order.kind != "snipe":
        return
    unit, sniper = order.members[0]
    able = targets(game, unit, sniper)
    found = [team_option(of, team, FIRE) for of, team in able]

    def why_not(choice: str) -> Refusal | None:
        member = find_team(game.state, choice)
        if member is None or member[1].id not in board(game).index or not spared(game, unit, sniper, member):
            return None
        message = f"{team_label(*member)} is concealed and nobody is near."
        return illegal("hof.artillery.fo-targeting", message, field=choice)

    about = (act, {team.id: (of, team) for of, team in able})
    question = Choose("snipe", "Whom does the sniper mark?", found, rules=(FIRE,), why_not=why_not, about=about)
    order.target = yield Ask(act.side, question)


def carry_out(game: Battle, act: Activation, order: Order, losses: Losses) -> Flow[None]:
    """Mark the target, unless the sniper is Suppressed; or go."""
    yield from ()
    unit, sniper = order.members[0]
    if order.kind == "displace":
        displace(game, unit, sniper)
        return
    found = find_team(game.state, order.target)
    if found is None:
        return
    target = found[1]
    if sniper.suppressed:
        text = f"{team_label(unit, sniper)} is Suppressed and does not fire."
        rules = ("hof.activation.suppressed-may-be-ordered", FIRE)
        game.tell("no-fire", text, *rules, seat=unit.side, unit=unit.id, team=sniper.id, **LAPSED)
        return
    target.sniped = True
    unit.reacted = True
    text = f"{team_label(unit, sniper)} has {team_label(*found)} in its sights."
    game.tell("sniper-fire", text, FIRE, seat=unit.side, team=sniper.id, target=target.id)


def displace(game: Battle, unit: Unit, sniper: Team) -> None:
    """Gone for good, but not destroyed."""
    take_off(game, sniper)
    unit.teams.clear()
    del game.state.units[unit.id]
    muster(game)
    text = f"{team_label(unit, sniper)} slips away."
    game.tell("displace", text, DISPLACE, seat=unit.side, unit=unit.id, team=sniper.id)
    morale.lose_if_nobody_left(game, unit.side)


# What becomes of his target.


def resolve(game: Battle, unit: Unit, team: Team, losses: Losses) -> Flow[None]:
    """1 RFP as in the open; then the target, if it lives, and those nearest to it keep their heads down."""
    team.sniped = False
    nearest = neighbours(game, unit, team)
    rules = ("hof.optional.sniper-resolve",)
    fate = yield from rfp.resolve(game, unit, team, RFPS, losses, hard=False, rules=rules, why="sniper fire")
    if fate == "killed":
        rule, shaken = "hof.optional.sniper-killed", nearest[:2]
    else:
        rule, shaken = "hof.optional.sniper-survived", [(unit, team), *nearest[:1]]
    names = [each.id for _, each in shaken]
    text = f"The sniper pins {team_list(shaken) or 'nobody else'}."
    game.tell("sniped", text, rule, seat=unit.side, unit=unit.id, team=team.id, suppressed=names)
    for owner, each in shaken:
        if each.id in owner.teams:
            rally.suppress(game, owner, each, rule)


def neighbours(game: Battle, unit: Unit, team: Team) -> list[Member]:
    """The Teams of the target's side within 4 inches of it, the nearest first."""
    place = standpoint(game, team)
    if place is None:
        return []
    friends = [member for member in teams_of(game.state, unit.side) if member[1] is not team and member[1].at]
    if not friends:
        return []
    apart = board(game).gaps([place], [each for _, each in friends])[0].tolist()
    near = sorted((gap, number) for number, gap in enumerate(apart) if measure.within(gap, NEIGHBOURS))
    return [friends[number] for _, number in near]


# Finding him.


def overrun(game: Battle, act: Activation) -> Flow[None]:
    """A sniper is lost when an enemy Team moves within 4 inches of it."""
    if not game.setup.options.snipers or not act.moved:
        return
    hidden = [
        (unit, team)
        for unit in game.state.units.values()
        if unit.kind == "sniper"
        for team in unit.teams.values()
        if team.at is not None
    ]
    losses = Losses()
    for unit, sniper in hidden:
        finder = found_by(game, act, unit, sniper)
        if finder is not None:
            rule = "hof.optional.sniper-overrun"
            text = f"{team_on(act.side, finder)} finds {team_label(unit, sniper)}."
            game.tell("sniper-found", text, rule, team=sniper.id, finder=finder.id)
            yield from morale.kill(game, unit, sniper, losses, "found", rule)
    yield from morale.settle(game, losses)


def found_by(game: Battle, act: Activation, unit: Unit, sniper: Team) -> Team | None:
    here = board(game)
    eyes = here.of([sniper])
    for mover in here.enemies(unit.side).teams:
        if mover.id in act.moved and mover.at is not None:
            # Its move is taken as straight.
            start, _ = act.starts.get(mover.id, (mover.at, mover.facing))
            if measure.within(measure.nearest(trail(here.of([mover])[0], start), eyes).min(), FOUND):
                return mover
    return None
