"""The fight is staged: beats that can be followed, held and skipped, and nothing overtakes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from tests.page.moments import MOVING, TARGET, moment
from tests.page.player import BRIEFED, Player

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


def pace(player: Player, words: str) -> None:
    player.page.evaluate(
        "wish => localStorage.setItem('sandtable.wishes', JSON.stringify(wish))", {**BRIEFED, "pace": words}
    )


def at_the_table(arrive: Callable[..., Player], number: int, words: str = "follow", **options: Any) -> Player:
    me = arrive(staged=True, **options)
    me.lobby()
    pace(me, words)
    me.resume(moment("hof-city-block-15", number))
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
    me.page.wait_for_function("count => window.staged.length > count", arg=before)
    expect(me.page.locator("[data-beat]")).to_have_count(0)
    me.next()
