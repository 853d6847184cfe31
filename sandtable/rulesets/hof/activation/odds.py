"""The odds of a Fire order when its target is named: who will be fit to fire by then, and what that fire may do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple, TypeVar

import msgspec

from sandtable.engine.chance import Chances, mixed, sure, together
from sandtable.engine.questions import Answer
from sandtable.rulesets.hof.activation.activation import choose_sequence, untroubled
from sandtable.rulesets.hof.core.acts import Activation, Order, living
from sandtable.rulesets.hof.core.board import Battle, board, ground_changed, leave_wreck, muster
from sandtable.rulesets.hof.core.nearby import in_hard_cover, standpoint, watched
from sandtable.rulesets.hof.core.odds import passes
from sandtable.rulesets.hof.core.riding import passengers
from sandtable.rulesets.hof.core.state import Member, Team
from sandtable.rulesets.hof.firing import fire_orders
from sandtable.rulesets.hof.firing import odds as firing
from sandtable.rulesets.hof.morale import odds as morale
from sandtable.rulesets.hof.moving import move_orders
from sandtable.rulesets.hof.rfp_rally import odds as rfp
from sandtable.rulesets.hof.transports import transports

T = TypeVar("T")

MOST_TROUBLED = 6
"""So many Teams that may or may not be fit to fire are told apart."""

BEFORE_DICE = ("direct-fire", "weapons")
"""Questions of a Fire order that is about to be carried out."""


class Thrown(Exception):
    """A die would have been thrown."""


class NoDice:
    """Dice that nobody may throw."""

    def __init__(self, count: int) -> None:
        self.count = count

    def draw(self, number: int, sides: int) -> list[int]:
        raise Thrown


class Ordered(NamedTuple):
    """The odds of an order to fire: `ends` has None for what does not come to fire at all.

    `fires` are all the ways in which it may be carried out, with their chances, the likeliest first.
    """

    hits: Chances[int]
    ends: Chances[firing.Fired | None]
    fires: list[tuple[firing.Fire, float]]


def fire_order(game: Battle, act: Activation, order: Order, answer: Answer, answers: firing.Answers) -> Ordered:
    """The odds of an order that names a target, if it is the first to be carried out. The game is used up."""
    fires = carried_out(game, act, order, answer, answers, partial(fired, game, order=order, answers=answers))
    return ordered(fires)


Then = Callable[[Activation, Sequence[Member]], T | None]
"""What may come of an order that some Teams carry out."""


def carried_out(
    game: Battle, act: Activation, order: Order, answer: Answer, answers: firing.Answers, then: Then[T]
) -> list[tuple[T | None, float]]:
    """All the ways in which an order may be carried out once its last part is declared, with their chances.

    The game is used up: it goes on to where the first die would fall. None for what does not come about.
    """
    troubled = not untroubled(act.members)
    before = [(team, team.suppressed, team.rfps, team.exposed) for _, team in act.members]
    if len(act.orders) > 1:
        answers.chosen["sequence"] = order.name
    go_on(game, answer, answers)
    if game.ask is not None and game.ask.checkpoint:
        return [(None, 1.0)]
    if len(act.orders) > 1 and answers.to(choose_sequence(act, act.orders))[0] is not order:
        raise firing.NoClosedForm
    if not troubled:
        if game.ask is None and not any(team.id in act.acted for _, team in order.members):
            # Something else is thrown for on the way.
            raise firing.NoClosedForm
        return [(then(act, order.members), 1.0)]
    # The first die may have been one of those for rallying and RFPs: what had begun there has not happened.
    for team, suppressed, rfps, exposed in before:
        team.suppressed, team.rfps, team.exposed = suppressed, rfps, exposed
    if len(act.orders) > 1 and any(each is not order and each.kind != "move" for each in act.orders):
        # If nobody of this order is fit, the other attack is the first: who could tell which one was meant?
        raise firing.NoClosedForm
    if any(team.sniped or team.at is None for _, team in act.members) or may_ride(game, act):
        raise firing.NoClosedForm
    return after_trouble(game, act, order, answers, then)


def may_ride(game: Battle, act: Activation) -> bool:
    """Whether somebody could get in or out of a Transport before they act, if all were fit."""
    down = [team for _, team in act.members if team.suppressed]
    for team in down:
        team.suppressed = False
    options = transports.transport_options(game, act, set())
    for team in down:
        team.suppressed = True
    return bool(options)


def go_on(game: Battle, answer: Answer, answers: firing.Answers) -> None:
    """Play on as is proposed to where a Fire order is about to be carried out, or a die would be thrown."""
    game.dice = NoDice(game.dice.count)
    try:
        game.accept(answer)
        while game.ask is not None and not game.ask.checkpoint and game.ask.question.topic not in BEFORE_DICE:
            game.accept(answers.answer(game.ask.question))
    except Thrown:
        game.ask = None


def fired(
    game: Battle, act: Activation, members: Sequence[Member], *, order: Order, answers: firing.Answers
) -> firing.Fire | None:
    """What the fire of some Teams of an order may do, if they are fit: see `fire_orders.carry_out`."""
    ready = [(unit, team) for unit, team in living([*members]) if team.at is not None or team.role == "rider"]
    table = fire_orders.table_for(game, act, ready, order.target) if ready else None
    return None if table is None else firing.fire_at(msgspec.structs.replace(act), table, answers)


def as_it_is(end: firing.Fired) -> firing.Fired | None:
    return end


def ordered(fires: Sequence[tuple[firing.Fire | None, float]]) -> Ordered:
    hits = mixed([(sure(0) if fire is None else fire.hits, share) for fire, share in fires])
    nothing: Chances[firing.Fired | None] = sure(None)
    ends = mixed([(nothing if fire is None else fire.ends.mapped(as_it_is), share) for fire, share in fires])
    found = [(fire, share) for fire, share in fires if fire is not None]
    return Ordered(hits, ends, sorted(found, key=lambda each: -each[1]))


# Who is fit to fire, if some must first rally or resolve their RFPs.

Fates = tuple[tuple[str, ...], tuple[str, ...]]
"""Who of some Teams is not fit to fire, and who of these is lost."""


def after_trouble(
    game: Battle, act: Activation, order: Order, answers: firing.Answers, then: Then[T]
) -> list[tuple[T | None, float]]:
    """What may come of an order over all that Rally Checks and RFPs may do to those who have been activated."""
    answers.topics |= asked_about(act)
    by_name = {team.id: (unit, team) for unit, team in act.members}
    found: list[tuple[T | None, float]] = []
    for (down, killed), share in fates_of(game, act):
        lost = [by_name[name] for name in killed]
        stays = morale.standing_after(game, lost).chance(lambda end: not end.units and not end.over)
        if stays < 1.0:
            found.append((None, share * (1.0 - stays)))
        if stays > 0.0:
            with without(game, lost):
                found.append((by_those_left(game, act, order, down, answers, then), share * stays))
    return found


def asked_about(act: Activation) -> set[str]:
    """What may be asked of those who rally and resolve their RFPs before they act."""
    led = set() if act.leader is None else {"leader-rally", "one-acts"}
    return led | ({"spot"} if act.unit.recon else set())


def fates_of(game: Battle, act: Activation) -> Chances[Fates]:
    """What becomes of the activated Teams before they act: see `activation.rally_and_resolve`."""
    found: Chances[Fates] = sure(((), ()))
    members = [member for member in act.members if member[1].suppressed or member[1].rfps]
    if len(members) > MOST_TROUBLED:
        raise firing.NoClosedForm
    places = [standpoint(game, team) or team for _, team in members]
    seen = watched(game, act.side, places, suppressed=True)
    for (unit, team), watching in zip(members, seen, strict=True):
        if passengers(unit, team):
            raise firing.NoClosedForm
        found = together(found, fate_of(game, (unit, team), watching), both)
    return found


def both(one: Fates, two: Fates) -> Fates:
    return (*one[0], *two[0]), (*one[1], *two[1])


def fate_of(game: Battle, member: Member, watching: bool) -> Chances[Fates]:
    unit, team = member
    down: Chances[bool] = sure(team.suppressed and watching)
    if team.suppressed and watching and not team.rfps:
        rallies = passes(unit.quality)
        down = Chances({False: rallies, True: 1.0 - rallies})
    if team.rfps:

        def resolved(still: bool) -> Chances[str]:
            then = msgspec.structs.replace(team, suppressed=still)
            return rfp.fates(game, unit, then, team.rfps, hard=in_hard_cover(game, team)).mapped(str)

        fate = down.then(resolved)
    else:
        fate = down.mapped(lambda still: "suppressed" if still else "ready")
    named = (team.id,)
    ends: dict[str, Fates] = {"ready": ((), ()), "suppressed": (named, ()), "killed": (named, named)}
    return fate.mapped(ends.__getitem__)


def by_those_left(
    game: Battle, act: Activation, order: Order, down: Sequence[str], answers: firing.Answers, then: Then[T]
) -> T | None:
    """What may come of an order that is carried out by those who are left, and fit."""
    now = msgspec.structs.replace(act, table=None)
    fit = [member for member in living(order.members) if member[1].id not in down]
    leader = act.leader
    if leader is None:
        return then(now, fit)
    if not living([(act.unit, leader)]):
        # hof.leaders.killed-mid-activation: one Team carries its order out, the first that is proposed.
        if game.setup.options.national and act.unit.nation == "german":
            raise firing.NoClosedForm
        now.leader = None
        one = [team for each in act.orders for _, team in living(each.members)][:1]
        return then(now, [member for member in fit if member[1] in one])
    at, facing, was = leader.at, leader.facing, leader.suppressed
    leader.suppressed = leader.id in down
    try:
        answers.to(move_orders.move_leader(game, now))
        return then(now, fit)
    except Thrown as error:
        raise firing.NoClosedForm from error
    finally:
        leader.suppressed = was
        if leader.at != at:
            leader.at, leader.facing = at, facing
            game.scratch = None


@contextmanager
def without(game: Battle, lost: Sequence[Member]) -> Iterator[None]:
    """A table from which some Teams are gone, for a while: see `morale.kill`."""
    if not lost:
        yield
        return
    before = {unit.id: dict(unit.teams) for unit, _ in lost}
    wrecks = game.state.wrecks
    for unit, team in lost:
        remove(game, unit.teams, team)
    try:
        yield
    finally:
        for unit, _ in lost:
            unit.teams.clear()
            unit.teams.update(before[unit.id])
        game.state.wrecks = wrecks
        game.scratch = None


def remove(game: Battle, teams: dict[str, Team], team: Team) -> None:
    here = board(game)
    del teams[team.id]
    muster(game)
    here.drop(team)
    if team.kind.vehicle:
        leave_wreck(game, team)
        ground_changed(game)
