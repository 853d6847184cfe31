"""Units on the march: shifted together, kept together, and looked at on their way."""

from __future__ import annotations

from sandtable.rulesets.tr14.kernels import march_kernels
from sandtable.rulesets.tr14.kernels.march_kernels import Marchers as Marchers
from sandtable.table.hairs import GRID
from sandtable.table.shapes import Floats, Ints, Mask, as_rows, heading

WELL, WRONG, UNCLEAR = 0, 1, 2
"""What `march` says of shifted bases."""


def march(
    rows: Floats,
    marchers: Marchers,
    facing: float,
    dx: float,
    dy: float,
    enemies: Ints,
    width: float,
    depth: float,
    slack: float = GRID,
) -> tuple[list[list[float]], int]:
    """Shift a unit, as `slide` does, among all rows of a table: its ends, and whether that is well.

    A base that cannot move does not turn either. It is WRONG if another then ends on it, or if a base that is bound to
    march passes over one of the enemies or breaks cohesion; and UNCLEAR if one that was out of cohesion has moved.
    """
    ends, verdict = march_kernels.march(
        rows, marchers, enemies, *heading(facing), float(dx), float(dy), float(width), float(depth), slack
    )
    return ends.tolist(), verdict


def stages(rows: Floats, numbers: Ints, ways: Floats, parts: Floats) -> Floats:
    """The rows of these numbers at each of some parts of their straight ways; those beyond the ways stay put.

    A way is (x0, y0, x1, y1, sin, cos): from where to where, and the heading on it, wherever the row is now.
    """
    result: Floats = march_kernels.stages(rows, numbers, ways, parts)
    return result


def linked(rows: Floats, leader: int, limits: Floats) -> Mask:
    """Which bases are within their limit of the leader's base, or of one that is: a chain of one link, (n,)."""
    result: Mask = march_kernels.all_linked(as_rows(rows), leader, limits)
    return result
