"""What is drawn of a table: terrain, bases, objectives, areas and moves, as plain data.

Everything in a scene is already what may be shown: whoever builds it leaves out what its viewer must not see.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from sandtable.table.shapes import Footprint, Place
from sandtable.table.terrain import Feature

Point = tuple[float, float]

Look = Literal[
    "hill", "other", "field", "rough", "marsh", "mines", "stream", "river", "trench", "track", "road", "railway",
    "bridge", "orchard", "wood", "ruin", "wire", "fence", "hedge", "bocage", "wall", "high-wall", "wreck",
    "building", "smoke",
]  # fmt: skip
"""How terrain is drawn, from the ground up. A ruleset's data say which look each of its kinds has."""


def look_of(kind: str, looks: Mapping[str, Look]) -> Look:
    """How a kind of terrain is drawn: as its game says."""
    return looks.get(kind, "other")


class Badge(msgspec.Struct, frozen=True):
    """A state of a piece: a short word, and what it says when asked.

    `sign` names a picture for it, if it has one: "burst", "eye", "earth" (see `web/src/board/signs.ts`).
    """

    icon: str
    words: str
    count: int = 1
    sign: str = ""


class Piece(msgspec.Struct, frozen=True):
    """A base on the table. Pieces of one `unit` share one label, the first that is not empty."""

    id: str
    footprint: Footprint
    place: Place
    side: str = ""
    kind: str = ""
    label: str = ""
    leader: str = ""
    badges: tuple[Badge, ...] = ()
    title: str = ""
    arc: float | None = None
    hidden: bool = False
    unit: str = ""


class Body(msgspec.Struct, frozen=True, omit_defaults=True):
    """A unit that is drawn as one: an outline round its pieces, and its signs once, on its label.

    `id` is the unit's, as its pieces name it. `hull` lies round the middles of the pieces, and the outline is so much
    wider as `rim` says. `note` tells in a word how the unit stands; `badges` are its own signs, not those of a piece.
    """

    id: str
    side: str
    label: str
    hull: list[Point]
    rim: float
    note: str = ""
    badges: tuple[Badge, ...] = ()


class Ring(msgspec.Struct, frozen=True, omit_defaults=True):
    """How far something carries about a piece, such as a voice: from its middle. Drawn when it is wanted.

    `arc`: how wide, in degrees about its facing, if that is not all round. `threat`: it is ground that the other side
    should know of before it moves.
    """

    id: str
    radius: float
    label: str
    arc: float | None = None
    threat: bool = False


class Spot(msgspec.Struct, frozen=True):
    """An objective and the side that holds it."""

    x: float
    y: float
    radius: float
    label: str = ""
    holder: str = ""


class Area(msgspec.Struct, frozen=True):
    """Something laid over the ground: "smoke", "template", "zone"; a zone may be a side's.

    Of a question also "edge" (a line where something comes on), "lair" (where it may appear) and "barred".
    """

    points: list[Point]
    kind: str
    label: str = ""
    side: str = ""


class Path(msgspec.Struct, frozen=True):
    """A move just made."""

    points: list[Point]
    side: str = ""
    label: str = ""


class Scene(msgspec.Struct, frozen=True):
    """All that a picture shows, in inches; `looks` says how each kind of terrain is drawn."""

    width: float
    depth: float
    features: list[Feature] = []
    pieces: list[Piece] = []
    spots: list[Spot] = []
    areas: list[Area] = []
    paths: list[Path] = []
    title: str = ""
    caption: str = ""
    looks: dict[str, Look] = {}
    bodies: list[Body] = []
    rings: list[Ring] = []
