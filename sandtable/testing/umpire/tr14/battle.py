"""The battle round the rules: deployment, objectives, and how it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapely import Point, Polygon

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.tr14.geometry import HAIR, base, overlap, pose_of, within
from sandtable.testing.umpire.tr14.log import land, leader, log, platoons, side_of, teams_of
from sandtable.testing.umpire.tr14.moving import in_cohesion
from sandtable.testing.umpire.tr14.rulebook import book

if TYPE_CHECKING:
    from sandtable.rulesets.tr14.core.state import State


@book.on("deployed")
def a_unit_is_deployed(watch: Watch, event: Event) -> None:
    watch.count("Units deployed")
    state: State = watch.state
    unit = state.units[event.data["unit"]]
    rule = "tr14.battle.deployment"
    zone = watch.setup.zones.get(unit.side)
    room = Polygon(zone).buffer(HAIR) if zone else None
    places = {team.id: pose_of(team) for team in unit.teams.values()}
    for name, pose in places.items():
        if not land(watch).on_table(pose) or (room is not None and not room.contains(Point(pose.at()))):
            watch.object_to(rule, f"{name} is deployed at {pose.at()}, outside its zone")
        for _, other in teams_of(state):
            if other.id != name and overlap(pose, pose_of(other)):
                watch.object_to(rule, f"{name} is deployed on {other.id}")
    teams = list(unit.teams.values())
    if leader(unit) is not None and not all(in_cohesion(teams, places, HAIR).values()):
        watch.object_to("tr14.moving.cohesion", f"{unit.id} is deployed out of cohesion")


@book.at_start
def remember_who_holds(watch: Watch) -> None:
    watch.memory["tr14.holders"] = {name: each.holder for name, each in watch.state.objectives.items()}


@book.on("initiative-roll", "battle-over")
def objectives_are_held(watch: Watch, event: Event) -> None:
    """At the end of a round an objective goes to the side with an unsuppressed Team there, if the other has none."""
    kept, state = log(watch), watch.state
    if not kept.began or state.round == watch.memory.setdefault("tr14.judged", watch.setup.round - 1):
        return
    if event.kind == "battle-over" and "tr14.battle.end" not in event.rules:
        return
    if event.kind == "initiative-roll" and state.round == watch.setup.round:
        return
    watch.memory["tr14.judged"] = state.round
    held = watch.memory["tr14.holders"]
    for name, objective in state.objectives.items():
        watch.count("objectives judged")
        spot = Point(objective.at)
        near = [
            side
            for side in ("red", "blue")
            if any(
                not team.markers and within(base(pose_of(team)).distance(spot), objective.radius)
                for _, team in side_of(state, side)
            )
        ]
        if len(near) == 1:
            held[name] = near[0]
        if objective.holder != held[name]:
            watch.object_to("tr14.battle.objectives", f"{name} is {objective.holder}'s, and not {held[name]}'s")


@book.on("battle-over")
def the_battle_ends(watch: Watch, event: Event) -> None:
    watch.count("battles ended")
    state: State = watch.state
    winner = event.data["winner"]
    retreating = watch.memory.get("tr14.retreat")
    if "tr14.battle.end" in event.rules:
        worth = {
            side: sum(each.worth for each in state.objectives.values() if each.holder == side)
            for side in ("red", "blue")
        }
        best = [side for side in worth if worth[side] == max(worth.values())]
        expected = best[0] if len(best) == 1 else None
        if state.round < watch.setup.rounds:
            watch.object_to("tr14.battle.end", f"the battle ends after round {state.round}")
    else:
        lost = [side for side in ("red", "blue") if side == retreating or not platoons(state, side)]
        if not lost:
            watch.object_to("tr14.battle.end", "the battle ends, and nobody has lost")
            return
        expected = "blue" if lost[0] == "red" else "red"
    if winner != expected:
        watch.object_to("tr14.battle.end", f"{winner} wins, and not {expected}")


@book.on()
def a_retreat_ends_the_battle(watch: Watch, event: Event) -> None:
    retreating = watch.memory.get("tr14.retreat")
    if retreating is not None and event.kind not in ("company", "battle-over"):
        watch.object_to("tr14.leaders.company-morale", f"{retreating} retreats, and the battle goes on")
        watch.memory["tr14.retreat"] = None
