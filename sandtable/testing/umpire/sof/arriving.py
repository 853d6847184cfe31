"""Reserves: who is released, who goes back, and how a unit comes onto the table."""

from __future__ import annotations

import math
from typing import Any

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.sof.before import as_answered, baseline, deep_in, from_the_edge, set_down
from sandtable.testing.umpire.sof.log import answer, course
from sandtable.testing.umpire.sof.moving import Way, allowance
from sandtable.testing.umpire.sof.rulebook import book
from sandtable.testing.umpire.sof.stock import IMPASSABLE, RATES
from sandtable.testing.umpire.sof.table import (
    HAIR,
    any_of,
    disabled,
    enemies,
    enemy,
    figures,
    gap,
    pieces,
    placed,
    radius,
    sees,
)

FIRST_TURN = 2
RELEASED_ON = 5
HELPS = {"communication-1": 1, "communication-2": 1, "communication-3": 2}
ALONG = 0.3
"""How far from the edge the near rim of whoever is placed along it may be."""
ROUNDING = 0.02
IN_PHASE_ZERO = 36.0


def waiting(state: Any, side: str) -> list[str]:
    return [unit.id for unit in state.units.values() if unit.side == side and unit.reserve == "tactical"]


@book.on("reserve-roll")
def a_roll_for_reserves(watch: Watch, event: Event) -> None:
    """In a Start Phase as many dice as the turn's number; by Communicate one, with the unit's own bonus."""
    watch.count("rolls for reserves")
    kept, state, side = course(watch), watch.earlier, event.seat
    hurried = kept.stage == "play"
    if hurried:
        act = kept.act
        unit = state.units[act.unit] if act is not None else None
        last = act.actions[-1:] if act is not None else []
        homes = [unit] if unit is not None and unit.side == side and last == ["communicate"] else []
        if not homes:
            watch.object_to("sof.actions.communicate-reserves", f"{side} hurries its reserves without an action")
        number = 1
    else:
        delayed = list(state.advantages.get(enemy(side), [])).count("delay-reserves")
        homes, number = list(placed(state, side)), max(0, kept.turn - delayed)
        rolled = watch.memory.setdefault("sof.rolled", set())
        if (kept.turn, side) in rolled:
            watch.object_to("sof.turn.start-reinforcements", f"{side} rolls for its reserves again")
        rolled.add((kept.turn, side))
    helpers = [f.role for home in homes if home.hq for f in figures(home) if f.role in HELPS and not disabled(f)]
    helpers = helpers if not hurried else sorted(helpers, key=lambda role: HELPS[role])[-1:]
    needed = RELEASED_ON - max((HELPS[role] for role in helpers), default=0)
    values = [value for throw in event.dice for value in throw.values]
    if kept.turn < FIRST_TURN or len(values) != number or event.data["needed"] != needed:
        watch.object_to(
            "sof.reserves.tactical-roll",
            f"turn {kept.turn}: {side} rolls {len(values)} dice on {event.data['needed']}+, not {number} on {needed}+",
        )
    due = min(sum(value >= needed for value in values), len(waiting(state, side)))
    if event.data["released"] != due:
        watch.object_to("sof.reserves.tactical-roll", f"{values} release {event.data['released']} units, and not {due}")
    watch.memory["sof.released"] = (side, due) if due else None


@book.on("released")
def units_are_released(watch: Watch, event: Event) -> None:
    watch.count("units released", len(event.data["units"]))
    side, number = watch.memory.pop("sof.released", None) or ("", 0)
    names = list(event.data["units"])
    told = answer(watch, "release")
    if side != event.seat or len(set(names)) != number or not set(names) <= set(waiting(watch.asked, side)):
        watch.object_to("sof.reserves.tactical-roll", f"{names} are released, and {number} of {side} are due")
    if told is not None and set(told) != set(names):
        watch.object_to("sof.reserves.tactical-roll", f"{names} are released, and {told} were chosen")
    for name in names:
        if watch.state.units[name].reserve != "released":
            watch.object_to("sof.reserves.tactical-activation", f"{name} is not released")


@book.on("dice")
def nobody_forgot_to_roll(watch: Watch, event: Event) -> None:
    """When the activation dice fall, whoever has units in Tactical Reserve has rolled for them."""
    kept = course(watch)
    if kept.turn < FIRST_TURN or kept.turn == watch.setup.turn:
        return
    for side in ("red", "blue"):
        rolled = (kept.turn, side) in watch.memory.get("sof.rolled", set())
        if waiting(watch.earlier, side) and not rolled:
            watch.object_to("sof.turn.start-reinforcements", f"{side} has not rolled for its reserves")


@book.on("reserve-returned")
def a_unit_goes_back(watch: Watch, event: Event) -> None:
    watch.count("reserves returned")
    name = event.data["unit"]
    if watch.earlier.units[name].reserve != "released" or watch.state.units[name].reserve != "tactical":
        watch.object_to("sof.reserves.tactical-return", f"{name} goes back to the reserve, and was not released")


@book.on("turn")
def nobody_stays_released(watch: Watch, event: Event) -> None:
    if event.data["turn"] == watch.setup.turn:
        return
    for unit in watch.state.units.values():
        if unit.reserve == "released":
            watch.object_to("sof.reserves.tactical-return", f"{unit.id} stays released")


