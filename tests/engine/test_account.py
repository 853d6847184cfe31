"""The account of a battle: what its events say, and nothing that they do not."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandtable import bots, rulesets
from sandtable.engine import record
from sandtable.engine.account import Account, Stage, account, chance, in_words, kills, lost_in
from sandtable.engine.dice import SeededDice, Throw
from sandtable.engine.events import Event
from sandtable.engine.game import Game
from sandtable.engine.ruleset import Result
from sandtable.engine.seat import drive
from sandtable.engine.story import Rolled, rolled
from sandtable.rulesets.hof.core.state import State as Hof

CORPUS = Path(__file__).parents[1] / "corpus"
BATTLES = (("hof", "patrol", 4), ("tr14", "patrol", 5), ("sof", "clash", 10))


def fought(ruleset: str, scenario: str, seed: int) -> Game[Hof]:
    rules = rulesets.load(ruleset)
    game: Game[Hof] = Game(rules, rules.scenario(scenario), SeededDice(seed))
    drive(game, {seat: bots.make("random", seed + number) for number, seat in enumerate(rules.seats)})
    return game


@pytest.fixture(scope="module", params=BATTLES, ids=[name for name, _, _ in BATTLES])
def battle(request: pytest.FixtureRequest) -> tuple[Game[Hof], Account]:
    game = fought(*request.param)
    told = account(game, SeededDice(request.param[2]))
    assert told is not None
    return game, told


def test_a_battle_that_goes_on_has_no_account() -> None:
    rules = rulesets.load("tr14")
    game: Game[Hof] = Game(rules, rules.scenario("patrol"), SeededDice(1))
    assert account(game, SeededDice(1)) is None


def test_one_that_was_given_up_has() -> None:
    rules = rulesets.load("tr14")
    game: Game[Hof] = Game(rules, rules.scenario("patrol"), SeededDice(1))
    told = account(game, SeededDice(1), result=Result("blue", "red has resigned"))
    assert told is not None
    assert told.winner == "blue"
    assert told.sentence.startswith("Red has resigned. ")
    assert told.swings == ()


def test_it_tells_who_won_and_how_both_stood(battle: tuple[Game[Hof], Account]) -> None:
    game, told = battle
    assert game.result is not None
    assert told.winner == game.result.winner
    assert told.answers == len(game.record)
    first = game.rules.display.story.figures[0]
    for curve in told.curves:
        if curve.name == first:
            assert f"{curve.side.capitalize()} {curve.marks[-1].value} of {curve.limit}" in told.sentence
    assert {curve.side for curve in told.curves} == set(game.rules.seats)


def test_every_loss_is_counted_once(battle: tuple[Game[Hof], Account]) -> None:
    game, told = battle
    # An event may tell of several pieces, or of a whole unit and of none by name.
    lost = [lost_in(event) for event in game.events if event.kind in game.rules.display.story.losses]
    pieces = sum(map(len, lost))
    assert sum(kill.count for kill in told.kills) == pieces > 0
    assert sum(each.count for each in told.fallen) == pieces + lost.count([])
    # Most fell to somebody.
    assert sum(kill.count for kill in told.kills if kill.by) > pieces / 2


def test_moments_lie_in_the_battle_in_order(battle: tuple[Game[Hof], Account]) -> None:
    game, told = battle
    assert told.swings
    for swing in told.swings:
        assert 0 <= swing.start < swing.end <= len(game.record)
        assert swing.told
        assert 0 < swing.share <= 1
    assert [swing.start for swing in told.swings] == sorted(swing.start for swing in told.swings)


# The first of hof's was told as if the enemy's objectives had been won by the other side.
@pytest.mark.parametrize("name", ["hof-patrol-14", "hof-patrol-15", "hof-ridge-14", "tr14-patrol-14"])
def test_what_is_told_of_a_moment_is_good_for_the_side_that_it_favoured(name: str) -> None:
    kept = record.read(CORPUS / f"{name}.game")
    game = record.replay(kept, rulesets.load).game
    told = account(game, record.dice_of(kept.header.dice, None))
    assert told is not None
    assert told.swings
    story = game.rules.display.story
    texts = {event.text: event for event in game.events}
    for swing in told.swings:
        for event in map(texts.__getitem__, swing.told):
            gain = event.data.get("gain", {"what": "", "side": ""})
            # Whoever lost something, or would rather not have it, is the other.
            good = gain["side"] if gain["what"] in story.prizes else {"red": "blue", "blue": "red"}[event.seat]
            assert good == swing.side, swing


def test_whoever_fell_as_a_guest_of_a_unit_fell_to_the_volley_at_it() -> None:
    """A commander had joined a platoon that was fired at, and it did not matter whose hits he took."""
    game = record.replay(record.read(CORPUS / "tr14-bocage-15.game"), rulesets.load).game
    told = kills(game)
    assert sum(kill.count for kill in told) == 31
    assert all(kill.by for kill in told)


def test_who_holds_what_while_sides_deploy_is_no_moment() -> None:
    """A term of the worth that is not told at a question stays as it was: nothing is lost or won by that."""
    before, silent, after = (
        Stage(number, 1, number, worth)
        for number, worth in enumerate([{"held": 2.0, "teams": 9.0}, {"held": 2.0, "teams": 8.0}, {"held": 1.0}])
    )
    assert silent.gained(before) == -1.0
    assert after.gained(silent) == -1.0
    rules = rulesets.load("hof")
    game: Game[Hof] = Game(rules, rules.scenario("patrol"), SeededDice(4))
    assert "held" not in rules.worth.lasting(game, "red")


def test_luck_counts_the_dice_that_were_thrown(battle: tuple[Game[Hof], Account]) -> None:
    game, told = battle
    for luck in told.luck:
        rolls = [each for event in game.events for each in game.rules.display.story.rolls(event)]
        mine = [each for each in rolls if each.seat == luck.side]
        assert luck.dice == sum(each.dice for each in mine)
        assert luck.good == sum(each.good for each in mine)
        assert luck.low <= luck.expected <= luck.high


def test_a_die_that_was_thrown_again_counts_twice() -> None:
    # Given a 2 that was thrown again and shows 5, and a 4, when 4 was needed:
    event = Event("fire", "", dice=[Throw("red", "to hit", [5, 4], before={0: 2})], data={"needed": 4})
    assert list(rolled(event)) == [Rolled("red", 3, 4, 2)]
    assert list(rolled(Event("move", "", dice=[Throw("red", "inches", [5])]))) == []


@pytest.mark.parametrize("scenario", ["crossroads", "bocage"])
def test_a_check_that_is_rolled_again_and_volleys_that_are_count_each_die_once(scenario: str) -> None:
    """Once a second roll was counted with its Check and by itself, and a leader's second throw not at all."""
    rolls = rulesets.load("tr14").display.story.rolls
    weighed, thrown = 0, 0
    for path in CORPUS.glob(f"tr14-{scenario}-*.game"):
        game = record.replay(record.read(path), rulesets.load).game
        events = [event for event in game.events if event.kind in ("activation", "cc-reroll", "shooting")]
        assert {"cc-reroll", "shooting"} <= {event.kind for event in events}
        assert any(throw.before for event in events for throw in event.dice if event.kind == "shooting")
        weighed += sum(each.dice for event in events for each in rolls(event))
        told = [throw for event in events if event.kind != "cc-reroll" for throw in event.dice]
        thrown += sum(len(throw.values) + len(throw.before) for throw in told)
    assert weighed == thrown


@pytest.mark.parametrize(("needed", "expected"), [(4, 0.5), (1, 1.0), (0, 1.0), (6, 1 / 6), (7, 0.0), (9, 0.0)])
def test_how_likely_a_die_is(needed: int, expected: float) -> None:
    assert chance(Rolled("red", 1, needed, 0)) == pytest.approx(expected)


def test_luck_in_words_is_even_handed() -> None:
    assert in_words(0.5) == in_words(0.2) == in_words(0.8)
    assert in_words(0.99).replace("better", "worse") != in_words(0.01)
    assert len({in_words(part) for part in (0.01, 0.1, 0.5, 0.9, 0.99)}) == 5
