"""Losses, Morale Checks, Break Points, objectives, and how a battle ends."""

from __future__ import annotations

from collections import Counter
from typing import Any

import shapely

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.hof import book
from sandtable.testing.umpire.hof.table import (
    HAIR,
    base,
    counts,
    enemy,
    find,
    gap,
    kind_of,
    members,
    standing,
)

POINTS = {1: 1, 2: 1, 3: 1, 4: 2, 5: 2, 6: 3}
CONTROL = 4.0
PRESENCE = 4.0
LOSSES = "hof.battle.break-unit-losses"
PER_UNIT, AT_LEAST = 2, 5


@book.at_start
def remember_the_units(watch: Watch) -> None:
    state = watch.state
    watch.memory["shaken"] = {unit.id for unit in state.units.values() if unit.shaken}
    watch.memory["fallen"] = Counter()
    watch.memory["break rolls"] = Counter()
    watch.memory["break due"] = Counter()
    watch.memory["strength"] = {}
    for unit in state.units.values():
        strength = sum(counts(team) for team in unit.teams.values())
        given = watch.setup.units[unit.id].starting
        watch.memory["strength"][unit.id] = given or strength
        if unit.starting != watch.memory["strength"][unit.id]:
            watch.object_to("hof.morale.who-counts", f"{unit.id} starts with {strength} Teams, not {unit.starting}")
    for side, company in state.companies.items():
        mine = [
            unit for unit in watch.setup.units.values() if unit.side == side and unit.kind not in ("sniper", "riders")
        ]
        given = watch.setup.companies[side].break_limit if side in watch.setup.companies else 0
        limit = given or AT_LEAST + PER_UNIT * len(mine) - company.handicap
        if company.break_limit != limit:
            watch.object_to("hof.battle.break-limit", f"{side}'s Break Limit is {limit}, not {company.break_limit}")


# Losses.


@book.on("lost")
def note_a_loss(watch: Watch, event: Event) -> None:
    watch.count("losses")
    found = find(watch.earlier, event.data["team"])
    if found is None:
        watch.object_to("hof.morale.who-counts", f"{event.data['team']} is lost and was not there")
        return
    if find(watch.state, event.data["team"]) is not None:
        watch.object_to("hof.morale.who-counts", f"{event.data['team']} is lost and is still there")
    # Riders belong to their tanks and are no Unit whose losses count (our reading of hof.optional.riders-mounted).
    if counts(found[1]) and found[0].kind != "riders":
        watch.memory["fallen"][found[0].id] += 1
        watch.memory.setdefault("casualties", set()).add(found[0].id)


def below_half(watch: Watch, unit_id: str) -> bool:
    """More than half of its starting Teams are lost."""
    return bool(2 * watch.memory["fallen"][unit_id] > watch.memory["strength"].get(unit_id, 0))


@book.on("morale")
def morale_is_tested_below_half(watch: Watch, event: Event) -> None:
    watch.count("morale checks")
    data = event.data
    unit_id = data["unit"]
    unit = watch.state.units[unit_id]
    if not below_half(watch, unit_id):
        watch.object_to("hof.morale.trigger", f"{unit_id} tests its morale with {data['left']} of {data['starting']}")
    if unit_id not in watch.memory.get("casualties", set()):
        watch.object_to("hof.morale.repeat", f"{unit_id} tests its morale without a new loss")
    watch.memory.setdefault("casualties", set()).discard(unit_id)
    shake(watch, unit)
    throw = event.dice[0]
    first = throw.before.get(0, throw.values[0])
    by_quality = (unit.quality == "elite" and first == 1) or (unit.quality == "poor" and first == 6)
    if throw.before and not by_quality:
        chiefs = [team for other, team in members(watch.state) if team.role == "cc" and other.side == unit.side]
        mates = [team for team in unit.teams.values() if team.at is not None]
        near = any(gap(chief, mate) <= PRESENCE + HAIR for chief in chiefs if chief.at is not None for mate in mates)
        if not near:
            watch.object_to("hof.optional.cc-morale-reroll", f"{unit_id} rolls again without its Commander")
    watch.memory["breaking"] = unit_id if not data["passed"] else ""


def shake(watch: Watch, unit: Any) -> None:
    """Below half strength for the first time: one roll for Break Points."""
    if unit.id not in watch.memory["shaken"]:
        watch.memory["shaken"].add(unit.id)
        watch.memory["break due"][unit.side] += 1


@book.on("unit-destroyed")
def a_unit_is_destroyed(watch: Watch, event: Event) -> None:
    watch.count("units destroyed")
    unit_id = event.data["unit"]
    unit = watch.earlier.units.get(unit_id)
    watch.memory["break due"][event.seat] += 1 if unit_id in watch.memory["shaken"] else 2
    failed = watch.memory.pop("breaking", "") == unit_id
    watch.memory.setdefault("casualties", set()).discard(unit_id)
    if unit is None or failed or not unit.teams or "hof.optional.cc-flees" in event.rules:
        return
    left = [team for team in unit.teams.values() if counts(team)]
    alone = len(left) == 1 and (kind_of(left[0]).category == "infantry" or kind_of(left[0]).portable)
    lost = watch.memory["fallen"][unit_id]
    if left and not (alone and lost):
        watch.object_to("hof.morale.last-team", f"{unit_id} is destroyed with {[team.id for team in left]} left")


