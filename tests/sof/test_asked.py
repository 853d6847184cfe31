"""What is proposed first, what a habit answers, and what a page draws before it is asked."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import pytest

from sandtable import rulesets
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import STANDING, Game
from sandtable.engine.questions import ChoosePoint, Question
from sandtable.engine.settled import titled
from sandtable.engine.standing import answer_words
from sandtable.field.deploying import zone_of
from sandtable.rulesets.sof.actions.orders import orders_with
from sandtable.rulesets.sof.core.state import Table


def asked(topic: str, scenario: str = "hasty-assault") -> tuple[Game[Any], Question]:
    """A battle as it is proposed, up to the first question of a topic."""
    rules = rulesets.load("sof")
    game: Game[Any] = Game(rules, rules.scenario(scenario), SeededDice(1))
    for _ in range(200):
        assert game.ask is not None
        if game.ask.question.topic == topic:
            return game, game.ask.question
        game.accept(game.ask.question.candidates(1)[0])
    pytest.fail(f"nobody was asked about {topic}")


def test_no_recon_point_is_given_up_for_nothing_by_whoever_takes_what_is_proposed() -> None:
    game, question = asked("recon")
    assert question.candidates(1) == ["activation-die"]
    while game.ask is not None and game.ask.question.topic == "recon":
        game.accept(game.ask.question.candidates(1)[0])
    lost = [event.data["points"] for event in game.events if event.kind == "recon-lost"]
    spent = [event.data["advantage"] for event in game.events if event.kind == "recon"]
    assert "activation-die" in spent
    # Whoever may roll a die again is asked at every check that fails: nobody buys that unawares.
    assert "reroll" not in spent
    assert sum(lost) <= 2


@pytest.mark.parametrize(
    ("scenario", "edge"), [("hasty-assault", "south"), ("hasty-assault", "north"), ("patrol", "south")]
)
def test_where_an_objective_may_lie_is_drawn_before_it_is_placed(scenario: str, edge: str) -> None:
    game, _ = asked("edge", scenario)
    game.accept(edge)
    check_the_drawn_area(game)


def test_between_east_and_west_as_well() -> None:
    rules = rulesets.load("sof")
    setup = rules.scenario("patrol")
    table = setup.table
    tall = msgspec.structs.replace(setup, table=Table(table.depth, table.width), terrain=[])
    game: Game[Any] = Game(rules, tall, SeededDice(1))
    while game.ask is not None and game.ask.question.topic != "edge":
        game.accept(game.ask.question.candidates(1)[0])
    game.accept("east")
    check_the_drawn_area(game)


def check_the_drawn_area(game: Game[Any]) -> None:
    assert game.ask is not None
    question = game.ask.question
    assert isinstance(question, ChoosePoint)
    assert question.areas is not None
    (area,) = question.areas()
    assert area.label == "An objective may lie here"
    within = zone_of(area.points, game.setup.table)
    spots = question.candidates(24)
    assert len(spots) > 10
    assert all(within.inside_point(*spot)[0] for spot in spots)
    middle = game.setup.table.width / 2, game.setup.table.depth / 2
    far = [math.dist(middle, spot) for spot in spots]
    assert [round(each, 1) for each in far] == sorted(round(each, 1) for each in far)
    middle = tuple(sum(values) / len(area.points) for values in zip(*area.points, strict=True))
    for x, y in area.points:
        # A step inwards from each corner is good ground, a step outwards is not.
        inwards = [x + (0.5 if middle[0] > x else -0.5), y + (0.5 if middle[1] > y else -0.5)]
        outwards = [2 * x - inwards[0], 2 * y - inwards[1]]
        assert question.check(inwards) == inwards
        assert question.check(outwards) != outwards
        for aside in ([outwards[0], inwards[1]], [inwards[0], outwards[1]]):
            assert question.check(aside) != aside


def test_riders_who_have_moved_are_not_proposed_to_dismount() -> None:
    rules = rulesets.load("sof")
    game: Game[Any] = Game(rules, rules.scenario("hasty-assault"), SeededDice(1))
    for _ in range(600):
        assert game.ask is not None
        question = game.ask.question
        if question.topic == "action" and game.state.units[question.facts["unit"]].type == "mounted":
            if question.facts["taken"] == ["maneuver"]:
                break
            game.accept("maneuver")
        elif question.topic == "activate":
            riders = [unit.id for unit in game.state.units.values() if unit.type == "mounted"]
            chosen = [each for each in riders if question.check(each) == each]
            game.accept(chosen[0] if chosen else question.candidates(1)[0])
        else:
            game.accept(question.candidates(1)[0])
    assert question.check("dismount") == "dismount"
    assert question.candidates(1) != ["dismount"]


def test_a_die_of_its_own_battlegroup_is_spent_without_a_question() -> None:
    rules = rulesets.load("sof")
    habit = next(each for each in rules.habits if each.id == "own-die")
    assert habit.usual
    game, question = asked("activate")
    side = game.ask.seat if game.ask else ""
    game.leave(habit.standing(side))
    game.state.force_dice[side].dice.append(game.state.number)
    before = list(game.state.force_dice[side].dice)
    assert game.answer(question.candidates(1)[0]) is None
    assert game.ask is not None
    assert game.ask.question.topic != "whose-die"
    assert game.state.force_dice[side].dice == before


@pytest.mark.parametrize(
    ("unit", "action", "names"),
    [
        ("horse-1", "maneuver", {"keep", "extended", "line", "march-column"}),
        ("horse-1", "fall-back", {"keep", "extended", "line", "march-column"}),
        ("red-1", "maneuver", set()),
        ("red-1", "double-time", {"keep", "extended"}),
        ("red-1", "fire", set()),
        ("red-2", "double-time", set()),
        ("red-3", "maneuver", set()),
        ("red-3", "double-time", {"keep", "about-face", "face", "line", "march-column", "loose"}),
    ],
)
def test_how_a_unit_shall_stand_is_ordered_in_one_gesture_with_the_moves_that_let_it_change(
    unit: str, action: str, names: set[str]
) -> None:
    rules = rulesets.load("sof")
    game: Game[Any] = Game(rules, rules.scenario("clash"), SeededDice(1))
    assert {option.id for option in orders_with(game, game.state.units[unit], action)} == names


def test_recons_die_is_asked_about_only_where_a_single_die_decides() -> None:
    rules = rulesets.load("sof")
    habit = next(each for each in rules.habits if each.id == "save-the-die")
    assert habit.usual
    game, _ = asked("recon")
    assert game.ask is not None
    side = game.ask.seat
    game.leave(habit.standing(side))
    assert game.answer("reroll") is None
    dice = []
    for _ in range(300):
        assert game.ask is not None
        question = game.ask.question
        if question.topic == "recon-reroll":
            dice.append(len(question.facts["dice"]))
        assert game.answer(question.candidates(1)[0]) is None
        if game.result is not None:
            break
    assert any(entry.by == STANDING for entry in game.record)
    assert set(dice) <= {1}


def test_who_was_deployed_is_told_in_the_words_of_this_game() -> None:
    game, question = asked("deploy")
    men = game.state.units[question.facts["unit"]].teams
    assert answer_words(question, question.candidates(1)[0]) == f"{len(men)} figures"
    assert titled(question) == "Deployed"
    assert question.describe()["noun"] == "figure"
