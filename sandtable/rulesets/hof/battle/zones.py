"""Where Teams may be set down: zones, and the spots where Hidden Teams may appear."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache

import numpy as np

from sandtable.field.deploying import zone_of
from sandtable.field.kept import KeptOne
from sandtable.field.moments import Moment
from sandtable.field.zones import Cells, facing_from, strip
from sandtable.rulesets.hof.core import riding
from sandtable.rulesets.hof.core.board import Battle, Side, board
from sandtable.rulesets.hof.core.ground import Ground, Mask, Rows
from sandtable.rulesets.hof.core.state import NEAR_OBJECTIVE, Member, Point, Team, Unit, other
from sandtable.rulesets.hof.core.terrain import TOUCH
from sandtable.rulesets.hof.kernels import free_places, ground_sight, neighbours
from sandtable.table import distance as measure
from sandtable.table import moves, placement
from sandtable.table.hairs import SLACK
from sandtable.table.scene import Area
from sandtable.table.shapes import COLUMNS, COS, SIN, Footprint, Place, X, Y, bodies, body, heading
from sandtable.table.terrain import Terrain

FROM_CENTRE = 16.0
"""hof.battle.attacker-deploys"""

FOOT_APART, VEHICLE_APART, RECON_APART = 16.0, 8.0, 20.0
"""hof.battle.hidden-where, hof.battle.recon-reveal-distance"""

SNIPER_APART = 12.0
FORWARD, RECON_FORWARD = 6.0, 12.0
"""hof.optional.recon-forward-deployment"""

LAIR = 1.5
"""How finely a page is shown where Hidden Teams may appear, in inches."""

LURKER = Footprint(1.0, 1.0)

RINGS: Rows = np.array(
    [(0.0, 0.0, 1.0), *((part, *heading(30.0 * step)) for part in (0.35, 0.7, 1.0) for step in range(12))]
)
"""Spots about a point: the part of the reach, and the direction."""

NO_ROWS: Rows = np.empty((0, COLUMNS))

SET_DOWN: Moment[Callable[[Battle, list[Member]], None]] = Moment()
"""Teams have been deployed or revealed: what waits for them where they appear."""

OPEN = frozenset((free_places.UNSEEN, free_places.NEWLY_SEEN, free_places.COVERED, free_places.COVERED_SEEN))
"""How hidden a spot must be for a Hidden Team to appear there."""


# Zones.


def zone(game: Battle, side: str, *, recon: bool = False) -> Terrain:
    """A side's deployment zone: the Defender's half, or what of the Attacker's half lies far from the centre line."""
    return zone_up_to(game, side, forward_limit(game, side, recon))


def usual_zone(game: Battle, side: str) -> Terrain:
    """The zone without what a recon platoon adds to it."""
    return zone_up_to(game, side, -FROM_CENTRE if side == game.state.attacker else 0.0)


def zone_up_to(game: Battle, side: str, forward: float) -> Terrain:
    """A zone that reaches so far beyond the centre line; negative before it. A scenario may give another."""
    table = game.setup.table
    return zone_of(game.setup.zones.get(side) or strip(table, game.state.edges[side], table.depth / 2 + forward), table)


def forward_limit(game: Battle, side: str, recon: bool) -> float:
    """How far beyond the centre line the zone reaches; negative before it. A zone does not change with losses."""
    if side == game.state.attacker:
        # More than so many inches: a hair more.
        return -(FROM_CENTRE + SLACK)
    if game.setup.options.recon and any(unit.side == side and unit.recon for unit in game.setup.units.values()):
        return RECON_FORWARD if recon else FORWARD
    return 0.0


# Hidden Teams.


def required_distance(game: Battle, unit: Unit, team: Team) -> float:
    """How far a spot in concealing terrain must be from one enemy Team that has not just moved."""
    if unit.recon or "recon" in team.traits:
        return RECON_APART
    return VEHICLE_APART if team.kind.vehicle and not watchful_riders(game, team) else FOOT_APART


def watchful_riders(game: Battle, tank: Team) -> bool:
    """hof.optional.riders-recon: whether unsuppressed Riders sit on a tank."""
    return any(not rider.suppressed for _, rider in riding.riders_on(game, tank))


APART = KeptOne[Rows]()
"""How far a spot must be from each Team of a side that has not just moved."""


def unmoved_distances(game: Battle, enemies: Side) -> Rows:
    """How far a spot in concealing terrain must be from each enemy Team, if none has just moved."""
    found = APART.of(enemies)
    # Riders mount and dismount; all else holds as long as the side is the same.
    if found is None or game.setup.options.riders:
        each = [required_distance(game, unit, team) for unit, team in enemies.members]
        found = APART.keep(enemies, np.array(each, dtype=np.float64))
    return found


