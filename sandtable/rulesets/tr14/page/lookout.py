"""What a Team sees and what a step costs it, for a page: from where it stands or from where it might.

Everything is asked of the ruleset's own sight and going, for places where nobody stands yet as well.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from sandtable.engine.cards import Fact, Outlook, SideView
from sandtable.engine.game import Game
from sandtable.engine.questions import Step
from sandtable.field import sightlines
from sandtable.field.paths import length_of
from sandtable.rulesets.tr14.core.board import Ground, Rows, board, sees
from sandtable.rulesets.tr14.core.state import State, Team, find_team
from sandtable.rulesets.tr14.core.terrain import COVER_NAMES, OPEN, TOUCH
from sandtable.rulesets.tr14.firing import HALF_CIRCLE
from sandtable.rulesets.tr14.moving import TANK_CROSSES, heavy_gun, way_of
from sandtable.table import moves, sight
from sandtable.table.hairs import A_HAIR
from sandtable.table.shapes import Place, body, point_body

Point = tuple[float, float]


def standing(game: Game[State], team: Team, place: Place | None) -> Rows | None:
    """The row of a Team where it stands, or where it would; None if it is nowhere."""
    here = board(game)
    if place is None:
        return here.rows[here.index[team.id]] if team.id in here.index else None
    return body(team.kind.base, place)


def outlook(game: Game[State], seat: str | None, piece: str, place: Place | None) -> Outlook | None:
    """What a Team sees of the table, the middle of each cell as a point; and whom."""
    found = find_team(game.state, piece)
    row = None if found is None else standing(game, found[1], place)
    if found is None or row is None:
        return None
    team = found[1]
    here = board(game)
    own = place or Place(*(team.at or (0.0, 0.0)), team.facing, turret=team.turret)
    return sightlines.outlook(
        here,
        here.ground.terrain,
        team.id,
        row,
        own,
        partial(sees, here),
        reaches(team),
        None if team.kind.type == "infantry" else HALF_CIRCLE,
        notes(here.ground, team, own, place),
    )


def reaches(team: Team) -> list[tuple[str, float, float]]:
    """Its weapons that fire, how far, and how far at most."""
    kind = team.kind
    return [(w.name, w.range, far) for w, far in zip(kind.weapons, kind.reaches, strict=False) if w.fp]


def notes(ground: Ground, team: Team, own: Place, place: Place | None) -> tuple[Fact, ...]:
    """What cover whoever stands there has."""
    row = body(team.kind.base, own).reshape(1, 8)
    table = ground.table
    there = (ground.terrain.inside(row)[0] & ~table.line) | (ground.terrain.touching(row, TOUCH)[0] & table.line)
    found = [
        Fact(ground.terrain.features[number].spoken, COVER_NAMES[int(table.cover[number])], "tr14.terrain.area")
        for number in np.flatnonzero(there).tolist()
        if table.cover[number] != OPEN
    ]
    if team.dug_in and place is None:
        found.append(Fact("Dug in", "Hard Cover", "tr14.playing.action-dig-in"))
    return tuple(found)


# A line from the side.


def side_view(game: Game[State], seat: str | None, piece: str, place: Place | None, to: Point) -> SideView | None:
    """The line of sight from a Team to a point: what it crosses, and what stops it. Heights play no part."""
    found = find_team(game.state, piece)
    row = None if found is None else standing(game, found[1], place)
    if row is None:
        return None
    here = board(game)
    ground = here.ground
    end = point_body(*to)
    clear = bool(sees(here, row.reshape(1, 8), end.reshape(1, 8))[0, 0])

    def stops(crossed: list[int]) -> set[int]:
        modes = ground.opacity.mode
        opaque = [number for number in crossed if modes[number] != sight.CLEAR]
        return sightlines.stopping(opaque, lambda number: blocks(ground, row, end, number))

    rule = "tr14.firing.los-and-range"
    return sightlines.side_view(ground.terrain, row, end, None if clear else stops, lambda *_: 0.0, rule)


def blocks(ground: Ground, row: Rows, end: Rows, number: int) -> bool:
    """Whether a piece of terrain by itself would stop a line."""
    modes = ground.opacity.mode
    only = sight.Opacity(np.where(np.arange(len(modes)) == number, modes, sight.CLEAR))
    return not sight.sight(ground.terrain, only, row, end, touch=TOUCH)[0, 0]


# What a step costs.


def heads(game: Game[State], piece: str, step: Step) -> float | None:
    """A Team faces as it is told, or as it did."""
    found = find_team(game.state, piece)
    return step.facing if step.facing is not None or found is None else found[1].facing


def gauge(game: Game[State], seat: str, piece: str, step: Step) -> list[Fact]:
    """How far a step is, how far the Team may go, and what the ground on the way asks of it."""
    found = find_team(game.state, piece)
    if found is None or found[1].at is None:
        return []
    team = found[1]
    path = way_of(team, step)
    length = length_of(path)
    reach = f"{team.kind.move:g} inches" + (": farther than a Move" if length > team.kind.move + A_HAIR else "")
    facts = [
        Fact("Distance", f"{length:.1f} inches", "tr14.moving.distances"),
        Fact("Reach", reach, "tr14.moving.distances"),
    ]
    ground = board(game).ground
    crossed: dict[int, None] = {}
    for span in moves.spans(ground.terrain, path, ground.table.rough):
        if not span.started:
            crossed[span.feature] = None
    return [*facts, *(toll(ground, team, number) for number in crossed)]


def toll(ground: Ground, team: Team, number: int) -> Fact:
    """What entering a piece of rough ground asks of a Team."""
    going = ground.table.kinds[number].going
    name = ground.terrain.features[number].spoken
    words = going.replace("-", " ").capitalize()
    if team.kind.type == "tank":
        if going == "difficult":
            return Fact(name, f"{words}: {TANK_CROSSES}+ to cross", "tr14.moving.tank-difficult")
        return Fact(name, f"{words}: Check to cross", "tr14.moving.tank-very-difficult")
    if heavy_gun(team) and going == "very-difficult":
        return Fact(name, f"{words}: may not cross", "tr14.moving.gun-terrain")
    return Fact(name, words, "tr14.moving.infantry-terrain")
