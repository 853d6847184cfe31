"""The table fills the screen: what floats over its edges, folds, and leaves free what the eye needs."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from math import hypot
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.page.moments import DEPLOYING, LATE, MOVING, REVEALING, TARGET, WHO_ACTS, moment, recorded
from tests.page.player import Player
from tests.page.test_board import drag, middle, number, settled, spot
from tests.page.test_manners import PHONE

LAPTOP = {"viewport": {"width": 1366, "height": 768}}
WIDE = {"viewport": {"width": 1920, "height": 1080}}
BATTLE = "hof-city-block-15"

BOXES = """(selector) => [...document.querySelectorAll(selector)]
  .filter((each) => each.getClientRects().length)
  .map((each) => each.getBoundingClientRect())
  .map(({ left, top, right, bottom }) => [left, top, right, bottom])"""

SMALL = """() => [...document.querySelectorAll('button, select, input, a, summary')]
  .filter((each) => each.getClientRects().length)
  .filter((each) => Math.min(each.getBoundingClientRect().width, each.getBoundingClientRect().height) < 44)
  .map((each) => each.outerHTML.slice(0, 120))"""
"""What is there to be touched, and smaller than a thumb."""

Box = list[float]


def boxes(me: Player, selector: str) -> list[Box]:
    found: list[Box] = me.page.evaluate(BOXES, selector)
    return found


def overlap(one: Box, other: Box, slack: float = 1.0) -> bool:
    """Whether two boxes lie over one another by more than a hair."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return across > slack and down > slack


RESTS = """() => new Promise((done) => {
  let last = '', since = performance.now(), frames = 0;
  const look = (now) => {
    const places = [...document.querySelectorAll('.question .place, .foretold, g.label, .refusal rect')];
    const at = JSON.stringify(places.map((each) => each.getBoundingClientRect()));
    if (at !== last) [last, since, frames] = [at, now, 0];
    else if (++frames > 12 && now - since > 400) return done();
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})"""
"""Done when nothing has moved for a while."""


def rest(me: Player) -> None:
    """Wait until the card has found its place."""
    settled(me)
    me.page.evaluate(RESTS)


@pytest.fixture
def at(arrive: Callable[..., Player]) -> Callable[..., Player]:
    """Somebody at a moment of the same battle."""

    def sit_down(question: int, battle: str = BATTLE, **options: Any) -> Player:
        me = arrive(**{**LAPTOP, **options})
        me.resume(moment(battle, question))
        rest(me)
        return me

    return sit_down


def share(me: Player) -> float:
    """The part of the window that the table takes."""
    ((left, top, right, bottom),) = boxes(me, "rect.frame")
    size = me.page.viewport_size
    assert size is not None
    assert min(left, top) >= 0, "all of the table is seen"
    assert right <= size["width"]
    assert bottom <= size["height"]
    return (right - left) * (bottom - top) / (size["width"] * size["height"])


@pytest.mark.parametrize("window", [LAPTOP, WIDE], ids=["laptop", "wide"])
def test_the_table_takes_two_thirds_of_the_window(at: Callable[..., Player], window: dict[str, Any]) -> None:
    me = at(MOVING, **window)
    assert share(me) >= 0.65
    (table,) = boxes(me, "rect.frame")
    for drawer in boxes(me, "aside.roster, .tools, .tabs"):
        assert not overlap(drawer, table)
    # The log takes the roster's place: there is room for one of them.
    me.page.get_by_role("tab", name="Log").click()
    expect(me.page.get_by_role("tabpanel")).to_be_visible()
    rest(me)
    assert share(me) >= 0.65
    (table,) = boxes(me, "rect.frame")
    for drawer in boxes(me, "aside, .tools, .tabs"):
        assert not overlap(drawer, table)


def test_the_status_is_one_line(at: Callable[..., Player]) -> None:
    (strip,) = boxes(at(WHO_ACTS), "header:has(.facts)")
    assert strip[3] - strip[1] <= 48


