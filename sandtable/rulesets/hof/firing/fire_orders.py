"""A Fire order names one enemy Team (`targets`); all who can fire at it roll their Fire Dice. Then `hit_effects`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from sandtable.engine.events import LAPSED, Modifier, several, total
from sandtable.engine.game import Flow
from sandtable.engine.questions import Assign, Option
from sandtable.engine.ruleset import Ask
from sandtable.field.moments import Moment
from sandtable.rulesets.hof.core.acts import Activation, Losses, Order, living
from sandtable.rulesets.hof.core.arsenal import Weapon
from sandtable.rulesets.hof.core.board import Battle, board
from sandtable.rulesets.hof.core.checks import NEEDED, reroll_for_quality
from sandtable.rulesets.hof.core.labels import PAGE, full_label, label, team_label, team_list
from sandtable.rulesets.hof.core.nearby import standpoint
from sandtable.rulesets.hof.core.state import Member, Team, Unit
from sandtable.rulesets.hof.firing.fire_lines import SPILL, FireTable, Marks, enemies_of, kept_table
from sandtable.rulesets.hof.firing.hit_allocation import Hit
from sandtable.rulesets.hof.firing.hit_effects import allocate
from sandtable.rulesets.hof.firing.targets import takers, why_unarmed
from sandtable.rulesets.hof.firing.vehicles import armor, is_flank
from sandtable.rulesets.hof.firing.weapons import farthest, high_explosive, is_flame, rate_of_fire, reach_of
from sandtable.rulesets.hof.kernels import concealing, fire
from sandtable.rulesets.hof.leaders import abilities
from sandtable.rulesets.hof.terrain import CONCEALED, concealment
from sandtable.table import distance as measure

WHEN_FIRED: Moment[Callable[[Battle, Unit, Team, Sequence[Weapon]], None]] = Moment()
"""A Team has fired some weapons: what that has cost it."""

DICE = "hof.firing.fire-dice"

CANNOT = 7
"""hof.orders.modifiers-shift-target: a die that needs so much never succeeds."""

MODIFIERS: dict[str, Modifier] = {}
"""What else makes a target harder to hit, by its role: later chapters add to it."""


@dataclass(slots=True)
class Way:
    """One way for a Team to fire: its weapons with their dice, the one at full RoF first."""

    name: str
    shots: list[tuple[Weapon, int]]
    rules: list[str]


HINDRANCES = PAGE.names["hindrances"]
"""What keeps a Team from firing (`FireTable.hindrance`), in a word or two."""

UNARMED = "nothing to fire with"


# Who fires, with what.


def carry_out(game: Battle, act: Activation, order: Order, losses: Losses) -> Flow[None]:
    """A Fire order: all its Teams that can still fire do so together."""
    ready = able(game, act, order)
    if not ready:
        return
    table = table_for(game, act, ready, order.target)
    if table is None:
        text = f"The target of {label(act.unit)} is gone: the order is lost."
        rule = "hof.activation.declare-specifics"
        game.tell("no-fire", text, rule, seat=act.side, unit=act.unit.id, target=order.target, **LAPSED)
        return
    rows = [row for row, column in enumerate(table.can.tolist()) if column[0]] if table.members else []
    if len(rows) < len(ready):
        tell_blind(game, act, table, ready)
    if not rows:
        return
    marks = concealment_marks(table, rows)
    ways = yield from choose_ways(act, table, rows, marks)
    act.acted.update([table.members[row][1].id for row in rows])
    hits = yield from roll_dice(act, table, ways, marks)
    for spent in WHEN_FIRED:
        for row in rows:
            spent(game, *table.members[row], [weapon for weapon, _ in ways[row].shots])
    if not hits:
        return
    yield from allocate(act, table, reach_of_ways(game, ways), marks, hits, losses)


def choose_ways(act: Activation, table: FireTable, rows: list[int], marks: Marks) -> Flow[dict[int, Way]]:
    """How each Team that can fire does so, once a Leader has said whose fire he directs."""
    useful = useful_weapons(act, table, rows, marks)
    directed = None
    if act.leader is not None or act.above is not None:
        firing = [table.members[row] for row in rows if useful[row]]
        directed = yield from abilities.direct_fire(table.game, act, firing)
    return (yield from choose_weapons(act, table, useful, marks, directed))


def reach_of_ways(game: Battle, ways: dict[int, Way]) -> dict[int, float]:
    """How far each of those who fire can reach with what it fires."""
    return {row: max(farthest(game, weapon) for weapon, _ in way.shots) for row, way in ways.items()}


def able(game: Battle, act: Activation, order: Order) -> list[Member]:
    """The Teams of an order that are there and not Suppressed (hof.activation.suppressed-may-be-ordered)."""
    ready = []
    for unit, team in living(order.members):
        if team.at is None and team.role != "rider":
            continue
        if team.suppressed:
            text = f"{team_label(unit, team)} is Suppressed and does not fire."
            rules = ("hof.activation.suppressed-may-be-ordered", "hof.rfp-rally.suppressed-effects")
            game.tell("no-fire", text, *rules, seat=act.side, team=team.id, **LAPSED)
        else:
            ready.append((unit, team))
    return ready


def table_for(game: Battle, act: Activation, ready: list[Member], target: str) -> FireTable | None:
    """The target and everybody within 4 inches of it; None if it is gone."""
    here = board(game)
    kept = kept_table(game, act)
    if kept is not None and not kept.idle and not game.setup.options.riders:
        known = next((number for number, (_, team) in enumerate(kept.targets) if team.id == target), None)
        return None if known is None else kept.only(ready).about(known)
    enemies = enemies_of(game, act.side)
    first = next((number for number, (_, team) in enumerate(enemies) if team.id == target), None)
    if first is None:
        return None
    if game.setup.options.riders:
        rows = here.of([standpoint(game, team) or team for _, team in enemies])
    else:
        rows = here.enemy_rows(act.side)
    gaps = measure.distances(rows[first : first + 1], rows)[0].tolist()
    near = [enemies[number] for number, gap in enumerate(gaps) if measure.within(gap, SPILL) and number != first]
    return FireTable(game, act.side, ready, leader=act.leader, targets=[enemies[first], *near])


def tell_blind(game: Battle, act: Activation, table: FireTable, ready: list[Member]) -> None:
    """Those who cannot fire at the target now do nothing."""
    blind = [(number, team) for number, (_, team) in enumerate(table.members) if not table.can[number, 0]]
    reasons = {team.id: table.hindrance(number, 0) for number, team in blind}
    armed = {team.id for _, team in table.members}
    for member in ready:
        if member[1].id not in armed:
            reasons[member[1].id] = why_unarmed(game, member, member[1].id).rule or "hof.firing.fire-dice"
    target = table.targets[0][1]
    idle = {member[1].id: member for member in [*table.members, *ready]}
    why = ", ".join(dict.fromkeys(HINDRANCES.get(rule, UNARMED) for rule in reasons.values()))
    text = f"{team_list([idle[name] for name in reasons])} cannot fire at {team_label(*table.targets[0])}: {why}."
    rules = ["hof.firing.los-requirement", *reasons.values()]
    data = {"unit": act.unit.id, "target": target.id, "reasons": reasons, **LAPSED}
    game.tell("no-fire", text, *dict.fromkeys(rules), seat=act.side, **data)


def useful_weapons(act: Activation, table: FireTable, rows: list[int], marks: Marks) -> dict[int, list[Weapon]]:
    """The weapons of each Team that do something to somebody who may be dealt their hits: only about them is asked."""
    inside = {row: weapons_in_range(table, row) for row in rows}
    reach = {row: max(farthest(table.game, weapon) for weapon in weapons) for row, weapons in inside.items()}
    numbers, _ = takers(act, table, reach, marks)
    return {row: [weapon for weapon in found if table.hurts(row, weapon, numbers)] for row, found in inside.items()}


def weapons_in_range(table: FireTable, row: int) -> list[Weapon]:
    """What a Team may fire with at the target; with its Leader's eyes nothing but light mortars."""
    gap, flames = table.ranges[row], table.game.setup.options.flame
    weapons = [weapon for weapon in table.weapons[row] if measure.within(gap, reach_of(weapon, flames))]
    if table.mortars and table.unseen[row, 0]:
        weapons = [weapon for weapon in weapons if "light-mortar" in weapon.keywords]
    return weapons


