"""Firing: who may fire at what. The dice, and what they do, are in `shooting`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import Assign, Option, Refusal, illegal
from sandtable.engine.ruleset import Ask
from sandtable.rulesets.tr14.arsenal import SLOTS, TURRET_MOUNTS, Weapon
from sandtable.rulesets.tr14.board import board, line_of_fire, reaches_of, sees, why_unseen
from sandtable.rulesets.tr14.state import Member, State, Team, Unit, label, other
from sandtable.rulesets.tr14.terrain import TOUCH
from sandtable.table import distance as measure
from sandtable.table import sight

HALF_CIRCLE = 180.0
"""tr14.firing.arc, tr14.firing.turret-arc"""

ANY_DISTANCE = np.full(256, math.inf)

FIRE_ARC_RULES = ("tr14.firing.arc", "tr14.firing.turret-arc")


@dataclass(frozen=True, slots=True)
class Order:
    """What one Team shoots at: a Unit, perhaps one type of its Teams, perhaps with its machine guns only."""

    unit: str
    type: str = ""
    mgs: bool = False

    @property
    def id(self) -> str:
        return self.unit + (f"@{self.type}" if self.type else "") + ("#mg" if self.mgs else "")


def read_order(text: str) -> Order:
    rest, _, mgs = text.partition("#")
    unit, _, kind = rest.partition("@")
    return Order(unit, kind, bool(mgs))


def turret_mounted(team: Team, weapon: Weapon) -> bool:
    return team.kind.turret and weapon.mount in TURRET_MOUNTS


class FireTable:
    """What some Teams can do to some enemy Teams: distances, lines of fire, and what each weapon can fire at.

    The arrays of the kernels are kept as lists: a table is small, and lists are much quicker to look into.
    """

    def __init__(self, game: Game[State], shooters: Sequence[Team], side: str, members: Sequence[Member]) -> None:
        here = board(game)
        self.shooters = list(shooters)
        self.members = list(members)
        self.rows = here.of(self.shooters)
        self.targets = here.all_of(members)
        facings = np.array([facings_of(team) for team in self.shooters])
        reaches = np.array([reaches_of(team.kind) for team in self.shooters])
        distance, fields, wanted = measure.fields(self.rows, facings, reaches, HALF_CIRCLE, self.targets)
        line = line_of_fire(game, self.shooters, side, self.targets, wanted)
        self.distance: list[list[float]] = distance.tolist()
        self.line: list[list[bool]] = line.tolist()
        self.fire: list[list[list[bool]]] = (fields & line).tolist()

    def targets_of(self, number: int, weapon: Weapon) -> list[int]:
        """The numbers of the targets at which a Team's weapon has a die to roll."""
        mask = self.fire[self.shooters[number].kind.weapons.index(weapon)][number]
        return [position for position, can in enumerate(mask) if can]


ALL_ROUND = (math.nan,) * SLOTS


def facings_of(team: Team) -> tuple[float, ...]:
    """How each of a Team's weapons faces: Infantry all round, a turret's weapons with the turret."""
    kind = team.kind
    if kind.type == "infantry":
        return ALL_ROUND
    hull = team.facing
    if team.turret is None:
        return (hull, hull, hull)
    turret = team.turret
    return tuple([turret if mounted else hull for mounted in kind.in_turret])


def able_to_shoot(game: Game[State], team: Team) -> bool:
    return not team.markers and team.shot != game.state.initiative_number and team.kind.reach > 0


def may_shoot(game: Game[State], team: Team) -> Refusal | None:
    """What bars a Team from firing at all."""
    if team.markers:
        return illegal("tr14.suppression.no-fire", f"{team.id} is suppressed and may not fire.", field=team.id)
    if team.shot == game.state.initiative_number:
        message = f"{team.id} has already fired in this Initiative."
        return illegal("tr14.firing.once-per-initiative", message, field=team.id)
    if not any(weapon.fp for weapon in team.kind.weapons):
        return Refusal("illegal", f"{team.id} has nothing to fire directly with.", field=team.id)
    return None


def enemy_members(game: Game[State], side: str) -> list[Member]:
    return board(game).sides[other(side)]


def orders_for(game: Game[State], unit: Unit, ready: Sequence[Team]) -> dict[str, list[Order]]:
    """Everything that each Team may be ordered to shoot at."""
    here = board(game)
    friends, enemies = here.side(unit.side), here.side(other(unit.side))
    if not enemies.members:
        return {}
    numbers = [friends.number[team.id] for team in ready]
    theirs = here.rows.take(friends.rows, axis=0)
    ground = here.ground
    able = sight.watch(
        ground.terrain,
        ground.opacity,
        theirs.take(numbers, axis=0),
        np.array([facings_of(team) for team in ready]),
        friends.reaches.take(numbers, axis=0),
        HALF_CIRCLE,
        ANY_DISTANCE[: len(ready)],
        here.rows.take(enemies.grouped, axis=0),
        enemies.starts,
        enemies.sizes,
        theirs,
        np.array(numbers),
        friends.classes,
        friends.over.take(numbers),
        TOUCH,
    )
    found: dict[str, list[Order]] = {}
    for team, can in zip(ready, able.tolist(), strict=True):
        types: dict[str, list[str]] = {}
        for (target_id, kind), yes in zip(enemies.groups, can, strict=True):
            if yes:
                types.setdefault(target_id, []).append(kind)
        if types:
            found[team.id] = [order for unit_id in types for order in ways_to_fire(team, unit_id, types[unit_id])]
    return found


