"""Templates laid on the table: which bases lie under them.

Any part of a base counts; touching only at an edge does not. A template is itself a body row, so a mask is
one overlap query, and a page can draw what was laid.
"""

from __future__ import annotations

import math

import numpy as np

from sandtable.table.distance import overlaps
from sandtable.table.shapes import (
    CIRCLE,
    RECTANGLE,
    SHAPE,
    Floats,
    Mask,
    corners,
    heading,
    outline,
)

EDGE = 1e-6  # inches of overlap below which a base merely touches


def rectangle(x: float, y: float, width: float, depth: float, facing: float = 0.0) -> Floats:
    """A rectangular template centred on (x, y)."""
    sin, cos = heading(facing)
    return np.array((RECTANGLE, x, y, sin, cos, width / 2, depth / 2, 0.0))


def square(x: float, y: float, size: float, facing: float = 0.0) -> Floats:
    """A square template centred on (x, y)."""
    return rectangle(x, y, size, size, facing)


def circle(x: float, y: float, radius: float) -> Floats:
    """A round template centred on (x, y)."""
    return np.array((CIRCLE, x, y, 0.0, 1.0, radius, radius, 0.0))


def band(x0: float, y0: float, x1: float, y1: float, width: float) -> Floats:
    """A strip of this width along the line from end to end (its ends are cut square)."""
    length = math.hypot(x1 - x0, y1 - y0)
    sin, cos = ((x1 - x0) / length, (y1 - y0) / length) if length > 0 else (0.0, 1.0)
    return np.array((RECTANGLE, (x0 + x1) / 2, (y0 + y1) / 2, sin, cos, width / 2, length / 2, 0.0))


def under(rows: Floats, template: Floats) -> Mask:
    """Which bases lie at least partly under the template, (n,)."""
    return overlaps(rows, template, EDGE)[:, 0]


def under_square(rows: Floats, x: float, y: float, size: float, facing: float = 0.0) -> Mask:
    """Which bases lie under a square, (n,)."""
    return under(rows, square(x, y, size, facing))


def under_rectangle(rows: Floats, x: float, y: float, width: float, depth: float, facing: float = 0.0) -> Mask:
    """Which bases lie under a rectangle, (n,)."""
    return under(rows, rectangle(x, y, width, depth, facing))


def under_circle(rows: Floats, x: float, y: float, radius: float) -> Mask:
    """Which bases lie under a circle, (n,)."""
    return under(rows, circle(x, y, radius))


def under_band(rows: Floats, x0: float, y0: float, x1: float, y1: float, width: float) -> Mask:
    """Which bases lie under a strip, (n,)."""
    return under(rows, band(x0, y0, x1, y1, width))


def under_line(rows: Floats, x0: float, y0: float, x1: float, y1: float) -> Mask:
    """Through which bases the line runs, (n,); running along an edge is not running through."""
    return under(rows, band(x0, y0, x1, y1, 0.0))


def template_polygon(template: Floats, count: int = 48) -> list[tuple[float, float]]:
    """The template's outline for drawing: its corners, or `count` points round a circle."""
    points = outline(template, count) if template[SHAPE] == CIRCLE else corners(template)
    return [(x, y) for x, y in points.tolist()]
