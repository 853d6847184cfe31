"""Squads on the page: drawn as one, dragged in their ranks, wheeled by a handle, and paid for with dice on a rail."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from playwright.sync_api import expect

from sandtable import rulesets
from sandtable.engine import record
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.field.formations import Pose
from sandtable.rulesets.sof.core.state import Battlegroup, Figure, Setup, Table, Unit
from tests.page.player import Player
from tests.page.test_board import drag, middle, settled, spot
from tests.page.test_manners import PHONE
from tests.page.test_stage import WATCH, staged

RECRUITS, IN_FRONT = "red-3", "rc-2"
"""A body of twelve in an attack column, and the man in the middle of its front."""


BARE = """() => {
  const handle = document.querySelector('[data-wheel]');
  const { x, y, width, height } = handle.getBoundingClientRect();
  return document.elementFromPoint(x + width / 2, y + height / 2) === handle;
}"""
"""Whether the handle of a body can be taken hold of."""


@cache
def asked_whom_to_activate(more: int = 0) -> str:
    """A clash as a file, in which Red is asked whom it activates and may activate its column.

    With so many men more it stands in line.
    """
    rules = rulesets.load("sof")
    setup = rules.scenario("clash")
    if more:
        recruits = setup.units[RECRUITS]
        recruits.teams |= {f"rc-{13 + k}": Figure("bolt-action-rifle") for k in range(more)}
        recruits.alignment, recruits.pose = "line", Pose((30.0, 10.0), 0.0, len(recruits.teams) // 2)
    game: Game[Any] = Game(rules, setup, SeededDice(1))
    for _ in range(60):
        assert game.ask is not None
        question = game.ask.question
        if game.ask.seat == "red" and question.topic == "activate":
            return record.dumps(game)
        game.accept(question.candidates(1)[0])
    pytest.fail("red was not asked whom it activates")


def row_of(side: str, y: float, count: int) -> Unit:
    rifle = "bolt-action-rifle"
    men = {f"{side}-{n}": Figure(rifle, at=(8.0 + 1.4 * n, y), role="" if n else "nco") for n in range(count)}
    return Unit(side, "regular", men, name=f"{side.capitalize()} Squad", battlegroup=f"{side}-platoon")  # type: ignore[arg-type]


@cache
def asked_beside_the_enemy() -> str:
    """Two squads near to one another as a file, in which Red may assault."""
    units = {"red-squad": row_of("red", 8.0, 6), "blue-squad": row_of("blue", 12.5, 4)}
    groups = {"red-platoon": Battlegroup("red", dice=[6, 6]), "blue-platoon": Battlegroup("blue", dice=[1])}
    setup = Setup(Table(24.0, 20.0), units, groups, name="near", phase="activate", initiative="red", turns=2)
    return record.dumps(Game(rulesets.load("sof"), setup, SeededDice(5)))


@pytest.fixture
def me(arrive: Callable[..., Player]) -> Player:
    """Somebody who plays both sides and is asked whom Red activates."""
    player = arrive()
    player.resume(asked_whom_to_activate())
    expect(player.question).to_contain_text("which unit is activated?")
    return player


def test_a_unit_is_drawn_as_one_and_wears_its_signs_once(me: Player) -> None:
    page = me.page
    bodies = page.locator("path[data-body]")
    expect(bodies).to_have_count(11)
    label = page.locator(f".label[data-unit={RECRUITS}]")
    expect(label).to_contain_text("Recruits")
    expect(label).to_contain_text("attack column, 12")
    # Markers lie at units: no piece wears one of its own before anybody is wounded.
    expect(page.locator("g.strip")).to_have_count(0)
    marked = page.locator(".label [data-sign=pinned]")
    lying = sum(int(sign.text_content() or 0) for sign in marked.all())
    assert lying > 0
    # Whoever is selected shows how far his voice carries.
    page.mouse.click(*middle(page.locator(".label[data-unit=blue-hq]")))
    expect(page.locator("[data-voice=blue-lt]")).to_be_visible()


def test_dice_lie_on_a_rail_and_one_is_spent_by_dragging_it_onto_a_unit(me: Player) -> None:
    page = me.page
    rail = page.locator("[data-rail]")
    expect(rail.locator("[data-step]")).to_have_count(7)
    now = rail.locator("[aria-current=step]")
    phase = now.get_attribute("data-step")
    assert f"Phase {phase}" in me.words()
    spent = now.locator(".dice.red [data-spent]").count()
    assert now.locator("[data-spend]").count() > 0
    drag(me, middle(now.locator("[data-spend]").first), middle(page.locator(f"[data-body={RECRUITS}]")))
    expect(me.question).to_contain_text("What does Red Recruits do?")
    expect(now.locator(".dice.red [data-spent]")).to_have_count(spent + 1)
    expect(page.locator(f".label[data-unit={RECRUITS}] [data-sign=tick]")).to_have_count(1)


def test_a_die_is_spent_by_a_click_on_it_and_then_on_a_unit(me: Player) -> None:
    page = me.page
    die = page.locator("[data-rail] [aria-current=step] [data-spend]").first
    die.click()
    expect(page.locator("[data-rail][data-taken]")).to_have_count(1)
    expect(page.get_by_text("Click the unit that it is spent on.")).to_be_visible()
    page.mouse.click(*middle(page.locator(f"[data-body={RECRUITS}]")))
    expect(me.question).to_contain_text("What does Red Recruits do?")
    expect(page.get_by_text("Click the unit that it is spent on.")).to_have_count(0)


def test_a_finger_spends_a_die_and_forms_a_unit_up(arrive: Callable[..., Player]) -> None:
    me = arrive(**PHONE)
    me.resume(asked_whom_to_activate())
    page = me.page
    die = page.locator("[data-rail] [data-spend]").first
    box = die.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 43.5
    die.tap()
    page.touchscreen.tap(*middle(page.locator(f"[data-body={RECRUITS}]")))
    expect(me.question).to_contain_text("What does Red Recruits do?")
    line = page.locator("[data-shape=line]")
    box = line.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 43.5
    line.tap()
    expect(page.locator(".ghost")).to_have_count(12)
    settled(me)
    page.locator("[data-confirm]").tap()
    expect(page.locator(".ghost")).to_have_count(0)


def test_a_close_combat_is_staged_blow_by_blow(arrive: Callable[..., Player]) -> None:
    me = arrive(staged=True)
    me.resume(asked_beside_the_enemy())
    page = me.page
    page.evaluate(WATCH)
    page.mouse.click(*middle(page.locator("[data-body=red-squad]")))
    page.get_by_role("button", name="Assault", exact=True).click()
    # What the odds are is told before, and who closes in, fires and strikes is seen one after the other.
    page.wait_for_function("() => window.staged.filter((beat) => beat.kind === 'dice').length > 2")
    while not any(each["kind"] == "result" for each in staged(me)):
        me.answer()
    beats = staged(me)
    kinds = [beat["kind"] for beat in beats]
    assert "move" in kinds
    after = kinds[kinds.index("move") :]
    assert after.count("line") >= 2
    assert sum(beat["dice"] for beat in beats if beat["kind"] == "dice") >= 6
    assert not any(beat["asked"] for beat in beats)


def test_a_body_is_dragged_in_its_ranks_and_wheeled_by_its_handle(me: Player) -> None:
    page = me.page
    page.mouse.click(*middle(page.locator(f"[data-body={RECRUITS}]")))
    expect(me.question).to_contain_text("What does Red Recruits do?")
    # A drag says that it moves and where to; every man has a ghost, and the flanks show their ways.
    x, y = middle(page.locator(f"[data-piece={IN_FRONT}]"))
    north = spot(me, 0, 1)[1] - spot(me, 0, 0)[1]
    drag(me, (x, y), (x, y + 3 * north))
    expect(me.question).to_contain_text("Where does Red Recruits go?")
    ghosts = page.locator(".ghost")
    expect(ghosts).to_have_count(12)
    expect(page.locator("path.way")).to_have_count(2)
    card = page.locator("section.move")
    expect(card).to_contain_text("3.0 inches")
    expect(page.locator("text.inches")).to_contain_text("3.0 of 9″")
    # The handle before its front wheels it: the outermost man walks farther than straight ahead.
    expect(page.locator("[data-wheel]")).to_have_count(1)
    page.wait_for_function(BARE)
    hx, hy = middle(page.locator("[data-wheel]"))
    drag(me, (hx, hy), (hx + 60, hy + 20))
    expect(card).to_contain_text("Wheel")
    expect(card).to_contain_text("right")
    expect(ghosts).to_have_count(12)
    # A button turns it back by fifteen degrees, and Escape takes the whole plan back.
    before = card.inner_text()
    card.get_by_role("button", name="Turn left").click()
    settled(me)
    assert card.inner_text() != before
    page.keyboard.press("Enter")
    expect(me.question).to_contain_text("What does Red Recruits do next?")
    expect(ghosts).to_have_count(0)


def test_no_label_lies_on_the_handle_that_wheels_a_body(me: Player) -> None:
    page = me.page
    x, y = middle(page.locator(f"[data-piece={IN_FRONT}]"))
    north = spot(me, 0, 1)[1] - spot(me, 0, 0)[1]
    # Wherever its front comes to lie, the labels of those who stand there give way to its handle.
    for inches in (1.0, 3.0, 5.0):
        drag(me, (x, y), (x, y + inches * north))
        expect(page.locator("[data-wheel]")).to_have_count(1)
        page.wait_for_function(BARE)
        wheel = page.locator("[data-wheel]").bounding_box()
        assert wheel is not None
        for label in page.locator(".label rect.plate").all():
            box = label.bounding_box()
            assert box is not None
            apart = box["x"] > wheel["x"] + wheel["width"] or box["x"] + box["width"] < wheel["x"]
            assert apart or box["y"] > wheel["y"] + wheel["height"] or box["y"] + box["height"] < wheel["y"]
        x, y = middle(page.locator(f".ghost[data-piece={IN_FRONT}]"))


def test_a_handle_at_the_unit_changes_how_it_stands(me: Player) -> None:
    page = me.page
    page.mouse.click(*middle(page.locator(f"[data-body={RECRUITS}]")))
    expect(me.question).to_contain_text("What does Red Recruits do?")
    shape = {name: page.locator(f"[data-shape={name}]") for name in ("column", "line", "loose", "march-column")}
    expect(shape["column"]).to_have_attribute("aria-pressed", "true")
    # One click says that it goes at Double Time and forms line; each man has a ghost where he would stand.
    shape["line"].click()
    expect(me.question).to_contain_text("Double Time: where does Red Recruits go?")
    ghosts = page.locator(".ghost")
    expect(ghosts).to_have_count(12)
    expect(page.locator("section.move")).to_contain_text("6 abreast")
    expect(shape["line"]).to_have_attribute("aria-pressed", "true")
    # The handles stay at hand: another shape is one more click, out of the ranks and back into them.
    shape["loose"].click()
    expect(shape["loose"]).to_have_attribute("aria-pressed", "true")
    expect(ghosts).to_have_count(12)
    expect(page.locator("[data-wheel]")).to_have_count(0)
    shape["march-column"].click()
    expect(shape["march-column"]).to_have_attribute("aria-pressed", "true")
    expect(page.locator("section.move")).to_contain_text("2 abreast")
    settled(me)
    page.keyboard.press("Enter")
    expect(page.locator(f".label[data-unit={RECRUITS}]")).to_contain_text("march column, 12")


def test_a_column_is_made_wider_by_the_handle_on_its_flank(arrive: Callable[..., Player]) -> None:
    me = arrive()
    me.resume(asked_whom_to_activate(more=8))
    page = me.page
    page.mouse.click(*middle(page.locator(f"[data-body={RECRUITS}]")))
    page.locator("[data-shape=column]").click()
    card = page.locator("section.move")
    expect(card).to_contain_text("3 abreast")
    expect(page.locator("[data-flank]")).to_have_count(2)
    settled(me)
    x, y = middle(page.locator("[data-flank] .wide").last)
    drag(me, (x, y), (x + 60, y))
    expect(card).to_contain_text("4 abreast")


def march_on(me: Player) -> None:
    """Whoever leaves no habit says that a body at Double Time keeps its order; the drag goes on then."""
    expect(me.question).to_contain_text("How does Red Recruits use its Double Time?")
    me.page.locator("[data-choice='1']").click()


def test_too_far_a_drop_ends_where_the_outermost_man_may_go(me: Player) -> None:
    page = me.page
    page.mouse.click(*middle(page.locator(f"[data-body={RECRUITS}]")))
    expect(me.question).to_contain_text("What does Red Recruits do?")
    x, y = middle(page.locator(f"[data-piece={IN_FRONT}]"))
    north = spot(me, 0, 1)[1] - spot(me, 0, 0)[1]
    drag(me, (x, y), (x + 2 * north, y + 12.5 * north))
    march_on(me)
    expect(page.locator(".ghost")).to_have_count(12)
    expect(page.locator(".ghost.refused")).to_have_count(0)
    told = page.locator("text.inches").text_content() or ""
    inches, reach = (float(number) for number in re.findall(r"[\d.]+", told))
    assert reach - 2 < inches <= reach


def test_a_long_drag_is_double_time(me: Player) -> None:
    x, y = middle(me.page.locator(f"[data-piece={IN_FRONT}]"))
    north = spot(me, 0, 1)[1] - spot(me, 0, 0)[1]
    drag(me, (x, y), (x, y + 11.5 * north))
    march_on(me)
    expect(me.question).to_contain_text("Double Time: where does Red Recruits go?")
    expect(me.page.locator("text.inches")).to_contain_text(" of 13″")


def test_a_drag_is_seen_through_the_card_that_lies_in_its_way(me: Player) -> None:
    page = me.page
    page.mouse.click(*middle(page.locator(f"[data-body={RECRUITS}]")))
    expect(me.question).to_contain_text("What does Red Recruits do?")
    card = page.locator("section.asks")
    page.mouse.move(*middle(page.locator(f"[data-piece={IN_FRONT}]")))
    page.mouse.down()
    page.mouse.move(*middle(card), steps=8)
    # Every man goes along, and it is said how far that would be and by which move.
    expect(page.locator("[data-along]")).to_have_count(12)
    expect(page.locator("text.inches")).to_have_text(re.compile(r"^(Maneuver|Double Time) [\d.]+″$"))
    expect(page.locator(".aside")).to_have_count(1)
    page.keyboard.press("Escape")
    page.mouse.up()


def test_the_unit_that_is_asked_about_is_looked_at_and_no_longer_once_it_has_acted(me: Player) -> None:
    page = me.page
    # Whoever answers by keys has clicked nothing.
    page.locator("[data-choice='1']").focus()
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    expect(me.question).to_contain_text("do?")
    expect(page.locator("[data-outline=own]")).to_have_count(1)
    expect(page.locator(".label.own")).to_have_count(1)
    page.get_by_role("button", name="Nothing more", exact=True).click()
    expect(me.question).to_contain_text("which unit is activated?")
    expect(page.locator(".label.own")).to_have_count(0)


def test_no_card_of_a_man_lies_over_the_plan_that_the_pointer_rests_on(me: Player) -> None:
    page = me.page
    x, y = middle(page.locator(f"[data-piece={IN_FRONT}]"))
    north = spot(me, 0, 1)[1] - spot(me, 0, 0)[1]
    drag(me, (x, y), (x, y + 3 * north))
    ghost = page.locator(f".ghost[data-piece={IN_FRONT}]")
    expect(ghost).to_be_visible()
    cx, cy = middle(ghost)
    page.mouse.move(cx + 1, cy + 1)
    # A timer that was set before this one would have gone off before it.
    page.evaluate("() => new Promise((done) => setTimeout(done, 2000))")
    expect(page.locator("[role=tooltip]")).to_have_count(0)


def test_a_unit_that_can_be_chosen_is_outlined_as_one(me: Player) -> None:
    page = me.page
    expect(page.locator("[data-outline=lit]").first).to_be_visible()
    expect(page.locator(".ring.lit")).to_have_count(0)
    page.mouse.click(*middle(page.locator(f"[data-body={RECRUITS}]")))
    expect(page.locator("[data-outline=own]")).to_have_count(1)


@cache
def asked_to_deploy() -> str:
    """A hasty assault as a file, in which Red is asked to set a unit down."""
    rules = rulesets.load("sof")
    game: Game[Any] = Game(rules, rules.scenario("hasty-assault"), SeededDice(1))
    for _ in range(60):
        assert game.ask is not None
        if game.ask.seat == "red" and game.ask.question.topic == "deploy":
            return record.dumps(game)
        game.accept(game.ask.question.candidates(1)[0])
    pytest.fail("red was not asked to set a unit down")


def test_men_are_round_before_they_stand_and_a_handle_holds_its_word(arrive: Callable[..., Player]) -> None:
    me = arrive()
    me.resume(asked_to_deploy())
    page = me.page
    chips = page.locator(".tray .chip")
    count = chips.count()
    assert count > 0
    # A base with its shadow is drawn by circles alone.
    expect(chips.locator("svg rect")).to_have_count(0)
    drag(me, middle(chips.first), spot(me, 30, 4))
    expect(page.locator(".ghost")).to_have_count(count)
    for handle in page.locator("[data-shape]").all():
        plate, word = handle.locator("rect").bounding_box(), handle.locator("text").bounding_box()
        assert plate is not None
        assert word is not None
        assert plate["x"] <= word["x"]
        assert word["x"] + word["width"] <= plate["x"] + plate["width"]
