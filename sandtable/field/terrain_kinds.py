"""Kinds of terrain as data: one entry each, with what the rules say of it and how it is drawn."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from sandtable.engine import data
from sandtable.table.scene import Look


class Drawn(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What every kind says, whatever the game: its look, for the picture, the text map and the page."""

    look: Look = "other"


class Shaped(Protocol):
    @property
    def shape(self) -> str: ...
    @property
    def look(self) -> Look: ...


K = TypeVar("K", bound=Shaped)


class TerrainKinds(Generic[K]):
    """The kinds of terrain of a game by name, read from their file when they are first asked for.

    `structure` reads the file, and keeps them as its `kinds`.
    """

    def __init__(self, file: Path, structure: type[Any]) -> None:
        self.file = file
        self.structure = structure

    @cached_property
    def _read(self) -> dict[str, K]:
        kinds: dict[str, K] = data.read(self.file, self.structure).kinds
        return kinds

    def kinds(self) -> dict[str, K]:
        return self._read

    def shapes(self) -> dict[str, str]:
        """The shape of each kind, as `set_ups.terrain_amiss` asks for it."""
        return {name: kind.shape for name, kind in self._read.items()}

    def looks(self) -> dict[str, Look]:
        """The look of each kind, as a scene takes it."""
        return {name: kind.look for name, kind in self._read.items()}
