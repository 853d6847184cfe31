"""Where Teams may be set down: zones, and the spots where Hidden Teams may appear."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np

from sandtable.engine.game import Game
from sandtable.engine.questions import Refusal, Step, illegal
from sandtable.rulesets.hof.board import SLACK, Board, Ground, Mask, Rows, Side, board, some
from sandtable.rulesets.hof.optional import riders
from sandtable.rulesets.hof.state import Point, Setup, State, Team, Unit, other, team_label
from sandtable.rulesets.hof.terrain import TOUCH
from sandtable.table import distance as measure
from sandtable.table import look, moves, placement
from sandtable.table.shapes import COS, SIN, Footprint, Place, X, Y, bodies, heading
from sandtable.table.terrain import Feature, Terrain

FROM_CENTRE = 16.0 + 0.02
"""hof.battle.attacker-deploys: more than 16 inches, so a hair more."""

FOOT_APART, VEHICLE_APART, RECON_APART = 16.0, 8.0, 20.0
"""hof.battle.hidden-where, hof.battle.recon-reveal-distance"""

SNIPER_APART = 12.0
FORWARD, RECON_FORWARD = 6.0, 12.0
"""hof.optional.recon-forward-deployment"""

NEAR_OBJECTIVE = 4.0
FAR_REACH = 12.0
"""More than any two bases reach from their middles."""


# Zones.


def zone(game: Game[State], side: str, *, recon: bool = False) -> Terrain:
    """A side's deployment zone: the Defender's half, or what of the Attacker's half lies far from the centre line."""
    state = game.state
    forward = forward_limit(game, side, recon)
    key = f"{side} {state.edges.get(side, '')} {forward}"
    known: dict[str, Terrain] = game.prepared.zones
    if key not in known:
        known[key] = make_zone(game.setup, state, side, forward)
    return known[key]


def forward_limit(game: Game[State], side: str, recon: bool) -> float:
    """How far beyond the centre line the zone reaches; negative before it."""
    if side == game.state.attacker:
        return -FROM_CENTRE
    units = game.state.units.values()
    if game.setup.options.recon and any(unit.side == side and unit.recon for unit in units):
        return RECON_FORWARD if recon else FORWARD
    return 0.0


def make_zone(setup: Setup, state: State, side: str, forward: float) -> Terrain:
    width, depth = setup.table.width, setup.table.depth
    given = setup.zones.get(side)
    limit = depth / 2 + forward
    south, north = (0.0, limit) if state.edges[side] == "south" else (depth - limit, depth)
    points: list[Point] = given or [(0.0, south), (width, south), (width, north), (0.0, north)]
    return Terrain([Feature("zone", "zone", points)], width, depth)


def facing_of(state: State, side: str) -> float:
    return 0.0 if state.edges.get(side, "south") == "south" else 180.0


# Setting Teams down.


def rows_of(teams: Sequence[Team], steps: dict[str, Step], facing: float) -> Rows:
    places = [Place(*steps[t.id].to, facing if (f := steps[t.id].facing) is None else f) for t in teams]
    return bodies(zip((team.kind.base for team in teams), places, strict=True))


def refuse_room(here: Board, teams: Sequence[Team], rows: Rows, rule: str) -> Refusal | None:
    """Every base on the table, none on another, none on ground that nobody can stand on."""
    on = moves.on_table(rows, here.ground.width, here.ground.depth)
    if not on.all():
        out = teams[int(np.flatnonzero(~on)[0])]
        return illegal(rule, f"{team_label(out)} would not be on the table.", field=out.id)
    clash = measure.overlaps(rows, rows, SLACK)
    np.fill_diagonal(clash, False)
    standing = here.rows
    if clash.any() or (len(standing) and measure.overlaps(rows, standing, SLACK).any()):
        hit = clash.any(axis=1)
        if not hit.any():
            hit = measure.overlaps(rows, standing, SLACK).any(axis=1)
        on_it = teams[int(np.flatnonzero(hit)[0])]
        message = f"{team_label(on_it)} would stand on another Team."
        return illegal(rule, message, field=on_it.id, legal="Leave room for its base.")
    barred = impassable(here, rows)
    if barred.any():
        there = teams[int(np.flatnonzero(barred)[0])]
        message = f"nobody can stand where {team_label(there)} would."
        return illegal("hof.moving.infantry-terrain", message, field=there.id)
    return None


def impassable(here: Board, rows: Rows) -> Mask:
    table = here.ground.table
    if not table.any_impassable:
        return np.zeros(len(rows), dtype=np.bool_)
    return some(here.ground.terrain.overlapping(rows) & table.impassable, 1)


