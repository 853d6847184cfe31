"""The table itself: what is dragged, clicked, hovered and measured on it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.page.player import Player

ON_SCREEN = """([x, y]) => {
  const svg = document.querySelector('.board > svg');
  const picture = svg.querySelector(':scope > g');
  const depth = svg.querySelector('.frame').height.baseVal.value;
  const point = new DOMPoint(x, depth - y).matrixTransform(picture.getScreenCTM());
  return [point.x, point.y];
}"""
"""Where a place of the table, in inches, is on the screen."""


def drag(me: Player, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Drag from a point of the screen to another, and wait until the page shows the end and no place on the way."""
    mouse = me.page.mouse
    mouse.move(*start)
    mouse.down()
    mouse.move(*end, steps=8)
    mouse.up()
    settled(me)


def settled(me: Player) -> None:
    """Wait until the server has said how the last step of a plan would end."""
    expect(me.page.locator(".board")).to_have_attribute("aria-busy", "false")


def spot(me: Player, x: float, y: float) -> tuple[float, float]:
    across, down = me.page.evaluate(ON_SCREEN, [x, y])
    return across, down


def middle(found: Locator) -> tuple[float, float]:
    box = found.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.fixture
def me(arrive: Callable[..., Player]) -> Player:
    """Somebody who is to deploy his first Unit."""
    player = arrive()
    player.begin(ruleset="tr14", scenario="crossroads", red="me", blue="bot:random")
    expect(player.page.locator(".tray .chip").first).to_be_visible()
    return player


def until(me: Player, wanted: Locator) -> None:
    """Answer as it is offered until something is on the table."""
    for _ in range(60):
        if me.next() != "over" and wanted.count():
            return
        me.answer()


def number(me: Player) -> str | None:
    return me.page.locator("[data-number]").get_attribute("data-number")


def test_a_unit_is_dragged_onto_the_table(me: Player) -> None:
    ghosts = me.page.locator(".ghost")
    before = number(me)
    chip = middle(me.page.locator(".tray .chip").first)
    drag(me, chip, spot(me, 36, 44))
    # Not in its own zone: the place is struck, and says why.
    expect(me.page.locator(".ghost.refused")).to_have_count(1)
    expect(me.page.locator("text.reason").first).to_be_visible()
    me.page.keyboard.press("Escape")
    expect(ghosts).to_have_count(0)
    drag(me, chip, spot(me, 20, 6))
    expect(ghosts).to_have_count(1)
    expect(me.page.locator(".ghost.refused")).to_have_count(0)
    me.page.keyboard.press("ArrowUp")
    me.page.keyboard.press("e")
    me.page.keyboard.press("Enter")
    expect(me.page.locator(f"[data-number='{before}']")).to_have_count(0)
    expect(me.page.locator(".piece")).not_to_have_count(0)


def test_what_the_question_lights_can_be_chosen_on_the_table(me: Player) -> None:
    lit = me.page.locator("body:has([data-form=choose]) .piece.lit")
    until(me, lit)
    lit.first.click(force=True)
    expect(me.page.locator(".ring.chosen").first).to_be_visible()
    before = number(me)
    me.page.keyboard.press("Enter")
    expect(me.page.locator(f"[data-number='{before}'][data-state=asked]")).to_have_count(0)


def test_the_reach_is_shown_as_the_ground_allows(me: Player) -> None:
    held = me.page.locator(".piece[data-grab]")
    until(me, held)
    here = middle(held.first)
    drag(me, here, (here[0] + 30, here[1] - 30))
    ring = me.page.locator("path[data-reach]")
    expect(ring).to_have_count(1)
    assert (ring.get_attribute("d") or "").count("L") > 30


def test_a_way_leads_round_by_its_corners(me: Player, arrive: Callable[..., Player]) -> None:
    held, corners = me.page.locator(".piece[data-grab]"), me.page.locator("circle.corner")
    way = me.page.locator("path.way").first

    def turn_at(x: float, y: float) -> None:
        me.page.keyboard.down("Shift")
        me.page.mouse.click(x, y)
        me.page.keyboard.up("Shift")

    until(me, held)
    here = middle(held.first)
    drag(me, here, (here[0] + 20, here[1] - 40))
    expect(me.page.locator(".ghost")).not_to_have_count(0)
    turn_at(here[0] - 20, here[1] - 20)
    expect(corners).to_have_count(1)
    # Two legs instead of one.
    expect(way).to_have_attribute("d", re.compile(r"^M[^L]+L[^L]+L[^L]+$"))
    # Somebody who comes to look on changes nothing about the plan.
    watcher = arrive()
    watcher.page.goto(f"{watcher.address}/game/{me.game}")
    expect(watcher.page.locator(".piece")).not_to_have_count(0)
    expect(corners).to_have_count(1)
    # What stands there is no hindrance to a corner.
    turn_at(*middle(me.page.locator(".piece:not([data-grab])").first))
    expect(corners).to_have_count(2)
    expect(way).to_have_attribute("d", re.compile(r"^M[^L]+L[^L]+L[^L]+L[^L]+$"))


