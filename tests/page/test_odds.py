"""The exact odds on a target's card: in words, the likeliest first, with what is assumed; also from a planned place."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect

from sandtable import rulesets
from sandtable.engine import record
from sandtable.engine.cards import Odds
from sandtable.engine.odds import odds
from sandtable.engine.seat import Seat
from tests.page.moments import CORPUS, moment
from tests.page.player import Player

BATTLE = "tr14-patrol-15"
FIRING, MOVING = 29, 148


def exact() -> Odds:
    game = record.replay(record.read(CORPUS / f"{BATTLE}.game"), rulesets.load, to=FIRING).game
    assert game.ask is not None
    found = odds(Seat(game, game.ask.seat), game.ask.question.candidates(1)[0])
    assert isinstance(found, Odds)
    return found


def test_a_target_s_card_tells_the_exact_odds(arrive: Callable[..., Player]) -> None:
    me = arrive()
    me.resume(moment(BATTLE, FIRING))
    me.page.locator("[data-choice='1']").click()
    told = me.page.get_by_label("What may happen")
    expect(told).to_contain_text("Exact.")
    expect(told).not_to_contain_text("Tried")
    wanted = exact().chances
    assert len(wanted) > 3
    shown = told.locator("ol li")
    expect(shown).to_have_count(len(wanted))
    for chance, line in zip(wanted, shown.all(), strict=True):
        percent = "<1" if chance.share < 0.01 else str(round(chance.share * 100))
        expect(line).to_have_text(re.compile(rf"^\s*{re.escape(chance.words)}\s*{percent} %\s*$"))
    expect(told).to_contain_text("Red Rifle Platoon does not go to ground.")
    expect(told).to_contain_text(re.compile(r"Hits: \d\.\d on average"))


def test_a_planned_move_tells_the_odds_from_there(arrive: Callable[..., Player]) -> None:
    me = arrive()
    me.resume(moment(BATTLE, MOVING))
    me.page.locator("[data-choice='1']").click()
    there = me.page.get_by_label("From there").first
    expect(there).to_contain_text("Blue Tank Section fires at Red Rifle Platoon")
    expect(there).to_contain_text("Until then everybody does what is proposed to him")
    expect(there.locator("ol li").first).to_contain_text("%")