@book.after_answer
def reserves_do_not_come_by_themselves(watch: Watch) -> None:
    for unit in watch.asked.units.values():
        now = watch.state.units.get(unit.id)
        if now is None or not unit.reserve or now.reserve == unit.reserve:
            continue
        told = [each for each in watch.told if unit.id in (each.data.get("unit"), *each.data.get("units", ()))]
        if not any(each.kind in ("enters", "released", "reserve-returned") for each in told):
            watch.object_to("sof.reserves.kinds", f"{unit.id} goes from {unit.reserve} to {now.reserve} untold")


# Onto the table.


@book.on("enters")
def a_unit_comes_on(watch: Watch, event: Event) -> None:
    watch.count("units coming on")
    kept, before = course(watch), watch.earlier.units[event.data["unit"]]
    unit = watch.state.units[before.id]
    rule = "sof.reserves.move-on"
    if (
        not (before.reserve == "released" or (before.reserve == "immediate" and kept.turn >= FIRST_TURN))
        or unit.reserve
    ):
        watch.object_to("sof.reserves.immediate-enter", f"{unit.id} comes on in turn {kept.turn} from {before.reserve}")
    if kept.act is None or kept.act.unit != unit.id or kept.act.actions:
        watch.object_to(rule, f"{unit.id} comes on, and is not activated")
    # Where only one manner leaves room nobody is asked.
    alone = "maneuver" if "sof.reserves.too-slow" in event.rules else event.data["action"]
    manner = watch.memory.pop("sof.enters", None) or answer(watch, "enter") or alone
    if kept.act is not None:
        kept.act.actions.append(event.data["action"])
    set_down(watch, unit, rule)
    as_answered(watch, unit, rule)
    how_far_in(watch, event, unit, manner)
    if kept.act is not None and kept.act.phase == 0:
        no_nearer_than_the_edge(watch, unit)


@book.after_answer
def keep_how_it_comes_on(watch: Watch) -> None:
    found = answer(watch, "enter")
    if found is not None and not any(told.kind == "enters" for told in watch.told):
        watch.memory["sof.enters"] = found


def how_far_in(watch: Watch, event: Event, unit: Any, manner: str) -> None:
    """No farther than terrain on the straight way in leaves of its move, or along the edge."""
    rule, edge = "sof.reserves.move-on", baseline(watch.state, unit.side)
    far = {figure.id: deep_in(watch, edge, figure) for figure in figures(unit)}
    if abs(max(far.values()) - event.data["inches"]) > ROUNDING:
        watch.object_to(rule, f"{unit.id} comes {max(far.values()):.2f} inches in, and {event.data['inches']} are told")
    ways = []
    for figure in figures(unit):
        line = from_the_edge(watch, edge, figure)
        if line is not None:
            ways.append(Way(figure.id, [(float(x), float(y)) for x, y in line.coords], radius(figure)))
            if any(piece.kind in IMPASSABLE and line.intersects(piece.small) for piece in pieces(watch)):
                watch.object_to("sof.terrain-impassable.movement", f"{figure.id} comes on through impassable ground")
    if "maneuver" not in RATES[unit.type] or manner not in RATES[unit.type]:
        watch.object_to(rule, f"{unit.id} comes on by {manner}")
        return
    watch.memory["sof.start"], watch.memory["sof.order"] = None, ""
    least, most = allowance(watch, unit, manner, ways)
    slow = "sof.reserves.too-slow" in event.rules
    along = {figure.id: far[figure.id] - 2 * radius(figure) for figure in figures(unit)}
    watch.count("units too slow to come on" if slow else "units wholly on the table")
    if slow and max(far.values()) < least - HAIR:
        watch.object_to("sof.reserves.too-slow", f"{unit.id} is told to be too slow, and goes {least:g} inches")
    if not slow and max(far.values()) > most + HAIR:
        watch.object_to(rule, f"{unit.id} comes {max(far.values()):.2f} inches in, of {most:g}")
    beyond = [name for name, inches in far.items() if inches > most + HAIR]
    near = [name for name in along if along[name] <= ALONG + HAIR]
    if slow and not (near if unit.formation == "linear" else set(beyond) <= set(near)):
        watch.object_to("sof.reserves.too-slow", f"{beyond} of {unit.id} are neither near enough nor at the edge")
    due = "double-time" if slow else manner
    if event.data["action"] != due:
        watch.object_to("sof.reserves.too-slow", f"{unit.id} counts as having taken {event.data['action']}, not {due}")


def no_nearer_than_the_edge(watch: Watch, unit: Any) -> None:
    """In phase 0 nobody comes nearer to a visible enemy than where he comes on."""
    watch.count("units coming on in phase 0")
    edge = baseline(watch.state, unit.side)
    for foe in enemies(watch.state, unit.side):
        now = min(gap(a, b) for a in figures(unit) for b in figures(foe))
        begun, seen = math.inf, []
        for figure in figures(unit):
            line = from_the_edge(watch, edge, figure)
            at = line.coords[0] if line is not None else figure.at
            for other in figures(foe):
                begun = min(begun, max(0.0, math.dist(at, other.at) - radius(figure) - radius(other)))
                seen.append(sees(watch, at, other.at))
        if now < begun - HAIR and begun <= IN_PHASE_ZERO - HAIR and any_of(seen).sure:
            watch.object_to("sof.turn.phase-zero-no-closer", f"{unit.id} comes on nearer to {foe.id} in phase 0")