def room(here: Board, rows: Rows) -> Mask:
    """Which bases would lie on the table, on nobody's base, and on ground where one can stand."""
    free: Mask = moves.on_table(rows, here.ground.width, here.ground.depth)
    free &= ~some(measure.overlaps(rows, here.rows, SLACK), 1)
    if here.ground.table.any_impassable and free.any():
        free &= ~impassable(here, rows)
    return free


def ranks_at(
    game: Game[State], teams: Sequence[Team], x: float, y: float, facing: float, spacing: float = 0.6
) -> dict[str, Step]:
    """Teams in ranks about a point; nothing is checked."""
    files = max(2, round(len(teams) ** 0.5 + 1))
    places = placement.in_ranks([team.kind.base for team in teams], x, y, facing, files, spacing)
    return {t.id: Step((round(p.x, 2), round(p.y, 2)), facing) for t, p in zip(teams, places, strict=True)}


def random_point(random: Random, area: Terrain) -> Point:
    west, south, east, north = area.bounds[0].tolist()
    return west + random.random() * (east - west), south + random.random() * (north - south)


# Hidden Teams.


def required_distance(game: Game[State], unit: Unit, team: Team) -> float:
    """How far a spot in concealing terrain must be from one enemy Team that has not just moved."""
    if unit.recon or "recon" in team.traits:
        return RECON_APART
    return VEHICLE_APART if team.kind.vehicle and not watchful_riders(game, team) else FOOT_APART


def watchful_riders(game: Game[State], tank: Team) -> bool:
    """hof.optional.riders-recon: whether unsuppressed Riders sit on a tank."""
    return any(not rider.suppressed for _, rider in riders.riders_on(game, tank))


def any_watchful_riders(game: Game[State], enemies: Side) -> bool:
    return game.setup.options.riders and any(watchful_riders(game, team) for team in enemies.teams)


def required_distances(game: Game[State], enemies: Side) -> Rows:
    """How far a spot in concealing terrain must be from each enemy Team: less after a move towards it."""
    apart = enemies.apart
    if apart is None or game.setup.options.riders:
        each = [required_distance(game, unit, team) for unit, team in enemies.members]
        apart = enemies.apart = np.array(each, dtype=np.float64)
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
    found: Mask = np.zeros(len(rows), dtype=np.bool_)
    if table.any_shelter:
        found |= some(terrain.overlapping(rows) & table.shelter, 1)
    if table.any_shelter_line:
        found |= some(terrain.touching(rows, TOUCH) & table.shelter_line, 1)
    return found


def seen_before(game: Game[State], side: str, rows: Rows) -> Mask:
    """Which spots some enemy saw before the move that has just been made."""
    here = board(game)
    enemies = here.side(other(side))
    eyes = here.of(enemies.teams)
    for row, team in zip(eyes, enemies.teams, strict=True):
        moved = game.state.moved.get(team.id)
        if moved is not None:
            row[X], row[Y] = moved.start
            row[SIN], row[COS] = heading(moved.facing)
    return look.watched(here.ground.lens, eyes, rows)


def far_and_concealed(game: Game[State], side: str, rows: Rows) -> Mask:
    """Which spots lie in concealing terrain, far enough from each enemy Team."""
    found = concealing(board(game).ground, rows)
    if found.any():
        found[found] = far_enough(game, side, rows[found])
    return found


def far_enough(game: Game[State], side: str, rows: Rows) -> Mask:
    """Which spots are so far from each enemy Team that concealing terrain would hide somebody there."""
    here = board(game)
    enemies = here.side(other(side))
    if not enemies.members:
        return np.ones(len(rows), dtype=np.bool_)
    eyes = here.rows.take(enemies.rows, axis=0)
    apart = required_distances(game, enemies)
    # Whoever is so far from the first of the spots is far enough from all of them.
    spread = np.abs(rows[:, X : Y + 1] - rows[0, X : Y + 1]).max()
    away = np.abs(eyes[:, X : Y + 1] - rows[0, X : Y + 1]).max(axis=1)
    near = np.flatnonzero(away < apart + spread + FAR_REACH)
    if not len(near):
        return np.ones(len(rows), dtype=np.bool_)
    gaps = measure.distances(eyes.take(near, axis=0), rows)
    result: Mask = np.logical_and.reduce(gaps >= apart.take(near)[:, None] - 1e-9, axis=0)
    return result