def test_what_is_folded_is_remembered(at: Callable[..., Player]) -> None:
    me = at(MOVING)
    roster, log = me.page.get_by_label("Find a Unit"), me.page.get_by_role("tabpanel")
    time = me.page.get_by_role("slider", name="Beat")
    expect(roster).to_be_visible()
    expect(log).to_have_count(0)
    me.page.get_by_role("button", name="Fold the roster").click()
    me.page.get_by_role("tab", name="Rules").click()
    me.page.get_by_role("button", name="Time", exact=True).click()
    expect(time).to_be_visible()
    me.page.reload()
    expect(log).to_be_visible()
    expect(time).to_be_visible()
    expect(roster).to_have_count(0)
    # Folded, the roster still leads to each Unit.
    unit = me.page.get_by_role("complementary", name="Roster").get_by_role("button", name="Mortar Platoon")
    unit.click()
    expect(unit).to_have_attribute("aria-pressed", "true")
    me.page.get_by_role("button", name="Unfold the roster").click()
    expect(roster).to_be_visible()
    expect(log).to_have_count(0)


def covers_nothing(me: Player) -> None:
    """The card lies over bare ground, on the screen, and its own Confirm can be pressed."""
    (card,) = boxes(me, ".question .place")
    size = me.page.viewport_size
    assert size is not None
    assert min(card) >= 0
    assert card[2] <= size["width"]
    assert card[3] <= size["height"]
    for what in (".piece", ".ghost", "g.label", "g.strip", ".tools", ".tabs", "header:has(.facts)"):
        for box in boxes(me, what):
            assert not overlap(card, box), f"the card lies over {what}"
    confirm = me.page.locator("[data-confirm]")
    if confirm.count():
        x, y = middle(confirm)
        assert me.page.evaluate("([x, y]) => !!document.elementFromPoint(x, y).closest('[data-confirm]')", [x, y])


@pytest.mark.parametrize("window", [LAPTOP, WIDE], ids=["laptop", "wide"])
def test_the_card_covers_neither_target_nor_confirm_nor_tools(
    at: Callable[..., Player], window: dict[str, Any]
) -> None:
    me = at(TARGET, **window)
    covers_nothing(me)
    targets = me.page.locator(".piece.lit")
    targets.last.click(force=True)
    expect(me.page.locator(".ring.chosen")).to_have_count(1)
    expect(me.page.get_by_label("What may happen")).to_be_visible()
    rest(me)
    covers_nothing(me)


def test_the_card_keeps_off_a_planned_move(at: Callable[..., Player]) -> None:
    me = at(MOVING)
    covers_nothing(me)
    me.page.keyboard.press("Enter")
    expect(me.page.locator(".ghost")).not_to_have_count(0)
    rest(me)
    covers_nothing(me)


# Where a card would lie on what it proposes, if it looked only at what is on the table.
@pytest.mark.parametrize(
    ("battle", "question"),
    [
        ("hof-city-block-16", 347),
        ("hof-hedgerow-village-15", 217),
        ("tr14-crossroads-14", 314),
        ("tr14-patrol-14", 114),
    ],
)
def test_who_clicks_at_a_proposal_sees_where_it_leads(at: Callable[..., Player], battle: str, question: int) -> None:
    me = at(question, battle)
    (card,) = boxes(me, ".question .place.card")
    me.page.locator(".question [data-choice='1']").click()
    expect(me.page.locator(".ghost")).not_to_have_count(0)
    rest(me)
    # The pointer is on the card, which therefore lies still.
    (now,) = boxes(me, ".question .place.card")
    assert abs(now[0] - card[0]) < 2
    covers_nothing(me)


def test_the_card_steps_back_from_what_is_dragged_under_it(at: Callable[..., Player]) -> None:
    # Given a card beside the Unit that it asks about,
    me = at(MOVING)
    (card,) = boxes(me, ".question .place.card")
    base = middle(me.page.locator(".piece[data-piece^='blue-mortars']").first)
    # when the Unit is dragged to where the card lies,
    me.page.mouse.move(*base)
    me.page.mouse.down()
    me.page.mouse.move((card[0] + card[2]) / 2, (card[1] + card[3]) / 2, steps=8)
    expect(me.page.locator(".ghost")).not_to_have_count(0)
    # then one sees through the card where everybody would stand,
    aside = me.page.locator(".question .place.aside")
    expect(aside).to_have_css("opacity", "0.15")
    # and it is there again, off them, when they are set down.
    me.page.mouse.up()
    expect(aside).to_have_count(0)
    rest(me)
    covers_nothing(me)


