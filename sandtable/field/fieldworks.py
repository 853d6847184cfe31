"""Lengths of something laid on the table before a battle, such as trenches or wire, each where its owner likes."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, islice, pairwise
from random import Random
from typing import Any

import numpy as np

from sandtable.engine.questions import Answer, MovePieces, Piece, Refusal, Step, illegal
from sandtable.field.deploying import chance_point
from sandtable.field.set_ups import Faults
from sandtable.field.troops import Point
from sandtable.table import distance as measure
from sandtable.table.hairs import SLACK, beyond
from sandtable.table.shapes import Floats, Footprint, Mask, Place, bodies, corners, heading, snap
from sandtable.table.terrain import Feature

TURNS = (0.0, 45.0, 90.0, 135.0)
TRIES = 8
"""How lengths that are laid by chance are turned, and how often a place is looked for."""


ABOUT = 0.1
"""How far the length of one in a file may be from what it should be, in inches."""


def free_names(prefix: str, taken: Collection[str], first: int = 1) -> Iterator[str]:
    """Names of a kind, numbered from `first` on, that nothing has yet."""
    return (name for number in count(first) if (name := f"{prefix}-{number}") not in taken)


def longest_side(feature: Feature) -> float:
    """The length of a line, or the longest side of an area."""
    sides = [math.dist(a, b) for a, b in pairwise(feature.points)]
    return max([*sides, math.dist(feature.points[-1], feature.points[0])]) if feature.closed else sum(sides)


def lengths_amiss(terrain: Sequence[Feature], kind: str, length: float, of: int, rule: str) -> Faults:
    """What is wrong with lengths of a kind on a table: they come in sets of so many, each so long."""
    found = [(index, feature) for index, feature in enumerate(terrain) if feature.kind == kind]
    if len(found) % of:
        yield ("terrain", found[-1][0]), f"{kind}: sets of {of}, here are {len(found)} ({rule})"
    for index, feature in found:
        if len(feature.points) >= 2 and beyond(abs(longest_side(feature) - length), ABOUT):
            yield ("terrain", index, "points"), f"a length of {kind} is {length:g} inches long ({rule})"


@dataclass(slots=True)
class Laying:
    """Some lengths of one `kind` of ground, and where they may lie: wholly on their owner's half, on no other of them.

    `half` is his part of the table (west, south, east, north), `facing` how they lie unless he turns them, `noun` what
    people call one. `taken` says which of some rows would lie on what is there already, `apart` in words what that is.
    """

    kind: str
    noun: str
    names: list[str]
    size: tuple[float, float]
    half: tuple[float, float, float, float]
    facing: float
    rule: str
    taken: Callable[[Floats], Mask]
    apart: str = "Not on one another, and on nothing that is there."

    def rows(self, steps: Mapping[str, Step]) -> Floats:
        base, facing = Footprint(*self.size), self.facing
        return bodies((base, Place(*to.to, facing if to.facing is None else to.facing)) for to in steps.values())

    def features(self, steps: Mapping[str, Step]) -> list[Feature]:
        """The lengths as ground, once they are laid."""
        outlines = [corners(row).round(2).tolist() for row in self.rows(steps)]
        return [Feature(name, self.kind, [(x, y) for x, y in each]) for name, each in zip(steps, outlines, strict=True)]

    def on_half(self, rows: Floats) -> Mask:
        """Which lengths lie wholly on their owner's half."""
        west, south, east, north = self.half
        low, high = np.array((west, south)) - SLACK, np.array((east, north)) + SLACK
        inside = [bool(((outline >= low) & (outline <= high)).all()) for outline in map(corners, rows)]
        return np.array(inside, dtype=np.bool_)

    def refuse(self, steps: Mapping[str, Step]) -> Refusal | None:
        """Why they may not be laid like this."""
        if not steps:
            return None
        rows = self.rows(steps)
        clashes = measure.overlaps(rows, rows, SLACK)
        np.fill_diagonal(clashes, False)
        wrong = self.taken(rows) | clashes.any(axis=1)
        for (name, step), mine, bad in zip(steps.items(), self.on_half(rows).tolist(), wrong.tolist(), strict=True):
            if step.via:
                return illegal(self.rule, f"a length of {self.noun} is laid; it takes no way there.", field=name)
            if not mine:
                words = "Lay it on your half of the table."
                return illegal(
                    self.rule, f"a length of {self.noun} would not lie on your half.", field=name, legal=words
                )
            if bad:
                return illegal(self.rule, f"a length of {self.noun} cannot lie there.", field=name, legal=self.apart)
        return None

    def line(self, at: Point, facing: float) -> Answer:
        """The lengths end to end about a point, those of them that may lie there."""
        sin, cos = heading(facing)
        steps: dict[str, Step] = {}
        for number, name in enumerate(self.names):
            along = (number - (len(self.names) - 1) / 2) * (self.size[0] + SLACK)
            steps[name] = Step((snap(at[0] + along * cos), snap(at[1] - along * sin)), facing % 360.0)
        rows = self.rows(steps)
        good = (self.on_half(rows) & ~self.taken(rows)).tolist()
        spots = zip(steps.items(), good, strict=True)
        return {name: {"to": [*step.to], "facing": step.facing} for (name, step), fine in spots if fine}

    def proposals(self, points: Iterable[Point], most: int) -> list[Answer]:
        """In lines about some points, and last of all nothing."""
        lines = (line for at in points if (line := self.line(at, self.facing)))
        return [*islice(lines, max(0, most - 1)), {}]

    def by_chance(self, random: Random) -> Answer:
        """Somewhere on that half, this way or that; nothing if there is no room in a few tries."""
        for _ in range(TRIES):
            at = chance_point(random, self.half)
            if answer := self.line(at, self.facing + TURNS[int(random.random() * len(TURNS))]):
                return answer
        return {}

    def question(self, topic: str, words: str, points: Callable[[], Sequence[Point]], **facts: Any) -> MovePieces:
        """Where they are laid; about the `points` they are proposed."""

        def pieces() -> list[Piece]:
            names = [(name, f"{self.noun.capitalize()} {number}") for number, name in enumerate(self.names, 1)]
            return [Piece(name, said, None, self.facing, base=self.size, ground=self.kind) for name, said in names]

        return MovePieces(
            topic,
            words,
            self.names,
            pieces,
            self.refuse,
            lambda most: self.proposals(points(), most),
            chance=self.by_chance,
            rules=(self.rule,),
            facts=facts,
            step="deploy",
        )