@book.on("break")
def break_points(watch: Watch, event: Event) -> None:
    watch.count("break rolls")
    side, data = data_side(event), event.data
    value = event.dice[0].values[0]
    if data["points"] != POINTS[value]:
        watch.object_to("hof.battle.break-roll", f"a {value} gives {data['points']} Break Points")
    before, now = watch.earlier.companies[side].break_points, watch.state.companies[side].break_points
    if now != before + POINTS[value]:
        watch.object_to("hof.battle.break-roll", f"{side} has {now} Break Points after {before} and a {value}")
    if event.dice[0].seat != enemy(side):
        watch.object_to("hof.battle.break-roll", f"{event.dice[0].seat} rolls for {side}'s Break Points")
    if LOSSES in event.rules or "hof.optional.cc-flees" in event.rules:
        watch.memory["break rolls"][side] += 1
        if "hof.optional.cc-flees" in event.rules and LOSSES not in event.rules:
            watch.memory["break due"][side] += 1
    else:
        watch.memory.setdefault("round rolls", []).append(
            (
                side,
                next(
                    r
                    for r in event.rules
                    if r.startswith("hof.battle.break-")
                    and r not in ("hof.battle.break-roll", "hof.battle.break-limit")
                ),
            )
        )


def data_side(event: Event) -> str:
    return str(event.data["side"])


def at_rest(watch: Watch) -> bool:
    """Whether everything that follows from the last activation has been settled: somebody is asked what comes next."""
    state = watch.state
    return state.result is None and state.phase in ("orders", "gap", "reinforce") and not watch.memory.get("busy")


@book.on()
def note_business(watch: Watch, event: Event) -> None:
    watch.memory["busy"] = True


@book.after_answer
def the_books_balance(watch: Watch) -> None:
    """Between activations every loss has had its Check and its Break Points, and no Unit that should be gone is."""
    entry = watch.entry
    watch.memory["busy"] = False
    if entry is None or watch.state.result is not None:
        return
    rolls, due = watch.memory["break rolls"], watch.memory["break due"]
    closed = entry.topic in ("activate", "react") and entry.answer in ("end", "pass")
    if not closed:
        return
    for side in ("red", "blue"):
        if rolls[side] != due[side]:
            watch.object_to(LOSSES, f"{side} has had {rolls[side]} rolls for its losses, and {due[side]} were due")
            rolls[side] = due[side]
    for unit in watch.state.units.values():
        left = [team for team in unit.teams.values() if counts(team)]
        lost = watch.memory["fallen"][unit.id]
        if below_half(watch, unit.id) != (unit.id in watch.memory["shaken"]) and not watch.setup.units[unit.id].shaken:
            watch.object_to("hof.morale.trigger", f"{unit.id} has lost {lost} and has not tested its morale")
            watch.memory["shaken"].add(unit.id)
        if lost and len(left) == 1 and (kind_of(left[0]).category == "infantry" or kind_of(left[0]).portable):
            watch.object_to("hof.morale.last-team", f"{unit.id} has but {left[0].id} left")
        if not unit.teams:
            watch.object_to("hof.morale.last-team", f"{unit.id} has no Team left")
        if unit.starting != watch.memory["strength"].get(unit.id):
            watch.object_to("hof.morale.who-counts", f"{unit.id} starts with {unit.starting} all of a sudden")


# Objectives.


def holder_of(watch: Watch, state: Any, at: Any) -> str:
    """The only side with Infantry within 4 inches, if no Team of the other is; "?" if it is too close to tell."""
    point = shapely.Point(at)
    found: dict[str, set[str]] = {"red": set(), "blue": set()}
    for unit, team in standing(state):
        far = base(team).distance(point)
        if abs(far - CONTROL) < 1e-6:
            return "?"
        if far < CONTROL:
            found[unit.side].add("foot" if kind_of(team).category == "infantry" else "other")
    for side in ("red", "blue"):
        if "foot" in found[side] and not found[enemy(side)]:
            return side
    return ""


def hiding(state: Any) -> bool:
    """Whether Hidden defenders may hold objectives."""
    side = enemy(state.attacker)
    return any(team.where == "hidden" and unit.side == side and unit.kind != "sniper" for unit, team in members(state))


@book.on("objective")
def control_changes(watch: Watch, event: Event) -> None:
    watch.count("objectives")
    state, data = watch.state, event.data
    holder = holder_of(watch, state, state.objectives[data["objective"]].at)
    defender = enemy(state.attacker)
    if holder not in ("?", data["holder"]) and not (hiding(state) and data["holder"] == defender):
        watch.object_to(
            "hof.battle.objective-control", f"{data['objective']} is {holder!r}'s, not {data['holder']!r}'s"
        )