def gap(one: Box, other: Box) -> float:
    """How far apart two boxes are."""
    across = max(0.0, one[0] - other[2], other[0] - one[2])
    down = max(0.0, one[1] - other[3], other[1] - one[3])
    return float(hypot(across, down))


@pytest.mark.parametrize(("battle", "question"), [("hof-ridge-14", 645), ("hof-ridge-17", 207)])
def test_who_comes_to_stand_beside_others_is_asked_beside_them(
    at: Callable[..., Player], battle: str, question: int
) -> None:
    # A new Leader stands nowhere yet; the sentence names the Team that he comes to.
    me = at(question, battle)
    (team,) = re.findall(r"\[\[team:([^|]+)", recorded(battle, question)[0].words)
    covers_nothing(me)
    (card,) = boxes(me, ".question .place.card")
    (base,) = boxes(me, f".piece[data-piece='{team}']")
    assert gap(card, base) < 100


@pytest.mark.parametrize(
    ("question", "unit", "most"),
    [
        # The fight is all about them: what is free lies between two streets.
        (199, "blue-mortars", 100),
        (251, "blue-anti-tank", 170),
        (329, "red-sappers-smg-2", 100),
    ],
)
def test_the_card_lies_at_its_unit_in_a_crowded_fight(
    at: Callable[..., Player], question: int, unit: str, most: float
) -> None:
    me = at(question)
    covers_nothing(me)
    (card,) = boxes(me, ".question .place.card")
    assert min(gap(card, base) for base in boxes(me, f".piece[data-piece^='{unit}']")) < most
    # Labels gave way to it, and to nothing else.
    assert collisions(me) == []


def test_labels_keep_off_a_planned_move(at: Callable[..., Player]) -> None:
    me = at(MOVING)
    me.page.keyboard.press("Enter")
    expect(me.page.locator(".ghost")).not_to_have_count(0)
    rest(me)
    for ghost in boxes(me, ".ghost > .edge"):
        for label in boxes(me, "g.label > .plate"):
            assert not overlap(ghost, label, 4.0)


def test_a_bar_has_its_sentence_in_one_line(at: Callable[..., Player]) -> None:
    me = at(WHO_ACTS)
    (words,) = boxes(me, ".question .bar .words")
    assert words[3] - words[1] < 30


def test_what_nobody_stands_for_is_found_first_among_many(at: Callable[..., Player]) -> None:
    me = at(WHO_ACTS)
    choices = me.page.locator(".question [data-choice]")
    assert choices.count() > 12
    on_the_table = ["◎" in words for words in choices.all_inner_texts()]
    # What Enter would take comes before all, so that it is seen.
    expect(choices.first).to_have_attribute("data-default", "true")
    expect(choices.first).to_be_in_viewport(ratio=1)
    assert on_the_table[1:] == sorted(on_the_table[1:])
    ends = choices.filter(has_text="End the turn")
    expect(ends).to_be_in_viewport(ratio=1)
    # Its key is still that of its place among the answers.
    expect(ends.locator("kbd")).to_have_text(ends.get_attribute("data-choice") or "")


def test_what_is_chosen_on_the_table_is_seen_in_a_long_row(at: Callable[..., Player]) -> None:
    # Given Teams that may all fire at one of many targets, more than the card has room for,
    me = at(30, "tr14-crossroads-15")
    row = me.page.get_by_role("group", name="All of them").locator("[data-choice]")
    last = row.last
    expect(last).not_to_be_in_viewport(ratio=1)
    # when the last of them is given, then it is in sight.
    me.page.evaluate("(button) => button.click()", last.element_handle())
    expect(last).to_have_attribute("aria-pressed", "true")
    expect(last).to_be_in_viewport(ratio=0.9)


