"""Looking: sight between bases on ground with smoke, hills and thick hedges, in one call for many.

One sees as `sight.sight` says, over whatever is lower than the ground (Z) one stands on. Who touches smoke is seen only
by those who touch the same, and they see one another. Through a thick hedge that one of them is at two bases see one
another only fairly straight.
"""

from __future__ import annotations

import numpy as np

from sandtable.rulesets.hof.kernels import ground_sight_kernels
from sandtable.rulesets.hof.kernels.ground_sight_kernels import Lens as Lens
from sandtable.rulesets.hof.kernels.ground_sight_kernels import Places as Places
from sandtable.table.moves import Paths
from sandtable.table.shapes import Floats, Ints, Mask, as_rows
from sandtable.table.sight import CLEAR, Opacity
from sandtable.table.terrain import Terrain

_NO_MASK: Mask = np.empty((0, 0), dtype=np.bool_)


def lens_on(terrain: Terrain, opacity: Opacity, smoke: Mask, narrow: Mask, hills: Mask, touch: float) -> Lens:
    """What a terrain does to sight: its opacity, which features are smoke, which are thick hedges, and which hills."""
    dry = Opacity(np.where(smoke, CLEAR, opacity.mode), opacity.limit)
    hedges: Ints = np.flatnonzero(narrow & ~terrain.closed)
    return Lens(
        terrain.arrays, opacity.table, dry.table, np.flatnonzero(smoke), hedges, np.flatnonzero(hills), float(touch)
    )


def seen_known(lens: Lens, places: Places, a: Ints, b: Ints) -> Mask:
    """Who of the rows numbered a sees which of those numbered b, (n, m); what is known is asked, and added to."""
    result: Mask = ground_sight_kernels.all_known(lens, places, a, b)
    return result


def seen(lens: Lens, a: Floats, b: Floats, wanted: Mask | None = None) -> Mask:
    """Who of a sees whom of b, (n, m); with `wanted` only of those pairs, and no for all others."""
    pairs = _NO_MASK if wanted is None else np.ascontiguousarray(wanted, dtype=np.bool_)
    result: Mask = ground_sight_kernels.all_look(lens, as_rows(a), as_rows(b), pairs)
    return result


def all_watched(lens: Lens, eyes: Floats, rows: Floats) -> bool:
    """Is each of the bases seen by some of the eyes?"""
    return bool(ground_sight_kernels.all_watched(lens, as_rows(eyes), as_rows(rows)))


def raised(lens: Lens, rows: Floats) -> Floats:
    """The same bases, each as high as the hill under it."""
    result: Floats = ground_sight_kernels.raised(lens, as_rows(rows))
    return result


def put(
    lens: Lens,
    places: Places,
    number: int,
    at: tuple[float, float],
    facing: tuple[float, float],
    above: float = 0.0,
) -> None:
    """Set the base of this number down elsewhere, with this heading (sin, cos) and so far above the ground there.

    What was known of its sight is forgotten, and what was known of what veils it.
    """
    ground_sight_kernels.put(lens, places, number, *at, *facing, above)


def arrive(
    lens: Lens,
    places: Places,
    numbers: Ints,
    ends: Floats,
    paths: Paths,
    enemies: Ints,
    size: tuple[float, float],
    contact: float,
    slack: float,
) -> bool:
    """Set bases down as `put` does, if they all come to their ends freely, as `passage.arrive_freely` says.

    The ends are (x, y, sin, cos, above, inches along the path). False, and nothing is done, if something is in the way.
    """
    return bool(ground_sight_kernels.arrive(lens, places, numbers, ends, paths, enemies, *size, slack, contact))


def ways_seen(
    lens: Lens, places: Places, eyes: Ints, movers: Ints, poses: Floats, paths: Paths, step: float
) -> list[bool]:
    """Which movers are seen by some of the eyes where they stand or anywhere on their way.

    `eyes` and `movers` are numbers of rows: of themselves on the way; before it they count as standing where the places
    say, of which what is known is asked and added to as by `seen_known`. `poses` (n, 3) are the headings (sin, cos) on
    the way and how many inches it is. It is looked for at least every `step` inches, standing on whatever hill is
    there.
    """
    found = ground_sight_kernels.all_ways(lens, places, eyes, movers, poses, paths, step)
    result: list[bool] = found.tolist()
    return result


def stops_seen(
    lens: Lens,
    rows: Floats,
    mover: int,
    facing: tuple[float, float],
    path: Floats,
    stops: Floats,
    slack: float,
    eyes: Ints,
    reaches: Floats,
    once: bool,
) -> Mask:
    """Which eyes, numbers of rows, see a base at which stops of its path and within their reach, (n, m).

    The stops are inches along the path, and the base has the heading (sin, cos) at all of them; where it would lie on
    another base it is not seen. With `once` the first pair that is found is the only one.
    """
    result: Mask = ground_sight_kernels.all_stops(lens, rows, mover, *facing, path, stops, slack, eyes, reaches, once)
    return result