def ways_to_fire(table: FireTable, row: int, directed: Team | None) -> list[Way]:
    """hof.firing.several-weapons: one weapon at full RoF, each other at RoF 1; or gun or MGs, by the arsenal's note."""
    game, (unit, team), gap = table.game, table.members[row], table.ranges[row]
    weapons = weapons_in_range(table, row)
    noted = game.setup.options.gun_or_mgs and True in ["gun-or-mgs" in weapon.keywords for weapon in weapons]
    groups = [weapons]
    if noted and any("mg" not in weapon.keywords for weapon in weapons):
        groups = [[w for w in weapons if "mg" not in w.keywords], [w for w in weapons if "mg" in w.keywords]]
    felt = [weapon for weapon in weapons if table.felt(weapon)]
    found: dict[object, Way] = {}
    for group in groups:
        for main in group:
            rof, rules = rate_of_fire(game, unit, team, main, gap)
            if team is directed:
                rof += 1
                rules.append("hof.leaders.direct-fire")
            others = [w for w in group if w is not main and not is_flame(game, w)]
            if others:
                rules.append("hof.firing.several-weapons")
            if len(groups) > 1:
                rules.append("hof.firing.main-gun-or-mgs")
            way = Way(main.name, [(main, rof), *((weapon, 1) for weapon in others)], rules)
            found.setdefault(tuple(sorted([(likeness(w), dice) for w, dice in way.shots if w in felt])), way)
    if len(found) > 1:
        found.pop((), None)
    return list(found.values())


