"""The Fire Dice: what makes them harder, how they are thrown, and the hits that come of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sandtable.engine.events import Modifier, several, total
from sandtable.engine.game import Flow, Game
from sandtable.rulesets.hof.core.acts import Activation
from sandtable.rulesets.hof.core.arsenal import Weapon
from sandtable.rulesets.hof.core.board import board
from sandtable.rulesets.hof.core.checks import NEEDED, reroll_for_quality
from sandtable.rulesets.hof.core.labels import full_label, team_list
from sandtable.rulesets.hof.core.moments import Moment
from sandtable.rulesets.hof.core.state import State, Team
from sandtable.rulesets.hof.firing.fire_lines import FireTable
from sandtable.rulesets.hof.firing.hit_allocation import Hit
from sandtable.rulesets.hof.firing.weapons import high_explosive, is_flame
from sandtable.rulesets.hof.terrain import CONCEALED, concealment
from sandtable.table import distance as measure
from sandtable.table.fire import OVER, THROUGH
from sandtable.table.veil import BETWEEN, SHELTER

DICE = "hof.firing.fire-dice"

CANNOT = 7
"""hof.orders.modifiers-shift-target: a die that needs so much never succeeds."""

MODIFIERS: Moment[Callable[[Team], list[Modifier]]] = Moment()
"""What else makes a target harder to hit."""


@dataclass(slots=True)
class Way:
    """One way for a Team to fire: its weapons with their dice, the one at full RoF first."""

    name: str
    shots: list[tuple[Weapon, int]]
    rules: list[str]


@dataclass(slots=True)
class Volley:
    """Dice that are thrown together: weapons of one kind that need the same number."""

    weapon: Weapon
    needed: int
    modifiers: list[Modifier]
    rules: list[str]
    shots: list[tuple[int, int]] = field(default_factory=list)
    """The number of each Team in the table, and its dice."""


def concealment_marks(game: Game[State], table: FireTable, rows: list[int]) -> dict[int, list[int]]:
    """What conceals and shelters each Team about the target from each that fires, as flags of `veil`."""
    found = concealment.flags(game, [table.bodies[row] for row in rows], table.targets)
    if table.leader is not None and table.mortars and table.unseen.any():
        lent = concealment.flags(game, [table.leader], table.targets) & ~SHELTER
        found = np.where(table.unseen[rows], lent, found)
    return dict(zip(rows, found.tolist(), strict=True))


def watchers_of(table: FireTable, rows: Sequence[int]) -> list[int]:
    """Those who have the target itself in sight, or borrow a Leader's eyes: only they judge its concealment."""
    aims = table.aim[:, 0].tolist()
    return [row for row in rows if aims[row] == 0]


def roll_dice(
    game: Game[State], act: Activation, table: FireTable, ways: dict[int, Way], marks: dict[int, list[int]]
) -> Flow[list[Hit]]:
    """hof.firing.fire-dice: 4 or more after modifiers; weapons that need the same are thrown together."""
    target = table.targets[0][1]
    rows = list(ways)
    hidden = Hidden(game, table, marks, rows)
    rules = target_rules(game, table, rows, hidden)
    volleys: dict[object, Volley] = {}
    for row, way in ways.items():
        more = way.rules
        for weapon, dice in way.shots:
            if table.felt(weapon):
                modifiers, reasons = modifiers_for(game, table, row, weapon, hidden)
                key = (table.members[row][0].id, weapon, *modifiers)
                volley = volleys.get(key)
                if volley is None:
                    volley = volleys[key] = Volley(weapon, NEEDED + total(modifiers), modifiers, [])
                volley.rules += [*reasons, *more]
                volley.shots.append((row, dice))
            more = ["hof.firing.several-weapons"]
    hits: list[Hit] = []
    order = [table.members[row][1].id for row in rows]
    for volley in volleys.values():
        hits += yield from throw(game, act, table, volley, target, rules, order)
    return hits


def throw(
    game: Game[State],
    act: Activation,
    table: FireTable,
    volley: Volley,
    target: Team,
    rules: list[str],
    order: list[str],
) -> Flow[list[Hit]]:
    """One volley; `order` names all who fire under the same order."""
    weapon = volley.weapon
    unit = table.members[volley.shots[0][0]][0]
    teams = [table.members[row][1] for row, _ in volley.shots]
    number = sum([dice for _, dice in volley.shots])
    data: dict[str, Any] = {
        "unit": unit.id,
        "target": target.id,
        "teams": [team.id for team in teams],
        "weapon": weapon.name,
        "needed": volley.needed,
        "shots": [dice for _, dice in volley.shots],
        "order": order,
    }
    cited = [DICE, *rules, *volley.rules]
    firing = team_list([table.members[row] for row, _ in volley.shots])
    words = f"{firing}: {weapon.name} at {full_label(*table.targets[0])}"
    if volley.needed >= CANNOT:
        text = f"{words} would need {volley.needed}: no die can succeed."
        cited.append("hof.orders.modifiers-shift-target")
        game.tell("fire", text, *dict.fromkeys(cited), seat=act.side, modifiers=volley.modifiers, **data, hits=0)
        return []
    result = yield from game.throw(act.side, number, "Fire Dice")
    if target.kind.vehicle:
        cited += yield from reroll_for_quality(game, unit.quality, result)
    hits: list[Hit] = []
    values = iter(result.values)
    for row, dice in volley.shots:
        hits += [Hit(row, weapon) for _ in range(dice) if next(values) >= volley.needed]
    text = f"{words}, {several(number, 'die', 'dice')} needing {volley.needed}+: {several(len(hits), 'hit')}."
    rolled: dict[str, Any] = {"dice": [result], "modifiers": volley.modifiers}
    game.tell("fire", text, *dict.fromkeys(cited), seat=act.side, **rolled, **data, hits=len(hits))
    return hits


