"""What is under way between two checkpoints: an activation with its orders, and the losses that it brings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

from sandtable.engine.dice import Throw
from sandtable.engine.questions import Step
from sandtable.field.moments import Moment
from sandtable.rulesets.hof.core.board import Battle
from sandtable.rulesets.hof.core.state import Member, Point, Team, Unit

OrderKind = Literal["move", "fire", "smoke", "clear", "charge", "detonate", "unbog", "snipe", "displace"]
"""Move and Fire; the rest belongs to optional rules. `unbog` is a Bogged crew's work."""

Paid = Literal["order", "hero", "free"]
"""What an activation was paid with; defenders in an assault and recon reactions are free."""


class Order(msgspec.Struct, eq=False):
    """One order of an activation: who has it, and what was declared with it."""

    name: str
    kind: OrderKind
    members: list[Member]
    target: str = ""
    """The enemy Team that a Fire order names, the obstacle to be cleared, or the structure to be blown up."""
    steps: dict[str, Step] = {}
    """Where each Team of a Move order goes."""
    rules: tuple[str, ...] = ()
    """By which its Teams move, if it is no usual Move order."""


class Losses(msgspec.Struct, eq=False):
    """Teams lost in one batch: the RFP step of an activation, one Fire order, one side's step of an assault."""

    teams: list[Member] = []
    by_rfps: list[Team] = []
    """Those whom RFPs have killed, settled or not."""


class Activation(msgspec.Struct, eq=False):
    """One activation. `starts` is where each Team stood when it began, `rolls` the movement dice by type of Team.

    `starts`, `inches` and `moved` hold the moves of the enemy in an assault as well.
    `ability` names the Leader ability that has been used; `rallied` the Team that the Leader rallied. `fought` are the
    Teams that made an Assault Check or left contact by choice.
    """

    side: str
    paid: Paid
    unit: Unit
    members: list[Member]
    leader: Team | None = None
    """The Platoon Leader or Company Commander who gave the orders; None for Teams alone and Vehicle Units."""
    above: Activation | None = None
    """The activation of the Company Commander that this one is part of: his ability may serve here, too."""
    with_others: bool = False
    """Another Unit is activated with it."""
    orders: list[Order] = []
    leader_step: Step | None = None
    leader_lost: bool = False
    ability: str = ""
    rallied: Team | None = None
    starts: dict[str, tuple[Point, float]] = {}
    unloaded: set[str] = set()
    """Teams that began in a Transport: they start where they were set down, but were not there when it began."""
    inches: dict[str, float] = {}
    rolls: dict[str, Throw] = {}
    told: dict[str, list[float]] = {}
    """For each type of Team the distances that have been told of its roll."""
    fought: set[str] = set()
    moved: set[str] = set()
    acted: set[str] = set()
    """Teams that have carried out an order: if the Leader is lost then, nobody else does."""
    hit: set[str] = set()
    """Enemy Teams that this activation has hit: its second Fire order may hit them too."""
    table: object = None
    """What those who could be given orders can fire at, if anybody has looked: see `firing.fire_lines.kept_table`."""

    def step_of(self, team: Team) -> Step | None:
        """Where a Team has been told to go."""
        if team is self.leader:
            return self.leader_step
        return next((order.steps[team.id] for order in self.orders if team.id in order.steps), None)


def starts_of(members: list[Member]) -> dict[str, tuple[Point, float]]:
    """Where Teams on the table stand and how they face: so an activation begins."""
    return {team.id: (team.at, team.facing) for _, team in members if team.at is not None}


def free_activation(members: list[Member]) -> Activation:
    """What Teams do that nobody pays for: they begin where they stand."""
    unit = members[0][0]
    return Activation(side=unit.side, paid="free", unit=unit, members=members, starts=starts_of(members))


def alive(unit: Unit, team: Team) -> bool:
    """Whether a Team is still in its Unit: it may have been lost since it was ordered."""
    return unit.teams.get(team.id) is team


def living(members: list[Member]) -> list[Member]:
    return [member for member in members if member[0].teams.get(member[1].id) is member[1]]


WHEN_ACTED: Moment[Callable[[Battle, Activation], None]] = Moment()
"""Teams have acted, in an activation or in answer to an assault: what that means for whatever lies on the table."""
