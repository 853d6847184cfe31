"""Where pieces come to stand when they are dropped somewhere, and the answer that this comes to."""

from __future__ import annotations

import msgspec

from sandtable.engine.cards import Fact
from sandtable.engine.questions import Answer, Refusal
from sandtable.field.formations import Pose
from sandtable.table.scene import Point

NUDGES = tuple((inches, 45.0 * eighth) for inches in (1.0, 2.0, 4.0) for eighth in range(8))
"""Where a unit, or a piece, that comes onto the table is tried next: so far away, and in what direction."""


class Landing(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where one piece would come to stand, how far that is, and what it costs or had to give way to (`facts`).

    `way` is how it goes there, where that is worth drawing and not straight.
    """

    id: str
    at: Point
    facing: float
    inches: float = 0.0
    facts: tuple[Fact, ...] = ()
    way: tuple[Point, ...] = ()


class Plan(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer that a drop comes to, and where each piece lands; with a refusal if it is not legal.

    Of a body in ranks also the `pose` that it comes to, and in `facts` what its march is made of.
    """

    answer: Answer
    pieces: tuple[Landing, ...]
    refusal: Refusal | None = None
    pose: Pose | None = None
    facts: tuple[Fact, ...] = ()
