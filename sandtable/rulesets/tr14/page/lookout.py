"""What a Team sees and what a step costs it, for a page: from where it stands or from where it might.

Everything is asked of the ruleset's own sight and going, for places where nobody stands yet as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from sandtable.engine.cards import Fact
from sandtable.engine.questions import Step
from sandtable.field import courses, sightlines
from sandtable.field.courses import way_of
from sandtable.field.sightlines import Watcher
from sandtable.rulesets.tr14.core.board import Battle, Ground, Rows, board, sees
from sandtable.rulesets.tr14.core.state import Team, find_team
from sandtable.rulesets.tr14.core.terrain import COVER_NAMES, OPEN, TOUCH
from sandtable.rulesets.tr14.firing import HALF_CIRCLE
from sandtable.rulesets.tr14.moving import TANK_CROSSES, heavy_gun
from sandtable.table import moves
from sandtable.table.shapes import Place, body


def watcher(game: Battle, seat: str | None, piece: str, place: Place | None) -> Watcher | None:
    """A Team that looks. Heights play no part."""
    found, here = find_team(game.state, piece), board(game)
    if found is None or (place is None and piece not in here.index):
        return None
    team, ground = found[1], here.ground
    kind = team.kind
    row = here.rows[here.index[piece]] if place is None else body(kind.base, place)
    return Watcher(
        piece,
        row,
        sightlines.where_it_looks(team, place, team.turret),
        here,
        ground.terrain,
        partial(sees, here),
        ground.opacity,
        "tr14.firing.los-and-range",
        [(w.name, w.range, far) for w, far in zip(kind.weapons, kind.reaches, strict=False) if w.fp],
        None if kind.type == "infantry" else HALF_CIRCLE,
        covers(ground, row, team.dug_in and place is None),
        touch=TOUCH,
    )


def covers(ground: Ground, row: Rows, dug_in: bool) -> Iterator[Fact]:
    """What cover whoever stands there has."""
    for number in sightlines.underfoot(ground.terrain, row, ground.table.line, TOUCH):
        if ground.table.cover[number] != OPEN:
            cover = COVER_NAMES[int(ground.table.cover[number])]
            yield Fact(ground.terrain.features[number].spoken, cover, "tr14.terrain.area")
    if dug_in:
        yield Fact("Dug in", "Hard Cover", "tr14.playing.action-dig-in")


def heads(game: Battle, piece: str, step: Step) -> float | None:
    """A Team faces as it is told, or as it did."""
    found = find_team(game.state, piece)
    return step.facing if step.facing is not None or found is None else found[1].facing


def gauge(game: Battle, seat: str, piece: str, step: Step) -> list[Fact]:
    """How far a step is, how far the Team may go, and what the ground on the way asks of it."""
    member = find_team(game.state, piece)
    if member is None or member[1].at is None:
        return []
    team = member[1]
    path = way_of(team, step)
    found = [
        courses.distance(path, "tr14.moving.distances"),
        courses.reach(path, team.kind.move, "tr14.moving.distances", "farther than a Move"),
    ]
    ground = board(game).ground
    spans = moves.spans(ground.terrain, path, ground.table.rough)
    entered = dict.fromkeys(span.feature for span in spans if not span.started)
    return [*found, *(toll(ground, team, number) for number in entered)]


def toll(ground: Ground, team: Team, number: int) -> Fact:
    """What entering a piece of rough ground asks of a Team."""
    going = ground.table.kinds[number].going
    name = ground.terrain.features[number].spoken
    words = courses.ground_words(going)
    if team.kind.type == "tank":
        if going == "difficult":
            return Fact(name, f"{words}: {TANK_CROSSES}+ to cross", "tr14.moving.tank-difficult")
        return Fact(name, f"{words}: Check to cross", "tr14.moving.tank-very-difficult")
    if heavy_gun(team) and going == "very-difficult":
        return Fact(name, f"{words}: may not cross", "tr14.moving.gun-terrain")
    return Fact(name, words, "tr14.moving.infantry-terrain")
