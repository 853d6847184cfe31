"""What may be declared for a move: who goes, how far at most, over what ground, and into contact with whom."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import pairwise

import numpy as np

from sandtable.engine.events import LAPSED, inches, several
from sandtable.engine.questions import Refusal, Step, illegal
from sandtable.field import courses
from sandtable.field.courses import Path, has_common_goal, leg_at, length_of, path_of
from sandtable.field.moments import Moment
from sandtable.rulesets.hof.core.acts import Activation
from sandtable.rulesets.hof.core.arsenal import Profile, profile
from sandtable.rulesets.hof.core.board import Battle, Board, board
from sandtable.rulesets.hof.core.ground import Ints, Rows
from sandtable.rulesets.hof.core.labels import team_label, team_on
from sandtable.rulesets.hof.core.state import Member, Point, Team, Unit, other
from sandtable.rulesets.hof.kernels import passage
from sandtable.rulesets.hof.terrain import terrain_crossing
from sandtable.table import distance as measure
from sandtable.table import moves
from sandtable.table.hairs import A_HAIR, CONTACT, EXACT, SLACK
from sandtable.table.shapes import COS, X, Y, bearing, face, turn

DICE = {"infantry": 2, "gun": 1, "man-portable": 2, "vehicle": 3, "wagon": 2}
"""hof.moving.rolled-distance, hof.special-rules.man-portable-move"""

PIVOTS = 6.0
"""hof.moving.vehicle-pivots"""

FAST = 2.0
ASSAULT_FROM = 12.0
"""hof.assaults.within-12"""

MOST_ON_ONE = 2
"""hof.assaults.two-per-enemy"""

STRAIGHT = 1.0
"""A hull that differs by no more than so many degrees from the line it drives is straight on it."""


BARS: Moment[Callable[[Battle, Activation, Team, int], Refusal | None]] = Moment()
"""What else than the Terrain Effects Table keeps a Team from crossing a feature, given by its number."""


# How far at most.


def type_of_kind(kind: Profile) -> str:
    return kind.mobility if kind.mobility in ("man-portable", "wagon") else kind.category


def reach(team: Team, *, drop: int = 0) -> float:
    """The highest result that a Team's dice could give (hof.moving.unseen-maximum)."""
    return 0.0 if team.bogged or team.immobilised else most_inches(team.profile, drop)


@cache
def most_inches(key: str, drop: int) -> float:
    """The highest result of a kind of Team, with so many dice fewer."""
    kind = profile(key)
    if "immobile" in kind.keywords:
        return 0.0
    dice = DICE[type_of_kind(kind)] - drop - ("slow" in kind.keywords)
    return 6.0 * max(0, dice) + (FAST if "fast" in kind.keywords else 0.0)


def immovable(team: Team) -> tuple[str, str] | None:
    """The rule and the words of what keeps a Team where it is."""
    if team.bogged:
        return "hof.optional.bogged", "is Bogged"
    if team.immobilised:
        return "hof.special-rules.unreliable", "has broken down"
    if "immobile" in team.kind.keywords:
        return "hof.special-rules.immobile", "cannot move by itself"
    return None


# Paths.


def end_facing(team: Team, path: Path, facing: float | None) -> float:
    """How a Team faces at the end of its path: as declared; a Vehicle otherwise as it drives."""
    if facing is not None:
        return facing
    if team.kind.vehicle and not measure.negligible(length := length_of(path)):
        (x0, y0), (x1, y1) = leg_at(path, length)
        return round(bearing(x0, y0, x1, y1), 1) % 360.0
    return team.facing


# The law.


