"""The picture of a table: its pieces, its objectives and what lies over the ground, as a ruleset hands them in.

Nothing is hidden here: whoever calls leaves out what the viewer may not see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

import msgspec

from sandtable.field.set_ups import Sized
from sandtable.field.troops import Named, Point, Standing
from sandtable.field.zones import circle
from sandtable.table.scene import Area, Badge, Body, Look, Piece, Ring, Scene, Spot
from sandtable.table.shapes import Place, hull
from sandtable.table.terrain import Feature


class Titled(Protocol):
    """A set-up as far as a picture shows it."""

    @property
    def title(self) -> str: ...
    @property
    def table(self) -> Sized: ...


class Sided(Named, Protocol):
    """A unit of a side."""

    @property
    def side(self) -> str: ...


class Goal(Protocol):
    """An objective: where it lies, and which side holds it; in some games it has a name."""

    @property
    def at(self) -> Point: ...
    @property
    def name(self) -> str: ...
    @property
    def holder(self) -> str: ...


U = TypeVar("U", bound=Sided)
P = TypeVar("P", bound=Standing)
G = TypeVar("G", bound=Goal)


class Face(NamedTuple):
    """How a piece is drawn: what it and its unit are called, how its kind looks, and its signs.

    `note` is what is said of its unit in brackets, `leader` the sign of a leader, `arc` how wide it fires if that is
    not all round, `level` the storey that it is on, and `turret` where a turret of its own points.
    """

    name: str
    unit: str
    look: str
    badges: tuple[Badge, ...] = ()
    note: str = ""
    leader: str = ""
    arc: float | None = None
    level: int = 0
    turret: float | None = None


def pieces(members: Iterable[tuple[U, P]], face: Callable[[U, P], Face]) -> list[Piece]:
    """Those of some pieces, each given with its unit, that stand on the table, as they are drawn."""
    found = []
    for unit, piece in members:
        if piece.at is None:
            continue
        seen = face(unit, piece)
        words = f"{seen.name}, {seen.unit}" + (f" ({seen.note})" if seen.note else "")
        states = ", ".join(badge.words for badge in seen.badges)
        found.append(
            Piece(
                piece.id,
                piece.kind.base,
                Place(*piece.at, piece.facing, seen.level, seen.turret),
                unit.side,
                seen.look,
                seen.unit,
                leader=seen.leader,
                badges=seen.badges,
                title=f"{words}: {states}" if states else words,
                arc=seen.arc,
                unit=unit.id,
            )
        )
    return found


BODY_RIM = 0.35
"""How far the outline of a unit lies beyond the bases of its pieces, in inches."""


def bodies(pieces: Iterable[Piece], stands: Callable[[str], tuple[str, tuple[Badge, ...]]]) -> list[Body]:
    """The units of some pieces, each drawn as one; `stands` says of a unit how it stands, and its own signs."""
    units: dict[str, list[Piece]] = {}
    for piece in pieces:
        units.setdefault(piece.unit, []).append(piece)
    found = []
    for name, members in units.items():
        round_them = hull((piece.place.x, piece.place.y) for piece in members)
        rim = max(max(piece.footprint.size) for piece in members) / 2 + BODY_RIM
        found.append(Body(name, members[0].side, members[0].label, round_them, rim, *stands(name)))
    return found


def spots(objectives: Mapping[str, G], radius: Callable[[G], float]) -> list[Spot]:
    """The objectives, each with how near one must be to it; one without a name is called by its id."""
    return [Spot(*goal.at, radius(goal), goal.name or key, goal.holder) for key, goal in objectives.items()]


def smoke(clouds: Iterable[Feature]) -> list[Area]:
    return [Area(list(cloud.points), "smoke", "Smoke") for cloud in clouds]


def disc(at: Point, radius: float, kind: str, label: str) -> Area:
    """A round area, such as a template."""
    return Area(circle(at, radius), kind, label)


def scene(
    setup: Titled,
    features: Sequence[Feature],
    pieces: list[Piece],
    spots: Sequence[Spot] = (),
    areas: Sequence[Area] = (),
    title: str = "",
    caption: str = "",
    looks: Mapping[str, Look] | None = None,
    bodies: Sequence[Body] = (),
    rings: Sequence[Ring] = (),
) -> Scene:
    """The picture of a set-up's table, under the set-up's title if it has one; `looks` are those of terrain."""
    return Scene(
        setup.table.width,
        setup.table.depth,
        list(features),
        pieces,
        list(spots),
        list(areas),
        title=setup.title or title,
        caption=caption,
        looks=dict(looks or {}),
        bodies=list(bodies),
        rings=list(rings),
    )


def open_table(table: Sized, features: Sequence[Feature], rounds: int) -> dict[str, Any]:
    """What everybody may know of a set-up, for a view: the table and its terrain, and how long the battle lasts."""
    return {"width": table.width, "depth": table.depth, "terrain": msgspec.to_builtins(features), "rounds": rounds}