@cache
def likeness(weapon: Weapon) -> str:
    """All that matters of a weapon, to tell those that differ only in name from others."""
    return repr((weapon.range, weapon.at, weapon.fp, weapon.keywords))


def choose_weapons(
    act: Activation, table: FireTable, useful: dict[int, list[Weapon]], marks: Marks, directed: Team | None
) -> Flow[dict[int, Way]]:
    """Which weapon of each Team fires at full RoF; asked where it makes a difference."""
    ways = {row: ways_to_fire(table, row, directed) for row in useful}
    for row, found in ways.items():
        if len(found) > 1:
            found.sort(key=lambda way: -worth_of_way(table, row, way))
            ways[row] = [way for way in found if way.shots[0][0] in useful[row]] or found[:1]
    open_rows = [row for row, found in ways.items() if len(found) > 1]
    if not open_rows:
        return {row: found[0] for row, found in ways.items()}
    rules = ["hof.firing.several-weapons"]
    if any("hof.firing.main-gun-or-mgs" in ways[row][0].rules for row in open_rows):
        rules.append("hof.firing.main-gun-or-mgs")
    items = {table.members[row][1].id: [Option(way.name, way_words(way)) for way in ways[row]] for row in open_rows}
    best = {name: options[0].id for name, options in items.items()}

    def chosen(answer: dict[str, str]) -> dict[int, Way]:
        found = {row: ways[row][0] for row in ways}
        for row in open_rows:
            name = answer.get(table.members[row][1].id)
            found[row] = next((way for way in ways[row] if way.name == name), found[row])
        return found

    question = Assign(
        "weapons",
        "Which weapon fires at full Rate of Fire? Whoever is left out takes the first.",
        items,
        rules=tuple(rules),
        facts={"unit": act.unit.id},
        proposals=lambda most: [best],
        chance=lambda random: {name: ways[int(random.random() * len(ways))].id for name, ways in items.items()},
        step="detail",
        about=lambda answer: (act, table, chosen(answer), marks),
    )
    return chosen((yield Ask(act.side, question)))


def way_words(way: Way) -> str:
    return ", ".join(f"{weapon.name} ({several(dice, 'die', 'dice')})" for weapon, dice in way.shots)


def worth_of_way(table: FireTable, row: int, way: Way) -> float:
    """How much a way of firing promises against the target: a hint for programs."""
    team = table.targets[0][1]
    gap = table.ranges[row]
    worth = 0.0
    for weapon, dice in way.shots:
        chances = 2 if gap > weapon.range else 3
        if not team.kind.armored:
            worth += chances * dice * weapon.fp
        elif weapon.at is not None:
            over = weapon.at - armor(team, is_flank(table.game, table.rows[row], team))
            only = "rfps-only" in weapon.keywords
            worth += chances * dice * ((1.0 if only else 1.5 + over) if over > 0 else 0.3 * (weapon.at > -over))
    return worth


# The Fire Dice: what makes them harder, how they are thrown, and the hits that come of them.


@dataclass(slots=True)
class Volley:
    """Dice that are thrown together: weapons of one kind that need the same number."""

    weapon: Weapon
    needed: int
    modifiers: list[Modifier]
    rules: list[str]
    shots: list[tuple[int, int]] = field(default_factory=list)
    """The number of each Team in the table, and its dice."""


def concealment_marks(table: FireTable, rows: list[int]) -> Marks:
    """What conceals and shelters each Team about the target from each that fires."""
    found = concealment.flags(table.game, [table.bodies[row] for row in rows], table.targets)
    if table.leader is not None and table.mortars and table.unseen.any():
        lent = concealment.flags(table.game, [table.leader], table.targets) & ~concealing.SHELTER
        found = np.where(table.unseen[rows], lent, found)
    return dict(zip(rows, found.tolist(), strict=True))


