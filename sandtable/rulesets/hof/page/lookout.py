"""What a Team sees and what a step costs it, for a page: from where it stands or from where it might.

Everything is asked of the ruleset's own sight and going, for places where nobody stands yet as well.
"""

from __future__ import annotations

import numpy as np

from sandtable.engine.cards import Fact, Outlook, SideView
from sandtable.engine.game import Game
from sandtable.engine.questions import Step
from sandtable.field import sightlines
from sandtable.field.paths import length_of, path_of
from sandtable.rulesets.hof.core.board import Board, board, sees_rows
from sandtable.rulesets.hof.core.ground import Ground, Mask, Rows
from sandtable.rulesets.hof.core.state import Member, Point, State, Team, Unit, find_team
from sandtable.rulesets.hof.core.terrain import TOUCH, Kind
from sandtable.rulesets.hof.firing import ARC, farthest, weapons_of
from sandtable.rulesets.hof.moving import end_facing, immovable, reach
from sandtable.rulesets.hof.page.views import shown
from sandtable.rulesets.hof.terrain import terrain_crossing
from sandtable.table import outlook as grid
from sandtable.table import sight
from sandtable.table.hairs import A_HAIR
from sandtable.table.look import Lens, seen
from sandtable.table.moves import Span
from sandtable.table.shapes import HALF_WIDTH, Place, body, point_body


def known(game: Game[State], seat: str | None, piece: str) -> Member | None:
    """A Team that a seat may ask about: its own, or one that is shown."""
    found = find_team(game.state, piece)
    if found is None or (found[0].side != seat and not shown(game.state, found[1])):
        return None
    return found


def standing(game: Game[State], team: Team, place: Place | None) -> Rows | None:
    """The row of a Team where it counts as standing, or where it would; None if it is nowhere."""
    here = board(game)
    if place is None:
        return here.rows[here.stand(team)] if team.id in here.index else None
    height = here.ground.height(place.x, place.y, place.level)
    return body(team.kind.base, place, height)


def outlook(game: Game[State], seat: str | None, piece: str, place: Place | None) -> Outlook | None:
    """hof.terrain.line-of-sight, for all the table at once: the middle of each cell as a point on the ground."""
    found = known(game, seat, piece)
    row = None if found is None else standing(game, found[1], place)
    if found is None or row is None:
        return None
    unit, team = found
    here = board(game)
    ground = here.ground
    cells = grid.cells(ground.terrain, ground.hills)
    mask = sees_rows(ground, row.reshape(1, 8), cells)[0]
    own = place or Place(*(team.at or (0.0, 0.0)), team.facing)
    return Outlook(
        (own.x, own.y),
        own.facing,
        grid.CELL,
        grid.as_text(ground.terrain, mask),
        seen_teams(here, team, row, place),
        sightlines.rings(reaches(game, unit, team), float(row[HALF_WIDTH])),
        None if all_round(team) else ARC,
        notes(here, team, row.reshape(1, 8), place),
    )


def seen_teams(here: Board, team: Team, row: Rows, place: Place | None) -> tuple[str, ...]:
    """Everybody on the table whom it sees. Who stands on the table stands in the open, whoever looks."""
    others = [each for _, each in here.members if each.id in here.index and each is not team]
    if not others:
        return ()
    if place is None:
        mask = here.sees([team], others)[0]
    else:
        mask = sees_rows(here.ground, row.reshape(1, 8), here.where(others))[0]
    return tuple(each.id for each, visible in zip(others, mask.tolist(), strict=True) if visible)


def all_round(team: Team) -> bool:
    return team.kind.category == "infantry" or team.kind.turret


def reaches(game: Game[State], unit: Unit, team: Team) -> list[tuple[str, float, float]]:
    """Its weapons, how far they fire, and how far at most."""
    return [(weapon.name, weapon.range, farthest(game, weapon)) for weapon in weapons_of(game, unit, team)]


