"""Sight for a page: what is seen from a place, how far weapons reach, and a line of sight from the side.

Who sees what is the ruleset's to say; it hands in its answers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable

import numpy as np

from sandtable.engine.cards import Fact, Outlook, SideView, Slice
from sandtable.field.board import Board
from sandtable.field.troops import Point
from sandtable.table import outlook as grid
from sandtable.table.shapes import HALF_WIDTH, Floats, Mask, Place, X, Y, Z
from sandtable.table.terrain import Terrain


def rings(reaches: Iterable[tuple[str, float, float]], half: float) -> tuple[tuple[float, str], ...]:
    """How far weapons reach, each given as its name, its range and its farthest range.

    They are drawn from the middle of a base that is `half` as wide: ranges are measured from its edge.
    """
    found: dict[float, list[str]] = {}
    for name, near, far in reaches:
        found.setdefault(near, []).append(f"{name} {near:g}″")
        if far > near:
            found.setdefault(far, []).append(f"{name} long range {far:g}″")
    return tuple((inches + half, ", ".join(dict.fromkeys(words))) for inches, words in sorted(found.items()))


def outlook(
    here: Board,
    terrain: Terrain,
    piece: str,
    row: Floats,
    place: Place,
    sees: Callable[[Floats, Floats], Mask],
    reaches: Iterable[tuple[str, float, float]],
    arc: float | None = None,
    notes: tuple[Fact, ...] = (),
) -> Outlook:
    """What a piece sees from a place where its row stands, on flat ground: each cell of the table, and whom.

    `sees` is the ruleset's own sight from watchers to targets; `reaches` are as in `rings`.
    """
    watcher = row.reshape(1, -1)
    flat = np.zeros(len(terrain.features), dtype=np.bool_)
    others = {name: number for name, number in here.index.items() if name != piece}
    seen = sees(watcher, here.rows.take(list(others.values()), axis=0))[0].tolist() if others else []
    return Outlook(
        (place.x, place.y),
        place.facing if place.turret is None else place.turret,
        grid.CELL,
        grid.as_text(terrain, sees(watcher, grid.cells(terrain, flat))[0]),
        tuple(name for name, visible in zip(others, seen, strict=True) if visible),
        rings(reaches, float(row[HALF_WIDTH])),
        arc,
        notes,
    )


def stopping(opaque: Iterable[int], blocks: Callable[[int], bool]) -> set[int]:
    """What alone would stop a line; if nothing does, all that is opaque on it: then they stop it together."""
    on_it = list(dict.fromkeys(opaque))
    return {number for number in on_it if blocks(number)} or set(on_it)


def side_view(
    terrain: Terrain,
    eye: Floats,
    target: Floats,
    stops: Callable[[list[int]], Collection[int]] | None,
    height: Callable[[float, float], float],
    rule: str,
) -> SideView:
    """A line between two rows from the side: the ground under it and what it crosses.

    `stops` tells which of the features on it stop it; without it the line is clear.
    """
    start: Point = (float(eye[X]), float(eye[Y]))
    end: Point = (float(target[X]), float(target[Y]))
    crossed = grid.runs(terrain, start, end)
    stopped = stops([number for number, _, _ in crossed]) if stops is not None else ()
    slices = []
    for number, enter, leave in crossed:
        feature, floor, top = terrain.features[number], float(terrain.floor[number]), float(terrain.top[number])
        slices.append(Slice(enter, leave, floor, top, feature.kind, feature.spoken, number in stopped))
    return SideView(
        round(math.dist(start, end), 2),
        float(eye[Z]),
        float(target[Z]),
        stops is None,
        grid.ground_line(height, start, end),
        tuple(slices),
        (Fact("Line of sight", "clear" if stops is None else "blocked", rule),),
    )
