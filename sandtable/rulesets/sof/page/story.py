"""How battles of this game are told when they are over."""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.engine.events import Event
from sandtable.engine.story import Blow, Story


def blows(event: Event) -> Iterable[Blow]:
    """Fire that wounds, with what it was fired."""
    if event.kind == "lethality" and event.data["wounds"]:
        yield Blow(event.data["unit"], "", event.data["target"])


TURNS = ("battlegroup-lost", "gives-way", "promotion")

STORY = Story(figures=("Figures", "Objectives"), losses=("losses", "unit-lost"), turns=TURNS, blows=blows, by_unit=True)
