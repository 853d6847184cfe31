"""What a display tells by the rooms of a page: each room is asked for what it alone knows."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from sandtable.engine.ruleset import Display
from sandtable.field.page_rooms import seen_by, shown_by


def room(*names: str) -> Any:
    """A room whose every door says by its own name who was asked, and what."""
    return SimpleNamespace(**{name: lambda *asked, name=name: (name, asked) for name in names})


def test_each_room_is_asked_for_its_own() -> None:
    lookout = room("gauge", "heads")
    lookout.watcher = lambda *_: None
    display: Display[Any, Any, Any] = Display(**shown_by(lookout, room("odds", "fire_from"), room("lines", "tally")))
    game, step = cast(Any, "game"), cast(Any, "step")
    assert display.gauge(game, "red", "tank", step) == cast(Any, ("gauge", (game, "red", "tank", step)))
    assert display.heads(game, "tank", step) == cast(Any, ("heads", (game, "tank", step)))
    assert display.odds(game, "red", 1) == cast(Any, ("odds", (game, "red", 1)))
    assert display.odds_from(game, "red", {}, "gun") == cast(Any, ("fire_from", (game, "red", {}, "gun")))
    assert display.lines(game, []) == cast(Any, ("lines", (game, [])))
    assert display.tally([]) == cast(Any, ("tally", ([],)))


def test_who_may_not_be_asked_about_looks_at_nothing() -> None:
    lookout = room("gauge", "heads")
    lookout.watcher = lambda game, seat, piece, place: None
    display: Display[Any, Any, Any] = Display(**shown_by(lookout, room("odds", "fire_from"), room("lines", "tally")))
    assert display.outlook(cast(Any, "game"), "red", "hidden", None) is None
    assert display.side_view(cast(Any, "game"), "red", "hidden", None, (1.0, 2.0)) is None


def test_the_views_tell_a_ruleset_what_a_seat_may_know() -> None:
    told = ("view", "scene", "score", "summary", "guards", "invariants")
    views = room(*told, "helper")
    assert {name: tell("game")[0] for name, tell in seen_by(views).items()} == {name: name for name in told}
