"""How the process takes memory from the system: so that what it has let go of goes back there.

The C library gives every thread a heap of its own, and once a large block was freed it puts blocks of up to 32 MB on
these heaps. Games and sockets come and go on a dozen threads; what lasts between them keeps the holes open, and the
process grows by the hour although it holds no more.
"""

from __future__ import annotations

import ctypes

TRIM_THRESHOLD, MMAP_THRESHOLD, ARENA_MAX = -1, -3, -8
"""Names of settings in glibc's malloc.h."""

LARGE = 128 * 1024
"""Bytes from which a block is the system's own, and goes back to it when it is freed: glibc's own figure, held fast."""


def give_back() -> None:
    """One heap for all threads, which wait for one another anyway, and large blocks beside it. For glibc alone."""
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):
        return
    for setting, value in ((ARENA_MAX, 1), (MMAP_THRESHOLD, LARGE), (TRIM_THRESHOLD, LARGE)):
        mallopt(setting, value)
