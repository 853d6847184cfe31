"""The ends of moves: nobody ends on another base, and whoever is in the way of nobody has the first right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

import numpy as np

from sandtable.engine.questions import Refusal
from sandtable.field.board import FAR_AWAY, Board, Ground
from sandtable.field.troops import Named, Point, Standing
from sandtable.table import distance as measure
from sandtable.table import moves, placement
from sandtable.table.hairs import SLACK
from sandtable.table.shapes import Floats, X, Y

BACK = 0.25
"""By how much a piece that has no room stops earlier, one try after the other."""


class Course(Protocol):
    """The way of one piece in a move that has been declared."""

    @property
    def team(self) -> Standing: ...
    @property
    def cut(self) -> bool: ...
    @property
    def length(self) -> float: ...
    @property
    def start(self) -> Point: ...

    def row(self, here: Board) -> Floats:
        """The piece's row where its course ends."""

    def shorten(self, inches: float) -> bool:
        """End the course earlier; False if the piece is as it was before the move already."""

    def stand_at(self, spot: Point) -> None:
        """End the course on this spot, whatever the way there."""


P = TypeVar("P", bound=Named)


def untangle(here: Board, ground: Ground, courses: Sequence[Course], back: float = BACK) -> None:
    """Whoever would end on another base stops before it, `back` by `back`: who comes least far has the first right."""
    width, depth = ground.width, ground.depth
    everyone = here.rows.copy()
    numbers = [here.index[course.team.id] for course in courses]
    for number, course in zip(numbers, courses, strict=True):
        everyone[number] = course.row(here)
    if all(moves.stands_free(everyone, number, width, depth, SLACK) for number in numbers):
        return
    everyone[numbers, X : Y + 1] = FAR_AWAY
    for course in sorted(courses, key=lambda each: (not each.cut, each.length)):
        number = here.index[course.team.id]
        everyone[number] = course.row(here)
        while not moves.stands_free(everyone, number, width, depth, SLACK):
            if not course.shorten(back):
                step_aside(ground, course, np.delete(everyone, number, axis=0))
                everyone[number] = course.row(here)
                break
            everyone[number] = course.row(here)


def step_aside(ground: Ground, course: Course, others: Floats) -> None:
    """A base stands even where the piece came from: it ends on the nearest free spot."""
    x, y = course.start
    team = course.team
    spots = placement.near(
        [team.kind.base], x, y, team.facing, width=ground.width, depth=ground.depth, obstacles=others
    )
    if spots is not None:
        course.stand_at((spots[0].x, spots[0].y))


def refuse_ends(
    here: Board, ground: Ground, pieces: Sequence[P], ends: Floats, name: Callable[[str], str], rule: str | None = None
) -> Refusal | None:
    """Every base ends wholly on the table, and on no other; `rule` is the one that says so, if the game has one."""
    for piece, on in zip(pieces, moves.on_table(ends, ground.width, ground.depth).tolist(), strict=True):
        if not on:
            message = f"{name(piece.id)} would be off the table, in whole or in part."
            return Refusal("illegal", message, rule, piece.id, "Stay on the table.")
    return refuse_overlap(here, pieces, ends, name, rule=rule)


def refuse_overlap(
    here: Board,
    pieces: Sequence[P],
    ends: Floats,
    name: Callable[[str], str],
    makes_room: Callable[[str, Floats], bool] = lambda *_: False,
    rule: str | None = None,
) -> Refusal | None:
    """No base ends on another; `makes_room` tells of those that are about to leave for whoever comes.

    `rule` is the one that says so, if the game has one.
    """
    standing = here.numbers_but(pieces)
    if standing:
        hits = measure.overlaps(ends, here.rows.take(standing, axis=0), SLACK)
        if hits.any():
            names = {number: piece_id for piece_id, number in here.index.items()}
            for first, second in np.argwhere(hits).tolist():
                under = names[standing[second]]
                if not makes_room(under, ends[first]):
                    message = f"{name(pieces[first].id)} would stand on {name(under)}."
                    return Refusal("illegal", message, rule, pieces[first].id, "Leave room for its base.")
    if len(pieces) > 1:
        clashes = measure.overlaps(ends, ends, SLACK)
        np.fill_diagonal(clashes, False)
        if clashes.any():
            first, second = (int(index[0]) for index in np.nonzero(clashes))
            message = f"{name(pieces[first].id)} and {name(pieces[second].id)} would stand on each other."
            return Refusal("illegal", message, rule, pieces[first].id, "Leave room for their bases.")
    return None
