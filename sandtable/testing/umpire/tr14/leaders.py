"""Leaders: suppression that they shift, and Platoon Leaders who are appointed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.tr14.geometry import gap, pose_of, within
from sandtable.testing.umpire.tr14.log import command, commander, kind, leader, log, team_in
from sandtable.testing.umpire.tr14.moving import NEAR, commands
from sandtable.testing.umpire.tr14.rulebook import book

if TYPE_CHECKING:
    from sandtable.rulesets.tr14.core.state import State


@book.on("shifted")
def suppression_is_shifted(watch: Watch, event: Event) -> None:
    watch.count("suppression shifted")
    rule = "tr14.leaders.shift-suppression"
    state: State = watch.state
    source, target, chief = event.data["source"], event.data["target"], event.data["leader"]
    command(watch, chief)
    found, leading, taking = team_in(state, source), team_in(state, chief), team_in(state, target)
    assert found is not None
    assert leading is not None
    assert taking is not None
    unit = found[0]
    if (
        chief == source
        or taking[0].id != unit.id
        or not commands(state, unit.id, chief)
        or kind(leading[1]).type != "infantry"
    ):
        watch.object_to(rule, f"{chief} shifts suppression from {source} to {target}")
    if within(gap(pose_of(leading[1]), pose_of(found[1])), NEAR) is False:
        watch.object_to(rule, f"{chief} is too far from {source}")
    was = watch.earlier.units[unit.id].teams
    if found[1].markers or taking[1].markers != was[source].markers + was[target].markers:
        watch.object_to(rule, f"{source} keeps {found[1].markers} markers, {target} has {taking[1].markers}")
    spared = [team.id for team in unit.teams.values() if not team.markers and team.id != source]
    if taking[1].markers > 2 or (taking[1].markers == 2 and spared):
        watch.object_to("tr14.suppression.double", f"{target} has {taking[1].markers} markers, {spared} none")


@book.on("appointed")
def a_leader_is_appointed(watch: Watch, event: Event) -> None:
    watch.count("leaders appointed")
    rule = "tr14.leaders.cc-appoints-pl"
    kept = log(watch)
    unit = watch.state.units[event.data["unit"]]
    found = commander(watch.state, unit.side)
    team = unit.teams[event.data["team"]]
    if kept.appointed.get(unit.side) == kept.number:
        watch.object_to(rule, f"{unit.side} appoints two leaders in one Initiative")
    kept.appointed[unit.side] = kept.number
    if found is None or within(gap(pose_of(found[1]), pose_of(team)), NEAR) is False:
        watch.object_to(rule, f"{team.id} is appointed from afar")
    if leader(watch.earlier.units[unit.id]) is not None or leader(unit) is not team:
        watch.object_to(rule, f"{unit.id} has a leader already")
