"""Falling back: each piece the whole distance, in any direction that brings it nearer to none of those it flees.

Whether a piece has room for that is one search, which serves the refusal of a shorter way and the proposals alike.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from random import Random
from typing import Generic, TypeVar

import numpy as np

from sandtable.engine.events import several
from sandtable.engine.questions import Refusal, Step, illegal
from sandtable.field.board import Board, Ground
from sandtable.field.courses import Path, end_rows, length_of, point_at, way_of
from sandtable.field.moving import Law, Steps
from sandtable.field.troops import Point, Standing
from sandtable.table import distance as measure
from sandtable.table import moves
from sandtable.table.hairs import A_HAIR, SLACK, within
from sandtable.table.shapes import Floats, X, Y, bearing, snap

P = TypeVar("P", bound=Standing)

COMPASS = tuple(22.5 * step for step in range(16))
"""The directions in which a piece looks for a way out."""

PARTS = (1.0, 0.8, 0.6, 0.4, 0.2)
"""The parts of the distance that a piece tries where it has no room for all of it."""


@dataclass(slots=True)
class Retreat(Generic[P]):
    """Pieces that fall back from some others, so many inches, over no enemy. `law` is what refuses any move of theirs.

    `shunned` are besides those they flee the rows to which a piece may come no nearer either. `away` says in words
    that it must not come nearer.
    """

    here: Board
    ground: Ground
    pieces: Sequence[P]
    fled: Sequence[Standing]
    enemies: Floats
    shunned: Callable[[P], Floats]
    inches: int
    law: Law
    name: Callable[[str], str]
    rule: str
    away: str = "Move it away from all of them."

    # What is legal.

    def refuse(self, steps: Steps) -> Refusal | None:
        refusal = self.law(steps)
        if refusal is not None:
            return refusal
        moving = [piece for piece in self.pieces if piece.id in steps]
        rows = self.here.of(self.fled)
        for piece, end in zip(moving, end_rows(self.here, moving, steps), strict=True):
            nearer = measure.comes_nearer(self.here.of([piece]), end[None], rows)[0]
            if nearer.any():
                foe = self.fled[int(np.flatnonzero(nearer)[0])]
                message = f"{self.name(piece.id)} would come nearer to {self.name(foe.id)}."
                return illegal(self.rule, message, field=piece.id, legal=self.away)
        return next((refused for piece in self.pieces if (refused := self.refuse_short(piece, steps))), None)

    def refuse_short(self, piece: P, steps: Steps) -> Refusal | None:
        """A piece goes the whole distance, if it has room for that."""
        path = way_of(piece, steps.get(piece.id) or Step(piece.at or (0.0, 0.0)))
        gone = length_of(path)
        if within(self.inches, gone, A_HAIR):
            return None
        others = self.others(piece, steps)
        stays = within(gone, 0.0, A_HAIR)
        if next(self.ways_out(piece, others), None) is None:
            if stays:
                return None
            before, end = path[-2], path[-1]
            turn = math.radians(bearing(*before, *end))
            left = self.inches - gone
            on = (snap(end[0] + left * math.sin(turn)), snap(end[1] + left * math.cos(turn)))
            if not self.gets_to(piece, [*path[:-1], on], others):
                return None
        short = "stay" if stays else f"go only {gone:.1f} inches"
        legal = f"It must go the whole {several(self.inches, 'inch', 'inches')} where it has room."
        return illegal(self.rule, f"{self.name(piece.id)} would {short}.", field=piece.id, legal=legal)

    def others(self, piece: P, steps: Mapping[str, Step]) -> Floats:
        """Everybody else where he stands, and those who fall back where they are going as well."""
        going = [each for each in self.pieces if each.id in steps and each is not piece]
        return np.vstack([self.here.all_but([piece]), end_rows(self.here, going, steps)])

    def gets_to(self, piece: P, path: Path, others: Floats) -> bool:
        """Whether a piece may end there: on the table, on nobody, over no enemy, and nearer to nobody it flees."""
        start = self.here.of([piece])
        end = start.copy()
        end[0, X : Y + 1] = path[-1]
        on = moves.on_table(end, self.ground.width, self.ground.depth)[0]
        if not on or measure.overlaps(end, others, SLACK).any():
            return False
        if moves.sweep(start[0], np.array(path), self.enemies, SLACK) < math.inf:
            return False
        return not measure.comes_nearer(start, end, np.vstack([self.here.of(self.fled), self.shunned(piece)])).any()

    # Where they could go.

    def ways_out(self, piece: P, others: Floats, part: float = 1.0) -> Iterator[Point]:
        """Spots to which a piece may go straight, so far: first away from the nearest it flees, then by the compass."""
        assert piece.at is not None
        x, y = piece.at
        far = self.inches * part
        for degrees in (self.straight_away(piece), *COMPASS):
            turn = math.radians(degrees)
            spot = (snap(x + far * math.sin(turn)), snap(y + far * math.cos(turn)))
            if self.gets_to(piece, [piece.at, spot], others):
                yield spot

    def straight_away(self, piece: P) -> float:
        row, rows = self.here.of([piece]), self.here.of(self.fled)
        nearest = rows[int(measure.distances(row, rows)[0].argmin())]
        return bearing(float(nearest[X]), float(nearest[Y]), float(row[0, X]), float(row[0, Y]))

    def ways(self) -> Iterator[Steps]:
        """Some ways: as far from those they flee as can be, then as far as may be round the compass."""
        return (self.flee(towards) for towards in (None, *COMPASS[::2]))

    def by_chance(self, random: Random) -> Steps:
        return self.flee(random.choice(COMPASS))

    def flee(self, towards: float | None = None) -> Steps:
        """Each as far from those it flees as it can, or rather in some direction; the whole distance if it can."""
        steps: Steps = {}
        for part in PARTS:
            for piece in self.pieces:
                if piece.id not in steps:
                    spots = list(self.ways_out(piece, self.others(piece, steps), part))
                    if spots:
                        steps[piece.id] = Step(self.best(piece, spots, towards))
        return {piece.id: steps[piece.id] for piece in self.pieces if piece.id in steps}

    def best(self, piece: P, spots: list[Point], towards: float | None) -> Point:
        """The spot that lies farthest from those it flees, or farthest in some direction."""
        if towards is not None:
            turn = math.radians(towards)
            return max(spots, key=lambda spot: spot[0] * math.sin(turn) + spot[1] * math.cos(turn))
        rows = np.tile(self.here.of([piece]), (len(spots), 1))
        rows[:, X : Y + 1] = spots
        far = measure.distances(rows, self.here.of(self.fled)).min(axis=1)
        return spots[int(far.argmax())]


# A piece that is in contact, and may not be.

FINE = 0.05
"""How finely it looks for the spot where its gap is wide enough."""


def spot_apart(
    here: Board,
    ground: Ground,
    piece: Standing,
    path: Path,
    gone: float,
    foes: Sequence[Standing],
    enemies: Floats,
    gap: float,
) -> Point | None:
    """The first spot with room for a piece that has `gone` so far on a path, and a `gap` from some foes.

    It looks back along the way that it came, on beyond its start, and then round where it stands, wherever it can go
    straight without passing over one of the `enemies`. None if there is no such spot.
    """
    row, rows = here.of([piece]), here.of(foes)
    others = here.all_but([piece])

    def clears(spot: Point) -> bool:
        at = row.copy()
        at[0, X : Y + 1] = [snap(value) for value in spot]
        if not within(gap, measure.distances(at, rows).min()):
            return False
        return moves.on_table(at, ground.width, ground.depth)[0] and not measure.overlaps(at, others, SLACK).any()

    ways = chain(way_back(row, path, gone, rows, gap), straight_round(row[0], enemies, 3 * gap))
    return next((spot for spot in ways if clears(spot)), None)


def way_back(row: Floats, path: Path, gone: float, foes: Floats, gap: float) -> Iterator[Point]:
    """Spots along the way back of a piece that has gone so far, and then straight on from where it began."""
    for far in np.arange(gap, gone, FINE).tolist():
        yield point_at(path, gone * (1.0 - far / gone))
    (x, y), (x1, y1) = path[0], path[1]
    away = (x - x1, y - y1)
    if away == (0.0, 0.0):
        nearest = foes[int(measure.distances(row, foes)[0].argmin())]
        away = (x - float(nearest[X]), y - float(nearest[Y]))
    length = math.hypot(*away)
    for far in np.arange(0.0, 2 * gap, FINE).tolist():
        yield x + away[0] / length * far, y + away[1] / length * far


def straight_round(row: Floats, enemies: Floats, most: float) -> Iterator[Point]:
    """Spots round a base, the nearest first, to which it may go straight without passing over an enemy."""
    x, y = float(row[X]), float(row[Y])
    for far in np.arange(FINE, most, FINE).tolist():
        for degrees in COMPASS:
            turn = math.radians(degrees)
            spot = (x + far * math.sin(turn), y + far * math.cos(turn))
            if moves.sweep(row, np.array([(x, y), spot]), enemies, SLACK) == math.inf:
                yield spot
