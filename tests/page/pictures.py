"""The README's pictures of the page, taken anew: `make pictures`."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Browser, BrowserContext, expect, sync_playwright

from sandtable.testing.traffic import free_port, started
from tests.page.conftest import ARGUMENTS, chromium
from tests.page.player import Player

MOST_ANSWERS = 60
PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
DESK: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2,
}  # fmt: skip


def mid_battle(http: httpx.Client, scenario: str, turn: int) -> tuple[str, str]:
    """A battle that two bots have brought to some turn, and the key of the one whose seat is then taken."""
    seats = {"red": "me", "blue": "bot:greedy"}
    made = http.post("/api/games", json={"ruleset": "hof", "scenario": scenario, "seats": seats}).json()
    game, key = made["id"], made["keys"]["red"]
    header = {"Authorization": f"Bearer {key}"}
    http.post(f"/api/games/{game}/seats", json={"seat": "red", "holder": "bot:greedy"}, headers=header)
    while http.get(f"/api/games/{game}").json()["turn"] < turn:
        time.sleep(0.2)
    http.post(f"/api/games/{game}/seats", json={"seat": "red", "holder": "me"}, headers=header)
    return game, key


def sit_down(context: BrowserContext, address: str, game: str, key: str) -> Player:
    me = Player(context, address, staged=True)
    me.page.goto(f"{address}/game/{game}#key={key}")
    expect(me.page.locator("[data-state=asked]")).to_have_count(1, timeout=60_000)
    me.page.wait_for_timeout(1500)
    return me


def to_a_target(me: Player) -> None:
    """Go on until it is asked at whom to fire, and choose whom the game itself would."""
    for _ in range(MOST_ANSWERS):
        me.next()
        if "fire?" in me.words():
            break
        fire = me.page.locator(".question").get_by_role("button", name="Fire").first
        if fire.is_visible():
            fire.click()
        me.answer()
    else:
        raise AssertionError(f"nobody fired in {MOST_ANSWERS} answers")
    suggest = me.page.locator(".question [data-suggest]")
    (suggest if suggest.count() else me.page.locator(".question [data-choice]").first).click()
    expect(me.page.locator(".question [data-confirm]")).to_be_enabled()
    me.page.wait_for_timeout(2500)


def take_lobby(browser: Browser, address: str) -> None:
    """The lobby as somebody sees it who is new."""
    page = browser.new_context(**DESK).new_page()
    page.goto(address)
    expect(page.locator("[data-first]")).to_be_enabled(timeout=60_000)
    page.wait_for_timeout(3000)
    page.screenshot(path=PICTURES / "page-lobby.png")


def main() -> None:
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = started(port, Path(folder) / "games.sqlite")
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        with httpx.Client(base_url=address, timeout=60) as http:
            game, key = mid_battle(http, "hedgerow-village", 3)
        me = sit_down(browser.new_context(**PHONE), address, game, key)
        me.page.screenshot(path=PICTURES / "page-phone.png")
        me = sit_down(browser.new_context(**DESK), address, game, key)
        me.page.screenshot(path=PICTURES / "page-table.png")
        to_a_target(me)
        me.page.screenshot(path=PICTURES / "page-target.png")
        take_lobby(browser, address)
        browser.close()
        server.terminate()
        server.wait(timeout=20)


if __name__ == "__main__":
    main()
