"""The odds of attacks by optional rules: aircraft and fire at them, smoke, snipers, and fire that interrupts a move."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import msgspec

from sandtable.engine.chance import Chances, die, sure
from sandtable.engine.events import Modifier, total
from sandtable.engine.questions import Answer, Step
from sandtable.rulesets.hof.activation import begin, untroubled
from sandtable.rulesets.hof.activation import odds as activation
from sandtable.rulesets.hof.artillery import barrages
from sandtable.rulesets.hof.artillery import odds as artillery
from sandtable.rulesets.hof.core import riding
from sandtable.rulesets.hof.core.acts import Activation, Order
from sandtable.rulesets.hof.core.board import Battle
from sandtable.rulesets.hof.core.checks import NEEDED
from sandtable.rulesets.hof.core.nearby import in_hard_cover
from sandtable.rulesets.hof.core.odds import success
from sandtable.rulesets.hof.core.state import Member, Point
from sandtable.rulesets.hof.firing import odds as firing
from sandtable.rulesets.hof.moving import Course
from sandtable.rulesets.hof.moving import gamble as moving
from sandtable.rulesets.hof.optional import air, direct_smoke, interruption, snipers
from sandtable.rulesets.hof.rfp_rally import odds as rfp

# Aircraft.


def bombs(game: Battle, point: Point) -> artillery.Fall:
    """See `air.bombs`."""
    where = artillery.landings(point, less=air.BOMB_LESS)
    return artillery.fall(
        game, where, air.BOMB_RADIUS, lambda team: air.less_armor(team, air.BOMB_RFPS, barrages.MOST_ARMOR)
    )


def cannons(game: Battle, step: Step) -> artillery.Fall:
    """See `air.cannons`: no die is thrown."""
    return received(game, air.swept(game, step), air.CANNON_RFPS, None)


def received(game: Battle, members: list[Member], number: int, most: int | None) -> artillery.Fall:
    """RFPs from the air for some Teams: see `air.receive`."""
    each = [(member, 1.0, air.less_armor(member[1], number, most)) for member in members]
    felt = [one for one in each if one[2]]
    return artillery.Fall(sure(artillery.Shelled(len(felt), sum(rfps for _, _, rfps in felt))), felt)


def rockets_at_foot(game: Battle, target: Member) -> artillery.Fall:
    return received(game, [target], air.ROCKET_FP, 0)


def rockets_at_vehicle(game: Battle, target: Member) -> Chances[firing.Suffered]:
    """See `air.rockets`."""
    unit, team = target
    if riding.riders_on(game, team):
        raise firing.NoClosedForm
    roll = firing.penetration(air.ROCKET_AT, team, True, air.CREW)
    return firing.penetrated(roll, firing.lost_by(game, unit, team, "penetration"), air.ROCKET_FP)


def driven_off(dice: int, at: int, flight: int) -> float:
    """How likely a Unit's fire drives an aircraft off: see `air.engage`.

    `flight` is what the aircraft evades with, 0 if that is still to be rolled.
    """
    fails = die().chance(lambda value: air.fails_save(value, at))
    evasion = sure(flight) if flight else die()

    def comes_on(evades: int) -> float:
        hit = die().chance(lambda value: air.hits_aircraft(value, evades))
        return (1.0 - hit * fails) ** dice

    return 1.0 - evasion.mean(comes_on)


# Smoke.


class Smoke(NamedTuple):
    """Smoke at a target: who fires it, what he needs and why, and how likely it comes to lie there."""

    target: Member
    shots: list[tuple[Member, int, list[Modifier]]]
    lies: float


def smoke(
    game: Battle, act: Activation, order: Order, answer: Answer, answers: firing.Answers
) -> list[tuple[Smoke | None, float]]:
    """All the ways in which smoke may be fired, with their chances; None: not at all. The game is used up."""
    return activation.carried_out(game, act, order, answer, answers, partial(smoked, game, order=order))


def smoked(game: Battle, act: Activation, members: Sequence[Member], *, order: Order) -> Smoke | None:
    """See `direct_smoke.carry_out`."""
    table, rows, number = direct_smoke.smoking(game, act, members, order.target)
    if number is None or not rows:
        return None
    target = table.targets[number]
    hidden = direct_smoke.is_hidden(game, table, rows, number)
    shots, misses = [], 1.0
    for row in rows:
        modifiers = direct_smoke.smoke_modifiers(table, row, number, hidden)
        unit, team = table.members[row]
        needed = NEEDED + total(modifiers)
        shots.append(((unit, team), needed, modifiers))
        misses *= 1.0 - success(unit.quality if target[1].kind.vehicle else "average", needed)
    return Smoke(target, shots, 1.0 - misses)


# Snipers.


def snipe(game: Battle, target: Member) -> Chances[str]:
    """What becomes of a Team that a sniper has marked when it is next made to act: see `snipers.resolve`.

    Whoever lives is Suppressed; its own RFPs it resolves before.
    """
    unit, team = target
    own: Chances[str] = sure("suppressed" if team.suppressed else "ready")
    if team.rfps:
        own = rfp.fates(game, unit, team, team.rfps, hard=in_hard_cover(game, team)).mapped(str)

    def shot(before: str) -> Chances[str]:
        if before == "killed":
            return sure(before)
        then = msgspec.structs.replace(team, suppressed=before == "suppressed")
        fate = rfp.fates(game, unit, then, snipers.RFPS, hard=False)
        return fate.mapped(lambda end: "killed" if end == "killed" else "suppressed")

    return own.then(shot)


# Interruption.


def interrupting(
    game: Battle, course: Course, member: Member, at: float, answers: firing.Answers
) -> activation.Ordered:
    """Fire at a Vehicle that has come so far on its way: see `interruption.fire`. The game is used up."""
    unit, team = member
    target = course.team
    course.length = at
    comes = moving.gets_there(game, course)
    if comes is None:
        raise firing.NoClosedForm
    interruption.halt(game, course, at)
    act = begin(unit, team, "hero")
    act.leader = None
    order = Order("fire", "fire", [member], target.id)
    act.orders = [order]
    then = partial(activation.fired, game, order=order, answers=answers)
    fires: list[tuple[firing.Fire | None, float]] = [(None, 1.0 - comes)]
    if untroubled(act.members):
        fires.append((then(act, order.members), comes))
    else:
        fires += [(fire, comes * share) for fire, share in activation.after_trouble(game, act, order, answers, then)]
    return activation.ordered([(fire, share) for fire, share in fires if share > 0.0])
