"""What a figure sees and what a step costs it, for a page: from where it stands or from where it might.

Everything is asked of the ruleset's own sight and going, for places where nobody stands yet as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from sandtable.engine.cards import Fact
from sandtable.engine.questions import Step
from sandtable.field import courses, sightlines
from sandtable.field.courses import way_of
from sandtable.field.sightlines import Watcher
from sandtable.rulesets.sof.core.arsenal import weapons
from sandtable.rulesets.sof.core.board import Battle, board, lines_clear
from sandtable.rulesets.sof.core.state import Figure, Unit, find_figure
from sandtable.rulesets.sof.core.terrain import GROUND_LEVEL, TALL, Ground
from sandtable.rulesets.sof.movement import MoveLaw, look
from sandtable.rulesets.sof.shooting import DIRECT, FIXED_ARC, LINEAR_ARC
from sandtable.table.shapes import Floats, Place, body
from sandtable.table.sight import AREA, CLEAR, Opacity

SEES = "sof.shooting.visibility-terrain"


def watcher(game: Battle, seat: str | None, piece: str, place: Place | None) -> Watcher | None:
    """A figure that looks: by levels, over what is lower than it stands."""
    found, here = find_figure(game.state, piece), board(game)
    if found is None or (place is None and piece not in here.index):
        return None
    unit, figure = found
    ground = here.ground
    row = here.rows[here.index[piece]] if place is None else body(figure.kind.base, place)
    kinds = zip(ground.kinds, ground.heights.tolist(), strict=True)
    hides = np.array([height >= TALL or bool(kind.thickness) for kind, height in kinds], dtype=np.bool_)
    return Watcher(
        piece,
        row,
        sightlines.where_it_looks(figure, place),
        here,
        ground.terrain,
        partial(lines_clear, ground),
        Opacity(np.where(hides, AREA, CLEAR)),
        SEES,
        list(reaches(figure)),
        arc_of(unit, figure),
        list(underfoot(ground, row)),
        blocks=lambda target, number: True,
        hides=hides,
        hills=ground.elevating,
    )


def reaches(figure: Figure) -> Iterator[tuple[str, float, float]]:
    """The direct ranges of what a figure carries."""
    for name in (figure.profile, *figure.arms):
        weapon = weapons()[name]
        for key, row in weapon.rows.items():
            if key in DIRECT and row.range is not None:
                yield weapon.name, row.range, row.range


def arc_of(unit: Unit, figure: Figure) -> float | None:
    """How wide it fires, if that is not all round."""
    if unit.formation == "linear":
        return LINEAR_ARC
    return FIXED_ARC if figure.kind.weapon.has("fixed") else None


def underfoot(ground: Ground, row: Floats) -> Iterator[Fact]:
    """At what height it stands, and what cover there is."""
    level = float(ground.levels_of(row.reshape(1, -1))[0])
    if level > GROUND_LEVEL:
        yield Fact("Height", f"{level:g}", "sof.terrain.firing-unit-height")
    lines = np.array([kind.shape == "line" for kind in ground.kinds], dtype=np.bool_)
    for number in sightlines.underfoot(ground.terrain, row, lines, 0.0):
        kind = ground.kinds[number]
        words = [
            word for word, holds in (("concealed", kind.conceals != "never"), ("protected", kind.protects)) if holds
        ]
        if words:
            yield Fact(ground.terrain.features[number].spoken, " and ".join(words), "sof.shooting.status-first")


def heads(game: Battle, piece: str, step: Step) -> float | None:
    """A figure faces as it is told, or along its way."""
    found = find_figure(game.state, piece)
    if found is None or found[1].at is None:
        return step.facing
    return look(found[1], step)


def gauge(game: Battle, seat: str, piece: str, step: Step) -> list[Fact]:
    """How far a step is, and how far the ground on the way lets a figure go."""
    found = find_figure(game.state, piece)
    if found is None or found[1].at is None or game.ask is None:
        return []
    unit, figure = found
    manner = game.ask.question.facts.get("manner")
    if manner not in ("maneuver", "double-time", "fall-back"):
        return []
    path = way_of(figure, step)
    allowed = MoveLaw.of(game, unit, manner).allowed({piece: path})
    rules = [rule for rule in allowed.rules if rule.startswith("sof.terrain")]
    rule = rules[-1] if rules else "sof.movement.rate-table"
    return [courses.distance(path, "sof.movement.each-model"), courses.reach(path, round(allowed.inches, 2), rule)]
