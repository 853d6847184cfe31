"""The table as arrays, kept beside the state: who stands where, who sees whom, who is in cover from whom.

Everything here is derived from the set-up and the state and can be made afresh at any time; `place` and `remove` are
the one door through which Teams move, so that state and arrays never differ.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import copy
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from sandtable.engine.game import Game, Kin
from sandtable.field.board import Board as FieldBoard
from sandtable.field.board import set_pose
from sandtable.field.kept import Kept
from sandtable.field.layers import Layers, base_feature, terrain_of
from sandtable.field.sightlines import why_hidden
from sandtable.rulesets.tr14.core.arsenal import COHESION, NO_REACH, SLOTS, Profile
from sandtable.rulesets.tr14.core.state import Member, Setup, Smoke, State, Team, Unit, all_teams, other
from sandtable.rulesets.tr14.core.terrain import HARD, TOUCH, GroundTable, shapes
from sandtable.rulesets.tr14.kernels import fire, marches
from sandtable.table import moves, sight
from sandtable.table.hairs import A_HAIR, EXACT, SLACK
from sandtable.table.shapes import (
    COS,
    SIN,
    Floats,
    Footprint,
    Place,
    X,
    Y,
    bodies,
    heading,
    stored_facing,
)
from sandtable.table.shapes import Ints as Ints
from sandtable.table.shapes import Mask as Mask
from sandtable.table.terrain import Feature, Terrain

Rows = Floats

TEMPLATE = 6.0
"""tr14.indirect.template-on-target, tr14.indirect.smoke: the side of the square, of a barrage as of smoke."""


class Ground:
    """A table's terrain, compiled: shared by all copies of a game, and never changed (see `LAYERS`)."""

    def __init__(self, terrain: Terrain) -> None:
        self.terrain = terrain
        self.table = GroundTable([feature.kind for feature in terrain.features])
        modes = [
            sight.AREA if kind.shape == "area" else sight.BARRIER if kind.tall else sight.CLEAR
            for kind in self.table.kinds
        ]
        self.opacity = sight.Opacity(modes)
        self.lens = fire.lens_on(terrain, self.opacity, TOUCH)
        self.width = terrain.width
        self.depth = terrain.depth


LAYERS = Layers(Ground)
"""Grounds with smoke on them."""


def smoke_feature(smoke: Smoke) -> Feature:
    return base_feature(smoke.id, "smoke", Footprint(TEMPLATE, TEMPLATE), smoke.at, smoke.facing, 3.0)


def prepare(setup: Setup) -> Ground:
    return Ground(terrain_of(setup.terrain, setup.table, shapes()))


def under_smoke(ground: Ground, state: State) -> Ground:
    return LAYERS.over(ground, [smoke_feature(each) for each in state.smoke])


OVER_NOBODY, OVER_INFANTRY, OVER_ALL = 0, 1, 2
"""What a Team fires over: a friend of a lower class than this is not in its way."""

MOST_FALLEN = 4
"""So many fallen Teams may be left in a `Side`: far away as they lie, they are in nobody's reach and nobody's way."""


class Side:
    """The Teams of one side on the table, as arrays: where they stand among the rows, and who fires over whom.

    A few who have fallen may still be among them, so the exact list is `Board.sides`.
    `groups` are the Teams of one type in one Unit: `grouped` are the rows in their order, `starts` where each begins.
    """

    def __init__(self, members: list[Member], index: dict[str, int]) -> None:
        self.members = members
        self.rows: Ints = np.array([index[team.id] for _, team in members], dtype=np.int64)
        self.number = {team.id: number for number, (_, team) in enumerate(members)}
        kinds = [team.kind for _, team in members]
        types = [kind.type for kind in kinds]
        self.classes: Ints = np.array([type != "infantry" for type in types], dtype=np.int64)
        units: dict[str, int] = {}
        groups: dict[tuple[int, str, str], list[int]] = {}
        for number, ((unit, _), type) in enumerate(zip(members, types, strict=True)):
            groups.setdefault((units.setdefault(unit.id, number), type, unit.id), []).append(number)
        sorted_groups = sorted(groups.items())
        self.groups = [(unit_id, type) for (_, type, unit_id), _ in sorted_groups]
        order = [number for _, numbers in sorted_groups for number in numbers]
        self.grouped: Ints = self.rows.take(order) if order else self.rows
        self.sizes: Ints = np.array([len(numbers) for _, numbers in sorted_groups], dtype=np.int64)
        self.starts: Ints = np.array([0, *accumulate(self.sizes.tolist())], dtype=np.int64)
        over: Ints = np.array([fires_over(kind) for kind in kinds], dtype=np.int64)
        reaches: Rows = np.array([kind.reaches for kind in kinds]).reshape(-1, SLOTS) + EXACT
        slots = [[slot < len(kind.weapons) and kind.weapons[slot].at for slot in range(SLOTS)] for kind in kinds]
        at: Mask = np.array(slots, dtype=np.bool_).reshape(-1, SLOTS)
        self.troops = fire.Troops(self.rows, self.classes, over, reaches)
        """All as they fire with whatever they have, with their AT weapons alone, and with all others."""
        self.troops_with_at = self.troops._replace(reaches=np.where(at, reaches, NO_REACH))
        self.troops_without_at = self.troops._replace(reaches=np.where(at, NO_REACH, reaches))

    def of(self, members: list[Member]) -> Side:
        """The same for the same Teams of another copy of the state."""
        found = copy(self)
        found.members = members
        return found


