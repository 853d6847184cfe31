"""Firing: a Fire order names one enemy Team; all who can fire at it roll their Fire Dice. Then `hit_effects`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from random import Random

from sandtable.engine.events import several
from sandtable.engine.game import Flow, Game
from sandtable.engine.questions import Assign, Choose, LaterList, Option, Refusal, illegal
from sandtable.engine.ruleset import Ask
from sandtable.rulesets.hof.core.acts import Activation, Losses, Order, living
from sandtable.rulesets.hof.core.arsenal import Weapon
from sandtable.rulesets.hof.core.board import board
from sandtable.rulesets.hof.core.labels import full_name, label, team_label, team_list
from sandtable.rulesets.hof.core.moments import Moment
from sandtable.rulesets.hof.core.nearby import standpoint
from sandtable.rulesets.hof.core.state import Member, State, Team, Unit, find_team, other
from sandtable.rulesets.hof.firing.fire_dice import Way, concealment_marks, roll_dice
from sandtable.rulesets.hof.firing.fire_lines import SPILL, FireTable, enemies_of, kept_table
from sandtable.rulesets.hof.firing.hit_allocation import takers
from sandtable.rulesets.hof.firing.hit_effects import allocate
from sandtable.rulesets.hof.firing.vehicles import armor, is_flank
from sandtable.rulesets.hof.firing.weapons import farthest, is_flame, rate_of_fire, reach_of, weapons_of
from sandtable.rulesets.hof.firing.why_not import why_not, why_unarmed
from sandtable.rulesets.hof.leaders import abilities
from sandtable.table import distance as measure

WHEN_FIRED: Moment[Callable[[Game[State], Unit, Team, Sequence[Weapon]], None]] = Moment()
"""A Team has fired some weapons: what that has cost it."""


# Whom to fire at.


def able_to_fire(game: Game[State], act: Activation, members: Sequence[Member]) -> set[str]:
    """Those of some Teams who may be ordered to fire at somebody; the activation keeps the table of their fire.

    A Team may join the others against armor that it cannot hurt itself, but not fire at it alone.
    """
    table = act.table = FireTable(game, act.side, members, leader=act.leader)
    if table.idle:
        return set()
    return {team.id for (_, team), may in zip(table.members, table.able, strict=True) if may}


def who_may_fire(game: Game[State], side: str, members: Sequence[Member], target: Member) -> list[str]:
    """Those of some Teams who, each alone, may be ordered to fire at one enemy Team."""
    table = FireTable(game, side, members, targets=[target])
    if table.idle:
        return []
    able = table.gain[:-1, 0].tolist()
    return [team.id for (_, team), useful in zip(table.members, able, strict=True) if useful]


def why_no_target(game: Game[State], unit: Unit, team: Team) -> Refusal:
    """Why a Team cannot be given a Fire order: what keeps it from the nearest enemy."""
    if not weapons_of(game, unit, team):
        return why_unarmed(game, (unit, team), team.id)
    enemies = enemies_of(game, unit.side)
    place = standpoint(game, team)
    if not enemies or place is None:
        return illegal("hof.firing.los-requirement", f"{team_label(unit, team)} has nobody to fire at.", field=team.id)
    here = board(game)
    gaps = measure.distances(here.of([place]), here.of([standpoint(game, enemy) or enemy for _, enemy in enemies]))
    return why_not(game, unit.side, (unit, team), enemies[int(gaps[0].argmin())], team.id)


def table_of(game: Game[State], act: Activation, members: Sequence[Member]) -> FireTable:
    """What some Teams of an activation can fire at now."""
    kept = kept_table(game, act)
    if kept is not None:
        return kept.only(members)
    return FireTable(game, act.side, members, leader=act.leader)


def worthy_targets(game: Game[State], act: Activation, members: Sequence[Member]) -> list[str]:
    """The enemy Teams that a Fire order to some Teams might name."""
    table = table_of(game, act, members)
    return (
        [] if table.idle else [team.id for (_, team), worthy in zip(table.targets, table.worthy, strict=True) if worthy]
    )


def may_split(game: Game[State], act: Activation, one: Sequence[Member], two: Sequence[Member]) -> bool:
    """hof.activation.split-combinations: whether two Fire orders could name two targets."""
    first, second = worthy_targets(game, act, one), worthy_targets(game, act, two)
    return first != second or len(first) != 1


def spoken_for(game: Game[State], act: Activation, order: Order) -> list[str]:
    """hof.activation.split-combinations: what the other Fire order names, or the only target that it could."""
    taken: list[str] = []
    for each in act.orders:
        if each is not order and each.kind == "fire":
            left = [each.target] if each.target else worthy_targets(game, act, each.members)
            taken += left if len(left) == 1 else []
    return taken


def declare(game: Game[State], act: Activation, order: Order) -> Flow[None]:
    """hof.firing.single-target: one enemy Team for the whole order, the most promising offered first."""
    table = table_of(game, act, order.members)
    if table.idle:
        return
    taken = spoken_for(game, act, order) if len(act.orders) > 1 else []
    numbers = [
        number for number, worthy in enumerate(table.worthy) if worthy and table.targets[number][1].id not in taken
    ]
    if not numbers:
        return
    if len(numbers) > 1:

        def options() -> list[Option]:
            best = sorted(numbers, key=lambda number: -promise(act, table, number))
            return [target_option(table, number) for number in best]

        def chance(random: Random) -> str:
            return table.targets[numbers[int(random.random() * len(numbers))]][1].id

        def barred(choice: str) -> Refusal | None:
            return bar_target(game, act, order, choice, taken)

        rules = ("hof.firing.single-target", "hof.firing.los-requirement", "hof.activation.declare-specifics")
        facts = {"unit": act.unit.id, "order": order.name}
        words = f"At whom does {label(act.unit)} fire?"
        question = Choose("target", words, LaterList(options), rules=rules, facts=facts, barred=barred, chance=chance)
        order.target = yield Ask(act.side, question)
    else:
        order.target = table.targets[numbers[0]][1].id


def target_option(table: FireTable, number: int) -> Option:
    unit, team = table.targets[number]
    nearest = measure.distances(table.rows, table.target_rows[number : number + 1]).min()
    words = f"{full_name(unit, team)}, {several(round(nearest), 'inch', 'inches')}"
    return Option(team.id, words, pieces=(team.id,))


def bar_target(game: Game[State], act: Activation, order: Order, choice: str, taken: Sequence[str]) -> Refusal | None:
    """Why an enemy may not be chosen. Nothing may tell a hidden enemy's name from a wrong one."""
    found = find_team(game.state, choice)
    if found is None or standpoint(game, found[1]) is None:
        return None
    if found[0].side == act.side:
        return illegal("hof.firing.single-target", f"{team_label(*found)} is a friend.", field=choice)
    if not any(found[1] is team for _, team in enemies_of(game, act.side)):
        return None
    if choice in taken:
        message = f"{team_label(*found)} is the target of the other Fire order."
        legal = "Two Fire orders name two targets."
        return illegal("hof.activation.split-combinations", message, field=choice, legal=legal)
    return why_not(game, act.side, order.members[0], found, choice, act.leader)


