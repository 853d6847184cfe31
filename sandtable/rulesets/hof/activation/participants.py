"""Who takes part in an activation: who may be activated, and who comes along."""

from __future__ import annotations

from sandtable.engine.questions import Refusal, illegal
from sandtable.rulesets.hof.core.acts import Activation, Paid
from sandtable.rulesets.hof.core.board import Battle, board
from sandtable.rulesets.hof.core.labels import PAGE, team_label
from sandtable.rulesets.hof.core.nearby import standpoint
from sandtable.rulesets.hof.core.state import Team, Unit, counts_for_strength


def begin(unit: Unit, team: Team, paid: Paid) -> Activation:
    leader = team if team.role in ("pl", "cc") else None
    return Activation(side=unit.side, paid=paid, unit=unit, members=[(unit, team)], leader=leader)


def free_to_act(team: Team, paid: Paid) -> bool:
    """hof.activation.no-double-sweep: whether a Team has not acted; one that an Order Point paid for may act again."""
    return not (team.locked or team.watching or (team.activated and paid == "order"))


def eligible(team: Team, paid: Paid) -> bool:
    """Whether a Team may be activated, or swept along: it has not been used, and is there."""
    return free_to_act(team, paid) and (team.at is not None or team.where == "aboard")


ABSENT = PAGE.said["absent"]
"""What keeps a Team from being activated where it is, and by which rule."""


def why_unfit(unit: Unit, team: Team) -> Refusal | None:
    """What keeps a Team from being activated, whatever pays for it."""
    name = team_label(unit, team)
    if team.locked:
        return illegal("hof.orders.hero-lock", f"{name} acted by Hero Point this turn.", field=team.id)
    if team.watching:
        return illegal("hof.artillery.any-pl-observes", f"{name} is observing.", field=team.id)
    if team.where in ABSENT:
        words, rule = ABSENT[team.where]
        return illegal(rule, f"{name} {words}.", field=team.id)
    if team.role == "rider" and not team.carrier:
        return illegal("hof.optional.riders-activation", f"{name} is on no tank.", field=team.id)
    if team.at is None and team.where != "aboard":
        return illegal("hof.orders.spend-order-point", f"{name} is not on the table.", field=team.id)
    return None


def followers(game: Battle, act: Activation, first: Team) -> list[Team]:
    """The Teams of the Unit that may come along with the one that was activated: those whom its Leader sees.

    The Leader may be one who has just been found; or a Vehicle that is nominated, and brings Vehicles along.
    """
    unit, leader, paid = act.unit, act.leader, act.paid
    if leader is None and not may_nominate(unit, first):
        return []
    caller = first if leader is None else leader
    mates = [
        team
        for team in unit.teams.values()
        if team is not first and team is not caller and eligible(team, paid)
        if leader is not None or team.kind.vehicle or team.role in ("fo", "rider")
    ]
    if not mates:
        return []
    seen = all_in_sight(game, caller, mates)
    return [team for team, visible in zip(mates, seen, strict=True) if visible or team.role == "fo"]


def why_left_behind(game: Battle, act: Activation, first: Team, team: Team) -> Refusal | None:
    """Why a Team of the Unit is given no order; None if it is the one that was activated or follows it."""
    unit = act.unit
    if not eligible(team, act.paid):
        used = illegal("hof.activation.no-double-sweep", f"{team_label(unit, team)} has already acted.", field=team.id)
        return why_unfit(unit, team) or used
    if team is act.leader:
        return illegal("hof.leaders.move-12", "A Leader moves along without an order.", field=team.id)
    if team is first or team in followers(game, act, first):
        return None
    if act.leader is None and not may_nominate(unit, first):
        limited = unit.vehicles or unit.kind == "riders"
        rule = "hof.activation.vehicle-leader-limit" if limited else "hof.activation.single-team"
        return illegal(rule, f"{team_label(unit, first)} brings nobody along.", field=team.id)
    return illegal("hof.activation.pl-brings-unit", f"{team_label(unit, team)} is out of his sight.", field=team.id)


def may_nominate(unit: Unit, team: Team) -> bool:
    """hof.activation.vehicle-leader-limit: fewer than half of the starting Vehicles Suppressed or destroyed."""
    if not (unit.vehicles or unit.kind == "riders") or not counts_for_strength(team):
        return False
    sound = 0
    for each in unit.teams.values():
        if not each.suppressed and counts_for_strength(each):
            sound += 1
            if 2 * sound > unit.starting:
                return True
    return False


def in_sight(game: Battle, leader: Team, team: Team) -> bool:
    return all_in_sight(game, leader, [team])[0]


def all_in_sight(game: Battle, leader: Team, teams: list[Team]) -> list[bool]:
    """hof.activation.pl-brings-unit: line of sight when he is activated. Those in a Transport are where it is."""
    if leader.at is not None and not [team for team in teams if team.at is None]:
        visible: list[bool] = board(game).sees([leader], teams)[0].tolist()
        return visible
    eye = standpoint(game, leader)
    if eye is None:
        return [False] * len(teams)
    stands = [standpoint(game, team) for team in teams]
    others = [stand for stand in stands if stand is not None and stand is not eye]
    seen = iter(board(game).sees([eye], others)[0].tolist() if others else ())
    return [stand is eye or (stand is not None and next(seen)) for stand in stands]
