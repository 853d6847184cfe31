"""Orders by pointing: who acts, what is done and where to, in one gesture; and what goes without saying, in lines."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.page.moments import moment
from tests.page.player import Player
from tests.page.test_board import drag, middle, number, settled, spot

RIFLEMAN = "red-rifles-rifle-mg-3"


@pytest.fixture
def me(arrive: Callable[..., Player]) -> Player:
    """Somebody whose force is deployed as proposed, and who is asked who acts."""
    player = arrive()
    player.begin(scenario="city-block", red="me", blue="bot:random")
    player.page.locator("[data-rest]").click()
    expect(player.question).to_contain_text("Who acts?")
    return player


def at(me: Player, piece: str) -> tuple[float, float]:
    """Where a piece is on the screen."""
    return middle(me.page.locator(f".board [data-piece='{piece}']").first)


def test_a_click_on_any_team_takes_its_unit(me: Player) -> None:
    before = int(number(me) or 0)
    me.page.mouse.click(*at(me, RIFLEMAN))
    expect(me.question).to_contain_text("Red Rifle Platoon")
    # The point was paid by a habit, and stands there as a line.
    line = me.page.locator(f"[data-settled='{before + 1}']")
    expect(line).to_contain_text("An Order Point")
    line.get_by_role("button").click()
    expect(me.question).to_contain_text("What pays for it?")
    # Undo goes back to the click, whatever was answered by itself.
    me.page.keyboard.press("u")
    expect(me.question).to_contain_text("Who acts?")
    assert int(number(me) or 0) == before


def test_alt_takes_the_one_team(me: Player) -> None:
    me.page.keyboard.down("Alt")
    me.page.mouse.click(*at(me, RIFLEMAN))
    me.page.keyboard.up("Alt")
    expect(me.question).not_to_contain_text("Who acts?")
    me.next()
    for _ in range(2):
        if "move?" not in me.words():
            me.answer()
            me.next()
    # A proposal moves nobody else.
    me.page.keyboard.press("Enter")
    expect(me.page.locator(".ghost")).to_have_count(1)


def test_a_drag_says_who_what_and_where(me: Player) -> None:
    x, y = at(me, RIFLEMAN)
    _, up = spot(me, 0, 6)
    _, down = spot(me, 0, 0)
    drag(me, (x, y), (x, y + (up - down)))
    expect(me.question).to_contain_text(re.compile("Where does Red Rifle Platoon move"))
    expect(me.page.locator(".ghost")).not_to_have_count(0)
    # Enter confirms what is planned: the order is given.
    before = int(number(me) or 0)
    me.page.keyboard.press("Enter")
    expect(me.page.locator("[data-number]")).not_to_have_attribute("data-number", str(before))


def test_a_unit_is_seen_to_go_along_before_it_is_asked_where_to(me: Player) -> None:
    x, y = at(me, RIFLEMAN)
    along = me.page.locator("[data-along]")
    me.page.mouse.move(x, y)
    me.page.mouse.down()
    me.page.mouse.move(x + 20, y - 80, steps=4)
    # All of the platoon, and labels step back.
    expect(along).to_have_count(9)
    expect(me.page.locator(".board .faded .label")).not_to_have_count(0)
    expect(along.and_(me.page.locator(f"[data-along='{RIFLEMAN}']"))).to_have_count(1)
    moved = middle(me.page.locator(f"[data-along='{RIFLEMAN}']"))
    assert abs(moved[0] - x - 20) < 8
    assert abs(moved[1] - y + 80) < 8
    me.page.mouse.up()
    expect(along).to_have_count(0)
    # With Alt the one Team goes.
    me.page.keyboard.press("u")
    expect(me.question).to_contain_text("Who acts?")
    me.page.keyboard.down("Alt")
    me.page.mouse.move(x, y)
    me.page.mouse.down()
    me.page.mouse.move(x + 20, y - 80, steps=4)
    expect(along).to_have_count(1)
    me.page.keyboard.up("Alt")
    me.page.mouse.up()


def test_who_is_clicked_is_not_told_of_as_well(me: Player) -> None:
    x, y = at(me, RIFLEMAN)
    told = me.page.get_by_role("tooltip")
    me.page.mouse.move(x, y)
    expect(told).to_have_count(1)
    me.page.mouse.click(x, y)
    expect(me.question).not_to_contain_text("Who acts?")
    me.page.wait_for_timeout(800)
    expect(told).to_have_count(0)


def test_a_unit_is_told_what_it_does_as_one_or_one_by_one(arrive: Callable[..., Player]) -> None:
    me = arrive()
    me.resume(moment("hof-city-block-15", 420))
    one_by_one = me.page.get_by_role("button", name="One by one")
    rows = me.page.locator(".question .form li")
    expect(me.page.get_by_role("group", name="All of them").locator("[data-choice]")).to_have_count(2)
    expect(rows).to_have_count(0)
    one_by_one.click()
    expect(rows).to_have_count(2)
    rows.first.get_by_role("button").first.click()
    expect(one_by_one).to_have_text(re.compile(r"SMG 1: Move, SMG 2: nothing"))


def test_it_is_said_before_a_point_is_spent_on_an_order_that_nobody_could_carry_out(
    arrive: Callable[..., Player],
) -> None:
    # Given a Leader whom nobody follows,
    me = arrive()
    me.resume(moment("hof-city-block-15", 86))
    settled(me)
    before, leader = number(me), "blue-grenadiers-1-pl"
    # when he is clicked, then his Unit is not sent for: he is chosen, with what is amiss, and nothing is spent.
    me.page.mouse.click(*at(me, leader))
    chosen = me.page.locator(".question .chosen[data-choice]")
    expect(chosen).to_contain_text("nobody follows him")
    expect(chosen).to_be_in_viewport(ratio=0.9)
    expect(me.page.locator("[data-amiss]")).to_contain_text("Nobody follows him. Confirm to go on.")
    assert number(me) == before
    # Whoever means it confirms it.
    me.page.locator("[data-confirm]").click()
    expect(me.page.locator("[data-number]")).not_to_have_attribute("data-number", str(before))


def test_a_turn_as_proposed_ends_by_itself(me: Player) -> None:
    before = int(number(me) or 0)
    me.page.locator("[data-proposed]").click()
    # All that is asked now is something else, or a turn later.
    me.page.wait_for_function(
        "(least) => Number(document.querySelector('[data-number]')?.dataset.number) > least", arg=before + 8
    )
    assert me.next() != "over"


@pytest.mark.parametrize(
    ("battle", "question", "proposal", "rolled"),
    [
        ("hof-open-steppe-15", 73, 1, "3 Vehicles in the enemy's sight: 3d6 inches, one roll for all."),
        ("tr14-crossroads-15", 38, 2, "to cross Clay pits, each passed 83 times in 100"),
    ],
)
def test_a_planned_move_tells_its_gamble(
    arrive: Callable[..., Player], battle: str, question: int, proposal: int, rolled: str
) -> None:
    me = arrive()
    me.resume(moment(battle, question))
    me.page.locator(f"[data-choice='{proposal}']").click()
    told = me.page.get_by_label("What may happen")
    expect(told).to_contain_text(rolled)
    expect(told).to_contain_text(re.compile(r"all \d Teams arrive\s*\d+ %"))
    expect(told).to_contain_text("Whoever stops is in nobody's way.")
    expect(told).not_to_contain_text("Tried")
    # With the plan it goes.
    me.page.keyboard.press("Escape")
    expect(told).to_have_count(0)
