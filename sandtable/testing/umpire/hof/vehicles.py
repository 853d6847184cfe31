"""Penetration Rolls: AT against armor, front or flank, and what becomes of the Vehicle."""

from __future__ import annotations

from typing import Any

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.hof import book
from sandtable.testing.umpire.hof.firing import fire_power, right_rerolls
from sandtable.testing.umpire.hof.hits import Effects, Hit
from sandtable.testing.umpire.hof.table import find, kind_of

BUNKER_ARMOR = 2
ROLL = "hof.vehicles.roll-per-hit"


def dice_due(at: int, ar: int) -> int:
    """How many dice a Penetration Roll has: none if the armor is twice the AT."""
    if ar >= 2 * at:
        return 0
    return at - ar if at > ar else at


def outcome(values: list[int], at: int, ar: int, *, rfps_only: bool = False) -> str:
    if ar >= 2 * at:
        return "none"
    if at <= ar:
        return "rfps" if 6 in values else "none"
    return "destroyed" if 6 in values and not rfps_only else "rfps"


def right_roll(
    watch: Watch, event: Event, at: int, ar: int, fp: int, quality: str, *, rfps_only: bool = False, rule: str = ROLL
) -> None:
    """Whether the dice of a Penetration Roll, what was rolled again and its result are right."""
    watch.count("Penetration Rolls")
    data = event.data
    values = list(event.dice[0].values) if event.dice else []
    if len(values) != dice_due(at, ar):
        watch.object_to(rule, f"AT {at} against AR {ar}: {len(values)} dice")
    if event.dice:
        right_rerolls(watch, event.dice[0], {"elite": 1, "poor": 6}.get(quality, 0), "hof.orders.reroll-once")
    result = outcome(values, at, ar, rfps_only=rfps_only)
    if data["result"] != result:
        watch.object_to(rule, f"AT {at} against AR {ar}, {values}: {data['result']} instead of {result}")
    gained = fp if result == "rfps" else 0
    if data.get("rfps", 0) != gained:
        watch.object_to("hof.firing.rfp-per-hit", f"{data['team']} receives {data.get('rfps', 0)} RFPs, not {gained}")
    right_markers(watch, data["team"], gained)
    if result == "destroyed":
        watch.memory.setdefault("doomed", {})[data["team"]] = "hof.vehicles.destroyed-at-once"


def right_markers(watch: Watch, name: str, gained: int) -> None:
    before, after = find(watch.earlier, name), find(watch.state, name)
    if before is not None and after is not None and after[1].rfps - before[1].rfps != gained:
        watch.object_to("hof.firing.rfp-per-hit", f"{name} has {after[1].rfps} RFPs after {before[1].rfps}")


@book.on("penetration")
def penetration_is_right(watch: Watch, event: Event) -> None:
    """Fire on a Vehicle; what an assault, a charge or an aircraft does is looked at in their chapters."""
    effects: Effects = watch.memory.setdefault("effects", Effects())
    found = find(watch.state, event.data["team"])
    if found is None:
        watch.object_to(ROLL, f"{event.data['team']} is not there")
        return
    due: Any = watch.memory.pop("blow", None)
    if due is not None:
        due(watch, event)
        return
    team = found[1]
    hit = next((each for each in effects.hits if each.team == team.id), None)
    if hit is None:
        watch.object_to(ROLL, f"{team.id} is penetrated by no hit")
    elif team.role == "bunker":
        bunker_busted(watch, event, hit)
    else:
        effects.take(team.id)
        vehicle_hit(watch, event, team, hit)


def vehicle_hit(watch: Watch, event: Event, team: Any, hit: Hit) -> None:
    armor = kind_of(team).armor
    at = hit.weapon.at
    if at is None:
        watch.object_to("hof.vehicles.only-at-affects-armor", f"a {hit.weapon.name} has no AT against {team.id}")
        return
    if armor is None and at == 0:
        watch.object_to("hof.vehicles.unarmored-is-ar-zero", f"AT 0 is rolled against {team.id}")
        return
    if hit.flank is None:
        watch.count("flanks in doubt")
        return
    ar = 0 if armor is None else armor[hit.flank]
    if event.data["at"] != at or event.data["ar"] != ar:
        told = f"AT {event.data['at']} against AR {event.data['ar']}"
        watch.object_to("hof.vehicles.flank-shot", f"{hit.firer} hits {team.id}: {told}, not {at} against {ar}")
        return
    only = "rfps-only" in hit.weapon.keywords
    right_roll(watch, event, at, ar, fire_power(watch, hit.weapon), hit.unit.quality, rfps_only=only)


def bunker_busted(watch: Watch, event: Event, hit: Hit) -> None:
    """The hit stays: unless it destroys the bunker, it gives RFPs like any other."""
    at = hit.weapon.at or 0
    watch.count("Penetration Rolls")
    values = list(event.dice[0].values) if event.dice else []
    if "bunker-buster" not in hit.weapon.keywords or at <= BUNKER_ARMOR or len(values) != at - BUNKER_ARMOR:
        watch.object_to("hof.optional.bunker-buster-hit", f"{hit.weapon.name}, AT {at}, rolls {values}")
    if (event.data["result"] == "destroyed") != (6 in values):
        watch.object_to("hof.optional.bunker-buster-hit", f"{values}: {event.data['result']}")
    if 6 in values:
        watch.memory["effects"].take(event.data["team"])
        watch.memory.setdefault("doomed", {})[event.data["team"]] = "hof.optional.bunker-buster-hit"


# The doomed are lost.


@book.on("lost")
def doomed_and_lost(watch: Watch, event: Event) -> None:
    """A Team that the dice killed goes at once; a Vehicle leaves its wreck where it stood."""
    name = event.data["team"]
    watch.memory.setdefault("doomed", {}).pop(name, None)
    watch.count("lost")
    before = find(watch.earlier, name)
    if before is not None and kind_of(before[1]).vehicle and before[1].at is not None:
        watch.memory.setdefault("wrecks due", []).append((before[1].profile, tuple(before[1].at), before[1].facing))


@book.on("fire", "activation", "turn-end", "move", "assault-check", "respond")
def the_doomed_are_gone(watch: Watch, event: Event) -> None:
    for name, rule in watch.memory.pop("doomed", {}).items():
        if find(watch.state, name) is not None:
            watch.object_to(rule, f"{name} should have been lost")
    wrecks = [(wreck.profile, tuple(wreck.at), wreck.facing) for wreck in watch.state.wrecks]
    for wreck in watch.memory.pop("wrecks due", []):
        watch.count("wrecks")
        if wreck not in wrecks:
            watch.object_to("hof.vehicles.wreck-conceals", f"no wreck of a {wreck[0]} at {wreck[1]}")
