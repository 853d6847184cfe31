"""Points on the table that somebody aims at or lays something on: where they may be, and markers that lie together."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from sandtable.engine.questions import Answer, MovePieces, Piece, Refusal, Step, illegal, steps_to_plain
from sandtable.field.deploying import chance_point
from sandtable.field.set_ups import Sized, on_table
from sandtable.field.troops import Point
from sandtable.table.hairs import GRID
from sandtable.table.placement import raster
from sandtable.table.shapes import Floats, X, Y, heading, point_body, snap

Legal = Callable[[float, float], Refusal | None]

A_FEW = 1000
"""So many points are looked at together where one that will do is rare."""

LINES = (90.0, 0.0, 45.0, 135.0, 67.5, 112.5, 22.5, 157.5)
"""How a line of markers may be turned, one after the other."""


# Single points.


def off_table(table: Sized, x: float, y: float, field: str) -> Refusal | None:
    """Why a point may not be chosen that is not on the table."""
    return None if on_table((x, y), table) else Refusal("illegal", "that is off the table.", field=field)


def point_rows(points: Floats) -> Floats:
    """Bare points (n, 2) as rows."""
    rows = np.tile(point_body(0.0, 0.0), (len(points), 1))
    rows[:, (X, Y)] = points
    return rows


def lattice(table: Sized, across: int) -> Floats:
    """Points evenly spread over a table, so many across and so many up it."""
    xs, ys = ((np.arange(across) + 0.5) * size / across for size in (table.width, table.depth))
    points: Floats = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2).round(2)
    return points


def stored_on(table: Sized, points: Floats) -> Floats:
    """Those of some points, as they would be stored, that are on a table."""
    stored = points.round(2)
    kept: Floats = stored[(stored >= 0).all(axis=1) & (stored <= (table.width, table.depth)).all(axis=1)]
    return kept


def everywhere(table: Sized) -> Iterator[Floats]:
    """All points of a table half an inch apart, a few at a time."""
    points = raster(table.width, table.depth)
    return (points[start : start + A_FEW] for start in range(0, len(points), A_FEW))


def first_good(batches: Iterable[Floats], good: Callable[[Floats], Floats]) -> list[Point]:
    """The good points among the first batch that has any."""
    for points in batches:
        found = good(points) if len(points) else points
        if len(found):
            return [(x, y) for x, y in found.tolist()]
    return []


def chance_near(points: Sequence[Point], stray: float, legal: Legal) -> Callable[[Random], Point]:
    """A place by chance about one of these points, or the point itself where that is not allowed."""

    def by_chance(random: Random) -> Point:
        x, y = points[int(random.random() * len(points))]
        near = (snap(x + 2 * stray * random.random() - stray), snap(y + 2 * stray * random.random() - stray))
        return near if legal(*near) is None else (x, y)

    return by_chance


def round_about(at: Point, far: float, legal: Legal, most: int) -> list[Point]:
    """A point itself, and those round it, so far off, that are legal."""
    spots = [at]
    for step in range(8):
        angle = math.radians(45.0 * step)
        spot = (snap(at[0] + far * math.sin(angle)), snap(at[1] + far * math.cos(angle)))
        if legal(*spot) is None:
            spots.append(spot)
    return spots[:most]


@dataclass(frozen=True, slots=True)
class Inside:
    """The inside of a box (west, south, east, north), without its rim."""

    box: tuple[float, float, float, float]

    def holds(self, x: float, y: float) -> bool:
        west, south, east, north = self.box
        return west < x < east and south < y < north

    def along_middle(self, shares: Iterable[float]) -> list[Point]:
        """Points at such shares of its width, half-way up it."""
        west, south, east, north = self.box
        return [(snap((west + east) * share), snap((south + north) / 2)) for share in shares]

    def by_chance(self, random: Random) -> Point:
        west, south, east, north = self.box
        x, y = chance_point(random, (west + GRID, south + GRID, east - GRID, north - GRID))
        return snap(x), snap(y)


# Markers.


@dataclass(slots=True)
class Cluster:
    """Round markers of one size that are laid each touching another, and one of them touching a point.

    `point` is what people call that. `loose` is by how much markers may be apart, or lie over one another, and still
    touch side by side.
    """

    names: list[str]
    at: Point
    radius: float
    rule: str
    point: str = "its point"
    loose: float = 0.05

    def refuse(self, steps: Mapping[str, Step]) -> Refusal | None:
        """Why they may not be laid like this."""
        names, at, across = self.names, self.at, 2 * self.radius
        missing = next((name for name in names if name not in steps), None)
        if missing is not None:
            return illegal(self.rule, f"{missing} is not placed.", field=missing, legal="Place every marker.")
        spots = np.array([steps[name].to for name in names])
        if np.hypot(spots[:, 0] - at[0], spots[:, 1] - at[1]).min() > self.radius + self.loose:
            legal = f"Touch {at[0]:g}, {at[1]:g} with one of them."
            return illegal(self.rule, f"no marker touches {self.point}.", field=names[0], legal=legal)
        apart = np.hypot(spots[:, None, 0] - spots[None, :, 0], spots[:, None, 1] - spots[None, :, 1])
        np.fill_diagonal(apart, np.inf)
        if len(names) > 1 and apart.min() < across - self.loose:
            name = names[int(apart.min(axis=1).argmin())]
            return illegal(self.rule, "markers lie on one another.", field=name, legal="Place them side by side.")
        joined = {0}
        while fresh := {int(n) for seen in joined for n in np.flatnonzero(apart[seen] <= across + self.loose)} - joined:
            joined |= fresh
        alone = next((name for number, name in enumerate(names) if number not in joined), None)
        if alone is None:
            return None
        return illegal(self.rule, f"{alone} does not touch the others.", field=alone, legal="Each must touch another.")

    def line(self, facing: float) -> Answer:
        """The markers side by side in a line, with the point in its middle."""
        sin, cos = heading(facing)
        offsets = [(number - (len(self.names) - 1) / 2) * 2 * self.radius for number in range(len(self.names))]
        spots = [(snap(self.at[0] + off * sin), snap(self.at[1] + off * cos)) for off in offsets]
        return steps_to_plain({name: Step(spot) for name, spot in zip(self.names, spots, strict=True)})

    def question(self, topic: str, words: str, label: str, **facts: Any) -> MovePieces:
        """Where they lie; `label` is what one of them is called."""
        return MovePieces(
            topic,
            words,
            self.names,
            lambda: [Piece(name, f"{label} {number}", None, 0.0) for number, name in enumerate(self.names, 1)],
            self.refuse,
            lambda most: [self.line(facing) for facing in LINES[:most]],
            chance=lambda random: self.line(LINES[int(random.random() * len(LINES))]),
            rules=(self.rule,),
            facts=facts,
        )
