"""A real server and a real Chromium: what a player meets, nothing in between."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Error, expect, sync_playwright

from sandtable.server.page import FOLDER
from sandtable.testing.traffic import free_port, started
from tests.page.player import Player

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
# Two browsers, two servers and their bots may share two cores: what comes late is no failure.
PATIENCE = 60_000
expect.set_options(timeout=PATIENCE)
NAMES = ("chromium", "chromium-browser", "google-chrome")


def chromium() -> str | None:
    """The one named in CHROMIUM, or one of the system."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        try:
            launched = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        except Error as error:
            pytest.fail(f"Chromium cannot be started. Install it, or name it in CHROMIUM. {error}")
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a server plays, in a process of its own."""
    if not (FOLDER / "index.html").is_file():
        pytest.fail("The page has not been built. `make web` builds it.")
    port = free_port()
    process = started(port, tmp_path_factory.mktemp("page") / "games.sqlite", "--workers", "1")
    yield f"http://127.0.0.1:{port}"
    process.terminate()
    process.wait(timeout=20)


@pytest.fixture
def arrive(browser: Browser, address: str, tmp_path: Path) -> Iterator[Callable[..., Player]]:
    """Somebody with a browser of his own. Whatever his console complained of fails the test."""
    players: list[Player] = []

    def come(at: str = address, *, staged: bool = False, new: bool = False, **options: Any) -> Player:
        context = browser.new_context(**{"viewport": {"width": 1440, "height": 900}, **options})
        players.append(Player(context, at, staged=staged, new=new))
        return players[-1]

    yield come
    complaints = [complaint for player in players for complaint in player.complaints]
    for player in players:
        player.context.close()
    assert complaints == []
