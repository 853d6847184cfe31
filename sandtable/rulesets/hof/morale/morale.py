"""Losses: Teams that are killed, the morale of their Units, Break Points, rout, and how a battle ends."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Literal, NamedTuple

from sandtable.engine.events import Event, gain, several
from sandtable.engine.game import Flow
from sandtable.engine.ruleset import Result
from sandtable.field.moments import Moment
from sandtable.field.reckoning import BattleOver
from sandtable.rulesets.hof.core import checks, riding
from sandtable.rulesets.hof.core.acts import Losses, alive
from sandtable.rulesets.hof.core.board import Battle, board, ground_changed, leave_wreck, muster
from sandtable.rulesets.hof.core.labels import PAGE, full_label, label, unit_name
from sandtable.rulesets.hof.core.state import Team, Unit, counts_for_strength, other, strength, strength_of, teams_of

BREAK_POINTS = {1: 1, 2: 1, 3: 1, 4: 2, 5: 2, 6: 3}
"""hof.battle.break-roll"""


# Break Points.


def break_roll(game: Battle, side: str, cause: str, *rules: str, **of: Any) -> Flow[None]:
    """The opponent rolls, and the force gains Break Points. With hidden totals nobody learns how many.

    `of` is what the cause names, for programs.
    """
    company = game.state.companies[side]
    throw = yield from game.throw(other(side), 1, "Break Points")
    points = BREAK_POINTS[throw.value]
    company.break_points += points
    company.break_rolls += 1
    cited = ["hof.battle.break-roll", "hof.battle.break-limit", *rules]
    text = f"{side} gains {several(points, 'Break Point')}, {cause}: {company.break_points} of {company.break_limit}."
    data = {"side": side, "points": points, "total": company.break_points, "limit": company.break_limit, **of}
    data |= gain(side, "Break Points", points)
    event = Event("break", text, cited, side, [throw], [], data)
    if game.setup.options.hidden_break_points:
        event.only = []
        event.others = Event("break", f"{side} gains Break Points, {cause}.", cited, side, data={"side": side, **of})
    game.tell_event(event)


def rout_test(game: Battle, side: str, moment: str) -> None:
    """hof.battle.rout: above its Break Limit, and not merely at it, at one of the moments that the rule names.

    `moment` holds no token: how a battle ended is kept in the state, and is no line of the log.
    """
    company = game.state.companies[side]
    if company.break_points > company.break_limit:
        points = several(company.break_points, "Break Point")
        reason = f"{side} routs: {moment}, with {points} and a limit of {company.break_limit}"
        end_battle(game, other(side), reason, "hof.battle.rout")


def lose_if_nobody_left(game: Battle, side: str) -> None:
    """A force that has no Team on the table, and none still to come, has lost."""
    if not any(team.at or team.where not in ("rear", "off-board") for _, team in teams_of(game.state, side)):
        end_battle(game, other(side), f"{side} has no Team left", "hof.battle.rout")


def end_battle(game: Battle, winner: str, reason: str, rule: str) -> None:
    state = game.state
    # Units whose loss would have been settled next: nothing of them is left.
    for unit in [unit for unit in state.units.values() if not unit.teams]:
        del state.units[unit.id]
    state.result = Result(winner, reason, rule)
    state.phase = "over"
    totals = {name: company.break_points for name, company in state.companies.items()}
    game.tell("battle-over", f"{winner} wins: {reason}.", rule, seat=winner, winner=winner, break_points=totals)
    raise BattleOver


OF_ITS_OWN = PAGE.names["of-its-own"]
"""Why the loss of one Team is the loss of a Unit."""

WHEN_LOST: Moment[Callable[[Battle, Unit, Team, str, Losses], Flow[None]]] = Moment()
"""A Team has just been lost, by some cause: what becomes at once of those whom it carried or led."""


class Presence(NamedTuple):
    """A rule by which somebody stakes himself on a Unit that is about to break. `may` says whether he can."""

    may: Callable[[Battle, Unit], bool]

    stake: Callable[[Battle, Unit], Flow[str]]
    """The rule by which the Morale Check is rolled again; empty if nobody can or will."""
    lose: Callable[[Battle, str], Flow[None]]
    """What it costs a side if the Unit breaks all the same."""


PRESENCES: Moment[Presence] = Moment()


def kill(game: Battle, unit: Unit, team: Team, losses: Losses, cause: str, *rules: str) -> Flow[None]:
    """A Team is lost: `cause` is "rfps", "penetration", "assault" or whatever else did it.

    A Vehicle leaves a wreck and its passengers bail out. What follows for its Unit waits until the batch of losses is
    settled. A lost Team keeps its last place, for those who ask what was near it.
    """
    if not alive(unit, team):
        return
    del unit.teams[team.id]
    muster(game)
    losses.teams.append((unit, team))
    if cause == "rfps":
        losses.by_rfps.append(team)
    cited = [*rules]
    if not counts_for_strength(team):
        cited.append("hof.morale.who-counts")
        if team.kind.small:
            cited.append("hof.leaders.small-team" if team.role == "pl" else "hof.orders.small-teams")
        else:
            cited.append("hof.transports.not-counted")
    text = f"{full_label(unit, team)} is lost."
    leaves_wreck = team.kind.vehicle and team.at is not None
    if leaves_wreck:
        cited.append("hof.vehicles.wreck-conceals")
    game.tell("lost", text, *dict.fromkeys(cited), seat=unit.side, unit=unit.id, team=team.id, cause=cause)
    if team.where == "aboard":
        board(game).change()
    if team.at is not None:
        here = board(game)
        if team.id in here.index:
            here.drop(team)
    if leaves_wreck:
        leave_wreck(game, team)
        ground_changed(game)
    for rider_unit, rider in riding.riders_on(game, team):
        yield from kill(game, rider_unit, rider, losses, cause, "hof.optional.riders-tank-destroyed")
    for rule in WHEN_LOST:
        yield from rule(game, unit, team, cause, losses)


def settle(game: Battle, losses: Losses) -> Flow[None]:
    """What a batch of losses means for the Units that suffered them: one Check each (hof.morale.repeat)."""
    batch = {unit.id: unit for unit, _ in losses.teams}
    counted = {unit.id for unit, team in losses.teams if counts_for_strength(team)}
    losses.teams = []
    for unit in batch.values():
        if unit.id in game.state.units:
            yield from settle_unit(game, unit, unit.id in counted)


def settle_unit(game: Battle, unit: Unit, weaker: bool) -> Flow[None]:
    """A Unit has lost Teams; it is `weaker` if some of them count for its strength."""
    verdict = verdict_on(unit, unit.teams.values(), weaker)
    if verdict == "riders":
        forget_riders(game, unit)
    elif verdict == "nobody":
        yield from destroy_unit(game, unit, "hof.battle.break-unit-losses")
    elif verdict == "alone":
        yield from destroy_unit(game, unit, "hof.morale.last-team", "hof.morale.who-counts")
    elif verdict == "half":
        yield from below_half(game, unit)


Verdict = Literal["holds", "riders", "nobody", "alone", "half"]


def verdict_on(unit: Unit, left: Collection[Team], weaker: bool) -> Verdict:
    """What losses mean for a Unit of which some Teams are left, before any die is thrown."""
    if unit.kind == "riders":
        return "riders"
    if not left:
        return "nobody"
    if weaker and alone(left):
        return "alone"
    return "half" if weaker and 2 * (unit.starting - strength_of(left)) > unit.starting else "holds"


def forget_riders(game: Battle, unit: Unit) -> None:
    """hof.optional.riders-mounted: Riders are no Unit whose losses count; when none are left, that is all."""
    if not unit.teams:
        del game.state.units[unit.id]
        muster(game)
        text = f"No Riders of {label(unit)} are left."
        game.tell("unit-gone", text, "hof.optional.riders-mounted", seat=unit.side, unit=unit.id)


def alone(left: Collection[Team]) -> bool:
    """hof.morale.last-team: of all that counted, one Infantry or Man-Portable Gun Team is left, or nothing at all."""
    fighting = [team for team in left if counts_for_strength(team)]
    if len(fighting) != 1:
        return not fighting
    kind = fighting[0].kind
    return kind.category == "infantry" or kind.mobility == "man-portable"


def below_half(game: Battle, unit: Unit) -> Flow[None]:
    """Break Points the first time, the test for rout, and then the Morale Check (hof.battle.break-unit-losses)."""
    rules = ["hof.morale.trigger"]
    if unit.shaken:
        rules.append("hof.morale.repeat")
    else:
        unit.shaken = True
        cause = f"{label(unit)} is below half strength"
        yield from break_roll(game, unit.side, cause, "hof.battle.break-unit-losses", unit=unit.id)
    rout_test(game, unit.side, f"{unit_name(unit)} must take a Morale Check")
    check = yield from checks.check(game, unit, f"the morale of {label(unit)}")
    passed, rules = check.passed, [*rules, *check.rules]
    if unit.quality != "average":
        rules.append("hof.morale.check-quality")
    staked = None
    for presence in PRESENCES:
        if passed or not check.throw.may_reroll(0) or not presence.may(game, unit):
            continue
        if rule := (yield from presence.stake(game, unit)):
            yield from game.reroll(check.throw, [0])
            passed = check.throw.value >= check.needed
            rules += [rule, "hof.orders.reroll-once"]
            staked = presence
    if not passed:
        rules.append("hof.morale.failed")
    count = strength(unit)
    text = f"{label(unit)} {'holds' if passed else 'breaks'}: {count} of {several(unit.starting, 'Team')} left."
    data: dict[str, Any] = {"unit": unit.id, "needed": check.needed, "passed": passed}
    left: dict[str, Any] = {"left": count, "starting": unit.starting}
    game.tell("morale", text, *rules, seat=unit.side, dice=[check.throw], **data, **left)
    if not passed:
        yield from destroy_unit(game, unit, "hof.morale.failed")
        if staked is not None:
            yield from staked.lose(game, unit.side)


def rolls_for(shaken: bool) -> int:
    """How often Break Points are rolled for a Unit that is destroyed: once less if they were for its losses before."""
    return 1 if shaken else 2


def destroy_unit(game: Battle, unit: Unit, *rules: str) -> Flow[None]:
    """A Unit is destroyed: what is left of it is removed, and its force takes Break Points and may rout."""
    remaining = list(unit.teams.values())
    shown = [team.id for team in remaining if team.at is not None or team.where == "aboard"]
    unit.teams.clear()
    del game.state.units[unit.id]
    muster(game)
    cited = [*rules, OF_ITS_OWN[unit.kind]] if unit.kind in OF_ITS_OWN else [*rules]
    game.tell("unit-destroyed", f"{label(unit)} is destroyed.", *cited, seat=unit.side, unit=unit.id, teams=shown)
    losses = Losses()
    here = board(game)
    for team in remaining:
        if team.id in here.index:
            here.drop(team)
        for rider_unit, rider in riding.riders_on(game, team):
            yield from kill(game, rider_unit, rider, losses, "tank lost", "hof.optional.riders-tank-destroyed")
    for _ in range(rolls_for(unit.shaken)):
        cause = f"{label(unit)} is destroyed"
        yield from break_roll(game, unit.side, cause, "hof.battle.break-unit-losses", unit=unit.id)
    rout_test(game, unit.side, f"{unit_name(unit)} is destroyed")
    lose_if_nobody_left(game, unit.side)
    yield from settle(game, losses)
