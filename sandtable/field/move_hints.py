"""Moves to propose in any game: straight into contact, turns on the spot, and leaders who stay with their own.

Hints for programs and for a player who only says yes: what they may do is said by the law, which each of them asks.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Generic, TypeVar

import numpy as np

from sandtable.engine.questions import Step
from sandtable.field.board import Board
from sandtable.field.moving import Law, Steps
from sandtable.field.troops import Point, Standing
from sandtable.table import distance as measure
from sandtable.table import moves
from sandtable.table.shapes import Floats, Ints, Mask, X, Y, bearing, face, heading, snap

P = TypeVar("P", bound=Standing)


@dataclass(slots=True)
class Charging(Generic[P]):
    """Pieces that go straight into contact with enemies near them, at most so `far` away.

    `turns` says whether a piece faces where it goes, `may` whether it may be in contact with an enemy at all.
    """

    here: Board
    refuse: Law
    far: float
    turns: Callable[[P], bool]
    may: Callable[[P, P], bool]

    def into(self, piece: P, enemy: P) -> Steps:
        """A piece into contact with an enemy; empty where the law would refuse it."""
        if not self.may(piece, enemy):
            return {}
        here = self.here
        row, target = here.rows[here.index[piece.id]].copy(), here.rows[here.index[enemy.id]]
        x0, y0 = float(row[X]), float(row[Y])
        facing: float | None = None
        x, y = float(target[X]), float(target[Y])
        for _ in range(2):
            if self.turns(piece):
                facing = round(bearing(x0, y0, x, y), 1) % 360.0
                face(row, facing)
            x, y = measure.contact_move(row, target)
        if (x, y) == (x0, y0):
            return {}
        steps = {piece.id: Step((snap(x), snap(y)), facing)}
        return steps if self.refuse(steps) is None else {}

    def by_chance(self, pieces: Sequence[P], enemies: Sequence[P], rows: Ints, random: Random) -> Steps:
        """One of the pieces into one of the enemies near it; `rows` are the enemies' on the board."""
        if not enemies or not pieces:
            return {}
        index = self.here.index
        pairs = moves.pairs_within(self.here.rows, np.array([index[piece.id] for piece in pieces]), rows, self.far)
        if not pairs:
            return {}
        first, second = pairs[int(random.random() * len(pairs))]
        return self.into(pieces[first], enemies[second])

    def nearest(
        self, pieces: Sequence[P], enemies: Sequence[P], seen: Mask, reach: Callable[[P], float], most: int
    ) -> Iterator[Steps]:
        """The nearest pieces, so many at most, into each near enemy that one of them has `seen`."""
        gaps = measure.distances(self.here.of(pieces), self.here.of(enemies))
        for second in np.argsort(gaps.min(axis=0)).tolist():
            if gaps[:, second].min() > self.far or not seen[:, second].any():
                continue
            steps: Steps = {}
            for first in np.argsort(gaps[:, second]).tolist():
                if gaps[first, second] > min(self.far, reach(pieces[first])) or len(steps) == most:
                    break
                more = self.into(pieces[first], enemies[second])
                if more and (not steps or self.refuse({**steps, **more}) is None):
                    steps.update(more)
            if steps:
                yield steps


def crowd(
    pieces: Sequence[P],
    foes: Sequence[P],
    gaps: Floats,
    near: Callable[[float], bool],
    spot: Callable[[P, P, list[P], list[Floats]], Floats | None],
    most: int,
) -> Iterator[Steps]:
    """As many pieces as there is room for, the nearest first, each to its nearest foe; and one alone.

    `spot` is the row where a piece comes into contact with a foe, if it goes with some others to their rows. So many
    at `most` go for one foe, and only for one that is `near` by the gap between them.
    """
    order = sorted(range(len(pieces)), key=lambda number: gaps[number].min())
    ranked = [(n, goal) for n in order for goal in np.argsort(gaps[n], kind="stable").tolist()]
    pairs = [(pieces[n], goal) for n, goal in ranked if near(float(gaps[n, goal]))]
    sent: list[P] = []
    everybody: Steps = {}
    taken: list[list[Floats]] = [[] for _ in foes]
    for piece, goal in pairs:
        if piece.id in everybody or len(taken[goal]) == most:
            continue
        row = spot(piece, foes[goal], sent, [row for rows in taken for row in rows])
        if row is not None:
            sent.append(piece)
            everybody[piece.id] = step_to(row)
            taken[goal].append(row[None])
    yield everybody
    alone = ((piece, spot(piece, foes[goal], [], [])) for piece, goal in pairs)
    yield next(({piece.id: step_to(row)} for piece, row in alone if row is not None), {})


