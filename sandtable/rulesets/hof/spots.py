"""Where Teams may be set down: zones, and the spots where Hidden Teams may appear."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np

from sandtable.engine.game import Game
from sandtable.engine.questions import Refusal, Step, illegal
from sandtable.rulesets.hof.board import SLACK, Board, Mask, Rows, board, sees_rows, some
from sandtable.rulesets.hof.optional import riders
from sandtable.rulesets.hof.state import Point, Setup, State, Team, other
from sandtable.rulesets.hof.terrain import TOUCH
from sandtable.table import distance as measure
from sandtable.table import moves, placement
from sandtable.table.shapes import COS, SIN, Place, X, Y, bodies, heading
from sandtable.table.terrain import Feature, Terrain

FROM_CENTRE = 16.0 + 0.02
"""hof.battle.attacker-deploys: more than 16 inches, so a hair more."""

FOOT_APART, VEHICLE_APART, RECON_APART = 16.0, 8.0, 20.0
"""hof.battle.hidden-where, hof.battle.recon-reveal-distance"""

SNIPER_APART = 12.0
FORWARD, RECON_FORWARD = 6.0, 12.0
"""hof.optional.recon-forward-deployment"""

NEAR_OBJECTIVE = 4.0


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
        name = teams[int(np.flatnonzero(~on)[0])].id
        return illegal(rule, f"{name} would not be on the table.", field=name)
    clash = measure.overlaps(rows, rows, SLACK)
    np.fill_diagonal(clash, False)
    standing = here.rows
    if clash.any() or (len(standing) and measure.overlaps(rows, standing, SLACK).any()):
        hit = clash.any(axis=1)
        if not hit.any():
            hit = measure.overlaps(rows, standing, SLACK).any(axis=1)
        name = teams[int(np.flatnonzero(hit)[0])].id
        return illegal(rule, f"{name} would stand on another Team.", field=name, legal="Leave room for its base.")
    barred = impassable(here, rows)
    if barred.any():
        name = teams[int(np.flatnonzero(barred)[0])].id
        return illegal("hof.moving.infantry-terrain", f"nobody can stand where {name} would.", field=name)
    return None


def impassable(here: Board, rows: Rows) -> Mask:
    table = here.ground.table
    never = np.array([kind.going == "impassable" for kind in table.kinds], dtype=np.bool_)
    if not never.any():
        return np.zeros(len(rows), dtype=np.bool_)
    return some(here.ground.terrain.overlapping(rows) & never, 1)


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


def required_distance(game: Game[State], unit_recon: bool, team: Team) -> float:
    """How far a spot in concealing terrain must be from one enemy Team."""
    apart = VEHICLE_APART if team.kind.vehicle and not watchful_riders(game, team) else FOOT_APART
    if unit_recon or "recon" in team.traits:
        apart = RECON_APART
    moved = game.state.moved.get(team.id)
    return max(0.0, apart - moved.inches) if moved is not None else apart


def watchful_riders(game: Game[State], tank: Team) -> bool:
    """hof.optional.riders-recon: whether unsuppressed Riders sit on a tank."""
    return any(not rider.suppressed for _, rider in riders.riders_on(game, tank))


def concealing(here: Board, rows: Rows) -> Mask:
    """Which bases stand in concealing terrain: in an area that conceals, in a trench, or touching an obstacle."""
    table, terrain = here.ground.table, here.ground.terrain
    areas = table.conceals & ~table.line
    inside = some(terrain.overlapping(rows) & areas, 1)
    at_line = some(terrain.touching(rows, TOUCH) & table.conceals & table.line, 1)
    return inside | at_line


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
    return some(sees_rows(here.ground, eyes, rows), 0)


def far_and_concealed(game: Game[State], side: str, rows: Rows) -> Mask:
    """Which spots lie in concealing terrain, far enough from each enemy Team."""
    here = board(game)
    found = concealing(here, rows)
    enemies = here.side(other(side))
    if enemies.members and found.any():
        apart = np.array([required_distance(game, unit.recon, team) for unit, team in enemies.members])
        found &= (measure.distances(here.of(enemies.teams), rows) >= apart[:, None] - 1e-9).all(axis=0)
    return found


def open_spots(game: Game[State], side: str, rows: Rows) -> tuple[Mask, list[str]]:
    """Which spots are open to Hidden Teams of a side, and for each the rule that speaks for or against it."""
    here = board(game)
    enemies = here.side(other(side))
    count = len(rows)
    if not enemies.members:
        return np.ones(count, dtype=np.bool_), ["hof.battle.hidden-where"] * count
    eyes = here.of(enemies.teams)
    seen = some(sees_rows(here.ground, eyes, rows), 0)
    good = ~seen
    rules = ["hof.battle.hidden-where"] * count
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
        if any(watchful_riders(game, team) for team in enemies.teams):
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
    bases = {team.kind.base: team for team in waiting}
    area = zone(game, side)
    for base in bases:
        reach = NEAR_OBJECTIVE + base.depth / 2 - 0.05
        spots = [Place(at[0], at[1])]
        for radius in (0.35 * reach, 0.7 * reach, reach):
            spots += [
                Place(at[0] + radius * sin, at[1] + radius * cos)
                for sin, cos in (heading(30.0 * step) for step in range(12))
            ]
        rows = bodies((base, spot) for spot in spots)
        room = moves.on_table(rows, here.ground.width, here.ground.depth) & area.within(rows)[:, 0]
        if len(here.rows):
            room &= ~measure.overlaps(rows, here.rows, SLACK).any(axis=1)
        rows = rows[room]
        # Cover needs no look along lines of sight: most objectives have some.
        if len(rows) and (far_and_concealed(game, side, rows).any() or open_spots(game, side, rows)[0].any()):
            return True
    return False
