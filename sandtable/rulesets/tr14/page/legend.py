"""What the kinds of ground do and what the signs on the table stand for, in a line each."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from sandtable.engine.cards import Fact
from sandtable.rulesets.tr14.core.terrain import Kind, kinds

SIGNS = {
    "down": Fact("Suppressed", "once for each marker"),
    "earth": Fact("Dug in", "", "tr14.playing.action-dig-in"),
    "eye": Fact("On Overwatch", "may fire in the enemy's turn"),
    "prone": Fact("Gone to ground", "", "tr14.firing.gtg-declare"),
    "run": Fact("Running", ""),
    "tick": Fact("Has activated this round", ""),
    "leaderless": Fact("Without a Platoon Leader", ""),
}

COVER = {
    "soft": Fact("Soft Cover", "+1 to hit", "tr14.terrain.soft-cover"),
    "hard": Fact("Hard Cover", "+1 to hit, and better Saves", "tr14.terrain.hard-cover"),
}

GOING = {
    "difficult": Fact("Difficult", "Tanks need 2+ to cross", "tr14.moving.tank-difficult"),
    "very-difficult": Fact(
        "Very Difficult", "Tanks need a Training Check, guns cannot cross", "tr14.moving.tank-very-difficult"
    ),
}


@cache
def terrain() -> dict[str, tuple[Fact, ...]]:
    """What each kind of ground does to sight, cover and movement."""
    return {name: tuple(facts(kind)) for name, kind in kinds().items()}


def facts(kind: Kind) -> Iterator[Fact]:
    if kind.shape == "area":
        yield Fact("Seen into, not beyond", "", "tr14.terrain.area")
    elif kind.tall:
        yield Fact("Blocks sight", "", "tr14.terrain.tall-blocks")
    if kind.cover in COVER:
        yield COVER[kind.cover]
        if kind.shape == "line":
            yield Fact("Protects who touches it", "on the side away from the fire", "tr14.terrain.linear")
    if kind.going in GOING:
        yield GOING[kind.going]
