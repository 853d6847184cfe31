"""A first battle from the lobby, by mouse and by touch; the lobby's pictures, names, and the notice of one's move."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, expect

from sandtable import rulesets
from tests.page.player import Player

LESSON = rulesets.load("hof").lessons()["first-battle"]
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

TOLD = """
window.told = [];
window.asked = 0;
const Real = window.Notification;
window.Notification = class extends Real {
  constructor(title, options) { super(title, options); window.told.push([title, options.body]); }
  static requestPermission() { window.asked += 1; return Real.requestPermission(); }
};
"""
"""Notes what the browser is asked to tell, and how often it is asked for leave to; both go on as ever."""


def guide(me: Player) -> Locator:
    return me.page.locator("section[data-guide]")


def at_the_first_step(me: Player) -> None:
    me.page.goto(me.address)
    me.page.get_by_role("button", name="Start your first battle").click()
    expect(guide(me)).to_contain_text("1 of 16")


def follow(me: Player, *, tap: bool = False) -> None:
    """Look, have the answer shown, and confirm it."""
    number = me.page.locator("[data-number]").get_attribute("data-number")

    def press(button: Locator) -> None:
        button.tap() if tap else button.click()

    while not me.page.locator("[data-guide-show]").count():
        press(me.page.locator("[data-guide-next]"))
    press(me.page.locator("[data-guide-show]"))
    expect(guide(me)).to_contain_text("then confirm")
    press(me.page.locator(".question [data-confirm]"))
    me.page.wait_for_function(
        "number => Number(document.querySelector('[data-state=asked]')?.dataset.number) > Number(number)", arg=number
    )


def test_a_newcomer_is_guided_from_the_lobby_to_his_first_shots(arrive: Callable[..., Player]) -> None:
    # Given somebody who has never been here: he sees one button, and what the battle is about,
    me = arrive(new=True)
    me.page.goto(me.address)
    expect(me.page.get_by_role("heading", name=LESSON.title)).to_be_visible()
    me.page.get_by_role("button", name="Start your first battle").click()
    briefing = me.page.get_by_role("dialog")
    expect(briefing).to_contain_text(LESSON.about)
    briefing.get_by_role("button", name="To battle").click()
    # then the guide speaks: the first look points at the farm,
    expect(guide(me)).to_contain_text(LESSON.steps[0].says)
    expect(me.page.locator("[data-guided=place]")).to_have_count(1)
    me.page.locator("[data-guide-next]").click()
    # the second at the Weapons Section, and at the button that would be pressed.
    expect(guide(me)).to_have_attribute("data-guide", "2")
    ringed = me.page.locator("circle[data-guided]")
    expect(ringed).to_have_count(3)
    expect(me.page.locator("circle[data-guided=weapons-pl]")).to_be_visible()
    expect(me.page.locator("button.guided")).to_contain_text("Weapons Section")
    # When he has it shown, it is drafted and not sent: he looks, and confirms.
    me.page.locator("[data-guide-show]").click()
    expect(me.page.locator("button.chosen")).to_contain_text("Weapons Section")
    expect(me.page.locator("[data-number]")).to_have_attribute("data-number", "0")
    me.page.locator("[data-confirm]").click()
    expect(guide(me)).to_have_attribute("data-guide", "3")
    # The way back brings the step back.
    me.page.get_by_role("button", name="Undo").click()
    expect(guide(me)).to_have_attribute("data-guide", "2")


def test_whoever_does_something_else_is_followed_and_whoever_skips_it_is_left_alone(
    arrive: Callable[..., Player],
) -> None:
    me = arrive()
    at_the_first_step(me)
    # Given one who activates the rifles first, against the guide's word,
    me.page.locator("[data-choice]", has_text="Platoon Leader, Rifle Platoon").click()
    me.page.locator("[data-confirm]").click()
    # then the guide has another word for that.
    expect(guide(me)).to_contain_text("All of them move")
    why = guide(me).get_by_role("button", name="Why?")
    why.click()
    expect(me.page.get_by_role("tab", name="Why")).to_have_attribute("aria-selected", "true")
    expect(me.page.get_by_text("The PL issues either one order").first).to_be_visible()
    # What has been read can be put away, and asked for again.
    guide(me).get_by_role("button", name="Got it").click()
    expect(guide(me)).to_have_count(0)
    me.page.get_by_role("button", name="Ask the guide").click()
    guide(me).get_by_role("button", name="Skip the lesson").click()
    expect(guide(me)).to_have_count(0)
    expect(me.page.locator("[data-guided]")).to_have_count(0)
    expect(me.page.locator("[data-state=asked]")).to_have_count(1)
    me.page.get_by_role("button", name="Ask the guide").click()
    expect(guide(me)).to_contain_text("All of them move")


def test_the_guide_and_the_question_lie_apart_and_off_what_they_are_about(arrive: Callable[..., Player]) -> None:
    me = arrive(viewport={"width": 1366, "height": 768})
    at_the_first_step(me)
    for _ in range(7):
        follow(me)
        me.page.wait_for_timeout(400)
        if not guide(me).count():
            continue
        card, asked = guide(me).bounding_box(), me.page.locator("div.place").bounding_box()
        assert card is not None
        assert asked is not None
        apart = (
            card["x"] + card["width"] <= asked["x"]
            or asked["x"] + asked["width"] <= card["x"]
            or card["y"] + card["height"] <= asked["y"]
            or asked["y"] + asked["height"] <= card["y"]
        )
        assert apart, (card, asked)
        for ring in me.page.locator("circle[data-guided]").all():
            box = ring.bounding_box()
            assert box is not None
            assert card["x"] + card["width"] <= box["x"] + 1


def test_a_first_battle_of_the_other_game_on_a_phone(arrive: Callable[..., Player]) -> None:
    me = arrive(**PHONE)
    me.page.goto(me.address)
    me.page.get_by_role("group", name="Rules", exact=True).get_by_role("button", name="Test rules 2014").tap()
    me.page.get_by_role("button", name="Start your first battle").tap()
    expect(guide(me)).to_contain_text("1 of 11")
    for step in (2, 3, 4):
        follow(me, tap=True)
        assert step
    expect(guide(me)).to_contain_text("Saves and markers")
    # Nothing that the guide points at lies under him.
    card = guide(me).bounding_box()
    assert card is not None
    for ring in me.page.locator("circle[data-guided]").all():
        box = ring.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= card["y"] + 2 or box["y"] >= card["y"] + card["height"] - 2


def test_every_battle_is_a_picture_with_a_line_and_is_set_up_from_it(arrive: Callable[..., Player]) -> None:
    me = arrive()
    me.lobby()
    cards = me.page.locator("[data-scenario]")
    expect(cards).to_have_count(len(rulesets.load("hof").scenarios()))
    ridge = me.page.locator("[data-scenario=ridge]")
    expect(ridge).to_contain_text("rounds")
    ridge.scroll_into_view_if_needed()
    me.page.wait_for_function("() => document.querySelector('[data-scenario=ridge] img').naturalWidth > 0")
    ridge.get_by_role("button", name="Set up The Ridge").click()
    expect(me.page.locator("form select").nth(1)).to_have_value("ridge")
    me.page.get_by_role("group", name="Rules of the battles").get_by_role("button", name="Test rules 2014").click()
    expect(cards).to_have_count(len(rulesets.load("tr14").scenarios()))
    me.page.get_by_role("button", name="Play Two Patrols against a bot").click()
    expect(me.page.locator("[data-state=asked]")).to_have_count(1)
    # Whoever has played here is no newcomer: his battle waits for him before anything else.
    me.page.goto(me.address)
    mine = me.page.locator("[data-waits]")
    expect(mine).to_have_count(1)
    expect(mine).to_contain_text("Your move")
    expect(me.page.get_by_role("button", name="Start your first battle")).to_have_count(0)
    expect(me.page.locator("[data-lesson]")).to_have_count(1)
    expect(me.page).to_have_title("● Sandtable")
    assert me.page.locator("link[rel=icon]").get_attribute("href") == "/icon-turn.svg"
    mine.get_by_role("link", name="Play").click()
    expect(me.page.locator("[data-state=asked]")).to_have_count(1)


def test_players_have_names(arrive: Callable[..., Player]) -> None:
    me, friend = arrive(), arrive()
    for player, name in ((me, "Ada"), (friend, "Grace")):
        player.lobby()
        player.page.get_by_label("You play as").fill(name)
        player.page.get_by_label("You play as").press("Tab")
    me.begin(ruleset="tr14", red="me", blue="link")
    link = me.page.locator("[data-link=blue]").input_value()
    friend.page.goto(link)
    expect(friend.page.locator("[data-state]")).to_have_count(1)
    me.page.get_by_role("link", name="To my seat").click()
    expect(friend.page.get_by_role("heading", name="Red, Ada")).to_be_visible()
    me.page.goto(me.address)
    expect(me.page.get_by_text("against Grace").first).to_be_visible()


def test_a_notice_comes_when_it_is_my_move_and_only_if_i_wish_it(arrive: Callable[..., Player]) -> None:
    me, friend = arrive(permissions=["notifications"]), arrive()
    me.context.add_init_script(TOLD)
    me.begin(ruleset="tr14", red="link", blue="me")
    friend.page.goto(me.page.locator("[data-link=red]").input_value())
    me.page.goto(me.address)
    assert me.page.evaluate("window.asked") == 0
    me.page.get_by_role("button", name="Tell me when it is my move").click()
    expect(me.page.get_by_role("button", name="You are told when it is your move")).to_be_visible()
    me.page.get_by_role("link", name=re.compile("Open|Play")).first.click()
    expect(me.page.locator("[data-state=waiting]")).to_have_count(1)
    me.page.evaluate("Object.defineProperty(document, 'hidden', { get: () => true })")
    friend.answer()
    me.page.wait_for_function("window.told.length > 0")
    assert me.page.evaluate("window.told[0]") == ["Your move", "Two Patrols"]
    expect(me.page).to_have_title("● Two Patrols")
