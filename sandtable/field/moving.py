"""The question where pieces move: what may be proposed for it, and a move by chance.

The ruleset gives its law and, if it knows a better way than to try, how pieces go together. A shift that the law
refuses is tried shorter, the whole unit as one body, so that nobody is left behind whom the unit could have kept.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from random import Random
from typing import Any, Generic, TypeVar

from sandtable.engine.cards import Preview
from sandtable.engine.questions import (
    Answer,
    Idea,
    MovePieces,
    Piece,
    Refusal,
    Step,
    hundredths,
    plain_to_steps,
    steps_to_plain,
)
from sandtable.field.troops import Point, Standing
from sandtable.table.hairs import A_HAIR
from sandtable.table.shapes import Mask
from sandtable.table.terrain import Terrain

Steps = dict[str, Step]
Law = Callable[[Steps], Refusal | None]
P = TypeVar("P", bound=Standing)

PARTS = (1.0, 0.75, 0.5, 0.25)
"""How much of a shift is tried, one after the other."""

COMPASS = 8
"""In so many directions round the compass a unit may go, besides its goals."""

CLOSE = 0.5
"""Whoever is so near to a goal is there."""

HALF_OR_ALL = (1.0, 0.5)
STAY = "stays"
SHUFFLE = 1.0
"""Whoever goes less far, in inches, and does not turn, has as good as stayed."""

LEAST = 0.3
"""A move by chance goes at least such a part of what its pieces may."""


class Moving(Generic[P]):
    """One move: who may go, how far each at most, what refuses it, and how some of them go together.

    `shift` moves pieces by so many inches to the east and north, as far as may be, and gives no steps where it may not
    be at all. From this one description come what is legal, the pieces with their reach, proposals and chance.
    """

    def __init__(
        self,
        pieces: Sequence[P],
        reach: Callable[[P], float],
        refuse: Law,
        shift: Callable[[Sequence[P], float, float], Steps] | None = None,
        noun: str = "Team",
    ) -> None:
        self.pieces = pieces
        self.noun = noun
        self.reach = reach
        self.refuse = refuse
        self.shift = shift or self.as_one_body
        self.offered: Answer = None
        """The last move by chance."""
        self._far: dict[str, float] = {}
        self._able: list[P] | None = None

    def as_one_body(self, pieces: Sequence[P], dx: float, dy: float) -> Steps:
        """Pieces shifted, or as much of the shift as the law allows; nobody, if it allows none."""
        for part in PARTS:
            steps = {
                piece.id: hundredths(Step((piece.at[0] + dx * part, piece.at[1] + dy * part)))
                for piece in pieces
                if piece.at is not None
            }
            if self.refuse(steps) is None:
                return steps
        return {}

    @property
    def far(self) -> dict[str, float]:
        """How far each may go, found out once."""
        if not self._far:
            self._far = {piece.id: self.reach(piece) for piece in self.pieces}
        return self._far

    def able(self) -> list[P]:
        """Those who can go anywhere at all."""
        if self._able is None:
            far = self.far
            self._able = [piece for piece in self.pieces if far[piece.id] > 0]
        return self._able

    def together(self, pieces: Iterable[P]) -> float:
        """How far all of them may go."""
        far = self.far
        return min([far[piece.id] for piece in pieces])

    # Ways that may be proposed.

    def towards(self, pieces: Sequence[P], goals: Iterable[Point], parts: Sequence[float] = (1.0,)) -> Iterator[Steps]:
        """All of them towards each goal, as far as they may or such parts of it."""
        start, most = middle(pieces), self.together(pieces)
        for goal in goals:
            dx, dy = shift_towards(start, goal, most)
            for part in parts if (dx, dy) != (0.0, 0.0) else ():
                if steps := self.shift(pieces, dx * part, dy * part):
                    yield steps

    def round_about(self, pieces: Sequence[P], parts: Sequence[float] = (1.0,)) -> Iterator[Steps]:
        """All of them round the compass."""
        most = self.together(pieces)
        for part in parts:
            for number in range(COMPASS):
                angle = math.radians(360.0 * number / COMPASS)
                if steps := self.shift(pieces, most * part * math.sin(angle), most * part * math.cos(angle)):
                    yield steps

    def usual(self, goals: Iterable[Point]) -> Iterator[Steps]:
        """Towards each goal, and round the compass."""
        if pieces := self.able():
            yield from self.towards(pieces, goals)
            yield from self.round_about(pieces)

    def as_one(self, goals: Iterable[Point], parts: Sequence[float]) -> Iterator[Steps]:
        """All pieces towards each goal, each exactly as far as all shall go; where one cannot, that way is left out."""
        start, most = middle(self.pieces), self.together(self.pieces)
        for goal in goals:
            for part in parts:
                dx, dy = shift_towards(start, goal, part * most)
                steps = self.shift(self.pieces, dx, dy) if (dx, dy) != (0.0, 0.0) else {}
                if steps and all(goes_along(piece, steps, dx, dy) for piece in self.pieces):
                    yield steps

    def first_of(self, ways: Iterable[Steps], most: int) -> list[Answer]:
        """The first few ways, each but once; last of all staying put, if that is allowed."""
        found: list[Steps] = []
        for steps in ways:
            if steps not in found:
                found.append(steps)
            if len(found) >= most - 1:
                break
        if not found or (len(found) < most and {} not in found and self.refuse({}) is None):
            found.append({})
        return [steps_to_plain(steps) for steps in found]

    def by_purpose(
        self, pieces: Sequence[P], goals: Iterable[tuple[Point, str]], cover: Iterable[Point], enemies: Sequence[Point]
    ) -> Iterator[tuple[str, Steps]]:
        """Ways of every kind with what each is for: to goals by name, to cover, at the enemy and away from him."""
        for goal, name in goals:
            for steps in self.towards(pieces, [goal], HALF_OR_ALL):
                yield f"goes for {name}", steps
        for steps in self.towards(pieces, cover):
            yield "goes to cover", steps
        for steps in self.towards(pieces, enemies, HALF_OR_ALL):
            yield "closes with the enemy", steps
        x, y = middle(pieces)
        for steps in self.towards(pieces, [(2 * x - ex, 2 * y - ey) for ex, ey in enemies]):
            yield "draws back", steps
        for steps in self.round_about(pieces):
            yield "changes its position", steps

    def worth_a_look(self, ways: Iterable[tuple[str, Steps]], most: int) -> list[Idea]:
        """Staying put, if it is allowed, and the first few ways that are no mere shuffle, with what each is for."""
        found: list[Steps] = []
        ideas: list[Idea] = []
        if self.refuse({}) is None:
            found.append({})
            ideas.append(Idea({}, STAY))
        starts = {piece.id: piece for piece in self.pieces}
        for purpose, steps in ways:
            if len(ideas) >= most:
                break
            if steps in found or shuffles(starts, steps):
                continue
            found.append(steps)
            ideas.append(Idea(steps_to_plain(steps), purpose))
        return ideas or [Idea(answer) for answer in self.first_of((steps for _, steps in ways), 1)]

    def by_chance(self, random: Random, what: float, alone: float) -> Steps:
        """All who can in any direction or, if `what` chance has thrown is less than `alone`, one of them."""
        pieces = self.able()
        if not pieces:
            return {}
        if what < alone:
            pieces = [pieces[int(random.random() * len(pieces))]]
        angle = random.random() * math.tau
        length = self.together(pieces) * (LEAST + (1.0 - LEAST) * random.random())
        return self.shift(pieces, length * math.sin(angle), length * math.cos(angle))

    def now_and_then(self, random: Random) -> Steps:
        """Any move: mostly the whole unit, now a single piece, now nobody."""
        what = random.random()
        return {} if what < 0.1 else self.by_chance(random, what, 0.3)

    # The question.

    def question(
        self,
        topic: str,
        words: str,
        label: Callable[[P], str],
        ways: Callable[[], Iterable[Steps]],
        chance: Callable[[Random], Steps] | None = None,
        rules: tuple[str, ...] = (),
        barred: Callable[[str], Refusal | None] | None = None,
        purposes: Callable[[], Iterable[tuple[str, Steps]]] | None = None,
        gamble: Callable[[Steps], Preview | None] | None = None,
        lets: Callable[[Steps], bool] | None = None,
        **facts: Any,
    ) -> MovePieces:
        """Where each piece goes; `ways` are the proposals, the best first, and `label` is what a page calls one.

        `barred` says why somebody else may not go, `gamble` what dice the move depends on, `lets` without words whether
        the law lets a move pass. `purposes` are ways of every
        kind, with what each is for.
        """

        names = [piece.id for piece in self.pieces]

        def offer(random: Random) -> Answer:
            self.offered = steps_to_plain((chance or self.now_and_then)(random))
            return self.offered

        return MovePieces(
            topic,
            words,
            names,
            cache(
                lambda: [
                    Piece(p.id, label(p), p.at, p.facing, self.reach(p), p.kind.base.size, round=p.kind.base.round)
                    for p in self.pieces
                ]
            ),
            self.refuse,
            lambda most: self.first_of(ways(), most),
            chance=offer,
            rules=rules,
            facts=facts,
            barred=None if barred is None else lambda name: None if name in names else barred(name),
            purposes=None if purposes is None else lambda most: self.worth_a_look(purposes(), most),
            step="where",
            rest={},
            gamble=gamble,
            lets=lets,
            noun=self.noun,
        )

    def steps(self, answer: Answer) -> Steps:
        """The steps of an answer to the question."""
        return plain_to_steps(answer)

    def by_now_judged(self, answer: Answer) -> bool:
        """Whether an answer is what was offered by chance: the law has let that pass already."""
        return self.offered is not None and bool(answer == self.offered)


def shuffles(starts: Mapping[str, Standing], steps: Steps) -> bool:
    """Whether nobody goes anywhere to speak of, or turns."""
    for name, step in steps.items():
        at = starts[name].at
        if at is None or (math.dist(at, step.to) >= SHUFFLE) or (at == step.to and step.facing is not None):
            return False
    return True


def middle(pieces: Iterable[Standing]) -> Point:
    """The middle of pieces on the table."""
    spots = [piece.at for piece in pieces if piece.at is not None]
    return sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots)


def goes_along(piece: Standing, steps: Steps, dx: float, dy: float) -> bool:
    """Whether a piece goes as far as all shall."""
    assert piece.at is not None
    step = steps.get(piece.id)
    return step is not None and math.dist(step.to, (piece.at[0] + dx, piece.at[1] + dy)) <= A_HAIR


def shift_towards(start: Point, goal: Point, most: float) -> Point:
    """By how much to shift to come to a goal, or so many inches nearer; not at all, if one is there."""
    far = math.dist(start, goal)
    if far <= CLOSE:
        return 0.0, 0.0
    part = min(most, far) / far
    return (goal[0] - start[0]) * part, (goal[1] - start[1]) * part


def by_nearness(pieces: Sequence[Standing], places: Iterable[tuple[Point, str]]) -> list[tuple[Point, str]]:
    """Places with their names, those that are nearest to the middle of some pieces first."""
    centre = middle(pieces)
    return sorted(places, key=lambda place: math.dist(place[0], centre))


def nearest(pieces: Sequence[Standing], spots: Iterable[Point | None], most: int | None = None) -> list[Point]:
    """Spots on the table, those that are nearest to the middle of some pieces first."""
    centre = middle(pieces)
    return sorted((spot for spot in spots if spot is not None), key=lambda spot: math.dist(spot, centre))[:most]


def middles(terrain: Terrain, which: Mask) -> list[Point]:
    """The middles of some features: places to make for."""
    found = [feature.points for feature, wanted in zip(terrain.features, which.tolist(), strict=True) if wanted]
    return [(sum(x for x, _ in each) / len(each), sum(y for _, y in each) / len(each)) for each in found]
