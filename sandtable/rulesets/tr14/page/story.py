"""How battles of this game are told when they are over."""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.engine.events import Event
from sandtable.engine.story import Blow, Rolled, Story, rolled


def blows(event: Event) -> Iterable[Blow]:
    """Volleys at a Unit, hits as they were allocated where it matters whose they are, shells, and strikes."""
    data = event.data
    if event.kind == "shooting":
        yield Blow(data["unit"], "", data["target"])
    elif event.kind == "allocated":
        for by, weapon, victim, _ in data["by"]:
            yield Blow(by, weapon, victim)
    elif event.kind == "barrage-hits" and data["hits"]:
        yield Blow(data["unit"], "barrage", data["team"])
    elif event.kind == "strike" and data["passes"]:
        yield Blow(data["team"], "in assault", data["victim"])


def rolls(event: Event) -> Iterable[Rolled]:
    """Each weapon of a volley needs a number of its own."""
    if event.kind != "shooting":
        return rolled(event)
    return [Rolled(event.seat, shot["dice"], shot["needed"], shot["hits"]) for shot in event.data["shots"]]


TURNS = ("unit-lost", "objective", "company")

STORY = Story(figures=("Units", "Objectives"), losses=("destroyed",), turns=TURNS, blows=blows, rolls=rolls)
