"""A whole unit on its way: whether it comes well to where it goes, and how far it must go to be clear of friends."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from sandtable.rulesets.sof.kernels import passage_kernels
from sandtable.rulesets.sof.kernels.passage_kernels import ENEMY as ENEMY
from sandtable.rulesets.sof.kernels.passage_kernels import FRIEND as FRIEND
from sandtable.rulesets.sof.kernels.passage_kernels import Others as Others
from sandtable.table.hairs import GRID
from sandtable.table.moves import Paths
from sandtable.table.shapes import Floats, Ints, Mask
from sandtable.table.terrain import Terrain

OTHER = 0
"""The unit itself, and whoever counts for nothing."""


def less_than(limit: float) -> float:
    """What a distance is at most that is less than a limit."""
    return math.nextafter(limit, -math.inf)


def goes_well(
    rows: Floats,
    ends: Floats,
    numbers: Ints,
    paths: Paths,
    others: Others,
    apart: float,
    chain: float,
    width: float,
    depth: float,
) -> bool:
    """Whether a unit comes to its ends as it should, asked of all its bases at once.

    Whoever moves stays on the table, comes nowhere within `apart` of an enemy, and passes over none; nobody ends on
    another base, as near to another unit as its `least` or as near to an enemy as its `limits`; and at the end all
    bases are one chain. Who does not move has a way of one point.
    """
    return bool(passage_kernels.goes_well(rows, ends, numbers, paths, others, apart, chain, width, depth))


def ends_well(
    rows: Floats,
    numbers: Ints,
    going: Mask,
    spots: Floats,
    others: Others,
    apart: float,
    chain: float,
    width: float,
    depth: float,
) -> Iterator[int]:
    """Of several ends for a unit (k, n, 2) the numbers of those to which it goes well, each straight to its spot.

    As in `goes_well`; whoever is not `going` stays where he is, and if nobody goes anywhere that is well.
    """
    at = -1
    where = others, apart, chain, width, depth
    while (at := passage_kernels.first_well(rows, numbers, going, spots, at + 1, *where)) >= 0:
        yield at


def passes_over(rows: Floats, numbers: Ints, paths: Paths, obstacles: Floats) -> bool:
    """Whether some base of a unit comes over an obstacle on its way that it was not on before, as `moves.sweep` has it.

    Who does not move has a way of no points, or of one.
    """
    return bool(passage_kernels.passes_over(rows, numbers, paths, obstacles, GRID))


def clear_of_friends(
    rows: Floats,
    numbers: Ints,
    others: Others,
    way: Sequence[float],
    far: float,
    edge: float,
    gap: float,
    step: float,
    most: float,
) -> float | None:
    """How far a unit goes in a direction, `far` or longer step by step, to be no nearer to a friend than `gap`.

    None if that takes more than `most`, if it is then as near to an enemy as its limit, or if what is added leads
    beyond the table's `edge`.
    """
    found = passage_kernels.clear_of_friends(rows, numbers, others, way[0], way[1], far, edge, gap, step, most)
    return None if found < 0.0 else float(found)


def finds_way_back(
    rows: Floats,
    numbers: Ints,
    others: Others,
    ground: Terrain,
    marked: Ints,
    ways: Floats,
    parts: Floats,
    judged: Mask,
    rate: float,
    halts: bool,
    apart: float,
    clear: tuple[float, float, float],
    beyond: float,
    width: float,
    depth: float,
) -> bool:
    """Whether a unit that need not hang together finds a way back over open ground in one of some directions.

    It is `fall_back.way_back` for all directions (`ways`) and parts of the rate together, as far as nobody comes to a
    `marked` feature, which says how far a unit goes, or bars it. `clear` is how near it may be to friends, by which
    steps it goes longer to be clear of them, and by how much at most; `beyond` the edge by so much nobody goes. If
    nothing is found, `judged` says of which directions that is all there is to say; of the others the ground has a say.
    """
    return bool(
        passage_kernels.finds_way_back(
            rows,
            numbers,
            others,
            ground.arrays,
            marked,
            ways,
            parts,
            judged,
            rate,
            halts,
            apart,
            *clear,
            beyond,
            width,
            depth,
        )
    )
