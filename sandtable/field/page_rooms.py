"""The rooms of a ruleset's page that every game has, and what a display tells by them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Protocol

from sandtable.engine.cards import Fact, Odds, PreviewLine
from sandtable.engine.events import Event
from sandtable.engine.questions import Answer, Step
from sandtable.engine.ruleset import Guard, Score
from sandtable.field import sightlines
from sandtable.table.scene import Scene
from sandtable.table.shapes import Place


class LookoutRoom(Protocol):
    """What a piece sees and what a step costs it, from where it stands or from where it might."""

    def watcher(self, game: Any, seat: str | None, piece: str, place: Place | None) -> sightlines.Watcher | None: ...
    def gauge(self, game: Any, seat: str, piece: str, step: Step) -> list[Fact]: ...
    def heads(self, game: Any, piece: str, step: Step) -> float | None: ...


class OddsRoom(Protocol):
    """The exact odds of an attack before its dice."""

    def odds(self, game: Any, seat: str, answer: Answer) -> Odds | None: ...
    def fire_from(self, game: Any, seat: str, places: Mapping[str, Place], target: str) -> Odds | None: ...


class OutcomesRoom(Protocol):
    """How an attack went, told from its events."""

    def lines(self, game: Any, events: list[Event]) -> list[PreviewLine]: ...
    def tally(self, events: list[Event]) -> Mapping[str, int]: ...


class ViewsRoom(Protocol):
    """What a seat may know of a battle, how it is drawn, how it stands, and what must always hold of it."""

    def view(self, game: Any, seat: str | None) -> dict[str, Any]: ...
    def scene(self, game: Any, seat: str | None) -> Scene: ...
    def score(self, state: Any) -> Score: ...
    def summary(self, state: Any) -> dict[str, Any]: ...
    def guards(self, game: Any, seat: str) -> list[Guard]: ...
    def invariants(self, game: Any) -> list[str]: ...


def seen_by(views: ViewsRoom) -> dict[str, Any]:
    """What a ruleset tells by its views."""
    return {name: getattr(views, name) for name in ("view", "scene", "score", "summary", "guards", "invariants")}


def shown_by(lookout: LookoutRoom, odds: OddsRoom, outcomes: OutcomesRoom) -> dict[str, Any]:
    """What a display tells by these rooms."""
    return {
        "outlook": partial(sightlines.outlook, lookout.watcher),
        "side_view": partial(sightlines.side_view, lookout.watcher),
        "gauge": lookout.gauge,
        "heads": lookout.heads,
        "odds": odds.odds,
        "odds_from": odds.fire_from,
        "lines": outcomes.lines,
        "tally": outcomes.tally,
    }
