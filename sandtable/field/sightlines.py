"""Sight for a page: what is seen from a place, how far weapons reach, and a line of sight from the side.

Who sees what is the ruleset's to say; it hands in its answers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import numpy as np

from sandtable.engine.cards import Fact, Outlook, SideView, Slice
from sandtable.field.board import Board
from sandtable.field.troops import Point, Standing
from sandtable.table import outlook as grid
from sandtable.table.shapes import HALF_WIDTH, Floats, Mask, Place, X, Y, Z, point_body
from sandtable.table.sight import CLEAR, Opacity, sight
from sandtable.table.terrain import Terrain

G = TypeVar("G")
"""A game."""


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


@dataclass(frozen=True)
class Watcher:
    """A piece that looks from where it stands or might stand, and all that its ruleset says of its sight.

    `row` is its base there. `sees` is the ruleset's sight from watchers to targets, which asks for the `opacity` of
    features; `reaches` are as in `rings`, and `arc` is how wide it fires, if that is not all round.

    Some games need more. `blocks` says whether a feature alone would stop the line to a target, where that is not a
    matter of opacity, and `hides` are the features that hide anything. `stands` gives each piece on the table the
    number of the row where it counts as being, if that is not its own. `hills` are the features that raise whoever
    stands on them, and `height` is that of the ground.
    """

    piece: str
    row: Floats
    place: Place
    here: Board
    terrain: Terrain
    sees: Callable[[Floats, Floats], Mask]
    opacity: Opacity
    rule: str
    reaches: Iterable[tuple[str, float, float]]
    arc: float | None = None
    notes: Iterable[Fact] = ()
    touch: float = 0.0
    blocks: Callable[[Floats, int], bool] | None = None
    hides: Mask | None = None
    stands: Mapping[str, int] | None = None
    hills: Mask | None = None
    height: Callable[[float, float], float] = lambda *_: 0.0


Watching = Callable[[G, str | None, str, Place | None], Watcher | None]
"""Whom a seat may ask about, by game, seat, the piece's id, and the place if it is a planned one."""


def where_it_looks(piece: Standing, place: Place | None, turret: float | None = None) -> Place:
    """The place that a piece looks from: the planned one, or where it is."""
    return place or Place(*(piece.at or (0.0, 0.0)), piece.facing, turret=turret)


def outlook(watching: Watching[G], game: G, seat: str | None, piece: str, place: Place | None) -> Outlook | None:
    """What a piece sees: each cell of the table, its middle as a point on the ground, and whom."""
    watcher = watching(game, seat, piece, place)
    if watcher is None:
        return None
    terrain, row, own = watcher.terrain, watcher.row.reshape(1, -1), watcher.place
    hills = np.zeros(len(terrain.features), dtype=np.bool_) if watcher.hills is None else watcher.hills
    others = {name: number for name, number in (watcher.stands or watcher.here.index).items() if name != piece}
    targets = watcher.here.rows.take(list(others.values()), axis=0)
    seen = watcher.sees(row, targets)[0].tolist() if others else []
    return Outlook(
        (own.x, own.y),
        own.facing if own.turret is None else own.turret,
        grid.CELL,
        grid.as_text(terrain, watcher.sees(row, grid.cells(terrain, hills))[0]),
        tuple(name for name, visible in zip(others, seen, strict=True) if visible),
        rings(watcher.reaches, float(watcher.row[HALF_WIDTH])),
        watcher.arc,
        tuple(watcher.notes),
    )


def underfoot(terrain: Terrain, row: Floats, lines: Mask, touch: float) -> list[int]:
    """The features that a base stands in; of those that are lines, the ones that it touches."""
    base = row.reshape(1, -1)
    there = (terrain.inside(base)[0] & ~lines) | (terrain.touching(base, touch)[0] & lines)
    return [int(number) for number in np.flatnonzero(there)]


def stops_alone(watcher: Watcher, target: Floats, number: int) -> bool:
    """Whether a feature would stop the line to a target if it were the only one that hides anything."""
    modes, limits = watcher.opacity.mode, watcher.opacity.limit
    only = Opacity(np.where(np.arange(len(modes)) == number, modes, CLEAR), limits)
    return not sight(watcher.terrain, only, watcher.row, target, touch=watcher.touch)[0, 0]


def why_hidden(
    terrain: Terrain,
    opacity: Opacity,
    watchers: Floats,
    targets: Floats,
    kinds: Iterable[tuple[str, Mask]],
    touch: float,
) -> str | None:
    """The first kind of terrain, given by its rule, without which somebody would see a target; None if none alone."""
    for rule, which in kinds:
        without = Opacity(np.where(which, CLEAR, opacity.mode))
        if which.any() and sight(terrain, without, watchers, targets, touch=touch).any():
            return rule
    return None


def stopping(opaque: Iterable[int], blocks: Callable[[int], bool]) -> set[int]:
    """What alone would stop a line; if nothing does, all that is opaque on it: then they stop it together."""
    on_it = list(dict.fromkeys(opaque))
    return {number for number in on_it if blocks(number)} or set(on_it)


def side_view(
    watching: Watching[G], game: G, seat: str | None, piece: str, place: Place | None, to: Point
) -> SideView | None:
    """The line of sight from a piece to a point, from the side: the ground, what it crosses, and what stops it."""
    watcher = watching(game, seat, piece, place)
    if watcher is None:
        return None
    terrain, eye = watcher.terrain, watcher.row
    target = point_body(*to, watcher.height(*to))
    start: Point = (float(eye[X]), float(eye[Y]))
    clear = bool(watcher.sees(eye.reshape(1, -1), target.reshape(1, -1))[0, 0])
    crossed = grid.runs(terrain, start, to)
    hides = watcher.opacity.mode != CLEAR if watcher.hides is None else watcher.hides
    blocks = partial(watcher.blocks or partial(stops_alone, watcher), target)
    stopped = set() if clear else stopping([number for number, _, _ in crossed if hides[number]], blocks)
    slices = []
    for number, enter, leave in crossed:
        feature, floor, top = terrain.features[number], float(terrain.floor[number]), float(terrain.top[number])
        slices.append(Slice(enter, leave, floor, top, feature.kind, feature.spoken, number in stopped))
    return SideView(
        round(math.dist(start, to), 2),
        float(eye[Z]),
        float(target[Z]),
        clear,
        grid.ground_line(watcher.height, start, to),
        tuple(slices),
        (Fact("Line of sight", "clear" if clear else "blocked", watcher.rule),),
    )