def test_a_place_is_clicked_or_typed(arrive: Callable[..., Player]) -> None:
    me = arrive()
    me.begin(scenario="open-steppe", red="me", blue="me")
    me.page.get_by_role("button", name="I play both sides").click()
    across, up = me.page.get_by_label("Across"), me.page.get_by_label("Up")
    while me.next() != "over" and not across.count():
        me.answer()
    before = number(me)
    me.page.mouse.click(*spot(me, 30, 20))
    expect(me.page.locator("[data-mark]")).to_have_count(1)
    expect(across).to_have_value(re.compile(r"^(29\.|30)"))
    # A place beyond the edge is refused, and the mark says so.
    across.fill("500")
    across.press("Tab")
    expect(me.page.locator("[data-mark].refused")).to_have_count(1)
    me.page.locator("[data-choice='1']").click()
    expect(me.page.locator("[data-mark].refused")).to_have_count(0)
    expect(up).not_to_have_value("")
    me.page.locator("[data-confirm]").click()
    expect(me.page.locator(f"[data-number='{before}'][data-state=asked]")).to_have_count(0)


def test_a_base_tells_what_it_is_and_sees(me: Player) -> None:
    me.play(2)
    me.next()
    piece = me.page.locator(".piece").first
    me.page.mouse.move(*middle(piece))
    expect(me.page.get_by_role("tooltip")).to_contain_text("Moves")
    piece.click(force=True)
    expect(me.page.locator(".sight")).to_have_count(1)


def test_the_ruler_measures_in_inches(me: Player) -> None:
    me.page.get_by_role("button", name="Ruler").click()
    drag(me, spot(me, 10, 40), spot(me, 22, 40))
    measured = me.page.locator(".measure text").text_content() or ""
    assert abs(float(measured.removesuffix("″")) - 12) < 0.3


def test_the_table_is_panned_and_zoomed(me: Player) -> None:
    near = spot(me, 36, 24)
    drag(me, near, (near[0] + 60, near[1] + 40))
    me.page.get_by_role("button", name="Nearer").click()
    across = spot(me, 46, 24)[0] - spot(me, 36, 24)[0]
    me.page.get_by_role("button", name="The whole table").click()
    assert across > (spot(me, 46, 24)[0] - spot(me, 36, 24)[0]) * 1.3


def test_trenches_wire_and_mines_are_laid_by_mouse(arrive: Callable[..., Player]) -> None:
    me = arrive()
    me.begin(ruleset="hof", scenario="ridge", red="bot:random", blue="me")
    chips, ghosts = me.page.locator(".tray .chip"), me.page.locator(".ghost")
    refused, refusal = me.page.locator(".ghost.refused"), me.page.locator(".notice.bad")
    expect(me.question).to_contain_text("4 lengths of trench")
    expect(chips).to_have_count(4)
    # Where he may lay them is shown, and a place beyond it is refused.
    expect(me.page.locator(".area title")).to_have_text("Your half")
    drag(me, middle(chips.first), spot(me, 30, 10))
    expect(refused).to_have_count(1)
    expect(refusal).to_contain_text("on your half")
    drag(me, spot(me, 30, 10), spot(me, 30, 33))
    expect(refused).to_have_count(0)
    # One upon the other is refused as well; end to end is not.
    drag(me, middle(chips.first), spot(me, 33, 33.5))
    expect(refusal).to_contain_text("cannot lie there")
    drag(me, spot(me, 33, 33.5), spot(me, 38.1, 33))
    expect(refused).to_have_count(0)
    expect(me.page.get_by_text("Planned: 2 of 4")).to_be_visible()
    # Nothing pops up over a length that lies there: it has no card.
    me.page.mouse.move(*spot(me, 30, 33))
    me.page.wait_for_timeout(600)
    expect(me.page.get_by_role("tooltip")).to_have_count(0)
    me.page.keyboard.press("Enter")
    # Picked up by a click and set down by a click, then turned by its handle.
    expect(me.question).to_contain_text("3 lengths of wire")
    chips.first.click()
    expect(me.page.get_by_text("Click where they go.")).to_be_visible()
    me.page.mouse.click(*spot(me, 45, 29))
    expect(ghosts).to_have_count(1)
    before = ghosts.first.get_attribute("transform")
    handle = middle(me.page.locator("[data-turn]"))
    drag(me, handle, (handle[0] + 80, handle[1] - 40))
    expect(ghosts.first).not_to_have_attribute("transform", before or "")
    me.page.get_by_role("button", name="Confirm").click()
    # A proposal that has been taken is confirmed by Enter, though its button has the focus.
    expect(me.question).to_contain_text("3 lengths of minefield")
    me.page.locator("[data-choice='1']").click()
    expect(ghosts.first).to_be_visible()
    me.page.keyboard.press("Enter")
    expect(me.question).not_to_contain_text("minefield")
    me.page.get_by_role("tab", name="Log").click()
    log = me.page.get_by_role("tabpanel")
    for words in ("Blue lays 2 lengths of trench.", "Blue lays 1 length of wire.", "of minefield."):
        expect(log).to_contain_text(words)
