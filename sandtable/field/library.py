"""Shelves of data files: the forces and battles of a game by name, or from a file of one's own."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from sandtable.engine import data
from sandtable.engine.data_words import did_you_mean
from sandtable.engine.errors import SandtableError

T = TypeVar("T")


class UnknownName(SandtableError):
    """A force or scenario that is not there, or that cannot be played."""


@dataclass(frozen=True)
class Shelf(Generic[T]):
    """A folder of data files of one type; `noun` is what one of them is called."""

    folder: Path
    type: type[T]
    noun: str

    def names(self) -> list[str]:
        return sorted(path.stem for path in self.folder.glob("*.toml"))

    def path(self, name: str | Path) -> Path:
        """The file of a name; what ends in .toml is a path already."""
        own = Path(name)
        return own if own.suffix == ".toml" else self.folder / f"{name}.toml"

    def load(self, name: str | Path) -> T:
        if Path(name).suffix != ".toml" and name not in self.names():
            raise UnknownName(f"there is no {self.noun} {str(name)!r}; known: {', '.join(self.names())}")
        return data.read(self.path(name), self.type)

    def about(self, name: str) -> str:
        """What a file of a name says of itself, where its type has words for that."""
        words: str = getattr(self.load(name), "about", "")
        return words

    def missing(self, name: str | Path) -> str | None:
        """What is said of a name that another file gives and that is not here, with the nearest; None if it is."""
        if self.path(name).is_file():
            return None
        known = self.names()
        return f"there is no {self.noun} {str(name)!r}; {did_you_mean(str(name), known)}known: {', '.join(known)}"