def promise(act: Activation, table: FireTable, number: int) -> float:
    """How much fire at a target promises: dice, range, armor. Only the order of the proposals hangs on it."""
    team = table.targets[number][1]
    kind = team.kind
    worth = 0.0
    for row, able in enumerate(table.can[:, number].tolist()):
        if not able:
            continue
        gap = table.gap[row, table.aim[row, number]]
        weapons = table.weapons[row]
        main = weapons[0]
        chances = (2 if gap > main.range else 3) - int(table.unseen[row, number])
        if not kind.armored:
            worth += chances * (main.rof * min(main.fp, 2) + len(weapons) - 1)
        elif main.at is not None:
            over = main.at - armor(team, is_flank(table.game, table.rows[row], team))
            worth += chances * main.rof * (1.5 + over if over > 0 else 0.3 * (main.at > -over))
    if act.unit.id in team.hit_by and not act.hero:
        worth *= 0.2
    if kind.small:
        worth *= 0.6
    return worth * (0.9 if team.rfps else 1.0)


# Who fires, with what.


def carry_out(game: Game[State], act: Activation, order: Order, losses: Losses) -> Flow[None]:
    """A Fire order: all its Teams that can still fire do so together."""
    ready = able(game, act, order)
    if not ready:
        return
    table = table_for(game, act, ready, order.target)
    if table is None:
        text = f"The target of {label(act.unit)} is gone: the order is lost."
        rule = "hof.activation.declare-specifics"
        game.tell("no-fire", text, rule, seat=act.side, unit=act.unit.id, target=order.target)
        return
    rows = [row for row, column in enumerate(table.can.tolist()) if column[0]] if table.members else []
    if len(rows) < len(ready):
        tell_blind(game, act, table, ready)
    if not rows:
        return
    marks = concealment_marks(game, table, rows)
    useful = useful_weapons(game, act, table, rows, marks)
    directed = None
    if act.leader is not None or act.above is not None:
        directed = yield from abilities.direct_fire(game, act, [table.members[row] for row in rows if useful[row]])
    ways = yield from choose_weapons(game, act, table, useful, directed)
    act.acted.update([table.members[row][1].id for row in rows])
    hits = yield from roll_dice(game, act, table, ways, marks)
    for spent in WHEN_FIRED:
        for row in rows:
            spent(game, *table.members[row], [weapon for weapon, _ in ways[row].shots])
    if not hits:
        return
    reach = {row: max(farthest(game, weapon) for weapon, _ in ways[row].shots) for row in rows}
    yield from allocate(game, act, table, reach, marks, hits, losses)


