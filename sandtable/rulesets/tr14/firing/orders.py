"""Orders to fire: who may fire at what."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from sandtable.engine.game import Flow
from sandtable.engine.questions import Assign, Option, Refusal, illegal
from sandtable.engine.ruleset import Ask
from sandtable.rulesets.tr14.core.arsenal import Profile
from sandtable.rulesets.tr14.core.board import Battle, Board, Mask, Side, board, line_of_fire, sees, why_unseen
from sandtable.rulesets.tr14.core.names import label, team_label, team_on, unit_name
from sandtable.rulesets.tr14.core.state import Team, Unit, other
from sandtable.rulesets.tr14.firing.fire_table import HALF_CIRCLE, FireTable, Order, read_order
from sandtable.rulesets.tr14.firing.shots import Manner
from sandtable.rulesets.tr14.kernels import fire
from sandtable.table import distance as measure
from sandtable.table.hairs import within

REACTION_RANGE = 18.0
"""tr14.firing.reaction-fire"""

ANY_DISTANCE = np.full(256, math.inf)

QUARTER_DIE = 4
"""With fewer Fire Points than this nothing is left of them when they are halved twice."""

FIRE_ARC_RULES = ("tr14.firing.arc", "tr14.firing.turret-arc")


def able_to_shoot(game: Battle, team: Team) -> bool:
    return not team.markers and team.shot != game.state.initiative_number and team.kind.reach > 0


def may_shoot(game: Battle, team: Team, side: str) -> Refusal | None:
    """What bars a Team from firing at all."""
    who = team_on(side, team)
    if team.markers:
        return illegal("tr14.suppression.no-fire", f"{who} is suppressed and may not fire.", field=team.id)
    if team.shot == game.state.initiative_number:
        return illegal("tr14.firing.once-per-initiative", f"{who} has already fired in this Initiative.", field=team.id)
    if not any(weapon.fp for weapon in team.kind.weapons):
        return illegal("tr14.firing.fp-dice", f"{who} has nothing to fire directly with.", field=team.id)
    return None


def orders_for(
    game: Battle, unit: Unit, ready: Sequence[Team], at: Sequence[Unit] | None = None
) -> dict[str, list[Option]]:
    """Everything that each Team may be ordered to shoot at, of some Units or of all."""
    here = board(game)
    friends, enemies = here.side(unit.side), here.side(other(unit.side))
    if not enemies.members:
        return {}
    by_others = groups_in_reach(here, friends, enemies, ready, friends.troops_without_at).tolist()
    in_reach = by_at = [[False] * len(enemies.groups)] * len(ready)
    if any(team.kind.has_at for team in ready):
        in_reach = groups_in_reach(here, friends, enemies, ready, friends.troops_with_at).tolist()
        by_at = with_dice(game, unit, ready, enemies.groups, in_reach)
    allowed = None if at is None else {target.id for target in at}
    found: dict[str, list[Option]] = {}
    alike: dict[tuple[object, ...], list[Option]] = {}
    for team, near, at_dice, others in zip(ready, in_reach, by_at, by_others, strict=True):
        if True not in at_dice and True not in others:
            continue
        key = (team.profile, *near, *at_dice, *others)
        if key not in alike:
            alike[key] = options_at(game, team.kind, enemies.groups, near, at_dice, others, allowed)
        if alike[key]:
            found[team.id] = alike[key]
    return found


def groups_in_reach(here: Board, friends: Side, enemies: Side, ready: Sequence[Team], troops: fire.Troops) -> Mask:
    """Which Teams can see, bear on and reach somebody of which type of which enemy Unit."""
    groups = fire.groups_of(here.rows.take(enemies.grouped, axis=0), enemies.starts, enemies.sizes, enemies.grouped)
    firing = np.array([friends.number[team.id] for team in ready])
    return fire.watch(here.ground.lens, here.places, troops, firing, ANY_DISTANCE[: len(ready)], groups, HALF_CIRCLE)


def with_dice(
    game: Battle, unit: Unit, ready: Sequence[Team], groups: Sequence[tuple[str, str]], in_reach: list[list[bool]]
) -> list[list[bool]]:
    """The same, where an AT weapon has a die to roll: at long range half of a half of a few Fire Points is none."""
    weak = [
        number for number, team in enumerate(ready) if True in in_reach[number] and team.kind.at_points < QUARTER_DIE
    ]
    if not weak:
        return in_reach
    members = board(game).enemies(unit.side)
    table = FireTable(game, [ready[number] for number in weak], unit.side, members)
    numbered = {group: number for number, group in enumerate(groups)}
    found = list(in_reach)
    for shooter, number in enumerate(weak):
        slot = next(slot for slot, weapon in enumerate(ready[number].kind.weapons) if weapon.at)
        pools: dict[int, list[int]] = {}
        for position in table.valid[shooter][slot]:
            owner, team = members[position]
            pools.setdefault(numbered[owner.id, team.kind.type], []).append(position)
        found[number] = [
            group in pools and table.most_dice(shooter, slot, pools[group]) > 0 for group in range(len(groups))
        ]
    return found


def options_at(
    game: Battle,
    kind: Profile,
    groups: Sequence[tuple[str, str]],
    in_reach: list[bool],
    by_at: list[bool],
    by_others: list[bool],
    allowed: set[str] | None,
) -> list[Option]:
    """All that a Team may be ordered to shoot at, if its weapons can fire at these types of Teams of these Units."""
    seen: dict[str, int] = {}
    types: dict[str, list[str]] = {}
    mgs: dict[str, bool] = {}
    for (target_id, type), near, at, others in zip(groups, in_reach, by_at, by_others, strict=True):
        if (at or others) and (allowed is None or target_id in allowed):
            types.setdefault(target_id, []).extend([type] if at else [])
            mgs[target_id] = mgs.get(target_id, False) or others
        seen[target_id] = seen.get(target_id, 0) + near
    options: list[Option] = []
    for target_id, found in types.items():
        name = unit_name(game.state.units[target_id])
        declared = tuple(found) if seen[target_id] > 1 else ()
        options += ways_to_fire(target_id, name, declared, kind.has_coax and mgs[target_id])
    return options


@lru_cache(4096)
def ways_to_fire(unit_id: str, name: str, types: tuple[str, ...], with_mgs: bool) -> list[Option]:
    """At a Unit; with AT weapons at one type of its Teams; with the machine guns of a tank alone."""
    ways = [Option(Order(unit_id).id, name, pieces=(unit_id,))]
    ways += [Option(Order(unit_id, kind).id, f"{name}, at its {kind} Teams", pieces=(unit_id,)) for kind in types]
    if with_mgs:
        ways.append(Option(Order(unit_id, mgs=True).id, f"{name}, machine guns only", pieces=(unit_id,)))
    return ways


def why_not(game: Battle, unit: Unit, team: Team, target: Unit, order: Order) -> Refusal | None:
    """Why a Team may not shoot at an enemy Unit, by the first rule that stands in its way.

    `orders_for` finds the same for many at once, without the reasons.
    """
    team_id, who = team.id, team_label(unit, team)
    here = board(game)
    row, rows = here.of([team]), here.of(list(target.teams.values()))
    if not sees(here, row, rows).any():
        rule = why_unseen(here, row, rows)
        return illegal(rule, f"{who} cannot see {label(target)}.", field=team_id)
    reach = team.kind.reach
    near = float(measure.distances(row, rows).min())
    if not within(near, reach):
        message = f"{label(target)} is {near:.1f} inches from {who}."
        return illegal("tr14.firing.los-and-range", message, field=team_id, legal=f"Long range is {reach:g} inches.")
    line = line_of_fire(game, [team], unit.side, rows)[0]
    if not line.any():
        return illegal("tr14.firing.through-friends", f"a friend stands in {who}'s line of fire.", field=team_id)
    facings = here.facings[[here.index[team_id]]]
    _, inside, _ = fire.fields(row, facings, np.full_like(facings, np.inf), HALF_CIRCLE, rows)
    if not (inside[:, 0] & line).any():
        rule = FIRE_ARC_RULES[1] if team.kind.turret else FIRE_ARC_RULES[0]
        message = f"{label(target)} is behind {who}."
        return illegal(rule, message, field=team_id, legal="Turn it with a Move first.")
    table = FireTable(game, [team], unit.side, [(target, enemy) for enemy in target.teams.values()])
    if not any(table.valid[0]):
        if not any(weapon.fp == 1 for weapon in team.kind.weapons):
            return illegal("tr14.firing.los-and-range", f"{label(target)} is out of {who}'s range.", field=team_id)
        message = f"at long range {who} rolls half its Fire Points, which is no die."
        return illegal("tr14.firing.mod-long-range", message, field=team_id)
    return why_no_die(table, team, target, order)


def why_no_die(table: FireTable, team: Team, target: Unit, order: Order) -> Refusal | None:
    """Why a Team that could fire at a Unit rolls no die if it fires in this way."""
    who = team_on(other(target.side), team)
    slots = [slot for slot, weapon in enumerate(team.kind.weapons) if not (order.mgs and weapon.mount == "gun")]
    at_slots = [slot for slot in slots if team.kind.weapons[slot].at]
    pools = {slot: table.valid[0][slot] for slot in slots}
    if order.type:
        pools = {slot: [p for p in pools[slot] if table.kinds[p].type == order.type] for slot in at_slots}
    pools = {slot: pool for slot, pool in pools.items() if pool}
    if any(table.most_dice(0, slot, pool) for slot, pool in pools.items()):
        open_types = {table.kinds[position].type for slot in at_slots for position in table.valid[0][slot]}
        if (not order.type or len(open_types) > 1) and (not order.mgs or team.kind.has_coax):
            return None
    elif pools:
        message = f"at long range a quarter of {who}'s Fire Points is no die."
        return illegal("tr14.firing.at-half-fp", message, field=team.id)
    if order.mgs and team.kind.has_coax:
        message = f"{label(target)} is out of range of {who}'s machine guns."
        return illegal("tr14.firing.los-and-range", message, field=team.id)
    rule = "tr14.firing.at-declares-type" if order.type else "tr14.arsenal.coax"
    return illegal(rule, f"{who} cannot fire in that way at {label(target)}.", field=team.id)


def why_idle(game: Battle, unit: Unit, ready: Sequence[Team]) -> Refusal:
    """Why a Unit has nothing to fire at."""
    teams = [] if ready else unit.teams.values()
    barred = next((why for team in teams if (why := may_shoot(game, team, unit.side))), None)
    return barred or illegal("tr14.firing.los-and-range", "no enemy is in its sight, range and arc.")


def ask_fire(
    game: Battle,
    unit: Unit,
    words: str,
    *rules: str,
    teams: Sequence[Team] | None = None,
    at: Sequence[Unit] | None = None,
    topic: str = "fire",
    manner: Manner = "action",
    moved: bool = False,
    too_far: Collection[tuple[str, str]] = (),
    idle: Callable[[Refusal], None] | None = None,
) -> Flow[dict[str, Order]]:
    """Ask which Teams fire at what; no orders fire nothing. `manner` and `moved` are facts of the question.

    `too_far` are Teams and Units of which the former may not react to the latter. `idle` is told why, if there is
    nothing to fire at.
    """
    ready = [team for team in (teams or unit.teams.values()) if able_to_shoot(game, team)]
    items = orders_for(game, unit, ready, at) if ready else {}
    if too_far:
        near = {
            name: [option for option in options if (name, read_order(option.id).unit) not in too_far]
            for name, options in items.items()
        }
        items = {name: options for name, options in near.items() if options}
    if not items:
        if idle is not None:
            idle(why_idle(game, unit, ready))
        return {}

    def barred(team_id: str, choice: str) -> Refusal | None:
        order = read_order(choice)
        team, target = unit.teams.get(team_id), game.state.units.get(order.unit)
        if team is None or target is None:
            return None
        name = team_label(unit, team)
        if target.side == unit.side:
            friend = f"{label(target)} is a friend."
            return illegal("tr14.firing.target-unit", friend, field=team_id, legal="Fire at an enemy Unit.")
        if rules and at is not None and target not in at:
            return illegal(rules[0], f"this fire is not for {label(target)}.", field=team_id)
        if (team_id, target.id) in too_far:
            message = f"{label(target)} does not move within {REACTION_RANGE:g} inches of {name}."
            return illegal(rules[0], message, field=team_id)
        refused = may_shoot(game, team, unit.side)
        if refused is None and team not in ready:
            return illegal(rules[0], f"{name} may not take part in this fire.", field=team_id) if rules else None
        return refused or why_not(game, unit, team, target, order)

    facts: dict[str, Any] = {"unit": unit.id, "manner": manner, "moved": moved}
    if at is not None:
        facts["at"] = [target.id for target in at]
    question = Assign(topic, words, items, why_not=barred, rules=rules, facts=facts)
    question.proposals = lambda most: proposed_fire(game, unit, items)[:most]
    question.step = "whom" if topic == "fire" else "reply"
    answer = yield Ask(unit.side, question)
    return {team: read_order(choice) for team, choice in answer.items()}


def fire_at(game: Battle, unit: Unit, target: str) -> dict[str, Order]:
    """The orders that are proposed for fire of a whole Unit at another; none if nobody can fire at it."""
    ready = [team for team in unit.teams.values() if able_to_shoot(game, team)]
    items = orders_for(game, unit, ready) if ready else {}
    for proposed in proposed_fire(game, unit, items):
        orders = {team: read_order(choice) for team, choice in proposed.items()}
        if any(order.unit == target for order in orders.values()):
            return orders
    return {}


def proposed_fire(game: Battle, unit: Unit, items: dict[str, list[Option]]) -> list[dict[str, str]]:
    """Hints: all at one Unit, for each that can be hit; weapons that could not harm it hold their fire; then none."""
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