NO_LEADER = -1
"""The number of a leader who is not there."""


class March(NamedTuple):
    """Those who go in a Move, as rows of the board, and which of them are heavy guns."""

    marchers: marches.Marchers
    heavy: list[int]


class Squad:
    """One Unit's Teams on the table, as arrays and otherwise: what holds of them until one is lost or made leader.

    `limits` is how far each may be from its leader, whose number among them is `leader`, or `NO_LEADER`.
    `chargers` are those who may charge; guns may not (tr14.assaults.divide-unit). `marches` are the Moves of the Unit,
    by those who go.
    """

    def __init__(self, unit: Unit, index: dict[str, int]) -> None:
        self.teams = list(unit.teams.values())
        kinds = [team.kind for team in self.teams]
        types = [kind.type for kind in kinds]
        self.rows: Ints = np.array([index[team.id] for team in self.teams], dtype=np.int64)
        roles = [team.role for team in self.teams]
        self.leader = roles.index("pl") if "pl" in roles else NO_LEADER
        self.limits: Rows = np.array([COHESION[type] + A_HAIR for type in types])
        self.tanks = "tank" in types
        self.barrages = any(kind.barrage for kind in kinds)
        self.chargers = [team for team in self.teams if team.kind.type != "gun"]
        self.marches: dict[tuple[object, ...], March] = {}
        self.charging: Ints = np.array([index[team.id] for team in self.chargers], dtype=np.int64)


ALL_ROUND = (math.nan,) * SLOTS


def facings_of(team: Team) -> tuple[float, ...]:
    """How each of a Team's weapons faces: Infantry all round, a turret's weapons with the turret."""
    kind = team.kind
    if kind.type == "infantry":
        return ALL_ROUND
    hull = team.facing
    if team.turret is None:
        return (hull,) * SLOTS
    turret = team.turret
    return tuple([turret if mounted else hull for mounted in kind.in_turret])


MOST_KEPT = 32

STOOD = Kept[tuple[object, ...], Rows](MOST_KEPT)
"""The rows of Teams that stood somewhere: those who look ahead begin many copies of a game at one moment."""

MUSTERED = Kept[tuple[object, ...], Side](MOST_KEPT)
"""The sides that some Teams have made."""


class Board(FieldBoard):
    """Rows of all Teams on the table, by Team id, and which rows belong to whom.

    `kin`: what all copies of a game share, to keep there what many boards have in common.
    """

    def __init__(self, ground: Ground, state: State, kin: Kin | None = None) -> None:
        self.dry = ground
        self.ground = under_smoke(ground, state)
        self.kin = kin or Kin()
        placed = [(unit, team) for unit, team in all_teams(state) if team.at is not None]
        super().__init__(self.rows_of(placed), {team.id: number for number, (_, team) in enumerate(placed)})
        self.sides: dict[str, list[Member]] = {"red": [], "blue": []}
        for unit, team in placed:
            self.sides[unit.side].append((unit, team))
        self.arrays: dict[str, Side] = {}
        self.squads: dict[str, Squad] = {}

    def rows_of(self, members: list[Member]) -> Rows:
        key = tuple([(team.profile, team.at, team.facing) for _, team in members])
        places = ((team.kind.base, Place(*team.at, team.facing)) for _, team in members if team.at is not None)
        return STOOD.once(self.kin, key, lambda: bodies(places)).copy()

    @cached_property
    def facings(self) -> Rows:
        """How the weapons of each row face."""
        found: Rows = np.full((len(self.rows), SLOTS), math.nan)
        for members in self.sides.values():
            for _, team in members:
                if team.kind.type != "infantry":
                    found[self.index[team.id]] = facings_of(team)
        return found

    @cached_property
    def places(self) -> fire.Places:
        """Where everybody stands, and what is known of sight between rows that have not moved."""
        return fire.places_of(self.rows, self.facings)

    def all_of(self, members: Sequence[Member]) -> Rows:
        index = self.index
        return self.rows.take([index[team.id] for _, team in members], axis=0)

    def enemies(self, side: str) -> list[Member]:
        """Those whom a side fights."""
        return self.sides[other(side)]

    def enemy_rows(self, side: str) -> Rows:
        return self.all_of(self.enemies(side))

    def put(self, team: Team) -> None:
        """Bring a Team's row up to date with where it stands."""
        assert team.at is not None
        number, rows = self.index[team.id], self.rows
        # One by one, which is quicker than four at a time.
        rows[number, X], rows[number, Y] = team.at
        rows[number, SIN], rows[number, COS] = heading(team.facing)
        if team.kind.type != "infantry":
            self.facings[number] = facings_of(team)

    def drop(self, team: Team) -> None:
        """A Team is off the table: its row lies far away, where nothing reaches it."""
        self.lift(team)
        for side, members in self.sides.items():
            for position, (unit, each) in enumerate(members):
                if each is team:
                    left = self.sides[side] = members[:position] + members[position + 1 :]
                    if side in self.arrays and len(self.arrays[side].members) > len(left) + MOST_FALLEN:
                        del self.arrays[side]
                    self.regroup(unit)
                    return

    def regroup(self, unit: Unit) -> None:
        """Somebody has fallen or been made leader: what was kept of his Unit must be found anew."""
        self.squads.pop(unit.id, None)

    def squad(self, unit: Unit) -> Squad:
        if unit.id not in self.squads:
            self.squads[unit.id] = Squad(unit, self.index)
        return self.squads[unit.id]

    def side(self, name: str) -> Side:
        if name not in self.arrays:
            members, index = self.sides[name], self.index
            key = tuple([(unit.id, team.id, index[team.id]) for unit, team in members])
            self.arrays[name] = MUSTERED.once(self.kin, key, lambda: Side(members, index)).of(members)
        return self.arrays[name]


