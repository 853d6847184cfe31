"""Seats: who rides in which Transport when a Unit deploys or arrives mounted."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import (
    Assign,
    Refusal,
    illegal,
)
from sandtable.engine.ruleset import Ask
from sandtable.rulesets.hof.core.labels import label, mate_option, team_label
from sandtable.rulesets.hof.core.riding import rides_inside
from sandtable.rulesets.hof.core.state import (
    State,
    Team,
    Unit,
)


def choose_seats(game: Game[State], unit: Unit, foot: Sequence[Team], wheels: Sequence[Team]) -> Flow[list[Team]]:
    """hof.transports.capacity: who rides in which Transport, or behind it. Returns those who go on foot.

    Asked where somebody must be left out: who sits beside whom makes no difference to the battle.
    """
    rides = [team for team in wheels if team.kind.transport]
    usual = seats(foot, rides)
    if len(usual) == len(foot):
        take_seats(unit, usual)
        return []

    def legal(answer: dict[str, str]) -> Refusal | None:
        return refuse_seats(unit, rides, answer)

    def chance(random: Random) -> dict[str, str]:
        some = list(foot)
        random.shuffle(some)
        return seats(some, rides)

    question = Assign(
        "embark",
        f"Who of {label(unit)} rides in which Transport? Whoever is left out goes on foot.",
        {team.id: [mate_option(ride) for ride in rides] for team in foot},
        rules=("hof.transports.capacity", "hof.battle.attacker-deploys"),
        facts={"unit": unit.id},
        legal=legal,
        proposals=lambda most: [usual],
        chance=chance,
        needed=True,
        step="deploy",
    )
    answer: dict[str, str] = yield Ask(unit.side, question)
    take_seats(unit, answer)
    return [team for team in foot if team.id not in answer]


def take_seats(unit: Unit, answer: dict[str, str]) -> None:
    for name, carrier in answer.items():
        team = unit.teams[name]
        team.where = "aboard"
        team.carrier = carrier
        team.towed = not rides_inside(team)


def seats(foot: Sequence[Team], rides: Sequence[Team]) -> dict[str, str]:
    """The Transports filled in order: towed Guns behind them, everybody else inside, as far as there is room."""
    found: dict[str, str] = {}
    room = {team.id: team.kind.carries for team in rides}
    hooks = {team.id: 1 for team in rides}
    for team in foot:
        places = room if rides_inside(team) else hooks
        carrier = next((name for name, left in places.items() if left), None)
        if carrier is not None:
            places[carrier] -= 1
            found[team.id] = carrier
    return found


def refuse_seats(unit: Unit, rides: Sequence[Team], answer: dict[str, str]) -> Refusal | None:
    """hof.transports.capacity: so many inside, and one Gun behind."""
    for ride in rides:
        aboard = [name for name, carrier in answer.items() if carrier == ride.id]
        inside = [name for name in aboard if rides_inside(unit.teams[name])]
        towed = [name for name in aboard if name not in inside]
        if len(inside) > ride.kind.carries:
            message = f"{team_label(unit, ride)} is full: it carries {ride.kind.carries}."
            return illegal("hof.transports.capacity", message, field=inside[ride.kind.carries])
        if len(towed) > 1:
            return illegal("hof.transports.capacity", f"{team_label(unit, ride)} tows one Gun.", field=towed[1])
    return None
