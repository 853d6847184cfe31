"""Moving: how far, over what ground, in cohesion, and where each Team comes to stand."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.tr14.arriving import end_move
from sandtable.testing.umpire.tr14.arsenal import COHESION
from sandtable.testing.umpire.tr14.geometry import (
    HAIR,
    Pose,
    Spot,
    base,
    crossings,
    gap,
    length_of,
    overlap,
    pose_of,
    swept,
)
from sandtable.testing.umpire.tr14.log import (
    Move,
    command,
    commander,
    enemies_of,
    kind,
    land,
    leader,
    log,
    observers_of,
    poses,
    team_in,
    teams_of,
)
from sandtable.testing.umpire.tr14.rulebook import book

if TYPE_CHECKING:
    from sandtable.rulesets.tr14.core.state import State, Team, Unit

MOVE_UP = 4.0
NEAR = 2.0
STRAIGHT = 0.25
"""tr14.moving.rejoin: a way back that is longer by so little is as good."""


def steps_of(watch: Watch) -> Mapping[str, Any]:
    """Where the answer just given sends each Team."""
    answer = watch.entry.answer if watch.entry is not None else {}
    return answer if isinstance(answer, dict) else {}


def free_leader(unit: Unit, team: Team) -> bool:
    """tr14.leaders.pl-placement: an Infantry Platoon Leader is placed, as long as he has a Unit."""
    return team.role == "pl" and kind(team).type == "infantry" and len(unit.teams) > 1


@book.on("move")
def a_unit_moves(watch: Watch, event: Event) -> None:
    watch.count("moves")
    state: State = watch.state
    unit = state.units[event.data["unit"]]
    ways: dict[str, list[Spot]] = {name: [(x, y) for x, y in way] for name, way in event.data["ways"].items()}
    move = begin_move(watch, unit, ways)
    members = {team.id: (unit, team) for team in unit.teams.values()}
    for each in observers_of(state, unit):
        members |= {team.id: (each, team) for team in each.teams.values()}
    if unit.held:
        watch.object_to("tr14.firing.gtg-declare", f"{unit.id} moves although it went to ground")
    for name, way in ways.items():
        if name not in members:
            watch.object_to("tr14.moving.distances", f"{name} moves with {unit.id}")
            return
        owner, team = members[name]
        watch.count("ways")
        if team.at != way[0]:
            watch.object_to("tr14.moving.distances", f"{name} sets out from where it does not stand")
        far = length_of(way) - kind(team).move
        if far > HAIR and not free_leader(owner, team):
            move.move_ups.add(name)
            if far > MOVE_UP + HAIR:
                watch.object_to("tr14.moving.distances", f"{name} moves {length_of(way):.2f} inches")
    moving = {name: members[name][1] for name in ways}
    ends = {name: end_pose(team, ways[name][-1], move.facings[name]) for name, team in moving.items()}
    placed = {name for name, team in moving.items() if free_leader(unit, team)}
    look_at_ways(watch, unit, moving, {name: way for name, way in ways.items() if name not in placed})
    look_at_ends(watch, moving, ends)
    look_at_cohesion(watch, unit, ends, ways)
    look_at_leaderless(watch, unit, moving, ends)


def begin_move(watch: Watch, unit: Unit, ways: dict[str, list[Spot]], *, charge: bool = False) -> Move:
    if (last := log(watch).move) is not None:
        # The first Move of a Run, for one, is over when the second begins.
        end_move(watch, last, watch.asked)
    steps = steps_of(watch)
    facings: dict[str, float] = {}
    for name in ways:
        found = team_in(watch.state, name)
        ordered = steps[name].get("facing") if not charge and name in steps else None
        facings[name] = (found[1].facing if found is not None else 0.0) if ordered is None else ordered
    move = Move(unit.id, ways, facings, charge, watch.state)
    log(watch).move = move
    return move


def end_pose(team: Team, at: Spot, facing: float) -> Pose:
    return Pose(team.profile, at[0], at[1], facing)


def look_at_ways(watch: Watch, unit: Unit, moving: Mapping[str, Team], ways: Mapping[str, list[Spot]]) -> None:
    """Nobody passes over an enemy base, and heavy guns stay out of Very Difficult Terrain."""
    enemies = poses([team for _, team in enemies_of(watch.state, unit.side)])
    here = land(watch)
    for name, way in ways.items():
        team = moving[name]
        over_nobody(watch, name, pose_of(team), way, enemies)
        off = [
            spot
            for spot in way
            if not (-HAIR <= spot[0] <= here.width + HAIR and -HAIR <= spot[1] <= here.depth + HAIR)
        ]
        if off:
            watch.object_to("tr14.moving.distances", f"{name} goes by way of {off[0]}, off the table")
        if kind(team).type == "gun" and not kind(team).has("moves-as-infantry"):
            watch.count("ways of heavy guns")
            for crossing in crossings(here, way, ("very-difficult",)):
                if crossing.sure:
                    watch.object_to("tr14.moving.gun-terrain", f"{name} is dragged through {crossing.piece.name}")
            for piece in here.pieces:
                if piece.going.going == "very-difficult" and length_of(way) > HAIR and piece.holds(way[-1]):
                    watch.object_to("tr14.moving.gun-terrain", f"{name} ends in {piece.name}")


def over_nobody(watch: Watch, name: str, start: Pose, way: Sequence[Spot], enemies: Sequence[Pose]) -> None:
    xs, ys = [spot[0] for spot in way], [spot[1] for spot in way]
    near = [enemy for enemy in enemies if min(xs) - 3 < enemy.x < max(xs) + 3 and min(ys) - 3 < enemy.y < max(ys) + 3]
    if not near or length_of(way) < HAIR:
        return
    band = swept(start, way)
    for enemy in near:
        if band.intersects(base(enemy, HAIR)):
            watch.object_to("tr14.moving.distances", f"{name} passes over an enemy base at {enemy.at()}")


def look_at_ends(watch: Watch, moving: Mapping[str, Team], ends: Mapping[str, Pose]) -> None:
    """Nobody ends on another base or off the table."""
    here = land(watch)
    others = {team.id: pose_of(team) for _, team in teams_of(watch.state) if team.id not in moving}
    for name, end in ends.items():
        if not here.on_table(end):
            watch.object_to("tr14.moving.distances", f"{name} ends off the table")
        for whom, pose in [*others.items(), *((n, p) for n, p in ends.items() if n > name)]:
            if overlap(end, pose):
                watch.object_to("tr14.moving.distances", f"{name} ends on {whom}")


def in_cohesion(teams: Sequence[Team], places: Mapping[str, Pose], slack: float) -> dict[str, bool]:
    """tr14.moving.cohesion: near the Platoon Leader, or near a Team that is near him."""
    chief = next(team for team in teams if team.role == "pl")
    close = {team.id: gap(places[team.id], places[chief.id]) <= COHESION[kind(team).type] + slack for team in teams}
    return {
        team.id: close[team.id]
        or any(
            close[via.id] and gap(places[team.id], places[via.id]) <= COHESION[kind(team).type] + slack
            for via in teams
            if via is not team
        )
        for team in teams
    }


def look_at_cohesion(watch: Watch, unit: Unit, ends: Mapping[str, Pose], ways: Mapping[str, list[Spot]]) -> None:
    teams = list(unit.teams.values())
    chief = leader(unit)
    if chief is None or len(teams) == 1:
        return
    watch.count("Units in cohesion")
    before = {team.id: pose_of(team) for team in teams}
    after = {team.id: ends.get(team.id, before[team.id]) for team in teams}
    perhaps = in_cohesion(teams, after, HAIR)
    was_surely, was_perhaps = in_cohesion(teams, before, -HAIR), in_cohesion(teams, before, HAIR)
    for team in teams:
        if team.id not in ways or free_leader(unit, team):
            continue
        if was_surely[team.id] and not perhaps[team.id]:
            watch.object_to("tr14.moving.cohesion", f"{team.id} ends out of cohesion")
        if not was_perhaps[team.id] and not comes_back(teams, before, after, team, ways[team.id]):
            watch.object_to("tr14.moving.rejoin", f"{team.id} does not take the shortest way back into cohesion")
    kept = sum(perhaps.values())
    if kept * 2 < len(teams):
        if kept < sum(was_surely.values()):
            watch.object_to("tr14.moving.leave-behind", f"only {kept} of {len(teams)} Teams of {unit.id} keep cohesion")
        if chief.id in ways and free_leader(unit, chief) and length_of(ways[chief.id]) > kind(chief).move + HAIR:
            watch.object_to("tr14.leaders.pl-placement", f"{chief.id} is placed far from his Unit")


def comes_back(
    teams: Sequence[Team], before: Mapping[str, Pose], after: Mapping[str, Pose], team: Team, way: Sequence[Spot]
) -> bool:
    """Straight for the Platoon Leader or a Team near him, whichever is nearest."""
    length = math.dist(before[team.id].at(), after[team.id].at())
    if length < HAIR:
        return True
    if len(way) > 2:
        return False
    chief = next(each for each in teams if each.role == "pl")
    anchors = [
        each
        for each in teams
        if each is not team and gap(after[each.id], after[chief.id]) <= COHESION[kind(each).type] + HAIR
    ]
    far = {each.id: gap(before[team.id], after[each.id]) for each in anchors}
    shortest = min(far.values(), default=0.0)
    return any(
        gap(after[team.id], after[name]) <= start - length + STRAIGHT + HAIR
        for name, start in far.items()
        if start <= shortest + STRAIGHT + HAIR
    )


def look_at_leaderless(watch: Watch, unit: Unit, moving: Mapping[str, Team], ends: Mapping[str, Pose]) -> None:
    """tr14.leaders.leaderless"""
    if unit.apart or leader(unit) is not None:
        return
    watch.count("leaderless moves")
    here = land(watch)
    for name, end in ends.items():
        start = pose_of(moving[name])
        for _, enemy in enemies_of(watch.state, unit.side):
            there = pose_of(enemy)
            if gap(end, there) < gap(start, there) - HAIR and here.sees(start, there):
                watch.object_to("tr14.leaders.leaderless", f"{name} goes nearer to {enemy.id}, without a leader")


@book.on("move-up")
def a_leader_has_a_team_move_up(watch: Watch, event: Event) -> None:
    watch.count("Teams moved up")
    kept, rule = log(watch), "tr14.leaders.move-up"
    name, chief = event.data["team"], event.data["leader"]
    command(watch, chief)
    if kept.move is None or name not in kept.move.move_ups:
        watch.object_to(rule, f"{name} is moved up and does not go farther than it may")
        return
    kept.move.move_ups.discard(name)
    places = {}
    for each in (name, chief):
        found = team_in(watch.state, each)
        assert found is not None
        team = found[1]
        here = end_pose(team, kept.move.ways[each][-1], kept.move.facings[each]) if each in kept.move.ways else None
        places[each] = here or pose_of(team)
        commanding = kind(team).type == "infantry" and commands(watch.state, kept.move.unit, chief)
        if each == chief and (chief == name or not commanding):
            watch.object_to(rule, f"{chief} does not command {name}")
    if gap(places[name], places[chief]) > NEAR + HAIR:
        watch.object_to(rule, f"{name} ends {gap(places[name], places[chief]):.2f} inches from {chief}")


def commands(state: State, unit: str, chief: str) -> bool:
    """Whether a leader has a Unit under his command: its Platoon Leader, or the Company Commander."""
    found = commander(state, state.units[unit].side)
    own = leader(state.units[unit])
    return (own is not None and own.id == chief) or (found is not None and found[1].id == chief)


@book.on("leader-placed")
def a_leader_is_placed(watch: Watch, event: Event) -> None:
    watch.count("leaders placed")
    now = log(watch).activation
    found = team_in(watch.state, event.data["team"])
    assert found is not None
    unit, team = found
    if now is None or now.unit != unit.id or now.placed or now.action or not free_leader(unit, team):
        watch.object_to("tr14.leaders.pl-placement", f"{team.id} is placed out of turn")
        return
    now.placed = True
    step = steps_of(watch)[team.id]
    way = [team.at or (0.0, 0.0), (step["to"][0], step["to"][1])]
    facing = step.get("facing")
    ends = {team.id: end_pose(team, way[-1], team.facing if facing is None else facing)}
    look_at_ends(watch, {team.id: team}, ends)
    look_at_cohesion(watch, unit, ends, {team.id: way})
