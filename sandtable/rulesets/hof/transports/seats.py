"""Seats: who rides in which Transport when a Unit deploys or arrives mounted."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sandtable.engine.game import Flow
from sandtable.engine.questions import Refusal, illegal
from sandtable.engine.ruleset import Ask
from sandtable.field.seats import Seats
from sandtable.rulesets.hof.core.labels import label, mate_option, team_label
from sandtable.rulesets.hof.core.riding import rides_inside
from sandtable.rulesets.hof.core.state import Team, Unit


def choose_seats(unit: Unit, foot: Sequence[Team], wheels: Sequence[Team]) -> Flow[list[Team]]:
    """hof.transports.capacity: who rides in which Transport, or behind it. Returns those who go on foot.

    Asked where somebody must be left out: who sits beside whom makes no difference to the battle.
    """
    rides = [team for team in wheels if team.kind.transport]
    room = {ride.id: {"inside": ride.kind.carries, "behind": 1} for ride in rides}
    seats = Seats(foot, room, lambda team: "inside" if rides_inside(team) else "behind", partial(too_many, unit))
    answer = seats.usual()
    if len(answer) < len(foot):
        words = f"Who of {label(unit)} rides in which Transport? Whoever is left out goes on foot."
        rules = ("hof.transports.capacity", "hof.battle.attacker-deploys")
        answer = yield Ask(
            unit.side, seats.question("embark", words, [mate_option(ride) for ride in rides], rules, unit=unit.id)
        )
    take_seats(unit, answer)
    return [team for team in foot if team.id not in answer]


def too_many(unit: Unit, carrier: str, team: Team) -> Refusal:
    """hof.transports.capacity: so many inside, and one Gun behind."""
    ride = unit.teams[carrier]
    full = f"is full: it carries {ride.kind.carries}." if rides_inside(team) else "tows one Gun."
    return illegal("hof.transports.capacity", f"{team_label(unit, ride)} {full}", field=team.id)


def take_seats(unit: Unit, answer: dict[str, str]) -> None:
    for name, carrier in answer.items():
        team = unit.teams[name]
        team.where = "aboard"
        team.carrier = carrier
        team.towed = not rides_inside(team)
