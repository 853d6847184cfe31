"""What a page tells beside the table: the dice at its edge, and what each side is to know before the battle."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from sandtable import rulesets
from sandtable.engine.cards import Briefing, Fact, RailDie, RailStep
from sandtable.engine.dice import SeededDice
from sandtable.engine.events import Event
from sandtable.engine.game import Game
from sandtable.engine.story import Blow
from sandtable.rulesets.sof.core.board import Battle
from sandtable.rulesets.sof.core.state import Battlegroup, Figure, ForceDice, Objective, Setup, Table, Unit
from sandtable.rulesets.sof.page.briefing import briefing
from sandtable.rulesets.sof.page.dice_rail import OVERRIDE, ZERO, rail
from sandtable.rulesets.sof.page.story import blows

RULES = rulesets.load("sof")
FORCE = "A die of the whole force, for any unit"


def battle(**changes: Any) -> Battle:
    """Two HQs of two men, far apart, in the midst of phase 5; changed as is said."""
    units = {
        side: Unit(
            side,  # type: ignore[arg-type]
            "regular",
            {
                f"{side}-{n}": Figure("pistol", role="officer" if n == 0 else "", at=(10.0 + 1.4 * n, y))
                for n in range(2)
            },
            battlegroup=f"{side}-first",
            hq=True,
        )
        for side, y in (("red", 6.0), ("blue", 42.0))
    }
    groups = {"red-first": Battlegroup("red", "First", dice=[5, 3]), "blue-first": Battlegroup("blue", dice=[5])}
    setup = Setup(Table(48.0, 48.0), units, groups, phase="activate", initiative="red", number=5)
    return Game(RULES, msgspec.structs.replace(setup, **changes), SeededDice(1))


def step(game: Battle, name: str) -> RailStep:
    found = rail(game, None)
    assert found is not None
    return next(each for each in found.steps if each.name == name)


# The dice at the table's edge.


def test_there_is_no_rail_before_the_first_dice_have_fallen() -> None:
    groups = {"red-first": Battlegroup("red"), "blue-first": Battlegroup("blue")}
    assert rail(battle(battlegroups=groups, phase="start"), None) is None
    groups["blue-first"].spent = [4]
    assert rail(battle(battlegroups=groups, phase="start"), None) is not None


def test_the_rail_shows_seven_phases_those_that_are_over_and_the_one_that_is_played() -> None:
    found = rail(battle(), None)
    assert found is not None
    assert [each.name for each in found.steps] == ["6", "5", "4", "3", "2", "1", "0"]
    assert [each.past for each in found.steps] == [True] + 6 * [False]
    assert [each.now for each in found.steps] == [False, True] + 5 * [False]
    assert found.note == ""


def test_before_the_activation_phases_none_is_played() -> None:
    found = rail(battle(phase="start", number=0), None)
    assert found is not None
    assert not any(each.now for each in found.steps)
    assert found.note == ""


def test_in_phase_zero_the_rail_says_who_may_act() -> None:
    found = rail(battle(number=0), None)
    assert found is not None
    assert found.note == ZERO
    assert found.steps[-1] == RailStep("0", (), now=True)


def test_dice_lie_in_their_phase_reds_first_and_those_that_are_left_before_those_that_are_spent() -> None:
    groups = {
        "red-first": Battlegroup("red", "First", dice=[5, 3], spent=[5, 6]),
        "blue-first": Battlegroup("blue", dice=[5]),
    }
    force = {"red": ForceDice([5], [5]), "blue": ForceDice([4])}
    game = battle(battlegroups=groups, force_dice=force)
    assert step(game, "5").dice == (
        RailDie(5, "red", title=FORCE),
        RailDie(5, "red", title="First"),
        RailDie(5, "red", True, FORCE),
        RailDie(5, "red", True, "First"),
        RailDie(5, "blue", title="blue-first"),
    )
    assert step(game, "4").dice == (RailDie(4, "blue", title=FORCE),)
    assert step(game, "6").dice == (RailDie(6, "red", True, "First"),)
    assert step(game, "2").dice == ()


def test_one_six_that_is_set_aside_as_an_override_is_not_spent_yet() -> None:
    groups = {
        "red-first": Battlegroup("red", "First", spent=[6, 6, 5]),
        "red-second": Battlegroup("red", "Second", spent=[6]),
        "blue-first": Battlegroup("blue", dice=[5], spent=[6]),
    }
    game = battle(battlegroups=groups, overrides={"red": "red-first"}, overridden=["red"])
    assert step(game, "6").dice == (
        RailDie(6, "red", title=f"First: {OVERRIDE}"),
        RailDie(6, "red", True, "First"),
        RailDie(6, "red", True, "Second"),
        RailDie(6, "blue", True, "blue-first"),
    )
    assert step(game, "5").dice == (RailDie(5, "red", True, "First"), RailDie(5, "blue", title="blue-first"))


# Before the battle.


def told(game: Battle, seat: str = "red") -> Briefing:
    return briefing(lambda *_: [], game, seat)


def line(told: Briefing, title: str) -> Fact:
    return next(each for each in told.lines if each.name == title)


def test_without_a_mission_and_objectives_the_other_side_is_to_be_broken() -> None:
    found = told(battle(attacker="blue"))
    assert found.task == "Break Blue."
    assert line(found, "Who attacks").value == "Blue."
    assert line(found, "How it is won").value == "Blue's battlegroups are broken."
    assert line(found, "How it is won").rule == "sof.mission-core.control-most-units"
    assert line(found, "What ends it").value.startswith("The Start Phase after 6 turns")


def test_with_objectives_more_of_them_are_to_be_controlled_each_by_its_name() -> None:
    found = told(battle(objectives={"mill": Objective((20.0, 20.0), "The mill"), "ford": Objective((30.0, 20.0))}))
    assert found.task == "Control more than Blue of the mill and ford."
    won = line(found, "How it is won").value
    assert won.startswith("Red controls more objectives than Blue at the end. ")
    assert " at the end of any turn" not in won
    assert won.endswith(" Or Blue's battlegroups are broken.")
    assert line(found, "How it is lost").value.startswith("Blue controls more objectives than Red at the end. ")


@pytest.mark.parametrize(("scenario", "at_once"), [("hasty-assault", False), ("patrol", True)])
def test_a_mission_tells_who_attacks_what_will_be_placed_and_its_special_rules(scenario: str, at_once: bool) -> None:
    game: Battle = Game(RULES, RULES.scenario(scenario), SeededDice(1))
    assert game.state.phase != "attacker"
    found, attacker = told(game), game.state.attacker.capitalize()
    title = scenario.replace("-", " ").title()
    assert line(found, "Who attacks").value.startswith(f"{attacker}. {title}: ")
    number = {"hasty-assault": "1 objective", "patrol": "2 objectives"}[scenario]
    assert found.task == f"Control more objectives than Blue: {number} will be placed."
    won = line(found, "How it is won").value
    assert (" Or Red controls all of them at the end of any turn." in won) == at_once
    game.state.phase = "attacker"
    assert line(told(game), "Who attacks").value.startswith("A die decides, with the attack modifiers. ")
    game.state.objectives = {"objective-1": Objective((20.0, 20.0), "Objective 1")}
    assert told(game).task == "Control more than Blue of Objective 1."


# After the battle.


@pytest.mark.parametrize(("kind", "wounds", "told"), [("lethality", 2, 1), ("lethality", 0, 0), ("shooting", 2, 0)])
def test_a_blow_is_fire_that_wounds(kind: str, wounds: int, told: int) -> None:
    event = Event(kind, "", data={"unit": "ours", "target": "theirs", "wounds": wounds})
    assert list(blows(event)) == told * [Blow("ours", "", "theirs")]
