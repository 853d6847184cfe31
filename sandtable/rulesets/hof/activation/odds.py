"""The odds of a Fire order when its target is named: who will be fit to fire by then, and what that fire may do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

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
    """The odds of an order that names a target. The game is used up: it goes on to where the first die would fall."""
    troubled = not untroubled(act.members)
    before = [(team, team.suppressed, team.rfps, team.exposed) for _, team in act.members]
    go_on(game, answer, answers)
    if game.ask is not None and game.ask.checkpoint:
        return ordered([(None, 1.0)])
    if len(act.orders) > 1 and answers.to(choose_sequence(game, act, act.orders))[0] is not order:
        raise firing.NoClosedForm
    if not troubled:
        if game.ask is None and not any(team.id in act.acted for _, team in order.members):
            # Something else is thrown for on the way.
            raise firing.NoClosedForm
        return ordered([(fired(game, act, order, order.members, answers), 1.0)])
    # The first die may have been one of those for rallying and RFPs: what had begun there has not happened.
    for team, suppressed, rfps, exposed in before:
        team.suppressed, team.rfps, team.exposed = suppressed, rfps, exposed
    units = [unit.id for unit, _ in act.members]
    if any(team.sniped or team.at is None for _, team in act.members) or not board(game).motorised.isdisjoint(units):
        raise firing.NoClosedForm
    return after_trouble(game, act, order, answers)


def go_on(game: Battle, answer: Answer, answers: firing.Answers) -> None:
    """Play on as is proposed to where a Fire order is about to be carried out, or a die would be thrown."""
    game.dice = NoDice(game.dice.count)
    try:
        game.accept(answer)
        while game.ask is not None and not game.ask.checkpoint and game.ask.question.topic not in BEFORE_DICE:
            answers.topics.add(game.ask.question.topic)
            game.accept(game.ask.question.candidates(1)[0])
    except Thrown:
        game.ask = None


def fired(
    game: Battle, act: Activation, order: Order, members: Sequence[Member], answers: firing.Answers
) -> firing.Fire | None:
    """What the fire of some Teams of an order may do, if they are fit: see `fire_orders.carry_out`."""
    ready = [(unit, team) for unit, team in living([*members]) if team.at is not None or team.role == "rider"]
    table = fire_orders.table_for(game, act, ready, order.target) if ready else None
    return None if table is None else firing.fire_at(game, msgspec.structs.replace(act), table, answers)


def as_it_is(end: firing.Fired) -> firing.Fired | None:
    return end


def ordered(fires: Sequence[tuple[firing.Fire | None, float]]) -> Ordered:
    hits = mixed([(sure(0) if fire is None else fire.hits, share) for fire, share in fires])
    nothing: Chances[firing.Fired | None] = sure(None)
    ends = mixed([(nothing if fire is None else fire.ends.mapped(as_it_is), share) for fire, share in fires])
    found = [(fire, share) for fire, share in fires if fire is not None]
    return Ordered(hits, ends, sorted(found, key=lambda each: -each[1]))


# Who is fit to fire, if some must first rally or resolve their RFPs.

TROUBLE = {"leader-rally", "one-acts"}
"""What may be asked about it."""

Fates = tuple[tuple[str, ...], tuple[str, ...]]
"""Who of some Teams is not fit to fire, and who of these is lost."""


def after_trouble(game: Battle, act: Activation, order: Order, answers: firing.Answers) -> Ordered:
    """The odds over all that Rally Checks and RFPs may do to those who have been activated."""
    answers.topics |= TROUBLE
    fates = fates_of(game, act)
    by_name = {team.id: (unit, team) for unit, team in act.members}
    fires: list[tuple[firing.Fire | None, float]] = []
    for (down, killed), share in fates:
        lost = [by_name[name] for name in killed]
        stays = morale.standing_after(game, lost).chance(lambda end: not end.units and not end.over)
        fires.append((None, share * (1.0 - stays)))
        fires.append((left_to_fire(game, act, order, down, lost, answers), share * stays))
    return ordered([(fire, share) for fire, share in fires if share > 0.0])


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


def left_to_fire(
    game: Battle, act: Activation, order: Order, down: Sequence[str], lost: Sequence[Member], answers: firing.Answers
) -> firing.Fire | None:
    """The fire of those who are left."""
    with without(game, lost):
        now = msgspec.structs.replace(act, table=None)
        members = living(order.members)
        if act.leader is not None and not living([(act.unit, act.leader)]):
            # hof.leaders.killed-mid-activation: one Team carries its order out, the first that is proposed.
            if game.setup.options.national and act.unit.nation == "german":
                raise firing.NoClosedForm
            one = [(each, member) for each in act.orders for member in living(each.members)][:1]
            members = [member for each, member in one if each is order]
            now.leader = None
        elif act.leader is not None and act.leader_step is not None:
            return led(game, now, order, [member for member in members if member[1].id not in down], down, answers)
        return fired(game, now, order, [member for member in members if member[1].id not in down], answers)


def led(
    game: Battle, act: Activation, order: Order, members: Sequence[Member], down: Sequence[str], answers: firing.Answers
) -> firing.Fire | None:
    """The fire of Teams whose Leader goes somewhere first, and then comes back to where he was."""
    leader = act.leader
    assert leader is not None
    assert leader.at is not None
    at, facing, was = leader.at, leader.facing, leader.suppressed
    leader.suppressed = leader.id in down
    try:
        answers.to(move_orders.move_leader(game, act))
        return fired(game, act, order, members, answers)
    except Thrown as error:
        raise firing.NoClosedForm from error
    finally:
        leader.at, leader.facing, leader.suppressed = at, facing, was
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