def test_the_card_is_dragged_away(at: Callable[..., Player]) -> None:
    me = at(TARGET)
    before = boxes(me, ".question .place")[0]
    words = me.question.bounding_box()
    assert words is not None
    here = (words["x"] + 60, words["y"] + 10)
    end = (400.0, 300.0)
    drag(me, here, end)
    after = boxes(me, ".question .place")[0]
    assert after != before
    assert abs(after[0] - before[0] - (end[0] - here[0])) < 3
    # It stays there, whatever happens to the answer.
    me.page.keyboard.press("Enter")
    expect(me.page.locator(".ring.chosen")).to_have_count(1)
    rest(me)
    assert boxes(me, ".question .place")[0][0] == after[0]


def test_what_is_about_no_unit_is_asked_in_a_bar(at: Callable[..., Player]) -> None:
    me = at(WHO_ACTS)
    expect(me.page.locator(".question .place.bar")).to_have_count(1)
    (bar,) = boxes(me, ".question .place")
    assert bar[3] - bar[1] < 110
    covers_nothing(me)


def test_enter_confirms_wherever_the_focus_was(at: Callable[..., Player]) -> None:
    me = at(TARGET)
    before = number(me)
    me.page.locator(".piece.lit").first.click(force=True)
    expect(me.page.locator(".ring.chosen")).to_have_count(1)
    me.page.get_by_role("tab", name="Log").click()
    me.page.get_by_role("button", name="Grid of 12 inches").click()
    me.page.keyboard.press("Enter")
    expect(me.page.locator(f"[data-number='{before}'][data-state=asked]")).to_have_count(0)


def test_a_choice_that_the_keyboard_has_come_to_is_not_passed_over(at: Callable[..., Player]) -> None:
    me = at(TARGET)
    before = number(me)
    chosen = me.page.locator(".question .chosen")
    me.page.keyboard.press("Enter")
    first = chosen.inner_text()
    me.page.locator("[data-choice='1']").focus()
    me.page.keyboard.press("Tab")
    me.page.keyboard.press("Enter")
    expect(chosen).not_to_have_text(first)
    assert number(me) == before


def test_escape_takes_back_one_step(at: Callable[..., Player]) -> None:
    me = at(TARGET)
    chosen = me.page.locator(".question .chosen")
    me.page.locator("[data-choice='2']").click()
    second = chosen.inner_text()
    me.page.locator("[data-choice='3']").click()
    expect(chosen).not_to_have_text(second)
    me.page.keyboard.press("Escape")
    expect(chosen).to_have_text(second)
    me.page.keyboard.press("Escape")
    expect(chosen).to_have_count(0)


def collisions(me: Player) -> list[str]:
    """Labels that lie on one another or on a piece."""
    labels, pieces = boxes(me, "g.label > .plate"), boxes(me, ".piece")
    found = [f"labels {a} {b}" for k, a in enumerate(labels) for b in labels[k + 1 :] if overlap(a, b)]
    return found + [f"label {a} on {b}" for a in labels for b in pieces if overlap(a, b, 4.0)]


@pytest.mark.parametrize("window", [LAPTOP, WIDE, PHONE], ids=["laptop", "wide", "phone"])
def test_labels_do_not_collide_late_in_the_fight(at: Callable[..., Player], window: dict[str, Any]) -> None:
    me = at(LATE, **window)
    expect(me.page.locator("g.label")).not_to_have_count(0)
    assert len(boxes(me, "g.label")) > 8
    assert collisions(me) == []
    me.page.keyboard.press("+")
    rest(me)
    assert collisions(me) == []


def test_signs_keep_their_size_and_the_legend_lists_them(at: Callable[..., Player]) -> None:
    me = at(LATE)
    signs = ".board .strip .sign, .board .label .sign"

    def sizes() -> set[bool]:
        return {17 <= box[3] - box[1] <= 24 for box in boxes(me, signs)}

    assert sizes() == {True}
    shown = me.page.eval_on_selector_all(signs, "(all) => all.map((each) => each.dataset.sign)")
    legend = me.page.get_by_role("region", name="Signs on the table")
    rows = legend.locator("[data-legend]")
    listed = rows.evaluate_all("(all) => all.map((each) => each.dataset.legend)")
    assert set(shown) <= set(listed)
    assert len(listed) == len(set(listed)) >= 3
    assert all(words.strip() for words in rows.all_inner_texts())
    me.page.keyboard.press("+")
    rest(me)
    assert sizes() == {True}
    # What has come to stand on the whole Unit stands once, on its label.
    me.page.get_by_role("button", name="Signs on the table").click()
    expect(rows).to_have_count(0)