def required_distances(game: Battle, enemies: Side) -> Rows:
    """How far a spot in concealing terrain must be from each enemy Team: less after a move towards it."""
    apart = unmoved_distances(game, enemies)
    moved = [name for name in game.state.moved if name in enemies.number]
    if moved:
        apart = apart.copy()
        for name in moved:
            number = enemies.number[name]
            apart[number] = max(0.0, apart[number] - game.state.moved[name].inches)
    return apart


def concealing(ground: Ground, rows: Rows) -> Mask:
    """Which bases stand in concealing terrain: in an area that conceals, in a trench, or touching an obstacle."""
    table, terrain = ground.table, ground.terrain
    found = terrain.over_any(rows, table.numbers(table.shelter))
    if table.any_shelter_line:
        found |= terrain.touching_any(rows, table.numbers(table.shelter_line), TOUCH)
    return found


class Watch:
    """What keeps Hidden Teams of a side from appearing as long as nothing changes: the enemy's eyes, now and before
    the move that has just been made, and how far from each of them concealing terrain hides somebody.
    """

    def __init__(self, game: Battle, side: str) -> None:
        self.game = game
        self.side = side
        self.board = board(game)
        self.enemies = enemies = self.board.enemies(side)
        self.apart = required_distances(game, enemies)
        self.moved = bool(game.state.moved)
        self.facing = facing_from(game.state.edges, side)
        self.known: dict[tuple[str, bytes], int] = {}
        """What has been found out already, by Team and row."""

    @cached_property
    def before(self) -> Rows:
        """From where the enemies saw, if anybody has moved."""
        if not self.moved:
            return NO_ROWS
        here, enemies = self.board, self.enemies
        rows, stands = here.rows.copy(), here.standing().copy()
        units: dict[str, Unit] = {}
        for name, moved in self.game.state.moved.items():
            number = enemies.number.get(name)
            if number is not None:
                row = rows[enemies.rows[number]]
                row[X], row[Y] = moved.start
                row[SIN], row[COS] = heading(moved.facing)
                here.raise_row(row, enemies.teams[number])
                unit = enemies.members[number][0]
                units[unit.id] = unit
        for unit in units.values():
            here.find_stands(unit, rows, stands)
        found: Rows = rows.take(stands.take(enemies.rows), axis=0)
        return found

    def judge(self, rows: Rows, wanted: Mask) -> list[int]:
        """How hidden somebody would be at each of the spots that are wanted, as `free_places.lairs` says."""
        here, table = self.board, self.board.ground.table
        areas, lines = table.numbers(table.shelter), table.numbers(table.shelter_line)
        return free_places.lairs(
            here.ground.lens, here.ground.raised(rows), wanted, areas, lines, here.rows, here.standing(),
            self.enemies.rows, self.apart, self.before,
        )  # fmt: skip

    def open_spots(self, teams: Sequence[Team], rows: Rows, wanted: Mask) -> Mask:
        """Which of the wanted Teams may appear where these rows are."""
        found = self.judge(rows, wanted)
        self.known.update(zip(self.keys(teams, rows), found, strict=True))
        return np.array([spot in OPEN for spot in found], dtype=np.bool_)

    def spots_of(self, teams: Sequence[Team], rows: Rows) -> list[int]:
        """How hidden each Team would be where it is to appear, as `free_places.lairs` says."""
        found = [self.known.get(key, free_places.UNWANTED) for key in self.keys(teams, rows)]
        if free_places.UNWANTED in found:
            found = self.judge(rows, np.ones(len(teams), dtype=np.bool_))
        return found

    def keys(self, teams: Sequence[Team], rows: Rows) -> list[tuple[str, bytes]]:
        return [(team.id, row.tobytes()) for team, row in zip(teams, rows, strict=True)]

    def lairs(self, units: Iterable[Unit], facing: float) -> list[Area]:
        """Where Hidden Teams of these Units could appear now, in strips as deep as `LAIR`."""
        game, side = self.game, self.side
        cells = Cells(game.setup.table, LAIR)
        rows = bodies((LURKER, Place(*middle, facing)) for middle in cells.middles())
        may = np.zeros(len(rows), dtype=np.bool_)
        for kind in {"sniper" if unit.kind == "sniper" else "recon" if unit.recon else "" for unit in units}:
            if kind == "sniper":
                may |= sniper_spots(game, side, rows)
            else:
                inside = zone(game, side, recon=kind == "recon").within(rows)[:, 0]
                may |= inside & np.isin(self.judge(rows, inside), list(OPEN))
        words = "Hidden Teams may appear here"
        return [Area(each, "lair", "" if n else words, side) for n, each in enumerate(cells.strips(may))]

    def why_open(self, spot: int, row: Rows) -> list[str]:
        """The rules by which a Team may appear at a spot: out of sight, or in cover and far enough away."""
        if spot == free_places.NEWLY_SEEN:
            return ["hof.battle.hidden-unseen-before-move"]
        if spot == free_places.UNSEEN or (spot == free_places.COVERED and self.moved):
            return ["hof.battle.hidden-where"]
        near = measure.nearer(self.gaps(row), unmoved_distances(self.game, self.enemies))
        found = ["hof.battle.hidden-after-move" if near.any() else "hof.battle.hidden-where"]
        riders = any(watchful_riders(self.game, team) for team in self.enemies.teams)
        return [*found, "hof.optional.riders-recon"] if riders else found

    def why_barred(self, row: Rows) -> str:
        """The rule that keeps a Team from a spot in sight: in cover it may be just what recon Teams or Riders add."""
        if not concealing(self.board.ground, row)[0]:
            return "hof.battle.hidden-where"
        close = np.flatnonzero(self.gaps(row) < self.apart).tolist()
        for number in close:
            team = self.enemies.teams[number]
            usual = VEHICLE_APART if team.kind.vehicle else FOOT_APART
            moved = self.game.state.moved.get(team.id)
            if self.gaps(row)[number] < usual - (moved.inches if moved else 0.0):
                return "hof.battle.hidden-where"
        recon = any("recon" in self.enemies.teams[number].traits for number in close)
        return "hof.battle.recon-reveal-distance" if recon else "hof.optional.riders-recon"

    def gaps(self, row: Rows) -> Rows:
        """How far a base would be from each enemy."""
        found: Rows = measure.distances(row.reshape(1, 8), self.board.enemy_rows(self.side))[0]
        return found


