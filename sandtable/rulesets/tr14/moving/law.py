"""What one Move allows: how far each Team goes, what ground it may cross, and how a Unit keeps together."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from sandtable.engine.events import inches
from sandtable.engine.questions import Refusal, Step, illegal
from sandtable.field.courses import Path, end_rows, length_of, refuse_off_table, refuse_overlap, refuse_passing, way_of
from sandtable.rulesets.tr14.core.arsenal import COHESION
from sandtable.rulesets.tr14.core.board import Battle, Board, March, Rows, board, sees
from sandtable.rulesets.tr14.core.names import name_of, team_label
from sandtable.rulesets.tr14.core.state import Member, Team, Unit, is_led
from sandtable.rulesets.tr14.kernels import marches
from sandtable.rulesets.tr14.leaders import MOVE_UP, NEAR, leaders_of
from sandtable.table import distance as measure
from sandtable.table import moves
from sandtable.table.hairs import A_HAIR, within
from sandtable.table.shapes import X, Y

STRAIGHT = 0.25
"""tr14.moving.rejoin: a way back that is longer than the shortest by no more than this is as good."""


@dataclass(slots=True)
class MoveLaw:
    """What one Move allows: who may move and how far. `pl_free` lets an Infantry PL be placed at will."""

    game: Battle
    unit: Unit
    members: list[Member]
    reach: dict[str, float]
    pl_free: bool = True
    cohesion: bool = True
    commanded: dict[str, str] = field(default_factory=dict)
    judged: dict[str, Step] | None = None

    def how_far(self, team: Team) -> float:
        """How far a Team may go by itself."""
        return self.reach[team.id]

    def placed_freely(self, team: Team) -> bool:
        """An Infantry PL, as long as he has a Unit to keep cohesion with."""
        return self.pl_free and team.role == "pl" and team.kind.type == "infantry" and len(self.unit.teams) > 1

    def refuse(self, steps: dict[str, Step]) -> Refusal | None:
        """The first rule that the Move would break, or None."""
        self.commanded = {}
        self.judged = steps
        if not steps:
            return None
        here = board(self.game)
        moving = [(unit, team) for unit, team in self.members if team.id in steps]
        teams, name = [team for _, team in moving], partial(name_of, self.game.state)
        ends = end_rows(here, teams, steps)
        ways = {team.id: way_of(team, steps[team.id]) for team in teams}
        refusal = refuse_off_table(here.ground, teams, ways, ends, name)
        paths = {team.id: ways[team.id] for team in teams if not self.placed_freely(team)}
        for number, team in enumerate(teams):
            if refusal is None and team.id in paths:
                refusal = self.refuse_one(here, team, paths[team.id], ends, number, moving)
        return (
            refusal
            or refuse_passing(teams, paths, here.of(teams), here.enemy_rows(self.unit.side), name)
            or refuse_overlap(here, teams, ends, name)
            or (refuse_cohesion(here, self, moving, ends, steps) if self.cohesion else None)
            or refuse_leaderless(here, self.unit, moving, ends)
        )

    def keeps_away(self, here: Board, steps: dict[str, Step]) -> bool:
        """Whether nobody goes nearer to the enemy without a Platoon Leader."""
        if self.unit.apart:
            return True
        moving = [member for member in self.members if member[1].id in steps]
        return refuse_leaderless(here, self.unit, moving, end_rows(here, [team for _, team in moving], steps)) is None

    def march(self, here: Board) -> March:
        """Those who go, as the board knows them."""
        kept = here.squad(self.unit).marches
        key = (self.pl_free, *[team.id for _, team in self.members])
        if key not in kept:
            kept[key] = march_of(here, self)
        return kept[key]

    def refuse_one(
        self, here: Board, team: Team, path: Path, ends: Rows, number: int, moving: list[Member]
    ) -> Refusal | None:
        length = length_of(path)
        if not within(length, self.reach[team.id], A_HAIR):
            refusal = self.refuse_far(here, team, length, ends, number, moving)
            if refusal is not None:
                return refusal
        return refuse_ground(here, self.unit, team, path) if heavy_gun(team) else None

    def refuse_far(
        self, here: Board, team: Team, length: float, ends: Rows, number: int, moving: list[Member]
    ) -> Refusal | None:
        """A Move beyond a Team's own reach needs a leader's command to move up."""
        reach = self.reach[team.id]
        far = f"{team_label(self.unit, team)} would move {length:.1f} inches."
        legal = f"It may move up to {inches(reach)}."
        if not self.pl_free or not within(length, reach + MOVE_UP, A_HAIR):
            return illegal("tr14.moving.distances", far, field=team.id, legal=legal)
        for leader in leaders_of(self.game, self.unit):
            if leader is team or leader.id in self.commanded.values():
                continue
            position = next((n for n, (_, each) in enumerate(moving) if each is leader), None)
            row = ends[position] if position is not None else here.of([leader])[0]
            if within(measure.distance(ends[number], row), NEAR, A_HAIR):
                self.commanded[team.id] = leader.id
                return None
        legal += (
            f" With a leader's command {MOVE_UP:g} more, to end within {NEAR:g} inches of him, once per Initiative."
        )
        return illegal("tr14.leaders.move-up", far, field=team.id, legal=legal)


def march_of(here: Board, law: MoveLaw) -> March:
    squad = here.squad(law.unit)
    teams = [team for _, team in law.members]
    numbers = np.array([here.index[team.id] for team in teams], dtype=np.int64)
    turning = np.array([team.kind.type != "infantry" for team in teams], dtype=np.bool_)
    bound = np.array([not law.placed_freely(team) for team in teams], dtype=np.bool_)
    marchers = marches.Marchers(numbers, turning, bound, squad.rows, squad.leader, squad.limits)
    return March(marchers, [number for number, team in enumerate(teams) if heavy_gun(team)])


def heavy_gun(team: Team) -> bool:
    return team.kind.type == "gun" and not team.kind.moves_as_infantry


def refuse_ground(here: Board, unit: Unit, team: Team, path: Path) -> Refusal | None:
    """tr14.moving.gun-terrain: heavy guns stay out of Very Difficult Terrain; from inside they may only leave."""
    terrain = here.ground.terrain
    for span in moves.spans(terrain, path, here.ground.table.very_difficult):
        if not span.started or span.ended:
            kind = terrain.features[span.feature].kind
            message = f"{team_label(unit, team)} would cross {kind}, Very Difficult Terrain."
            return illegal("tr14.moving.gun-terrain", message, field=team.id, legal="Guns must go round it.")
    return None


def in_cohesion(teams: list[Team], rows: Rows) -> list[bool]:
    """tr14.moving.cohesion: near the Platoon Leader, or near a Team that is near him: one link at most."""
    leader = next((number for number, team in enumerate(teams) if team.role == "pl"), None)
    if leader is None:
        return [True] * len(teams)
    limits = np.array([COHESION[team.kind.type] + A_HAIR for team in teams])
    return marches.linked(rows, leader, limits).tolist()  # type: ignore[no-any-return]


def refuse_cohesion(
    here: Board, law: MoveLaw, moving: list[Member], ends: Rows, steps: dict[str, Step]
) -> Refusal | None:
    unit = law.unit
    teams = list(unit.teams.values())
    if unit.leader is None:
        return None
    before = here.of(teams)
    after = before.copy()
    for number, (owner, team) in enumerate(moving):
        if owner is unit:
            after[teams.index(team)] = ends[number]
    kept_before = in_cohesion(teams, before)
    kept_after = in_cohesion(teams, after)
    for number, team in enumerate(teams):
        if team.id not in steps or law.placed_freely(team):
            continue
        if kept_before[number] and not kept_after[number]:
            limit = COHESION[team.kind.type]
            message = f"{team_label(unit, team)} would end out of cohesion."
            legal = f"It must end within {limit:g} inches of its PL, or of a Team that is."
            return illegal("tr14.moving.cohesion", message, field=team.id, legal=legal)
        if not kept_before[number] and not takes_shortest_way(teams, before, after, number, steps[team.id]):
            message = f"{team_label(unit, team)} is out of cohesion and must take the shortest way back."
            legal = "Move it straight towards its PL or a Team beside him."
            return illegal("tr14.moving.rejoin", message, field=team.id, legal=legal)
    count = sum(kept_after)
    if count * 2 < len(teams) and count < sum(kept_before):
        message = f"only {count} of {len(teams)} Teams would keep cohesion."
        return illegal("tr14.moving.leave-behind", message, field="move", legal="At least half must.")
    leader = unit.leader
    if count * 2 < len(teams) and leader.id in steps and law.placed_freely(leader):
        far = length_of(way_of(leader, steps[leader.id]))
        if not within(far, law.reach[leader.id], A_HAIR):
            name = team_label(unit, leader)
            message = f"{name} would have only {count} of {len(teams)} Teams in cohesion with him."
            legal = f"Beyond {inches(law.reach[leader.id])} he is placed where at least half of his Unit are."
            return illegal("tr14.leaders.pl-placement", message, field=leader.id, legal=legal)
    return None


def takes_shortest_way(teams: list[Team], before: Rows, after: Rows, number: int, step: Step) -> bool:
    """Whether a Team that was out of cohesion goes straight for its PL or a Team beside him, the nearest of them."""
    length = math.hypot(after[number, X] - before[number, X], after[number, Y] - before[number, Y])
    if within(length, 0.0, A_HAIR):
        return True
    if step.via:
        return False
    leader = next(n for n, team in enumerate(teams) if team.role == "pl")
    far = {}
    for anchor, team in enumerate(teams):
        beside = within(measure.distance(after[anchor], after[leader]), COHESION[team.kind.type], A_HAIR)
        if anchor != number and beside:
            far[anchor] = measure.distance(before[number], after[anchor])
    shortest = min(far.values(), default=0.0)
    return any(
        within(measure.distance(after[number], after[anchor]), start - length, STRAIGHT)
        for anchor, start in far.items()
        if within(start, shortest, STRAIGHT)
    )


def refuse_leaderless(here: Board, unit: Unit, moving: list[Member], ends: Rows) -> Refusal | None:
    """tr14.leaders.leaderless: without a Platoon Leader nobody goes nearer to an enemy he can see."""
    if is_led(unit):
        return None
    rows, starts = here.enemy_rows(unit.side), here.all_of(moving)
    nearer = measure.comes_nearer(starts, ends, rows)
    visible = sees(here, starts, rows, nearer) & nearer if nearer.any() else nearer
    for first, enemy in np.argwhere(visible).tolist():
        team, (owner, foe) = moving[first][1], here.enemies(unit.side)[enemy]
        seen = f"{team_label(owner, foe)}, which it sees"
        message = f"{team_label(unit, team)} would move towards {seen}, without a Platoon Leader."
        return illegal("tr14.leaders.leaderless", message, field=team.id, legal="Keep your distance or move away.")
    return None