def ways_to_fire(team: Team, unit_id: str, types: list[str]) -> list[Order]:
    """At a Unit; with AT weapons at one type of its Teams; with the machine guns of a tank alone."""
    orders = [Order(unit_id)]
    if team.kind.has_at and len(types) > 1:
        orders += [Order(unit_id, kind) for kind in types]
    if team.kind.has_coax:
        orders.append(Order(unit_id, mgs=True))
    return orders


def why_not(game: Game[State], unit: Unit, ready: list[Team], team_id: str, choice: str) -> Refusal | None:
    """Why a Team may not shoot at a Unit, by the first rule that stands in its way."""
    order = read_order(choice)
    team = unit.teams.get(team_id)
    target = game.state.units.get(order.unit)
    if team is None or target is None:
        return None
    if target.side == unit.side:
        return illegal(
            "tr14.firing.target-unit",
            f"{label(target)} is a friend.",
            field=team_id,
            legal="Fire at an enemy Unit.",
        )
    barred = may_shoot(game, team)
    if barred is not None:
        return barred
    if team not in ready:
        return None
    table = FireTable(game, [team], unit.side, [(target, enemy) for enemy in target.teams.values()])
    row, rows = table.rows, table.targets
    if not sees(board(game), row, rows).any():
        rule = why_unseen(board(game), row, rows)
        return illegal(rule, f"{team_id} cannot see {label(target)}.", field=team_id)
    reach = 2 * max(weapon.range for weapon in team.kind.weapons)
    near = min(table.distance[0])
    if near > reach:
        message = f"{label(target)} is {near:.1f} inches from {team_id}."
        return illegal("tr14.firing.los-and-range", message, field=team_id, legal=f"Long range is {reach:g} inches.")
    line = line_of_fire(game, [team], unit.side, rows)[0]
    if not line.any():
        return illegal("tr14.firing.through-friends", f"a friend stands in {team_id}'s line of fire.", field=team_id)
    facings = np.array([facings_of(team)])
    _, inside, _ = measure.fields(row, facings, np.full_like(facings, np.inf), HALF_CIRCLE, rows)
    if not (inside[:, 0] & line).any():
        rule = FIRE_ARC_RULES[1] if team.kind.turret else FIRE_ARC_RULES[0]
        message = f"{label(target)} is behind {team_id}."
        return illegal(rule, message, field=team_id, legal="Turn it with a Move first.")
    if not any(mask for slot in table.fire for mask in slot[0]):
        if not any(weapon.fp == 1 for weapon in team.kind.weapons):
            return illegal("tr14.firing.los-and-range", f"{label(target)} is out of {team_id}'s range.", field=team_id)
        message = f"at long range {team_id} rolls half its Fire Points, which is no die."
        return illegal("tr14.firing.mod-long-range", message, field=team_id)
    if order.mgs or order.type:
        rule = "tr14.firing.at-declares-type" if order.type else "tr14.arsenal.coax"
        return illegal(rule, f"{team_id} cannot fire in that way at {label(target)}.", field=team_id)
    return None


def ask_fire(
    game: Game[State],
    unit: Unit,
    words: str,
    *rules: str,
    teams: Sequence[Team] | None = None,
    at: Sequence[Unit] | None = None,
    topic: str = "fire",
) -> Flow[dict[str, Order]]:
    """Ask which Teams fire at what; no orders fire nothing."""
    ready = [team for team in (teams or unit.teams.values()) if able_to_shoot(game, team)]
    if not ready:
        return {}
    allowed = None if at is None else {target.id for target in at}
    items: dict[str, list[Option]] = {}
    known: dict[Order, Option] = {}
    for team_id, orders in orders_for(game, unit, ready).items():
        for order in orders:
            if allowed is None or order.unit in allowed:
                if order not in known:
                    known[order] = Option(order.id, order_words(game, order))
                items.setdefault(team_id, []).append(known[order])
    if not items:
        return {}

    def barred(team_id: str, choice: str) -> Refusal | None:
        target = game.state.units.get(read_order(choice).unit)
        if rules and target is not None and at is not None and target.side != unit.side and target not in at:
            return illegal(rules[0], f"this fire is not for {label(target)}.", field=team_id)
        found = why_not(game, unit, ready, team_id, choice)
        if found is None and rules and team_id in unit.teams and unit.teams[team_id] not in ready:
            return illegal(rules[0], f"{team_id} may not take part in this fire.", field=team_id)
        return found

    def proposals(most: int) -> list[dict[str, str]]:
        return proposed_fire(game, unit, items)[:most]

    facts: dict[str, Any] = {"unit": unit.id}
    question = Assign(topic, words, items, barred=barred, proposals=proposals, rules=rules, facts=facts)
    answer = yield Ask(unit.side, question)
    return {team: read_order(choice) for team, choice in answer.items()}


def order_words(game: Game[State], order: Order) -> str:
    words = label(game.state.units[order.unit])
    if order.type:
        words += f", at its {order.type} Teams"
    if order.mgs:
        words += ", machine guns only"
    return words


def proposed_fire(game: Game[State], unit: Unit, items: dict[str, list[Option]]) -> list[dict[str, str]]:
    """Everything at one Unit, for each that can be hit; weapons that could not harm it hold their fire; then none."""
    by_unit: dict[str, dict[str, str]] = {}
    for team_id, options in items.items():
        has_at = unit.teams[team_id].kind.has_at
        for option in options:
            order = read_order(option.id)
            armored = all(team.kind.armored for team in game.state.units[order.unit].teams.values())
            useful = has_at and not order.mgs if armored else not order.mgs or has_at
            if useful and not order.type:
                chosen = by_unit.setdefault(order.unit, {})
                # Against soft targets the machine guns of a tank do more than half of its main gun.
                if team_id not in chosen or order.mgs:
                    chosen[team_id] = option.id
    return [*by_unit.values(), {}]
