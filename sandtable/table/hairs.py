"""The small numbers, each once: what is arithmetic, what is rounding, and what is contact. All in inches."""

from __future__ import annotations

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
