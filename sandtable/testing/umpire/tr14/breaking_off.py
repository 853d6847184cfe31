"""Breaking off: who gets away, who follows, who is caught, and what an assault costs both."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sandtable.engine.events import Event
from sandtable.testing.umpire import Watch
from sandtable.testing.umpire.tr14.assaults import STRIKE, fight_of, turn_ends
from sandtable.testing.umpire.tr14.fights import Fight
from sandtable.testing.umpire.tr14.geometry import (
    HAIR,
    Pose,
    Spot,
    Verdict,
    base,
    gap,
    gap_to_any,
    length_of,
    pose_of,
    swept,
    within,
)
from sandtable.testing.umpire.tr14.ground import look_at_rolls
from sandtable.testing.umpire.tr14.log import enemies_of, kind, land, leader, log, poses, team_in, teams_of
from sandtable.testing.umpire.tr14.moving import end_pose, look_at_ends, look_at_leaderless, look_at_ways, steps_of
from sandtable.testing.umpire.tr14.rulebook import book

if TYPE_CHECKING:
    from sandtable.rulesets.tr14.core.state import State, Team, Unit

ENDS_A_FIGHT = {"activation", "initiative", "initiative-roll", "morale", "action"}


@book.on("break-off")
def a_unit_breaks_off(watch: Watch, event: Event) -> None:
    watch.count("break-offs")
    fight = fight_of(watch)
    if fight is None:
        watch.object_to("tr14.assaults.break-off-move", "a Unit breaks off, and there is no assault")
        return
    last = watch.told[-2] if len(watch.told) > 1 else None
    if last is None or last.kind != "counter-check":
        turn_ends(watch, fight, watch.state)
        fight.turn = fight.target if fight.turn == fight.attacker else fight.attacker
    elif last.data["passed"]:
        watch.object_to("tr14.assaults.counter-check", f"{event.data['unit']} breaks off after a passed Check")
    if event.data["unit"] != fight.turn:
        watch.object_to("tr14.assaults.counter-or-break", f"{event.data['unit']} breaks off out of turn")
    fight.broke = (event.data["unit"], event.dice[0].values[0], watch.state)


@book.on("follow-up")
def the_others_may_follow(watch: Watch, event: Event) -> None:
    watch.count("follow-ups")
    fight = fight_of(watch)
    if fight is None or fight.broke is None or event.data["unit"] == fight.broke[0]:
        watch.object_to("tr14.assaults.break-off-move", f"{event.data['unit']} follows nobody")
        return
    fight.follow = event.dice[0].values[0]


@book.after_answer
def they_have_broken_off(watch: Watch) -> None:
    """tr14.assaults.break-off-move: the whole distance, over nobody, and nearer to none of the attackers."""
    fight = fight_of(watch)
    if fight is None or fight.broke is None or watch.entry is None or watch.entry.topic != "break-off":
        return
    rule = "tr14.assaults.break-off-move"
    name, die, before = fight.broke
    losers, winners = fight.sides(before, name)
    foes = poses([team for _, team in winners])
    ways = ordered_ways(watch, before)
    ends = look_at_march(watch, before, losers, ways, die)
    for owner, team in losers:
        if kind(team).type == "gun":
            continue
        watch.count("Teams breaking off")
        was = pose_of(team)
        end = ends.get(team.id, was)
        if any(gap(end, foe) < gap(was, foe) - HAIR for foe in foes):
            watch.object_to(rule, f"{team.id} comes nearer to those it breaks off from")
        if length_of(ways.get(team.id, [was.at()])) < die - HAIR:
            others = {pose_of(each) for _, each in teams_of(before) if each.id != team.id}
            others |= {pose for other, pose in ends.items() if other != team.id}
            # A commander who has joined a Unit is one of its Teams, led or not.
            led = leader(before.units[name]) is not None if name in before.units else False
            look_for_room(watch, before, owner, team, foes, others, die, led=led)


def look_for_room(
    watch: Watch, before: State, owner: Unit, team: Team, foes: list[Pose], others: set[Pose], die: int, *, led: bool
) -> None:
    """Whoever does not go the whole distance has no room for it, straight away or round the compass."""
    was, here = pose_of(team), land(watch)
    enemies = poses([each for _, each in enemies_of(before, owner.side)])
    shunned = foes if led else [*foes, *enemies]
    for step in range(16):
        turn = math.radians(22.5 * step)
        end = was._replace(x=was.x + die * math.sin(turn), y=was.y + die * math.cos(turn))
        free = here.on_table(end, 0.0) and gap_to_any(end, others) > HAIR
        if free and all(gap(end, foe) >= gap(was, foe) + HAIR for foe in shunned):
            band = swept(was, [was.at(), end.at()]).buffer(2 * HAIR)
            if not any(band.intersects(base(enemy)) for enemy in enemies):
                words = f"{team.id} does not go the whole {die} inches, and has room to {end.at()}"
                watch.object_to("tr14.assaults.break-off-move", words)
                return


def ordered_ways(watch: Watch, before: State) -> dict[str, list[Spot]]:
    """The ways that the answer just given orders."""
    ways: dict[str, list[Spot]] = {}
    for name, step in steps_of(watch).items():
        found = team_in(before, name)
        if found is not None:
            via = [(x, y) for x, y in step.get("via", [])]
            ways[name] = [pose_of(found[1]).at(), *via, (step["to"][0], step["to"][1])]
    return ways


def ordered_end(watch: Watch, team: Team, way: list[Spot]) -> Pose:
    facing = steps_of(watch)[team.id].get("facing")
    return end_pose(team, way[-1], team.facing if facing is None else facing)


def look_at_march(
    watch: Watch, before: State, members: list[tuple[Unit, Team]], ways: dict[str, list[Spot]], die: int
) -> dict[str, Pose]:
    """Nobody goes farther than the die, over an enemy, onto a base or off the table; guns stay. Where each ends."""
    rule = "tr14.assaults.break-off-move"
    moving = {team.id: team for _, team in members if team.id in ways}
    ends = {name: ordered_end(watch, team, ways[name]) for name, team in moving.items()}
    for name in set(ways) - set(moving):
        watch.object_to(rule, f"{name} moves and has no part in it")
    for name, team in moving.items():
        if length_of(ways[name]) > die + HAIR or kind(team).type == "gun":
            watch.object_to(rule, f"{name} goes {length_of(ways[name]):.2f} inches of {die}")
    now, watch.state = watch.state, before
    for unit in {owner.id: owner for owner, _ in members}.values():
        own = {name: team for name, team in moving.items() if name in unit.teams}
        look_at_ways(watch, unit, own, {name: ways[name] for name in own})
        look_at_leaderless(watch, unit, own, {name: ends[name] for name in own})
    look_at_ends(watch, moving, ends)
    watch.state = now
    fight = fight_of(watch)
    assert fight is not None
    fight.marched += [(pose_of(team), name, ways[name]) for name, team in moving.items() if kind(team).type == "tank"]
    return ends


@book.after_answer
def rolls_of_marchers(watch: Watch) -> None:
    """Tanks roll for the ground they cross; the Company Commander may be asked about one roll after the other."""
    fight = fight_of(watch)
    still_rolling = watch.entry is not None and watch.entry.topic in ("break-off", "follow-up", "cc-reroll")
    if fight is not None and not still_rolling:
        judge_marchers(watch, fight)


def judge_marchers(watch: Watch, fight: Fight) -> None:
    for pose, name, way in fight.marched:
        look_at_rolls(watch, name, pose, way)
    fight.marched = []


@book.on()
def pursuers_stand(watch: Watch, event: Event) -> None:
    """Once the pursuers stand, whoever is caught is known."""
    if event.kind != "terrain-roll" and event.kind not in ("suppressed", "marker-lost", "cc-reroll", "follow-up"):
        judge_pursuit(watch)
    fight = fight_of(watch)
    if fight is None or event.kind != "destroyed":
        return
    owner = event.data["unit"]
    fight.lost[owner] = fight.lost.get(owner, 0) + 1
    if "tr14.assaults.caught" in event.rules and fight.caught is not None:
        watch.count("Teams caught")
        if fight.caught.pop(event.data["team"], False) is False:
            watch.object_to("tr14.assaults.caught", f"{event.data['team']} is caught, and has escaped")


@book.after_answer
def pursuers_have_come(watch: Watch) -> None:
    fight = fight_of(watch)
    if fight is None or fight.broke is None or watch.entry is None or watch.entry.topic != "follow-up":
        return
    before: State = watch.asked
    winner = fight.attacker if fight.broke[0] != fight.attacker else fight.target
    look_at_march(watch, before, fight.sides(before, winner)[0], ordered_ways(watch, before), fight.follow)
    judge_pursuit(watch)


def judge_pursuit(watch: Watch) -> None:
    """Who of the beaten is within two inches of a pursuer, once these stand."""
    fight = fight_of(watch)
    if fight is None or fight.broke is None or fight.caught is not None:
        return
    if watch.entry is None or watch.entry.topic not in ("follow-up", "cc-reroll") or not fight.follow:
        return
    losers, _ = fight.sides(watch.asked, fight.broke[0])
    winner = fight.attacker if fight.broke[0] != fight.attacker else fight.target
    foes = poses([team for _, team in fight.sides(watch.state, winner)[0]])
    fight.caught = {}
    for _, team in losers:
        if kind(team).type == "tank" and not team.markers:
            continue
        near: Verdict = within(gap_to_any(pose_of(team), foes), STRIKE)
        if near is not False:
            fight.caught[team.id] = near


# The cost.


@book.on("suppressed", "marker-lost")
def casualties_cost_heart(watch: Watch, event: Event) -> None:
    fight = fight_of(watch)
    if fight is None:
        return
    if event.kind == "marker-lost":
        fight.markers_lost = True
    elif "tr14.assaults.casualty-suppression" in event.rules:
        found = team_in(watch.state, event.data["team"])
        assert found is not None
        fight.marked[found[0].id] = fight.marked.get(found[0].id, 0) + 1


@book.on()
def a_fight_ends(watch: Watch, event: Event) -> None:
    fight = fight_of(watch)
    if fight is None or event.kind not in ENDS_A_FIGHT:
        return
    judge_marchers(watch, fight)
    kept = log(watch)
    kept.fight = None
    state: State = watch.state
    for name in fight.caught or {}:
        if (fight.caught or {})[name] and team_in(state, name) is not None:
            watch.object_to("tr14.assaults.caught", f"{name} is within two inches of the pursuers, and lives")
    for name in {fight.attacker, fight.target, fight.guest} - {""}:
        unit: Unit | None = state.units.get(name)
        if unit is None or unit.apart == "fo":
            continue
        owed, marked = fight.lost.get(name, 0), fight.marked.get(name, 0)
        if marked > owed or (marked < owed and not fight.markers_lost):
            watch.object_to(
                "tr14.assaults.casualty-suppression", f"{name} lost {owed} Teams and takes {marked} markers"
            )
