"""Smoke: rounds fired at a Team, markers that batteries lay, and their end."""

from __future__ import annotations

import shapely

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.hof import book
from sandtable.testing.umpire.hof.firing import NEEDED, right_rerolls
from sandtable.testing.umpire.hof.lines import about, aim_of, place, veil_of
from sandtable.testing.umpire.hof.sight import Maybe, both, up_to
from sandtable.testing.umpire.hof.table import SMOKE_ACROSS, find, kind_of, stand_of

ROLL = "hof.optional.smoke-roll"
PLACEMENT = "hof.artillery.smoke-placement"
LOOSE = 0.06
"""Round markers that touch may lie so much apart, or over one another."""


@book.on("fire-smoke")
def smoke_is_fired(watch: Watch, event: Event) -> None:
    """One die, whatever the Rate of Fire, at a Team that is seen; concealment counts even for shells."""
    watch.count("smoke rounds")
    state, data = watch.state, event.data
    firer, target = find(state, data["team"]), find(state, data["target"])
    if data["passed"]:
        watch.memory["smoke due"] = data["target"]
    if firer is None or target is None:
        return
    unit, team = firer
    arms = [weapon for weapon in kind_of(team).weapons if weapon.direct and "smoke" in weapon.keywords]
    if not watch.setup.options.smoke or not arms:
        watch.object_to("hof.special-rules.smoke", f"{team.id} has no smoke")
        return
    weapon = arms[0]
    aim = aim_of(watch, state, firer, target, 2 * weapon.range, None)
    if aim.may is None:
        return
    if not aim.may or not aim.itself or team.suppressed:
        watch.object_to(ROLL, f"{team.id} cannot fire smoke at {target[1].id}")
    veils = []
    for name in data["order"]:
        mate = find(state, name)
        eye = place(state, mate[1]) if mate is not None else None
        if eye is not None:
            veils.append(veil_of(watch, state, eye, target).concealed)
    hidden: Maybe = both(*veils)
    far = up_to(aim.gap, weapon.range)
    spotted = any(each.spotted for _, each in about(state, target))
    if hidden is None or far is None:
        return
    needed = NEEDED + hidden + (not far and not spotted)
    throw = event.dice[0]
    if data["needed"] != needed or len(throw.values) != 1 or data["passed"] != (throw.values[0] >= needed):
        watch.object_to(ROLL, f"{team.id} needs {data['needed']}, not {needed}, and rolls {throw.values}")
    face = {"elite": 1, "poor": 6}.get(unit.quality, 0) if kind_of(target[1]).vehicle else 0
    right_rerolls(watch, throw, face, "hof.orders.reroll-once")


@book.on("smoke")
def smoke_is_laid(watch: Watch, event: Event) -> None:
    watch.count("smoke laid")
    if "target" in event.data:
        on_target(watch, event)
        return
    spots = [shapely.Point(at) for at in event.data["at"]]
    unit = event.data.get("unit", "")
    mission = next((each for each in watch.earlier.missions if each.unit == unit), None)
    if mission is not None and len(spots) > len(mission.guns):
        watch.object_to(PLACEMENT, f"{len(spots)} markers of {len(mission.guns)} guns")
    lies = watch.memory.pop(f"marker of {unit}", None)
    if lies is None and mission is not None:
        lies = mission.point
    if lies is not None and min(spot.distance(shapely.Point(lies)) for spot in spots) > SMOKE_ACROSS / 2 + LOOSE:
        watch.object_to(PLACEMENT, f"no marker touches {lies}")
    joined, rest = [spots[0]], spots[1:]
    while rest:
        near = [spot for spot in rest if any(spot.distance(each) <= SMOKE_ACROSS + LOOSE for each in joined)]
        if not near:
            watch.object_to(PLACEMENT, "the markers do not hang together")
            break
        joined += near
        rest = [spot for spot in rest if spot not in near]
    for number, spot in enumerate(spots):
        if any(spot.distance(each) < SMOKE_ACROSS - LOOSE for each in spots[number + 1 :]):
            watch.object_to(PLACEMENT, "markers lie on one another")
    on_table(watch, event.seat, [list(at) for at in event.data["at"]])


def on_target(watch: Watch, event: Event) -> None:
    """Direct fire: one marker on the middle of the target, after a success."""
    found = find(watch.state, event.data["target"])
    if watch.memory.pop("smoke due", "") != event.data["target"]:
        watch.object_to("hof.optional.smoke-marker", "smoke without a success")
    stand = stand_of(watch.state, found[1]) if found is not None else None
    if stand is not None and list(stand.at) != list(event.data["at"]):
        watch.object_to("hof.optional.smoke-marker", f"smoke at {event.data['at']}, not {stand.at}")
    on_table(watch, event.seat, [list(event.data["at"])])


def on_table(watch: Watch, side: str, spots: list[list[float]]) -> None:
    there = [list(each.at) for each in watch.state.smoke if each.side == side]
    if any(spot not in there for spot in spots):
        watch.object_to(PLACEMENT, "a marker is not on the table")


@book.on("fire", "activation", "turn-end", "move")
def smoke_is_not_forgotten(watch: Watch, event: Event) -> None:
    if watch.memory.pop("smoke due", ""):
        watch.object_to("hof.optional.smoke-marker", "a success has laid no smoke")


@book.on("turn")
def note_smoke(watch: Watch, event: Event) -> None:
    """The smoke of the side whose turn begins: it goes."""
    watch.memory["old smoke"] = [list(each.at) for each in watch.earlier.smoke if each.side == event.seat]


@book.on("order-dice")
def smoke_clears(watch: Watch, event: Event) -> None:
    watch.count("turns that smoke might outlive")
    old = watch.memory.pop("old smoke", [])
    fresh = [at for told in watch.memory.pop("laid", []) for at in told]
    left = [list(each.at) for each in watch.state.smoke if each.side == event.seat]
    if any(at in left and at not in fresh for at in old):
        watch.object_to("hof.artillery.smoke-duration", f"the smoke of {event.seat} is still there")


@book.on("smoke")
def note_fresh_smoke(watch: Watch, event: Event) -> None:
    at = event.data["at"]
    watch.memory.setdefault("laid", []).append([list(at)] if "target" in event.data else [list(each) for each in at])