@book.after_answer
def control_is_up_to_date(watch: Watch) -> None:
    """Judged after each activation and each reveal: before anybody acts again."""
    entry, state = watch.entry, watch.state
    if entry is None or state.result is not None or entry.topic not in ("activate", "react"):
        return
    then = watch.asked
    for name, objective in then.objectives.items():
        holder = holder_of(watch, then, objective.at)
        if holder in ("?", objective.holder) or then.phase not in ("orders", "gap") or not watch.memory.get("judged"):
            continue
        watch.count("control")
        if not (hiding(then) and objective.holder == enemy(then.attacker)):
            watch.object_to(
                "hof.battle.objective-control", f"{name} is {holder!r}'s and counts as {objective.holder!r}'s"
            )
    watch.memory["judged"] = False


@book.on("activation", "revealed", "massed-assault", "arrived", "call-for-fire")
def note_that_somebody_acts(watch: Watch, event: Event) -> None:
    watch.memory["judged"] = True


# The end of a round, and of the battle.


@book.on("turn-end")
def note_the_end_of_a_round(watch: Watch, event: Event) -> None:
    watch.memory["round rolls"] = []
    watch.memory["round ends"] = event.seat != watch.state.attacker


@book.on("turn", "battle-over")
def what_the_round_cost(watch: Watch, event: Event) -> None:
    """At the end of a round: for objectives that are not held, and for the enemy on the Defender's half."""
    ended = watch.memory.pop("round ends", False)
    if event.kind == "battle-over" and event.rules != ["hof.field.round-limit"]:
        return
    if not ended:
        if watch.memory.get("round rolls"):
            watch.object_to("hof.battle.break-attacker-round", "Break Points of a round within the round")
        return
    watch.count("rounds")
    state = watch.state
    attacker, defender = state.attacker, enemy(state.attacker)
    rolls = Counter(watch.memory.get("round rolls", ()))
    holders = [objective.holder for objective in state.objectives.values()]
    due = Counter[tuple[str, str]]()
    if any(holder != attacker for holder in holders):
        due[attacker, "hof.battle.break-attacker-round"] = 1
    lost = sum(holder != defender for holder in holders)
    if lost:
        due[defender, "hof.battle.break-defender-objectives"] = lost
    half = shapely.box(0, 0, watch.setup.table.width, watch.setup.table.depth / 2)
    if state.edges[defender] == "north":
        half = shapely.box(0, watch.setup.table.depth / 2, watch.setup.table.width, watch.setup.table.depth)
    invaders = [base(team).intersection(half).area for _, team in standing(state, attacker)]
    if any(area > 0.1 for area in invaders):
        due[defender, "hof.battle.break-defender-half"] = 1
    elif any(area > 0 for area in invaders):
        rolls.pop((defender, "hof.battle.break-defender-half"), None)
    if rolls != due:
        watch.object_to("hof.battle.break-attacker-round", f"the round cost {dict(rolls)} and should cost {dict(due)}")


@book.on("battle-over")
def why_the_battle_is_over(watch: Watch, event: Event) -> None:
    watch.count("battles")
    state, winner = watch.state, event.data["winner"]
    loser = enemy(winner)
    left = {side: company.break_limit - company.break_points for side, company in state.companies.items()}
    if event.rules == ["hof.field.round-limit"]:
        attacker = state.attacker
        best = attacker if left[attacker] > left[enemy(attacker)] else enemy(attacker)
        if best != winner or state.round < watch.setup.rounds:
            watch.object_to("hof.field.round-limit", f"{winner} wins in round {state.round} with {left}")
        return
    some = any(
        team.at is not None or team.where not in ("rear", "off-board")
        for unit, team in members(state)
        if unit.side == loser
    )
    if left[loser] >= 0 and some:
        watch.object_to("hof.battle.rout", f"{loser} routs with {left[loser]} Break Points to go")


@book.on("morale", "unit-destroyed", "objective")
def a_rout_was_not_missed(watch: Watch, event: Event) -> None:
    """A force above its limit when one of these comes has routed: nothing may follow."""
    side = event.seat if event.kind != "objective" else ""
    if event.kind == "morale" and side:
        company = watch.state.companies[side]
        if company.break_points > company.break_limit:
            watch.object_to("hof.battle.rout", f"{side} tests its morale above its Break Limit")
    if event.kind in ("unit-destroyed", "objective"):
        watch.memory["rout due"] = [event.seat] if event.kind == "unit-destroyed" else sides_of(event)


def sides_of(event: Event) -> list[str]:
    """Who loses by an objective's change of hands: who had it, and the enemy of who has it now."""
    found = [event.data["was"]] if event.data["was"] else []
    return [*found, enemy(event.data["holder"])] if event.data["holder"] else found


@book.after_answer
def nobody_fights_on_beyond_his_limit(watch: Watch) -> None:
    for side in watch.memory.pop("rout due", []):
        company = watch.state.companies[side]
        watch.count("rout tests")
        if company.break_points > company.break_limit and watch.state.result is None:
            watch.object_to("hof.battle.rout", f"{side} fights on with {company.break_points} of {company.break_limit}")
