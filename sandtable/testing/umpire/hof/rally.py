"""Rally Checks, the Leader's help, and Teams that fall back out of sight."""

from __future__ import annotations

from typing import Any

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.hof import book
from sandtable.testing.umpire.hof.checks import right_check
from sandtable.testing.umpire.hof.sight import Maybe, either, sees
from sandtable.testing.umpire.hof.table import CONTACT, Member, enemy, find, gap, kind_of, standing

RALLY = "hof.rfp-rally.rally-check"


@book.on("rally")
def rally_is_right(watch: Watch, event: Event) -> None:
    name = event.data["team"]
    before, now = find(watch.earlier, name), find(watch.state, name)
    if before is None or now is None:
        watch.object_to(RALLY, f"{name} rallies and is not there")
        return
    watch.count("rallies")
    if not before[1].suppressed and not event.dice:
        watch.object_to(RALLY, f"{name} rallies and was not Suppressed")
    if now[1].suppressed == event.data["passed"]:
        watch.object_to(RALLY, f"{name} is {'still' if now[1].suppressed else 'not any more'} Suppressed")
    if not event.dice:
        with_its_tank(watch, now[1])
        return
    if now[1].role == "rider":
        watch.object_to("hof.optional.riders-suppression", f"{name} rallies by itself")
    helped = watch.memory.pop("seen to", "") == name
    if now[1].rfps and not helped:
        watch.object_to("hof.rfp-rally.no-self-rally-with-rfp", f"{name} rallies with {now[1].rfps} RFPs")
    right_check(watch, event, now[0].quality, RALLY)


def with_its_tank(watch: Watch, team: Any) -> None:
    tank = find(watch.state, team.carrier)
    if team.role != "rider" or tank is None or tank[1].suppressed:
        watch.object_to("hof.optional.riders-suppression", f"{team.id} rallies without a die")


@book.on("no-rally")
def cannot_rally(watch: Watch, event: Event) -> None:
    found = find(watch.state, event.data["team"])
    if found is not None and not found[1].rfps and found[1].role != "rider":
        watch.object_to(RALLY, f"{found[1].id} is not let rally")


# The Leader's help.


@book.on("leader-ability")
def help_is_right(watch: Watch, event: Event) -> None:
    """Only an unsuppressed Leader helps, and only a Team under his command that he touches; Move Up is for `moves`."""
    leader, team = find(watch.state, event.data["leader"]), find(watch.state, event.data["team"])
    if leader is None or team is None:
        watch.object_to("hof.leaders.ability-once", "somebody is not there")
        return
    watch.count("abilities")
    if leader[1].suppressed:
        watch.object_to("hof.leaders.ability-once", f"{leader[1].id} is Suppressed")
    under = leader[0].id == team[0].id or (leader[1].role == "cc" and not kind_of(team[1]).vehicle)
    if not under or leader[0].side != team[0].side:
        watch.object_to("hof.leaders.ability-once", f"{team[1].id} is not under the command of {leader[1].id}")
    if event.data["ability"] == "move-up":
        return
    if leader[1].at is None or team[1].at is None or gap(leader[1], team[1]) > CONTACT + 1e-6:
        watch.object_to(f"hof.leaders.{event.data['ability']}", f"{leader[1].id} does not touch {team[1].id}")
    if event.data["ability"] == "rally":
        watch.memory["seen to"] = team[1].id


# Out of sight.


def watched(watch: Watch, state: Any, member: Member) -> Maybe:
    """Whether an enemy Team that is not Small sees a Team, Suppressed or not."""
    found: Maybe = False
    for unit, team in standing(state, enemy(member[0].side)):
        if not kind_of(team).small:
            found = either(found, sees(watch, (unit, team), member, state))
        if found:
            break
    return found


@book.on("fall-back")
def falls_back(watch: Watch, event: Event) -> None:
    now = find(watch.state, event.data["team"])
    if now is None:
        watch.object_to("hof.rfp-rally.fall-back-end", f"{event.data['team']} is not there")
        return
    watch.count("fall backs")
    if watched(watch, watch.state, now):
        watch.object_to("hof.rfp-rally.fall-back-end", f"{now[1].id} is seen by an enemy")
    if now[1].suppressed:
        watch.object_to("hof.rfp-rally.fall-back-end", f"{now[1].id} is still Suppressed")
    watch.memory.setdefault("down", {}).pop(now[1].id, None)


@book.on("activation")
def who_is_down(watch: Watch, event: Event) -> None:
    """Note the activated Teams: who of them is Suppressed and out of sight recovers at once."""
    finish(watch)
    names = {*event.data["orders"], event.data["team"]}
    watch.memory["down"] = dict.fromkeys(names, False)


@book.on("rally", "rfps")
def recovers_first(watch: Watch, event: Event) -> None:
    """Before any Rally Check or RFP die of an activation, Suppressed Teams out of sight have recovered."""
    down: dict[str, bool] = watch.memory.get("down", {})
    name = event.data["team"]
    if name not in down or down[name]:
        return
    down[name] = True
    before = find(watch.earlier, name)
    if before is None or not before[1].suppressed or watch.memory.get("assault") is not None:
        return
    watch.count("who might fall back")
    if watched(watch, watch.earlier, before) is False:
        watch.object_to("hof.rfp-rally.fall-back-start", f"{name} started out of sight")


@book.on("assault-check", "leave")
def fought(watch: Watch, event: Event) -> None:
    """Who fought regroups at the end, in sight or not."""
    watch.memory.setdefault("down", {}).pop(event.data["team"], None)


@book.on("turn-end", "call-for-fire", "massed-assault")
def the_activation_is_over(watch: Watch, event: Event) -> None:
    finish(watch)


def finish(watch: Watch) -> None:
    """At the end of an activation nobody of those who took part is Suppressed out of sight."""
    for name in watch.memory.pop("down", {}):
        found = find(watch.earlier, name)
        if found is None or not found[1].suppressed or found[1].at is None:
            continue
        watch.count("who might fall back")
        if watched(watch, watch.earlier, found) is False:
            watch.object_to("hof.rfp-rally.fall-back-end", f"{name} ended out of sight and is Suppressed")
