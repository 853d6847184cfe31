"""After the battle: what decided it, on one page that can be kept as one file."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from sandtable import rulesets
from sandtable.engine import record
from tests.page.moments import CORPUS, moment
from tests.page.player import Player

INK = "getComputedStyle(document.querySelector('.who b')).color"
"""The colour of the winner's name."""


@pytest.mark.parametrize("name", ["hof-city-block-15", "tr14-crossroads-15"])
def test_the_page_tells_what_decided_a_battle(
    arrive: Callable[..., Player], browser: Browser, name: str, tmp_path: Path
) -> None:
    # Given a battle whose last answer is to come,
    whole = record.replay(record.read(CORPUS / f"{name}.game"), rulesets.load)
    me = arrive()
    me.resume(moment(name, len(whole.game.record) - 1))
    while me.answer() != "over":
        pass
    # when it is over, a link leads to what decided it:
    me.page.get_by_role("link", name="What decided it").click()
    result = whole.game.rules.seats
    expect(me.page.get_by_role("heading", level=1)).to_contain_text("at the end:")
    for seat in result:
        expect(me.page.get_by_text(f"{seat.capitalize()}:", exact=False).first).to_be_visible()
    expect(me.page.locator("figure svg").first).to_be_visible()
    expect(me.page.get_by_role("heading", name="What swung it")).to_be_visible()
    expect(me.page.get_by_role("heading", name="How the dice fell")).to_be_visible()
    # it goes out as one file that needs nothing else,
    with me.page.expect_download() as download:
        me.page.get_by_role("button", name="Save as one file").click()
    file = tmp_path / "after.html"
    download.value.save_as(file)
    text = file.read_text("utf-8")
    assert "What swung it" in text
    assert "<script" not in text
    assert "<button" not in text
    # opens where there is no network, with its chart and its looks,
    alone = browser.new_context(offline=True)
    kept = alone.new_page()
    asked: list[str] = []
    kept.on("request", lambda request: asked.append(request.url))
    kept.goto(file.as_uri())
    assert asked == [file.as_uri()]
    assert kept.locator("h1").inner_text() == me.page.locator("h1").inner_text()
    expect(kept.locator("figure svg").first).to_be_visible()
    expect(kept.get_by_text("Watch it")).to_have_count(0)
    assert kept.evaluate(INK) == me.page.evaluate(INK)
    alone.close()
    # is printed dark on white, without what works only on a screen,
    me.page.evaluate("document.documentElement.dataset.theme = 'dark'")
    me.page.emulate_media(media="print")
    expect(me.page.get_by_role("button", name="Print")).to_be_hidden()
    expect(me.page.get_by_role("link", name="Watch it", exact=True).first).to_be_hidden()
    assert me.page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"
    assert me.page.pdf().startswith(b"%PDF")
    me.page.emulate_media(media="screen")
    # has room on a phone, with a chart that can be read,
    me.page.set_viewport_size({"width": 390, "height": 844})
    me.page.wait_for_function("document.querySelector('figure svg').getBoundingClientRect().width < 390")
    assert me.page.evaluate("document.documentElement.scrollWidth") <= 390
    assert me.page.locator("figure text").first.bounding_box()["height"] >= 11  # type: ignore[index]
    me.page.set_viewport_size({"width": 1366, "height": 768})
    # and a moment that swung it is played by one click.
    me.page.get_by_role("link", name="Watch it", exact=True).first.click()
    me.page.wait_for_url("**/game/*at=*")
    began = int(re.search(r"at=(\d+)", me.page.url)[1])  # type: ignore[index]
    expect(me.question).to_contain_text("The past")
    me.page.wait_for_function(
        "began => Number(document.querySelector('[data-number]')?.dataset.number) > began", arg=began
    )


def test_a_battle_that_goes_on_is_not_told(arrive: Callable[..., Player]) -> None:
    me = arrive()
    me.forgiving = True
    me.begin(red="me", blue="bot:random")
    me.next()
    me.page.goto(f"{me.address}/game/{me.game}/after")
    expect(me.page.get_by_role("alert")).to_have_text("The battle is not over yet.")