Battle = Game[State, Setup, Ground]
"""A game of these rules with all its types."""


def board(game: Battle) -> Board:
    kept = game.scratch
    if kept is None:
        kept = game.scratch = Board(game.prepared, game.state, game.kin)
    assert isinstance(kept, Board)
    return kept


def place(game: Battle, team: Team, x: float, y: float, facing: float | None = None) -> None:
    """Set a Team down elsewhere. The one way by which a Team on the table changes its place."""
    set_pose(team, x, y, facing)
    board(game).put(team)


def arrived(game: Battle) -> None:
    """Teams have come onto the table: the board is made afresh."""
    game.scratch = None


def turn_to(game: Battle, team: Team, facing: float) -> None:
    """Turn a base in place, unless its corners would come to lie on another base or beyond the table's edge."""
    here = board(game)
    before = team.facing
    team.facing = stored_facing(facing)
    here.put(team)
    if not fits(here, team):
        team.facing = before
        here.put(team)


def turn_turret(game: Battle, team: Team, facing: float) -> None:
    team.turret = stored_facing(facing)
    board(game).put(team)


def fits(here: Board, team: Team) -> bool:
    """Whether a Team lies on the table and on no other base."""
    ground = here.ground
    return moves.stands_free(here.rows, here.index[team.id], ground.width, ground.depth, SLACK)


def smoke_changed(game: Battle) -> None:
    here = board(game)
    here.ground = under_smoke(here.dry, game.state)
    here.places = fire.places_of(here.rows, here.facings)


def sees(here: Board, watchers: Rows, targets: Rows, wanted: Mask | None = None) -> Mask:
    """Which watcher sees which target: any part of the one base to any part of the other.

    Tall obstacles that a Team touches do not block its sight: the reading of tr14.terrain.tall-blocks.
    """
    ground = here.ground
    return sight.sight(ground.terrain, ground.opacity, watchers, targets, wanted=wanted, touch=TOUCH)


def why_unseen(here: Board, watchers: Rows, targets: Rows) -> str:
    """The rule that keeps watchers from seeing targets: the kind of terrain without which they would."""
    ground = here.ground
    table = ground.table
    smoke = np.array([feature.kind == "smoke" for feature in ground.terrain.features], dtype=np.bool_)
    kinds = (
        ("tr14.indirect.smoke-effect", smoke),
        ("tr14.terrain.tall-blocks", table.tall),
        ("tr14.terrain.area", table.area),
    )
    return why_hidden(ground.terrain, ground.opacity, watchers, targets, kinds, TOUCH) or "tr14.firing.los-and-range"


def line_of_fire(game: Battle, shooters: Sequence[Team], side: str, targets: Rows, wanted: Mask | None = None) -> Mask:
    """Which shooter has a line to which target that passes through no friend (tr14.firing.through-friends).

    Gun and Tank Teams fire over friendly Infantry; mortars over any friend.
    """
    here = board(game)
    if wanted is not None and not wanted.any():
        return wanted
    ground = here.ground
    friends = here.side(side)
    return sight.sight(
        ground.terrain,
        ground.opacity,
        here.of(shooters),
        targets,
        blockers=here.rows.take(friends.rows, axis=0),
        own=(own := np.array([friends.number[team.id] for team in shooters], dtype=np.int64)),
        classes=friends.classes,
        over=friends.troops.over.take(own),
        wanted=wanted,
        touch=TOUCH,
    )


def fires_over(kind: Profile) -> int:
    if kind.type == "infantry":
        return OVER_NOBODY
    return OVER_ALL if kind.fires_over_friends else OVER_INFANTRY


def cover_matrix(here: Board, shooters: Rows, targets: Rows, dug_in: Sequence[bool]) -> Ints:
    """The cover of each target from each shooter (n, m), shields left aside.

    Area terrain covers what stands in it; a linear obstacle covers what touches it, from fire that crosses it.
    """
    ground = here.ground
    cover = sight.shelter(ground.terrain, ground.table.cover, shooters, targets, TOUCH)
    for number, dug in enumerate(dug_in):
        if dug:
            cover[:, number] = HARD
    return cover
