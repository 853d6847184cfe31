"""What the page says: why, the log, the reference, standing answers, dice typed in."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from sandtable.engine.ledger import Ledger, offered
from tests.page.moments import TARGET, moment
from tests.page.player import Player

CODES = re.compile(r"\b(?:red|blue)-[a-z0-9]+(?:-[a-z0-9]+)*\b|\b(?:hof|sof|tr14)\.[a-z]")


def test_why_and_the_log_lead_to_the_rules(arrive: Callable[..., Player]) -> None:
    me = arrive()
    me.begin(red="me", blue="bot:random")
    me.play(14)
    me.next()
    me.page.get_by_role("button", name="Why?").click()
    why = me.page.get_by_role("tabpanel")
    expect(why.locator("code").first).to_contain_text("hof.")
    me.page.get_by_role("tab", name="Log").click()
    line = why.locator("summary", has_text="rolls").first
    line.click()
    expect(why.get_by_role("img").first).to_be_visible()
    why.locator("details details summary").first.click()
    with me.context.expect_page() as opened:
        why.get_by_role("link", name="Open its page").first.click()
    expect(opened.value.get_by_role("heading", level=2)).to_be_visible()
    me.page.get_by_role("tab", name="Rules").click()
    me.page.get_by_label("Find a rule").fill("smoke")
    expect(why.locator("summary", has_text="Smoke").first).to_be_visible()


def test_no_codes_on_the_screen(arrive: Callable[..., Player]) -> None:
    for ruleset in offered():
        me = arrive()
        me.begin(ruleset=ruleset, red="me", blue="bot:greedy")
        for _ in range(14):
            me.answer()
            found = CODES.findall(me.page.locator("body").inner_text())
            assert found == [], me.words()


def test_the_reference(arrive: Callable[..., Player]) -> None:
    me = arrive()
    me.page.goto(f"{me.address}/rules")
    me.page.get_by_label("Find a rule").fill("rally")
    expect(me.page.locator("summary", has_text=re.compile("rall", re.IGNORECASE)).first).to_be_visible()
    me.page.locator("summary", has_text=re.compile("rall", re.IGNORECASE)).first.click()
    me.page.locator("details[open]").get_by_role("link", name="Open its page").click()
    expect(me.page.get_by_text("Its name in the code")).to_be_visible()


def test_the_reference_lists_all_rules_and_filters_them(arrive: Callable[..., Player]) -> None:
    me = arrive()
    rules = {name: len(Ledger.load(name).rules) for name in offered()}
    me.page.goto(f"{me.address}/rules")
    status, shown = me.page.get_by_role("status"), me.page.locator(".search details")
    expect(status).to_have_text(f"100 of {sum(rules.values())} rules")
    more = me.page.get_by_role("button", name=re.compile(r"Show \d+ more"))
    for count in range(200, sum(rules.values()) + 100, 100):
        more.click()
        expect(shown).to_have_count(min(count, sum(rules.values())))
    expect(more).to_have_count(0)
    expect(status).to_have_text(f"{sum(rules.values())} rules")
    me.page.get_by_role("navigation", name="Rulesets").get_by_role("link").last.click()
    expect(status).to_have_text(f"100 of {rules['tr14']} rules")
    firing = sum(rule.startswith("tr14.firing.") for rule in Ledger.load("tr14").rules)
    me.page.get_by_label("Chapter").select_option("tr14 firing")
    expect(status).to_have_text(f"{firing} rules")
    expect(me.page.get_by_role("heading", level=3)).to_have_text(["Firing"])
    me.page.get_by_label("Find a rule").fill("concealed")
    expect(status).not_to_have_text(f"{firing} rules")
    expect(me.page.get_by_role("heading", level=3)).to_have_text(["Firing"])


def test_habits_are_taken_up_and_dropped(arrive: Callable[..., Player]) -> None:
    me = arrive()
    me.begin(red="me", blue="bot:random")
    me.next()
    me.page.get_by_role("button", name="Answer always…").click()
    habit = me.page.get_by_role("checkbox", name="Never react in the enemy's turn.")
    expect(habit).not_to_be_checked()
    habit.click()
    expect(habit).to_be_checked()
    habit.click()
    expect(habit).not_to_be_checked()


def test_real_dice_are_typed_in(arrive: Callable[..., Player]) -> None:
    me = arrive()
    me.begin(ruleset="tr14", dice="typed", red="me", blue="bot:random")
    field = me.page.get_by_placeholder("type 531")
    while me.next() != "dice":
        me.answer()
    number = int(re.findall(r"\d+", me.page.locator("label", has=field).inner_text())[0])
    before = me.words()
    field.press_sequentially("4" * number)
    field.press("Enter")
    expect(me.question).not_to_have_text(before)


def test_a_name_in_the_log_shows_its_piece(arrive: Callable[..., Player]) -> None:
    me = arrive()
    me.begin(ruleset="tr14", red="me", blue="bot:random")
    for _ in range(4):
        me.answer()
    me.page.get_by_role("tab", name="Log").click()
    line = me.page.get_by_role("tabpanel").locator("details", has_text="deploys").last
    name = line.get_by_role("button", name="Red Company Commander")
    expect(name).to_be_visible()
    name.click()
    # The line stays closed, and the Unit is selected: the roster has it pressed.
    expect(line).not_to_have_attribute("open", "")
    roster = me.page.get_by_role("complementary", name="Roster")
    pressed = roster.locator("button[aria-pressed=true]", has_text="Company Commander")
    expect(pressed.first).to_be_visible()


@pytest.mark.parametrize(
    ("battle", "question", "habit", "words"),
    [
        ("hof-city-block-15", TARGET, "weapons", "Every Team fires the weapon that promises most at full rate."),
        ("tr14-crossroads-15", 60, "plain-first", "Hits and markers go to your plainest Teams first, to leaders last."),
    ],
)
def test_a_habit_is_shown_where_it_acts(
    arrive: Callable[..., Player], battle: str, question: int, habit: str, words: str
) -> None:
    # Given both sides with the same habit,
    me = arrive()
    me.resume(moment(battle, question))
    taken: set[str] = set()
    line = me.page.locator(f"[data-habit='{habit}']")
    for _ in range(60):
        assert me.next() != "over"
        side = me.question.locator(".side").inner_text()
        if side not in taken:
            taken.add(side)
            me.page.get_by_role("button", name="Answer always…").click()
            me.page.get_by_role("checkbox", name=words).click()
            expect(me.page.get_by_role("checkbox", name=words)).to_be_checked()
            me.page.keyboard.press("Escape")
            expect(me.page.get_by_role("dialog")).to_have_count(0)
            me.next()
        if line.count():
            break
        me.answer()
    # when it has answered what cannot be taken back, then it says so, and leads to where it is changed.
    me.page.get_by_role("button", name=f"Change the habit: {words}").first.click()
    box = me.page.get_by_role("checkbox", name=words)
    expect(box).to_be_checked()
    box.click()
    expect(box).not_to_be_checked()


def test_bots_say_why_to_those_who_want_it_and_may_know(arrive: Callable[..., Player]) -> None:
    me = arrive()
    me.begin(red="me", blue="bot:greedy")
    me.play(14)
    me.next()
    me.page.get_by_role("tab", name="Log").click()
    log = me.page.get_by_role("tabpanel")
    reasons = log.locator("[data-reason]")
    switch = log.get_by_label("Show the bots' reasons")
    expect(switch).not_to_be_checked()
    switch.check()
    # What the other side's bot thinks is told when the battle is over.
    expect(log).to_contain_text("What a bot thinks is told when the battle is over.")
    expect(reasons).to_have_count(0)
    # The wish is kept; the battle is given up, and all is told.
    me.page.reload()
    expect(switch).to_be_checked()
    me.open_menu()
    me.page.get_by_role("button", name="Resign…").click()
    me.page.get_by_role("button", name="Resign the battle").click()
    expect(reasons.first).to_contain_text(re.compile(r"Blue – .+\."))
    expect(log).not_to_contain_text("What a bot thinks")
    assert not CODES.search("\n".join(reasons.all_inner_texts()))
    switch.uncheck()
    expect(reasons).to_have_count(0)


def test_whoever_watches_two_bots_reads_why_as_they_play(arrive: Callable[..., Player]) -> None:
    me = arrive()
    me.begin(red="bot:greedy", blue="bot:greedy")
    me.page.get_by_role("tab", name="Log").click()
    log = me.page.get_by_role("tabpanel")
    log.get_by_label("Show the bots' reasons").check()
    # It is watched from its beginning, where nobody has chosen anything.
    expect(log).to_contain_text("Nothing has happened yet.")
    expect(log.locator("[data-reason]")).to_have_count(0)
    me.page.get_by_role("button", name="Back to now").click()
    for side in ("red", "blue"):
        expect(log.locator(f"[data-reason={side}]").first).to_be_visible()
