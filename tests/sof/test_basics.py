"""The small dice, measuring before deciding, and what an entry may say."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from sandtable import rulesets
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.game import Game
from sandtable.engine.ledger import Ledger
from sandtable.engine.questions import Choose, MovePieces, Refusal
from sandtable.field.plan import Plan, plan, reach
from sandtable.rulesets.sof.core.arsenal import Blast, Row
from sandtable.rulesets.sof.core.checks import small, small_dice
from sandtable.rulesets.sof.core.markers import MARKERS
from sandtable.rulesets.sof.core.state import Setup

RULES = rulesets.load("sof")


@pytest.mark.rule("sof.basics.d2")
def test_a_d2_is_a_d6_divided_by_three_and_rounded_up() -> None:
    assert [small(die, 2) for die in range(1, 7)] == [1, 1, 1, 2, 2, 2]
    assert small_dice(2, 1) == ["sof.basics.d2"]


@pytest.mark.rule("sof.basics.d3")
def test_a_d3_is_a_d6_halved_and_rounded_up() -> None:
    assert [small(die, 3) for die in range(1, 7)] == [1, 1, 2, 2, 3, 3]
    assert small_dice(3, 1) == ["sof.basics.d3"]


@pytest.mark.rule("sof.basics.2d6")
def test_2d6_are_two_dice_added_up_and_no_half_dice() -> None:
    assert Row(blast="2d6").blast_effect == Blast(2, 6, 0)
    assert [small(die, 6) for die in range(1, 7)] == [1, 2, 3, 4, 5, 6]
    assert small_dice(6, 2) == ["sof.basics.2d6"]
    assert small_dice(6, 1) == []


def changed(*changes: tuple[str, Any]) -> Setup:
    plain = msgspec.to_builtins(RULES.scenario("clash"))
    for path, value in changes:
        *inner, last = path.split(".")
        place = plain
        for key in inner:
            place = place[key]
        place[last] = value
    return msgspec.convert(plain, Setup)


def begun() -> Game[Any]:
    """A squad of red has been activated and is asked what it does."""
    game = Game(RULES, RULES.scenario("clash"), ScriptedDice([6] * 40))
    while game.ask is not None and game.ask.question.topic != "activate":
        game.accept(game.ask.question.candidates(1)[0])
    return game


@pytest.mark.rule("sof.basics.premeasure")
def test_reach_and_range_may_be_measured_before_anything_is_decided() -> None:
    game = begun()
    assert game.ask is not None
    seat = game.ask.seat
    unit = next(each for each in game.state.units.values() if each.side == seat and each.formation == "loose")
    game.answer(unit.id)
    while game.ask.question.topic != "action":
        game.accept(game.ask.question.candidates(1)[0])
    question = game.ask.question
    assert isinstance(question, Choose)
    before = game.hash()
    # What may not be done says why, with the distance, and costs nothing to ask.
    told = question.check("assault")
    assert isinstance(told, Refusal)
    assert told.rule == "sof.actions.assault-reach"
    assert game.hash() == before
    game.answer("maneuver")
    asked = game.ask.question
    assert isinstance(asked, MovePieces)
    assert "sof.basics.premeasure" in asked.rules
    before = game.hash()
    name, figure = next(iter(unit.teams.items()))
    rays = reach(game, seat, name)
    assert not isinstance(rays, Refusal)
    assert len(rays) == 72
    assert figure.at is not None
    drawn = plan(game, seat, list(unit.teams), (figure.at[0], figure.at[1] + 1.0))
    assert isinstance(drawn, Plan)
    assert game.hash() == before


@pytest.mark.rule(
    "sof.formations.linear-must-have-alignment",
    "sof.formations.which-allowed",
    "sof.specialists.options",
    "sof.specialists.chaplain-unarmed",
    "sof.specialists.medic-unarmed",
    "sof.specialists.staff-officer",
    "sof.specialists.musician",
    "sof.specialists.handler",
)
@pytest.mark.parametrize(
    ("path", "right", "wrong", "words"),
    [
        ("units.red-3.alignment", "column", "", "sof.formations.linear-must-have-alignment"),
        ("units.red-2.formations", ["loose", "extended"], ["extended"], "sof.formations.which-allowed"),
        ("units.red-hq.teams.red-medic.profile", "unarmed", "pistol", "sof.specialists.medic-unarmed"),
        ("units.blue-hq.teams.blue-padre.profile", "unarmed", "pistol", "sof.specialists.chaplain-unarmed"),
        ("units.red-hq.teams.red-medic.role", "handler", "aide", "sof.specialists.staff-officer"),
        ("units.red-2.teams.rb-1.role", "", "handler", "sof.specialists.handler"),
        ("units.red-2.teams.rb-1.role", "nco", "standard-bearer", "sof.specialists.options"),
        ("units.red-2.dismounted", True, False, ""),
    ],
)
def test_what_an_entry_may_not_say(path: str, right: Any, wrong: Any, words: str) -> None:
    assert RULES.problems(changed((path, right))) == []
    found = RULES.problems(changed((path, wrong)))
    assert not words or any(words in problem for problem in found), found


@pytest.mark.rule("sof.specialists.musician")
def test_an_hq_has_a_specialist_or_a_musician() -> None:
    assert RULES.problems(changed(("units.red-hq.teams.red-bugler.role", "communication-1"))) == []
    found = RULES.problems(changed(("units.red-hq.teams.red-medic.role", "communication-1")))
    assert any("sof.specialists.musician" in problem for problem in found), found


@pytest.mark.rule("sof.basics.markers")
def test_there_are_eight_kinds_of_marker() -> None:
    assert len(MARKERS) == Ledger.load("sof")["sof.basics.markers"].rows == 8
    assert {marker.colour for marker in MARKERS.values()} == {
        "black",
        "yellow",
        "red",
        "brown",
        "blue",
        "clear",
        "green",
        "two brown",
    }
