"""How the page behaves: small, quick, legible, by keyboard, on a phone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.page.player import Player

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}

UNNAMED = """() => ['button', 'a[href]', 'input', 'select', 'textarea', 'summary', '[role=tab]', '[role=img]']
  .flatMap((kind) => [...document.querySelectorAll(kind)])
  .filter((each) => each.getClientRects().length)
  .filter((each) => {
    const names = [each.getAttribute('aria-label'), each.getAttribute('title'), each.textContent];
    const labels = [...(each.labels ?? [])].map((label) => label.textContent);
    const ids = (each.getAttribute('aria-labelledby') ?? '').split(' ');
    const by = ids.map((id) => document.getElementById(id)?.textContent);
    return ![...names, ...labels, ...by].some((name) => name?.trim());
  })
  .map((each) => each.outerHTML.slice(0, 160))"""

PALE = """() => {
  const parts = (colour) => (colour.match(/[\\d.]+/g) ?? []).map(Number);
  const light = ([r, g, b]) => {
    const part = (v) => ((v /= 255), v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const over = (top, under) => [0, 1, 2].map((i) => top[i] * (top[3] ?? 1) + under[i] * (1 - (top[3] ?? 1)));
  const ground = (each) => {
    const layers = [];
    for (let at = each; at; at = at.parentElement) layers.push(parts(getComputedStyle(at).backgroundColor));
    return layers.reverse().reduce((under, top) => over(top, under), [255, 255, 255]);
  };
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const each = walk.currentNode.parentElement;
    if (!walk.currentNode.data.trim() || each.closest('svg, :disabled, script, style, .unseen')) continue;
    if (!each.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const style = getComputedStyle(each);
    const under = ground(each);
    const [a, b] = [light(over(parts(style.color), under)), light(under)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) found.push(`${ratio.toFixed(2)} ${each.tagName} ${walk.currentNode.data.trim().slice(0, 40)}`);
  }
  return found;
}"""

WEIGHT = """() => [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .reduce((sum, each) => sum + each.transferSize, 0)"""


@pytest.fixture
def table(arrive: Callable[..., Player]) -> Player:
    """A game that somebody has begun, some answers old."""
    me = arrive()
    me.begin(red="me", blue="bot:random")
    me.play(10)
    me.next()
    return me


def test_every_control_has_a_name(table: Player) -> None:
    assert table.page.evaluate(UNNAMED) == []
    for window in ("More", "Keys"):
        table.page.get_by_role("button", name=window, exact=True).click()
        assert table.page.evaluate(UNNAMED) == []
        table.page.keyboard.press("Escape")
    for path in ("", "/rules"):
        table.page.goto(f"{table.address}{path}")
        expect(table.page.locator("select, summary").first).to_be_visible()
        assert table.page.evaluate(UNNAMED) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_stands_out_from_its_ground(arrive: Callable[..., Player], theme: str) -> None:
    me = arrive(color_scheme=theme)
    me.begin(red="me", blue="bot:random")
    me.play(10)
    me.next()
    assert me.page.evaluate(PALE) == []
    me.page.keyboard.press("Enter")
    expect(me.page.get_by_role("button", name="Clear")).to_be_visible()
    me.page.get_by_role("button", name="Why?").click()
    assert me.page.evaluate(PALE) == []
    me.page.get_by_role("button", name="Unfold the roster").click()
    me.page.locator(".roster li button").first.click()
    assert me.page.evaluate(PALE) == []
    me.open_menu()
    assert me.page.evaluate(PALE) == []
    for path in ("", "/rules?find=smoke"):
        me.page.goto(f"{me.address}{path}")
        expect(me.page.locator("select, summary").first).to_be_visible()
        assert me.page.evaluate(PALE) == []


def test_the_table_is_light(table: Player, arrive: Callable[..., Player]) -> None:
    guest = arrive()
    guest.page.goto(table.page.url)
    guest.page.wait_for_load_state("networkidle")
    assert 10_000 < guest.page.evaluate(WEIGHT) < 300_000


def test_by_keyboard_alone(arrive: Callable[..., Player]) -> None:
    me = arrive()
    me.lobby()
    keyboard = me.page.keyboard
    for _ in range(10):
        keyboard.press("Tab")
        if me.page.evaluate("document.activeElement.hasAttribute('data-quick')"):
            break
    outline = "getComputedStyle(document.activeElement).outlineStyle"
    assert me.page.evaluate(outline) == "solid", "the focus must be seen"
    keyboard.press("Enter")
    expect(me.page.locator("[data-state=asked]")).to_have_count(1)
    seen = set()
    for _ in range(30):
        me.next()
        seen.add(me.words())
        keyboard.press("Enter")
        me.page.wait_for_timeout(60)
    assert len(seen) > 4
    keyboard.press("?")
    expect(me.page.get_by_role("dialog", name="Keys")).to_be_visible()
    keyboard.press("Escape")
    expect(me.page.get_by_role("dialog")).to_have_count(0)
    keyboard.press("w")
    expect(me.page.get_by_role("tab", name="Why")).to_have_attribute("aria-selected", "true")
    keyboard.press(",")
    expect(me.question).to_contain_text("The past")
    keyboard.press("n")
    expect(me.question).not_to_contain_text("The past")


def test_on_a_phone(arrive: Callable[..., Player]) -> None:
    me = arrive(**PHONE)
    me.begin(red="me", blue="bot:random")
    for _ in range(8):
        me.answer(tap=True)
    me.next()
    assert me.page.evaluate("document.documentElement.scrollWidth") <= 390
    for sheet, inside in (("Roster", "Red, yours"), ("Log", "Turn 1"), ("Time", "Share this moment")):
        me.page.get_by_role("navigation", name="Sheets").get_by_role("button", name=sheet).tap()
        expect(me.page.get_by_text(inside).first).to_be_visible()
        me.page.get_by_role("button", name="Close").locator("visible=true").tap()
        expect(me.page.get_by_text(inside).first).to_be_hidden()
    small = me.page.evaluate(
        "[...document.querySelectorAll('nav button, .grip, .question button')]"
        ".filter((each) => each.getClientRects().length && each.getBoundingClientRect().height < 32)"
        ".map((each) => each.textContent)"
    )
    assert small == []
