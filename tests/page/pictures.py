"""The README's pictures of the page, taken anew: `make pictures`. They show moments of one battle of the corpus."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, expect, sync_playwright

from sandtable.testing.traffic import ended, free_port, started
from tests.page.conftest import ARGUMENTS, PATIENCE, chromium
from tests.page.moments import moment
from tests.page.player import Player
from tests.page.test_layout import rest
from tests.page.test_manners import PHONE

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
DESK: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}}
BATTLE = "hof-hedgerow-village-15"
MOVING, AIMING, ON_THE_WAY = 217, 255, 224
"""What is asked there: where a platoon moves, at whom one fires, and where another moves."""


def take_moment(browser: Browser, address: str, number: int, name: str, window: dict[str, Any]) -> None:
    """Somebody who is asked, and has chosen what is proposed first."""
    me = Player(browser.new_context(**window), address)
    me.resume(moment(BATTLE, number))
    rest(me)
    me.page.locator(".question [data-choice='1'], .question [data-default]").first.click()
    expect(me.page.locator(".question [data-confirm]")).to_be_enabled()
    expect(me.page.get_by_label("What may happen")).to_be_visible()
    # The pointer would light up what it lies on.
    me.page.mouse.move(1, 1)
    rest(me)
    me.page.screenshot(path=PICTURES / name)
    me.context.close()


def take_lobby(browser: Browser, address: str) -> None:
    """The lobby as somebody sees it who is new."""
    page = browser.new_context(**DESK).new_page()
    page.goto(address)
    expect(page.locator("[data-first]")).to_be_enabled()
    page.wait_for_load_state("networkidle")
    page.screenshot(path=PICTURES / "page-lobby.png")


def main() -> None:
    expect.set_options(timeout=PATIENCE)
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = started(port, Path(folder) / "games.sqlite")
        try:
            browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
            take_lobby(browser, address)
            take_moment(browser, address, MOVING, "page-table.png", DESK)
            take_moment(browser, address, AIMING, "page-target.png", DESK)
            take_moment(browser, address, ON_THE_WAY, "page-phone.png", PHONE)
            browser.close()
        finally:
            ended(server)


if __name__ == "__main__":
    main()