def step_to(row: Floats) -> Step:
    """The step of a piece to where a row is, without turning."""
    return Step((snap(float(row[X])), snap(float(row[Y]))))


TURNS = (0.0, 30.0, -30.0, 60.0, -60.0, 90.0, -90.0, 120.0, -120.0, 150.0, -150.0, 180.0)
PARTS = (1.0, 0.5, 0.25)
"""Where a piece looks for a way out: turned from the straight way in degrees, and parts of its longest move."""


def ways_away(piece: Standing, foes: Sequence[Point], far: float, refuse: Law) -> Iterator[Step]:
    """Legal moves of a piece away from some foes, straight away from them first, as far as it may and less."""
    if far <= 0 or piece.at is None:
        return
    x, y = piece.at
    away = math.degrees(math.atan2(sum(x - fx for fx, _ in foes), sum(y - fy for _, fy in foes)))
    for part in PARTS:
        for turned in TURNS:
            sin, cos = heading(away + turned)
            step = Step((snap(x + part * far * sin), snap(y + part * far * cos)))
            if refuse({piece.id: step}) is None:
                yield step


ASIDE = (0.0, 1.5, -1.5, 2.5, -2.5)
"""How far from the straight way a piece turns aside to go round somebody."""


def ways_round(piece: Standing, places: Sequence[Step], refuse: Law) -> list[Step]:
    """The straight ways of a piece to some places that are legal; if there are none, those with a bend."""
    assert piece.at is not None
    x, y = piece.at
    for aside in ASIDE:
        found = []
        for step in places:
            (u, v), part = step.to, aside / math.dist(step.to, piece.at)
            bend = (snap((x + u) / 2 + (v - y) * part), snap((y + v) / 2 - (u - x) * part))
            way = Step(step.to, step.facing, via=[bend]) if aside else step
            if refuse({piece.id: way}) is None:
                found.append(way)
        if found:
            return found
    return []


def turned_to_enemies(here: Board, pieces: Sequence[P], enemies: Sequence[P], arc: float) -> Steps:
    """Each piece turned on the spot towards the nearest enemy, unless it has that one in its arc."""
    steps: Steps = {}
    rows = here.of(enemies)
    for piece in pieces:
        foe = enemies[int(measure.distances(here.of([piece]), rows)[0].argmin())]
        assert piece.at is not None
        assert foe.at is not None
        if not measure.in_arc(*piece.at, piece.facing, arc, here.rows[here.index[foe.id]]):
            steps[piece.id] = Step(piece.at, round(bearing(*piece.at, *foe.at), 1) % 360.0)
    return steps


A_LITTLE = 0.5
"""Inches by which a leader looks for room before his men."""


def not_ahead_of(steps: Steps, leader: Standing, others: Sequence[Point], refuse: Law, before: float = 0.0) -> Steps:
    """A move in which a leader goes no farther than to where the foremost of the others are, or not at all.

    Where there is no room for him among them he goes as little `before` them as he must, and at most so far.
    """
    assert leader.at is not None
    (x, y), (to_x, to_y) = leader.at, steps[leader.id].to
    far = math.dist(leader.at, (to_x, to_y))
    if far > 0:
        east, north = (to_x - x) / far, (to_y - y) / far
        ahead = max((at[0] - x) * east + (at[1] - y) * north for at in others)
        forward = (ahead + A_LITTLE * (step + 1) for step in range(round(before / A_LITTLE)))
        for length in (min(far, ahead), min(far, ahead) / 2, *(each for each in forward if each < far)):
            if length > 0:
                end = Step((snap(x + east * length), snap(y + north * length)), steps[leader.id].facing)
                shorter = {**steps, leader.id: end}
                if refuse(shorter) is None:
                    return shorter
    without = {name: step for name, step in steps.items() if name != leader.id}
    return without if refuse(without) is None else steps


def shift_to_mates(here: Board, piece: Standing, mates: Sequence[Standing], near: float, reach: float) -> Point | None:
    """By how much a piece goes to come to the nearest of its mates; None if it is near one of them already."""
    if not mates or piece.at is None:
        return None
    gaps = measure.distances(here.of([piece]), here.of(mates))[0]
    mate = mates[int(gaps.argmin())]
    if gaps.min() <= near or mate.at is None:
        return None
    part = min(reach, float(gaps.min())) / math.dist(piece.at, mate.at)
    return (mate.at[0] - piece.at[0]) * part, (mate.at[1] - piece.at[1]) * part
