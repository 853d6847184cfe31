"""Setting pieces down: in a zone, in ranks, each where it has room; and why a place is refused."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice
from random import Random
from typing import Any, Generic, TypeVar

import numpy as np

from sandtable.engine.questions import Answer, MovePieces, Piece, Refusal, Step, illegal
from sandtable.field.board import Board, Ground
from sandtable.field.courses import refuse_ends
from sandtable.field.troops import Point, Standing, Table
from sandtable.table import placement
from sandtable.table.hairs import SLACK
from sandtable.table.shapes import Floats, Ints, Mask, Place, X, Y, bodies, body
from sandtable.table.terrain import Feature, Terrain

P = TypeVar("P", bound=Standing)
Check = Callable[[list[P], Floats], Refusal | None]
"""What else refuses some pieces where these rows are."""

TRIES = 12
"""So often a place by chance is looked for."""

CROWD = 7.0
"""Friends this near make a spot less inviting to deploy at."""

NO_FEATURES: Ints = np.empty(0, dtype=np.int64)


@dataclass(slots=True)
class Deploying(Generic[P]):
    """Pieces that come onto the table: how they face, where they may stand, and what else refuses it.

    `barring` are the features that nobody can stand on, by number and rule. A base must be `wholly` in the zone, or
    only its centre. From this one description come what is legal, proposals and a place by chance.
    """

    here: Board
    ground: Ground
    pieces: Sequence[P]
    facing: float
    name: Callable[[str], str]
    rule: str
    zone: Terrain | None = None
    wholly: bool = True
    barring: tuple[Ints, str] = (NO_FEATURES, "")
    checks: Sequence[Check[P]] = ()
    everybody: bool = True
    """Whether none of them may be left out."""
    appears: str = ""
    """The rule by which they take no way to where they are set down, if it is another."""
    noun: str = "Team"

    # What is legal.

    def refuse(self, steps: dict[str, Step]) -> Refusal | None:
        """Why pieces may not be set down like this."""
        for piece in self.pieces if self.everybody else ():
            if piece.id not in steps:
                message = f"{self.name(piece.id)} is not placed."
                return illegal(self.rule, message, field=piece.id, legal="Place every one of them.")
        chosen = [piece for piece in self.pieces if piece.id in steps]
        for piece in chosen:
            if steps[piece.id].via:
                message = f"{self.name(piece.id)} is set down, and takes no way there."
                return illegal(self.appears or self.rule, message, field=piece.id)
        return self.refuse_rows(chosen, rows_of(chosen, steps, self.facing)) if chosen else None

    def refuse_rows(self, pieces: list[P], rows: Floats) -> Refusal | None:
        refused = refuse_ends(self.here, self.ground, pieces, rows, self.name, self.rule)
        if refused is not None:
            return refused
        numbers, rule = self.barring
        if len(numbers) and (barred := self.ground.terrain.over_any(rows, numbers)).any():
            there = pieces[int(barred.argmax())].id
            return illegal(rule, f"nobody can stand where {self.name(there)} would.", field=there)
        inside = self.inside(rows)
        if not inside.all():
            out = pieces[int(inside.argmin())].id
            return illegal(self.rule, f"{self.name(out)} would stand outside your zone.", field=out)
        return next((refused for check in self.checks if (refused := check(pieces, rows)) is not None), None)

    def inside(self, rows: Floats) -> Mask:
        """Which bases are in the zone."""
        if self.zone is None:
            return np.ones(len(rows), dtype=np.bool_)
        return (self.zone.within(rows) if self.wholly else self.zone.inside(rows))[:, 0]

    def free(self, rows: Floats) -> Mask:
        """Which bases have room, on ground where they can stand and in the zone, whether or not on one another."""
        ground, (numbers, _) = self.ground, self.barring
        fine = placement.room(rows, self.here.rows, ground.width, ground.depth, SLACK)
        if self.zone is not None and fine.any():
            fine &= self.inside(rows)
        if len(numbers) and fine.any():
            fine &= ~ground.terrain.over_any(rows, numbers)
        return fine

    # Where they could stand.

    def answer(self, rows: Floats, wanted: Iterable[bool] | None = None) -> dict[str, Any]:
        """The answer that sets those pieces down that are wanted, where these rows are."""
        spots = zip(self.pieces, rows[:, X : Y + 1].tolist(), wanted or [True] * len(rows), strict=True)
        return {piece.id: {"to": point, "facing": self.facing} for piece, point, fine in spots if fine}

    def ranks(self, files: int, spacing: float) -> Floats:
        """The rows of the pieces in ranks about (0, 0); nobody changes them."""
        return placement.ranked(tuple([piece.kind.base for piece in self.pieces]), self.facing, files, spacing)

    def all_at(self, ranks: Floats, at: Point) -> Answer:
        """All pieces in ranks about a point; None where anything is in the way."""
        rows = moved(ranks, *at)
        fits = self.free(rows).all() and all(check([*self.pieces], rows) is None for check in self.checks)
        return self.answer(rows) if fits else None

    def proposals(self, ranks: Floats, points: Sequence[Point], most: int) -> list[Answer]:
        """In ranks about some points; where they fit nowhere, each for itself."""
        found = list(islice(filter(None, (self.all_at(ranks, at) for at in points)), max(1, most)))
        return found or [next(self.singly(points), self.answer(moved(ranks, *points[0])))]

    def singly(self, points: Sequence[Point]) -> Iterator[Answer]:
        """Each piece for itself, as near to its place in the ranks as it has room."""
        bases = [piece.kind.base for piece in self.pieces]
        # As much room as the largest of them needs.
        largest = max(bases, key=lambda base: base.width * base.depth)

        def allowed(spot: Place) -> bool:
            return bool(self.inside(body(largest, spot)[None])[0])

        size = {"width": self.ground.width, "depth": self.ground.depth}
        for x, y in points:
            places = placement.near(bases, x, y, self.facing, **size, obstacles=self.here.rows, allowed=allowed)
            if places is not None:
                rows = bodies(zip(bases, places, strict=True))
                if self.refuse_rows([*self.pieces], rows) is None:
                    yield self.answer(rows)

    def by_chance(self, ranks: Floats, box: Sequence[float], random: Random) -> Answer:
        """In ranks at any point of a box (west, south, east, north); None if some tries find no room."""
        return next(filter(None, (self.all_at(ranks, chance_point(random, box)) for _ in range(TRIES))), None)

    def elsewhere(self, steps: dict[str, Step]) -> Iterator[dict[str, Step]]:
        """Pieces as they would be set down, a bit aside where they have room: what is nearest first."""
        pieces = [piece for piece in self.pieces if piece.id in steps]
        rows = np.repeat(rows_of(pieces, steps, self.facing)[None], len(ASIDE), axis=0)
        rows[:, :, X : Y + 1] = hundredths_of(rows[:, :, X : Y + 1] + ASIDE[:, None])
        free = self.free(rows.reshape(-1, rows.shape[2])).reshape(rows.shape[:2]).all(axis=1)
        for spots in rows[free][:, :, X : Y + 1].tolist():
            yield {piece.id: Step((x, y), steps[piece.id].facing) for piece, (x, y) in zip(pieces, spots, strict=True)}

    # The question.

    def question(
        self,
        topic: str,
        words: str,
        label: Callable[[P], str],
        proposals: Callable[[int], list[Answer]],
        chance: Callable[[Random], Answer],
        rules: tuple[str, ...] = (),
        **facts: Any,
    ) -> MovePieces:
        """Where the pieces are set down; `label` is what a page calls one."""
        return MovePieces(
            topic,
            words,
            [piece.id for piece in self.pieces],
            cache(
                lambda: [
                    Piece(p.id, label(p), None, self.facing, base=p.kind.base.size, round=p.kind.base.round)
                    for p in self.pieces
                ]
            ),
            self.refuse,
            proposals,
            chance=chance,
            rules=rules or (self.rule,),
            facts=facts,
            step="deploy",
            noun=self.noun,
            elsewhere=self.elsewhere,
        )

    def question_in_ranks(
        self,
        topic: str,
        words: str,
        label: Callable[[P], str],
        ranks: Floats,
        points: Callable[[], Sequence[Point]],
        box: Sequence[float],
        **facts: Any,
    ) -> MovePieces:
        """Where the pieces are set down in ranks: proposed about some points, or by chance in a box."""

        def proposals(most: int) -> list[Answer]:
            return self.proposals(ranks, points(), most)

        def chance(random: Random) -> Answer:
            return self.by_chance(ranks, box, random) or proposals(1)[0]

        return self.question(topic, words, label, proposals, chance, **facts)


def rows_of(pieces: Iterable[Standing], steps: dict[str, Step], facing: float) -> Floats:
    """Pieces as they would stand; who is not told how to face faces as all do."""
    ends = ((piece.kind.base, steps[piece.id]) for piece in pieces)
    return bodies((base, Place(*to.to, facing if to.facing is None else to.facing)) for base, to in ends)


def moved(about: Floats, x: float, y: float) -> Floats:
    """Rows about (0, 0) brought to a point, as they would be stored."""
    rows = about.copy()
    rows[:, X : Y + 1] = hundredths_of(rows[:, X : Y + 1] + (x, y))
    return rows


def hundredths_of(spots: Floats) -> Floats:
    """Places as they would be stored."""
    rounded: Floats = np.floor(spots * 100.0 + 0.5) / 100.0
    return rounded


def all_about(most: float, near: float, fine: float, coarse: float) -> Floats:
    """Shifts in all directions by so many inches at most, the shortest first; those that are `near` lie denser."""
    found = set()
    for far, step in ((near, fine), (most, coarse)):
        count = int(far / step)
        spots = [(x * step, y * step) for x in range(-count, count + 1) for y in range(-count, count + 1)]
        found |= {spot for spot in spots if 0.0 < math.hypot(*spot) <= far}
    return np.array(sorted(found, key=lambda spot: (math.hypot(*spot), spot)))


ASIDE = all_about(9.0, 3.0, 0.5, 1.5)
"""Where a unit is set down that may not stand where it was dropped."""


def chance_point(random: Random, box: Sequence[float]) -> Point:
    west, south, east, north = box
    return west + random.random() * (east - west), south + random.random() * (north - south)


def zone_of(points: Iterable[Point], table: Table) -> Terrain:
    """A zone to deploy in: a terrain of one area. Without points it is the whole table."""
    return zone_on(tuple(points), table.width, table.depth)


@lru_cache(maxsize=64)
def zone_on(points: tuple[Point, ...], width: float, depth: float) -> Terrain:
    corners = points or ((0.0, 0.0), (width, 0.0), (width, depth), (0.0, depth))
    return Terrain([Feature("zone", "zone", list(corners))], width, depth)


@lru_cache(maxsize=64)
def spots_of(zone: Terrain) -> tuple[Point, ...]:
    """Points all over a zone; its middle, if none of them lies in it."""
    west, south, east, north = zone.bounds[0].tolist()
    spots = [
        (x, y)
        for x in np.linspace(west + 3, east - 3, 12).tolist()
        for y in np.linspace(south + 2, north - 2, 5).tolist()
        if zone.inside_point(x, y)[0]
    ]
    return tuple(spots) or (((west + east) / 2, (south + north) / 2),)


def spread(zone: Terrain, goals: Sequence[Point], friends: Sequence[Point]) -> list[Point]:
    """Points all over a zone: near to a goal, and not where friends stand already, come first."""
    west, south, east, north = zone.bounds[0].tolist()
    # Whoever is far from the zone crowds none of its points.
    near_by = [(x, y) for x, y in friends if west - CROWD < x < east + CROWD and south - CROWD < y < north + CROWD]

    def price(spot: Point) -> float:
        return far[spot] + 2.0 * sum([math.dist(spot, friend) < CROWD for friend in near_by])

    far = far_from(zone, tuple(goals))
    return sorted(far, key=price)


@lru_cache(maxsize=64)
def far_from(zone: Terrain, goals: tuple[Point, ...]) -> dict[Point, float]:
    """Of each of the points all over a zone how far it is from the nearest goal; nobody changes it."""
    return {spot: min((math.dist(spot, goal) for goal in goals), default=0.0) for spot in spots_of(zone)}


def grid(zone: Terrain, across: int, deep: int) -> list[Point]:
    """Points all over a zone, rank by rank, in each of them from the middle outwards."""
    west, south, east, north = zone.bounds[0].tolist()
    xs = np.linspace(west, east, across + 2)[1:-1].tolist()
    ys = np.linspace(south, north, deep + 2)[1:-1].tolist()
    return [(x, y) for y in ys for x in sorted(xs, key=lambda each: abs(each - (west + east) / 2))]