def target_rules(game: Game[State], table: FireTable, rows: list[int], hidden: Hidden) -> list[str]:
    """The rules that speak of the target and of the lines to it."""
    rules = ["hof.firing.single-target"]
    watching = hidden.watching
    if len(watching) < len(rows):
        rules.append("hof.firing.los-requirement")
    target = table.target_bodies[0]
    if board(game).host(target) is not target:
        rules.append("hof.leaders.position-abstracted")
    if not hidden.concealed:
        if any(hidden.marks[row][0] & CONCEALED for row in watching):
            rules.append("hof.firing.concealed-from-all")
        if concealment.looking_out(game, [table.bodies[row] for row in watching]):
            rules.append("hof.terrain.area-looking-out")
    for row in rows:
        kind = table.members[row][1].kind
        if kind.category == "infantry" or kind.turret:
            rules.append("hof.firing.arc-all-round")
        else:
            rules.append("hof.special-rules.hull-mounted" if kind.vehicle else "hof.firing.arc-forward")
    return list(dict.fromkeys([*rules, *over_friends(table, rows)]))


def over_friends(table: FireTable, rows: list[int]) -> list[str]:
    """The rules by which some of those who fire do so over friends."""
    rules = []
    for row, over in zip(rows, table.over_friends(rows), strict=True):
        if over == OVER:
            rules.append("hof.firing.from-elevation")
        elif over == THROUGH:
            heavy = table.members[row][1].kind.category != "infantry"
            rules.append("hof.firing.guns-vehicles-over-infantry" if heavy else "hof.firing.infantry-over-infantry")
    return rules


def modifiers_for(
    game: Game[State], table: FireTable, row: int, weapon: Weapon, hidden: Hidden
) -> tuple[list[Modifier], list[str]]:
    """What makes a weapon's dice harder, and the rules that had a say."""
    found, rules = concealment_modifier(game, table, row, weapon, hidden)
    for more in MODIFIERS:
        found += more(table.targets[0][1])
    if measure.beyond(table.ranges[row], weapon.range):
        if spotted(table):
            rules.append("hof.optional.recon-spotted-effect")
        else:
            found.append(Modifier(1, "hof.firing.long-range-modifier", "long range"))
            rules.append("hof.firing.maximum-range")
    if table.mortars and table.unseen[row, 0]:
        found.append(Modifier(1, "hof.special-rules.light-mortar", "target unseen"))
    return found, rules


def spotted(table: FireTable) -> bool:
    """hof.optional.recon-spotted-effect: the target, or a Team within 4 inches of it, bears a Spotted marker."""
    return any(team.spotted for _, team in table.targets)


class Hidden:
    """Whether all who judge it say that the target is concealed, and by which rules."""

    def __init__(self, game: Game[State], table: FireTable, marks: dict[int, list[int]], rows: list[int]) -> None:
        self.marks = marks
        self.watching = watchers_of(table, rows)
        self.concealed = all(marks[each][0] & CONCEALED for each in self.watching)
        self.rules: list[str] = []
        if self.concealed and self.watching:
            self.rules = concealment.why(game, [table.bodies[each] for each in self.watching], table.targets[0])


def concealment_modifier(
    game: Game[State], table: FireTable, row: int, weapon: Weapon, hidden: Hidden
) -> tuple[list[Modifier], list[str]]:
    """hof.firing.concealed-modifier, hof.firing.concealed-from-all, hof.firing.he-ignores-occupied-terrain."""
    if is_flame(game, weapon):
        return [], ["hof.optional.flame-fire", "hof.optional.flame-profile", "hof.special-rules.flame-thrower"]
    if not hidden.concealed:
        return [], []
    rules = list(hidden.rules)
    if not table.targets[0][1].kind.vehicle and weapon.at is not None:
        if not high_explosive(weapon):
            rules.append("hof.special-rules.limited-he")
        else:
            judges = [row] if row in hidden.watching else hidden.watching
            if not all(hidden.marks[each][0] & BETWEEN for each in judges):
                return [], [*rules, "hof.firing.he-ignores-occupied-terrain"]
    return [Modifier(1, "hof.firing.concealed-modifier", "concealed")], rules
