"""What is near, or surely far, of all bases on a table."""

from __future__ import annotations

from sandtable.rulesets.hof.kernels import neighbour_kernels
from sandtable.table.hairs import GRID
from sandtable.table.shapes import Floats, Ints, as_rows


def nearest_to(rows: Floats, number: int, first: int, last: int, limit: float) -> int:
    """Which row from `first` up to `last` is nearest to that of this number; itself, if none is within the limit."""
    return int(neighbour_kernels.nearest_to(rows, number, first, last, limit))


def flags_near(rows: Floats, flags: Ints, points: Floats, limit: float) -> list[int]:
    """What stands within so many inches of each point (k, 2): the flags of all bases there together."""
    result: list[int] = neighbour_kernels.flags_near(rows, flags, points, limit).tolist()
    return result


def any_beyond(rows: Floats, numbers: Ints, y: float, *, below: bool) -> bool:
    """Does any part of the rows so numbered lie beyond a line across the table: below it, or else above?"""
    return bool(neighbour_kernels.any_beyond(rows, numbers, y, below))


def some_apart(rows: Floats, others: Floats, eyes: Floats, apart: Floats, slack: float = GRID) -> bool:
    """Does any of the bases lie on none of the others, and from each of the eyes as far as that one demands?"""
    return bool(neighbour_kernels.some_apart(as_rows(rows), as_rows(others), float(slack), as_rows(eyes), apart))
