"""Direct fire smoke: instead of firing, a Team with the Smoke note puts a smoke marker on an enemy Team."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from sandtable.engine.events import LAPSED, Modifier, falls, total
from sandtable.engine.game import Flow, choose_one
from sandtable.engine.questions import Choices, Option
from sandtable.field.checks import Check
from sandtable.rulesets.hof.core.acts import Activation, Losses, Order, living
from sandtable.rulesets.hof.core.arsenal import Weapon, profile
from sandtable.rulesets.hof.core.board import Battle, ground_changed
from sandtable.rulesets.hof.core.checks import NEEDED, reroll_for_quality
from sandtable.rulesets.hof.core.ground import SMOKE_RADIUS, Mask
from sandtable.rulesets.hof.core.labels import label, team_label, team_option
from sandtable.rulesets.hof.core.nearby import standpoint
from sandtable.rulesets.hof.core.state import Member, Smoke, Team, Unit
from sandtable.rulesets.hof.firing import FireTable, kept_table
from sandtable.rulesets.hof.terrain import CONCEALED, concealment
from sandtable.table import distance as measure

INSTEAD = "hof.optional.smoke-instead-of-fire"
ROLL = "hof.optional.smoke-roll"


@cache
def smoke_weapon(name: str) -> Weapon | None:
    """hof.special-rules.smoke: the weapon with which a kind of Team fires smoke."""
    return next((w for w in profile(name).weapons if w.direct and "smoke" in w.keywords), None)


def kept_for_smoke(game: Battle, act: Activation) -> FireTable | None:
    """What the activation has found out about fire, if it holds for smoke."""
    kept = kept_table(game, act)
    # A Leader's eyes serve the fire of light mortars, but not their smoke.
    return None if kept is None or (kept.leader is not None and kept.mortars) else kept


def open_to(table: FireTable, row: int, weapon: Weapon) -> Mask:
    """What a Team may fire smoke at: enemies that it sees itself, in range of the weapon that fires it."""
    found: Mask = table.can[row] & table.sees[row] & measure.within(table.gap[row], 2 * weapon.range)
    return found


def smoke_table(game: Battle, act: Activation, members: Sequence[Member]) -> FireTable:
    """What Teams may fire smoke at."""
    able = [(unit, team) for unit, team in members if smoke_weapon(team.profile) is not None and team.at is not None]
    kept = kept_for_smoke(game, act)
    table = FireTable(game, act.side, able) if kept is None else kept.only(able).part()
    if not table.idle:
        table.marks = table.marks.copy()
        for row, (_, team) in enumerate(table.members):
            if (weapon := smoke_weapon(team.profile)) is not None:
                table.can[row] = open_to(table, row, weapon)
    return table


def options(game: Battle, act: Activation, team: Team) -> list[Option]:
    weapon = smoke_weapon(team.profile)
    if weapon is None or team.at is None or team.bogged:
        return []
    table = kept_for_smoke(game, act) or FireTable(game, act.side, [(act.unit, team)])
    row = next((row for row, (_, each) in enumerate(table.members) if each is team), None)
    if row is None or table.idle or not open_to(table, row, weapon).any():
        return []
    return [Option("smoke", "Fire smoke", (INSTEAD, "hof.special-rules.smoke"))]


def proposable(game: Battle, act: Activation, team: Team) -> tuple[str, ...]:
    return ("smoke",) if not team.bogged and smoke_weapon(team.profile) is not None else ()


def declare(game: Battle, act: Activation, order: Order) -> Flow[None]:
    """The enemy Team that the smoke is to hide."""
    table = smoke_table(game, act, order.members)
    if table.idle:
        return
    numbers = np.flatnonzero(table.can.any(axis=0)).tolist()
    if not numbers:
        return
    nearest = measure.distances(table.rows, table.target_rows).min(axis=0)
    numbers.sort(key=lambda number: float(nearest[number]))
    open_targets = {table.targets[number][1].id: table.targets[number] for number in numbers}
    choices = Choices(open_targets, lambda member: team_option(*member))
    words, rules = "Whom shall the smoke hide?", (INSTEAD, ROLL)
    found = yield from choose_one(act.side, "smoke-target", words, choices, rules=rules, about=(act, order))
    order.target = found[1].id


def smoking(
    game: Battle, act: Activation, ready: Sequence[Member], target: str
) -> tuple[FireTable, list[int], int | None]:
    """Who of some Teams can fire smoke at a target now, as rows of a table, and the number of the target in it."""
    table = smoke_table(game, act, ready)
    number = next((n for n, (_, team) in enumerate(table.targets) if team.id == target), None)
    return table, [] if table.empty or number is None else np.flatnonzero(table.can[:, number]).tolist(), number


def carry_out(game: Battle, act: Activation, order: Order, losses: Losses) -> Flow[None]:
    """hof.optional.smoke-first is seen to by the order in which an activation goes through its orders."""
    ready = [(unit, team) for unit, team in living(order.members) if not team.suppressed]
    table, rows, number = smoking(game, act, ready, order.target)
    if number is None or not rows:
        text = f"{label(act.unit)} cannot fire its smoke."
        data = {"unit": act.unit.id, "target": order.target, **LAPSED}
        game.tell("no-fire", text, INSTEAD, "hof.firing.los-requirement", seat=act.side, **data)
        return
    hidden = is_hidden(game, table, rows, number)
    placed = False
    firing = [table.members[row][1].id for row in rows]
    act.acted.update(firing)
    for row in rows:
        placed |= yield from fire_smoke(game, act, table, row, number, hidden, firing)
    if placed:
        lay_smoke(game, act, *table.targets[number])


def is_hidden(game: Battle, table: FireTable, rows: Sequence[int], number: int) -> bool:
    """hof.firing.concealed-from-all: whether a target is concealed from all who fire smoke at it."""
    marks = concealment.flags(game, [table.bodies[row] for row in rows], [table.targets[number]])[:, 0]
    return bool((marks & CONCEALED != 0).all())


def smoke_modifiers(table: FireTable, row: int, number: int, hidden: bool) -> list[Modifier]:
    """What makes the die of a Team that fires smoke harder; high explosive does not help."""
    weapon = smoke_weapon(table.members[row][1].profile)
    assert weapon is not None, "only Teams with smoke are in the table"
    modifiers = [Modifier(1, "hof.firing.concealed-modifier", "concealed")] if hidden else []
    spotted = any(table.targets[near][1].spotted for near in table.around(number))
    if measure.beyond(table.gap[row, number], weapon.range) and not spotted:
        modifiers.append(Modifier(1, "hof.firing.long-range-modifier", "long range"))
    return modifiers


def fire_smoke(
    game: Battle, act: Activation, table: FireTable, row: int, number: int, hidden: bool, order: list[str]
) -> Flow[bool]:
    """hof.optional.smoke-roll: one Fire Die, whatever the RoF.

    `order` names all who fire smoke at the same target.
    """
    (unit, team), (owner, target) = table.members[row], table.targets[number]
    modifiers = smoke_modifiers(table, row, number, hidden)
    throw = yield from game.throw(act.side, 1, "smoke")
    check = Check(throw, NEEDED + total(modifiers), modifiers)
    rules = [ROLL, INSTEAD, "hof.special-rules.smoke", "hof.optional.smoke-first"]
    if target.kind.vehicle:
        rules += yield from reroll_for_quality(game, unit.quality, throw)
    whom, rolled = team_label(owner, target), f"rolls {throw.value}"
    text = f"{team_label(unit, team)} needs {check.needed}+ to put smoke on {whom}, {rolled}."
    check.tell(game, "fire-smoke", text, *rules, team=team.id, target=target.id, order=order)
    return check.passed


def lay_smoke(game: Battle, act: Activation, owner: Unit, target: Team) -> None:
    """hof.optional.smoke-marker: one marker on the target."""
    body = standpoint(game, target)
    assert body is not None, "the target was on the table"
    assert body.at is not None, "a standpoint has a place"
    game.state.smoke = [*game.state.smoke, Smoke(body.at, act.side)]  # type: ignore[arg-type]
    ground_changed(game)
    rules = ("hof.optional.smoke-marker", "hof.artillery.smoke-los")
    text = f"Smoke lies on {team_label(owner, target)}."
    down = falls("smoke", list(body.at), radius=SMOKE_RADIUS)
    game.tell("smoke", text, *rules, seat=act.side, target=target.id, **down)
