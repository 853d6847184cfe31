"""The small numbers, each once: what is arithmetic, what is rounding, and what is contact. All in inches."""

from __future__ import annotations

from typing import overload

import numpy as np
from numpy.typing import NDArray

EXACT = 1e-9
"""Distances are sums of hundredths, added up with tiny errors: a limit met exactly is met, and so is a line."""

NOTHING = 1e-6
"""Less than this is arithmetic: no way, no ground and no overlap."""

GRID = 0.01
"""Places are stored to hundredths. What is no more than this may be rounding: on a border, or side by side."""

A_HAIR = 0.011
"""Rounding both coordinates of a place must never turn a legal measure into an illegal one."""

SLACK = 2 * GRID
"""Bases on the table may overlap by this little: the places of both are rounded."""

CONTACT = 0.05
"""Bases this near to one another are in contact: placing by hand is never exact."""


Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


@overload
def within(gap: float, limit: float, hair: float = EXACT) -> bool: ...
@overload
def within(gap: Floats, limit: float | Floats, hair: float = EXACT) -> Mask: ...
def within(gap: float | Floats, limit: float | Floats, hair: float = EXACT) -> bool | Mask:
    """Whether a distance keeps to a limit: one that is met exactly is kept, whatever arithmetic made of it."""
    return gap <= limit + hair


@overload
def beyond(gap: float, limit: float, hair: float = EXACT) -> bool: ...
@overload
def beyond(gap: Floats, limit: float | Floats, hair: float = EXACT) -> Mask: ...
def beyond(gap: float | Floats, limit: float | Floats, hair: float = EXACT) -> bool | Mask:
    """Whether a distance is more than a limit."""
    return gap > limit + hair


@overload
def nearer(gap: float, limit: float, hair: float = EXACT) -> bool: ...
@overload
def nearer(gap: Floats, limit: float | Floats, hair: float = EXACT) -> Mask: ...
def nearer(gap: float | Floats, limit: float | Floats, hair: float = EXACT) -> bool | Mask:
    """Whether a distance is less than a limit."""
    return gap < limit - hair


def negligible(inches: float) -> bool:
    """Whether this is arithmetic, and no way at all."""
    return inches < NOTHING


def in_contact(gap: float) -> bool:
    return gap <= CONTACT