@dataclass(slots=True)
class MoveLaw:
    """What may be declared: who moves and where to. `limits` holds those who may only go so far, with the rule.

    `ways` are those that others have declared under the same order, each from its start to its end.
    """

    game: Battle
    act: Activation
    side: str
    members: list[Member]
    limits: dict[str, tuple[float, str]] = field(default_factory=dict)
    ways: Sequence[tuple[Point, Point]] = ()
    one_goal: bool = True
    extra: Callable[[dict[str, Step]], Refusal | None] | None = None

    def how_far(self, team: Team) -> float:
        """How far a Team may go at most."""
        limit = self.limits.get(team.id)
        if limit is None:
            return reach(team)
        return 0.0 if immovable(team) else limit[0]

    def name(self, team_id: str) -> str:
        here = board(self.game)
        return team_label(*here.members[here.index[team_id]])

    def refuse(self, steps: dict[str, Step]) -> Refusal | None:
        """The first rule that the declared move would break, or None."""
        moving = [(unit, team) for unit, team in self.members if team.id in steps]
        if moving:
            refusal = self.refuse_ways(moving, steps)
            if refusal is not None:
                return refusal
        return self.extra(steps) if self.extra is not None else None

    def refuse_ways(self, moving: list[Member], steps: dict[str, Step]) -> Refusal | None:
        here = board(self.game)
        paths = {team.id: courses.way_of(team, steps[team.id]) for _, team in moving}
        ends = here.of(team for _, team in moving)
        for number, (_, team) in enumerate(moving):
            path = paths[team.id]
            face(ends[number], end_facing(team, path, steps[team.id].facing))
            ends[number, X : Y + 1] = path[-1]
            refusal = self.refuse_one(here, team, path, steps[team.id])
            if refusal is not None:
                return refusal
        teams = [team for _, team in moving]
        refusal = courses.refuse_off_table(here.ground, teams, paths, ends, self.name)
        if refusal is None and not self.all_free(here, teams, paths, ends):
            refusal = (
                courses.refuse_passing(teams, paths, ends, here.enemy_rows(self.side), self.name)
                or courses.refuse_overlap(here, teams, ends, self.name, partial(makes_room, here, self.act))
                or refuse_contact(here, self.side, teams, ends, self.act.leader)
            )
        return refusal or self.refuse_goals(teams, paths)

    def all_free(self, here: Board, teams: list[Team], paths: dict[str, Path], ends: Rows) -> bool:
        """Whether all Teams pass over nobody, end on nobody and touch no enemy: then nobody need look closer."""
        return passage.arrive_freely(
            here.rows,
            np.array([here.index[team.id] for team in teams]),
            ends[:, X : COS + 1].copy(),
            moves.together([paths[team.id] for team in teams]),
            np.full(len(teams), math.inf),
            here.enemies(self.side).rows,
            (here.ground.width, here.ground.depth),
            CONTACT + EXACT,
            SLACK,
        )

    def refuse_one(self, here: Board, team: Team, path: Path, step: Step) -> Refusal | None:
        length = length_of(path)
        why = immovable(team)
        if why is not None and (length > A_HAIR or why[0] != "hof.special-rules.immobile"):
            return illegal(
                why[0], f"{team_on(self.side, team)} {why[1]}.", field=team.id, legal="Leave it where it is."
            )
        limit = self.limits.get(team.id)
        if limit is not None and length > limit[0] + A_HAIR:
            message = f"{team_on(self.side, team)} would move {length:.1f} inches."
            return illegal(limit[1], message, field=team.id, legal=f"It may move up to {inches(limit[0])}.")
        if team.role == "bunker" and step.facing is not None and turn(team.facing, step.facing):
            message = f"{team_on(self.side, team)} does not turn."
            return illegal("hof.optional.bunker-unit", message, field=team.id, legal="Leave it as it is.")
        if measure.negligible(length):
            return None
        if team.kind.vehicle:
            refusal = refuse_pivots(here, self.side, team, path, length, step.facing)
            if refusal is not None:
                return refusal
        return self.refuse_crossing(here, team, path)

    def refuse_crossing(self, here: Board, team: Team, path: Path) -> Refusal | None:
        """Why a Team may not go over the ground on its path."""
        if not terrain_crossing.crosses_any(here.ground, path, self.barring_ground([team])):
            return None
        return refuse_ground(self.game, self.act, here, team, path)

    def refuse_goals(self, teams: list[Team], paths: dict[str, Path]) -> Refusal | None:
        if not self.one_goal:
            return None
        ways = [(paths[team.id][0], paths[team.id][-1]) for team in teams if team is not self.act.leader]
        ways += self.ways
        if len(ways) < 2 or has_common_goal(ways):
            return None
        message = "These Teams move in different directions."
        legal = "There must be one point that each of them comes nearer to; two Move orders allow two."
        return illegal("hof.activation.split-combinations", message, field="move", legal=legal)

    def barring_ground(self, teams: Sequence[Team]) -> Ints:
        """The ground that some of these Teams may not cross, or not always."""
        options = self.game.setup.options
        very = options.terrain
        if not very:
            for team in teams:
                if team.kind.mobility not in terrain_crossing.SURE_FOOTED:
                    very = True
                    break
        return board(self.game).ground.table.barring(very, options.obstacles)


