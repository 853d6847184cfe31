"""Firing: who may fire at what. The dice, and what they do, are in `shooting`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import Assign, Option, Refusal, illegal
from sandtable.engine.ruleset import Ask
from sandtable.rulesets.tr14.arsenal import Profile, Weapon
from sandtable.rulesets.tr14.board import Mask, Rows, board, line_of_fire, sees
from sandtable.rulesets.tr14.state import Member, State, Team, Unit, label, other
from sandtable.table import distance as measure
from sandtable.table.shapes import X, Y

HALF_CIRCLE = 180.0
"""tr14.firing.arc, tr14.firing.turret-arc"""

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


TURRET_MOUNTS = ("gun", "coax")


def turret_mounted(team: Team, weapon: Weapon) -> bool:
    return team.kind.turret and weapon.mount in TURRET_MOUNTS


class FireTable:
    """Distances, lines of fire and arcs from some Teams to some enemy Teams, all at once.

    `near` limits the pairs that matter (Reaction Fire has a range of its own); lines are drawn for no others.
    """

    def __init__(
        self,
        game: Game[State],
        shooters: Sequence[Team],
        side: str,
        members: Sequence[Member],
        rows: Rows | None = None,
        near: Mask | None = None,
    ) -> None:
        here = board(game)
        self.shooters = list(shooters)
        self.members = list(members)
        self.rows = here.of(self.shooters)
        self.targets = here.all_of(members) if rows is None else rows
        self.distance = measure.distances(self.rows, self.targets)
        kinds = [team.kind for team in self.shooters]
        wanted = self.distance <= np.array([kind.reach for kind in kinds])[:, None]
        if near is not None:
            wanted &= near
        self.line = line_of_fire(game, self.shooters, side, self.targets, wanted)
        self.hull = self._arcs([None if t.kind.type == "infantry" else t.facing for t in self.shooters])
        turrets = [team.turret for team in self.shooters]
        self.turret = self._arcs(turrets) if any(t is not None for t in turrets) else self.hull
        self.fire = [self._weapons(kinds, slot) for slot in range(max(len(kind.weapons) for kind in kinds))]

    def _arcs(self, facings: Sequence[float | None]) -> Mask:
        """Which targets lie, with any part, in the half circle ahead; a facing of None looks all round."""
        if all(facing is None for facing in facings):
            return np.ones(self.distance.shape, dtype=np.bool_)
        watchers = np.column_stack([self.rows[:, X], self.rows[:, Y], [facing or 0.0 for facing in facings]])
        inside = measure.arcs(watchers, HALF_CIRCLE, self.targets)
        for number, facing in enumerate(facings):
            if facing is None:
                inside[number] = True
        return inside

    def _weapons(self, kinds: Sequence[Profile], slot: int) -> Mask:
        """What each Team's weapon of one slot can fire at: at long range a single Fire Point is no die."""
        limits = []
        turrets = []
        for kind in kinds:
            weapon = kind.weapons[slot] if slot < len(kind.weapons) else None
            limits.append(-1.0 if weapon is None else weapon.range * min(weapon.fp, 2) or -1.0)
            turrets.append(weapon is not None and kind.turret and weapon.mount in TURRET_MOUNTS)
        arc = np.where(np.array(turrets)[:, None], self.turret, self.hull) if any(turrets) else self.hull
        return self.line & arc & (self.distance <= np.array(limits)[:, None])

    def arc(self, number: int, weapon: Weapon) -> Mask:
        return self.turret[number] if turret_mounted(self.shooters[number], weapon) else self.hull[number]

    def valid(self, number: int, weapon: Weapon) -> Mask:
        """The targets that a weapon of a Team can see, reach at long range at most, and bring its arc to bear on."""
        return self.line[number] & self.arc(number, weapon) & (self.distance[number] <= 2 * weapon.range)

    def fireable(self, number: int, weapon: Weapon) -> Mask:
        """The valid targets at which the weapon has a die to roll."""
        return self.fire[self.shooters[number].kind.weapons.index(weapon)][number]

    def any_fire(self) -> Mask:
        """Which Team can fire at which target with any of its weapons."""
        mask = self.fire[0]
        for other_slot in self.fire[1:]:
            mask = mask | other_slot
        return mask


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


def orders_for(table: FireTable) -> list[list[Order]]:
    """Everything that each Team may be ordered to shoot at."""
    found: list[list[Order]] = [[] for _ in table.shooters]
    types: list[dict[str, set[str]]] = [{} for _ in table.shooters]
    for number, position in zip(*(index.tolist() for index in np.nonzero(table.any_fire())), strict=True):
        unit, target = table.members[position]
        types[number].setdefault(unit.id, set()).add(target.kind.type)
    for number, team in enumerate(table.shooters):
        weapons = team.kind.weapons
        has_at = any(weapon.at for weapon in weapons)
        has_coax = any(weapon.mount == "coax" for weapon in weapons)
        for unit_id, kinds in types[number].items():
            found[number].append(Order(unit_id))
            if has_at and len(kinds) > 1:
                found[number] += [Order(unit_id, kind) for kind in sorted(kinds)]
            if has_coax:
                found[number].append(Order(unit_id, mgs=True))
    return found


