"""The ways of pieces on the move: how long they are, what is refused on them, and where they end.

Nobody ends on another base, and whoever is in the way of nobody has the first right.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Generic, TypeVar

import numpy as np

from sandtable.engine.cards import Fact
from sandtable.engine.questions import Refusal, Step
from sandtable.field.board import FAR_AWAY, Board, Ground
from sandtable.field.troops import Named, Point, Standing
from sandtable.table import distance as measure
from sandtable.table import moves, placement
from sandtable.table.hairs import A_HAIR, CONTACT, NOTHING, SLACK, negligible
from sandtable.table.shapes import Floats, X, Y, face, snap

Path = list[Point]

BACK = 0.25
"""By how much a piece that has no room stops earlier, one try after the other."""


# Paths.


def path_of(start: Point, step: Step) -> Path:
    """The whole way of a step, with its corners."""
    return [start, *step.via, step.to]


def way_of(piece: Standing, step: Step) -> Path:
    """The whole way of a piece that stands on the table."""
    assert piece.at is not None
    return path_of(piece.at, step)


def length_of(path: Path) -> float:
    if len(path) == 2:
        return math.dist(path[0], path[1])
    return sum(math.dist(a, b) for a, b in pairwise(path))


def point_at(path: Path, inches: float) -> Point:
    """The point so many inches along a path."""
    left = inches
    for a, b in pairwise(path):
        leg = math.dist(a, b)
        if left <= leg and leg > 0:
            (x0, y0), (x1, y1) = a, b
            return x0 + (x1 - x0) * left / leg, y0 + (y1 - y0) * left / leg
        left -= leg
    return path[-1]


def leg_at(path: Path, inches: float) -> tuple[Point, Point]:
    """The leg of a path on which one is after so many inches."""
    if len(path) == 2:
        return path[0], path[1]
    left = inches
    legs = [(a, b) for a, b in pairwise(path) if a != b]
    for a, b in legs:
        left -= math.dist(a, b)
        if left <= NOTHING:
            return a, b
    return legs[-1] if legs else (path[0], path[-1])


def leg_begins(path: Path, inches: float) -> float:
    """How far along a path the leg begins on which one is after so many inches."""
    begun = gone = 0.0
    for a, b in pairwise(path):
        if gone >= inches - NOTHING:
            break
        begun = gone
        gone += math.dist(a, b)
    return begun


def corners_passed(path: Path, inches: float) -> list[Point]:
    """The corners of a path that one has passed after so many inches."""
    found: list[Point] = []
    gone = 0.0
    for a, b in pairwise(path[:-1]):
        gone += math.dist(a, b)
        if gone >= inches:
            break
        found.append(b)
    return found


def stations(upto: float, step: float) -> list[float]:
    """Distances along a path at which it is looked at, both ends included."""
    count = max(1, math.ceil(upto / step))
    return [upto * number / count for number in range(count + 1)]


FAR_OFF = 10_000.0
"""Beyond any table, in inches."""


def has_common_goal(ways: Sequence[tuple[Point, Point]]) -> bool:
    """Whether some point is nearer to every end than to its start.

    Each way leaves the half of the plane beyond its bisector; what they have in common is cut out of a big square.
    """
    shape: list[Point] = [(-FAR_OFF, -FAR_OFF), (FAR_OFF, -FAR_OFF), (FAR_OFF, FAR_OFF), (-FAR_OFF, FAR_OFF)]
    for (x0, y0), (x1, y1) in ways:
        dx, dy = x1 - x0, y1 - y0
        length = math.hypot(dx, dy)
        if negligible(length):
            continue
        level = ((x0 + x1) * dx + (y0 + y1) * dy) / 2 / length + NOTHING
        sides = [(x * dx + y * dy) / length - level for x, y in shape]
        cut: list[Point] = []
        for number, (x, y) in enumerate(shape):
            s, t = sides[number], sides[(number + 1) % len(shape)]
            u, v = shape[(number + 1) % len(shape)]
            if s >= 0:
                cut.append((x, y))
            if (s >= 0) != (t >= 0):
                part = s / (s - t)
                cut.append((x + (u - x) * part, y + (v - y) * part))
        if not cut:
            return False
        shape = cut
    return True


# Their ends.


U = TypeVar("U")
T = TypeVar("T", bound=Standing)


@dataclass(slots=True)
class Course(Generic[U, T]):
    """The way of one piece in a move that has been declared: how far along it the piece comes, and how it faces there.

    A game says in a class of its own what else there is to know, and what is otherwise with its pieces.
    """

    unit: U
    team: T
    path: Path
    length: float
    facing: float | None
    """How it was told to face; as it did, if it was not."""
    cut: bool = False
    """It has been stopped on its way."""

    @property
    def start(self) -> Point:
        return self.path[0]

    @property
    def end(self) -> Point:
        return point_at(self.path, self.length)

    def at(self, inches: float) -> Point:
        return point_at(self.path, inches)

    def faces(self) -> float:
        """How the piece faces where its course ends."""
        return self.team.facing if self.facing is None else self.facing

    def row(self, here: Board) -> Floats:
        """The piece's row where its course ends."""
        row: Floats = here.rows[here.index[self.team.id]].copy()
        x, y = self.end
        row[X], row[Y] = snap(x), snap(y)
        face(row, self.faces())
        return row

    def shorten(self, inches: float) -> bool:
        """End the course earlier; False if the piece is as it was before the move already."""
        if self.length <= 0:
            return False
        self.length = max(0.0, self.length - inches)
        return True

    def stand_at(self, spot: Point) -> None:
        """End the course on this spot, whatever the way there."""
        self.path = [spot, spot]