def sniper_spots(game: Battle, side: str, rows: Rows) -> Mask:
    """hof.optional.sniper-deploy: anywhere outside the enemy's zone and more than 12 inches from all his Teams."""
    here = board(game)
    enemies = here.enemies(side)
    outside = ~zone(game, other(side)).overlapping(rows)[:, 0]
    if not enemies.members:
        return outside
    return outside & measure.beyond(measure.nearest(rows, here.of(enemies.teams)), SNIPER_APART)


class Lurkers:
    """The Hidden defenders who may hold objectives, one of each kind, and what keeps them from appearing now."""

    def __init__(self, game: Battle) -> None:
        self.board = here = board(game)
        self.side = other(game.state.attacker)
        self.kinds = here.force(game.state, self.side).lurking
        self.watch = Watch(game, self.side)
        self.enemies: Rows = here.enemy_rows(self.side)
        self.zone = zone(game, self.side)

    @cached_property
    def eyes(self) -> Rows:
        """From where the enemies see."""
        here = self.board
        rows: Rows = here.rows.take(here.standing().take(self.watch.enemies.rows), axis=0)
        return rows

    def could_hold(self, at: Point) -> bool:
        """hof.battle.hidden-hold-objectives: whether some of them could appear within 4 inches of a point."""
        here, watch = self.board, self.watch
        ground = here.ground
        for team in self.kinds.values():
            # Smoke and wrecks change only what conceals.
            rows = spots_about(here.bare, self.zone, at, team.kind.base)
            covered = covered_spots(ground, here.bare, self.zone, at, team.kind.base)
            # Cover needs no look along lines of sight: most objectives have some.
            if neighbours.some_apart(covered, here.rows, self.enemies, watch.apart, SLACK):
                return True
            rows = rows[placement.room(rows, here.rows, ground.width, ground.depth, SLACK)]
            if len(rows) and not ground_sight.all_watched(ground.lens, self.eyes, rows):
                return True
            if len(rows) and watch.moved and not ground_sight.all_watched(ground.lens, watch.before, rows):
                return True
        return False


@lru_cache(maxsize=256)
def covered_spots(ground: Ground, bare: Ground, area: Terrain, at: Point, base: Footprint) -> Rows:
    """Those of `spots_about` that lie in concealing terrain."""
    rows = spots_about(bare, area, at, base)
    return rows[concealing(ground, rows)]


@lru_cache(maxsize=256)
def spots_about(ground: Ground, area: Terrain, at: Point, base: Footprint) -> Rows:
    """Spots in a zone, within 4 inches of a point, where a base has room."""
    reach = NEAR_OBJECTIVE + base.depth / 2 - 0.05
    rows = body(base, Place(*at))[None].repeat(len(RINGS), axis=0)
    rows[:, X : Y + 1] += RINGS[:, 0, None] * reach * RINGS[:, 1:]
    inside: Mask = moves.on_table(rows, ground.width, ground.depth) & area.within(rows)[:, 0]
    return ground.raised(rows[inside])
