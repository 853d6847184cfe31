"""Coming onto the table at its edge: side by side, each base at the edge, and far enough from the enemy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from sandtable.engine.questions import Refusal, illegal
from sandtable.field.board import Board, Ground
from sandtable.field.troops import Standing
from sandtable.field.zones import Edge, circle
from sandtable.table import distance as measure
from sandtable.table.scene import Area
from sandtable.table.shapes import Floats, Place, Y, bodies, snap

P = TypeVar("P", bound=Standing)

BETWEEN = 0.3
"""The room between pieces that come on side by side."""

FROM_EDGE = 0.3
"""How far a piece that comes on may be from touching its edge, in inches."""


@dataclass(slots=True)
class Entering(Generic[P]):
    """Where a side's pieces may come on: at its `edge`, and `apart` from the enemies on the table (0: anywhere)."""

    here: Board
    ground: Ground
    edge: Edge
    apart: float
    enemies: Sequence[Standing]
    name: Callable[[str], str]
    rule: str

    def north(self, piece: P) -> float:
        """How far to the north the middle of a piece at the edge is."""
        half = piece.kind.base.depth / 2
        return snap(half if self.edge == "south" else self.ground.depth - half)

    def line(self, pieces: Sequence[P], facing: float) -> Floats:
        """The rows of pieces side by side along the edge, the middle of the line at 0."""
        at = -sum(piece.kind.base.width + BETWEEN for piece in pieces) / 2
        places = []
        for piece in pieces:
            half = (piece.kind.base.width + BETWEEN) / 2
            places.append(Place(at + half, self.north(piece), facing))
            at += 2 * half
        return bodies(zip((piece.kind.base for piece in pieces), places, strict=True))

    def refuse(self, pieces: list[P], rows: Floats) -> Refusal | None:
        """Why pieces may not come on where these rows are."""
        for piece, row in zip(pieces, rows, strict=True):
            if measure.beyond(abs(float(row[Y]) - self.north(piece)), FROM_EDGE):
                return illegal(self.rule, f"{self.name(piece.id)} must come on at your edge.", field=piece.id)
        near = measure.nearer(measure.nearest(rows, self.here.of(self.enemies)), self.apart)
        if not self.apart or not near.any():
            return None
        first = pieces[int(near.argmax())].id
        message = f"{self.name(first)} would be within {self.apart:g} inches of an enemy Team."
        return illegal(self.rule, message, field=first, legal="Enter elsewhere.")

    def areas(self, who: str, side: str) -> Iterator[Area]:
        """The edge, and what is barred along it, as a page draws them."""
        at = 0.0 if self.edge == "south" else self.ground.depth
        yield Area([(0.0, at), (self.ground.width, at)], "edge", f"{who} comes on at this edge", side)
        for enemy in self.enemies if self.apart else ():
            if enemy.at is not None:
                yield Area(circle(enemy.at, self.apart), "barred", f"Within {self.apart:g} inches of the enemy")