C = TypeVar("C", bound=Course[Any, Any])
P = TypeVar("P", bound=Named)


def untangle(here: Board, ground: Ground, courses: Sequence[Course[U, T]], back: float = BACK) -> None:
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


def step_aside(ground: Ground, course: Course[U, T], others: Floats) -> None:
    """A base stands even where the piece came from: it ends on the nearest free spot."""
    x, y = course.start
    team = course.team
    spots = placement.near(
        [team.kind.base], x, y, team.facing, width=ground.width, depth=ground.depth, obstacles=others
    )
    if spots is not None:
        course.stand_at((spots[0].x, spots[0].y))


def trail(row: Floats, start: Point) -> Floats:
    """A base at every inch of its straight way from a start to where its row is, as it would be stored."""
    x, y = float(row[X]), float(row[Y])
    steps = max(1, math.ceil(math.dist(start, (x, y))))
    parts = [step / steps for step in range(1, steps + 1)]
    rows = row[None].repeat(steps, axis=0)
    rows[:, X : Y + 1] = [(snap(start[0] + (x - start[0]) * p), snap(start[1] + (y - start[1]) * p)) for p in parts]
    return rows


def stop_at_enemies(here: Board, courses: Sequence[Course[U, T]], enemies: Floats) -> None:
    """Nobody passes over an enemy base that was not there when the move was declared."""
    for course in courses:
        row = course.row(here)
        row[X : Y + 1] = course.path[0]
        at = moves.sweep(row, np.array(course.path), enemies, SLACK)
        if at < course.length:
            course.length = max(0.0, at - A_HAIR)
            course.cut = True


def ending_in_contact(here: Board, courses: Sequence[C], enemies: Floats) -> list[C]:
    """The courses that end in contact with an enemy."""
    reached = np.array([course.row(here) for course in courses])
    touching = measure.within(measure.nearest(reached, enemies), CONTACT).tolist()
    return [course for course, touches in zip(courses, touching, strict=True) if touches]


def stop_short(here: Board, courses: Sequence[Course[U, T]], enemies: Floats, gap: float) -> None:
    """Whoever was to end in contact with an enemy stops before it, with such a gap."""
    for course in courses:
        course.cut = True
        while course.length > 0 and measure.distances(course.row(here).reshape(1, 8), enemies).min() < gap:
            course.length = max(0.0, course.length - BACK)


def end_rows(here: Board, pieces: Sequence[Standing], steps: Mapping[str, Step]) -> Floats:
    """The rows of pieces where their steps end; who is not told how to face faces as he does."""
    rows = here.of(pieces)
    for row, piece in zip(rows, pieces, strict=True):
        step = steps[piece.id]
        row[X], row[Y] = step.to
        if step.facing is not None:
            face(row, step.facing)
    return rows


# What is refused.


def refuse_off_table(
    ground: Ground, pieces: Sequence[P], paths: Mapping[str, Path], ends: Floats, name: Callable[[str], str]
) -> Refusal | None:
    """Every base stays wholly on the table, on its way and at its end."""
    width, depth = ground.width, ground.depth
    on = moves.on_table(ends, width, depth).tolist()
    for piece, stays, end in zip(pieces, on, ends, strict=True):
        if not stays or not moves.way_on_table(end, paths[piece.id], width, depth):
            return Refusal("illegal", f"{name(piece.id)} would leave the table.", field=piece.id)
    return None


def refuse_passing(
    pieces: Sequence[P], paths: Mapping[str, Path], rows: Floats, enemies: Floats, name: Callable[[str], str]
) -> Refusal | None:
    """No piece passes over an enemy base; the rows say how it faces on its way."""
    for piece, row in zip(pieces, rows, strict=True):
        if len(enemies) and piece.id in paths:
            start = row.copy()
            start[X : Y + 1] = paths[piece.id][0]
            if moves.sweep(start, np.array(paths[piece.id]), enemies, SLACK) < math.inf:
                message = f"{name(piece.id)} would pass over an enemy base."
                return Refusal("illegal", message, field=piece.id, legal="Go round it, or stop before it.")
    return None


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


# A planned way in words.


def distance(path: Path, rule: str) -> Fact:
    return Fact("Distance", f"{length_of(path):.1f} inches", rule)


def reach(path: Path, most: float, rule: str, beyond: str = "too far") -> Fact:
    """How far a piece may go, and that a path is longer than that."""
    far = length_of(path) > most + A_HAIR
    return Fact("Reach", f"{most:g} inches: {beyond}" if far else f"up to {most:g} inches", rule)


def ground_words(going: str) -> str:
    """A kind of going as it begins a sentence: "Very difficult"."""
    return going.replace("-", " ").capitalize()