def roll_dice(act: Activation, table: FireTable, ways: dict[int, Way], marks: Marks) -> Flow[list[Hit]]:
    """hof.firing.fire-dice: 4 or more after modifiers."""
    rows = list(ways)
    hidden = Hidden(table, marks, rows)
    rules = target_rules(table, rows, hidden)
    hits: list[Hit] = []
    order = [table.members[row][1].id for row in rows]
    for volley in volleys_of(table, ways, hidden):
        hits += yield from throw(act, table, volley, rules, order)
    return hits


def volleys_of(table: FireTable, ways: dict[int, Way], hidden: Hidden) -> list[Volley]:
    """All the Fire Dice: weapons that need the same are thrown together."""
    volleys: dict[object, Volley] = {}
    for row, way in ways.items():
        more = way.rules
        for weapon, dice in way.shots:
            if table.felt(weapon):
                modifiers, reasons = modifiers_for(table, row, weapon, hidden)
                key = (table.members[row][0].id, weapon, *modifiers)
                volley = volleys.get(key)
                if volley is None:
                    volley = volleys[key] = Volley(weapon, NEEDED + total(modifiers), modifiers, [])
                volley.rules += [*reasons, *more]
                volley.shots.append((row, dice))
            more = ["hof.firing.several-weapons"]
    return list(volleys.values())


def throw(act: Activation, table: FireTable, volley: Volley, rules: list[str], order: list[str]) -> Flow[list[Hit]]:
    """One volley; `order` names all who fire under the same order."""
    game, weapon, target = table.game, volley.weapon, table.targets[0][1]
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


def target_rules(table: FireTable, rows: list[int], hidden: Hidden) -> list[str]:
    """The rules that speak of the target and of the lines to it."""
    rules = ["hof.firing.single-target"]
    watching = hidden.watching
    if len(watching) < len(rows):
        rules.append("hof.firing.los-requirement")
    target = table.target_bodies[0]
    if board(table.game).host(target) is not target:
        rules.append("hof.leaders.position-abstracted")
    if not hidden.concealed:
        if any(hidden.marks[row][0] & CONCEALED for row in watching):
            rules.append("hof.firing.concealed-from-all")
        if concealment.looking_out(table.game, [table.bodies[row] for row in watching]):
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
        if over == fire.OVER:
            rules.append("hof.firing.from-elevation")
        elif over == fire.THROUGH:
            heavy = table.members[row][1].kind.category != "infantry"
            rules.append("hof.firing.guns-vehicles-over-infantry" if heavy else "hof.firing.infantry-over-infantry")
    return rules


def modifiers_for(table: FireTable, row: int, weapon: Weapon, hidden: Hidden) -> tuple[list[Modifier], list[str]]:
    """What makes a weapon's dice harder, and the rules that had a say."""
    found, rules = concealment_modifier(table, row, weapon, hidden)
    harder = MODIFIERS.get(table.targets[0][1].role)
    found += [harder] if harder is not None else []
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
    """Whether all who judge it say that the target is concealed, and by which rules.

    Only those judge who have the target itself in sight, or borrow a Leader's eyes.
    """

    def __init__(self, table: FireTable, marks: Marks, rows: list[int]) -> None:
        self.marks = marks
        aims = table.aim[:, 0].tolist()
        self.watching = [row for row in rows if aims[row] == 0]
        self.concealed = all(marks[each][0] & CONCEALED for each in self.watching)
        self.rules: list[str] = []
        if self.concealed and self.watching:
            self.rules = concealment.why(table.game, [table.bodies[each] for each in self.watching], table.targets[0])


def concealment_modifier(
    table: FireTable, row: int, weapon: Weapon, hidden: Hidden
) -> tuple[list[Modifier], list[str]]:
    """hof.firing.concealed-modifier, hof.firing.concealed-from-all, hof.firing.he-ignores-occupied-terrain."""
    if is_flame(table.game, weapon):
        return [], ["hof.optional.flame-fire", "hof.optional.flame-profile", "hof.special-rules.flame-thrower"]
    if not hidden.concealed:
        return [], []
    rules = list(hidden.rules)
    if not table.targets[0][1].kind.vehicle and weapon.at is not None:
        if not high_explosive(weapon):
            rules.append("hof.special-rules.limited-he")
        else:
            judges = [row] if row in hidden.watching else hidden.watching
            if not all(hidden.marks[each][0] & concealing.BETWEEN for each in judges):
                return [], [*rules, "hof.firing.he-ignores-occupied-terrain"]
    return [Modifier(1, "hof.firing.concealed-modifier", "concealed")], rules
