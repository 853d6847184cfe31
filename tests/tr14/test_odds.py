"""The closed forms of tr14: numbers by hand, fire from a planned place, and how long odds take."""

from __future__ import annotations

import math
from itertools import product
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

import pytest

from sandtable import rulesets
from sandtable.engine import record
from sandtable.engine.cards import Odds
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.engine.odds import odds, odds_from, planned
from sandtable.engine.seat import Seat
from sandtable.rulesets.tr14.fates import damage_risk, save_fails
from sandtable.rulesets.tr14.firing import read_order
from sandtable.table.shapes import Place
from sandtable.testing.situations import played_out

RULES = rulesets.load("tr14")
CORPUS = Path(__file__).parents[1] / "corpus"
DIE = range(1, 7)
CHARGES, PLAYS = 6, 100


@pytest.mark.parametrize("skirts", [False, True])
@pytest.mark.parametrize("forced", [False, True])
@pytest.mark.parametrize("needed", range(1, 8))
def test_a_save_and_what_has_it_rolled_again(needed: int, forced: bool, skirts: bool) -> None:
    failed = 0
    for first, second in product(DIE, DIE):
        again = forced if first >= needed else skirts
        failed += (second if again else first) < needed
    assert save_fails(needed, forced=forced, skirts=skirts) == pytest.approx(failed / 36)


@pytest.mark.parametrize("dice", range(5))
def test_the_damage_of_some_dice(dice: int) -> None:
    falls = list(product(DIE, repeat=dice))
    destroyed = sum(6 in fall for fall in falls)
    suppressed = sum(6 not in fall and (4 in fall or 5 in fall) for fall in falls)
    assert damage_risk(dice, 1.0) == pytest.approx((destroyed / len(falls), suppressed / len(falls)))


def test_damage_where_only_some_saves_fail() -> None:
    # Two Saves of 4+: a quarter of the time both fail, half of the time one.
    one, two = damage_risk(1, 1.0), damage_risk(2, 1.0)
    assert damage_risk(2, 0.5) == pytest.approx(tuple(a / 2 + b / 4 for a, b in zip(one, two, strict=True)))


def moments(scenario: str, seed: int, topic: str) -> Any:
    """A random game whenever it asks about something."""
    game: Game[Any] = Game(RULES, RULES.scenario(scenario), SeededDice(seed))
    random = Random(seed)
    while game.ask is not None:
        if game.ask.question.topic == topic:
            yield game
        assert game.ask is not None
        game.accept(game.ask.question.sample(random))


@pytest.mark.parametrize(("battle", "number"), [("tr14-bocage-15", 28), ("tr14-bocage-15", 79)])
def test_fire_from_a_planned_place_is_that_of_the_move_itself(battle: str, number: int) -> None:
    """Asked by the places of the Teams, or by the move that is planned: the same odds."""
    game = record.replay(record.read(CORPUS / f"{battle}.game"), rulesets.load, to=number).game
    assert game.ask is not None
    seat, move = Seat(game, game.ask.seat), game.ask.question.candidates(1)[0]
    there = planned(seat, [move])
    assert isinstance(there, Game)
    assert there.ask is not None
    answer = there.ask.question.candidates(1)[0]
    by_move = odds(seat, answer, [move])
    assert isinstance(by_move, Odds)
    places = {name: Place(*step["to"], step.get("facing", 0.0)) for name, step in move.items()}
    target = read_order(next(iter(answer.values()))).unit
    by_place = odds_from(seat, places, target)
    assert by_place is not None
    assert [each.words for each in by_place.chances] == [each.words for each in by_move.chances]
    assert [each.share for each in by_place.chances] == pytest.approx([each.share for each in by_move.chances])
    assert any(reason.rule == "tr14.firing.mod-firer-moved" for line in by_place.lines for reason in line.reasons)


def test_fire_from_nowhere_has_no_odds() -> None:
    game = next(moments("patrol", 2, "activate"))
    seat = Seat(game, game.ask.seat)
    assert odds_from(seat, {}, "blue-guns") is None
    assert odds_from(seat, {"nobody": Place(1.0, 1.0, 0.0)}, "blue-guns") is None


def seconds(game: Game[Any], answer: Any) -> float:
    assert game.ask is not None
    copy = Seat(game, game.ask.seat).look(1)
    assert copy is not None
    begun = process_time()
    RULES.display.odds(copy, game.ask.seat, answer)
    return process_time() - begun


@pytest.mark.soak  # what it finds depends on the machine
def test_odds_take_no_time() -> None:
    """A card's odds are there in under 50 ms."""
    took = []
    for game in moments("ridge", 2, "fire"):
        for answer in game.ask.question.candidates(3):
            # The better of two: the collector of garbage may come in between.
            took.append(min(seconds(game, answer) for _ in range(2)))
        if len(took) > 40:
            break
    assert max(took) < 0.05


def test_a_charge_is_halted_as_often_as_is_told() -> None:
    """Whoever is assaulted fires as proposed: five hits halt the charge."""
    compared = 0
    for _, game in played_out(rulesets.folder("tr14") / "situations" / "assaults" / "halted-by-five.toml"):
        for number, entry in reversed(list(enumerate(game.record))):
            if entry.topic != "chargers" or compared == CHARGES:
                continue
            game.rewind(number)
            found = odds(Seat(game, entry.seat), entry.answer)
            assert game.ask is not None
            target = game.ask.question.facts["target"]
            if not isinstance(found, Odds) or not found.notes or game.state.units[target].apart:
                continue
            told = float(found.notes[0].value.removeprefix("halted ").removesuffix("%")) / 100
            halted = sum(hits_on_charge(game.fork(seed), entry.answer, target) >= 5 for seed in range(PLAYS))
            # The card rounds to whole percents.
            assert abs(halted / PLAYS - told) < 4 * math.sqrt(told * (1 - told) / PLAYS) + 0.005
            compared += 1
    assert compared == CHARGES


def hits_on_charge(game: Game[Any], chargers: Any, target: str) -> int:
    """The hits of a Unit on those who charge it."""
    told = len(game.events)
    game.accept(chargers)
    answers = {"suppressive-fire": {}, "react": target}
    while game.ask is not None and (
        game.ask.question.topic in ("react", "suppressive-fire", "moment", "reaction-fire")
    ):
        topic = game.ask.question.topic
        game.accept(answers[topic] if topic in answers else game.ask.question.candidates(1)[0])
        if topic == "react":
            answers["react"] = "pass"
    while game.ask is not None and game.ask.question.topic in ("direct-fire", "allocate", "allocate-at"):
        game.accept(game.ask.question.candidates(1)[0])
    return sum(event.data["hits"] for event in game.events[told:] if event.kind == "shooting")