def refuse_pivots(
    here: Board, side: str, team: Team, path: Path, length: float, facing: float | None
) -> Refusal | None:
    """hof.moving.vehicle-pivots: beyond the first 6 inches straight on, unless it follows a road."""
    if measure.within(length, PIVOTS, A_HAIR):
        return None
    legal = f"Beyond {PIVOTS:g} inches it drives straight on, unless it follows a road."
    gone = 0.0
    legs = [(a, b) for a, b in pairwise(path) if not measure.negligible(math.dist(a, b))]
    for before, after in pairwise(legs):
        gone += math.dist(*before)
        angle = abs(turn(bearing(*before[0], *before[1]), bearing(*after[0], *after[1])))
        if measure.within(gone, PIVOTS, A_HAIR) or angle <= STRAIGHT:
            continue
        if not all(terrain_crossing.follows_road(here.ground, [*leg]) for leg in (before, after)):
            message = f"{team_on(side, team)} would turn after {gone:.1f} inches."
            return illegal("hof.moving.vehicle-pivots", message, field=team.id, legal=legal)
    if facing is not None:
        off = abs(turn(bearing(*legs[-1][0], *legs[-1][1]), facing))
        if min(off, 180.0 - off) > STRAIGHT and not terrain_crossing.follows_road(here.ground, path):
            message = f"{team_on(side, team)} would turn at the end of a move of {length:.1f} inches."
            return illegal("hof.moving.vehicle-pivots", message, field=team.id, legal=legal)
    return None


def refuse_ground(game: Battle, act: Activation, here: Board, team: Team, path: Path) -> Refusal | None:
    """The Terrain Effects Table, and what the optional rules add to it."""
    ground = here.ground
    options = game.setup.options
    for crossing in terrain_crossing.crossings(ground, path, "rough_or_obstacle" if options.obstacles else "rough"):
        kind = ground.table.kinds[crossing.feature]
        feature = ground.terrain.features[crossing.feature]
        if crossing.started and (not crossing.ended or terrain_crossing.may_cross(team.kind, kind)):
            continue
        if not terrain_crossing.may_cross(team.kind, kind):
            message = f"{team_label(act.unit, team)} would cross {feature.kind}: {kind.going.replace('-', ' ')} ground."
            rule = terrain_crossing.terrain_rule(team.kind)
            return illegal(rule, message, field=team.id, legal="It must go round it.")
        for bars in BARS:
            refusal = bars(game, act, team, crossing.feature)
            if refusal is not None:
                return refusal
    return None


def makes_room(here: Board, act: Activation, team_id: str, end: Rows) -> bool:
    """Whether a Team has been told by another order to go where it is not in the way of a base."""
    team = here.members[here.index[team_id]][1]
    step = act.step_of(team)
    if step is None or team.at is None:
        return False
    row = here.rows[here.index[team.id]].copy()
    face(row, end_facing(team, path_of(team.at, step), step.facing))
    row[X : Y + 1] = step.to
    return not measure.overlaps(end, row, SLACK).any()