def able(game: Game[State], act: Activation, order: Order) -> list[Member]:
    """The Teams of an order that are there and not Suppressed (hof.activation.suppressed-may-be-ordered)."""
    ready = []
    for unit, team in living(order.members):
        if team.at is None and team.role != "rider":
            continue
        if team.suppressed:
            text = f"{team_label(unit, team)} is Suppressed and does not fire."
            rules = ("hof.activation.suppressed-may-be-ordered", "hof.rfp-rally.suppressed-effects")
            game.tell("no-fire", text, *rules, seat=act.side, team=team.id)
        else:
            ready.append((unit, team))
    return ready


def table_for(game: Game[State], act: Activation, ready: list[Member], target: str) -> FireTable | None:
    """The target and everybody within 4 inches of it; None if it is gone."""
    here = board(game)
    kept = kept_table(game, act)
    if kept is not None and not kept.idle and not game.setup.options.riders:
        known = here.side(other(act.side)).number.get(target)
        return None if known is None else kept.only(ready).about(known)
    enemies = enemies_of(game, act.side)
    first = next((number for number, (_, team) in enumerate(enemies) if team.id == target), None)
    if first is None:
        return None
    if game.setup.options.riders:
        rows = here.of([standpoint(game, team) or team for _, team in enemies])
    else:
        rows = here.rows.take(here.side(other(act.side)).rows, axis=0)
    gaps = measure.distances(rows[first : first + 1], rows)[0].tolist()
    near = [enemies[number] for number, gap in enumerate(gaps) if measure.within(gap, SPILL) and number != first]
    targets = [enemies[first], *near]
    return FireTable(game, act.side, ready, leader=act.leader, targets=targets)