def test_zones_are_drawn_for_him_who_is_asked(at: Callable[..., Player], arrive: Callable[..., Player]) -> None:
    me = at(DEPLOYING)
    zones = me.page.locator("[data-zone]")
    expect(me.page.locator("[data-zone=zone][data-side=red] title")).to_have_text("Your zone")
    expect(me.page.locator("[data-zone=zone][data-side=blue] title")).to_have_text("Blue's zone")
    ((left, top, right, bottom),) = boxes(me, "[data-zone][data-side=red] .rim")
    x, y = spot(me, 36, 4)
    assert left < x < right
    assert top < y < bottom
    watcher = arrive(**LAPTOP)
    watcher.page.goto(f"{watcher.address}/game/{me.game}")
    expect(watcher.page.locator("[data-state=waiting]")).to_have_count(1)
    expect(watcher.page.locator("[data-zone]")).to_have_count(0)
    # They are there as long as anybody is to be set down.
    me.answer()
    expect(me.question).to_contain_text("deploy?")
    expect(zones).to_have_count(2)
    me.page.locator("[data-rest]").click()
    expect(me.question).to_contain_text("Who acts?")
    expect(zones).to_have_count(0)


def test_the_zone_is_drawn_when_it_is_asked_how_a_unit_deploys(arrive: Callable[..., Player]) -> None:
    me = arrive(**LAPTOP)
    me.begin(scenario="city-block", red="me", blue="bot:random")
    expect(me.question).to_contain_text("How does Red Group Commander deploy?")
    expect(me.page.locator("[data-zone=zone][data-side=red] title")).to_have_text("Your zone")
    expect(me.page.locator("[data-zone=zone][data-side=blue] title")).to_have_text("Blue's zone")


def test_where_hidden_teams_may_appear_is_drawn(at: Callable[..., Player]) -> None:
    me = at(REVEALING)
    expect(me.page.locator("[data-zone=lair]")).not_to_have_count(0)
    expect(me.page.locator("[data-zone=lair] title").first).to_have_text("Hidden Teams may appear here")


def test_what_is_barred_by_many_has_one_rim_and_is_said_once(at: Callable[..., Player]) -> None:
    # Given a Unit that may not come on near to any of many enemies, then one sees one border, and why.
    me = at(165, "hof-ridge-14")
    barred = me.page.locator("[data-zone=barred]")
    expect(barred).to_have_count(1)
    expect(barred.locator("text")).to_have_text("Within 16 inches of the enemy")
    expect(barred.locator(".rim")).to_have_attribute("mask", re.compile("url"))


def test_a_refusal_stands_beside_the_pieces(at: Callable[..., Player]) -> None:
    me = at(DEPLOYING)
    drag(me, middle(me.page.locator(".tray .chip").first), spot(me, 36, 30))
    expect(me.page.locator(".ghost.refused")).not_to_have_count(0)
    expect(me.page.locator("text.reason").first).to_be_visible()
    rest(me)
    (words,) = boxes(me, ".refusal rect")
    for what in (".piece", ".ghost", "g.label"):
        assert not any(overlap(words, box) for box in boxes(me, what)), what


def ground(me: Player) -> Locator:
    return me.page.locator("[data-ground]")


def test_the_ground_tells_what_it_does(at: Callable[..., Player]) -> None:
    me = at(DEPLOYING)
    me.page.mouse.move(*spot(me, 36, 40))
    expect(ground(me)).to_contain_text("Town hall")
    expect(ground(me)).to_contain_text("Building")
    expect(ground(me)).to_contain_text("Hard Cover")
    me.page.mouse.move(*spot(me, 5, 31))
    expect(ground(me)).to_contain_text("Town park")
    expect(ground(me)).not_to_contain_text("Hard Cover")
    me.page.mouse.move(*spot(me, 5, 21))
    me.page.mouse.move(*spot(me, 5, 1))
    expect(ground(me)).not_to_contain_text("Town park")