def refuse_contact(here: Board, side: str, teams: list[Team], ends: Rows, leader: Team | None = None) -> Refusal | None:
    """Who may end a move in base contact with which enemy."""
    enemies = here.enemies(side)
    if not enemies.teams:
        return None
    theirs = here.enemy_rows(side)
    touching = measure.within(measure.distances(ends, theirs), CONTACT)
    if not touching.any():
        return None
    for first, second in np.argwhere(touching).tolist():
        team, enemy = teams[first], enemies.teams[second]
        found = why_no_contact(here, team, enemy, leader)
        if found is not None:
            message = f"{team_on(side, team)} would end in contact with {team_on(other(side), enemy)}: {found[1]}."
            return illegal(found[0], message, field=team.id, legal="Stop short of it.")
    legal = f"{MOST_ON_ONE} at most may touch one enemy."
    for number in np.flatnonzero(touching.sum(axis=1) > MOST_ON_ONE).tolist():
        message = f"{team_on(side, teams[number])} would touch {touching[number].sum()} enemies."
        return illegal("hof.assaults.two-per-enemy", message, field=teams[number].id, legal=legal)
    moving = {team.id for team in teams}
    friends = [team for team in here.side(side).teams if team.id not in moving]
    counts = touching.sum(axis=0)
    if friends:
        counts = counts + measure.within(measure.distances(here.of(friends), theirs), CONTACT).sum(axis=0)
    for number in np.flatnonzero((counts > MOST_ON_ONE) & touching.any(axis=0)).tolist():
        team = teams[int(np.flatnonzero(touching[:, number])[-1])]
        message = f"{several(counts[number], 'Team')} would touch {team_label(*enemies.members[number])}."
        return illegal("hof.assaults.two-per-enemy", message, field=team.id, legal=legal)
    return None


def why_no_contact(here: Board, team: Team, enemy: Team, leader: Team | None) -> tuple[str, str] | None:
    """The rule and the words of what keeps a Team from moving into contact with an enemy."""
    kind = team.kind
    if team is leader:
        return "hof.assaults.initiate", "only Teams with a Move order start an assault"
    if kind.category == "gun":
        return "hof.moving.gun-no-contact", "Guns never do"
    if kind.small:
        return "hof.assaults.small-teams-do-not-fight", "Small Teams do not fight"
    if kind.vehicle and enemy.kind.vehicle:
        return "hof.assaults.no-vehicle-vs-vehicle", "Vehicles do not assault Vehicles"
    if team.id in here.index:
        gap = measure.distance(here.rows[here.index[team.id]], here.rows[here.index[enemy.id]])
        if measure.beyond(gap, ASSAULT_FROM, A_HAIR):
            return "hof.assaults.within-12", f"it starts {gap:.1f} inches away"
    return None


def goes_nearer(game: Battle, side: str, team: Team, end: Point) -> bool:
    """hof.rfp-rally.suppressed-effects: whether a move ends nearer to an enemy that the mover sees."""
    here = board(game)
    enemies = here.enemies(side)
    if not enemies.teams:
        return False
    seen = here.sees([team], enemies.teams)[0]
    theirs, row = here.enemy_rows(side), here.of([team])
    before = measure.distances(row, theirs)[0]
    row[0, X : Y + 1] = end
    return bool((measure.nearer(measure.distances(row, theirs)[0], before, A_HAIR) & seen).any())


def held_back(game: Battle, unit: Unit, team: Team, step: Step) -> bool:
    """A Team still Suppressed after the Rally and RFP steps does not move towards visible enemy."""
    if not team.suppressed or not goes_nearer(game, unit.side, team, step.to):
        return False
    text = f"{team_label(unit, team)} is Suppressed and does not move towards the enemy."
    rules = ("hof.rfp-rally.suppressed-effects", "hof.activation.suppressed-may-be-ordered")
    game.tell("held", text, *rules, seat=unit.side, team=team.id, **LAPSED)
    return True
