"""Transports: who gets in and out, where, and when they go to the rear and come back."""

from __future__ import annotations

from typing import Any

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.hof import book
from sandtable.testing.umpire.hof.acts import under_way
from sandtable.testing.umpire.hof.sight import sees
from sandtable.testing.umpire.hof.table import (
    HAIR,
    base,
    enemy,
    find,
    gap,
    is_transport,
    kind_of,
    members,
    standing,
)

NEAR = 4.0
ENEMY = 16.0


def inside(team: Any) -> bool:
    """Infantry and Man-Portable Guns ride inside, other Guns are towed."""
    return kind_of(team).category == "infantry" or kind_of(team).portable


@book.on("load")
def loading(watch: Watch, event: Event) -> None:
    watch.count("loadings")
    act, data = under_way(watch), event.data
    before, ride = find(watch.earlier, data["team"]), find(watch.earlier, data["transport"])
    if before is None or ride is None or before[1].at is None or ride[1].at is None:
        watch.object_to("hof.transports.load", f"{data['team']} gets into {data['transport']} from nowhere")
        return
    team, transport = before[1], ride[1]
    if before[0].id != ride[0].id:
        watch.object_to("hof.transports.own-unit-only", f"{team.id} gets into {transport.id} of another Unit")
    if not kind_of(transport).carries or kind_of(team).vehicle:
        watch.object_to("hof.transports.capacity", f"{transport.profile} carries {team.profile}")
    if gap(team, transport) > NEAR + HAIR:
        watch.object_to("hof.transports.load", f"{team.id} is {gap(team, transport):.2f} inches from {transport.id}")
    if sees(watch, before, ride, watch.earlier) is False and kind_of(team).mobility != "":
        watch.object_to("hof.transports.load", f"{team.id} does not see {transport.id}")
    if act.carried_out:
        watch.object_to("hof.transports.load-before-acting", f"{team.id} gets in after somebody has acted")
    acting = {*act.orders, act.first, act.leader}
    if act.orders and team.id not in acting:
        watch.object_to("hof.transports.load-before-acting", f"{team.id} gets in and is not activated")


@book.after_answer
def transports_are_not_overfull(watch: Watch) -> None:
    if not any(event.kind in ("load", "arrived", "deployed") for event in watch.told):
        return
    aboard: dict[str, list[Any]] = {}
    for _, team in members(watch.state):
        if team.where == "aboard" and team.role != "rider":
            aboard.setdefault(team.carrier, []).append(team)
    for name, teams in aboard.items():
        found = find(watch.state, name)
        if found is None:
            watch.object_to("hof.transports.capacity", f"{[team.id for team in teams]} ride in {name}, which is gone")
            continue
        if sum(inside(team) for team in teams) > kind_of(found[1]).carries or sum(map(tows, teams)) > 1:
            watch.object_to("hof.transports.capacity", f"{name} carries {[team.id for team in teams]}")


def tows(team: Any) -> bool:
    return not inside(team)


@book.on("unload")
def unloading(watch: Watch, event: Event) -> None:
    watch.count("unloadings")
    act, data = under_way(watch), event.data
    now, ride = find(watch.state, data["team"]), find(watch.earlier, data["transport"])
    if now is None or ride is None or now[1].at is None or ride[1].at is None:
        watch.object_to("hof.transports.unload", f"{data['team']} gets out of {data['transport']} to nowhere")
        return
    if gap(now[1], ride[1]) > NEAR + HAIR:
        watch.object_to("hof.transports.unload", f"{data['team']} gets out {gap(now[1], ride[1]):.2f} inches away")
    if sees(watch, now, ride, watch.state) is False:
        watch.object_to("hof.transports.unload", f"{data['team']} gets out where {data['transport']} does not see it")
    if act.carried_out:
        watch.object_to("hof.transports.load-before-acting", f"{data['team']} gets out after somebody has acted")


@book.after_answer
def empty_transports_go_to_the_rear(watch: Watch) -> None:
    """Once the last has got out, unless it is Suppressed or Bogged; and nobody else."""
    left = {event.data["transport"] for event in watch.told if event.kind == "unload"}
    sent = {event.data["team"] for event in watch.told if event.kind == "rear"}
    for name in left | sent:
        watch.count("transports left")
        found = find(watch.state, name)
        if found is None:
            continue
        team = found[1]
        full = any(mate.carrier == name and mate.where == "aboard" for mate in found[0].teams.values())
        stuck = team.suppressed or team.bogged
        if name in sent and (full or stuck):
            watch.object_to("hof.transports.called-to-rear", f"{name} goes to the rear: full {full}, stuck {stuck}")
        if name not in sent and not full and not stuck and is_transport(team):
            watch.object_to("hof.transports.called-to-rear", f"{name} is empty and stays")


@book.on("return")
def coming_back(watch: Watch, event: Event) -> None:
    watch.count("returns")
    found = find(watch.state, event.data["team"])
    before = find(watch.earlier, event.data["team"])
    if found is None or before is None or before[1].where != "rear" or found[1].at is None:
        watch.object_to("hof.transports.return", f"{event.data['team']} comes back and was not in the rear")
        return
    unit, team = found
    mates = [mate for mate in unit.teams.values() if mate.id != team.id and mate.at is not None]
    if not any(gap(team, mate) <= NEAR + HAIR for mate in mates):
        watch.object_to("hof.transports.return", f"{team.id} comes back far from its Unit")
    for foe_unit, foe in standing(watch.state, enemy(unit.side)):
        if gap(team, foe) < ENEMY - HAIR and sees(watch, (foe_unit, foe), found) is True:
            watch.object_to("hof.transports.return", f"{team.id} comes back {gap(team, foe):.2f} before {foe.id}")
    if under_way(watch).carried_out:
        watch.object_to("hof.transports.return", f"{team.id} comes back after somebody has acted")


@book.on("lost")
def note_where_it_fell(watch: Watch, event: Event) -> None:
    found = find(watch.earlier, event.data["team"])
    if found is not None and found[1].at is not None:
        watch.memory.setdefault("fell", {})[event.data["team"]] = base(found[1])


@book.on("bail-out")
def bailing_out(watch: Watch, event: Event) -> None:
    watch.count("bailing out")
    found, fell = find(watch.state, event.data["team"]), watch.memory.get("fell", {}).get(event.data["transport"])
    if found is None or fell is None or found[1].at is None:
        watch.object_to("hof.transports.destroyed-by-penetration", f"{event.data['team']} bails out of nothing")
        return
    if base(found[1]).distance(fell) > NEAR + HAIR:
        watch.object_to("hof.transports.destroyed-by-penetration", f"{found[1].id} comes out too far away")
