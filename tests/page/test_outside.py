"""A game outside the package on the page: its squads are dragged, and it is played to its end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from sandtable.testing.traffic import ended, free_port, started
from tests.page.player import Player
from tests.page.test_board import drag, spot

SKIRMISH = Path(__file__).parent.parent.parent / "docs" / "examples" / "skirmish.py"


@pytest.fixture
def skirmish(tmp_path: Path) -> Iterator[str]:
    port = free_port()
    process = started(port, tmp_path / "games.sqlite", "--workers", "1", "--ruleset-file", str(SKIRMISH))
    yield f"http://127.0.0.1:{port}"
    ended(process)


def test_skirmish_is_played_on_the_page(arrive: Callable[..., Player], skirmish: str) -> None:
    me = arrive(skirmish)
    me.begin(ruleset="skirmish", scenario="farm", red="me", blue="bot:random")
    expect(me.question).to_contain_text("Which squad acts?")
    me.answer()
    expect(me.question).to_contain_text("Where does Red First Squad go?")
    # Given a squad that is dragged by one of its Teams, when the player confirms, then all of it has moved.
    drag(me, spot(me, 11, 3), spot(me, 14, 8))
    # The draft follows the mouse: it is confirmed once it has come to where the squad was dropped.
    expect(me.page.get_by_text("Planned: 3 Teams, about 5.8 inches north-north-east.")).to_be_visible()
    expect(me.page.locator(".ghost")).to_have_count(3)
    expect(me.page.locator(".ghost.refused")).to_have_count(0)
    me.page.keyboard.press("Enter")
    me.page.get_by_role("tab", name="Log").click()
    expect(me.page.locator(".log")).to_contain_text("Red First Squad moves 5.8 inches.")
    assert me.play(300) < 300
    expect(me.page.locator("[data-state=over]")).to_be_visible()
