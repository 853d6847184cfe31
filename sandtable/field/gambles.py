"""A move before its dice: with what chance how many of its pieces come where they are sent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sandtable.engine.cards import Chance, Preview, PreviewLine
from sandtable.engine.chance import Chances, added, successes
from sandtable.engine.events import several

CLEAR = "Whoever stops is in nobody's way."


def arriving(chances: Iterable[float]) -> Chances[int]:
    """How many of some pieces come where they are sent, if each does so with its own chance."""
    return added(successes(1, chance) for chance in chances)


def foretold(lines: Sequence[PreviewLine], come: Chances[int], number: int, assumes: Sequence[str] = ()) -> Preview:
    """What a page shows of a move of so many pieces: its dice, and how many come, from all to nobody."""
    ends = [Chance(ending(count, number), share) for count in range(number, -1, -1) if (share := come[count])]
    way = [CLEAR] if number > 1 and len(ends) > 1 else []
    return Preview(tuple(lines), tuple(ends), assumes=(*assumes, *way))


def checks(what: str, number: int, chance: float, fails: str, **line: Any) -> PreviewLine:
    """So many Checks on the way, `what` they are for, how likely each is passed, and what becomes of who fails."""
    each = "each " if number > 1 else ""
    words = f"{what}, {each}passed {round(100 * chance)} times in 100; who fails {fails}."
    return PreviewLine(words, dice=number, **line)


def ending(count: int, number: int) -> str:
    """How a move of so many pieces ends, if this many of them come where they are sent."""
    if number == 1:
        return "arrives" if count else "does not arrive"
    if count == number:
        return f"all {several(number, 'Team')} arrive"
    return f"{count} of {number} {'arrives' if count == 1 else 'arrive'}" if count else "nobody arrives"
