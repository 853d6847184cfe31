"""Snipers: whom one may mark, whose heads his fire keeps down, and how he is found."""

from __future__ import annotations

from typing import Any

import shapely

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.hof import book
from sandtable.testing.umpire.hof.acts import under_way
from sandtable.testing.umpire.hof.lines import distance, sees_target, veil_of
from sandtable.testing.umpire.hof.sight import DOUBT, spot_of
from sandtable.testing.umpire.hof.table import base, base_at, enemy, find, stand_of, standing

RANGE, NEAR, FOUND = 20.0, 4.0, 4.0
OBSERVER_NEAR = 12.0
FIRE = "hof.optional.sniper-fire"


@book.on("turn")
def a_new_turn(watch: Watch, event: Event) -> None:
    watch.memory["sniped"] = set()


@book.on("sniper-fire")
def marks(watch: Watch, event: Event) -> None:
    watch.count("sniper fire")
    state = watch.state
    sniper, target = find(state, event.data["team"]), find(state, event.data["target"])
    if sniper is None or target is None:
        watch.object_to(FIRE, "somebody is not there")
        return
    before = find(watch.earlier, target[1].id)
    if sniper[1].suppressed or sniper[0].side == target[0].side or sniper[1].role != "sniper":
        watch.object_to(FIRE, f"{sniper[1].id} may not mark {target[1].id}")
    if before is not None and before[1].sniped:
        watch.object_to(FIRE, f"{target[1].id} bears a marker already")
    # He aims before he is told to fire: what he sees then counts, and nobody moves between.
    if distance(state, sniper[1], target[1]) > RANGE + DOUBT:
        watch.object_to(FIRE, f"{target[1].id} is farther than {RANGE:g} inches")
    if sees_target(watch, state, sniper[1], target) is False:
        watch.object_to(FIRE, f"{sniper[1].id} does not see {target[1].id}")
    fired: set[str] = watch.memory.setdefault("sniped", set())
    if sniper[0].id in fired:
        watch.object_to(FIRE, f"{sniper[1].id} fires twice in a turn")
    fired.add(sniper[0].id)
    if target[1].role == "fo":
        near = any(
            distance(state, team, target[1]) <= OBSERVER_NEAR + DOUBT for _, team in standing(state, sniper[0].side)
        )
        if not near and veil_of(watch, state, spot_of(sniper[1]), target).concealed:
            watch.object_to("hof.artillery.fo-targeting", f"{target[1].id} is concealed and nobody is near")


@book.on("rfps")
def note_the_target(watch: Watch, event: Event) -> None:
    """Where the target of a sniper and its friends stood when it rolled."""
    if "hof.optional.sniper-resolve" in event.rules:
        watch.memory["shot at"] = (event.data["team"], event.data["result"], watch.state)


@book.on("sniped")
def heads_go_down(watch: Watch, event: Event) -> None:
    """The target if it lives and the Team next to it, or the two next to it, keep their heads down."""
    name, result, state = watch.memory.get("shot at", ("", "", None))
    found = find(state, name) if state is not None else None
    if found is None or name != event.data["team"]:
        watch.object_to("hof.optional.sniper-resolve", f"{event.data['team']} has not rolled")
        return
    watch.count("sniped")
    told = list(event.data["suppressed"])
    killed = result == "killed" and found[1].role != "bunker"
    if killed == (name in told):
        watch.object_to("hof.optional.sniper-survived", f"{name} is {result}: {told}")
    others = [each for each in told if each != name]
    near = neighbours(state, found)
    due = 2 if killed else 1
    if len(others) != min(due, len(near)):
        watch.object_to("hof.optional.sniper-survived", f"{len(others)} Teams beside {name} are pinned, of {len(near)}")
        return
    farthest = sorted(near.values())[: len(others)]
    if any(each not in near or near[each] > farthest[-1] + DOUBT for each in others):
        watch.object_to("hof.optional.sniper-survived", f"{others} are not nearest to {name}: {near}")
    watch.memory["pinned"] = told


def neighbours(state: Any, target: Any) -> dict[str, float]:
    stand = stand_of(state, target[1])
    if stand.at is None:
        return {}
    found = {
        team.id: base(stand).distance(base(team))
        for _, team in standing(state, target[0].side)
        if team.id != target[1].id
    }
    return {name: inches for name, inches in found.items() if inches <= NEAR + DOUBT}


@book.on()
def they_are_pinned(watch: Watch, event: Event) -> None:
    if event.kind in ("sniped", "suppressed", "lost"):
        return
    for name in watch.memory.pop("pinned", ()):
        found = find(watch.state, name)
        if found is not None and not found[1].suppressed and event.kind not in ("fall-back", "rally"):
            watch.object_to("hof.optional.sniper-survived", f"{name} is not Suppressed")


# How he is found.


def trail(watch: Watch, team: Any) -> Any:
    """What a Team's base has swept over in this activation, taken as straight."""
    at, _ = under_way(watch).starts.get(team.id, (team.at, 0.0))
    return shapely.union_all([base_at(team, at, team.facing), base(team)]).convex_hull


@book.on("sniper-found")
def is_found(watch: Watch, event: Event) -> None:
    watch.count("snipers found")
    found = find(watch.state, event.data["team"])
    if found is None or found[1].at is None:
        return
    foes = [team for _, team in standing(watch.state, enemy(found[0].side))]
    if not any(trail(watch, team).distance(base(found[1])) <= FOUND + DOUBT for team in foes):
        watch.object_to("hof.optional.sniper-overrun", f"nobody has come near {found[1].id}")


@book.on("activation", "turn-end")
def nobody_is_overlooked(watch: Watch, event: Event) -> None:
    """A sniper whom an enemy has just walked up to is lost."""
    state = watch.earlier
    act = watch.memory.get("act")
    if act is None or not act.side or not watch.setup.options.snipers:
        return
    for unit, sniper in standing(state):
        if sniper.role != "sniper" or unit.side == act.side or sniper.id not in act.starts:
            continue
        for _, foe in standing(state, act.side):
            moved = foe.id in act.starts and act.starts[foe.id][0] != (float(foe.at[0]), float(foe.at[1]))
            if moved and foe.id in act.orders and base(foe).distance(base(sniper)) < FOUND - DOUBT:
                watch.object_to("hof.optional.sniper-overrun", f"{foe.id} has come to {sniper.id}")
