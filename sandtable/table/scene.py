"""What is drawn of a table: terrain, bases, objectives, areas and moves, as plain data.

Everything in a scene is already what may be shown: whoever builds it leaves out what its viewer must not see.
"""

from __future__ import annotations

import msgspec

from sandtable.table.shapes import Footprint, Place
from sandtable.table.terrain import Feature

Point = tuple[float, float]


class Badge(msgspec.Struct, frozen=True):
    """A state of a piece: a sign or a short word, and what it says when asked."""

    icon: str
    words: str
    count: int = 1


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


class Spot(msgspec.Struct, frozen=True):
    """An objective and the side that holds it."""

    x: float
    y: float
    radius: float
    label: str = ""
    holder: str = ""


class Area(msgspec.Struct, frozen=True):
    """Something laid over the ground: "smoke", "template", "zone"; a zone may be a side's."""

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
    """All that a picture shows, in inches."""

    width: float
    depth: float
    features: list[Feature] = []
    pieces: list[Piece] = []
    spots: list[Spot] = []
    areas: list[Area] = []
    paths: list[Path] = []
    title: str = ""
    caption: str = ""
    hills: tuple[str, ...] = ("hill",)