def test_the_ground_is_tapped_on_a_phone(at: Callable[..., Player]) -> None:
    me = at(LATE, **PHONE)
    me.page.touchscreen.tap(*spot(me, 36, 12))
    expect(ground(me)).to_contain_text("Dairy")
    expect(ground(me)).to_contain_text("Very Difficult")


def test_hits_stand_out_among_the_dice(at: Callable[..., Player]) -> None:
    me = at(LATE)
    me.page.get_by_role("tab", name="Log").click()
    line = me.page.get_by_role("tabpanel").locator("details", has_text=": 2 hits.").first
    line.locator("summary").first.click(position={"x": 2, "y": 6})
    expect(line.locator(".die.hit")).to_have_count(2)
    # They come first.
    marks = line.locator(".die").evaluate_all("(all) => all.map((each) => each.classList.contains('hit'))")
    assert marks == sorted(marks, reverse=True)


WORDS = """(each) => {
  const range = document.createRange();
  range.selectNodeContents(each);
  return range.getBoundingClientRect().right;
}"""
"""How far to the right the words of something reach."""


def test_on_a_phone_tray_and_question_lie_apart(at: Callable[..., Player]) -> None:
    me = at(DEPLOYING, **PHONE)
    (tray,), (question,), (tabs,) = (boxes(me, what) for what in (".tray", ".question", "nav"))
    (table,) = boxes(me, "main")
    stacked = [table, tray, question, tabs]
    for upper, lower in pairwise(stacked):
        assert upper[3] <= lower[1] + 1
    assert table[3] >= 844 * 0.59
    assert tabs[3] <= 844
    assert me.page.evaluate(SMALL) == []
    # What to do is said in full, in a finger's words, and beside the name.
    hint = me.page.locator(".tray p")
    expect(hint).to_have_text("Tap one, then its place.")
    (said,) = boxes(me, ".tray p")
    assert 0 <= said[0] < said[2] <= 390
    assert me.page.locator(".tray .name").count() == 1
    # The name's own box is as wide as its row: its words are measured.
    name = me.page.locator(".tray .name").evaluate(WORDS)
    assert name < said[0]
    # Tapped and set down, all of them, and Confirm is in sight.
    waiting = me.page.locator(".tray .chip").count()
    assert waiting > 1
    me.page.locator(".tray .chip").first.tap()
    expect(hint).to_have_text("Tap where they go.")
    me.page.touchscreen.tap(*spot(me, 36, 3.5))
    expect(me.page.locator(".ghost")).to_have_count(waiting)
    expect(me.page.locator("[data-confirm]")).to_be_in_viewport()


STILL = """() => {
  window.seen = {};
  const look = () => {
    const number = document.querySelector('[data-state=asked]')?.dataset.number;
    for (const mark of ['.form', '[data-confirm]', '[data-none]', '.foot']) {
      const box = document.querySelector(`.question .place:not([style*=hidden]) ${mark}`)?.getBoundingClientRect();
      if (number === undefined || !box?.width) continue;
      const at = `${Math.round(box.left)} ${Math.round(box.top)}`;
      const places = (window.seen[`${number} ${mark}`] ??= []);
      if (places.at(-1) !== at) places.push(at);
    }
    requestAnimationFrame(look);
  };
  look();
}"""
"""Writes down, frame by frame, where the buttons of each question lie."""


@pytest.mark.parametrize(
    ("battle", "question"),
    [(BATTLE, WHO_ACTS), (BATTLE, MOVING), (BATTLE, TARGET), ("tr14-crossroads-15", 60)],
)
def test_the_card_lies_still_under_the_hand(at: Callable[..., Player], battle: str, question: int) -> None:
    me = at(question, battle)
    me.page.evaluate(STILL)
    for _ in range(12):
        me.answer()
        # What comes late comes now.
        me.page.wait_for_timeout(300)
    seen: dict[str, list[str]] = me.page.evaluate("() => window.seen")
    assert len({key.split()[0] for key in seen}) > 8
    assert {key: places for key, places in seen.items() if len(places) > 1} == {}
