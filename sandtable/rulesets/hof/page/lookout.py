"""What a Team sees and what a step costs it, for a page: from where it stands or from where it might.

Everything is asked of the ruleset's own sight and going, for places where nobody stands yet as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from sandtable.engine.cards import Fact
from sandtable.engine.questions import Step
from sandtable.field import courses, sightlines
from sandtable.field.courses import path_of
from sandtable.field.sightlines import Watcher
from sandtable.rulesets.hof.core.board import Battle, board, sees_rows
from sandtable.rulesets.hof.core.ground import Ground, Mask, Rows
from sandtable.rulesets.hof.core.state import Member, Team, find_team
from sandtable.rulesets.hof.core.terrain import TOUCH
from sandtable.rulesets.hof.firing import ARC, farthest, weapons_of
from sandtable.rulesets.hof.kernels import ground_sight
from sandtable.rulesets.hof.moving import end_facing, immovable, reach
from sandtable.rulesets.hof.page.views import shown
from sandtable.rulesets.hof.terrain import terrain_crossing
from sandtable.table import sight
from sandtable.table.moves import Span
from sandtable.table.shapes import Place, body


def known(game: Battle, seat: str | None, piece: str) -> Member | None:
    """A Team that a seat may ask about: its own, or one that is shown."""
    found = find_team(game.state, piece)
    if found is None or (found[0].side != seat and not shown(game.state, found[1])):
        return None
    return found


def watcher(game: Battle, seat: str | None, piece: str, place: Place | None) -> Watcher | None:
    """A Team that looks (hof.terrain.line-of-sight). Who stands on the table stands in the open, whoever looks."""
    found, here = known(game, seat, piece), board(game)
    if found is None or (place is None and piece not in here.index):
        return None
    unit, team = found
    ground, kind = here.ground, team.kind
    if place is None:
        row = here.rows[here.stand(team)]
    else:
        row = body(kind.base, place, ground.height(place.x, place.y, place.level))
    stands = here.standing()
    return Watcher(
        piece,
        row,
        sightlines.where_it_looks(team, place),
        here,
        ground.terrain,
        partial(sees_rows, ground),
        ground.opacity,
        "hof.terrain.line-of-sight",
        [(weapon.name, weapon.range, farthest(game, weapon)) for weapon in weapons_of(game, unit, team)],
        None if kind.category == "infantry" or kind.turret else ARC,
        covers(ground, row, place is None and (team.dug_in or here.host(team).dug_in)),
        blocks=lambda end, number: not ground_sight.seen(lens_of(ground, number), row, end)[0, 0],
        hides=(ground.opacity.mode != sight.CLEAR) | ground.table.thick,
        stands={name: int(stands[number]) for name, number in here.index.items()},
        hills=ground.hills,
        height=ground.height,
    )


def lens_of(ground: Ground, number: int) -> ground_sight.Lens:
    """The ground as if this were the only thing on it that hides anything."""
    only: Mask = np.arange(len(ground.terrain.features)) == number
    table = ground.table
    opacity = sight.Opacity(np.where(only, ground.opacity.mode, sight.CLEAR), ground.opacity.limit)
    hedges = only & table.thick & table.line
    return ground_sight.lens_on(ground.terrain, opacity, table.smoke & only, hedges, table.hill, TOUCH)


def covers(ground: Ground, row: Rows, dug_in: bool) -> Iterator[Fact]:
    """What the ground gives whoever counts as standing there."""
    for number in sightlines.underfoot(ground.terrain, row, ground.table.line, TOUCH):
        kind, word = ground.table.kinds[number], ground.terrain.features[number].spoken
        if kind.conceals:
            yield Fact(word, "conceals", "hof.firing.concealed-modifier")
        if kind.hard:
            yield Fact(word, "Hard Cover", "hof.terrain.cover-at-resolution")
    if dug_in:
        yield Fact("Dug-In", "Hard Cover", "hof.terrain.cover-at-resolution")


def heads(game: Battle, piece: str, step: Step) -> float | None:
    """How a Team would face after a step."""
    found = find_team(game.state, piece)
    if found is None or found[1].at is None:
        return step.facing
    return end_facing(found[1], path_of(found[1].at, step), step.facing)


def gauge(game: Battle, seat: str, piece: str, step: Step) -> list[Fact]:
    """How far a step is, how far the Team could go at best, and what the ground on the way asks of it."""
    member = known(game, seat, piece)
    if member is None or member[1].at is None:
        return []
    team = member[1]
    path = path_of(member[1].at, step)
    why = immovable(team)
    ground = board(game).ground
    wanted: terrain_crossing.Wanted = "rough_or_obstacle" if game.setup.options.obstacles else "rough"
    return [
        courses.distance(path, "hof.moving.rolled-distance"),
        courses.reach(path, reach(team), "hof.moving.unseen-maximum") if why is None else Fact("Reach", why[1], why[0]),
        *(toll(ground, team, crossing) for crossing in terrain_crossing.crossings(ground, path, wanted)),
    ]


def toll(ground: Ground, team: Team, crossing: Span) -> Fact:
    """What crossing a piece of ground asks of a Team."""
    kind = ground.table.kinds[crossing.feature]
    going = courses.ground_words(kind.going) if kind.going != "open" else "Obstacle"
    if not terrain_crossing.may_cross(team.kind, kind):
        words = f"{going}: may not cross"
    elif terrain_crossing.checks_for(team.kind, kind) and not crossing.started:
        words = f"{going}: Terrain Check"
    else:
        words = going if kind.going != "open" else kind.obstacle.replace("-", " ")
    return Fact(ground.terrain.features[crossing.feature].spoken, words, terrain_crossing.terrain_rule(team.kind))
