"""The second umpire of Hail of Fire, chapter by chapter as the rulebook has them.

`stock` knows what the data files say of Teams and ground, `table` measures with Shapely, and every other module is a
chapter of checks. A chapter that is imported here is on duty.
"""

from __future__ import annotations

from importlib import import_module

from sandtable.testing.umpire import Book

book = Book()

# The checks of a chapter are entered in `book`, so the chapters come after it.
CHAPTERS: tuple[str, ...] = (
    "acts",
    "checks",
    "points",
    "orders",
    "moves",
    "obstacles",
    "rides",
    "reveals",
    "morale",
    "firing",
    "hits",
    "vehicles",
    "received",
    "rally",
    "assaults",
    "artillery",
    "smoke",
    "air",
    "snipers",
    "riders",
    "demolition",
)

for _chapter in CHAPTERS:
    import_module(f"{__name__}.{_chapter}")
