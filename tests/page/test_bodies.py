"""Squads on the page: drawn as one, dragged in their ranks, wheeled by a handle, and paid for with dice on a rail."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
from playwright.sync_api import expect

from sandtable import rulesets
from sandtable.engine import record
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.engine.places import OFFERED
from sandtable.testing.traffic import free_port, started
from tests.page.player import Player
from tests.page.test_board import drag, middle, settled, spot

RECRUITS, IN_FRONT = "red-3", "rc-2"
"""A body of twelve in an attack column, and the man in the middle of its front."""


BARE = """() => {
  const handle = document.querySelector('[data-wheel]');
  const { x, y, width, height } = handle.getBoundingClientRect();
  return document.elementFromPoint(x + width / 2, y + height / 2) === handle;
}"""
"""Whether the handle of a body can be taken hold of."""


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that offers the game though it is in the making."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(OFFERED, "sof")
        port = free_port()
        process = started(port, tmp_path_factory.mktemp("bodies") / "games.sqlite", "--workers", "1")
    yield f"http://127.0.0.1:{port}"
    process.terminate()
    process.wait(timeout=20)


@cache
def asked_whom_to_activate() -> str:
    """A clash as a file, in which Red is asked whom it activates and may activate its column."""
    rules = rulesets.load("sof")
    game: Game[Any] = Game(rules, rules.scenario("clash"), SeededDice(1))
    for _ in range(60):
        assert game.ask is not None
        question = game.ask.question
        if game.ask.seat == "red" and question.topic == "activate":
            return record.dumps(game)
        game.accept(question.candidates(1)[0])
    pytest.fail("red was not asked whom it activates")


@pytest.fixture
def me(arrive: Callable[..., Player], there: str) -> Player:
    """Somebody who plays both sides and is asked whom Red activates."""
    player = arrive(there)
    player.resume(asked_whom_to_activate())
    expect(player.question).to_contain_text("which unit does red activate?")
    return player


def test_a_unit_is_drawn_as_one_and_wears_its_signs_once(me: Player) -> None:
    page = me.page
    bodies = page.locator("path[data-body]")
    expect(bodies).to_have_count(11)
    label = page.locator(f".label[data-unit={RECRUITS}]")
    expect(label).to_contain_text("Recruits")
    expect(label).to_contain_text("attack column, 12")
    # Markers lie at units: no piece wears one of its own before anybody is wounded.
    expect(page.locator("g.strip")).to_have_count(0)
    marked = page.locator(".label [data-sign=pinned]")
    lying = sum(int(sign.text_content() or 0) for sign in marked.all())
    assert lying > 0
    # Whoever is selected shows how far his voice carries.
    page.mouse.click(*middle(page.locator(".label[data-unit=blue-hq]")))
    expect(page.locator("[data-voice=blue-lt]")).to_be_visible()


def test_dice_lie_on_a_rail_and_one_is_spent_by_dragging_it_onto_a_unit(me: Player) -> None:
    page = me.page
    rail = page.locator("[data-rail]")
    expect(rail.locator("[data-step]")).to_have_count(7)
    now = rail.locator("[aria-current=step]")
    phase = now.get_attribute("data-step")
    assert f"Phase {phase}" in me.words()
    spent = now.locator(".dice.red [data-spent]").count()
    assert now.locator("[data-spend]").count() > 0
    drag(me, middle(now.locator("[data-spend]").first), middle(page.locator(f"[data-body={RECRUITS}]")))
    expect(me.question).to_contain_text("What does Red Recruits do?")
    expect(now.locator(".dice.red [data-spent]")).to_have_count(spent + 1)
    expect(page.locator(f".label[data-unit={RECRUITS}] [data-sign=tick]")).to_have_count(1)


def test_a_body_is_dragged_in_its_ranks_and_wheeled_by_its_handle(me: Player) -> None:
    page = me.page
    page.mouse.click(*middle(page.locator(f"[data-body={RECRUITS}]")))
    expect(me.question).to_contain_text("What does Red Recruits do?")
    # A drag says that it moves and where to; every man has a ghost, and the flanks show their ways.
    x, y = middle(page.locator(f"[data-piece={IN_FRONT}]"))
    north = spot(me, 0, 1)[1] - spot(me, 0, 0)[1]
    drag(me, (x, y), (x, y + 3 * north))
    expect(me.question).to_contain_text("Where does Red Recruits go?")
    ghosts = page.locator(".ghost")
    expect(ghosts).to_have_count(12)
    expect(page.locator("path.way")).to_have_count(2)
    card = page.locator("section.move")
    expect(card).to_contain_text("3.0 inches")
    expect(page.locator("text.inches")).to_contain_text("3.0 of 9″")
    # The handle before its front wheels it: the outermost man walks farther than straight ahead.
    expect(page.locator("[data-wheel]")).to_have_count(1)
    page.wait_for_function(BARE)
    hx, hy = middle(page.locator("[data-wheel]"))
    drag(me, (hx, hy), (hx + 60, hy + 20))
    expect(card).to_contain_text("Wheel")
    expect(card).to_contain_text("right")
    expect(ghosts).to_have_count(12)
    # A button turns it back by fifteen degrees, and Escape takes the whole plan back.
    before = card.inner_text()
    card.get_by_role("button", name="Turn left").click()
    settled(me)
    assert card.inner_text() != before
    page.keyboard.press("Enter")
    expect(me.question).to_contain_text("What does Red Recruits do next?")
    expect(ghosts).to_have_count(0)


def test_too_far_a_drop_ends_where_the_outermost_man_may_go(me: Player) -> None:
    page = me.page
    page.mouse.click(*middle(page.locator(f"[data-body={RECRUITS}]")))
    expect(me.question).to_contain_text("What does Red Recruits do?")
    x, y = middle(page.locator(f"[data-piece={IN_FRONT}]"))
    north = spot(me, 0, 1)[1] - spot(me, 0, 0)[1]
    drag(me, (x, y), (x + 2 * north, y + 12 * north))
    expect(page.locator(".ghost")).to_have_count(12)
    expect(page.locator(".ghost.refused")).to_have_count(0)
    told = page.locator("text.inches").text_content() or ""
    inches, reach = (float(number) for number in re.findall(r"[\d.]+", told))
    assert reach - 2 < inches <= reach