def notes(here: Board, team: Team, row: Rows, place: Place | None) -> tuple[Fact, ...]:
    """What the ground gives whoever counts as standing there."""
    ground = here.ground
    inside = ground.terrain.inside(row)[0]
    touched = ground.terrain.touching(row, TOUCH)[0]
    table = ground.table
    found = []
    for number in np.flatnonzero((inside & ~table.line) | (touched & table.line)).tolist():
        kind = table.kinds[number]
        word = ground.terrain.features[number].spoken
        if kind.conceals:
            found.append(Fact(word, "conceals", "hof.firing.concealed-modifier"))
        if kind.hard:
            found.append(Fact(word, "Hard Cover", "hof.terrain.cover-at-resolution"))
    if place is None and (team.dug_in or here.host(team).dug_in):
        found.append(Fact("Dug-In", "Hard Cover", "hof.terrain.cover-at-resolution"))
    return tuple(found)


# A line from the side.


def side_view(game: Game[State], seat: str | None, piece: str, place: Place | None, to: Point) -> SideView | None:
    """The line of sight from a Team to a point: the ground under it, what it crosses, and what stops it."""
    found = known(game, seat, piece)
    row = None if found is None else standing(game, found[1], place)
    if row is None:
        return None
    ground = board(game).ground
    end = point_body(*to, ground.height(*to))
    clear = bool(sees_rows(ground, row.reshape(1, 8), end.reshape(1, 8))[0, 0])

    def stops(crossed: list[int]) -> set[int]:
        modes, thick = ground.opacity.mode, ground.table.thick
        opaque = [number for number in crossed if modes[number] != sight.CLEAR or thick[number]]
        return sightlines.stopping(opaque, lambda number: not seen(lens_of(ground, number), row, end)[0, 0])

    rule = "hof.terrain.line-of-sight"
    return sightlines.side_view(ground.terrain, row, end, None if clear else stops, ground.height, rule)


def lens_of(ground: Ground, number: int) -> Lens:
    """The ground as if this were the only thing on it that hides anything."""
    only: Mask = np.arange(len(ground.terrain.features)) == number
    table = ground.table
    opacity = sight.Opacity(np.where(only, ground.opacity.mode, sight.CLEAR), ground.opacity.limit)
    hedges = only & table.thick & table.line
    return Lens(ground.terrain, opacity, table.smoke & only, hedges, table.hill, TOUCH)


# What a step costs.


def heads(game: Game[State], piece: str, step: Step) -> float | None:
    """How a Team would face after a step."""
    found = find_team(game.state, piece)
    if found is None or found[1].at is None:
        return step.facing
    return end_facing(found[1], path_of(found[1].at, step), step.facing)


def gauge(game: Game[State], seat: str, piece: str, step: Step) -> list[Fact]:
    """How far a step is, how far the Team could go at best, and what the ground on the way asks of it."""
    found = known(game, seat, piece)
    if found is None or found[1].at is None:
        return []
    team = found[1]
    path = path_of(team.at, step) if team.at is not None else []
    length = length_of(path)
    facts = [Fact("Distance", f"{length:.1f} inches", "hof.moving.rolled-distance")]
    why = immovable(team)
    if why is not None:
        facts.append(Fact("Reach", why[1], why[0]))
    elif length > reach(team) + A_HAIR:
        facts.append(Fact("Reach", f"{reach(team):g} inches: too far", "hof.moving.unseen-maximum"))
    else:
        facts.append(Fact("Reach", f"up to {reach(team):g} inches", "hof.moving.unseen-maximum"))
    ground = board(game).ground
    wanted = ground.table.rough_or_obstacle if game.setup.options.obstacles else ground.table.rough
    for crossing in terrain_crossing.crossings(ground, path, wanted):
        kind = ground.table.kinds[crossing.feature]
        facts.append(
            Fact(
                ground.terrain.features[crossing.feature].spoken,
                toll(team, kind, crossing),
                terrain_crossing.terrain_rule(team.kind),
            )
        )
    return facts


def toll(team: Team, kind: Kind, crossing: Span) -> str:
    """What crossing a piece of ground asks of a Team."""
    ground = kind.going.replace("-", " ").capitalize() if kind.going != "open" else "Obstacle"
    if not terrain_crossing.may_cross(team.kind, kind):
        return f"{ground}: may not cross"
    if terrain_crossing.checks_for(team.kind, kind) and not crossing.started:
        return f"{ground}: Terrain Check"
    return ground if kind.going != "open" else kind.obstacle.replace("-", " ")
