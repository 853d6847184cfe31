"""Where a whole unit could be set down: on the table and in a zone, on open ground, and clear of everybody else."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sandtable.field.formations import slots
from sandtable.rulesets.sof.kernels import placing_kernels
from sandtable.rulesets.sof.kernels.placing_kernels import Company as Company
from sandtable.table.shapes import Floats, Ints, heading
from sandtable.table.terrain import Terrain


def open_places(
    ranks: Floats, points: Floats, company: Company, zone: Terrain, ground: Terrain, barring: Ints
) -> Iterator[int]:
    """The numbers of the points about which ranks stand well: the rows of the ranks are about (0, 0)."""
    at = -1
    while (at := placing_kernels.first_ranks(ranks, points, at + 1, company, zone.arrays, ground.arrays, barring)) >= 0:
        yield at


def body_places(
    rows: Floats,
    facing: float,
    files: int,
    pitch: float,
    points: Floats,
    company: Company,
    zone: Terrain,
    ground: Terrain,
    barring: Ints,
) -> Iterator[int]:
    """The numbers of the points at which a body stands well with the middle of its front rank there.

    `rows` say what bases it has, in the order of their slots, and how they face.
    """
    offsets = np.array([((file - (files - 1) / 2) * pitch, rank * pitch) for rank, file in slots(len(rows), files)])
    at = -1
    while (
        at := placing_kernels.first_body(
            rows, offsets, *heading(facing), points, at + 1, company, zone.arrays, ground.arrays, barring
        )
    ) >= 0:
        yield at
