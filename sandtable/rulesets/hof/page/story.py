"""How battles of this game are told when they are over."""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.engine.events import Event
from sandtable.engine.story import Blow, Story


def blows(event: Event) -> Iterable[Blow]:
    """Hits that were dealt out, shells, and blows struck in assaults."""
    data = event.data
    if event.kind == "hits":
        for victim, dealt in data["dealt"].items():
            for by, weapon in dealt:
                yield Blow(by, weapon, victim)
    elif event.kind == "barrage-rfps":
        for victim in data["rfps"]:
            yield Blow("", "barrage", victim)
    elif event.kind == "assault-check" and data["passed"]:
        yield Blow(data["team"], "in assault", data["victim"])


TURNS = ("unit-destroyed", "objective", "break")

STORY = Story(figures=("Break Points", "Objectives"), losses=("lost",), turns=TURNS, blows=blows)
