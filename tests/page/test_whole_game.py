"""From the start page to the end of a battle, by clicking what is offered."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.page.player import Player


def test_one_click_from_the_lobby_to_the_table(arrive: Callable[..., Player]) -> None:
    me = arrive()
    me.lobby()
    me.page.get_by_role("button", name="Play Hail of Fire against a bot").click()
    expect(me.question).to_contain_text("Red")
    assert me.next() == "default"


def test_a_whole_battle_against_a_bot(arrive: Callable[..., Player]) -> None:
    me = arrive()
    me.begin(red="me", blue="bot:random")
    given = me.play(1500)
    # What has one answer, or an obvious one, is not asked: the battle has more answers than were asked for.
    assert given > 15
    assert int(me.page.locator("[data-number]").get_attribute("data-number") or 0) > given
    expect(me.question).to_contain_text("has won")
    # What is over can be looked at from every side, and taken home.
    me.page.get_by_label("Seen by").select_option("*")
    me.page.get_by_role("button", name="A turn back").first.click()
    expect(me.question).to_contain_text("The past")
    me.page.get_by_role("button", name="Back to now").click()
    me.open_menu()
    with me.page.expect_download() as download:
        me.page.get_by_role("button", name="Download the game").click()
    assert download.value.path().read_bytes().startswith(b'{"format":"sandtable.game"')
    me.page.goto(me.address)
    replays = me.page.locator("section", has=me.page.get_by_role("heading", name="Battles to replay"))
    expect(replays.get_by_text("yours").first).to_be_visible()


def test_the_other_rules_play_on_the_same_page(arrive: Callable[..., Player]) -> None:
    me = arrive()
    me.begin(ruleset="tr14", red="me", blue="bot:random")
    assert me.play(15) == 15