def seen_now(game: Game[State], side: str, rows: Rows) -> Mask:
    """Which spots some enemy of a side sees."""
    here = board(game)
    enemies = here.side(other(side))
    if not enemies.members:
        return np.zeros(len(rows), dtype=np.bool_)
    return look.watched(here.ground.lens, here.rows.take(enemies.rows, axis=0), rows)


def may_appear(game: Game[State], side: str, rows: Rows) -> Mask:
    """Which spots are open to Hidden Teams of a side."""
    good: Mask = ~seen_now(game, side, rows)
    left = np.flatnonzero(~good)
    if len(left):
        good[left] = far_and_concealed(game, side, rows[left])
        left = np.flatnonzero(~good)
    if len(left) and game.state.moved:
        good[left] = ~seen_before(game, side, rows[left])
    return good


def open_spots(game: Game[State], side: str, rows: Rows) -> tuple[Mask, list[str]]:
    """Which spots are open to Hidden Teams of a side, and for each the rule that speaks for or against it."""
    enemies = board(game).side(other(side))
    seen = seen_now(game, side, rows)
    good: Mask = ~seen
    rules = ["hof.battle.hidden-where"] * len(rows)
    if seen.any():
        hidden = far_and_concealed(game, side, rows)
        good = good | hidden
        if game.state.moved:
            before = ~seen_before(game, side, rows) & seen
            for number in np.flatnonzero(before & ~good).tolist():
                rules[number] = "hof.battle.hidden-unseen-before-move"
            for number in np.flatnonzero(hidden).tolist():
                rules[number] = "hof.battle.hidden-after-move"
            good = good | before
        if any_watchful_riders(game, enemies):
            for number in np.flatnonzero(~good).tolist():
                rules[number] = "hof.optional.riders-recon"
        if any(unit.recon for unit, _ in enemies.members):
            for number in np.flatnonzero(~good).tolist():
                rules[number] = "hof.battle.recon-reveal-distance"
    return good, rules


def sniper_spots(game: Game[State], side: str, rows: Rows) -> Mask:
    """hof.optional.sniper-deploy: anywhere outside the enemy's zone and more than 12 inches from all his Teams."""
    here = board(game)
    enemies = here.side(other(side))
    outside = ~zone(game, other(side)).overlapping(rows)[:, 0]
    if not enemies.members:
        return outside
    result: Mask = outside & (measure.nearest(rows, here.of(enemies.teams)) > SNIPER_APART)
    return result


def could_hold(game: Game[State], at: Point) -> bool:
    """hof.battle.hidden-hold-objectives: whether some Hidden defender could appear within 4 inches of a point."""
    state = game.state
    side = other(state.attacker)
    waiting = [
        team
        for unit in state.units.values()
        if unit.side == side and unit.kind != "sniper"
        for team in unit.teams.values()
        if team.where == "hidden"
    ]
    if not waiting:
        return False
    here = board(game)
    enemies = here.side(other(side))
    eyes = here.rows.take(enemies.rows, axis=0)
    apart = required_distances(game, enemies)
    for base in dict.fromkeys(team.kind.base for team in waiting):
        rows, covered = spots_about(game, side, at, base)
        # Cover needs no look along lines of sight: most objectives have some.
        if measure.some_apart(covered, here.rows, eyes, apart, SLACK):
            return True
        rows = rows[~some(measure.overlaps(rows, here.rows, SLACK), 1)]
        if len(rows) and not look.all_watched(here.ground.lens, eyes, rows):
            return True
        if len(rows) and game.state.moved and not seen_before(game, side, rows).all():
            return True
    return False


def spots_about(game: Game[State], side: str, at: Point, base: Footprint) -> tuple[Rows, Rows]:
    """Spots in a side's zone, within 4 inches of a point, where a base has room; and those of them that conceal it."""
    ground = board(game).ground
    area = zone(game, side)
    key = (area, at, base)
    if key not in ground.spots:
        reach = NEAR_OBJECTIVE + base.depth / 2 - 0.05
        places = [Place(at[0], at[1])]
        for radius in (0.35 * reach, 0.7 * reach, reach):
            places += [
                Place(at[0] + radius * sin, at[1] + radius * cos)
                for sin, cos in (heading(30.0 * step) for step in range(12))
            ]
        rows = bodies((base, place) for place in places)
        rows = rows[moves.on_table(rows, ground.width, ground.depth) & area.within(rows)[:, 0]]
        ground.spots[key] = rows, rows[concealing(ground, rows)]
    return ground.spots[key]