def why_not(game: Game[State], unit: Unit, table: FireTable, team_id: str, choice: str) -> Refusal | None:
    """Why a Team may not shoot at a Unit, by the first rule that stands in its way."""
    order = read_order(choice)
    team = unit.teams.get(team_id)
    target = game.state.units.get(order.unit)
    if team is None or target is None:
        return None
    if target.side == unit.side:
        return illegal("tr14.firing.target-unit", f"{label(target)} is a friend.", field=team_id, legal="Fire at an enemy Unit.")
    barred = may_shoot(game, team)
    if barred is not None:
        return barred
    if team not in table.shooters:
        return None
    number = table.shooters.index(team)
    here = [position for position, (owner, _) in enumerate(table.members) if owner is target]
    seen = sees(board(game), table.rows[number : number + 1], table.targets[here])[0]
    if not seen.any():
        return illegal("tr14.firing.los-and-range", f"{team_id} cannot see {label(target)}.", field=team_id)
    if not table.line[number][here].any():
        reach = 2 * max(weapon.range for weapon in team.kind.weapons)
        near = float(table.distance[number][here].min())
        if near > reach:
            message = f"{label(target)} is {near:.1f} inches from {team_id}."
            return illegal("tr14.firing.los-and-range", message, field=team_id, legal=f"Long range is {reach:g} inches.")
        return illegal("tr14.firing.through-friends", f"a friend stands in {team_id}'s line of fire.", field=team_id)
    arcs = np.array([table.arc(number, weapon)[here] & table.line[number][here] for weapon in team.kind.weapons])
    if not arcs.any():
        rule = FIRE_ARC_RULES[1] if team.kind.turret else FIRE_ARC_RULES[0]
        message = f"{label(target)} is behind {team_id}."
        return illegal(rule, message, field=team_id, legal="Turn it with a Move first.")
    if not any(table.valid(number, weapon)[here].any() for weapon in team.kind.weapons):
        return illegal("tr14.firing.los-and-range", f"{label(target)} is out of {team_id}'s range.", field=team_id)
    if not any(table.fireable(number, weapon)[here].any() for weapon in team.kind.weapons):
        message = f"at long range {team_id} rolls half its Fire Points, which is no die."
        return illegal("tr14.firing.mod-long-range", message, field=team_id)
    if order.mgs or order.type:
        return Refusal("illegal", f"{team_id} cannot fire in that way at {label(target)}.", field=team_id)
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
    """Ask which Teams fire at what; an empty answer fires nothing."""
    ready = [team for team in (teams or unit.teams.values()) if able_to_shoot(game, team)]
    members = enemy_members(game, unit.side)
    if at is not None:
        members = [member for member in members if member[0] in at]
    if not ready or not members:
        return {}
    table = FireTable(game, ready, unit.side, members)
    items: dict[str, list[Option]] = {}
    for team, orders in zip(ready, orders_for(table), strict=True):
        if orders:
            items[team.id] = [Option(order.id, order_words(game, order)) for order in orders]
    if not items:
        return {}

    def barred(team_id: str, choice: str) -> Refusal | None:
        return why_not(game, unit, table, team_id, choice)

    def proposals(most: int) -> list[dict[str, str]]:
        return proposed_fire(game, table, items)[:most]

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


def proposed_fire(game: Game[State], table: FireTable, items: dict[str, list[Option]]) -> list[dict[str, str]]:
    """Everything at one Unit, for each Unit that can be hit; weapons that could not harm it hold their fire; then none."""
    by_unit: dict[str, dict[str, str]] = {}
    harmless: dict[str, bool] = {}
    for unit, team in table.members:
        harmless[unit.id] = harmless.get(unit.id, True) and team.kind.armored
    for number, team in enumerate(table.shooters):
        has_at = any(weapon.at for weapon in team.kind.weapons)
        for option in items.get(team.id, ()):
            order = read_order(option.id)
            useful = has_at and not order.mgs if harmless[order.unit] else not order.mgs or has_at
            if useful and not order.type:
                chosen = by_unit.setdefault(order.unit, {})
                # Against soft targets the machine guns of a tank do more than half of its main gun.
                if team.id not in chosen or order.mgs:
                    chosen[team.id] = option.id
    return [*by_unit.values(), {}]
