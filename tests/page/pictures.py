"""The README's pictures of the page, taken anew: `make pictures`."""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from sandtable.testing.traffic import free_port, started
from tests.page.conftest import ARGUMENTS, chromium
from tests.page.player import BRIEFED, WISHES

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


def sit_down(context: BrowserContext, address: str, game: str, key: str) -> Page:
    context.add_init_script(WISHES % json.dumps(BRIEFED))
    page = context.new_page()
    page.goto(f"{address}/game/{game}#key={key}")
    expect(page.locator("[data-state=asked]")).to_have_count(1, timeout=60_000)
    page.wait_for_timeout(1500)
    return page


def to_a_target(page: Page) -> None:
    """Go on until it is asked at whom to fire, and choose the first."""
    for _ in range(60):
        words = page.get_by_test_id("question").inner_text()
        if "fire?" in words:
            break
        fire = page.locator(".question").get_by_role("button", name="Fire").first
        if fire.is_visible():
            fire.click()
        number = page.locator("[data-number]").get_attribute("data-number")
        while page.locator(f"[data-number='{number}']").count():
            if page.locator(".notice.bad").count():
                # Not like that: what the game itself would do.
                page.keyboard.press("Escape")
            page.keyboard.press("Enter")
            page.wait_for_timeout(400)
        expect(page.locator("[data-state=asked]")).to_have_count(1, timeout=60_000)
    page.keyboard.press("Enter")
    page.wait_for_timeout(2500)


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
        page = sit_down(browser.new_context(**PHONE), address, game, key)
        page.screenshot(path=PICTURES / "page-phone.png")
        page = sit_down(browser.new_context(**DESK), address, game, key)
        page.screenshot(path=PICTURES / "page-table.png")
        to_a_target(page)
        page.screenshot(path=PICTURES / "page-target.png")
        take_lobby(browser, address)
        browser.close()
        server.terminate()
        server.wait(timeout=20)


if __name__ == "__main__":
    main()
