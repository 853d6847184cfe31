"""What is told in any game: Checks that tell themselves, secrets for their owner, and a side's briefing."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.engine.cards import Fact
from sandtable.engine.dice import SeededDice, Throw
from sandtable.engine.events import Event, Modifier
from sandtable.engine.game import Game
from sandtable.field import rosters
from sandtable.field.checks import Check
from sandtable.field.secrets import tell_own
from tests.engine.toy import new_game


@pytest.fixture
def game() -> Game[Any]:
    return new_game(SeededDice(1))


def test_a_check_tells_its_dice_its_rules_and_whether_it_passed(game: Game[Any]) -> None:
    throw = Throw("red", "a Check", [3])
    check = Check(throw, 4, [Modifier(1, "toy.mud", "mud")], ["toy.check"])
    check.tell(game, "wade", "Red wades.", "toy.river", "toy.check", team="one")
    event = game.events[-1]
    assert (event.kind, event.seat, event.rules) == ("wade", "red", ["toy.river", "toy.check"])
    assert event.data == {"team": "one", "needed": 4, "passed": False}
    assert event.dice == [throw]
    assert [each.amount for each in event.modifiers] == [1]


def test_a_secret_is_told_to_its_owner_and_its_shape_to_others(game: Game[Any]) -> None:
    before = len(game.events)
    tell_own(game, "red", "hide", "The scouts hide.", "Somebody hides.", "toy.hide", unit="scouts")
    tell_own(game, "red", "plan", "The scouts have a plan.", "", "toy.plan")
    tell_own(game, "red", "wait", "The tanks wait.", Event("wait", "A unit waits.", ["toy.other"]), "toy.wait")
    assert [event.text for event in game.seen("red")[before:]] == [
        "The scouts hide.",
        "The scouts have a plan.",
        "The tanks wait.",
    ]
    others = game.seen("blue")[before:]
    assert [event.text for event in others] == ["Somebody hides.", "A unit waits."]
    assert others[0].data == {}


def test_a_briefing_says_how_a_side_wins_and_loses() -> None:
    lines = Fact("Who attacks", "Red."), Fact("What ends it", "Night.")
    rules = ("toy.win", "toy.lose")
    red = rosters.briefing("red", lines, lambda side: f"{side} wins", rules, lambda side: f"Go, {side}!", list)
    assert red.task == "Go, red!"
    assert [fact.value for fact in red.lines] == ["Red.", "red wins", "blue wins", "Night."]
    assert [fact.rule for fact in red.lines[1:3]] == ["toy.win", "toy.lose"]
    watcher = rosters.briefing(None, lines, lambda side: f"{side} wins", rules, lambda side: "", list)
    assert watcher.task == ""
    assert [fact.name for fact in watcher.lines[1:3]] == ["How Red wins", "How Blue wins"]
