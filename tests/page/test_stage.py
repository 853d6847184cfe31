"""The fight is staged: beats that can be followed, held and skipped, and nothing overtakes them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.page.moments import MOVING, TARGET, moment, recorded
from tests.page.player import BRIEFED, Player
from tests.page.test_board import spot
from tests.page.test_layout import boxes, overlap, rest
from tests.page.test_manners import PHONE

WATCH = """() => {
  window.staged = [];
  let last = '';
  new MutationObserver(() => {
    const layer = document.querySelector('[data-beat]');
    const kind = layer?.dataset.beat ?? '';
    if (kind !== last && kind) {
      window.staged.push({
        kind,
        lines: layer.querySelectorAll('[data-line]').length,
        dice: layer.querySelectorAll('[data-die]').length,
        falls: [...layer.querySelectorAll('[data-fall]')].map((each) => {
          const box = each.getBoundingClientRect();
          return [each.dataset.fall, box.left + box.width / 2, box.top + box.height / 2];
        }),
        hits: layer.querySelectorAll('[data-die][data-hit=true]').length,
        asked: document.querySelectorAll('.question [data-state=asked]').length,
      });
    }
    last = kind;
  }).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['data-beat'] });
}"""
"""Writes down each beat as it comes: what it draws, and whether anybody is asked meanwhile."""


RUNNING = """() => document.getAnimations()
  .filter((each) => each.playState === 'running' && each.effect.target.closest('[data-beat]'))
  .map((each) => each.animationName)"""
"""What moves on the stage."""


TOLD = """() => {
  const [said, time] = ['section.said', '.time'].map((each) => document.querySelector(each)?.getBoundingClientRect());
  return said?.height && time ? [said.top, time.bottom] : null;
}"""
"""Where what is told begins while something is told, and where the timeline ends."""


def pace(player: Player, words: str) -> None:
    player.page.evaluate(
        "wish => localStorage.setItem('sandtable.wishes', JSON.stringify(wish))", {**BRIEFED, "pace": words}
    )


def at_the_table(
    arrive: Callable[..., Player], number: int, words: str = "follow", battle: str = "hof-city-block-15", **options: Any
) -> Player:
    me = arrive(staged=True, **options)
    me.lobby()
    pace(me, words)
    me.resume(moment(battle, number))
    me.page.evaluate(WATCH)
    return me


def staged(player: Player) -> list[dict[str, Any]]:
    return player.page.evaluate("() => window.staged")  # type: ignore[no-any-return]


def test_a_shot_is_seen_as_who_line_dice_and_result(arrive: Callable[..., Player]) -> None:
    me = at_the_table(arrive, TARGET)
    # When somebody fires,
    while not any(beat["kind"] == "line" for beat in staged(me)):
        me.answer()
    expect(me.page.locator("[data-beat]")).to_have_count(0)
    beats = staged(me)
    kinds = [beat["kind"] for beat in beats]
    at = kinds.index("line")
    # then one sees who, the line to the target, the dice with their hits, and what came of it,
    assert kinds[at - 1 : at + 2] == ["who", "line", "dice"]
    assert beats[at]["lines"] >= 1
    assert beats[at + 1]["dice"] >= 1
    # and nobody is asked before it is over.
    assert not any(beat["asked"] for beat in beats)
    me.next()


def test_a_beat_is_held_and_the_rest_skipped(arrive: Callable[..., Player]) -> None:
    me = at_the_table(arrive, TARGET, "calm")
    while not staged(me):
        me.answer()
    # At a calm pace a beat stays until a key ends it,
    bar = me.page.get_by_role("toolbar", name="The pace of the fight")
    expect(bar).to_be_visible()
    me.page.wait_for_timeout(2_500)
    assert len(staged(me)) == 1
    me.page.keyboard.press("Enter")
    me.page.wait_for_function("() => window.staged.length > 1 || !document.querySelector('[data-beat]')")
    # and S goes to how things stand.
    me.page.keyboard.press("s")
    expect(me.page.locator("[data-beat]")).to_have_count(0)
    me.next()
    # What was shown can be seen again.
    me.page.locator("[data-again]").click()
    expect(me.page.locator("[data-beat]")).to_have_count(1)
    me.page.keyboard.press("Escape")
    expect(me.page.locator("[data-beat]")).to_have_count(0)


def test_teams_go_their_ways(arrive: Callable[..., Player]) -> None:
    me = at_the_table(arrive, MOVING)
    while not any(beat["kind"] == "move" for beat in staged(me)):
        me.answer()
    expect(me.page.locator("[data-beat]")).to_have_count(0)


FOLLOW = """(id) => {
  window.way = [];
  const look = () => {
    const box = document.querySelector(`[data-piece="${id}"] .ring, [data-piece="${id}"]`)?.getBoundingClientRect();
    if (box) window.way.push([box.left + box.width / 2, box.top + box.height / 2]);
    requestAnimationFrame(look);
  };
  look();
}"""
"""Writes down in every frame where a piece is drawn."""


def test_nobody_goes_farther_than_he_has_come_and_jumps_back(arrive: Callable[..., Player]) -> None:
    """A Unit is told to move 6 inches, and the enemy is asked whether he fires before any of it has gone them."""
    me = at_the_table(arrive, 23, battle="tr14-patrol-14")
    expect(me.question).to_contain_text("move")
    me.page.evaluate(FOLLOW, "red-rifles-pl")
    start = me.page.evaluate("window.way.at(-1)")
    me.answer()
    me.next()
    expect(me.question).to_contain_text("Who fires at it?")
    here = me.page.evaluate("window.way.at(-1)")
    assert math.dist(here, start) < 3
    me.answer()
    me.next()
    gone_far = "([x, y]) => { const [right, down] = window.way.at(-1); return Math.hypot(right - x, down - y) > 30; }"
    me.page.wait_for_function(gone_far, arg=start)
    gone = [math.dist(at, start) for at in me.page.evaluate("window.way")]
    back = max(before - after for before, after in pairwise(gone))
    assert back < 3


def test_again_shows_what_came_since_the_last_answer(arrive: Callable[..., Player]) -> None:
    me = at_the_table(arrive, 23, battle="tr14-patrol-14")
    for _ in range(3):
        me.answer()
        me.next()
    me.page.evaluate("window.staged.length = 0")
    me.answer()
    me.next()
    first = [beat["kind"] for beat in staged(me)]
    assert first
    me.page.evaluate("window.staged.length = 0")
    me.page.locator("[data-again]").click()
    me.next()
    assert [beat["kind"] for beat in staged(me)] == first


def test_nothing_tumbles_where_motion_is_reduced(arrive: Callable[..., Player]) -> None:
    me = at_the_table(arrive, TARGET, reduced_motion="reduce")
    while not any(beat["kind"] == "dice" for beat in staged(me)):
        me.answer()
        assert me.page.evaluate(RUNNING) == []
    expect(me.page.locator("[data-beat]")).to_have_count(0)


def test_who_wants_nothing_staged_sees_how_things_stand(arrive: Callable[..., Player]) -> None:
    me = at_the_table(arrive, TARGET, "off")
    for _ in range(6):
        me.answer()
    assert staged(me) == []
    me.open_menu()
    me.page.locator("[data-pace]").click()
    expect(me.page.locator("[data-pace]")).to_have_text("The fight: calm")


def test_a_replay_is_staged_as_well(arrive: Callable[..., Player]) -> None:
    me = at_the_table(arrive, TARGET, "brisk")
    for _ in range(4):
        me.answer()
    expect(me.page.locator("[data-beat]")).to_have_count(0)
    before = len(staged(me))
    me.page.get_by_role("button", name="Time", exact=True).click()
    me.page.get_by_role("button", name="A beat back").click()
    expect(me.question).to_contain_text("The past")
    me.page.get_by_role("button", name="Play", exact=True).click()
    # What happens is told below the timeline, which can be used meanwhile.
    told, time = me.page.wait_for_function(TOLD).json_value()
    assert told >= time
    me.page.wait_for_function("count => window.staged.length > count", arg=before)
    expect(me.page.locator("[data-beat]")).to_have_count(0)
    me.next()


# Answers after which something falls: smoke and shells of either game, round and square.
FALLS = [
    ("tr14-crossroads-14", 113, "smoke", (61.99, 23.19)),
    ("tr14-crossroads-14", 170, "shells", (29.35, 5.03)),
    ("hof-ridge-15", 52, "smoke", None),
    ("hof-ridge-15", 225, "shells", (10.19, 8.95)),
]


@pytest.mark.parametrize(("battle", "number", "what", "where"), FALLS)
def test_what_falls_is_seen_where_it_falls(
    arrive: Callable[..., Player], battle: str, number: int, what: str, where: tuple[float, float] | None
) -> None:
    me = at_the_table(arrive, number, battle=battle)
    me.give(*recorded(battle, number))
    me.page.wait_for_function("() => window.staged.some((beat) => beat.kind === 'falls')")
    (fall,) = next(beat for beat in staged(me) if beat["kind"] == "falls")["falls"]
    assert fall[0] == what
    if where is not None:
        x, y = spot(me, *where)
        assert abs(fall[1] - x) < 12
        assert abs(fall[2] - y) < 12
    expect(me.page.locator("[data-beat]")).to_have_count(0)


def test_what_falls_is_seen_in_a_replay_and_lies_still_where_motion_is_reduced(arrive: Callable[..., Player]) -> None:
    battle, number, what, _ = FALLS[0]
    me = at_the_table(arrive, number + 1, "brisk", battle=battle, reduced_motion="reduce")
    me.page.get_by_role("button", name="Time", exact=True).click()
    me.page.get_by_role("button", name="A beat back").click()
    expect(me.question).to_contain_text("The past")
    me.page.get_by_role("button", name="Play", exact=True).click()
    me.page.wait_for_function("() => window.staged.some((beat) => beat.kind === 'falls')")
    assert me.page.evaluate(RUNNING) == []
    assert next(beat for beat in staged(me) if beat["kind"] == "falls")["falls"][0][0] == what


def test_points_are_announced_where_they_come_from(arrive: Callable[..., Player]) -> None:
    # Given the last answer before a turn, when it is given,
    me = at_the_table(arrive, 14, "calm")
    me.answer()
    # then the Order Points that the dice give are announced beside those that one has,
    seen = set()
    order = me.page.locator("[data-gained='Order Points']")
    for _ in range(30):
        expect(me.page.locator("[data-beat]")).to_have_count(1)
        if order.count():
            expect(order).to_have_text(re.compile(r"\+\d"))
            seen.add("order")
        # and the Commander's Hero Point at him.
        if me.page.locator("[data-said=gain]", has_text="Red +1 Hero Points").count():
            seen.add("hero")
        me.page.keyboard.press("Enter")
        if seen == {"order", "hero"}:
            break
    assert seen == {"order", "hero"}


def standing(player: Player) -> list[str]:
    """What the head, the labels and the log say of how things stand."""
    told = ".facts .fact:not(:has([data-gained])), .board g.label, .log summary"
    return player.page.locator(told).all_text_contents()


def test_nothing_on_the_page_tells_how_it_ends_before_it_is_seen(arrive: Callable[..., Player]) -> None:
    # Given the last answer before a turn, which brings Order Points, and a log that is read,
    me = at_the_table(arrive, 14, "calm")
    me.page.get_by_role("tab", name="Log").click()
    expect(me.page.locator(".log summary")).not_to_have_count(0)
    before = standing(me)
    # when it is given,
    me.answer()
    expect(me.page.locator("[data-beat]")).to_have_count(1)
    # then all is said to stand as it stood
    assert standing(me) == before
    # until it has been seen.
    me.page.keyboard.press("s")
    expect(me.page.locator("[data-beat]")).to_have_count(0)
    me.next()
    after = standing(me)
    assert len(after) > len(before)
    assert any("Order Points" in words for words in after)
    assert not any("Order Points" in words for words in before)


def test_an_objective_that_is_taken_is_announced_at_it(arrive: Callable[..., Player]) -> None:
    me = at_the_table(arrive, 233, "off", battle="tr14-crossroads-14")
    me.give(*recorded("tr14-crossroads-14", 233))
    said = me.page.locator("[data-said=gain]")
    expect(said).to_contain_text("Blue +")
    expect(said).to_contain_text("Objectives")
    expect(me.page.locator("[data-gained=Objectives]")).to_have_count(1)
    # It passes.
    expect(said).to_have_count(0)


def test_it_is_said_why_a_part_of_an_order_falls_away(arrive: Callable[..., Player]) -> None:
    # A Commander who moves and fires sees nobody to fire at; a tank of a Platoon does not see the target.
    for battle, number, why in (
        ("tr14-crossroads-14", 98, "does not fire: no enemy is in its sight, range and arc."),
        ("hof-city-block-15", 149, "cannot fire at"),
    ):
        me = at_the_table(arrive, number, "off", battle=battle)
        me.give(*recorded(battle, number))
        said = me.page.locator("[data-lapsed]").first
        expect(said).to_contain_text(why)
        there = me.page.locator("[data-said=lapsed]").first
        expect(there).to_be_visible()
        rest(me)
        ((card,), (notice, *_)) = boxes(me, ".question .place"), boxes(me, "[data-said=lapsed] rect")
        assert not overlap(card, notice)
        for piece in boxes(me, ".piece"):
            assert not overlap(piece, notice, 4.0)
        said.get_by_role("button", name="Which rule?").click()
        expect(me.page.get_by_role("tabpanel").locator("code").first).to_contain_text(".firing.")
        # With the next answer it is gone.
        me.answer()
        expect(said).to_have_count(0)


def test_the_pace_is_set_beside_the_table(arrive: Callable[..., Player]) -> None:
    me = at_the_table(arrive, TARGET, "calm", viewport={"width": 1366, "height": 768})
    me.give(*recorded("hof-city-block-15", TARGET))
    bar = me.page.get_by_role("toolbar", name="The pace of the fight")
    expect(bar).to_be_visible()
    for what in (".piece", "g.label"):
        assert not any(overlap(boxes(me, "[aria-label='The pace of the fight']")[0], box) for box in boxes(me, what)), (
            what
        )
    # With the roster folded it lies at the table's lower edge.
    me.page.get_by_role("button", name="Fold the roster").click()
    expect(bar).to_be_visible()
    assert boxes(me, "[aria-label='The pace of the fight']")[0][0] > 300
    bar.locator("[data-skip]").click()
    expect(bar).to_have_count(0)


def test_on_a_phone_a_force_is_deployed_by_taps_after_what_was_staged(arrive: Callable[..., Player]) -> None:
    # Given a tray, a question and all its links on a small screen, the other side's deployment having been staged,
    me = arrive(staged=True, **PHONE)
    me.begin(ruleset="tr14", scenario="patrol", red="me", blue="bot:steady")
    for _ in range(4):
        me.page.wait_for_function("() => document.querySelector('[data-beat], [data-state=asked]')")
        if me.page.locator("[data-beat]").count():
            me.page.get_by_role("button", name="To my next choice").tap()
            expect(me.page.locator("[data-beat]")).to_have_count(0)
        # then what is proposed can be tapped, and confirmed.
        me.answer(tap=True)


def test_on_a_phone_what_happens_is_told_below_the_table(arrive: Callable[..., Player]) -> None:
    me = at_the_table(arrive, TARGET, "calm", **PHONE)
    me.page.evaluate("() => document.querySelector('[data-choice]').click()")
    me.page.locator("[data-confirm]").tap()
    said = me.page.get_by_label("What is happening")
    expect(said).to_be_visible()
    for what in ("[aria-label='What is happening']", "[aria-label='The pace of the fight']"):
        assert not overlap(boxes(me, what)[0], boxes(me, "main")[0]), what
    # With the sheet put away it stands over the table's edge.
    me.page.locator(".grip").tap()
    expect(said).to_be_visible()
    assert overlap(boxes(me, "[aria-label='What is happening']")[0], boxes(me, "main")[0])