def tell_blind(game: Game[State], act: Activation, table: FireTable, ready: list[Member]) -> None:
    """Those who cannot fire at the target now do nothing."""
    reasons: dict[str, str] = {}
    for number, (_, team) in enumerate(table.members):
        if not table.can[number, 0]:
            reasons[team.id] = table.hindrance(number, 0)
    armed = {team.id for _, team in table.members}
    for member in ready:
        if member[1].id not in armed:
            reasons[member[1].id] = why_unarmed(game, member, member[1].id).rule or "hof.firing.fire-dice"
    target = table.targets[0][1]
    idle = {member[1].id: member for member in [*table.members, *ready]}
    text = f"{team_list([idle[name] for name in reasons])} cannot fire at {team_label(*table.targets[0])}."
    rules = ["hof.firing.los-requirement", *reasons.values()]
    game.tell(
        "no-fire", text, *dict.fromkeys(rules), seat=act.side, unit=act.unit.id, target=target.id, reasons=reasons
    )


def useful_weapons(
    game: Game[State], act: Activation, table: FireTable, rows: list[int], marks: dict[int, list[int]]
) -> dict[int, list[Weapon]]:
    """The weapons of each Team that do something to somebody who may be dealt their hits: only about them is asked."""
    inside = {row: weapons_in_range(game, table, row) for row in rows}
    reach = {row: max(farthest(game, weapon) for weapon in weapons) for row, weapons in inside.items()}
    numbers, _ = takers(game, act, table, reach, marks)
    return {row: [weapon for weapon in found if table.hurts(row, weapon, numbers)] for row, found in inside.items()}


def weapons_in_range(game: Game[State], table: FireTable, row: int) -> list[Weapon]:
    """What a Team may fire with at the target; with its Leader's eyes nothing but light mortars."""
    gap, flames = table.ranges[row], game.setup.options.flame
    weapons = [weapon for weapon in table.weapons[row] if measure.within(gap, reach_of(weapon, flames))]
    if table.mortars and table.unseen[row, 0]:
        weapons = [weapon for weapon in weapons if "light-mortar" in weapon.keywords]
    return weapons


def ways_to_fire(game: Game[State], table: FireTable, row: int, directed: Team | None) -> list[Way]:
    """hof.firing.several-weapons: one weapon at full RoF, each other at RoF 1; or gun or MGs, by the arsenal's note."""
    unit, team = table.members[row]
    gap = table.ranges[row]
    options = game.setup.options
    weapons = weapons_in_range(game, table, row)
    noted = options.gun_or_mgs and True in ["gun-or-mgs" in weapon.keywords for weapon in weapons]
    if len(weapons) == 1 and not noted:
        rof, rules = rate_of_fire(game, unit, team, weapons[0], gap)
        if team is directed:
            rof += 1
            rules.append("hof.leaders.direct-fire")
        return [Way(weapons[0].name, [(weapons[0], rof)], rules)]
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
    game: Game[State], act: Activation, table: FireTable, useful: dict[int, list[Weapon]], directed: Team | None
) -> Flow[dict[int, Way]]:
    """Which weapon of each Team fires at full RoF; asked where it makes a difference."""
    ways = {row: ways_to_fire(game, table, row, directed) for row in useful}
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

    def chance(random: Random) -> dict[str, str]:
        return {name: options[int(random.random() * len(options))].id for name, options in items.items()}

    question = Assign(
        "weapons",
        "Which weapon fires at full Rate of Fire? Whoever is left out takes the first.",
        items,
        rules=tuple(rules),
        facts={"unit": act.unit.id},
        proposals=lambda most: [best],
        chance=chance,
    )
    answer: dict[str, str] = yield Ask(act.side, question)
    chosen = {row: found[0] for row, found in ways.items()}
    for row in open_rows:
        name = answer.get(table.members[row][1].id)
        chosen[row] = next((way for way in ways[row] if way.name == name), chosen[row])
    return chosen


def way_words(way: Way) -> str:
    return ", ".join(f"{weapon.name} {dice}" for weapon, dice in way.shots)


def worth_of_way(table: FireTable, row: int, way: Way) -> float:
    """How much a way of firing promises against the target."""
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
