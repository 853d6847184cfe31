"""Numbers in words: for the line above the table, and the card of a kind of piece."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from sandtable.engine.cards import Fact, Profile, counted
from sandtable.engine.events import inches
from sandtable.table.shapes import Footprint

UNKNOWN = "?"
NONE = "–"

Notes = Mapping[str, tuple[str, str]]
"""What a keyword of the arsenal says on a card, and its rule; a keyword that is not there says nothing."""

K = TypeVar("K", bound=str)
W = TypeVar("W")


# The line above the table.


def by_side(name: str, rule: str, counts: Mapping[K, tuple[int | None, int | None]]) -> list[Fact]:
    """A number of each side: so many, and of how many if there is a most. None for so many is not known."""
    found = []
    for side, (count, most) in counts.items():
        if count is None:
            value = UNKNOWN if most is None else f"{UNKNOWN} of {most}"
            found.append(Fact(name, value, rule, side, known=False))
        elif most is None:
            found.append(Fact(name, str(count), rule, side, count=(count, count)))
        else:
            found.append(counted(name, (count, most), rule, side))
    return found


# The card of a kind of piece.


class Armored(Protocol):
    @property
    def front(self) -> int: ...
    @property
    def flank(self) -> int: ...


def armor(kind: Armored, rule: str) -> Fact:
    return Fact("Armor", f"front {kind.front}, flank {kind.flank}", rule)


def base(footprint: Footprint, rule: str = "") -> Fact:
    if footprint.shape == "circle":
        return Fact("Base", f"round, {inches(footprint.width)} across", rule)
    return Fact("Base", f"{footprint.width:g} by {footprint.depth:g} inches", rule)


def profile(
    name: str,
    look: str,
    facts: Iterable[Fact],
    weapons: Iterable[W],
    columns: Mapping[str, Callable[[W], str | float | None]],
    keywords: Callable[[W], Iterable[str]],
    traits: Iterable[str],
    notes: Notes,
) -> Profile:
    """A kind of piece: its facts, a row for each weapon, and what its traits and its weapons' keywords say.

    `columns` are the headings of the weapons' table, each with what stands below it; the last one is for the keywords.
    """
    weapons = list(weapons)
    rows = tuple(
        (*(cell(value(weapon)) for value in columns.values()), in_words(keywords(weapon), notes)) for weapon in weapons
    )
    words = dict.fromkeys([*traits, *(word for weapon in weapons for word in keywords(weapon))])
    said = tuple(Fact(notes[word][0], "", notes[word][1]) for word in words if word in notes)
    return Profile(name, tuple(facts), (*columns, "Notes"), rows, said, look)


def cell(value: str | float | None) -> str:
    """A value in a table; a dash for none."""
    if value is None:
        return NONE
    return value if isinstance(value, str) else f"{value:g}"


def in_words(keywords: Iterable[str], notes: Notes) -> str:
    return ", ".join(notes[word][0] for word in keywords if word in notes)


def in_a_row(words: Sequence[str], last: str = "and") -> str:
    """Words as a sentence lists them: "the farm, the mill and the bridge"."""
    return f" {last} ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def amid(name: str) -> str:
    """A name in the midst of a sentence: "the farm"."""
    return f"the {name[4:]}" if name.startswith("The ") else name
