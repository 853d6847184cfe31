"""Back and forth: undo, replay, moments, files."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from tests.page.player import Player


def test_undo_and_redo(arrive: Callable[..., Player]) -> None:
    me = arrive()
    me.begin(red="me", blue="bot:random")
    me.next()
    first = me.words()
    me.answer()
    expect(me.question).not_to_have_text(first)
    second = me.words()
    me.page.get_by_role("button", name="Undo").click()
    expect(me.question).to_have_text(first)
    me.page.get_by_role("button", name="Redo").first.click()
    expect(me.question).to_have_text(second)


def test_replay_and_a_link_to_a_moment(arrive: Callable[..., Player]) -> None:
    me = arrive()
    me.begin(red="me", blue="bot:random")
    me.play(16)
    me.next()
    me.page.get_by_role("button", name="Time", exact=True).click()
    expect(me.page.get_by_role("slider", name="Beat")).to_be_enabled()
    now = me.words()
    me.page.get_by_role("button", name="A beat back").click()
    expect(me.question).to_contain_text("The past")
    me.page.get_by_label("Speed").select_option("8")
    me.page.get_by_role("button", name="Play", exact=True).click()
    expect(me.question).to_have_text(now)
    me.page.goto(f"{me.page.url}?at=3")
    expect(me.question).to_contain_text("The past")
    me.page.get_by_role("button", name="Back to now").click()
    expect(me.question).to_have_text(now)


def test_a_battle_goes_out_as_a_file_and_comes_in_again(arrive: Callable[..., Player], tmp_path: Path) -> None:
    me = arrive()
    me.begin(red="me", blue="me")
    me.next()
    me.page.get_by_role("button", name="I play both sides").click()
    # The dice to come stay sealed: elsewhere the battle goes on from the last large question.
    while "Who acts?" not in me.words():
        me.answer()
    words, game = me.words(), me.game
    me.open_menu()
    file = tmp_path / "battle.sandtable"
    with me.page.expect_download() as download:
        me.page.get_by_role("button", name="Download the game").click()
    download.value.save_as(file)
    with me.page.expect_download() as download:
        me.page.get_by_role("button", name="Download this moment").click()
    assert "[" in download.value.path().read_text(encoding="utf-8")
    me.lobby()
    me.page.get_by_label("A game file").set_input_files(file)
    me.page.wait_for_url("**/game/*")
    assert me.game != game
    me.page.get_by_role("button", name="I play both sides").click()
    expect(me.question).to_have_text(words)


def test_taking_back_further_with_a_bot_that_agrees(arrive: Callable[..., Player]) -> None:
    me = arrive()
    me.begin(red="me", blue="bot:random")
    me.play(6)
    me.next()
    me.open_menu()
    me.page.get_by_role("button", name="Take back further…").click()
    choices = me.page.get_by_role("dialog").get_by_role("listitem").get_by_role("button")
    expect(choices.first).to_be_visible()
    choices.last.click()
    expect(me.page.get_by_role("dialog")).to_have_count(0)
    me.page.get_by_role("tab", name="Log").click()
    expect(me.page.get_by_text("The game goes back").first).to_be_visible()


def test_what_the_other_side_did_is_watched(arrive: Callable[..., Player]) -> None:
    me = arrive()
    me.begin(red="me", blue="bot:random")
    watch = me.page.get_by_role("button", name="Watch what they did")
    for _ in range(120):
        me.next()
        if watch.count():
            break
        me.answer()
    now = me.words()
    me.page.get_by_role("button", name="Time", exact=True).click()
    me.page.get_by_label("Speed").select_option("8")
    watch.click()
    expect(me.question).to_contain_text("The past")
    expect(me.question).to_have_text(now, timeout=15_000)


def test_giving_up(arrive: Callable[..., Player]) -> None:
    me = arrive()
    me.begin(red="me", blue="bot:random")
    me.next()
    me.open_menu()
    me.page.get_by_role("button", name="Resign…").click()
    me.page.get_by_role("button", name="Resign the battle").click()
    expect(me.question).to_contain_text("Blue has won")


def test_bots_are_watched_from_the_beginning(arrive: Callable[..., Player]) -> None:
    me = arrive()
    me.begin(ruleset="tr14", red="bot:random", blue="bot:random")
    me.page.wait_for_url("**/game/*")
    expect(me.question).to_contain_text("The past: turn 1.")
    beat = me.page.get_by_role("slider", name="Beat")
    expect(beat).to_have_attribute("max", re.compile(r"^[1-9]\d"))
    expect(beat).to_have_value("0")
    me.page.get_by_role("button", name="A beat on").click()
    expect(beat).to_have_value("1")
    me.page.get_by_role("button", name="Play", exact=True).click()
    expect(beat).not_to_have_value("1")
