"""Moments of a game at which other rules take part.

A step that later chapters, optional rules or national characteristics change does not ask for each of them by name: it
keeps a `Moment`, and whoever has something to say joins it at the door (`__init__.py`) of his own chapter. They are
asked in the order in which they joined.
"""

from __future__ import annotations

from typing import TypeVar

Part = TypeVar("Part")


class Moment(list[Part]):
    """Who takes part, in order."""

    def join(self, *parts: Part) -> None:
        self.extend(parts)
