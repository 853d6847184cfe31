"""Templates laid on the table: which bases lie under them.

Any part of a base counts; touching only at an edge does not. A template is itself a body row, so a mask is
one overlap query, and a page can draw what was laid.
"""

from __future__ import annotations

import numpy as np

from sandtable.table.distance import overlaps
from sandtable.table.hairs import NOTHING
from sandtable.table.shapes import (
    RECTANGLE,
    Floats,
    Mask,
    heading,
)


def rectangle(x: float, y: float, width: float, depth: float, facing: float = 0.0) -> Floats:
    """A rectangular template centred on (x, y)."""
    sin, cos = heading(facing)
    return np.array((RECTANGLE, x, y, sin, cos, width / 2, depth / 2, 0.0))


def square(x: float, y: float, size: float, facing: float = 0.0) -> Floats:
    """A square template centred on (x, y)."""
    return rectangle(x, y, size, size, facing)


def under(rows: Floats, template: Floats) -> Mask:
    """Which bases lie at least partly under the template, (n,)."""
    return overlaps(rows, template, NOTHING)[:, 0]


def under_square(rows: Floats, x: float, y: float, size: float, facing: float = 0.0) -> Mask:
    """Which bases lie under a square, (n,)."""
    return under(rows, square(x, y, size, facing))
