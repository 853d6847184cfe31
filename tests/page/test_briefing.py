"""The briefing: what a battle is about, before the first question and behind a button afterwards."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.page.player import Player

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}


def briefing(player: Player) -> Locator:
    return player.page.get_by_role("dialog", name="Briefing")


@pytest.mark.parametrize(
    ("ruleset", "attacks", "won", "leads"),
    [
        ("hof", "Red, from the south. Blue defends.", "Blue routs: above 11 Break Points", "Tank"),
        ("tr14", "Both sides.", "At the end Red holds objectives worth more than those of Blue.", "Tank"),
        ("sof", ". Patrol: Advance Planning (both)", "Red controls more objectives than Blue at the end.", "Gruppe"),
    ],
)
def test_before_the_first_question(
    arrive: Callable[..., Player], ruleset: str, attacks: str, won: str, leads: str
) -> None:
    me = arrive(new=True)
    me.begin(ruleset=ruleset, red="me", blue="bot:random")
    card = briefing(me)
    expect(card).to_be_visible()
    for words in ("You are Red.", attacks, won, "How it is lost", "What ends it", "You lead", leads):
        expect(card).to_contain_text(words)
    me.page.keyboard.press("Enter")
    expect(card).to_have_count(0)
    # Enter has gone to battle and has answered nothing.
    expect(me.page.locator("[data-state=asked]")).to_have_count(1)
    expect(me.page.get_by_role("button", name="Undo", exact=True)).to_be_disabled()
    me.page.reload()
    expect(me.page.locator("[data-state=asked]")).to_have_count(1)
    expect(card).to_have_count(0)
    me.page.get_by_role("button", name="Briefing", exact=True).click()
    expect(card).to_contain_text(attacks)
    me.page.keyboard.press("Escape")
    expect(card).to_have_count(0)


@pytest.mark.parametrize(
    ("ruleset", "scenario"), [("hof", "city-block"), ("tr14", "crossroads"), ("sof", "hasty-assault")]
)
def test_all_of_it_is_seen_at_once_on_a_laptop(arrive: Callable[..., Player], ruleset: str, scenario: str) -> None:
    me = arrive(new=True, viewport={"width": 1366, "height": 768})
    me.begin(ruleset=ruleset, scenario=scenario, red="me", blue="bot:random")
    expect(briefing(me).get_by_role("button", name="To battle")).to_be_in_viewport(ratio=1)
    expect(briefing(me).locator("li").last).to_be_in_viewport(ratio=1)
    assert briefing(me).evaluate("(card) => card.scrollHeight <= card.clientHeight")


def test_a_key_opens_it_again(arrive: Callable[..., Player]) -> None:
    me = arrive()
    me.begin(red="me", blue="bot:random")
    me.next()
    me.page.keyboard.press("b")
    expect(briefing(me)).to_contain_text("How it is won")
    # Enter leaves it, and answers nothing.
    me.page.keyboard.press("Enter")
    expect(briefing(me)).to_have_count(0)
    expect(me.page.get_by_role("button", name="Undo", exact=True)).to_be_disabled()


def test_each_of_two_at_one_screen_is_briefed(arrive: Callable[..., Player]) -> None:
    both = arrive(new=True)
    both.begin(ruleset="tr14", red="me", blue="me")
    told = []
    for _ in range(2):
        both.page.locator("[data-ready]").click()
        told.append(briefing(both).locator(".task b").inner_text())
        expect(briefing(both)).to_contain_text("You lead")
        briefing(both).get_by_role("button", name="To battle").click()
        expect(briefing(both)).to_have_count(0)
        # He deploys a Unit, looks at it, and hands over.
        for _ in range(2):
            assert both.answer() != "over"
    assert sorted(told) == ["Blue", "Red"]
    # Whoever sits down again knows it already.
    both.page.locator("[data-ready]").click()
    both.next()
    expect(briefing(both)).to_have_count(0)


def test_it_names_the_optional_rules(arrive: Callable[..., Player]) -> None:
    me = arrive(new=True)
    me.begin(scenario="city-block", red="me", blue="bot:random")
    expect(briefing(me)).to_contain_text("National characteristics, Follow the leader, Company Commander")


def test_a_watcher_is_told_on_demand_what_everybody_may_know(arrive: Callable[..., Player]) -> None:
    me, guest = arrive(), arrive(new=True)
    me.begin(red="me", blue="bot:random")
    me.next()
    guest.page.goto(f"{guest.address}/game/{me.game}")
    guest.page.get_by_role("button", name="Briefing", exact=True).click()
    expect(briefing(guest)).to_contain_text("How Blue wins")
    expect(briefing(guest)).not_to_contain_text("You lead")


def test_on_a_phone_it_is_a_sheet(arrive: Callable[..., Player]) -> None:
    me = arrive(new=True, **PHONE)
    me.begin(red="me", blue="bot:random")
    box = briefing(me).bounding_box()
    assert box is not None
    assert (box["x"], box["y"], box["width"], box["height"]) == (0, 0, 390, 844)
    briefing(me).get_by_role("button", name="To battle").tap()
    expect(briefing(me)).to_have_count(0)
    me.open_menu()
    me.page.get_by_role("button", name="Briefing", exact=True).tap()
    expect(briefing(me)).to_be_visible()
