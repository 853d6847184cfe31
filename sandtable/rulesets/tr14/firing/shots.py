"""Shots: which weapons fire, with how many dice, needing what and why."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from sandtable.engine.dice import Throw
from sandtable.engine.events import Modifier, total
from sandtable.rulesets.tr14.core.arsenal import Weapon
from sandtable.rulesets.tr14.core.board import Battle
from sandtable.rulesets.tr14.core.checks import LEAST_TO_HIT, TO_HIT
from sandtable.rulesets.tr14.core.state import Team, Unit
from sandtable.rulesets.tr14.core.terrain import OPEN, hiding_rules, still
from sandtable.rulesets.tr14.firing.fire_table import Aim, Order, worst
from sandtable.rulesets.tr14.firing.targets import Target, gone_to_ground
from sandtable.rulesets.tr14.kernels import fire

Manner = Literal["action", "aimed", "reaction", "overwatch", "assault"]


@dataclass(slots=True)
class Salvo:
    """The fire of some Teams of a Unit, by their orders: in what manner, after a Move or not, and whether at movers."""

    unit: Unit
    orders: dict[str, Order]
    manner: Manner
    moved: bool = False
    moving_target: bool = False

    @property
    def targets(self) -> list[str]:
        """The Units at which they fire."""
        return list(dict.fromkeys(order.unit for order in self.orders.values()))

    def at(self, target: str) -> Salvo:
        """What of it goes to one of them, from those who are left to fire."""
        orders = {team: each for team, each in self.orders.items() if each.unit == target and team in self.unit.teams}
        return replace(self, orders=orders)


@dataclass(slots=True)
class Shot:
    """One weapon firing: how many dice, what they need and why, what they showed."""

    number: int
    shooter: Team
    weapon: Weapon
    valid: list[int]
    """The positions of the Teams that it can see, reach and bear on."""
    pool: list[int]
    """Those of them to which its hits go first: of the type that it declares, or all."""
    dice: int
    needed: int
    modifiers: list[Modifier]
    rules: list[str] = field(default_factory=list)
    throw: Throw | None = None
    hits: int = 0

    @property
    def least(self) -> int:
        """What a die must show: a one never hits."""
        return max(LEAST_TO_HIT, self.needed)


def plan_shots(game: Battle, salvo: Salvo, target: Target, aim: Aim) -> list[Shot]:
    """Which weapons fire, with how many dice, needing what."""
    planned: list[tuple[int, int, Weapon, Order]] = []
    for number, team in enumerate(aim.shooters):
        order = salvo.orders[team.id]
        weapons = [
            (slot, weapon)
            for slot, weapon in enumerate(team.kind.weapons)
            if not (weapon.mount == "gun" and order.mgs) and aim.can_roll(number, slot, order)
        ]
        main = any(weapon.mount == "gun" for _, weapon in weapons)
        planned += [(number, slot, weapon, order) for slot, weapon in weapons if not (weapon.mount == "coax" and main)]
    common, exposed = common_modifiers(game, salvo, target, aim)
    cover: dict[bool, tuple[list[Modifier], list[str]]] = {}
    # Concealment is from the firing Unit as a whole; only shields tell AT weapons from others.
    firing = list(dict.fromkeys(number for number, _, _, _ in planned))
    for at in {weapon.at for _, _, weapon, _ in planned}:
        shields = [False] * len(aim.members) if at else aim.shields(firing)
        modifiers, rules = cover_modifiers(aim, aim.covers(firing, at), shields, moving_target=salvo.moving_target)
        if any(shield and seen for shield, seen in zip(shields, aim.visible, strict=True)):
            rules = [*rules, "tr14.arsenal.gun-shield"]
        cover[at] = common + modifiers, rules + exposed
    shots = []
    for number, slot, weapon, order in planned:
        modifiers, rules = cover[weapon.at]
        shot = plan_shot(target, aim, number, slot, weapon, order, modifiers)
        shot.rules += rules
        shots.append(shot)
    return shots


GONE_TO_GROUND = Modifier(1, "tr14.firing.mod-gone-to-ground", "target gone to ground")

FIRER_MOVED = Modifier(1, "tr14.firing.mod-firer-moved", "firing Unit moved")

REACTION = Modifier(1, "tr14.firing.mod-reaction", "reaction fire")

CONCEALED = Modifier(1, "tr14.firing.mod-concealed", "target concealed")

MOVING_IN_OPEN = Modifier(-1, "tr14.firing.mod-moving-in-open", "target moving in the open")


def common_modifiers(game: Battle, salvo: Salvo, target: Target, aim: Aim) -> tuple[list[Modifier], list[str]]:
    """The modifiers of all weapons alike; and why Teams to ground do not help their Unit, or would if no tanks."""
    modifiers: list[Modifier] = []
    rules: list[str] = []
    shelter = worst(aim.cover)
    positions = [position for position, visible in enumerate(aim.visible) if visible]
    seen = [target.members[position] for position in positions]
    down = sum([gone_to_ground(game, target, position, shelter[position]) for position in positions])
    if down:
        if down == len(seen):
            modifiers.append(GONE_TO_GROUND)
        else:
            rules.append("tr14.firing.gtg-one-visible-spoils")
    waiting = [team for unit, team in seen if target.unit.to_ground or unit.to_ground or not (team.moved or team.fired)]
    if any(team.kind.type == "tank" for team in waiting):
        rules.append("tr14.firing.gtg-not-tanks")
    if salvo.moved:
        modifiers.append(FIRER_MOVED)
    if salvo.manner == "reaction":
        modifiers.append(REACTION)
    return modifiers, rules


def cover_modifiers(
    aim: Aim, covers: list[int], shields: list[bool], *, moving_target: bool
) -> tuple[list[Modifier], list[str]]:
    """Concealment is the whole Unit's or nobody's; a Unit caught on the move in the open is easier to hit.

    With the modifiers come the rules of cover that decided.
    """
    seen = [position for position, cover in enumerate(worst(aim.cover)) if cover != fire.UNSEEN]
    hidden = [position for position in seen if covers[position] > OPEN or still(aim.members[position][1])]
    if hidden and len(hidden) == len(seen):
        rules: dict[str, None] = {}
        for position in hidden:
            team, in_area = aim.members[position][1], bool(aim.in_area[position])
            rules |= dict.fromkeys(hiding_rules(team, covers[position], shield=shields[position], in_area=in_area))
        return [CONCEALED], list(rules)
    spoiled = ["tr14.terrain.all-must-be-concealed"] if hidden else []
    if moving_target and all(covers[position] == OPEN for position in seen):
        return [MOVING_IN_OPEN], spoiled
    return [], spoiled


def plan_shot(
    target: Target, aim: Aim, number: int, slot: int, weapon: Weapon, order: Order, modifiers: list[Modifier]
) -> Shot:
    team = aim.shooters[number]
    pool = aim.pool(number, slot, order)
    dice = aim.points(number, slot, pool)
    rules: list[str] = []
    if team.kind.in_turret[slot]:
        rules.append("tr14.firing.turret-arc")
    elif team.kind.type != "infantry":
        rules.append("tr14.firing.arc")
    if dice < weapon.fp:
        near = min([aim.distance[number][position] for position in pool])
        modifiers = [*modifiers, Modifier(1, "tr14.firing.mod-long-range", f"long range ({near:.1f} inches)")]
    if weapon.at and order.type and aim.kinds[pool[0]].type == order.type:
        rules.append("tr14.firing.at-declares-type")
    needed = TO_HIT[target.unit.training] + total(modifiers)
    if weapon.mount == "coax":
        rules.append("tr14.arsenal.coax")
    return Shot(number, team, weapon, aim.valid[number][slot], pool, dice, needed, modifiers, rules)
